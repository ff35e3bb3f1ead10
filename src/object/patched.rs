//! What of an object a patch wrote, and where the patch stands: findings point there.

use crate::source::Place;
use crate::tree::{FieldPath, Step};

/// Paths that patches wrote, in the order of the patches.
#[derive(Clone, Debug, Default)]
pub struct Patched(Vec<(FieldPath, Place)>);

impl Patched {
    /// Takes in what a patch at `place` wrote.
    pub fn wrote(&mut self, paths: impl IntoIterator<Item = FieldPath>, place: Place) {
        self.0.extend(paths.into_iter().map(|path| (path, place)));
    }

    /// Forgets what was written in the items of a list that has others now: their numbers lead elsewhere.
    pub fn moved(&mut self, list: &FieldPath) {
        self.0.retain(|(path, _)| path.steps().len() <= list.steps().len() || !is_in(list, path.steps()));
    }

    /// The patch that wrote what is at a path, or something that holds it.
    pub fn place(&self, steps: &[Step]) -> Option<Place> {
        self.0.iter().rev().find(|(path, _)| is_in(path, steps)).map(|(_, place)| *place)
    }
}

/// Whether a path leads to another one, or to something in it.
fn is_in(path: &FieldPath, steps: &[Step]) -> bool {
    steps.starts_with(path.steps())
}
