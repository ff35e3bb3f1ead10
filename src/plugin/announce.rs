//! Which parameters there are: one table for what is read, and for what Argo CD shows in its forms.

use serde_json::{Value as Json, json};

use crate::config::parameters;
use crate::tree::{Node, Value};

/// What makes the manifests.
pub(super) const SOURCE: &str = "source";
/// The name of the Helm release.
pub(super) const RELEASE: &str = "helm.releaseName";
/// Files of values for Helm.
pub(super) const VALUE_FILES: &str = "helm.valueFiles";

/// What a parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Texts,
}

impl Shape {
    /// Whether a value is of the shape.
    pub(super) fn takes(self, value: &Node<'_>) -> bool {
        match (self, &value.value) {
            (Shape::Text, Value::String(_)) => true,
            (Shape::Texts, Value::Sequence(items)) => items.iter().all(|item| item.as_str().is_some()),
            _ => false,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Shape::Text => "a string",
            Shape::Texts => "an array of strings",
        }
    }
}

/// A parameter that is no setting of the configuration.
pub(super) struct Own {
    pub(super) name: &'static str,
    pub(super) shape: Shape,
    accepts: &'static str,
    help: &'static str,
}

/// The parameters that only a plugin has.
pub(super) static OWN: &[Own] = &[
    Own {
        name: SOURCE,
        shape: Shape::Text,
        accepts: "plain, kustomize, helm or auto",
        help: "what makes the manifests: the files as they are, kustomize, Helm, or what the folder holds",
    },
    Own {
        name: RELEASE,
        shape: Shape::Text,
        accepts: "a name",
        help: "the name of the Helm release; that of the application where it is absent",
    },
    Own {
        name: VALUE_FILES,
        shape: Shape::Texts,
        accepts: "files below the folder of the application",
        help: "files of values for Helm",
    },
];

/// The announcements of all parameters, as `parameters.static` and `parameters.dynamic` of a plugin hold them
/// (`ParameterAnnouncement` in `reposerver/repository/repository.proto`).
pub fn announcements() -> Json {
    let own = OWN.iter().map(|own| {
        let mut all =
            json!({"name": own.name, "title": own.name, "tooltip": format!("{} ({})", own.help, own.accepts)});
        if own.shape == Shape::Texts {
            all["collectionType"] = json!("array");
            all["array"] = json!([]);
        }
        all
    });
    let settings = parameters::parameters().into_iter().map(|parameter| {
        let tooltip = format!("{} ({})", parameter.help, parameter.accepts);
        json!({"name": parameter.name, "title": parameter.name, "tooltip": tooltip})
    });
    Json::Array(own.chain(settings).collect())
}
