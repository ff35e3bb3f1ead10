//! A row of the reference table: where an object of a kind names another object.

/// A group and a kind; the core group is empty.
pub(crate) type GroupKindName = (&'static str, &'static str);

/// Which kind a row refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum To {
    /// Always the same.
    Kind(GroupKindName),
    /// By the text of a field beside the name; a field that is absent or empty means the first row.
    /// A text that is in no row means nothing that the table knows.
    ByField { field: &'static str, kinds: &'static [(&'static str, GroupKindName)] },
    /// The kind that `kind` beside the name says, of the group that `apiVersion`, `apiGroup` or
    /// `group` beside it says.
    Named,
}

/// In which namespace the target is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum In {
    /// The referrer's own.
    Own,
    /// None: the kind is cluster-scoped.
    Cluster,
    /// The one that a field beside the name says; the referrer's own where it says none.
    Field(&'static str),
    /// The name is written as `NAMESPACE/NAME`; the referrer's own without the slash.
    Slash,
}

/// Whether the referrer does without the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Optional {
    /// It does not.
    Never,
    /// It does.
    Always,
    /// If the boolean field beside the name says so.
    Field(&'static str),
}

/// How a container reads the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// It does not.
    No,
    /// The key beside the name, into a variable.
    EnvKey,
    /// All keys, into variables.
    EnvFrom,
    /// As a volume of its own.
    Volume,
    /// As a source of a projected volume.
    Projected,
    /// The key that a field beside the name says, or all where it says none; not in a pod.
    Field(&'static str),
}

/// One row.
///
/// `path` leads from the root of the object (of the pod spec, in rows of the pod table) to what holds
/// the name: keys with dots between them, `[]` for every item of a list, `*` for every value of a
/// mapping, `{…}` around a key that holds dots. `name` is the field with the name below that; empty
/// where the path leads to the name itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub group: &'static str,
    pub kind: &'static str,
    pub path: &'static str,
    pub name: &'static str,
    pub to: To,
    pub within: In,
    pub optional: Optional,
    pub reads: Reads,
    /// Whether the target comes first. Rows that go the other way round, or in circles by design, do not order.
    pub orders: bool,
    /// Whether a target that is not in the input is worth a word.
    pub must_exist: bool,
    /// Only if this field beside the name has this text.
    pub only_if: Option<(&'static str, &'static str)>,
}

/// A row whose path ends in the name: a required reference inside the referrer's namespace.
pub(crate) const fn row(referrer: GroupKindName, path: &'static str, to: GroupKindName) -> Row {
    Row {
        group: referrer.0,
        kind: referrer.1,
        path,
        name: "",
        to: To::Kind(to),
        within: In::Own,
        optional: Optional::Never,
        reads: Reads::No,
        orders: true,
        must_exist: true,
        only_if: None,
    }
}

impl Row {
    /// The name is in this field of what the path leads to; fields "beside the name" are its
    /// neighbours there.
    pub(crate) const fn name(mut self, field: &'static str) -> Self {
        self.name = field;
        self
    }

    /// The kind is told by a field beside the name.
    pub(crate) const fn by_field(
        mut self,
        field: &'static str,
        kinds: &'static [(&'static str, GroupKindName)],
    ) -> Self {
        self.to = To::ByField { field, kinds };
        self
    }

    /// Group and kind stand beside the name.
    pub(crate) const fn named(mut self) -> Self {
        self.to = To::Named;
        self
    }

    /// The target is in another namespace, or in none.
    pub(crate) const fn within(mut self, within: In) -> Self {
        self.within = within;
        self
    }

    /// The referrer does without it.
    pub(crate) const fn optional(mut self) -> Self {
        self.optional = Optional::Always;
        self
    }

    /// The referrer does without it if `optional: true` stands beside the name.
    pub(crate) const fn optional_by(mut self, field: &'static str) -> Self {
        self.optional = Optional::Field(field);
        self
    }

    /// How it is read.
    pub(crate) const fn reads(mut self, reads: Reads) -> Self {
        self.reads = reads;
        self
    }

    /// Orders nothing.
    pub(crate) const fn unordered(mut self) -> Self {
        self.orders = false;
        self
    }

    /// Nobody expects it in the input.
    pub(crate) const fn outside(mut self) -> Self {
        self.must_exist = false;
        self
    }

    /// Only if a field beside the name has this text.
    pub(crate) const fn only_if(mut self, field: &'static str, text: &'static str) -> Self {
        self.only_if = Some((field, text));
        self
    }
}

/// The kinds that many rows refer to.
pub(crate) mod kinds {
    use super::GroupKindName;

    pub(crate) const CONFIG_MAP: GroupKindName = ("", "ConfigMap");
    pub(crate) const SECRET: GroupKindName = ("", "Secret");
    pub(crate) const SERVICE: GroupKindName = ("", "Service");
    pub(crate) const SERVICE_ACCOUNT: GroupKindName = ("", "ServiceAccount");
    pub(crate) const NAMESPACE: GroupKindName = ("", "Namespace");
    pub(crate) const PVC: GroupKindName = ("", "PersistentVolumeClaim");
    pub(crate) const PV: GroupKindName = ("", "PersistentVolume");
    pub(crate) const STORAGE_CLASS: GroupKindName = ("storage.k8s.io", "StorageClass");
    pub(crate) const PRIORITY_CLASS: GroupKindName = ("scheduling.k8s.io", "PriorityClass");
    pub(crate) const RUNTIME_CLASS: GroupKindName = ("node.k8s.io", "RuntimeClass");
    pub(crate) const INGRESS_CLASS: GroupKindName = ("networking.k8s.io", "IngressClass");
    pub(crate) const DEPLOYMENT: GroupKindName = ("apps", "Deployment");
    pub(crate) const STATEFUL_SET: GroupKindName = ("apps", "StatefulSet");
    pub(crate) const CRD: GroupKindName = ("apiextensions.k8s.io", "CustomResourceDefinition");
}
