//! Reads mappings by tables of their fields, and says all that is wrong with them.

use super::table::{Accepts, Choice, Field, Spanned, list, one_of};
use crate::finding::{Finding, Findings, Label, nearest, rules};
use crate::json;
use crate::source::{DocumentStart, Place, Span};
use crate::tree::{FieldPath, Key, Node, Value};

/// Reads nodes of one document by tables.
pub(super) struct Reader<'f> {
    at: DocumentStart,
    path: FieldPath,
    found: &'f mut Findings,
    errors: usize,
}

impl<'f> Reader<'f> {
    /// Findings after which a document's other ones are left unsaid: an input must not be able to
    /// fill the memory with them.
    const ENOUGH: usize = 100;

    /// A reader at the root of a document.
    pub(super) fn new(at: DocumentStart, found: &'f mut Findings) -> Self {
        Reader { at, path: FieldPath::default(), found, errors: 0 }
    }

    /// Reads the fields of a mapping into `target`. Whatever is wrong becomes a finding and leaves
    /// its slot as it was; a null field counts as absent.
    pub(super) fn mapping<T>(&mut self, fields: &[Field<T>], node: &Node<'_>, target: &mut T) {
        let entries = match &node.value {
            Value::Null => &[],
            Value::Mapping(mapping) => mapping.entries(),
            _ => return self.wrong(node, "a mapping", node.kind(), None),
        };
        for (key, value) in entries {
            self.field(fields, key, value, target);
        }
        let is_absent = |name| node.get(name).is_none_or(Node::is_null);
        for field in fields {
            if field.required && is_absent(field.name) {
                let path = self.path.key(field.name);
                let message = format!("`{path}` is missing: it must be {}", field.accepts.words());
                self.error(message, node.span, None);
            }
        }
    }

    /// Reads one entry of a mapping.
    pub(super) fn field<T>(&mut self, fields: &[Field<T>], key: &Key<'_>, value: &Node<'_>, target: &mut T) {
        self.path.push_key(&key.name);
        match fields.iter().find(|field| field.name == key.name) {
            None => self.unknown(fields, &key.name, key.span),
            Some(field) => match &field.accepts {
                Accepts::Nothing(why) => {
                    let message = format!("`{}` cannot be set here: {why}", self.path);
                    self.error(message, key.span, None);
                }
                _ if value.is_null() => {}
                accepts => self.value(accepts, value, target),
            },
        }
        self.path.pop();
    }

    /// Reads the value of a field that is not null.
    fn value<T>(&mut self, accepts: &Accepts<T>, node: &Node<'_>, target: &mut T) {
        let place = self.at.place(node.span);
        match (accepts, &node.value) {
            (Accepts::Free, _) => {}
            (Accepts::Flag(slot), Value::Bool(value)) => {
                let value = *value;
                *slot(target) = Some(Spanned { value, place });
            }
            (Accepts::Number(least, most, slot), Value::I64(value)) if (least..=most).contains(&value) => {
                let value = *value;
                *slot(target) = Some(Spanned { value, place });
            }
            (Accepts::Text(form, slot), Value::String(text)) if (form.holds)(text) => {
                let value = text.clone().into_owned();
                *slot(target) = Some(Spanned { value, place });
            }
            (Accepts::Texts(form, slot), Value::Sequence(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.path.push_index(index);
                    match item.as_str() {
                        Some(text) if (form.holds)(text) => {
                            let place = self.at.place(item.span);
                            slot(target).push(Spanned { value: text.to_owned(), place });
                        }
                        Some(text) => self.wrong(item, form.words, &quoted(text), None),
                        None => self.wrong(item, form.words, item.kind(), None),
                    }
                    self.path.pop();
                }
            }
            (Accepts::Value(shapes, slot), _) if shapes.iter().any(|shape| shape.is(node)) => {
                *slot(target) = Some(Spanned { value: json::to_value(node), place });
            }
            (Accepts::Word(choice), Value::String(word)) => {
                if !choice.set(target, word, place) {
                    self.no_such_word(*choice, word, node);
                }
            }
            // a bare `off` is false to YAML 1.1, and the word to whoever wrote it
            (Accepts::Word(choice), Value::Bool(false)) if choice.words().contains(&"off") => {
                choice.set(target, "off", place);
            }
            (Accepts::Section(fields), _) => self.mapping(fields, node, target),
            (Accepts::List(items), Value::Sequence(nodes)) => items.read(nodes, target, self),
            // Right in type: the value itself is what to look at.
            (Accepts::Text(..), Value::String(text)) => {
                self.wrong(node, &accepts.words(), &quoted(text), None);
            }
            (Accepts::Number(..), Value::I64(number)) => {
                self.wrong(node, &accepts.words(), &number.to_string(), None);
            }
            _ => self.wrong(node, &accepts.words(), node.kind(), None),
        }
    }

    /// Reads an item of a list; nothing for one with an error.
    pub(super) fn item<I: Default>(
        &mut self,
        fields: &[Field<I>],
        index: usize,
        node: &Node<'_>,
    ) -> Option<Spanned<I>> {
        let mut value = I::default();
        let errors = self.errors;
        self.path.push_index(index);
        if node.is_null() {
            self.wrong(node, "a mapping", node.kind(), None);
        } else {
            self.mapping(fields, node, &mut value);
        }
        self.path.pop();
        let place = self.at.place(node.span);
        (self.errors == errors).then_some(Spanned { value, place })
    }

    fn no_such_word<T>(&mut self, choice: &dyn Choice<T>, word: &str, node: &Node<'_>) {
        let words = choice.words();
        let accepted = one_of(&words);
        if choice.later().contains(&word) {
            let message =
                format!("`{}`: {word} is not supported by this version of tidegate; it must be {accepted}", self.path);
            return self.error(message, node.span, None);
        }
        let remedy = nearest(word, words.iter().copied()).map(did_you_mean);
        self.wrong(node, &accepted, &quoted(word), remedy);
    }

    /// A field that no row has.
    fn unknown<T>(&mut self, fields: &[Field<T>], name: &str, key: Span) {
        let message = format!("unknown field `{}`", shown(&self.path.to_string()));
        let known = fields.iter().filter(|field| !matches!(field.accepts, Accepts::Nothing(_)));
        let names: Vec<&str> = known.map(|field| field.name).collect();
        let inside = fields.iter().find(|field| match &field.accepts {
            Accepts::Section(inner) => inner.iter().any(|inner| inner.name == name),
            _ => false,
        });
        let remedy = match (inside, nearest(name, names.iter().copied())) {
            (Some(section), _) => did_you_mean(&format!("{}.{name}", section.name)),
            (None, Some(near)) => did_you_mean(near),
            (None, None) => format!("the fields here are {}", list(&names, "and")),
        };
        self.error(message, key, Some(remedy));
    }

    /// A value of the wrong type, or none of those that are accepted; `is` says what it is.
    fn wrong(&mut self, node: &Node<'_>, accepted: &str, is: &str, remedy: Option<String>) {
        let subject = match self.path.steps() {
            [] => "the configuration".to_owned(),
            _ => format!("`{}`", self.path),
        };
        let message = format!("{subject} must be {accepted}, not {is}");
        self.error(message, node.span, remedy);
    }

    /// Pushes an error at a span of the document, about the field the reader is at.
    fn error(&mut self, message: String, span: Span, remedy: Option<String>) {
        let (path, place) = (self.path.clone(), self.at.place(span));
        self.push(message, &path, &[place], remedy);
    }

    /// Pushes an error about a field, the first place being where it is.
    pub(super) fn push(&mut self, message: String, path: &FieldPath, places: &[Place], remedy: Option<String>) {
        self.errors += 1;
        if self.errors > Self::ENOUGH {
            return;
        }
        let mut finding = Finding::new(&rules::CONFIG, message);
        finding.remedy = remedy;
        let labels = places.iter().map(|place| Label::new(*place));
        finding.labels = labels.map(|label| label.path(path.clone())).collect();
        self.found.push(finding);
    }
}

/// Words as the input has them, cut where they are long.
fn shown(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

fn did_you_mean(near: &str) -> String {
    format!("did you mean `{near}`?")
}

fn quoted(text: &str) -> String {
    format!("{:?}", shown(text))
}
