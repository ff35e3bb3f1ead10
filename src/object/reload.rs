//! Whether a change of a source restarts the pods that read it.

/// What a change of a source does to the pods that read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reload {
    /// It restarts them.
    #[default]
    Restart,
    /// It restarts them, but not where the kubelet brings the change to running pods.
    Hot,
    /// Nothing.
    Ignore,
}

impl Reload {
    /// Every value.
    pub const ALL: [Reload; 3] = [Reload::Restart, Reload::Hot, Reload::Ignore];

    /// The word in annotations and in the configuration.
    pub const fn word(self) -> &'static str {
        match self {
            Reload::Restart => "restart",
            Reload::Hot => "hot",
            Reload::Ignore => "ignore",
        }
    }
}
