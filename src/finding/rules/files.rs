//! Rules about files and folders: what cannot be read, or is not.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &UNREADABLE,
    &NOT_TEXT,
    &TOO_BIG,
    &LINK,
    &SPECIAL_FILE,
    &LINKED_FOLDER,
    &NAME_NOT_UTF8,
    &TEMPLATE,
    &IGNORE_PATTERN,
    &CHART_TEMPLATES,
];

/// A file or folder that the system does not give.
pub static UNREADABLE: Rule = Rule {
    id: "TG010",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a file or folder cannot be read",
    explanation: "The path does not exist, or the system refuses to open it. Nothing is rendered \
without it:\nwhat is missing from the output would be pruned from the cluster.\n\n\
Correct the path or the permissions, or leave the file out with a line in `.tidegateignore`.",
};

/// Bytes that are not the text they claim to be.
pub static NOT_TEXT: Rule = Rule {
    id: "TG011",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a file is not valid UTF-8 (or UTF-16 with a byte order mark)",
    explanation: "Manifests are UTF-8; UTF-16 is read where the file begins with a byte order \
mark.\nkubectl replaces every wrong byte by U+FFFD without a word, and the damaged value reaches \
the\ncluster; tidegate stops instead.\n\n\
Save the file as UTF-8: `iconv -f LATIN1 -t UTF-8` for a file from an older editor. Binary data\n\
belongs into `binaryData` of a ConfigMap, as base64.",
};

/// More bytes than a limit allows.
pub static TOO_BIG: Rule = Rule {
    id: "TG012",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: true,
    summary: "the input is larger than a limit allows",
    explanation: "Limits keep a run from filling the memory of the machine it shares. They hold \
for one file\nand for all files together, standard input included.\n\n\
Leave large files that are no manifests out with `.tidegateignore`, or split the input. Limits\n\
are raised only by whoever runs tidegate, never by the input.",
};

/// A link that was not followed.
pub static LINK: Rule = Rule {
    id: "TG013",
    severity: Severity::Warning,
    refuses: Refusal::Input,
    operator: true,
    summary: "a link leads out of the root or nowhere and is not followed",
    explanation: "A link to a file inside the root is followed. One that leads out of it could \
pull in any file\nof the machine, and one that leads nowhere or in a circle has nothing to give: \
neither is\nread. This is an error where links must hold: in Argo CD, and with `input.strict`. A \
path that\nthe user named is an error whenever it lies outside `--root`.\n\n\
Put the file inside the root, name the folder it lies in as a further input, or give a `--root`\n\
that holds both.",
};

/// A pipe, device or socket.
pub static SPECIAL_FILE: Rule = Rule {
    id: "TG014",
    severity: Severity::Warning,
    refuses: Refusal::Input,
    operator: true,
    summary: "a named pipe, device or socket is not read",
    explanation: "Opening a named pipe waits until somebody writes, and a device may have no end: \
what lies in a\nfolder is read only if it is an ordinary file. This is an error in Argo CD and \
with\n`input.strict`.\n\n\
Name the pipe itself on the command line to read it, as `<(command)` does, or remove it.",
};

/// A link to a folder.
pub static LINKED_FOLDER: Rule = Rule {
    id: "TG015",
    severity: Severity::Info,
    refuses: Refusal::Never,
    operator: false,
    summary: "a linked folder is not entered",
    explanation: "Links to folders are not entered, so that nothing is read twice and no walk goes \
in circles. The\nfolder lies inside the root: its files are read where they are, if that is \
inside an input.",
};

/// A name that is no UTF-8.
pub static NAME_NOT_UTF8: Rule = Rule {
    id: "TG016",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "the name of a file or of its folder is not UTF-8",
    explanation: "The file would be read, but its path cannot be written into a report or an \
annotation. It is\nnot skipped in silence: a manifest that goes missing would be pruned from the \
cluster.\n\n\
Rename the file or the folder, or leave it out with `.tidegateignore` (`*` matches any byte).",
};

/// A template under a name that is not rendered.
pub static TEMPLATE: Rule = Rule {
    id: "TG017",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a template is not rendered",
    explanation: "Templates are files named `*.yaml.tera`. `*.yml.tera` and `*.json.tera` look like ones \
and are not\nrendered: their objects are missing from the output.\n\n\
Call them `*.yaml.tera`, or leave them out with `.tidegateignore`.",
};

/// A line of a `.tidegateignore` that is no pattern.
pub static IGNORE_PATTERN: Rule = Rule {
    id: "TG018",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a line of a .tidegateignore is not a pattern",
    explanation: "The file has the syntax of gitignore: one pattern a line, `#` for comments, `!` \
to take a pattern\nback, `/` at the end for folders only. A line that cannot be read as one leaves \
nothing out; the\nother lines count.",
};

/// Templates of a Helm chart.
pub static CHART_TEMPLATES: Rule = Rule {
    id: "TG019",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "the templates of a Helm chart are not read",
    explanation: "`templates/` beside a `Chart.yaml` holds templates that only Helm can render: \
the objects of the\nchart are missing from the output.\n\n\
Pipe what Helm makes of it: `helm template RELEASE CHART | tidegate render -`. Leave a chart\n\
that is not meant out with `.tidegateignore`.",
};
