//! The configuration as a JSON Schema, for editors.

use serde_json::{Map, Value as Json, json};

use super::table::{Accepts, Field};

/// The dialect that the schema is written in.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of a document whose fields a table lists.
pub(super) fn document<T>(fields: &[Field<T>]) -> Json {
    let mut schema = json!({
        "$schema": DIALECT,
        "title": "tidegate.yaml",
        "description": "The configuration of tidegate.",
    });
    if let (Json::Object(schema), Json::Object(mapping)) = (&mut schema, mapping(fields)) {
        schema.extend(mapping);
    }
    schema
}

/// A mapping of these fields and no others.
pub(super) fn mapping<T>(fields: &[Field<T>]) -> Json {
    let known = fields.iter().filter(|field| !matches!(field.accepts, Accepts::Nothing(_)));
    let properties: Map<String, Json> = known.map(|field| (field.name.to_owned(), property(field))).collect();
    let required: Vec<&str> = fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The schema of one field. A field that may be absent may be null too.
fn property<T>(field: &Field<T>) -> Json {
    let mut schema = json!({ "description": description(field) });
    let value = match &field.accepts {
        Accepts::Free | Accepts::Nothing(_) => json!({}),
        Accepts::Flag(_) => json!({ "type": "boolean" }),
        Accepts::Number(least, most, _) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        // words that are of the form themselves are the only text of that form
        // the words of a form are the form itself where there is only one
        Accepts::Text(form, _) if !form.words.contains(' ') && (form.holds)(form.words) => {
            json!({ "type": "string", "const": form.words })
        }
        Accepts::Text(..) => json!({ "type": "string" }),
        Accepts::Word(choice) => json!({ "type": "string", "enum": choice.words() }),
        Accepts::Texts(..) => json!({ "type": "array", "items": { "type": "string" } }),
        Accepts::Value(shapes, _) => json!({ "type": shapes.iter().map(|shape| shape.json()).collect::<Vec<_>>() }),
        Accepts::Section(fields) => mapping(fields),
        Accepts::List(items) => json!({ "type": "array", "items": items.schema() }),
    };
    if let (Json::Object(schema), Json::Object(value)) = (&mut schema, value) {
        schema.extend(value);
        if !field.required {
            or_null(schema);
        }
    }
    schema
}

/// Lets a value be null where its type is given.
fn or_null(schema: &mut Map<String, Json>) {
    match schema.get_mut("type") {
        Some(Json::Array(types)) => types.push(json!("null")),
        Some(one) => *one = json!([one.take(), "null"]),
        None => return,
    }
    if let Some(Json::Array(words)) = schema.get_mut("enum") {
        words.push(Json::Null);
    }
}

/// What the field does, and what it accepts where a type does not say it.
fn description<T>(field: &Field<T>) -> String {
    match &field.accepts {
        Accepts::Text(form, _) if !(form.holds)(form.words) => format!("{}: {}", field.help, form.words),
        Accepts::Texts(form, _) => format!("{}: each is {}", field.help, form.words),
        _ => field.help.to_owned(),
    }
}
