//! The plan: every object exactly once, in stages and waves.

use std::collections::BTreeSet;
use std::fmt;

use super::{Edge, Linked, WorkloadInputs};
use crate::object::{ObjRef, ObjectSet};

/// A stage of an installation. Stages come in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// What others read or run under: namespaces, configuration, access, classes.
    Config,
    /// Definitions of custom kinds.
    Crd,
    /// Everything else.
    Workload,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Stage; 3] = [Stage::Config, Stage::Crd, Stage::Workload];

    /// The name by which flags, folders and reports call it.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Config => "config",
            Stage::Crd => "crd",
            Stage::Workload => "workload",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where one object goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The object.
    pub object: ObjRef,
    /// Its stage.
    pub stage: Stage,
    /// Its wave: ascending, any sign.
    pub wave: i64,
    /// Whether tidegate writes the wave on it: not where a user did, nor on hooks, nor wave 0.
    pub writes_wave: bool,
}

/// Every object once, in the order of the stream.
#[derive(Debug, Default)]
pub struct Plan {
    /// By stage, then wave, then what comes first inside a wave.
    pub slots: Vec<Slot>,
    /// Whether the engine must wait between the two ends of an edge: for each edge of the graph, in
    /// its order.
    pub boundaries: Vec<bool>,
    /// Objects that others must wait for, at whose health the engine does not look: a boundary behind
    /// one is a pause and no more.
    pub unwatched: BTreeSet<ObjRef>,
}

/// Objects and their plan.
#[derive(Debug, Default)]
pub struct Planned<'s> {
    /// Objects and edges.
    pub linked: Linked<'s>,
    /// What workloads read, as in [`Stamped`](super::Stamped).
    pub inputs: Vec<WorkloadInputs>,
    /// The plan.
    pub plan: Plan,
}

impl<'s> Planned<'s> {
    /// The objects.
    pub fn objects(&self) -> &ObjectSet<'s> {
        &self.linked.loaded.objects
    }

    /// What needs what, each with whether the engine must wait in between.
    pub fn edges(&self) -> impl Iterator<Item = (&Edge, bool)> {
        let boundaries = self.plan.boundaries.iter().copied().chain(std::iter::repeat(false));
        self.linked.graph.edges().iter().zip(boundaries)
    }
}
