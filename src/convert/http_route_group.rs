//! HTTPRouteGroup (specs.smi-spec.io): named matches of HTTP requests.
//!
//! Source of the shapes: smi-sdk-go, `pkg/apis/specs/v1alpha{1..4}`, and smi-spec, `apis/traffic-specs/`.

mod hub;
mod v1alpha1;
mod v1alpha2;
mod v1alpha3;
mod v1alpha4;

pub(super) use hub::restore;
pub use hub::{Header, headers};

use super::spoke::Kind;

/// The kind.
pub static KIND: Kind = Kind {
    group: "specs.smi-spec.io",
    kind: "HTTPRouteGroup",
    spokes: &[&v1alpha1::SPOKE, &v1alpha2::SPOKE, &v1alpha3::SPOKE, &v1alpha4::SPOKE],
};
