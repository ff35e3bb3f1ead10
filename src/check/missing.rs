//! Objects and keys that something names and nobody has.
//!
//! The input rarely is the whole cluster, so a reference that leads nowhere is a warning. It is an
//! error where the input itself shows a slip: a near name that nothing refers to, the same name in
//! another namespace only, or a producer whose product nothing reads and which has the very keys that
//! are asked for. Nothing is said of what every cluster has, of optional references, and of names
//! that may stand in text which could not be read.

mod expected;
mod keys;
mod objects;
mod slips;
mod unread;
mod writers;

use crate::config::Settings;
use crate::finding::{Findings, Refusal, Rule, Severity};
use crate::flow::{Planned, Target};

pub(super) static RULES: &[&Rule] = &[&OBJECT, &KEY, &ELSEWHERE, &HOMELESS];

static OBJECT: Rule = Rule {
    id: "TG301",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object that is referred to is not in the input",
    explanation: "\
Nothing in the input is, or makes, the object, so something else has to bring it. A pod that needs a
ConfigMap or Secret which is not there does not start (`CreateContainerConfigError`, or `FailedMount`
for a volume) and waits for it; other kinds fail in their own ways.

It is a warning, since the input may be one part of a cluster. It is an error where the input shows
that the name is a slip: a near name of the same kind in that namespace to which nothing refers, or a
producer (a Certificate, an ExternalSecret, ...) whose product nothing reads and which has the very
keys that are asked for.

Correct the name, or add the object. What somebody else brings is listed in `tidegate.yaml`; the input
of one source of many trusts the others:

    spec:
      external:
        objects:
        - {kind: Secret, namespace: shop, name: 'tls-*'}
        default: trust

Never said: optional references; what the cluster makes itself (`kube-root-ca.crt`, the
ServiceAccount `default`, the ClusterRoles `admin`, `edit`, `view` and `system:*`, Roles of
kube-system, ...); namespaces, definitions, classes, and cluster-scoped issuers and stores.",
};

static KEY: Rule = Rule {
    id: "TG302",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "a key that is asked for is not in its ConfigMap or Secret",
    explanation: "\
The object is there and the key is not. A container whose variable needs the key does not start
(`CreateContainerConfigError`); a volume whose `items` name it is not mounted. A variable reads `data`
only: a key of `binaryData` is none for it. A `subPath` that hits no key mounts an empty directory
where a file is expected.

An error if the object has data and nothing shows that somebody else writes into it, and if the object
is made by a producer that is known not to write the key (a SealedSecret without it in
`encryptedData`). A warning if the object has no data at all, or if a Role in the input lets somebody
write into it. Nothing is said of an object that is filled at run time (a service account's token, an
injected bundle, a copy of another one, a placeholder that is replaced).

Correct the key, add it, or mark the reference `optional`.",
};

static ELSEWHERE: Rule = Rule {
    id: "TG303",
    severity: Severity::Error,
    refuses: Refusal::Never,
    operator: false,
    summary: "an object that is referred to is only in another namespace",
    explanation: "\
References of this kind stay inside a namespace, and the one that is meant has no such object; one of
the same name is in another namespace, where it does not help. Often `metadata.namespace` of one of
the two is wrong, or the object is needed in both.

If a copy is made by something outside of the input, list it under `spec.external.objects` of
`tidegate.yaml`.",
};

static HOMELESS: Rule = Rule {
    id: "TG304",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a reference that names a namespace is matched by an object that names none",
    explanation: "\
The object of that name stands in the input without a namespace, and no default namespace is known. It
is taken for the one that is meant; whether it ends up in that namespace is decided by whoever applies
it. Say `--namespace`, or write `metadata.namespace`.",
};

pub(super) fn run(planned: &Planned<'_>, settings: &Settings, found: &mut Findings) {
    objects::run(&planned.linked, settings, found);
    keys::run(&planned.linked, found);
    objects::homeless(&planned.linked, found);
}

/// A target as findings name it: `Secret shop/tls`.
fn shown(target: &Target) -> String {
    match &target.namespace {
        Some(namespace) => format!("{} {namespace}/{}", target.kind, target.name),
        None => format!("{} {}", target.kind, target.name),
    }
}

#[cfg(test)]
mod tests;
