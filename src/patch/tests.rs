use super::*;
use crate::config;
use crate::finding::Threshold;
use crate::load;
use crate::source::{SourceFile, SourceMap};
use crate::yaml;

const INPUT: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: shop
  labels: {app: web}
spec:
  replicas: 2
  template:
    spec:
      containers:
      - name: web
        image: web:1
      - name: side
        image: side:1
---
apiVersion: example.org/v1
kind: Big
metadata: {name: big}
spec: {number: 123456789012345678901234567890, keep: 1}
";

/// The objects after the patches of a configuration (what stands under `patches:`), and what is said.
fn patched(patches: &str) -> (String, String, u8) {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", INPUT));
    let text = format!("apiVersion: tidegate.dev/v1alpha1\nkind: Tidegate\nspec:\n  patches:\n{patches}");
    let mut file = SourceFile::new("tidegate.yaml", text.as_str());
    file.role = crate::source::Role::Tool;
    let file = sources.add(file);
    let mut found = Findings::default();
    let raw = config::read(&text, file, &mut found);
    let settings = Settings::resolve(raw, Default::default(), Default::default());
    let loaded = load::objects(&sources, &settings, &mut found);
    let loaded = apply(loaded, &settings, &mut found);
    let mut out = String::new();
    for (_, object) in loaded.objects.iter() {
        yaml::emit(&object.tree, &mut out);
    }
    // the digits of the input are not what this is about
    let said = found.sorted().into_iter().filter(|finding| finding.rule.id != "TG007").map(|finding| {
        let at = finding
            .labels
            .iter()
            .map(|label| format!(" {}:{}", sources.path(label.place.file), sources.line_column(label.place)));
        format!("{}{}: {}\n", finding.rule.id, at.collect::<String>(), finding.message)
    });
    (out, said.collect(), found.exit_code(Threshold::Never))
}

#[test]
fn a_json_patch_changes_what_it_names_and_nothing_else() {
    let (out, said, _) = patched(
        "  - target: {kind: Deploy*, labels: 'app in (web)'}
    json6902:
    - {op: test, path: /spec/replicas, value: 2}
    - {op: replace, path: /spec/replicas, value: 3}
    - {op: add, path: /spec/template/spec/containers/0, value: {name: first}}
    - {op: remove, path: /metadata/labels}
    - {op: add, path: /metadata/annotations, value: {a/b: c}}
    - {op: copy, from: /metadata/name, path: /metadata/annotations/x~1y}
",
    );
    assert_eq!(said, "");
    assert!(out.starts_with(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  namespace: shop\n  annotations:\n    a/b: c\n    \
         x/y: web\nspec:\n  replicas: 3\n  template:\n    spec:\n      containers:\n      - name: first\n      - name: web\n        \
         image: web:1\n      - name: side\n"
    ), "{out}");
}

#[test]
fn digits_of_what_is_not_touched_stay() {
    let (out, said, _) = patched("  - target: {group: example.org}\n    merge: {spec: {keep: null, new: 1}}\n");
    assert_eq!(said, "");
    assert!(out.ends_with("spec:\n  number: 123456789012345678901234567890\n  new: 1\n"), "{out}");
}

#[test]
fn what_is_wrong_names_the_patch_and_the_object() {
    let at = |body: &str| {
        let (_, said, code) = patched(&format!("  - target: {{name: web}}\n    {body}\n"));
        format!("{code} {said}")
    };
    assert_eq!(
        at("json6902: [{op: replace, path: /spec/nothing, value: 1}]"),
        "1 TG611 tidegate.yaml:6:15 a.yaml:1:1: the patch cannot be applied to Deployment shop/web: operation 1 (replace \
         /spec/nothing): the object has no such place\n"
    );
    assert_eq!(
        at("json6902: [{op: test, path: /spec/replicas, value: 1}]"),
        "1 TG611 tidegate.yaml:6:15 a.yaml:1:1: the patch cannot be applied to Deployment shop/web: operation 1 (test \
         /spec/replicas): the test does not hold\n"
    );
    for (body, what) in [
        ("merge: {metadata: {name: other}}", "`metadata.name`"),
        ("merge: {metadata: {namespace: other}}", "`metadata.namespace`"),
        ("merge: {kind: StatefulSet}", "`kind`"),
        ("merge: {apiVersion: extensions/v1}", "the group in `apiVersion`"),
        ("json6902: [{op: replace, path: '', value: null}]", "the group in `apiVersion`"),
    ] {
        assert_eq!(
            at(body),
            format!(
                "1 TG612 tidegate.yaml:6:{} a.yaml:1:1: the patch changes {what} of Deployment shop/web\n",
                body.find(' ').unwrap() + 6
            ),
        );
    }
    assert_eq!(at("merge: {apiVersion: apps/v1beta2}"), "0 ");
}

#[test]
fn a_patch_that_is_none_is_an_error_of_the_configuration() {
    for (body, message) in [
        (
            "json6902: [{op: swap, path: /a}]",
            "operation 1 must have an `op` that is add, remove, replace, move, copy or test",
        ),
        ("json6902: [{op: add, path: /a}]", "operation 1 (add) has no `value`"),
        ("json6902: [{op: remove, path: a}]", "operation 1 (remove): a path is `/` and names with `/` between them"),
        ("json6902: [1]", "operation 1 must have an `op`"),
        ("json6902: {a: 1}", "`spec.patches[0].json6902` must be a list, not a mapping"),
        ("merge: [1]", "`spec.patches[0].merge` must be a mapping, not a list"),
        ("merge: {}\n    json6902: []", "must have one of merge, json6902 and path, not 2 of them"),
        ("path: ../x.yaml", "`spec.patches[0].path` must be a path below the folder of the configuration"),
        ("path: /etc/passwd", "`spec.patches[0].path` must be a path below the folder of the configuration"),
        ("path: a.yaml", "nobody has read the file `a.yaml`"),
    ] {
        let (_, said, code) = patched(&format!("  - target: {{name: web}}\n    {body}\n"));
        assert!(said.starts_with("TG040") && said.contains(message), "{body}: {said}");
        assert_eq!(code, 2, "{body}");
    }
}

#[test]
fn a_patch_that_matches_nothing_is_said() {
    let (_, said, code) = patched("  - target: {kind: deployment}\n    merge: {a: 1}\n");
    assert_eq!((said.as_str(), code), ("TG610 tidegate.yaml:6:12: the patch matches no object of the input\n", 0));
}

#[test]
fn copies_of_copies_end() {
    let into = |from: &str, path: &str| format!("{{op: copy, from: '{from}', path: {path}}}");
    let wide: Vec<String> = (0..100).map(|nth| into("/spec", &format!("/spec/a{nth}"))).collect();
    let deep: Vec<String> =
        (0..100).map(|nth| into("/spec", &format!("/spec{}/a", "/a".repeat((1_usize << nth.min(8)) - 1)))).collect();
    for operations in [wide, deep] {
        let (_, said, code) =
            patched(&format!("  - target: {{name: web}}\n    json6902: [{}]\n", operations.join(", ")));
        assert!(said.contains("the object becomes too"), "{said}");
        assert_eq!(code, 1);
    }
}
