use super::*;
use crate::config::OpenApi;
use crate::source::{SourceFile, SourceMap};

/// What is said of objects under a schema: `severity field words`.
fn said(text: &str, settings: &Settings) -> String {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let mut found = Findings::default();
    let loaded = crate::load::objects(&sources, settings, &mut found);
    let linked = crate::refs::link(loaded, settings, &mut found);
    let planned = Planned { linked, ..Planned::default() };
    let mut found = Findings::default();
    run(&planned, settings, &mut found);
    let lines = found.sorted().into_iter().map(|finding| {
        let place = finding.place().map(|place| text[place.start..place.end].lines().next().unwrap_or_default());
        let message = finding.message.replace(" of A a", "");
        format!("{} {message} @{}", finding.severity, place.unwrap_or("nowhere"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What is said of an object `spec: SPEC` whose definition holds `spec` to SCHEMA, both in flow style.
fn of(schema: &str, spec: &str) -> String {
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: as.x.io}}\nspec:\n  \
         group: x.io\n  names: {{kind: A, plural: as}}\n  scope: Cluster\n  versions:\n  - name: v1\n    served: true\n    \
         storage: true\n    schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {schema}}}}}}}\n---\n\
         apiVersion: x.io/v1\nkind: A\nmetadata: {{name: a}}\nspec: {spec}\n"
    );
    said(&text, &Settings::default())
}

#[test]
fn types_are_those_of_kubernetes() {
    for (schema, fitting, wrong) in [
        ("{type: string}", "a", "1"),
        ("{type: integer}", "1.0", "1.5"),
        ("{type: integer}", "1", "'1'"),
        ("{type: number}", "1", "a"),
        ("{type: boolean}", "yes", "'yes'"),
        ("{type: array, items: {type: string}}", "[a]", "[1]"),
        ("{type: object}", "{}", "[]"),
        ("{x-kubernetes-int-or-string: true}", "50%", "true"),
        ("{anyOf: [{type: integer}, {type: string}], x-kubernetes-int-or-string: true}", "1", "[]"),
        ("{type: string, nullable: true}", "null", "1"),
        ("{type: string}", "'${LATER}'", "no"),
        ("{type: integer}", "'${LATER}'", "later"),
        ("{type: string, enum: [A, B]}", "A", "C"),
        ("{type: integer, enum: [1]}", "1.0", "2"),
        ("{type: string, pattern: '^a+$'}", "aa", "ab"),
        ("{type: string, minLength: 2, maxLength: 3}", "äöü", "ä"),
        ("{type: integer, minimum: 1, maximum: 3}", "3", "4"),
        ("{type: integer, minimum: 1, exclusiveMinimum: true}", "2", "1"),
        ("{type: integer, multipleOf: 5}", "10", "11"),
        ("{type: array, minItems: 1, items: {type: string}}", "[a]", "[]"),
        ("{type: object, maxProperties: 1, additionalProperties: {type: string}}", "{a: b}", "{a: b, c: d}"),
        ("{type: object, additionalProperties: {type: string}}", "{a: b}", "{a: 1}"),
        ("{type: object, required: [a], properties: {a: {type: string}}}", "{a: b}", "{a: null}"),
        ("{type: object, required: [a], properties: {a: {type: string, default: x}}}", "{a: null}", "[]"),
        ("{type: object, required: [a], properties: {a: {type: string, default: x}}}", "{}", "{a: 1}"),
        ("{type: array, x-kubernetes-list-type: set, items: {type: string}}", "[a, b]", "[a, a]"),
        (
            "{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, p], items: {type: object, \
             properties: {k: {type: string}, p: {type: string, default: TCP}}}}",
            "[{k: a}, {k: a, p: UDP}]",
            "[{k: a}, {k: a, p: TCP}]",
        ),
        (
            "{type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}",
            "{a: x}",
            "{a: x, b: z}",
        ),
        ("{type: object, properties: {a: {type: string}}, not: {required: [a]}}", "{}", "{a: x}"),
        (
            "{type: object, x-kubernetes-embedded-resource: true}",
            "{apiVersion: v1, kind: B, metadata: {x: 1}}",
            "{kind: B}",
        ),
    ] {
        assert_eq!(of(schema, fitting), "", "{schema} {fitting}");
        let wrong_is = of(schema, wrong);
        assert!(wrong_is.starts_with("error spec") && wrong_is.lines().count() == 1, "{schema} {wrong}: {wrong_is}");
    }
}

#[test]
fn unknown_fields_are_what_the_server_drops() {
    let known = "{type: object, properties: {replicas: {type: integer}, free: {type: object, \
                 x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: object}}}}}";
    assert_eq!(of(known, "{replicas: 1, free: {b: {c: 1}}}"), "");
    insta::assert_snapshot!(of(known, "{replicsa: 1, other: {c: 1}, free: {a: {c: 1}}}"), @"
    error spec.replicsa is no field that its definition knows @replicsa
    warning spec.other is no field that its definition knows @other
    warning spec.free.a.c is no field that its definition knows @c
    ");
    // with the right name there, it is no slip
    assert!(of(known, "{replicas: 1, replicsa: 1}").starts_with("warning"));
    insta::assert_snapshot!(said("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, lables: {x: y}}\n", &Settings::default()), @"error metadata.lables of ConfigMap a is no field that the metadata of an object knows @lables");
}

#[test]
fn messages_say_what_is_demanded() {
    insta::assert_snapshot!(of("{type: object, required: [mode], properties: {mode: {type: string}, nr: {type: integer}}}", "{nr: '3'}"), @"
    error spec.mode is required and not there @{nr: '3'}
    error spec.nr must be an integer; it is a string @'3'
    ");
    let many: Vec<_> = (0..20).map(|nth| format!("v{nth}")).collect();
    insta::assert_snapshot!(of(&format!("{{type: string, enum: [{}]}}", many.join(", ")), "x"), @"error spec must be one of `v0`, `v1`, `v2`, `v3`, `v4`, `v5`, `v6`, `v7`, ... (12 more) @x");
}

#[test]
fn work_is_bounded() {
    let part = "{type: string, minLength: 1}";
    let parts = vec![part; 3_000].join(", ");
    let schema = format!("{{type: array, items: {{allOf: [{parts}]}}}}");
    let items = vec!["a"; 2_000].join(", ");
    assert!(of(&schema, &format!("[{items}]")).contains("too large"));
    let default = format!("[{}]", vec!["a"; 1_000].join(", "));
    let schema = format!(
        "{{type: array, items: {{type: object, properties: {{d: {{type: array, items: {{type: string}}, default: {default}}}}}}}}}"
    );
    let items = vec!["{}"; 1_000].join(", ");
    assert!(of(&schema, &format!("[{items}]")).contains("too large"));
}

#[test]
fn what_is_built_in_is_held_to_published_schemas() {
    let document = r##"{"definitions": {
        "io.k8s.api.apps.v1.Deployment": {"type": "object", "properties": {
            "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"$ref": "#/definitions/Meta"},
            "spec": {"$ref": "#/definitions/Spec"}},
            "x-kubernetes-group-version-kind": [{"group": "apps", "version": "v1", "kind": "Deployment"}]},
        "Meta": {"type": "object", "properties": {"name": {"type": "string"}, "labels": {"type": "object",
            "additionalProperties": {"type": "string"}}}},
        "Spec": {"type": "object", "required": ["selector"], "properties": {"replicas": {"type": "integer"},
            "selector": {"type": "object"}, "max": {"type": "string", "format": "int-or-string"},
            "cpu": {"$ref": "#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity"},
            "loop": {"$ref": "#/definitions/Loop"}, "v3": {"allOf": [{"$ref": "#/definitions/Spec"}], "default": {}}}},
        "Loop": {"$ref": "#/definitions/Loop"},
        "io.k8s.apimachinery.pkg.api.resource.Quantity": {"type": "string"}}}"##;
    let settings = Settings { openapi: Some(OpenApi::read([document]).unwrap()), ..Settings::default() };
    let of = |spec: &str| {
        said(&format!("apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a}}\nspec: {spec}\n"), &settings)
            .replace(" of Deployment a", "")
    };
    assert_eq!(of("{selector: {x: 1}, replicas: null, max: 1, cpu: 2, loop: {a: 1}, v3: {selector: {}}}"), "");
    insta::assert_snapshot!(of("{replica: 1, replicas: x, v3: {selector: {}, replicsa: 2}}"), @"
    warning spec.selector is required and not there @{replica: 1, replicas: x, v3: {selector: {}, replicsa: 2}}
    warning spec.replica is no field that its schema knows @replica
    error spec.replicas must be an integer; it is a string @x
    error spec.v3.replicsa is no field that its schema knows @replicsa
    ");
}

#[cfg(feature = "cel")]
#[test]
fn rules_of_definitions_are_evaluated() {
    let schema = "{type: object, properties: {a: {type: integer, default: 1}, b: {type: integer}, l: {type: array, items: {type: object, \
                  properties: {n: {type: integer}}, x-kubernetes-validations: [{rule: 'self.n > 0', message: n is too small}]}}}, \
                  x-kubernetes-validations: [{rule: 'self.a < self.b', message: a is not below b, messageExpression: \"'it is ' + string(self.b)\"}, \
                  {rule: 'self.b >= oldSelf.b', message: b may only grow}, {rule: 'nothing(self)', message: no such function}, \
                  {rule: '((((', message: broken}]}";
    assert_eq!(of(schema, "{b: 2, l: [{n: 1}]}"), "");
    insta::assert_snapshot!(of(schema, "{b: 1, l: [{n: 1}, {n: 0}]}"), @"
    error spec is refused by a rule of its definition: a is not below b @{b: 1, l: [{n: 1}, {n: 0}]}
    error spec.l[1] is refused by a rule of its definition: n is too small @{n: 0}
    ");
    // rules that would take too long, or are written to exhaust the reader, are left to the server
    let deep = format!(
        "{{type: string, x-kubernetes-validations: [{{rule: '{}self{}'}}]}}",
        "(".repeat(5_000),
        ")".repeat(5_000)
    );
    assert_eq!(of(&deep, "a"), "");
    let loops = "self.all(a, self.all(b, self.all(c, a == b && b == c)))";
    let slow = format!("{{type: array, items: {{type: string}}, x-kubernetes-validations: [{{rule: '{loops}'}}]}}");
    let items = (0..2_000).map(|nth| format!("a{nth}")).collect::<Vec<_>>().join(", ");
    assert_eq!(of(&slow, &format!("[{items}]")), "");
}
