//! Label selectors as objects write them (`metav1.LabelSelector`): `matchLabels`, `matchExpressions`.

use crate::tree::Node;

/// What is known of one label of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label<'l> {
    /// It has this value.
    Is(&'l str),
    /// It is not there.
    Absent,
    /// Nobody knows.
    Unknown,
}

impl<'l> Label<'l> {
    /// A label of which all is known, in the labels of an object.
    pub fn of(labels: Option<&'l Node<'_>>, key: &str) -> Self {
        labels.and_then(|labels| labels.get(key)).and_then(Node::as_str).map_or(Label::Absent, Label::Is)
    }

    fn known(self) -> Option<Option<&'l str>> {
        match self {
            Label::Is(value) => Some(Some(value)),
            Label::Absent => Some(None),
            Label::Unknown => None,
        }
    }
}

/// Whether a selector takes something with these labels; nothing is the same as no labels.
///
/// Every requirement must hold; a selector without any takes everything (`LabelSelectorAsSelector`
/// in k8s.io/apimachinery, pkg/apis/meta/v1/helpers.go). An operator that Kubernetes would refuse
/// takes nothing.
pub fn matches(selector: &Node<'_>, labels: Option<&Node<'_>>) -> bool {
    takes(selector, |key| Label::of(labels, key)) == Some(true)
}

/// As [`matches()`] for something whose labels are not all known; nothing where it depends on one
/// that is not.
pub fn takes<'l>(selector: &Node<'_>, label: impl Fn(&str) -> Label<'l>) -> Option<bool> {
    let pairs = selector.get("matchLabels").and_then(Node::mapping).map(|pairs| pairs.entries()).unwrap_or_default();
    let expressions = selector.get("matchExpressions").and_then(Node::items).unwrap_or_default();
    let pairs = pairs.iter().map(|(key, value)| match value.as_str() {
        Some(value) => label(&key.name).known().map(|known| known == Some(value)),
        None => Some(false),
    });
    let mut known = Some(true);
    for holds in pairs.chain(expressions.iter().map(|expression| holds(expression, &label))) {
        match holds {
            Some(true) => {}
            Some(false) => return Some(false),
            None => known = None,
        }
    }
    known
}

fn holds<'l>(expression: &Node<'_>, label: impl Fn(&str) -> Label<'l>) -> Option<bool> {
    let text = |field| expression.get(field).and_then(Node::as_str);
    let (Some(key), Some(operator)) = (text("key"), text("operator")) else { return Some(false) };
    let values = expression.get("values").and_then(Node::items).unwrap_or_default();
    let is_listed = |value: &str| values.iter().any(|listed| listed.as_str() == Some(value));
    let label = || label(key).known();
    match operator {
        "In" => label().map(|value| value.is_some_and(is_listed)),
        "NotIn" => label().map(|value| !value.is_some_and(is_listed)),
        "Exists" => label().map(|value| value.is_some()),
        "DoesNotExist" => label().map(|value| value.is_none()),
        _ => Some(false),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::from_value;

    #[test]
    fn every_requirement_must_hold() {
        let labels = from_value(json!({"app": "web", "tier": "front"}));
        for (selector, takes) in [
            (json!({}), true),
            (json!({"matchLabels": {"app": "web", "tier": "front"}}), true),
            (json!({"matchExpressions": [{"key": "app", "operator": "In", "values": ["api", "web"]}]}), true),
            (json!({"matchExpressions": [{"key": "other", "operator": "NotIn", "values": ["web"]}]}), true),
            (json!({"matchExpressions": [{"key": "app", "operator": "Exists"}]}), true),
            (json!({"matchExpressions": [{"key": "other", "operator": "DoesNotExist"}]}), true),
            (json!({"matchLabels": {"app": "web", "tier": "back"}}), false),
            (json!({"matchExpressions": [{"key": "other", "operator": "In", "values": ["web"]}]}), false),
            (json!({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}), false),
            (json!({"matchExpressions": [{"key": "app", "operator": "exists"}]}), false),
            (json!({"matchExpressions": [{"operator": "Exists"}]}), false),
        ] {
            assert_eq!(matches(&from_value(selector.clone()), Some(&labels)), takes, "{selector}");
        }
        let unlabelled = from_value(json!({"matchLabels": {"app": "web"}}));
        assert!(!matches(&unlabelled, None));
    }

    #[test]
    fn what_is_not_known_counts_only_where_it_decides() {
        let known = |key: &str| match key {
            "name" => Label::Is("shop"),
            "gone" => Label::Absent,
            _ => Label::Unknown,
        };
        for (selector, taken) in [
            (json!({}), Some(true)),
            (json!({"matchLabels": {"name": "shop"}}), Some(true)),
            (json!({"matchLabels": {"name": "shop", "team": "a"}}), None),
            (json!({"matchLabels": {"team": "a", "name": "other"}}), Some(false)),
            (json!({"matchExpressions": [{"key": "team", "operator": "NotIn", "values": ["a"]}]}), None),
            (json!({"matchExpressions": [{"key": "team", "operator": "Exists"}]}), None),
            (json!({"matchExpressions": [{"key": "gone", "operator": "DoesNotExist"}]}), Some(true)),
            (json!({"matchExpressions": [{"key": "team", "operator": "exists"}]}), Some(false)),
        ] {
            assert_eq!(takes(&from_value(selector.clone()), known), taken, "{selector}");
        }
    }
}
