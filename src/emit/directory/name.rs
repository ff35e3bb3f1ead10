//! What the file of an object is called.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::super::Form;
use crate::object::{Name, ObjectId};

/// Bytes of a name without its end. File systems take 255, some fewer.
const LONGEST: usize = 200;

/// The names of files for objects with unique identities, in their order.
///
/// `KIND[.GROUP]_[NAMESPACE_]NAME.yaml`, in lower case, of letters, digits, `.`, `-` and `_`. Where that would
/// not be the identity (another character, capitals in a name, a name that is too long or made by the cluster),
/// ten digits of a hash of the identity follow: a name depends on no other object. Only kinds that differ in
/// nothing but capitals give way to each other: all of them get the digits.
pub(super) fn names(ids: &[&ObjectId], form: Form) -> Vec<String> {
    let plain: Vec<(String, bool)> = ids.iter().map(|id| readable(id)).collect();
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for (text, is_exact) in &plain {
        *uses.entry(text).or_default() += usize::from(*is_exact);
    }
    let end = if form == Form::Json { "json" } else { "yaml" };
    let name = |((text, is_exact), id): (&(String, bool), &&ObjectId)| match *is_exact && uses.get(&**text) == Some(&1)
    {
        true => format!("{text}.{end}"),
        false => format!("{}__{}.{end}", text.get(..LONGEST - 12).unwrap_or(text), digits(id)),
    };
    plain.iter().zip(ids).map(name).collect()
}

/// The identity in safe characters, and whether it can be read back from them.
fn readable(id: &ObjectId) -> (String, bool) {
    let mut is_exact = id.is_fixed();
    let mut text = id.kind.to_ascii_lowercase();
    is_exact &= text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text = safe(&text);
    if !id.group.is_empty() {
        text.push('.');
        text.push_str(&id.group);
    }
    for part in id.namespace.as_deref().into_iter().chain([id.name.text()]) {
        text.push('_');
        is_exact &= !part.contains('_');
        text.push_str(part);
    }
    let shown = safe(&text);
    is_exact &= shown == text && shown.len() <= LONGEST;
    (shown, is_exact)
}

/// The text with `-` for what is no safe character, and no capitals.
fn safe(text: &str) -> String {
    let safe = |c: char| match c.to_ascii_lowercase() {
        c @ ('a'..='z' | '0'..='9' | '.' | '-' | '_') => c,
        _ => '-',
    };
    text.chars().map(safe).collect()
}

/// Ten hexadecimal digits of a hash of the identity.
fn digits(id: &ObjectId) -> String {
    let nth = match &id.name {
        Name::Fixed(_) => String::new(),
        Name::Generated { nth, .. } => nth.to_string(),
    };
    // none of the parts of an object that was read holds a NUL
    let parts = [&id.group, &id.kind, id.namespace.as_deref().unwrap_or(""), id.name.text(), &nth];
    let hash = Sha256::digest(parts.join("\0"));
    hash.iter().take(5).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(group: &str, kind: &str, namespace: &str, name: &str) -> ObjectId {
        let namespace = (!namespace.is_empty()).then(|| namespace.into());
        ObjectId { group: group.into(), kind: kind.into(), namespace, name: Name::Fixed(name.into()) }
    }

    fn named(ids: &[ObjectId]) -> Vec<String> {
        names(&ids.iter().collect::<Vec<_>>(), Form::Yaml)
    }

    #[test]
    fn a_name_is_the_identity_where_it_can_be() {
        let ids = [
            id("", "Service", "ns-a", "fn"),
            id("serving.knative.dev", "Service", "ns-a", "fn"),
            id("", "Namespace", "", "shop"),
            id("rbac.authorization.k8s.io", "ClusterRole", "", "system:read"),
            id("rbac.authorization.k8s.io", "ClusterRole", "", "system-read"),
            id("rbac.authorization.k8s.io", "ClusterRole", "", "System-Read"),
            id("rbac.authorization.k8s.io", "ClusterRole", "", "../é"),
        ];
        insta::assert_snapshot!(named(&ids).join("\n"), @r"
        service_ns-a_fn.yaml
        service.serving.knative.dev_ns-a_fn.yaml
        namespace_shop.yaml
        clusterrole.rbac.authorization.k8s.io_system-read__41b33e0465.yaml
        clusterrole.rbac.authorization.k8s.io_system-read.yaml
        clusterrole.rbac.authorization.k8s.io_system-read__22b941b609.yaml
        clusterrole.rbac.authorization.k8s.io_..--__b599a448d9.yaml
        ");
    }

    #[test]
    fn what_reads_alike_is_told_apart() {
        let generated =
            |nth| ObjectId { name: Name::Generated { prefix: "run-".into(), nth }, ..id("batch", "Job", "shop", "") };
        let long = "a".repeat(253);
        let ids = [
            id("x.io", "Foo", "", "a"),
            id("x.io", "FOO", "", "a"),
            id("", "A", "b", "c"),
            id("", "A", "", "b_c"),
            id("", "A-b", "", "c"),
            id("", "ConfigMap", "", &long),
            id("", "ConfigMap", "", &long[1..]),
            generated(0),
            generated(1),
        ];
        let names = named(&ids);
        let unique: std::collections::BTreeSet<_> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
        assert_eq!(unique.len(), ids.len(), "{names:#?}");
        assert!(names.iter().all(|name| name.len() <= 210 && name.ends_with(".yaml")), "{names:#?}");
        // a name is the same whatever else there is
        assert_eq!(named(&ids[5..6]), names[5..6]);
    }
}
