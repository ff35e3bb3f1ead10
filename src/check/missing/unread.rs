//! Names that may stand in text which could not be read.

use std::collections::HashSet;

use crate::flow::{Target, Unread};

/// The words of everything that could not be read.
pub(super) struct UnreadWords<'s> {
    words: HashSet<&'s str>,
    /// The words of templates, where a name may be put together.
    templated: HashSet<&'s str>,
    /// Whether there is something of which not even the text is known.
    anything: bool,
}

impl<'s> UnreadWords<'s> {
    pub(super) fn new(unread: &[Unread<'s>]) -> Self {
        let mut all = UnreadWords { words: HashSet::new(), templated: HashSet::new(), anything: false };
        for unread in unread {
            match unread.text {
                None => all.anything = true,
                Some(text) if text.contains("{{") => all.templated.extend(words(text)),
                Some(text) => all.words.extend(words(text)),
            }
        }
        all
    }

    /// Whether what could not be read may be this object: its name is a word of it, or it is a template
    /// of its kind.
    pub(super) fn may_be(&self, target: &Target) -> bool {
        let (kind, name) = (&*target.kind, &*target.name);
        self.anything || self.words.contains(name) || self.templated.contains(name) || self.templated.contains(kind)
    }
}

/// The words of a text, in the characters that names are made of.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '.' | ':'));
    parts.map(|word| word.trim_end_matches([':', '.'])).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Place, SourceFile, SourceMap};

    #[test]
    fn names_are_looked_for_as_whole_words() {
        let place = Place::file(SourceMap::default().add(SourceFile::new("a.yaml", "")));
        let may_be = |text: Option<&str>, kind: &str, name: &str| {
            let target = Target { group: "".into(), kind: kind.into(), namespace: None, name: name.into() };
            UnreadWords::new(&[Unread { place, text }]).may_be(&target)
        };
        let text = Some("kind: ConfigMap\nmetadata: {name: app.conf\n");
        assert!(may_be(text, "ConfigMap", "app.conf"));
        assert!(!may_be(text, "ConfigMap", "app"));
        let template = Some("kind: ConfigMap\nmetadata: {{ include \"x\" . }}\n");
        assert!(may_be(template, "ConfigMap", "app"));
        assert!(!may_be(template, "Secret", "app"));
        assert!(may_be(None, "Secret", "app"));
    }
}
