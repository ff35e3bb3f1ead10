//! Filters and functions for templates of manifests, beside those of Tera.
//!
//! None of them, and none of Tera's own (there is no other than these and what Tera 2.4 registers
//! itself), reads the environment, the clock, a file or anything random.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use tera::value::ValueKind;
use tera::{Error, Kwargs, State, Tera, TeraResult, Value};

use super::budget::Budget;
use crate::tree::{self, Key, Mapping, Node};
use crate::{json, yaml};

/// Levels of lists and mappings that a filter writes.
const DEEPEST: usize = 200;

/// Numbers that one call of `range` hands out at the most.
const LONGEST_RANGE: i128 = 100_000;

/// Registers them; what they make counts against a budget. `sources` are the texts of the templates:
/// what `throw` says is repeated only if it stands there.
pub(super) fn register(tera: &mut Tera, budget: &Arc<Budget>, sources: &Arc<[String]>) {
    let counted = |filter: fn(&Value) -> TeraResult<String>| {
        let budget = Arc::clone(budget);
        move |value: Value, _: Kwargs, _: &State| budget.text(filter(&value)?)
    };
    tera.register_filter("yaml", counted(to_yaml));
    tera.register_filter("json", counted(to_json));
    tera.register_filter("quote", counted(quote));
    tera.register_filter("b64encode", counted(|value| Ok(STANDARD.encode(text(value)?))));
    tera.register_filter("b64decode", counted(b64decode));
    tera.register_filter("sha256", counted(|value| Ok(hex(&Sha256::digest(text(value)?)))));
    let made = Arc::clone(budget);
    tera.register_filter("nindent", move |value: Value, args: Kwargs, _: &State| {
        made.text(nindent(&text(&value)?, args.must_get::<usize>("width")?)?)
    });
    let made = Arc::clone(budget);
    tera.register_filter("replace", move |value: Value, args: Kwargs, _: &State| {
        replace(&made, &text(&value)?, args.must_get::<&str>("from")?, args.must_get::<&str>("to")?)
    });
    let handed = Arc::clone(budget);
    tera.register_function("range", move |args: Kwargs, _: &State| range(&handed, &args));
    let sources = Arc::clone(sources);
    tera.register_function("throw", move |args: Kwargs, _: &State| throw(&sources, args.must_get::<&str>("message")?));
}

/// `yaml`: one line for a scalar, quoted where it would be read as something else; a block for a list
/// or a mapping, without a line break at its end.
fn to_yaml(value: &Value) -> TeraResult<String> {
    let node = node(value, 0)?;
    let mut out = String::new();
    yaml::emit(&node, &mut out);
    out.truncate(out.trim_end_matches('\n').len());
    Ok(out)
}

/// `json`: one line.
fn to_json(value: &Value) -> TeraResult<String> {
    let mut out = String::new();
    json::write(&node(value, 0)?, &mut out);
    Ok(out)
}

/// `quote`: the text of a scalar in double quotes, as JSON and YAML read them.
fn quote(value: &Value) -> TeraResult<String> {
    serde_json::to_string(&text(value)?).map_err(|_| Error::message("this cannot be quoted"))
}

fn b64decode(value: &Value) -> TeraResult<String> {
    let bytes = STANDARD.decode(text(value)?.trim()).map_err(|_| Error::message("this is not base64"))?;
    String::from_utf8(bytes).map_err(|_| Error::message("the decoded bytes are not UTF-8"))
}

/// A line break, and every line that is not empty behind `width` spaces.
fn nindent(text: &str, width: usize) -> TeraResult<String> {
    if width > DEEPEST {
        return Err(Error::message("this `width` is too large"));
    }
    let spaces = " ".repeat(width);
    let lines = text.split('\n').map(|line| if line.is_empty() { String::new() } else { format!("{spaces}{line}") });
    Ok(format!("\n{}", lines.collect::<Vec<_>>().join("\n")))
}

/// `replace`, as Tera has it, told beforehand how much it will make.
fn replace(budget: &Budget, text: &str, from: &str, to: &str) -> TeraResult<String> {
    let times = text.matches(from).count();
    let len = (text.len() - times * from.len()).saturating_add(times.saturating_mul(to.len()));
    budget.bytes(len)?;
    Ok(text.replace(from, to))
}

/// `range`, as Tera has it, but that all that a run hands out is counted.
fn range(budget: &Budget, args: &Kwargs) -> TeraResult<Vec<i128>> {
    let start = args.get::<i128>("start")?.unwrap_or_default();
    let end = args.must_get::<i128>("end")?;
    let step = args.get::<i128>("step_by")?.unwrap_or(1);
    if step == 0 {
        return Err(Error::message("the `step_by` of `range` must not be 0"));
    }
    if start > end && step > 0 {
        return Err(Error::message("the `start` of `range` is greater than its `end`"));
    }
    let too_far = || Error::message("these numbers are too large for `range`");
    let (way, stride) = match step > 0 {
        true => (end.checked_sub(start), Some(step)),
        false => (start.checked_sub(end), step.checked_neg()),
    };
    let (way, stride) = (way.ok_or_else(too_far)?.max(0), stride.ok_or_else(too_far)?);
    let count = way / stride + i128::from(way % stride != 0);
    if count > LONGEST_RANGE {
        return Err(Error::message("`range` hands out a hundred thousand numbers at the most"));
    }
    budget.items(u64::try_from(count).unwrap_or(u64::MAX))?;
    Ok((0..count).map(|nth| start + nth * step).collect())
}

/// What a template itself says is wrong. A text that holds values is not repeated.
fn throw(sources: &[String], message: &str) -> TeraResult<bool> {
    let is_written = sources.iter().any(|source| source.contains(message));
    Err(Error::message(match is_written {
        true => format!("the template gives up: {message}"),
        false => "the template gives up, and what it says holds values, which are not shown".to_owned(),
    }))
}

/// The text of a scalar; an error for a list, a mapping, null and what is undefined.
fn text(value: &Value) -> TeraResult<String> {
    match value.kind() {
        ValueKind::Array | ValueKind::Map => {
            Err(Error::message("a list or a mapping has no text: use `json` or `yaml`"))
        }
        ValueKind::Undefined | ValueKind::None => Err(Error::message("there is no value here")),
        _ => Ok(value.to_string()),
    }
}

/// The tree of a value; a value that is not defined is null inside of another one, and an error alone.
fn node(value: &Value, depth: usize) -> TeraResult<Node<'static>> {
    if depth > DEEPEST {
        return Err(Error::message("a value with too many lists and mappings inside of one another"));
    }
    if depth == 0 && (value.is_undefined() || value.is_none()) {
        return Err(Error::message("there is no value here"));
    }
    let made = if let Some(items) = value.as_array() {
        tree::Value::Sequence(items.iter().map(|item| node(item, depth + 1)).collect::<TeraResult<_>>()?)
    } else if let Some(map) = value.as_map() {
        let entry = |(key, value): (&tera::value::Key<'static>, &Value)| {
            Ok((Key::made(key.to_string()), node(value, depth + 1)?))
        };
        tree::Value::Mapping(Mapping::new(map.iter().map(entry).collect::<TeraResult<_>>()?))
    } else if let Some(text) = value.as_str() {
        tree::Value::String(text.to_owned().into())
    } else if let Some(flag) = value.as_bool() {
        tree::Value::Bool(flag)
    } else if let Some(number) = value.as_i64() {
        tree::Value::I64(number)
    } else if let Some(number) = value.as_u64() {
        tree::Value::U64(number)
    } else if value.is_f64() {
        let number = value.as_f64().filter(|number| number.is_finite());
        tree::Value::float(number.ok_or_else(|| Error::message("a number that JSON cannot say"))?)
    } else if value.is_number() {
        tree::Value::Number(value.to_string().into())
    } else {
        tree::Value::Null
    };
    Ok(Node::made(made))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Limits;
    use tera::Context;

    /// What a template prints.
    fn printed(template: &str) -> String {
        let mut tera = Tera::default();
        let budget = Arc::new(Budget::new(&Limits::default()));
        register(&mut tera, &budget, &Arc::from([]));
        let mut context = Context::new();
        context.insert("map", &serde_json::json!({"a": "yes", "b": [1, 2.5, null], "c": {}, "d": "x\ny\n"}));
        context.insert("bom", "\u{feff}1.10");
        match tera.add_raw_template("t", template).and_then(|()| tera.render("t", &context)) {
            Ok(text) => text,
            Err(error) => error.to_string().lines().next().unwrap().to_owned(),
        }
    }

    #[test]
    fn scalars_are_written_so_that_yaml_reads_them_back() {
        for (template, text) in [
            ("{{ \"yes\" | yaml }}", "\"yes\""),
            ("{{ \"1.10\" | yaml }}", "\"1.10\""),
            ("{{ \"0777\" | yaml }}", "\"0777\""),
            ("{{ \"a: b\" | yaml }}", "\"a: b\""),
            ("{{ \"plain\" | yaml }}", "plain"),
            ("{{ 3 | yaml }}", "3"),
            ("{{ true | yaml }}", "true"),
            ("{{ 1.5 | yaml }}", "1.5"),
            ("{{ 3 | quote }}", "\"3\""),
            ("{{ \"a\\\"b\" | quote }}", "\"a\\\"b\""),
            ("{{ map | json }}", r#"{"a":"yes","b":[1,2.5,null],"c":{},"d":"x\ny\n"}"#),
            ("{{ map | yaml }}", "a: \"yes\"\nb:\n- 1\n- 2.5\n- null\nc: {}\nd: |\n  x\n  y"),
            ("{{ map.b | yaml | nindent(width=2) }}", "\n  - 1\n  - 2.5\n  - null"),
            ("{{ map.d | yaml }}", "\"x\\ny\\n\""),
        ] {
            assert_eq!(printed(template), text, "{template}");
        }
    }

    #[test]
    fn digests_and_base64() {
        for (template, text) in [
            ("{{ \"a\" | sha256 }}", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"),
            ("{{ \"hello\" | b64encode }}", "aGVsbG8="),
            ("{{ \"aGVsbG8=\" | b64decode }}", "hello"),
            ("{{ \"?\" | b64decode }}", "error: this is not base64"),
            ("{{ \"/w==\" | b64decode }}", "error: the decoded bytes are not UTF-8"),
            ("{{ map | sha256 }}", "error: a list or a mapping has no text: use `json` or `yaml`"),
            ("{{ none | quote }}", "error: there is no value here"),
        ] {
            assert_eq!(printed(template), text, "{template}");
        }
    }

    #[test]
    fn ranges_are_those_of_tera() {
        for (template, text) in [
            ("{{ range(end=3) }}", "[0, 1, 2]"),
            ("{{ range(start=1, end=6, step_by=2) }}", "[1, 3, 5]"),
            ("{{ range(start=3, end=0, step_by=-2) }}", "[3, 1]"),
            ("{{ range(start=0, end=3, step_by=-1) }}", "[]"),
            ("{{ range(start=3, end=0) }}", "error: the `start` of `range` is greater than its `end`"),
            ("{{ range(end=3, step_by=0) }}", "error: the `step_by` of `range` must not be 0"),
            ("{{ range(end=100001) }}", "error: `range` hands out a hundred thousand numbers at the most"),
        ] {
            assert_eq!(printed(template), text, "{template}");
        }
    }

    #[test]
    fn what_reads_the_machine_is_not_there() {
        for template in [
            "{{ now() }}",
            "{{ get_env(name=\"HOME\") }}",
            "{{ get_random(start=0, end=9) }}",
            "{{ load_data(path=\"/etc/passwd\") }}",
            "{{ uuid() }}",
            "{{ 0 | date }}",
        ] {
            assert!(printed(template).contains("Failed") || printed(template).starts_with("error"), "{template}");
        }
        for (template, names) in [("{{ now() }}", "now"), ("{{ get_env(name=\"HOME\") }}", "get_env")] {
            let mut tera = Tera::default();
            let error = tera.add_raw_template("t", template).unwrap_err().to_string();
            assert!(error.contains(&format!("Unknown function `{names}`")), "{error}");
        }
    }
}
