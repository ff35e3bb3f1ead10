//! What was converted, as a table: versions, and weights before and after.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::escape::escape;
use crate::convert::WeightChange;

/// An object that was converted.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The object, as `Kind namespace/name`.
    pub object: String,
    /// Its `apiVersion` before.
    pub from: String,
    /// What it is now: an `apiVersion`, or kind and `apiVersion` of what took its place.
    pub to: String,
    /// The weights of a TrafficSplit, in the order of its backends.
    pub weights: Vec<WeightChange>,
}

/// The table, a line an object and one more for every backend but the first; empty without objects.
/// Columns are as wide as what is in them; nothing in it can move a terminal's cursor.
pub fn table(rows: &[Row]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut lines = vec![["OBJECT", "FROM", "TO", "BACKEND", "BEFORE", "AFTER"].map(str::to_owned).to_vec()];
    for row in rows {
        let mut own =
            vec![escape(&row.object).into_owned(), escape(&row.from).into_owned(), escape(&row.to).into_owned()];
        if row.weights.is_empty() {
            lines.push(own);
            continue;
        }
        for weight in &row.weights {
            own.resize(3, String::new());
            own.push(escape(&weight.backend).into_owned());
            own.push(format!("{} ({})", escape(&weight.before), percent(weight.percent_before)));
            own.push(format!("{} ({})", escape(&weight.after), percent(weight.percent_after)));
            lines.push(std::mem::take(&mut own));
        }
    }
    aligned(&lines)
}

/// A share with at most four digits behind the point: `12.5 %`. One that is neither all nor nothing is
/// never shown as such.
fn percent(share: f64) -> String {
    let digits = format!("{share:.4}");
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    match (digits, share) {
        ("0", share) if share > 0.0 => "< 0.0001 %".to_owned(),
        ("100", share) if share < 100.0 => "> 99.9999 %".to_owned(),
        _ => format!("{digits} %"),
    }
}

fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| lines.iter().filter_map(|line| line.get(column)).map(|cell| cell.width()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut out = String::new();
    for line in lines {
        let mut text = String::new();
        for (cell, width) in line.iter().zip(&widths) {
            let padding = width.saturating_sub(cell.width()) + 2;
            // writing to a string cannot fail
            let _ = write!(text, "{cell}{:padding$}", "");
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_shown_to_four_digits() {
        for (share, shown) in [
            (0.0, "0 %"),
            (100.0, "100 %"),
            (12.5, "12.5 %"),
            (100.0 / 3.0, "33.3333 %"),
            (0.000_01, "< 0.0001 %"),
            (99.999_999, "> 99.9999 %"),
        ] {
            assert_eq!(percent(share), shown);
        }
    }

    #[test]
    fn a_table_has_a_line_a_backend() {
        let weight = |backend: &str, before: &str, after: &str| WeightChange {
            backend: backend.to_owned(),
            before: before.to_owned(),
            after: after.to_owned(),
            percent_before: 50.0,
            percent_after: 50.0,
        };
        let rows = [
            Row {
                object: "TrafficSplit shop/web".to_owned(),
                from: "split.smi-spec.io/v1alpha1".to_owned(),
                to: "split.smi-spec.io/v1alpha2".to_owned(),
                weights: vec![weight("web-v1", "500m", "500"), weight("web-\u{1b}[2J", "500m", "500")],
            },
            Row {
                object: "CustomResourceDefinition x".to_owned(),
                from: "a/v1beta1".to_owned(),
                to: "a/v1".to_owned(),
                weights: Vec::new(),
            },
        ];
        insta::assert_snapshot!(table(&rows), @r"
        OBJECT                      FROM                        TO                          BACKEND        BEFORE       AFTER
        TrafficSplit shop/web       split.smi-spec.io/v1alpha1  split.smi-spec.io/v1alpha2  web-v1         500m (50 %)  500 (50 %)
                                                                                            web-\u{1b}[2J  500m (50 %)  500 (50 %)
        CustomResourceDefinition x  a/v1beta1                   a/v1
        ");
        assert_eq!(table(&[]), "");
    }
}
