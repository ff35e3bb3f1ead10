//! What a user says of an object's place in the order: `tidegate.dev/order`.

use super::Object;
use super::annotation::ORDER;

/// A stage that a user names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderStage {
    /// `stage=config`.
    Config,
    /// `stage=crd`.
    Crd,
    /// `stage=workload`.
    Workload,
}

/// What a user says of an object's place in the order; nothing where the annotation is silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Nothing waits for what the object makes.
    pub no_wait: bool,
    /// The stage that it goes to.
    pub stage: Option<OrderStage>,
}

/// One word of the annotation.
#[derive(Clone, Copy)]
enum Said {
    NoWait,
    Stage(OrderStage),
}

const ALL: &[(&str, Said)] = &[
    ("no-wait", Said::NoWait),
    ("stage=config", Said::Stage(OrderStage::Config)),
    ("stage=crd", Said::Stage(OrderStage::Crd)),
    ("stage=workload", Said::Stage(OrderStage::Workload)),
];

/// Every word that the annotation may hold.
pub fn words() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(word, _)| *word)
}

impl Order {
    /// Reads the annotation of an object. Words that mean nothing do not count ([`unknown_words`]);
    /// of two stages the last one does.
    pub fn of(object: &Object<'_>) -> Self {
        let mut order = Order::default();
        for word in split(object.annotation(ORDER).unwrap_or("")) {
            match ALL.iter().find(|(known, _)| *known == word) {
                Some((_, Said::NoWait)) => order.no_wait = true,
                Some((_, Said::Stage(stage))) => order.stage = Some(*stage),
                None => {}
            }
        }
        order
    }
}

/// The words of an annotation's text that mean nothing.
pub fn unknown_words(text: &str) -> impl Iterator<Item = &str> {
    split(text).filter(|word| !words().any(|known| known == *word))
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Name, ObjectId, Origin};
    use super::*;
    use crate::json::from_value;
    use crate::source::{DocumentStart, SourceFile, SourceMap};

    fn order(text: &str) -> Order {
        let file = SourceMap::default().add(SourceFile::new("a.yaml", ""));
        let id = ObjectId { group: "".into(), kind: "A".into(), namespace: None, name: Name::Fixed("a".into()) };
        Order::of(&Object {
            id,
            version: "v1".into(),
            tree: from_value(json!({"metadata": {"annotations": {ORDER: text}}})),
            origin: Origin { document: DocumentStart { file, offset: 0 } },
            patched: Default::default(),
        })
    }

    #[test]
    fn words_stand_between_commas() {
        assert_eq!(order("no-wait"), Order { no_wait: true, stage: None });
        let stage = Some(OrderStage::Workload);
        assert_eq!(order(" stage=workload , no-wait,"), Order { no_wait: true, stage });
        assert_eq!(order("nowait,stage"), Order::default());
        assert_eq!(unknown_words("nowait, no-wait,,stage=late").collect::<Vec<_>>(), ["nowait", "stage=late"]);
    }
}
