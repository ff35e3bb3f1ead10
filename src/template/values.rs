//! Values for templates: files and settings, one over the other.

use serde_json::{Map, Value as Json};

use crate::finding::{Finding, Findings, Label, rules::templates as rules};
use crate::json;
use crate::source::{FileId, Limits, Place};
use crate::yaml;

/// Items that a list of `--set` may have.
const LONGEST_LIST: usize = 10_000;

/// A tree of values. What comes later goes over what came before: mappings key by key, at every depth,
/// everything else as a whole; null takes a key away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(Map<String, Json>);

/// An assignment that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// There is no `=` behind a name.
    #[error("write NAME=VALUE, with dots between the names of a path: image.tag=1.4")]
    NoValue,
    /// A name is empty, or goes on behind its index.
    #[error("a name is empty or cannot be read; names are NAME.NAME or NAME[INDEX], a backslash takes a dot as it is")]
    Name,
    /// An index that is none, or too large.
    #[error("an index is a number below {LONGEST_LIST}: hosts[0]=a")]
    Index,
    /// A name goes into something that is neither a list nor a mapping.
    #[error("what stands before an index is no list, or what stands before a name no mapping")]
    Other,
}

/// A step of the name of a value.
#[derive(Debug)]
enum Step {
    Key(String),
    Index(usize),
}

impl Values {
    /// All values as an object.
    pub fn json(&self) -> Json {
        Json::Object(self.0.clone())
    }

    /// Lays the values of a file over these: one YAML or JSON document that is a mapping, or nothing.
    ///
    /// What is wrong with it is pushed, and nothing of it counts.
    pub fn merge(&mut self, text: &str, file: FileId, limits: &Limits, found: &mut Findings) {
        let wrong = |message: &str| {
            Finding::new(&rules::VALUES, message)
                .with_label(Label::new(Place::file(file)))
                .with_remedy("a file with values is one YAML document: names, and a value for each")
        };
        let mut read = None;
        for chunk in yaml::chunks(text) {
            if chunk.check_separator(file, found).is_err() {
                return;
            }
            match yaml::parse(chunk.text, chunk.start(file), limits, found) {
                Ok(None) => {}
                Ok(Some(_)) if read.is_some() => return found.push(wrong("a file with values has two documents")),
                Ok(Some(node)) => read = Some(json::to_value(&node)),
                Err(_) => return,
            }
        }
        match read {
            Some(Json::Object(over)) => merge(&mut self.0, over),
            None => {}
            Some(_) => found.push(wrong("a file with values is no mapping")),
        }
    }

    /// Sets values as `helm --set` does: `a.b=c`, several with commas between them, `hosts[0]=x`,
    /// `list={a,b}`; a backslash takes the next character as it is. `true`, `false`, `null` and whole
    /// numbers without a leading zero are what they say, everything else is a string.
    ///
    /// Source of the types: helm, `pkg/strvals` (`typedVal`).
    ///
    /// # Errors
    /// The text is no list of assignments.
    pub fn set(&mut self, text: &str) -> Result<(), SetError> {
        for assignment in split(text, ',') {
            let mut parts = split(assignment, '=').into_iter();
            let name = parts.next().unwrap_or_default();
            if name.len() == assignment.len() {
                return Err(SetError::NoValue);
            }
            let value = value(&assignment[name.len() + 1..]);
            let mut root = Json::Object(std::mem::take(&mut self.0));
            let put = put(&mut root, &steps(name)?, value);
            if let Json::Object(map) = root {
                self.0 = map;
            }
            put?;
        }
        Ok(())
    }
}

/// Lays one mapping over another.
fn merge(under: &mut Map<String, Json>, over: Map<String, Json>) {
    for (key, value) in over {
        match (under.get_mut(&key), value) {
            (_, Json::Null) => {
                under.shift_remove(&key);
            }
            (Some(Json::Object(under)), Json::Object(over)) => merge(under, over),
            (_, value) => {
                under.insert(key, value);
            }
        }
    }
}

/// Parts between separators that stand outside of braces and behind no backslash.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut escaped, mut start) = (0_u32, false, 0);
    let mut parts = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            c if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A text without its backslashes.
fn unescaped(text: &str) -> String {
    let (mut out, mut escaped) = (String::new(), false);
    for c in text.chars() {
        if c == '\\' && !escaped {
            escaped = true;
        } else {
            out.push(c);
            escaped = false;
        }
    }
    out
}

fn value(text: &str) -> Json {
    if let Some(items) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let items = split(items, ',').into_iter().map(str::trim).filter(|item| !item.is_empty());
        return Json::Array(items.map(value).collect());
    }
    match text {
        "true" => Json::Bool(true),
        "false" => Json::Bool(false),
        "null" => Json::Null,
        "0" => Json::from(0),
        text if text.starts_with('0') => Json::from(unescaped(text)),
        text => text.parse::<i64>().map_or_else(|_| Json::from(unescaped(text)), Json::from),
    }
}

fn steps(name: &str) -> Result<Vec<Step>, SetError> {
    let mut steps = Vec::new();
    for part in split(name.trim(), '.') {
        let (key, mut indices) = match part.find('[') {
            Some(at) => part.split_at(at),
            None => (part, ""),
        };
        if key.is_empty() {
            return Err(SetError::Name);
        }
        steps.push(Step::Key(unescaped(key)));
        while let Some(rest) = indices.strip_prefix('[') {
            let (index, rest) = rest.split_once(']').ok_or(SetError::Index)?;
            let index: usize = index.parse().map_err(|_| SetError::Index)?;
            if index >= LONGEST_LIST {
                return Err(SetError::Index);
            }
            steps.push(Step::Index(index));
            indices = rest;
        }
        if !indices.is_empty() {
            return Err(SetError::Name);
        }
    }
    Ok(steps)
}

fn put(at: &mut Json, steps: &[Step], value: Json) -> Result<(), SetError> {
    let Some((step, rest)) = steps.split_first() else {
        *at = value;
        return Ok(());
    };
    match step {
        Step::Key(key) => {
            if at.is_null() {
                *at = Json::Object(Map::new());
            }
            let map = at.as_object_mut().ok_or(SetError::Other)?;
            if rest.is_empty() && value.is_null() {
                map.shift_remove(key);
                return Ok(());
            }
            put(map.entry(key.clone()).or_insert(Json::Null), rest, value)
        }
        Step::Index(index) => {
            if at.is_null() {
                *at = Json::Array(Vec::new());
            }
            let list = at.as_array_mut().ok_or(SetError::Other)?;
            if list.len() <= *index {
                list.resize(index + 1, Json::Null);
            }
            put(&mut list[*index], rest, value)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, SourceMap};

    fn set(texts: &[&str]) -> Result<Json, SetError> {
        let mut values = Values::default();
        texts.iter().try_for_each(|text| values.set(text)).map(|()| values.json())
    }

    #[test]
    fn settings_are_typed_as_helm_types_them() {
        for (text, json) in [
            ("a=1", r#"{"a":1}"#),
            ("a=007", r#"{"a":"007"}"#),
            ("a=0", r#"{"a":0}"#),
            ("a=1.5", r#"{"a":"1.5"}"#),
            ("a=true,b=yes", r#"{"a":true,"b":"yes"}"#),
            ("a.b.c=x", r#"{"a":{"b":{"c":"x"}}}"#),
            (r"a\.b=x\,y", r#"{"a.b":"x,y"}"#),
            ("a={x,1,{y}}", r#"{"a":["x",1,["y"]]}"#),
            ("a[1].b=x", r#"{"a":[null,{"b":"x"}]}"#),
            ("a=", r#"{"a":""}"#),
            ("a=b=c", r#"{"a":"b=c"}"#),
        ] {
            assert_eq!(set(&[text]).map(|json| json.to_string()), Ok(json.to_owned()), "{text}");
        }
        assert_eq!(
            set(&["a.b=1", "a.c=2", "a.b=null"]).map(|json| json.to_string()),
            Ok(r#"{"a":{"c":2}}"#.to_owned())
        );
        for (text, error) in [
            ("a", SetError::NoValue),
            ("a..b=1", SetError::Name),
            ("=1", SetError::Name),
            ("a[x]=1", SetError::Index),
            ("a[1000000000]=1", SetError::Index),
            ("a[0]b=1", SetError::Name),
            ("a=1,a.b=2", SetError::Other),
        ] {
            assert_eq!(set(&[text]), Err(error), "{text}");
        }
    }

    #[test]
    fn files_go_over_one_another() {
        let file = SourceMap::default().add(SourceFile::new("v.yaml", ""));
        let mut values = Values::default();
        let mut found = Findings::default();
        for text in ["a: {b: 1, c: [1, 2]}\nd: x\n", "a: {c: [3], e: 0x10}\nd: null\n", "# nothing\n"] {
            values.merge(text, file, &Limits::default(), &mut found);
        }
        assert!(found.sorted().is_empty());
        assert_eq!(values.json().to_string(), r#"{"a":{"b":1,"c":[3],"e":16}}"#);
        for text in ["- a\n", "a: 1\n---\nb: 2\n", "a: [\n"] {
            let mut found = Findings::default();
            values.merge(text, file, &Limits::default(), &mut found);
            assert_eq!(found.exit_code(crate::finding::Threshold::Error), 3, "{text}");
        }
    }
}
