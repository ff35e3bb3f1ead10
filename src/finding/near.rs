//! Names that look like slips of each other.

/// Whether one name looks like a slip of the other: equal but for case and `-`, `_`, `.`; or at most
/// two single edits apart, and at most a quarter of the longer one's length, with the same digits.
/// Equal names are not near.
pub fn is_near(a: &str, b: &str) -> bool {
    if a == b || differ_in_many_letters(a, b) {
        return false;
    }
    let folded = |name: &'_ str| -> String {
        name.chars().filter(|c| !matches!(c, '-' | '_' | '.')).flat_map(char::to_lowercase).collect()
    };
    if folded(a) == folded(b) {
        return true;
    }
    let digits = |name: &str| -> String { name.chars().filter(char::is_ascii_digit).collect() };
    let longer = a.chars().count().max(b.chars().count());
    digits(a) == digits(b) && edits(a, b).is_some_and(|edits| edits * 4 <= longer)
}

/// Whether one name has more than two letters that the other has nowhere: no two edits bridge that.
/// Nearly all pairs of names end here, without a closer look.
fn differ_in_many_letters(a: &str, b: &str) -> bool {
    let letters = |name: &str| {
        let bit = |byte: u8| 1_u32 << (byte.to_ascii_lowercase() - b'a');
        name.bytes().filter(u8::is_ascii_alphabetic).fold(0_u32, |letters, byte| letters | bit(byte))
    };
    let (a, b) = (letters(a), letters(b));
    (a & !b).count_ones() > 2 || (b & !a).count_ones() > 2
}

/// The candidate nearest to a name, if any is near: the fewest edits, then the smallest.
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let near = candidates.into_iter().filter(|candidate| is_near(name, candidate));
    near.min_by_key(|candidate| (edits(name, candidate).unwrap_or(usize::MAX), *candidate))
}

/// How many single edits (insert, delete, replace, swap of neighbours) apart two names are, if at
/// most two.
fn edits(a: &str, b: &str) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 2 {
        return None;
    }
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|edits| *edits <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_a_slip_not_a_sibling() {
        for (a, b) in
            [("app-config", "app_config"), ("Kind", "kind"), ("apiVerison", "apiVersion"), ("web-confg", "web-config")]
        {
            assert!(is_near(a, b), "{a} {b}");
        }
        for (a, b) in [("web-1", "web-2"), ("kind", "kind"), ("spec", "kind"), ("tls", "tcp"), ("app", "api")] {
            assert!(!is_near(a, b), "{a} {b}");
        }
        assert_eq!(nearest("metdata", ["metadata", "spec"]), Some("metadata"));
    }
}
