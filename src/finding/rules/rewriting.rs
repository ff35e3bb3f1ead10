//! Rules about files that are converted where they stand.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[&ENCRYPTED, &LEFT_TEMPLATE, &WRITTEN_ANEW, &LOST_COMMENTS, &NO_TEXT];

/// An encrypted object.
pub static ENCRYPTED: Rule = Rule {
    id: "TG460",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "an encrypted object is not converted",
    explanation: "SOPS signs the text it encrypts: after any change to it, the object cannot be decrypted any more. \
It is left as it is, byte for byte. Decrypt it, convert it, and encrypt it again: `sops edit FILE`, or `sops \
decrypt FILE | tidegate convert -`.",
};

/// A template in a folder whose files are converted.
pub static LEFT_TEMPLATE: Rule = Rule {
    id: "TG461",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a template is not converted",
    explanation: "The document holds `{{` and is not valid YAML: what it will be is known once it is rendered. It is \
left as it is, byte for byte, and so are its values. Change the template by hand; what it renders can be converted \
on its way: `helm template CHART | tidegate convert -`. Without `--in-place` and `--check`, where the result is for \
a cluster, a template is an error.",
};

/// No edit could make the text what it is to be.
pub static WRITTEN_ANEW: Rule = Rule {
    id: "TG462",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a document is written anew, without its comments",
    explanation: "A file that is converted keeps its comments and its form: only the text of what changes is \
replaced, and the result is read again to see that it is right. Here no such change was: a shared anchor is removed, \
a key comes out of a merge, or the layout is one that is not known. So the document is written anew as a whole: its \
values are right, its comments are gone but for those before its first key.",
};

/// Comments that stood in what is gone.
pub static LOST_COMMENTS: Rule = Rule {
    id: "TG463",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "comments stood in what was replaced, and are gone",
    explanation: "A comment on a line of its own beside what changes stays. One inside of what is removed or moved goes \
with it. Look at the difference before you commit it.",
};

/// No text is read as what the object is to be.
pub static NO_TEXT: Rule = Rule {
    id: "TG464",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a converted document cannot be written",
    explanation: "Every text is read again before it is written. This one is not read as what it should be, most \
often because it would pass a limit of the reader (`--limit`). Nothing is written.",
};
