//! The rules of the rooms that read and order, as data.
//!
//! Ids: `TG00x` text, `TG01x` files, `TG02x` documents, `TG03x` suppressions, `TG04x` configuration,
//! `TG1xx` objects, `TG2xx` order, `TG3xx` references, `TG40x` checksums, `TG41x` and `TG42x` conversions, `TG43x` and
//! `TG45x` definitions, `TG44x` routes, `TG46x` converted files, `TG48x` versions, `TG49x` restarts, `TG50x` meshes, `TG53x` what configuration a workload understands, `TG6xx` templates and
//! patches, `TG70x` output, `TG80x` lists of KRM functions and parameters, `TG81x` plugins. Checks keep their rules beside
//! their code.

pub mod checksums;
pub mod conversion;
pub mod crds;
pub mod files;
pub mod functions;
pub mod hooks;
pub mod objects;
pub mod order;
pub mod output;
pub mod plugins;
pub mod restarts;
pub mod rewriting;
pub mod routes;
pub mod suppression;
pub mod templates;
pub mod versions;

use super::{Refusal, Rule, Severity};

/// Every rule of the rooms that read and order.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    [
        ALL,
        files::ALL,
        functions::ALL,
        hooks::ALL,
        objects::ALL,
        order::ALL,
        output::ALL,
        plugins::ALL,
        checksums::ALL,
        conversion::ALL,
        crds::ALL,
        restarts::ALL,
        rewriting::ALL,
        routes::ALL,
        suppression::ALL,
        templates::ALL,
        versions::ALL,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// Every rule of this file, by id.
pub static ALL: &[&Rule] = &[
    &SYNTAX,
    &DUPLICATE_KEY,
    &TEXT_BEHIND_DOCUMENT,
    &BAD_SEPARATOR,
    &LIMIT,
    &NO_JSON_FORM,
    &ROUNDED_NUMBER,
    &OVERRIDDEN_MERGE,
    &REFUSED_TAB,
    &CONFIG,
];

/// Text that is no YAML or JSON.
pub static SYNTAX: Rule = Rule {
    id: "TG001",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a document is not valid YAML or JSON",
    explanation: "\
The document cannot be read, and neither could kubectl read it. The place is where the reader gave
up; the mistake is there or on a line above it. An unclosed quote or bracket is reported where it
opens.",
};

/// The same key twice in one mapping.
pub static DUPLICATE_KEY: Rule = Rule {
    id: "TG002",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a key is given twice in one mapping",
    explanation: "\
kubectl keeps the last value and drops the other without a word; strict readers and kustomize
refuse the file. What was meant cannot be told, so tidegate refuses it too. Keys count as equal
when Kubernetes reads them as the same string: `1` and `\"1\"`, `yes` and `true`, `0x10` and `16`.

Remove one of the two, or merge their values into one.",
};

/// Text that kubectl drops because the document has ended.
pub static TEXT_BEHIND_DOCUMENT: Rule = Rule {
    id: "TG003",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "text stands behind the end of a document",
    explanation: "\
Between two lines `---` kubectl reads one document and drops whatever follows its end (`...`)
without a word. Objects written there would never reach the cluster.

Put `---` on a line of its own before the text, or delete the text.",
};

/// A line that begins with `---` and goes on.
pub static BAD_SEPARATOR: Rule = Rule {
    id: "TG004",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a line that begins with --- holds more than a separator",
    explanation: "\
kubectl splits its input at every line that begins with `---`, before it reads any YAML, and
accepts only blanks or a comment behind the dashes: `--- {a: 1}`, `---text` and `----` are errors.

Move what follows the dashes to the next line. Text that must begin with `---` has to be indented.",
};

/// More nesting, aliases or bytes than a document may have.
pub static LIMIT: Rule = Rule {
    id: "TG005",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: true,
    summary: "a document is too deep, too big, or grows too much by aliases",
    explanation: "\
Reading is bounded, so that no input can exhaust the machine: 200 levels of lists and mappings, 64
MiB a document, and aliases (`*name`, also in merges) that add at most ten times what is written
in the document, once they have added 100,000 values. Real manifests stay far below.

Split the document, or write out less by aliases. Whoever runs tidegate can raise a limit; the
input cannot.",
};

/// What Kubernetes cannot hold: it takes what JSON can say.
pub static NO_JSON_FORM: Rule = Rule {
    id: "TG006",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a key, a value or a tag says something that JSON cannot",
    explanation: "\
kubectl turns YAML into JSON before anything else. JSON has no infinity and no NaN, its keys are
strings, and a tag such as `!!int` must fit its text; `<<` merges mappings only. kubectl refuses
such a document as well. A key `{{ … }}` is a template that nobody rendered.

Quote what is meant as text (`\".inf\"`, `\"null\": …`), drop the tag, or render the template first.",
};

/// An integer that a cluster keeps as a float.
pub static ROUNDED_NUMBER: Rule = Rule {
    id: "TG007",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a number has more digits than a cluster keeps",
    explanation: "\
Kubernetes holds integers in 64 signed bits; a larger one becomes a float and loses its last
digits (9223372036854775808 is stored as 9223372036854776000). tidegate prints every digit that was
written, and the cluster rounds them.

Quote the number if it is text, such as an account or a project id.",
};

/// A key that comes from a merge and from somewhere else.
pub static OVERRIDDEN_MERGE: Rule = Rule {
    id: "TG008",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a merged key and another one override each other",
    explanation: "\
kubectl applies a merge (`<<`) where it stands: it overwrites the keys above it and is overwritten
by the keys below it; of a list, the first mapping wins. Other readers let the written key win
wherever it stands, and strict ones call both a duplicate. tidegate reads what kubectl reads.

Write merges first in their mapping, or write the key out once.",
};

/// A tab that go-yaml does not accept.
pub static REFUSED_TAB: Rule = Rule {
    id: "TG009",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a tab stands where kubectl accepts spaces only",
    explanation: "\
YAML allows the tab, but kubectl's reader refuses the document: a tab may neither indent a line,
nor stand alone on it, nor follow `-` or `?`. tidegate reads it as was meant and prints it without
the tab, so only the file itself cannot be applied.

Use spaces.",
};

/// tidegate's own configuration.
pub static CONFIG: Rule = Rule {
    id: "TG040",
    severity: Severity::Error,
    refuses: Refusal::Usage,
    operator: true,
    summary: "tidegate's configuration is wrong",
    explanation: "\
`tidegate.yaml` (or what is given with `-c`, as a functionConfig or as a parameter) has a field that
tidegate does not know, or a value that the field does not accept. Nothing is rendered: with a setting
left out, the output would be another one than was asked for.

Every field is optional and stands under `spec`; a field that is null counts as absent.",
};
