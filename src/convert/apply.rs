//! The step of a render: TrafficSplits to the version that is served.

use crate::config::Settings;
use crate::finding::Findings;
use crate::flow::Loaded;

/// Brings TrafficSplits to the version that `convert.trafficSplit` asks for, or that is served.
pub fn apply<'s>(loaded: Loaded<'s>, _settings: &Settings, _found: &mut Findings) -> Loaded<'s> {
    loaded
}
