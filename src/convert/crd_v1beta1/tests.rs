#![allow(clippy::too_many_lines, reason = "whole documents are compared")]

use super::*;
use crate::source::{DocumentStart, Limits, SourceFile, SourceMap};
use crate::yaml;

fn read(text: &str) -> Node<'_> {
    let file = SourceMap::default().add(SourceFile::new("a.yaml", ""));
    let at = DocumentStart { file, offset: 0 };
    yaml::parse(text, at, &Limits::default(), &mut Findings::default()).unwrap().unwrap()
}

/// The `spec` of the result, then what was said: `!` before what v1 refuses.
fn converted(spec: &str) -> String {
    let spec: String = spec.lines().map(|line| format!("  {line}\n")).collect();
    let text = format!("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec:\n{spec}");
    let tree = read(&text);
    let (tree, notes) = to_v1(&tree);
    assert_eq!(tree.get("apiVersion").and_then(Node::as_str), Some("apiextensions.k8s.io/v1"));
    let mut out = String::new();
    yaml::emit(tree.get("spec").unwrap(), &mut out);
    for note in notes {
        let mark = if note.refused { "! " } else { "" };
        out += &format!("{mark}{}: {} ({})\n", note.path, note.message, note.remedy.unwrap_or("-"));
    }
    out
}

/// What v1 refuses in a schema, where unknown fields are dropped.
fn refused(schema: &str) -> String {
    let schema: String = schema.lines().map(|line| format!("    {line}\n")).collect();
    let spec = format!("version: v1\npreserveUnknownFields: false\nvalidation:\n  openAPIV3Schema:\n{schema}");
    let said = converted(&spec);
    let said = said.lines().filter_map(|line| line.strip_prefix("! spec.validation.openAPIV3Schema"));
    said.map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_stands_once_goes_into_each_version() {
    insta::assert_snapshot!(converted(
        "group: example.com
scope: Namespaced
names: {kind: Widget, plural: widgets}
additionalPrinterColumns:
- {name: Age, type: date, JSONPath: .metadata.creationTimestamp}
subresources: {status: {}}
preserveUnknownFields: false
validation:
  openAPIV3Schema:
    type: object
    properties: {spec: {type: object}}
versions:
- {name: v1, served: true, storage: true}
- {name: v2, served: true, storage: false}"
    ), @"
    group: example.com
    scope: Namespaced
    names:
      kind: Widget
      plural: widgets
    versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
      subresources:
        status: {}
      additionalPrinterColumns:
      - name: Age
        type: date
        jsonPath: .metadata.creationTimestamp
    - name: v2
      served: true
      storage: false
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
      subresources:
        status: {}
      additionalPrinterColumns:
      - name: Age
        type: date
        jsonPath: .metadata.creationTimestamp
    ");
}

#[test]
fn what_a_version_says_itself_stays() {
    insta::assert_snapshot!(converted(
        "group: example.com
names: {kind: Widget, plural: widgets}
scope: Cluster
preserveUnknownFields: false
versions:
- name: v1
  served: true
  storage: true
  schema: {openAPIV3Schema: {type: object, properties: {spec: {type: string}}}}
  subresources: {scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
  additionalPrinterColumns: [{name: Spec, type: string, JSONPath: .spec}]"
    ), @"
    group: example.com
    names:
      kind: Widget
      plural: widgets
    scope: Cluster
    versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: string
      subresources:
        scale:
          specReplicasPath: .spec.replicas
          statusReplicasPath: .status.replicas
      additionalPrinterColumns:
      - name: Spec
        type: string
        jsonPath: .spec
    ");
}

#[test]
fn what_v1beta1_takes_for_granted_is_written() {
    insta::assert_snapshot!(converted("group: example.com\nversion: v1\nnames: {kind: Widget, plural: widgets}"), @"
    group: example.com
    versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          x-kubernetes-preserve-unknown-fields: true
    names:
      kind: Widget
      plural: widgets
    scope: Namespaced
    spec.version: there is no schema, so one that lets everything through is written: v1 demands one (write a schema, so that mistakes in objects show)
    ");
}

#[test]
fn unknown_fields_are_kept_wherever_they_were() {
    insta::assert_snapshot!(converted(
        "group: example.com
version: v1
names: {kind: Widget, plural: widgets}
scope: Namespaced
validation:
  openAPIV3Schema:
    properties:
      apiVersion: {type: string}
      metadata: {type: object}
      spec:
        properties:
          free: {}
          size: {minimum: 1}
          labels: {type: object, additionalProperties: {type: string}}
          parts: {type: array, items: {type: object, properties: {name: {type: string}}}}
          port: {anyOf: [{type: string}, {type: integer}]}"
    ), @"
    group: example.com
    versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            apiVersion:
              type: string
            metadata:
              type: object
            spec:
              properties:
                free:
                  x-kubernetes-preserve-unknown-fields: true
                size:
                  minimum: 1
                  x-kubernetes-preserve-unknown-fields: true
                labels:
                  type: object
                  additionalProperties:
                    type: string
                parts:
                  type: array
                  items:
                    type: object
                    properties:
                      name:
                        type: string
                    x-kubernetes-preserve-unknown-fields: true
                port:
                  anyOf:
                  - type: integer
                  - type: string
                  x-kubernetes-int-or-string: true
              x-kubernetes-preserve-unknown-fields: true
          x-kubernetes-preserve-unknown-fields: true
    names:
      kind: Widget
      plural: widgets
    scope: Namespaced
    spec.validation.openAPIV3Schema: v1beta1 kept fields that the schema does not name, so `x-kubernetes-preserve-unknown-fields` is written on 5 objects of it (once the schema names every field, set `preserveUnknownFields: false` and convert again)
    ");
}

#[test]
fn a_conversion_webhook_moves_down() {
    insta::assert_snapshot!(converted(
        "group: example.com
version: v1
preserveUnknownFields: false
validation: {openAPIV3Schema: {type: object}}
names: {kind: Widget, plural: widgets}
scope: Namespaced
conversion:
  strategy: Webhook
  webhookClientConfig: {service: {namespace: ops, name: hook, path: /convert}}"
    ), @"
    group: example.com
    versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
    names:
      kind: Widget
      plural: widgets
    scope: Namespaced
    conversion:
      strategy: Webhook
      webhook:
        clientConfig:
          service:
            namespace: ops
            name: hook
            path: /convert
        conversionReviewVersions:
        - v1beta1
    spec.conversion: the webhook says no `conversionReviewVersions`: `v1beta1` is written, which was the default (write `[v1, v1beta1]` once it answers both)
    ");
    let none = converted("version: v1\nconversion: {strategy: None, conversionReviewVersions: [v1beta1]}");
    assert!(none.contains("conversion:\n  strategy: None\n") && !none.contains("webhook:"), "{none}");
}

#[test]
fn what_is_not_structural_is_named() {
    insta::assert_snapshot!(refused(
        "type: object
required: [spec]
properties:
  metadata: {type: object, properties: {labels: {type: object}}}
  status: {properties: {ok: {type: boolean}}}
  any: {description: anything}
  list: {type: array}
  items: {type: array, items: {enum: [a]}}
  set: {type: array, uniqueItems: true, items: {type: string}}
  ref: {$ref: '#/definitions/x'}
  both: {type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}
  closed: {type: object, additionalProperties: false, properties: {a: {type: string}}}
  fine: {type: object, additionalProperties: false}
  open: {type: object, additionalProperties: true, properties: {a: {type: string}}}
  whole: {type: object, x-kubernetes-embedded-resource: true}
  kind: {type: integer}
  port: {x-kubernetes-preserve-unknown-fields: true, x-kubernetes-int-or-string: true}
  old: {type: string, readOnly: true}
oneOf:
- required: [spec]
  properties: {spec: {minProperties: 1}, status: {required: [ok], properties: {nope: {minimum: 1}}}}
not: {properties: {any: {nullable: true}}}"
    ), @r#"
    .oneOf[0].properties.spec: a field stands only inside of `allOf`, `anyOf`, `oneOf` or `not` (write the field, with its type, under the `properties` around them as well)
    .oneOf[0].properties.status.properties.nope: a field stands only inside of `allOf`, `anyOf`, `oneOf` or `not` (write the field, with its type, under the `properties` around them as well)
    .not.properties.any.nullable: `nullable` stands inside of `allOf`, `anyOf`, `oneOf` or `not` (write it on the schema around them)
    .properties.metadata.properties.labels: a schema says more of `metadata` than `name` and `generateName` (remove it: the API server checks `metadata` itself)
    .properties.status: a field has no `type` (write `type: object`)
    .properties.any: a field has no `type` (write its type, or `x-kubernetes-preserve-unknown-fields: true` for a field of any type)
    .properties.list: a list has no `items` (write the schema of its items)
    .properties.items.items: an item has no `type` (write its type, or `x-kubernetes-preserve-unknown-fields: true` for a field of any type)
    .properties.set.uniqueItems: v1 refuses `uniqueItems: true` (use `x-kubernetes-list-type: set`)
    .properties.ref["$ref"]: v1 refuses `$ref` in a schema (write the schema out in its place)
    .properties.ref: a field has no `type` (write its type, or `x-kubernetes-preserve-unknown-fields: true` for a field of any type)
    .properties.both: a schema has both `properties` and `additionalProperties` (keep the one that is meant)
    .properties.closed.additionalProperties: v1 refuses `additionalProperties: false` beside `properties` (remove it: unknown fields are dropped anyway)
    .properties.whole: a schema with `x-kubernetes-embedded-resource` names no field and keeps none (write its `properties`, or keep unknown fields)
    .properties.kind.type: `kind` is no string (write `type: string`)
    .properties.port: a schema has both `x-kubernetes-int-or-string` and `x-kubernetes-preserve-unknown-fields` (keep the one that is meant)
    "#);
}

#[test]
fn the_versions_have_to_agree() {
    let two = converted("version: v2\nversions: [{name: v1, storage: true}, {name: v2, storage: true}]");
    assert!(two.contains("! spec.version: `spec.version` is v2, and the first of `spec.versions` v1"), "{two}");
    assert!(two.contains("! spec.versions: 2 of its versions are the storage version"), "{two}");
    let none = converted("group: example.com");
    assert!(none.contains("! spec.versions: 0 of its versions are the storage version"), "{none}");
}

#[test]
fn groups_of_kubernetes_want_an_approval() {
    for (group, refused) in [("k8s.io", true), ("x.k8s.io", true), ("a.kubernetes.io", true), ("mak8s.io", false)] {
        assert_eq!(converted(&format!("group: {group}\nversion: v1")).contains("api-approved"), refused, "{group}");
    }
}

#[test]
fn odd_shapes_are_told_and_lose_nothing() {
    for text in ["spec: 1", "spec: {versions: 3}", "spec: {versions: [a, {name: 1}]}", "spec: null", "kind: x"] {
        let tree = read(text);
        let (_, notes) = to_v1(&tree);
        assert!(notes.iter().any(|note| note.refused), "{text}");
    }
    let kept = converted("version: v1\nfoo: {a: 1}\nconversion: {strategy: None, bar: 2}");
    assert!(kept.contains("foo:\n  a: 1\n") && kept.contains("  bar: 2\n"), "{kept}");
    assert!(kept.contains("`spec.foo` is no field") && kept.contains("`spec.conversion.bar` is no field"), "{kept}");
}

#[test]
fn what_no_server_reads_goes_and_is_said() {
    let schema = "{type: object, properties: {a: {type: string, readOnly: true}}}";
    let out =
        converted(&format!("version: v1\npreserveUnknownFields: false\nvalidation: {{openAPIV3Schema: {schema}}}"));
    assert!(out.contains("        a:\n          type: string\n") && !out.contains("readOnly: true"), "{out}");
    assert!(out.contains(".a.readOnly: `readOnly` was taken out of the schema"), "{out}");
}

#[test]
fn every_version_has_a_name_of_its_own_and_a_definition_one_of_two_scopes() {
    let said = converted(
        "scope: Cluste
versions:
- {name: v1, served: true, storage: true}
- {name: v1, served: true, storage: false}
- {served: true, storage: false}
- {name: '', served: true, storage: false}",
    );
    let said: Vec<_> = said.lines().filter(|line| line.starts_with("! ")).collect();
    insta::assert_snapshot!(said.join("\n"), @"
    ! spec.scope: `spec.scope` is `Cluste` (write `Namespaced` or `Cluster`)
    ! spec.versions[1].name: two of its versions are named v1 (keep one of them)
    ! spec.versions[2].name: a version has no name (name it: v1)
    ! spec.versions[3].name: a version has no name (name it: v1)
    ");
}
