//! `docs/tidegate.schema.json`, which editors check a `tidegate.yaml` by, is made from the tables that read one;
//! `cargo bless` writes it.

use serde_json::Value;

use crate::place::root;

#[test]
fn the_schema_of_the_configuration_is_current() {
    let path = root().join("docs/tidegate.schema.json");
    let schema = tidegate::config::schema();
    if std::env::var_os("TRYCMD").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, &schema).expect("the schema is written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == schema, "docs/tidegate.schema.json is not what the tables say: run `cargo bless`");
}

#[test]
fn the_schema_has_every_field_and_no_other() {
    let schema: Value = serde_json::from_str(&tidegate::config::schema()).expect("the schema is JSON");
    let mut paths = Vec::new();
    collect(&schema, "", &mut paths);
    let mut fields: Vec<String> = tidegate::config::fields().into_iter().map(|field| field.path).collect();
    paths.sort();
    fields.sort();
    assert_eq!(paths, fields);
}

/// The paths of all properties, as the list of fields has them.
fn collect(schema: &Value, above: &str, paths: &mut Vec<String>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        paths.push(path.clone());
        collect(property, &path, paths);
        collect(&property["items"], &format!("{path}[]"), paths);
    }
}

/// A configuration comes with the input: whoever writes one must not be able to have a program started or a file read
/// that lies outside of the root.
#[test]
fn a_configuration_names_no_program_and_no_file_outside() {
    let fields = tidegate::config::fields();
    let files: Vec<&str> =
        fields.iter().filter(|field| field.accepts.contains("a path below")).map(|field| field.path.as_str()).collect();
    assert_eq!(files, ["spec.templates.values", "spec.patches[].path"]);
    let forbidden = ["command", "exec", "program", "binary", "plugin", "script", "shell", "url", "file", "key-file"];
    let last = |path: &str| path.rsplit(['.', ']']).next().unwrap_or_default().to_lowercase();
    let bad: Vec<&str> = fields
        .iter()
        .map(|field| field.path.as_str())
        .filter(|path| forbidden.contains(&last(path).as_str()))
        .collect();
    assert!(bad.is_empty(), "{bad:?}");
}
