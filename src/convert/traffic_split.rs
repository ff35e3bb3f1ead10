//! TrafficSplit (split.smi-spec.io): a Service whose requests are shared out among other Services by weight.
//!
//! Source of the shapes: smi-sdk-go, `pkg/apis/split/v1alpha{1..4}/traffic_split.go`, and smi-spec,
//! `apis/traffic-split/`.

pub mod definition;
pub mod http_route;
mod hub;
mod v1alpha1;
mod v1alpha2;
mod v1alpha3;
mod v1alpha4;

use hub::matched;
pub(super) use hub::restore;
pub use hub::{Backend, Split, split};

use super::spoke::Kind;

/// The kind.
pub static KIND: Kind = Kind {
    group: "split.smi-spec.io",
    kind: "TrafficSplit",
    spokes: &[&v1alpha1::SPOKE, &v1alpha2::SPOKE, &v1alpha3::SPOKE, &v1alpha4::SPOKE],
};
