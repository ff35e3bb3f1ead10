//! Workloads that keep their pods as they are when their template changes.

use crate::object::Object;
use crate::tree::{Node, Value};

/// What a field must be for a change of the template to restart nothing by itself.
enum Test {
    Text(&'static str),
    True,
    /// A number above 0, or a percentage other than 0%.
    Some,
    /// A list without an item whose `type` is this.
    ListWithout(&'static str),
}

/// A field of a kind that keeps pods as they are.
struct Still {
    group: &'static str,
    kind: &'static str,
    path: &'static [&'static str],
    test: Test,
}

const fn still(group: &'static str, kind: &'static str, path: &'static [&'static str], test: Test) -> Still {
    Still { group, kind, path, test }
}

const KRUISE: &str = "apps.kruise.io";
const STRATEGY_TYPE: &[&str] = &["spec", "updateStrategy", "type"];
const ROLLING_PARTITION: &[&str] = &["spec", "updateStrategy", "rollingUpdate", "partition"];
const ROLLING_PAUSED: &[&str] = &["spec", "updateStrategy", "rollingUpdate", "paused"];
const POD_UPDATE: &[&str] = &["spec", "updateStrategy", "rollingUpdate", "podUpdatePolicy"];
const PAUSED: &[&str] = &["spec", "paused"];

static STILL: &[Still] = &[
    still("apps", "DaemonSet", STRATEGY_TYPE, Test::Text("OnDelete")),
    still("apps", "Deployment", PAUSED, Test::True),
    still("apps", "StatefulSet", STRATEGY_TYPE, Test::Text("OnDelete")),
    still("apps", "StatefulSet", ROLLING_PARTITION, Test::Some),
    still("argoproj.io", "Rollout", PAUSED, Test::True),
    still("apps.openshift.io", "DeploymentConfig", PAUSED, Test::True),
    // without the field there is such a trigger by default; an empty list has none
    still("apps.openshift.io", "DeploymentConfig", &["spec", "triggers"], Test::ListWithout("ConfigChange")),
    still(KRUISE, "CloneSet", STRATEGY_TYPE, Test::Text("InPlaceIfPossible")),
    still(KRUISE, "CloneSet", STRATEGY_TYPE, Test::Text("InPlaceOnly")),
    still(KRUISE, "CloneSet", &["spec", "updateStrategy", "partition"], Test::Some),
    still(KRUISE, "CloneSet", &["spec", "updateStrategy", "paused"], Test::True),
    still(KRUISE, "StatefulSet", STRATEGY_TYPE, Test::Text("OnDelete")),
    still(KRUISE, "StatefulSet", POD_UPDATE, Test::Text("InPlaceIfPossible")),
    still(KRUISE, "StatefulSet", POD_UPDATE, Test::Text("InPlaceOnly")),
    still(KRUISE, "StatefulSet", ROLLING_PARTITION, Test::Some),
    still(KRUISE, "StatefulSet", ROLLING_PAUSED, Test::True),
    still(KRUISE, "DaemonSet", STRATEGY_TYPE, Test::Text("OnDelete")),
    still(
        KRUISE,
        "DaemonSet",
        &["spec", "updateStrategy", "rollingUpdate", "rollingUpdateType"],
        Test::Text("InPlaceIfPossible"),
    ),
    still(KRUISE, "DaemonSet", ROLLING_PARTITION, Test::Some),
    still(KRUISE, "DaemonSet", ROLLING_PAUSED, Test::True),
];

impl Test {
    fn holds(&self, node: &Node<'_>) -> bool {
        match (self, &node.value) {
            (Test::Text(wanted), _) => node.as_str() == Some(wanted),
            (Test::True, _) => node.as_bool() == Some(true),
            (Test::Some, Value::I64(number)) => *number > 0,
            (Test::Some, Value::String(share)) => share.trim_end_matches('%').parse() != Ok(0),
            (Test::ListWithout(wanted), Value::Sequence(items)) => {
                !items.iter().any(|item| item.get("type").and_then(Node::as_str) == Some(wanted))
            }
            _ => false,
        }
    }
}

/// The field for which a change of a workload's pod template may restart nothing.
pub fn stillness(object: &Object<'_>) -> Option<&'static [&'static str]> {
    let rows = STILL.iter().filter(|row| object.is(row.group, row.kind));
    rows.filter(|row| object.tree.at(row.path).is_some_and(|node| row.test.holds(node))).map(|row| row.path).next()
}
