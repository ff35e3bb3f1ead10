//! A plan as a tree of files: one an object, in a folder a stage, each folder with a kustomization.
//!
//! Names are a function of an object's identity alone: they hold no wave and no number, so a file keeps its
//! name while objects around it come, go and move. Everything is made in memory; who writes it says where.

mod name;

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::flux::{self, FluxError};
use super::select::Selection;
use super::{Form, each};
use crate::config::{EngineName, Settings};
use crate::flow::{Planned, Slot, Stage};

/// How the files of a stage are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// All files of a stage in its folder.
    #[default]
    Stage,
    /// In the folder of a stage one folder a wave.
    Wave,
}

/// A file of the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeFile {
    /// Where, below the folder of the tree: `/` between parts, each of safe characters.
    pub path: Utf8PathBuf,
    /// What it holds.
    pub text: String,
}

/// The file by which kustomize knows a folder.
const KUSTOMIZATION: &str = "kustomization.yaml";

/// The folder in which Kustomizations of Flux stand.
const FLUX: &str = "flux";

/// What a tree looks like, and where it will lie.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// The form of the files.
    pub form: Form,
    /// Their folders.
    pub layout: Layout,
    /// The folder of the tree as the user names it: for Flux, its path in the repository and its name.
    pub folder: &'a Utf8Path,
}

/// Makes the files of the selected objects and the kustomizations of their folders, by path.
///
/// The kustomization of a folder lists its files in the order of the stream, and that of the tree its folders
/// in the order of the stages. An object whose name the cluster makes stands in no kustomization: kustomize and
/// `kubectl apply` refuse it. A folder without objects is not there, nor is a kustomization without resources.
///
/// For Flux there is one Kustomization of its own for each of the folders as well, in the folder `flux`, and the
/// kustomization of the tree lists that folder alone: Flux follows from there.
///
/// # Errors
/// When the engine is Flux and the folder cannot be one of a repository, or waves are asked for.
pub fn directory(
    planned: &mut Planned<'_>,
    settings: &Settings,
    selection: &Selection,
    shape: Shape<'_>,
) -> Result<Vec<TreeFile>, FluxError> {
    let Shape { form, layout, folder } = shape;
    let flux = match settings.engine {
        EngineName::Flux if layout == Layout::Wave => return Err(FluxError::Waves),
        EngineName::Flux => Some(flux::Place::new(&settings.flux, folder)?),
        EngineName::Argocd | EngineName::Kubectl => None,
    };
    let mut placed: Vec<(Slot, String, bool)> = Vec::new();
    each(planned, settings, selection, &mut |object, slot| {
        let mut text = String::new();
        super::append(object, form, &mut text);
        placed.push((*slot, text, object.id.is_fixed()));
        Ok::<(), std::convert::Infallible>(())
    })
    .unwrap_or_else(|never| match never {});
    let objects = &planned.linked.loaded.objects;
    let ids: Vec<_> = placed.iter().map(|(slot, ..)| &objects.get(slot.object).id).collect();
    let names = name::names(&ids, form);
    let mut tree = Tree::default();
    for ((slot, text, is_fixed), name) in placed.into_iter().zip(names) {
        tree.add(&folder_of(&slot, layout), name, text, is_fixed);
    }
    if let Some(flux) = flux {
        tree.add_flux(&flux)?;
    }
    Ok(tree.files())
}

/// The parts of the folder of an object.
fn folder_of(slot: &Slot, layout: Layout) -> Vec<String> {
    let stage = slot.stage.name().to_owned();
    match layout {
        Layout::Stage => vec![stage],
        Layout::Wave => vec![stage, format!("wave_{}", slot.wave)],
    }
}

/// Files, and for each folder what its kustomization lists.
#[derive(Default)]
struct Tree {
    files: Vec<TreeFile>,
    resources: BTreeMap<Utf8PathBuf, Vec<String>>,
}

impl Tree {
    /// Adds a file; if it is to be listed, to the kustomizations on the way to it.
    fn add(&mut self, folder: &[String], name: String, text: String, is_listed: bool) {
        let parts = || folder.iter().chain([&name]);
        let mut above = Utf8PathBuf::new();
        for part in parts().filter(|_| is_listed) {
            let listed = self.resources.entry(above.clone()).or_default();
            if listed.last() != Some(part) {
                listed.push(part.clone());
            }
            above.push(part);
        }
        self.files.push(TreeFile { path: parts().collect(), text });
    }

    /// Adds a Kustomization of Flux for each stage that has a kustomization, and lets the tree list these alone.
    fn add_flux(&mut self, place: &flux::Place<'_>) -> Result<(), FluxError> {
        let has = |stage: &Stage| self.resources.contains_key(Utf8Path::new(stage.name()));
        let stages: Vec<Stage> = Stage::ALL.into_iter().filter(has).collect();
        self.resources.remove(Utf8Path::new(""));
        let mut after = None;
        for stage in stages {
            let text = place.kustomization(stage, after)?;
            self.add(&[FLUX.to_owned()], format!("{stage}.yaml"), text, true);
            after = Some(stage);
        }
        Ok(())
    }

    /// All files by path, kustomizations included.
    fn files(self) -> Vec<TreeFile> {
        let Tree { mut files, resources } = self;
        let kustomization = |(folder, listed): (Utf8PathBuf, Vec<String>)| TreeFile {
            path: folder.join(KUSTOMIZATION),
            text: kustomization(&listed),
        };
        files.extend(resources.into_iter().map(kustomization));
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }
}

/// A kustomization that lists files or folders. Names are of safe characters, so they stand as they are.
fn kustomization(resources: &[String]) -> String {
    let mut text = String::from("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n");
    resources.iter().for_each(|resource| text.push_str(&format!("- {resource}\n")));
    text
}
