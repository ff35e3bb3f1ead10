//! The resource names of kinds: `trafficsplits` of `TrafficSplit`.

/// The plural by which an API serves a kind that has a regular one: lower case, `y` behind a
/// consonant becomes `ies`, `s`, `x`, `z`, `ch` and `sh` get `es`, all others `s`. `Endpoints` is a
/// plural already (`UnsafeGuessKindToResource` of k8s.io/apimachinery, pkg/api/meta, which knows no
/// `gateways` and no `meshes`; generators of CRDs write those).
pub fn regular(kind: &str) -> String {
    let mut plural = kind.to_ascii_lowercase();
    let is_vowel = |letter: char| matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u');
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| plural.ends_with(end));
    let stem = plural.strip_suffix('y').filter(|stem| !stem.ends_with(is_vowel));
    match stem.map(str::len) {
        _ if plural.ends_with("endpoints") => {}
        Some(length) => {
            plural.truncate(length);
            plural.push_str("ies");
        }
        None if hisses => plural.push_str("es"),
        None => plural.push('s'),
    }
    plural
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_those_of_known_apis() {
        for (kind, plural) in [
            ("TrafficSplit", "trafficsplits"),
            ("HTTPRouteGroup", "httproutegroups"),
            ("NetworkPolicy", "networkpolicies"),
            ("Ingress", "ingresses"),
            ("Gateway", "gateways"),
            ("Mesh", "meshes"),
            ("Endpoints", "endpoints"),
            ("Y", "ies"),
            ("", "s"),
        ] {
            assert_eq!(regular(kind), plural, "{kind}");
        }
    }
}
