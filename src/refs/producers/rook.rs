//! Rook, object buckets and COSI.

use super::Special;
use super::makes::{KeysOf, Maker, Row, makes};
use crate::flow::{Product, ProductKeys};
use crate::refs::row::GroupKindName;
use crate::refs::row::kinds::{CONFIG_MAP, SECRET, SERVICE};

const CEPH: GroupKindName = ("ceph.rook.io", "CephCluster");
const CLAIM: GroupKindName = ("objectbucket.io", "ObjectBucketClaim");

/// A Secret of the CSI drivers of a cluster.
const fn csi(name: &'static str) -> Row {
    makes(CEPH, SECRET).named(name)
}

pub(super) static ROWS: &[Row] = &[
    makes(CEPH, SECRET).named("rook-ceph-mon").keys(KeysOf::AtLeast(&["ceph-username", "ceph-secret", "fsid"])),
    makes(CEPH, CONFIG_MAP).named("rook-ceph-mon-endpoints").keys(KeysOf::AtLeast(&["data", "mapping", "maxMonId"])),
    makes(CEPH, SECRET).named("rook-ceph-config"),
    makes(CEPH, SECRET).named("rook-ceph-admin-keyring").keys(KeysOf::AtLeast(&["keyring"])),
    makes(CEPH, SECRET).named("rook-ceph-dashboard-password").keys(KeysOf::AtLeast(&["password"])),
    csi("rook-csi-rbd-node"),
    csi("rook-csi-rbd-provisioner"),
    csi("rook-csi-cephfs-node"),
    csi("rook-csi-cephfs-provisioner"),
    makes(CEPH, SERVICE).named("rook-ceph-mgr"),
    makes(CEPH, SERVICE).named("rook-ceph-mgr-dashboard"),
    makes(("ceph.rook.io", "CephObjectStore"), SERVICE).named("rook-ceph-rgw-*"),
    makes(("ceph.rook.io", "CephClient"), SECRET).named("rook-ceph-client-*"),
    makes(CLAIM, SECRET).keys(KeysOf::AtLeast(&["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])),
    makes(CLAIM, CONFIG_MAP).keys(KeysOf::AtLeast(&["BUCKET_HOST", "BUCKET_NAME", "BUCKET_PORT"])),
    makes(("objectstorage.k8s.io", "BucketAccess"), SECRET)
        .at("spec", "credentialsSecretName")
        .keys(KeysOf::AtLeast(&["BucketInfo"])),
];

pub(super) static SPECIAL: &[Special] = &[("ceph.rook.io", "CephObjectStoreUser", user)];

fn user(maker: &Maker<'_>) -> Vec<Product> {
    let keys = || ProductKeys::AtLeast(["AccessKey", "SecretKey", "Endpoint"].map(Into::into).to_vec());
    let store = maker.text(&["spec", "store"]);
    let name = |store: &str| maker.name_by(&format!("rook-ceph-object-user-{store}-*"));
    store.map(|store| maker.secret(&name(store), keys())).into_iter().collect()
}
