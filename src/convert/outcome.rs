//! What happened to an object that was converted.

use crate::finding::rules::conversion as rules;
use crate::finding::{Finding, Label, Rule};
use crate::object::Object;
use crate::tree::FieldPath;

/// What happened to one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Fields that the target cannot hold, and that are gone (or carried).
    pub losses: Vec<Loss>,
    /// What else there is to say.
    pub notes: Vec<Note>,
    /// Fields of metadata, and `status`, that were stripped, as they were written.
    pub stripped: Vec<FieldPath>,
    /// The weights of a TrafficSplit, in the order of its backends.
    pub weights: Vec<WeightChange>,
}

/// A field that the target cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The field in the object as it was.
    pub path: FieldPath,
    /// What its loss means, in one line.
    pub what: String,
    /// Whether it travels in the annotation, so that nothing is lost.
    pub carried: bool,
}

/// What a [`Note`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A field that no version of the API knows was kept.
    UnknownField,
    /// `ownerReferences` were taken out.
    OwnerReferences,
    /// `finalizers` were kept.
    Finalizers,
    /// A Quantity was read where a whole number belongs.
    Lenient,
    /// Weights were rounded, since exact ones would pass the limit.
    Rounded,
    /// Whole weights that were there already pass the limit.
    AboveLimit,
}

/// Something to say about a conversion that went on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The field in the object as it was.
    pub path: FieldPath,
    /// What to say, without the object.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// The weight of a backend before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightChange {
    /// The backend.
    pub backend: String,
    /// As it was written.
    pub before: String,
    /// As it is written now.
    pub after: String,
    /// Its share before, in percent of all; 0 where all weights are 0.
    pub percent_before: f64,
    /// Its share after.
    pub percent_after: f64,
}

impl Note {
    /// The rule of a finding of this.
    pub fn rule(&self) -> &'static Rule {
        match self.kind {
            NoteKind::UnknownField => &rules::UNKNOWN_FIELD,
            NoteKind::OwnerReferences => &rules::OWNER_REFERENCES,
            NoteKind::Finalizers => &rules::FINALIZERS,
            NoteKind::Lenient => &rules::READ_LENIENTLY,
            NoteKind::Rounded => &rules::ROUNDED,
            NoteKind::AboveLimit => &rules::ABOVE_LIMIT,
        }
    }
}

impl Report {
    /// The findings of this, with the places that the object (as it was before) has for them.
    pub fn findings(&self, object: &Object<'_>) -> Vec<Finding> {
        let finding = |rule, what: &str, path: &FieldPath| {
            Finding::new(rule, format!("{}: {what}", object.id))
                .with_object(&object.id)
                .with_label(Label::new(object.place_of(path)).path(path.clone()))
        };
        let lost = self.losses.iter().filter(|loss| !loss.carried);
        let lost = lost.map(|loss| finding(&rules::LOST, &loss.what, &loss.path));
        let noted =
            self.notes.iter().map(|note| finding(note.rule(), &note.what, &note.path).with_remedy(&*note.remedy));
        lost.chain(noted).collect()
    }
}
