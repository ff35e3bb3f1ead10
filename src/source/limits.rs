//! How much input is too much.

/// Bounds on the input; passing one is an error with the place. Only a flag or the operator's
/// environment raises them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels of lists and mappings in one document.
    pub nesting: usize,
    /// Nodes that aliases may add before [`Limits::alias_ratio`] counts; every 64 bytes of a text
    /// count as one more.
    pub alias_free: u64,
    /// How many times the nodes written out in a document its aliases may add.
    pub alias_ratio: u64,
    /// Bytes of one document.
    pub document_bytes: usize,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of all files.
    pub total_bytes: u64,
    /// Objects of a run.
    pub objects: usize,
    /// Bytes that the templates of a run may print, and bytes of text that their filters may make.
    pub template_bytes: u64,
    /// Numbers that `range` hands out to the templates of a run.
    pub template_items: u64,
    /// Seconds that the templates of a run may take.
    pub template_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            nesting: 200,
            alias_free: 100_000,
            alias_ratio: 10,
            document_bytes: 64 << 20,
            file_bytes: 256 << 20,
            total_bytes: 1 << 30,
            objects: 1_000_000,
            template_bytes: 64 << 20,
            template_items: 1_000_000,
            template_seconds: 10,
        }
    }
}
