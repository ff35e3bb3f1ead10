//! What sets the plugin up: its `plugin.yaml`, and the sidecar of argocd-repo-server.

use serde_json::json;
use tera::{Context, Tera};

use super::announce;
use crate::object::gvk::is_dns_label;

const PLUGIN: &str = include_str!("../../templates/cmp-plugin.yaml.tera");
const SIDECAR: &str = include_str!("../../templates/cmp-sidecar.yaml.tera");
const VALUES: &str = include_str!("../../templates/cmp-values.yaml.tera");

/// How the plugin is to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    /// Its name, by which applications ask for it.
    pub name: String,
    /// The program, as the sidecar finds it.
    pub program: String,
    /// The image of the sidecar.
    pub image: String,
    /// A pattern of files: applications that hold one get the plugin without asking for it.
    pub discover: Option<String>,
}

/// Why there is nothing to set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The name is none that a container can have.
    #[error("`{0}` is no name: lower case letters, digits and inner `-`, at most 48 characters")]
    Name(String),
    /// A template of ours is wrong.
    #[error(transparent)]
    Template(#[from] tera::Error),
}

/// The `plugin.yaml` of the sidecar (`ConfigManagementPlugin` in `cmpserver/plugin/config.go` of Argo CD).
///
/// # Errors
/// The name is none.
pub fn plugin_yaml(choices: &Choices) -> Result<String, SetupError> {
    render(PLUGIN, choices, &[])
}

/// A patch for kustomize that adds the sidecar to argocd-repo-server, with the ConfigMap of its `plugin.yaml`.
///
/// # Errors
/// The name is none.
pub fn sidecar(choices: &Choices) -> Result<String, SetupError> {
    let plugin = plugin_yaml(choices)?;
    render(SIDECAR, choices, &[("plugin", block(&plugin, 4))])
}

/// Values of the argo-cd chart that add the sidecar.
///
/// # Errors
/// The name is none.
pub fn chart_values(choices: &Choices) -> Result<String, SetupError> {
    let plugin = plugin_yaml(choices)?;
    // the chart writes what stands above `spec` itself
    let spec = plugin.split_once("spec:\n").map_or("", |(_, spec)| spec);
    let spec: String = spec.lines().map(|line| format!("\n      {line}")).collect();
    render(VALUES, choices, &[("spec", spec)])
}

/// A text as a block scalar, every line this many columns in.
fn block(text: &str, indent: usize) -> String {
    text.lines().fold("|".to_owned(), |block, line| format!("{block}\n{:indent$}{line}", ""))
}

fn render(template: &str, choices: &Choices, more: &[(&str, String)]) -> Result<String, SetupError> {
    if !is_dns_label(&choices.name) || choices.name.len() > 48 {
        return Err(SetupError::Name(choices.name.clone()));
    }
    let mut context = Context::new();
    context.insert("name", &choices.name);
    context.insert("program", &quoted(&choices.program));
    context.insert("image", &quoted(&choices.image));
    context.insert("discover", &choices.discover.as_deref().map(quoted).unwrap_or_default());
    context.insert("parameters", &parameters());
    for (name, value) in more {
        context.insert((*name).to_owned(), value);
    }
    Ok(Tera::one_off(template, &context, false)?)
}

/// The announcements, with texts that YAML reads back.
fn parameters() -> serde_json::Value {
    let mut all = announce::announcements();
    for parameter in all.as_array_mut().into_iter().flatten() {
        for field in ["name", "title", "tooltip"] {
            parameter[field] = json!(quoted(parameter[field].as_str().unwrap_or_default()));
        }
        if parameter.get("collectionType").is_none() {
            parameter["collectionType"] = json!("");
        }
    }
    all
}

/// Text in double quotes, which JSON and YAML read alike; a path or a name stays as it is.
fn quoted(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b));
    if is_plain { text.to_owned() } else { json!(text).to_string() }
}
