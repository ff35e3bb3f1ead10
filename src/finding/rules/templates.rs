//! Rules about templates and patches.

use super::{Refusal, Rule, Severity};

/// Every rule of this file, by id.
pub static ALL: &[&Rule] =
    &[&TEMPLATE, &RUNAWAY, &VALUES, &UNSET, &LOOKALIKE, &PATCH_OF_NOTHING, &PATCH_FAILED, &PATCH_OF_IDENTITY];

/// A template that cannot be rendered.
pub static TEMPLATE: Rule = Rule {
    id: "TG601",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a template cannot be rendered",
    explanation: "\
The template does not follow the syntax of Tera, asks for a value that nobody gives, or uses a
filter or function that does not exist. Printing a value that is not defined, or null, is an error:
what is missing would be missing in the cluster without a word.

Templates see the values and the other templates of the same input, and nothing else: no
environment, no clock, no file, nothing random. What the message would have to repeat of a value is
left out of it.

Mend the template, or give the value: `--values FILE`, `--set NAME=VALUE`, or a file listed in
`spec.templates.values`. Where a value may be absent, write `{{ name | default(value=…) }}` or
`{% if name is defined %}`.",
};

/// A template that takes too much.
pub static RUNAWAY: Rule = Rule {
    id: "TG602",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: true,
    summary: "a template takes more time, memory or output than it may",
    explanation: "\
Templates come with the input, and an input must not be able to take the machine that it is rendered
on. What templates print and what filters make is counted (64 MiB a run), so are the numbers that
`range` hands out (a million a run, 100,000 a call); a watchdog ends the run after 10 seconds, or
when templates hold 256 MiB more than they may print.

Look for loops inside of loops, and for texts that are put together with themselves. Whoever runs
tidegate can raise a limit (`--limit template-seconds=60`); the input cannot.",
};

/// Values that cannot be read.
pub static VALUES: Rule = Rule {
    id: "TG603",
    severity: Severity::Error,
    refuses: Refusal::Input,
    operator: false,
    summary: "a file with values for templates cannot be used",
    explanation: "\
A file with values is one YAML or JSON document that is a mapping. Several go over one another in
the order in which they are given: mappings key by key, everything else as a whole, and null takes a
key away.",
};

/// A name without a value.
pub static UNSET: Rule = Rule {
    id: "TG604",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a template asks for a value that nobody gives",
    explanation: "\
To print a name without a value is an error, but in `{% if name %}` Tera takes it for false and says
nothing: a slip of the pen there would leave objects out in silence. The template was rendered, so
the name stands in a condition, or in a branch that was not taken.

Give it a value, or say that it may be absent: `{% if name is defined and name %}`,
`{% if name | default(value=false) %}`. Either of them anywhere in the templates is enough.",
};

/// A string that looks like something else.
pub static LOOKALIKE: Rule = Rule {
    id: "TG605",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a string that a template prints is read as something else",
    explanation: "\
`version: {{ version }}` with the string `1.10` prints `version: 1.10`, and YAML reads the number
1.1; `yes` becomes true, `0644` becomes 420.

The filter `yaml` writes any value so that it is read back as it is: `version: {{ version | yaml }}`.
Where a number is meant, write the value without quotes where it is set. `--set` takes whole numbers,
`true` and `false` for what they say, as Helm does.",
};

/// A patch without a target.
pub static PATCH_OF_NOTHING: Rule = Rule {
    id: "TG610",
    severity: Severity::Warning,
    refuses: Refusal::Never,
    operator: false,
    summary: "a patch matches no object",
    explanation: "\
The target of a patch in `spec.patches` fits no object of the input, so it changes nothing. Its
object may have been renamed or removed, or the target has a slip: kinds and names are compared with
case, all conditions must hold, and `namespace` is the one that the object ends up in.

Correct the target, or remove the patch.",
};

/// A patch that does not fit.
pub static PATCH_FAILED: Rule = Rule {
    id: "TG611",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a patch cannot be applied to an object",
    explanation: "\
An operation of a JSON patch (RFC 6902) names a place that the object does not have, or a `test`
does not hold. The object stays as it was, and nothing is printed: with a patch left out, the output
would be another one than was asked for.

`add` needs the mapping or list that its path leads into, `replace` and `remove` need the value
itself. In a path `~1` stands for `/` and `~0` for `~`; `-` is the end of a list. A merge patch (RFC
7386) makes what it needs on its way.",
};

/// A patch that makes another object.
pub static PATCH_OF_IDENTITY: Rule = Rule {
    id: "TG612",
    severity: Severity::Error,
    refuses: Refusal::Findings,
    operator: false,
    summary: "a patch changes who an object is",
    explanation: "\
Group, kind, namespace and name say which object of a cluster is meant; with another one it is
another object, and what refers to it would not find it. A patch may change the version within the
group, and everything else.

Change it where the object is written. The namespace of objects that name none is given with
`--namespace` and `--write-namespace`.",
};
