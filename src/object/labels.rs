//! Label selectors, as `kubectl -l` reads them.

use std::str::FromStr;

use super::Object;
use crate::tree::Node;

/// Requirements that all must hold (`labels.Parse` of apimachinery): `a=b`, `a==b`, `a!=b`,
/// `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, between commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelSelector {
    requirements: Vec<Requirement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    In(Vec<String>),
    /// Holds for an absent label too.
    NotIn(Vec<String>),
    Exists,
    Absent,
}

/// A selector that cannot be read; holds the part that cannot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no label requirement; write `key=value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`, `key` or `!key`"
)]
pub struct SelectorError(String);

impl FromStr for LabelSelector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = split_outside_parentheses(text);
        let requirements = parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).map(requirement);
        Ok(LabelSelector { requirements: requirements.collect::<Result<_, _>>()? })
    }
}

fn split_outside_parentheses(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
}

fn requirement(part: &str) -> Result<Requirement, SelectorError> {
    let wrong = || SelectorError(part.to_owned());
    let (key, test) = if let Some(key) = part.strip_prefix('!') {
        (key, Test::Absent)
    } else if let Some((key, value)) = part.split_once("!=") {
        (key, Test::NotIn(vec![value.trim().to_owned()]))
    } else if let Some((key, value)) = part.split_once("==").or_else(|| part.split_once('=')) {
        (key, Test::In(vec![value.trim().to_owned()]))
    } else if let Some((key, values)) = part.split_once(" notin") {
        (key, Test::NotIn(set(values).ok_or_else(wrong)?))
    } else if let Some((key, values)) = part.split_once(" in") {
        (key, Test::In(set(values).ok_or_else(wrong)?))
    } else {
        (part, Test::Exists)
    };
    let key = key.trim();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/');
    let values = match &test {
        Test::In(values) | Test::NotIn(values) => values.as_slice(),
        _ => &[],
    };
    let valid = !key.is_empty() && key.chars().chain(values.iter().flat_map(|v| v.chars())).all(is_name);
    if valid { Ok(Requirement { key: key.to_owned(), test }) } else { Err(wrong()) }
}

/// The values of `(a, b)`.
fn set(text: &str) -> Option<Vec<String>> {
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    Some(inside.split(',').map(|value| value.trim().to_owned()).collect())
}

impl LabelSelector {
    /// Whether the labels of an object meet every requirement.
    pub fn matches(&self, object: &Object<'_>) -> bool {
        let labels = object.tree.at(&["metadata", "labels"]);
        self.requirements.iter().all(|requirement| {
            let value = labels.and_then(|labels| labels.get(&requirement.key)).and_then(Node::as_str);
            match &requirement.test {
                Test::In(values) => value.is_some_and(|value| values.iter().any(|v| v == value)),
                Test::NotIn(values) => value.is_none_or(|value| values.iter().all(|v| v != value)),
                Test::Exists => value.is_some(),
                Test::Absent => value.is_none(),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_kubectl_reads() {
        let selector: LabelSelector = "a=b, c!=d,e in (f, g),h notin (i),j,!k".parse().unwrap();
        let tests: Vec<_> = selector.requirements.iter().map(|r| (r.key.as_str(), &r.test)).collect();
        let text = |values: &[&str]| values.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            tests,
            [
                ("a", &Test::In(text(&["b"]))),
                ("c", &Test::NotIn(text(&["d"]))),
                ("e", &Test::In(text(&["f", "g"]))),
                ("h", &Test::NotIn(text(&["i"]))),
                ("j", &Test::Exists),
                ("k", &Test::Absent),
            ]
        );
        for wrong in ["a b", "a in b", "=b", "a=b c"] {
            assert!(wrong.parse::<LabelSelector>().is_err(), "{wrong}");
        }
    }
}
