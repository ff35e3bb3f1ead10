//! What a rule means.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use crate::finding::ignore::ANNOTATION;
use crate::finding::{Refusal, Rule};

/// Columns that prose is wrapped to.
const WIDTH: usize = 80;

/// All that there is to know about a rule, as text of at most 80 columns: id, severity, summary, its
/// explanation, what it does to a run, and how to suppress it.
pub fn explain(rule: &Rule) -> String {
    let mut text = format!("{} ({}): {}\n\n", rule.id, rule.severity, rule.summary);
    text.push_str(&wrap(rule.explanation));
    text.push('\n');
    text.push_str(&wrap(&consequence(rule)));
    if rule.is_suppressible() && !rule.operator {
        // writing to a string cannot fail
        let _ = writeln!(text, "\n    {ANNOTATION}: \"{} reason\"", rule.id);
    }
    text
}

/// What the rule does beside its findings, and who can switch it off.
fn consequence(rule: &Rule) -> String {
    let code = match rule.refuses {
        Refusal::Never if rule.operator => {
            return "Only a flag or the operator's environment can suppress it, never the input.".to_owned();
        }
        Refusal::Never => return "To suppress it for an object, annotate the object:".to_owned(),
        Refusal::Findings => 1,
        Refusal::Usage => 2,
        Refusal::Input => 3,
    };
    format!(
        "While an error of this rule stands, no manifests are printed, whatever --fail-on says, and the \
exit code is {code} or higher. It cannot be suppressed."
    )
}

/// A line for each rule, in the order given: id, severity and summary.
pub fn catalogue(rules: &[&Rule]) -> String {
    let mut text = String::new();
    for rule in rules {
        // writing to a string cannot fail
        let _ = writeln!(text, "{}  {:<7}  {}", rule.id, rule.severity.word(), rule.summary);
    }
    text
}

/// The page that [`super::docs`] points into, as Markdown: a section for each rule, in the order given.
pub fn reference(rules: &[&Rule]) -> String {
    let mut text = String::from("# Findings\n");
    for rule in rules {
        let (id, severity, summary) = (rule.id, rule.severity, rule.summary);
        // writing to a string cannot fail
        let _ = write!(text, "\n## {id}\n\n**{severity}**: {summary}\n\n");
        text.push_str(rule.explanation.trim_end());
        text.push_str("\n\n");
        text.push_str(&consequence(rule));
        text.push('\n');
        if rule.is_suppressible() && !rule.operator {
            let _ = writeln!(text, "\n    {ANNOTATION}: \"{id} reason\"");
        }
    }
    text
}

/// Markdown with its paragraphs and list items wrapped; code and tables stay as they are.
fn wrap(markdown: &str) -> String {
    let mut text = String::new();
    let mut words: Vec<&str> = Vec::new();
    let mut hang = 0;
    let mut is_fenced = false;
    for line in markdown.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        let is_code = is_fence || is_fenced || line.starts_with("    ") || line.starts_with('|');
        let is_item = ["- ", "* "].iter().any(|bullet| line.starts_with(bullet));
        if is_code || is_item || line.trim().is_empty() {
            flow(&mut text, &mut words, hang);
            hang = if is_item { 2 } else { 0 };
        }
        if is_code || line.trim().is_empty() {
            text.push_str(line.trim_end());
            text.push('\n');
        } else {
            words.extend(line.split_whitespace());
        }
    }
    flow(&mut text, &mut words, hang);
    text
}

/// Sets the words of one paragraph, all lines but the first `hang` columns to the right.
fn flow(text: &mut String, words: &mut Vec<&str>, hang: usize) {
    let mut column = 0;
    for word in words.drain(..) {
        if column > 0 && column + 1 + word.width() > WIDTH {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', hang));
            column = hang;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.width();
    }
    if column > 0 {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Severity, rules};

    #[test]
    fn a_rule_that_can_be_suppressed_says_how() {
        insta::assert_snapshot!(explain(&rules::suppression::NO_REASON), @r#"
        TG030 (warning): a suppression says no reason

        A suppression outlives the memory of whoever wrote it, so it has to say why it
        is there. Without a reason it has no effect. A line of the annotation
        `tidegate.dev/ignore` holds the ids of one or more rules with commas between
        them, then the reason:

            tidegate.dev/ignore: |
              TG203 the mesh fills this key at run time
              TG101, TG104: made by hand, see the runbook

        To suppress it for an object, annotate the object:

            tidegate.dev/ignore: "TG030 reason"
        "#);
    }

    #[test]
    fn a_rule_that_refuses_says_so() {
        insta::assert_snapshot!(explain(&rules::SYNTAX), @r#"
        TG001 (error): a document is not valid YAML or JSON

        The document cannot be read, and neither could kubectl read it. The place is
        where the reader gave up; the mistake is there or on a line above it. An
        unclosed quote or bracket is reported where it opens.

        While an error of this rule stands, no manifests are printed, whatever --fail-on
        says, and the exit code is 3 or higher. It cannot be suppressed.
        "#);
    }

    #[test]
    fn an_operator_rule_offers_no_annotation() {
        static GUARD: Rule = Rule {
            id: "TG902",
            severity: Severity::Warning,
            refuses: Refusal::Never,
            operator: true,
            summary: "a link leads outside",
            explanation: "Why:\n- one item that is so long that it has to be wrapped, with a hanging indent, at the width\n- two\n\n```\ncode   stays as it is, however long the line is, because it is meant to be copied, all of it\n```",
        };
        insta::assert_snapshot!(explain(&GUARD), @r#"
        TG902 (warning): a link leads outside

        Why:
        - one item that is so long that it has to be wrapped, with a hanging indent, at
          the width
        - two

        ```
        code   stays as it is, however long the line is, because it is meant to be copied, all of it
        ```

        Only a flag or the operator's environment can suppress it, never the input.
        "#);
    }

    #[test]
    fn the_catalogue_has_a_line_for_each_rule() {
        insta::assert_snapshot!(catalogue(&[&rules::SYNTAX, &rules::suppression::NO_REASON]), @r#"
        TG001  error    a document is not valid YAML or JSON
        TG030  warning  a suppression says no reason
        "#);
    }

    #[test]
    fn the_reference_has_the_anchors_that_findings_name() {
        let text = reference(rules::ALL);
        for rule in rules::ALL {
            let anchor = crate::report::docs(rule);
            let heading = anchor.replace("docs/findings.md#", "## ").to_ascii_uppercase();
            assert!(text.lines().any(|line| line == heading), "{heading}");
        }
        insta::assert_snapshot!(reference(&[&rules::SYNTAX, &rules::suppression::IDLE_SUPPRESSION]), @r#"
        # Findings

        ## TG001

        **error**: a document is not valid YAML or JSON

        The document cannot be read, and neither could kubectl read it. The place is where the reader gave
        up; the mistake is there or on a line above it. An unclosed quote or bracket is reported where it
        opens.

        While an error of this rule stands, no manifests are printed, whatever --fail-on says, and the exit code is 3 or higher. It cannot be suppressed.

        ## TG032

        **info**: a suppression matches no finding

        What it suppressed is mended, or its id is not the one of the finding. Left in place it would hide the next finding of that rule without anybody having looked at it.

        To suppress it for an object, annotate the object:

            tidegate.dev/ignore: "TG032 reason"
        "#);
    }
}
