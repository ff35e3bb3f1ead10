//! Objects as a cluster shows them.

use serde_json::Value;

/// The objects of an answer of `kubectl get -o json`: one object, a list of them, or nothing.
pub(super) fn objects(text: &str) -> Result<Vec<Value>, serde_json::Error> {
    if text.trim().is_empty() {
        return Ok(Vec::new());
    }
    let mut answer: Value = serde_json::from_str(text)?;
    let is_list =
        answer.get("kind").and_then(Value::as_str).is_some_and(|kind| kind == "List" || kind.ends_with("List"));
    match answer.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) if is_list => Ok(items),
        _ => Ok(vec![answer]),
    }
}

/// A text at a JSON pointer.
pub(super) fn text<'v>(object: &'v Value, pointer: &str) -> Option<&'v str> {
    object.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// A whole number at a JSON pointer; 0 where there is none, as in the status of workloads.
pub(super) fn number(object: &Value, pointer: &str) -> i64 {
    object.pointer(pointer).and_then(Value::as_i64).unwrap_or(0)
}

/// The items of a list at a JSON pointer.
pub(super) fn list<'v>(object: &'v Value, pointer: &str) -> &'v [Value] {
    object.pointer(pointer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A condition of the status: its status, reason and message.
pub(super) fn condition<'v>(object: &'v Value, kind: &str) -> Option<Condition<'v>> {
    let found = list(object, "/status/conditions").iter().find(|condition| text(condition, "/type") == Some(kind))?;
    Some(Condition {
        status: text(found, "/status").unwrap_or("Unknown"),
        reason: text(found, "/reason"),
        message: text(found, "/message"),
        observed: found.pointer("/observedGeneration").and_then(Value::as_i64),
    })
}

/// One condition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition<'v> {
    pub status: &'v str,
    pub reason: Option<&'v str>,
    pub message: Option<&'v str>,
    pub observed: Option<i64>,
}

impl Condition<'_> {
    pub(super) fn is_true(&self) -> bool {
        self.status == "True"
    }

    pub(super) fn is_false(&self) -> bool {
        self.status == "False"
    }

    /// `Reason: message`, or what there is of it.
    pub(super) fn why(&self) -> String {
        match (self.reason, self.message) {
            (Some(reason), Some(message)) => format!("{reason}: {message}"),
            (one, other) => one.or(other).unwrap_or("no reason is given").to_owned(),
        }
    }
}

/// Group of an `apiVersion`; empty for the core group.
pub(super) fn group(object: &Value) -> &str {
    text(object, "/apiVersion").and_then(|version| version.split_once('/')).map_or("", |(group, _)| group)
}

/// A label selector as kubectl takes it; nothing where an object has none.
pub(super) fn selector(selector: &Value) -> Option<String> {
    let labels = selector.get("matchLabels").or_else(|| selector.get("matchExpressions").is_none().then_some(selector));
    let labels = labels.and_then(Value::as_object).into_iter().flatten();
    let mut parts: Vec<String> =
        labels.filter_map(|(key, value)| value.as_str().map(|value| format!("{key}={value}"))).collect();
    for expression in list(selector, "/matchExpressions") {
        let key = text(expression, "/key")?;
        let values: Vec<&str> = list(expression, "/values").iter().filter_map(Value::as_str).collect();
        parts.push(match text(expression, "/operator")? {
            "In" => format!("{key} in ({})", values.join(",")),
            "NotIn" => format!("{key} notin ({})", values.join(",")),
            "Exists" => key.to_owned(),
            "DoesNotExist" => format!("!{key}"),
            _ => return None,
        });
    }
    (!parts.is_empty()).then(|| parts.join(","))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_answer_is_nothing_one_object_or_a_list() {
        let count = |text| objects(text).map(|all| all.len()).ok();
        assert_eq!(count("\n"), Some(0));
        assert_eq!(count(r#"{"kind": "Pod"}"#), Some(1));
        assert_eq!(count(r#"{"kind": "List", "items": [{"kind": "Pod"}, {"kind": "Pod"}]}"#), Some(2));
        assert_eq!(count("Error"), None);
    }

    #[test]
    fn selectors_are_written_as_kubectl_takes_them() {
        let all = json!({
            "matchLabels": {"app": "a"},
            "matchExpressions": [
                {"key": "t", "operator": "In", "values": ["x", "y"]},
                {"key": "u", "operator": "DoesNotExist"},
            ],
        });
        assert_eq!(selector(&all).as_deref(), Some("app=a,t in (x,y),!u"));
        assert_eq!(selector(&json!({"app": "a"})).as_deref(), Some("app=a"));
        assert_eq!(selector(&json!({})), None);
    }
}
