//! What Flux reads: one Kustomization of its kustomize-controller for each stage of an output folder.
//!
//! Flux keeps no order between the objects of one Kustomization, but it waits between two: each stage depends on
//! the one before, and is ready when all its objects are (`wait`; fluxcd/kustomize-controller, docs/spec/v1).

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use tera::{Context, Tera};

use crate::config::{Flux, Word};
use crate::flow::Stage;
use crate::object::gvk::is_dns_label;
use crate::tree::Node;
use crate::yaml;

const TEMPLATE: &str = include_str!("../../templates/flux-kustomization.yaml.tera");

/// Why there can be no Kustomizations for a folder.
#[derive(Debug, thiserror::Error)]
pub enum FluxError {
    /// The path of the folder is not one inside a repository.
    #[error(
        "Flux reads the folder from a repository, and `{0}` is no path inside one: write the path from the root of the \
         repository into `spec.engine.flux.path` of the configuration"
    )]
    Path(String),
    /// The folder's name cannot be the name of an object.
    #[error(
        "the Kustomizations of Flux are named for the folder, and `{0}` is no name in Kubernetes: write one into \
         `spec.engine.flux.name` of the configuration"
    )]
    Name(String),
    /// Folders of waves were asked for.
    #[error(
        "Flux has no waves: a folder of its own for each of them (`--layout wave`) would make objects move between folders"
    )]
    Waves,
    /// The template of tidegate's own is wrong.
    #[error("the template of a Kustomization: {0}")]
    Template(String),
}

/// Where the folder lies and what its Kustomizations are called, known to be right.
#[derive(Debug)]
pub(super) struct Place<'s> {
    flux: &'s Flux,
    name: String,
    path: Utf8PathBuf,
}

impl<'s> Place<'s> {
    /// What the settings say, or else the folder as the user names it.
    pub(super) fn new(flux: &'s Flux, folder: &Utf8Path) -> Result<Self, FluxError> {
        let path = flux.path.as_deref().map_or(folder, Utf8Path::new);
        let is_inside = |part: &Utf8Component<'_>| matches!(part, Utf8Component::Normal(_) | Utf8Component::CurDir);
        let parts: Vec<_> = path.components().collect();
        if parts.is_empty() || !parts.iter().all(is_inside) {
            return Err(FluxError::Path(path.to_string()));
        }
        let path: Utf8PathBuf = parts.into_iter().filter(|part| matches!(part, Utf8Component::Normal(_))).collect();
        let name = flux.name.clone().unwrap_or_else(|| path.file_name().unwrap_or_default().to_owned());
        // with the name of a stage behind it, it is still a label
        if !is_dns_label(&format!("{name}-workload")) {
            return Err(FluxError::Name(name));
        }
        Ok(Place { flux, name, path })
    }

    fn name(&self, stage: Stage) -> String {
        format!("{}-{stage}", self.name)
    }

    /// The Kustomization of a stage, which depends on the one of another.
    pub(super) fn kustomization(&self, stage: Stage, after: Option<Stage>) -> Result<String, FluxError> {
        let Flux { namespace, source_kind, source_name, source_namespace, interval, timeout, prune, .. } = self.flux;
        let mut context = Context::new();
        let mut insert = |key: &'static str, text: &str| context.insert(key, &scalar(text));
        insert("name", &self.name(stage));
        insert("namespace", namespace);
        insert("source_kind", source_kind.word());
        insert("source_name", source_name);
        insert("path", &format!("./{}", self.path.join(stage.name())));
        insert("interval", interval);
        insert("timeout", timeout);
        context.insert("after", &after.map(|stage| scalar(&self.name(stage))));
        context.insert("source_namespace", &source_namespace.as_deref().map(scalar));
        context.insert("prune", prune);
        Tera::one_off(TEMPLATE, &context, false).map_err(|error| FluxError::Template(error.to_string()))
    }
}

/// A text as YAML writes it.
fn scalar(text: &str) -> String {
    let mut out = String::new();
    yaml::emit(&Node::text(text.to_owned()), &mut out);
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place<'s>(flux: &'s Flux, folder: &str) -> Result<Place<'s>, String> {
        Place::new(flux, Utf8Path::new(folder)).map_err(|error| error.to_string())
    }

    #[test]
    fn the_folder_says_path_and_name_where_the_settings_do_not() {
        let flux = Flux::default();
        for (folder, name, path) in
            [("out", "out-crd", "./out/crd"), ("./deploy/prod/", "prod-crd", "./deploy/prod/crd")]
        {
            let place = place(&flux, folder).unwrap();
            let text = place.kustomization(Stage::Crd, None).unwrap();
            assert!(text.contains(&format!("name: {name}\n")) && text.contains(&format!("path: {path}\n")), "{text}");
        }
        let set = Flux { path: Some("apps/shop".into()), name: Some("shop".into()), ..Flux::default() };
        let text = place(&set, "/tmp/x").unwrap().kustomization(Stage::Workload, Some(Stage::Config)).unwrap();
        insta::assert_snapshot!(text, @r"
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata:
          name: shop-workload
          namespace: flux-system
        spec:
          dependsOn:
          - name: shop-config
          sourceRef:
            kind: GitRepository
            name: flux-system
          path: ./apps/shop/workload
          interval: 10m
          timeout: 5m
          prune: false
          wait: true
        ");
    }

    #[test]
    fn a_folder_outside_of_a_repository_needs_the_settings() {
        let flux = Flux::default();
        for (folder, word) in [
            ("/srv/out", "path"),
            ("../out", "path"),
            ("a/../b", "path"),
            ("Out", "name"),
            ("a_b", "name"),
            (".", "name"),
        ] {
            let why = place(&flux, folder).unwrap_err();
            assert!(why.contains(&format!("spec.engine.flux.{word}")), "{folder}: {why}");
        }
    }
}
