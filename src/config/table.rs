//! Tables of fields: one row says a field's name, what it accepts, and where its value goes. The
//! reader, its messages and [`describe`] all go by the same rows.

use super::reader::Reader;
use super::schema;
use super::words::Word;
use serde_json::Value as Json;

use crate::source::Place;
use crate::tree::Node;

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<V> {
    /// The value.
    pub value: V,
    /// Its bytes in the file.
    pub place: Place,
}

/// One field of the configuration, as the documentation lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldHelp {
    /// The path from the root: `spec.waves.mode`; `[]` stands for each item of a list.
    pub path: String,
    /// What it accepts, in words.
    pub accepts: String,
    /// What it does.
    pub help: &'static str,
    /// Whether it must be there.
    pub required: bool,
}

/// Where a value of type `V` goes in a `T`.
pub(super) type Slot<T, V> = fn(&mut T) -> &mut Option<Spanned<V>>;

/// A row of a table: one field of a mapping that is read into a `T`.
pub(super) struct Field<T: 'static> {
    pub(super) name: &'static str,
    pub(super) accepts: Accepts<T>,
    pub(super) required: bool,
    pub(super) help: &'static str,
}

/// A field that may be absent.
pub(super) const fn field<T>(name: &'static str, accepts: Accepts<T>, help: &'static str) -> Field<T> {
    Field { name, accepts, required: false, help }
}

/// A field that must be there.
pub(super) const fn required<T>(name: &'static str, accepts: Accepts<T>, help: &'static str) -> Field<T> {
    Field { required: true, ..field(name, accepts, help) }
}

/// What a field accepts, and where it goes.
pub(super) enum Accepts<T: 'static> {
    /// Anything; nobody looks at it.
    Free,
    /// A boolean.
    Flag(Slot<T, bool>),
    /// A whole number from the first to the second.
    Number(i64, i64, Slot<T, i64>),
    /// Text of a form.
    Text(&'static Form, Slot<T, String>),
    /// One of a few words.
    Word(&'static dyn Choice<T>),
    /// A list of texts of a form.
    Texts(&'static Form, fn(&mut T) -> &mut Vec<Spanned<String>>),
    /// A value of any of these kinds, kept as it is.
    Value(&'static [Shape], Slot<T, Json>),
    /// A mapping of more fields.
    Section(&'static [Field<T>]),
    /// A list of mappings.
    List(&'static dyn Items<T>),
    /// Nothing: the reason why a field that one might expect is not here.
    Nothing(&'static str),
}

/// What a value is that is kept as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A list.
    List,
    /// A mapping.
    Mapping,
}

impl Shape {
    /// Whether a node is of this shape.
    pub(super) fn is(self, node: &Node<'_>) -> bool {
        match self {
            Shape::List => node.items().is_some(),
            Shape::Mapping => node.mapping().is_some(),
        }
    }

    /// Its type in a JSON Schema.
    pub(super) fn json(self) -> &'static str {
        match self {
            Shape::List => "array",
            Shape::Mapping => "object",
        }
    }

    /// In words, to follow "must be".
    fn words(self) -> &'static str {
        match self {
            Shape::List => "a list",
            Shape::Mapping => "a mapping",
        }
    }
}

/// What text a field accepts.
pub(super) struct Form {
    /// In words, to follow "must be".
    pub(super) words: &'static str,
    /// Whether a text is of this form.
    pub(super) holds: fn(&str) -> bool,
}

/// A slot for one of a few words, whatever its type.
pub(super) trait Choice<T>: Sync {
    fn words(&self) -> Vec<&'static str>;
    fn later(&self) -> &'static [&'static str];
    /// Sets the slot; false for a word that is none of these.
    fn set(&self, target: &mut T, word: &str, place: Place) -> bool;
    /// Fills the slot of `above` from `below`, where it is empty.
    fn fill(&self, above: &mut T, below: &mut T);
}

/// The [`Choice`] of a [`Word`] type.
pub(super) struct OneOf<T: 'static, W: Word>(pub(super) Slot<T, W>);

impl<T, W: Word> Choice<T> for OneOf<T, W> {
    fn words(&self) -> Vec<&'static str> {
        W::WORDS.iter().map(|(word, _)| *word).collect()
    }

    fn later(&self) -> &'static [&'static str] {
        W::LATER
    }

    fn set(&self, target: &mut T, word: &str, place: Place) -> bool {
        let value = W::parse(word);
        if let Some(value) = value {
            *(self.0)(target) = Some(Spanned { value, place });
        }
        value.is_some()
    }

    fn fill(&self, above: &mut T, below: &mut T) {
        fill(self.0, above, below);
    }
}

fn fill<T, V>(slot: Slot<T, V>, above: &mut T, below: &mut T) {
    if slot(above).is_none() {
        *slot(above) = slot(below).take();
    }
}

/// Fills every slot of a table that is empty in `above` from `below`. A list that has rows stays as it is.
pub(super) fn lay_over<T>(fields: &[Field<T>], above: &mut T, below: &mut T) {
    for field in fields {
        match &field.accepts {
            Accepts::Flag(slot) => fill(*slot, above, below),
            Accepts::Number(_, _, slot) => fill(*slot, above, below),
            Accepts::Text(_, slot) => fill(*slot, above, below),
            Accepts::Word(choice) => choice.fill(above, below),
            Accepts::Section(fields) => lay_over(fields, above, below),
            Accepts::List(items) => items.fill(above, below),
            Accepts::Value(_, slot) => fill(*slot, above, below),
            Accepts::Texts(_, slot) => {
                if slot(above).is_empty() {
                    std::mem::swap(slot(above), slot(below));
                }
            }
            Accepts::Free | Accepts::Nothing(_) => {}
        }
    }
}

/// A slot for a list of mappings, whatever their type.
pub(super) trait Items<T>: Sync {
    fn read(&self, items: &[Node<'_>], target: &mut T, reader: &mut Reader<'_>);
    fn describe(&self, path: &str, rows: &mut Vec<FieldHelp>);
    /// Takes the rows of `below` where `above` has none.
    fn fill(&self, above: &mut T, below: &mut T);
    fn schema(&self) -> Json;
}

/// The [`Items`] of one type: items with an error are left out.
pub(super) struct Each<T: 'static, I: 'static> {
    pub(super) fields: &'static [Field<I>],
    pub(super) slot: fn(&mut T) -> &mut Vec<Spanned<I>>,
}

impl<T, I: Default> Items<T> for Each<T, I> {
    fn read(&self, items: &[Node<'_>], target: &mut T, reader: &mut Reader<'_>) {
        for (index, node) in items.iter().enumerate() {
            let item = reader.item(self.fields, index, node);
            (self.slot)(target).extend(item);
        }
    }

    fn describe(&self, path: &str, rows: &mut Vec<FieldHelp>) {
        describe(self.fields, path, rows);
    }

    fn fill(&self, above: &mut T, below: &mut T) {
        if (self.slot)(above).is_empty() {
            std::mem::swap((self.slot)(above), (self.slot)(below));
        }
    }

    fn schema(&self) -> Json {
        schema::mapping(self.fields)
    }
}

impl<T> Accepts<T> {
    /// What is accepted, to follow "must be".
    pub(super) fn words(&self) -> String {
        match self {
            Accepts::Free => "anything".to_owned(),
            Accepts::Flag(_) => "true or false".to_owned(),
            Accepts::Number(least, most, _) => format!("a whole number from {least} to {most}"),
            Accepts::Text(form, _) => form.words.to_owned(),
            Accepts::Texts(form, _) => format!("a list, of which each must be {}", form.words),
            Accepts::Value(shapes, _) => one_of(&shapes.iter().map(|shape| shape.words()).collect::<Vec<_>>()),
            Accepts::Word(choice) => one_of(&choice.words()),
            Accepts::Section(_) => "a mapping".to_owned(),
            Accepts::List(_) => "a list of mappings".to_owned(),
            Accepts::Nothing(_) => "absent".to_owned(),
        }
    }
}

/// Lists the fields of a table with what they accept, sections before what they hold.
pub(super) fn describe<T>(fields: &[Field<T>], above: &str, rows: &mut Vec<FieldHelp>) {
    for field in fields {
        if matches!(field.accepts, Accepts::Nothing(_)) {
            continue;
        }
        let path = match above {
            "" => field.name.to_owned(),
            above => format!("{above}.{}", field.name),
        };
        rows.push(FieldHelp {
            path: path.clone(),
            accepts: field.accepts.words(),
            help: field.help,
            required: field.required,
        });
        match &field.accepts {
            Accepts::Section(fields) => describe(fields, &path, rows),
            Accepts::List(items) => items.describe(&format!("{path}[]"), rows),
            _ => {}
        }
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(super) fn one_of(words: &[&str]) -> String {
    list(words, "or")
}

/// Words with commas between them, and a last word before the last.
pub(super) fn list(words: &[&str], last: &str) -> String {
    match words {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [before @ .., word] => format!("{} {last} {word}", before.join(", ")),
    }
}
