//! Whether the lines of a document that could not be read may be shown: by its text alone.

use super::{SECRET_WORDS, is_like, is_secret_like};
use crate::finding::Findings;
use crate::object::gvk::is_kind;
use crate::source::Place;

/// Words that a document with secrets may hold, beside those of variables' names.
const WORDS: &[&str] = &["secret", "stringdata", "sops", "enc["];
/// Escapes that can hide a letter of a word; the last hides the end of a line.
const ESCAPES: &[&str] = &["\\x", "\\u", "\\U", "\\\n", "\\\r"];

/// Lets the lines of a document be shown that could not be read, if its kind is written out, is not
/// that of Secrets, and nothing else in it looks like one.
pub(in crate::load) fn show_unread(place: Place, text: &str, found: &mut Findings) {
    let folded = text.to_ascii_lowercase();
    let suspicious = WORDS.iter().chain(SECRET_WORDS).any(|word| folded.contains(word))
        || ESCAPES.iter().any(|escape| text.contains(escape));
    let kinds: Vec<_> = values_of_kind(text).collect();
    let plain = !kinds.is_empty() && kinds.iter().all(|kind| is_kind(kind) && !is_secret_like(kind));
    let holds_data = text.lines().any(|line| line.split_once(':').is_some_and(|(key, _)| is_data(key)));
    let known = !holds_data || kinds.iter().all(|kind| *kind == "ConfigMap");
    if plain && known && !suspicious {
        found.show_source(place);
    }
}

fn is_data(key: &str) -> bool {
    let key = key.trim_matches(|c: char| !c.is_alphanumeric());
    is_like(key, "data") || is_like(key, "stringData")
}

/// What is written behind every key `kind`, quoted or not, up to the end of the value; a value that
/// is not a plain word comes out as something that is no kind.
fn values_of_kind(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("kind").filter_map(|(at, word)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        let quote = before.chars().next_back().filter(|c| matches!(c, '"' | '\''));
        let before = quote.map_or(before, |quote| &before[..before.len() - quote.len_utf8()]);
        let begins = before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || matches!(c, '{' | ','));
        let behind = quote.map_or(Some(behind), |quote| behind.strip_prefix(quote))?;
        let value = behind.trim_start_matches([' ', '\t']).strip_prefix(':').filter(|_| begins)?;
        let end = value.find(['\n', ',', '}']).unwrap_or(value.len());
        let value = value[..end].split(" #").next().unwrap_or_default().trim();
        let unquoted = |quote| value.strip_prefix(quote).and_then(|value| value.strip_suffix(quote));
        Some(unquoted('"').or_else(|| unquoted('\'')).unwrap_or(value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, SourceMap};

    fn is_shown(text: &str) -> bool {
        let file = SourceMap::default().add(SourceFile::new("a.yaml", text));
        let place = Place { file, start: 0, end: text.len() };
        let mut found = Findings::default();
        show_unread(place, text, &mut found);
        found.may_show(place)
    }

    #[test]
    fn what_cannot_be_read_is_shown_only_if_its_kind_is_written_out() {
        for (text, shown) in [
            ("kind: Service\na: [\n", true),
            ("kind: 'Service' # one\na: [\n", true),
            ("{\"kind\":\"Service\",\"a\":[", true),
            ("- kind: ConfigMap\n  data: {a: [\n", true),
            ("a: [\n", false),
            ("mankind: Service\na: [\n", false),
            ("kind: Scrt\ndata: {a: [\n", false),
            ("kind: \"Sec\\x72et\"\na: [\n", false),
            ("{\"kind\":\"Sec\\u0072et\",\"a\":[", false),
            ("\"k\\x69nd\": A\nkind: Service\na: [\n", false),
            ("kind: &a Service\na: [\n", false),
            ("kind: Service\n---\nkind: Secert\na: [\n", false),
            ("kind: Service\npassword: [\n", false),
        ] {
            assert_eq!(is_shown(text), shown, "{text}");
        }
    }
}
