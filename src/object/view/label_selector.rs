//! Label selectors as objects write them (`metav1.LabelSelector`): `matchLabels`, `matchExpressions`.

use crate::tree::Node;

/// Whether a selector takes something with these labels; nothing is the same as no labels.
///
/// Every requirement must hold; a selector without any takes everything (`LabelSelectorAsSelector`
/// in k8s.io/apimachinery, pkg/apis/meta/v1/helpers.go). An operator that Kubernetes would refuse
/// takes nothing.
pub fn matches(selector: &Node<'_>, labels: Option<&Node<'_>>) -> bool {
    let label = |key: &str| labels.and_then(|labels| labels.get(key)).and_then(Node::as_str);
    let pairs = selector.get("matchLabels").and_then(Node::mapping).map(|pairs| pairs.entries()).unwrap_or_default();
    let expressions = selector.get("matchExpressions").and_then(Node::items).unwrap_or_default();
    pairs.iter().all(|(key, value)| value.as_str().is_some_and(|value| label(&key.name) == Some(value)))
        && expressions.iter().all(|expression| holds(expression, label))
}

fn holds<'l>(expression: &Node<'_>, label: impl Fn(&str) -> Option<&'l str>) -> bool {
    let text = |field| expression.get(field).and_then(Node::as_str);
    let (Some(key), Some(operator)) = (text("key"), text("operator")) else { return false };
    let values = expression.get("values").and_then(Node::items).unwrap_or_default();
    let is_listed = |value: &str| values.iter().any(|listed| listed.as_str() == Some(value));
    match operator {
        "In" => label(key).is_some_and(is_listed),
        "NotIn" => label(key).is_none_or(|value| !is_listed(value)),
        "Exists" => label(key).is_some(),
        "DoesNotExist" => label(key).is_none(),
        _ => false,
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
}
