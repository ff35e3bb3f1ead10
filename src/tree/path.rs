//! Paths to fields, as messages show them.

use std::fmt;

/// One step of a [`FieldPath`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// The value under a key.
    Key(Box<str>),
    /// An item of a list, from 0.
    Index(usize),
}

/// The way from the root of a document to a field. Shown as `spec.containers[0].image`; a key that
/// holds anything but letters, digits, `-` and `_` stands in brackets: `data["app.ini"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath {
    steps: Vec<Step>,
}

impl FieldPath {
    /// The path through these keys.
    pub fn keys<'k>(keys: impl IntoIterator<Item = &'k str>) -> Self {
        FieldPath { steps: keys.into_iter().map(|key| Step::Key(key.into())).collect() }
    }

    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// This path and one key more.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut path = self.clone();
        path.push_key(key);
        path
    }

    /// This path and one item more, counted from 0.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut path = self.clone();
        path.push_index(index);
        path
    }

    /// Goes one key deeper.
    pub fn push_key(&mut self, key: &str) {
        self.steps.push(Step::Key(key.into()));
    }

    /// Goes to an item, counted from 0.
    pub fn push_index(&mut self, index: usize) {
        self.steps.push(Step::Index(index));
    }

    /// Goes back one step.
    pub fn pop(&mut self) {
        self.steps.pop();
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, step) in self.steps.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) if is_plain(key) => {
                    if nth > 0 {
                        f.write_str(".")?;
                    }
                    f.write_str(key)?;
                }
                Step::Key(key) => write!(f, "[{key:?}]")?,
            }
        }
        Ok(())
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_keys_stand_in_brackets() {
        let path = FieldPath::keys(["spec", "containers"]).index(0).key("app.ini").key("x-y");
        assert_eq!(path.to_string(), "spec.containers[0][\"app.ini\"].x-y");
    }
}
