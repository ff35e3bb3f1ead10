//! OpenShift (`*.openshift.io`).

use super::shapes::ENVIRONMENT;
use crate::refs::row::kinds::{SERVICE, SERVICE_ACCOUNT};
use crate::refs::row::{Block, GroupKindName, ROOT, Reads, Row, Rows, account, by_field, config_map, secret};

const AUTHORIZATION: &str = "authorization.openshift.io";
const BUILDS: &[GroupKindName] = &[("build.openshift.io", "BuildConfig"), ("build.openshift.io", "Build")];

const fn backend(path: &'static str) -> Row {
    by_field(path, "kind", &[("Service", SERVICE)])
}

pub(super) static BLOCKS: &[Block] = &[
    Block {
        kinds: &[("route.openshift.io", "Route")],
        at: ROOT,
        rows: Rows::These(&[
            backend("spec.to.name"),
            backend("spec.alternateBackends[].name"),
            secret("spec.tls.externalCertificate.name"),
        ]),
    },
    Block {
        kinds: BUILDS,
        at: ROOT,
        rows: Rows::These(&[
            // the account that builds run as, made in every project
            account("spec.serviceAccount").except(&["builder"]),
            secret("spec.source.sourceSecret.name"),
            secret("spec.source.secrets[].secret.name").reads(Reads::All),
            config_map("spec.source.configMaps[].configMap.name").reads(Reads::All),
            secret("spec.source.images[].pullSecret.name"),
            secret("spec.output.pushSecret.name"),
            secret("spec.strategy.dockerStrategy.pullSecret.name"),
            secret("spec.strategy.sourceStrategy.pullSecret.name"),
            secret("spec.strategy.customStrategy.pullSecret.name"),
        ]),
    },
    Block {
        kinds: BUILDS,
        at: &["spec.strategy.dockerStrategy", "spec.strategy.sourceStrategy", "spec.strategy.customStrategy"],
        rows: Rows::Parts(ENVIRONMENT),
    },
    Block {
        kinds: &[("build.openshift.io", "BuildConfig")],
        at: ROOT,
        rows: Rows::These(&[
            secret("spec.triggers[].github.secretReference.name"),
            secret("spec.triggers[].gitlab.secretReference.name"),
            secret("spec.triggers[].bitbucket.secretReference.name"),
            secret("spec.triggers[].generic.secretReference.name"),
        ]),
    },
    Block {
        kinds: &[(AUTHORIZATION, "RoleBinding"), (AUTHORIZATION, "ClusterRoleBinding")],
        at: ROOT,
        rows: Rows::These(&[
            by_field("subjects[].name", "kind", &[("ServiceAccount", SERVICE_ACCOUNT)]).with_namespace()
        ]),
    },
    Block {
        kinds: &[("template.openshift.io", "TemplateInstance")],
        at: ROOT,
        rows: Rows::These(&[secret("spec.secret.name")]),
    },
    Block {
        kinds: &[("apps.openshift.io", "DeploymentConfig")],
        at: &["spec.strategy.customParams"],
        rows: Rows::Parts(ENVIRONMENT),
    },
];
