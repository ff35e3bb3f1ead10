//! The form of the reference table: rows that say where an object names another, and blocks of rows
//! that say in which kinds and where in them.

/// A group and a kind; the core group is empty.
pub type GroupKindName = (&'static str, &'static str);

/// Which kind a row refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Always the same.
    Kind(GroupKindName),
    /// By the text of a field beside the name. A field that is absent or empty means the first row;
    /// a text that is in no row means nothing that the table knows.
    ByField {
        /// The field.
        field: &'static str,
        /// Its texts and the kinds they mean.
        kinds: &'static [(&'static str, GroupKindName)],
    },
    /// The kind that `kind` beside the name says, of the group that `apiVersion`, `apiGroup` or
    /// `group` beside it says. What is not said is taken from the default; without a default a row
    /// without a kind refers to nothing.
    Named(Option<GroupKindName>),
}

/// In which namespace a target that has one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum In {
    /// The referrer's own.
    Own,
    /// The one that a field beside the name says; the referrer's own where it says none.
    Field(&'static str),
    /// The name is written as `NAMESPACE/NAME`; the referrer's own without the slash.
    Slash,
    /// The name is the host name of a Service: `NAME`, `NAME.NAMESPACE.svc` and what may follow that.
    /// Any other host is nobody's.
    Host,
}

/// Whether the referrer does without the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optional {
    /// It does not.
    Never,
    /// It does.
    Always,
    /// If the boolean field beside the name says so.
    Field(&'static str),
    /// If the field at this path beside the name is this text.
    Text(&'static [&'static str], &'static str),
}

/// How the target is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Not at all.
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
    /// All keys; not in a pod.
    All,
}

/// One row: a field that holds the name of another object.
///
/// `path` leads from where the row's block stands to the name: keys with dots between them, `[]` for
/// every item of a list, `*` for every value of a mapping, `{…}` around a key that holds dots. What
/// stands "beside the name" is in the mapping that holds the last key of the path.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The path to the name.
    pub path: &'static str,
    /// The kind of the target.
    pub to: To,
    /// The namespace of the target.
    pub within: In,
    /// Whether the referrer does without it.
    pub optional: Optional,
    /// How it is read.
    pub reads: Reads,
    /// Whether the target comes first. Rows that go the other way round, or in circles by design, do not order.
    pub orders: bool,
    /// Whether a target that is not in the input is worth a word.
    pub must_exist: bool,
    /// Only if this field beside the name is this text, or a list that holds it.
    pub only_if: Option<(&'static str, &'static str)>,
    /// Names that mean nobody.
    pub except: &'static [&'static str],
}

/// Rows that some kinds share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// The kinds that refer.
    pub(crate) kinds: &'static [GroupKindName],
    /// Where the rows begin in an object of these kinds: paths, empty for the object itself.
    pub(crate) at: &'static [&'static str],
    /// The rows.
    pub(crate) rows: Rows,
}

/// The rows of a block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows {
    /// These.
    These(&'static [Row]),
    /// All of these.
    Parts(&'static [&'static [Row]]),
    /// Those of a pod spec; an operator makes the pods.
    PodSpec,
}

/// At the root of an object.
pub(crate) const ROOT: &[&str] = &[""];

/// A required reference inside the referrer's namespace.
pub(crate) const fn row(path: &'static str, to: GroupKindName) -> Row {
    Row {
        path,
        to: To::Kind(to),
        within: In::Own,
        optional: Optional::Never,
        reads: Reads::No,
        orders: true,
        must_exist: true,
        only_if: None,
        except: &[],
    }
}

/// A reference whose kind a field beside the name tells.
pub(crate) const fn by_field(
    path: &'static str,
    field: &'static str,
    kinds: &'static [(&'static str, GroupKindName)],
) -> Row {
    Row { to: To::ByField { field, kinds }, ..row(path, ("", "")) }
}

/// A reference with group and kind beside the name.
pub(crate) const fn named(path: &'static str) -> Row {
    Row { to: To::Named(None), ..row(path, ("", "")) }
}

/// A reference with group and kind beside the name, or else this kind.
pub(crate) const fn named_or(path: &'static str, default: GroupKindName) -> Row {
    Row { to: To::Named(Some(default)), ..row(path, default) }
}

/// A Secret.
pub(crate) const fn secret(path: &'static str) -> Row {
    row(path, kinds::SECRET)
}

/// A key of a Secret: `name` and `key` side by side.
pub(crate) const fn secret_key(path: &'static str) -> Row {
    row(path, kinds::SECRET).reads(Reads::Field("key"))
}

/// A ConfigMap.
pub(crate) const fn config_map(path: &'static str) -> Row {
    row(path, kinds::CONFIG_MAP)
}

/// A key of a ConfigMap: `name` and `key` side by side.
pub(crate) const fn config_map_key(path: &'static str) -> Row {
    row(path, kinds::CONFIG_MAP).reads(Reads::Field("key"))
}

/// A Service.
pub(crate) const fn service(path: &'static str) -> Row {
    row(path, kinds::SERVICE)
}

/// A ServiceAccount.
pub(crate) const fn account(path: &'static str) -> Row {
    row(path, kinds::SERVICE_ACCOUNT)
}

impl Row {
    /// Where the target is.
    pub(crate) const fn within(mut self, within: In) -> Self {
        self.within = within;
        self
    }

    /// The namespace stands beside the name, in `namespace`.
    pub(crate) const fn with_namespace(self) -> Self {
        self.within(In::Field("namespace"))
    }

    /// The referrer does without it.
    pub(crate) const fn optional(mut self) -> Self {
        self.optional = Optional::Always;
        self
    }

    /// The referrer does without it if `optional: true` stands beside the name.
    pub(crate) const fn optional_here(mut self) -> Self {
        self.optional = Optional::Field("optional");
        self
    }

    /// The referrer does without it if the field at a path beside the name is this text.
    pub(crate) const fn optional_if(mut self, path: &'static [&'static str], text: &'static str) -> Self {
        self.optional = Optional::Text(path, text);
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

    /// Only if a field beside the name is this text, or a list that holds it.
    pub(crate) const fn only_if(mut self, field: &'static str, text: &'static str) -> Self {
        self.only_if = Some((field, text));
        self
    }

    /// Names that mean nobody.
    pub(crate) const fn except(mut self, names: &'static [&'static str]) -> Self {
        self.except = names;
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
    pub(crate) const PVC: GroupKindName = ("", "PersistentVolumeClaim");
    pub(crate) const PV: GroupKindName = ("", "PersistentVolume");
    pub(crate) const STORAGE_CLASS: GroupKindName = ("storage.k8s.io", "StorageClass");
    pub(crate) const ATTRIBUTES_CLASS: GroupKindName = ("storage.k8s.io", "VolumeAttributesClass");
    pub(crate) const PRIORITY_CLASS: GroupKindName = ("scheduling.k8s.io", "PriorityClass");
    pub(crate) const RUNTIME_CLASS: GroupKindName = ("node.k8s.io", "RuntimeClass");
    pub(crate) const INGRESS_CLASS: GroupKindName = ("networking.k8s.io", "IngressClass");
    pub(crate) const DEPLOYMENT: GroupKindName = ("apps", "Deployment");
    pub(crate) const GATEWAY: GroupKindName = ("gateway.networking.k8s.io", "Gateway");
}
