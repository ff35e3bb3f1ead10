//! Rows that hold wherever a shape of the core API is used.

use crate::refs::row::kinds::{ATTRIBUTES_CLASS, PV, STORAGE_CLASS};
use crate::refs::row::{Reads, Row, config_map, named, row, secret};

/// The spec of a PersistentVolumeClaim.
pub(super) static CLAIM: &[Row] = &[
    // made by a provisioner, where nobody made it by hand
    row("volumeName", PV).outside(),
    row("storageClassName", STORAGE_CLASS),
    row("volumeAttributesClassName", ATTRIBUTES_CLASS),
    named("dataSource.name"),
    named("dataSourceRef.name").with_namespace(),
];

/// What has variables, like a container.
pub(super) static ENV: &[Row] = &[
    config_map("env[].valueFrom.configMapKeyRef.name").optional_here().reads(Reads::EnvKey),
    secret("env[].valueFrom.secretKeyRef.name").optional_here().reads(Reads::EnvKey),
];

/// What takes all variables of a source, like a container.
pub(super) static ENV_FROM: &[Row] = &[
    config_map("envFrom[].configMapRef.name").optional_here().reads(Reads::EnvFrom),
    secret("envFrom[].secretRef.name").optional_here().reads(Reads::EnvFrom),
];

/// A container.
pub(super) static ENVIRONMENT: &[&[Row]] = &[ENV, ENV_FROM];

/// An item of a list whose values come from ConfigMaps and Secrets.
pub(super) static VALUE_FROM: &[Row] = &[
    config_map("valueFrom.configMapKeyRef.name").optional_here().reads(Reads::Field("key")),
    secret("valueFrom.secretKeyRef.name").optional_here().reads(Reads::Field("key")),
];
