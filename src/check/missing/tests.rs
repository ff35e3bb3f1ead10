use super::*;
use crate::config::External;
use crate::source::{SourceFile, SourceMap};

/// What is found in a text, a line each: id, first letter of the severity, place, path, message, remedy.
fn found(text: &str) -> Vec<String> {
    found_with(text, &Settings::default())
}

fn found_with(text: &str, settings: &Settings) -> Vec<String> {
    let mut sources = SourceMap::default();
    sources.add(SourceFile::new("a.yaml", text));
    let mut loading = Findings::default();
    let loaded = crate::load::objects(&sources, settings, &mut loading);
    let linked = crate::refs::link(loaded, settings, &mut loading);
    let mut found = Findings::default();
    run(&Planned { linked, ..Planned::default() }, settings, &mut found);
    let line = |finding: &crate::finding::Finding| {
        let severity = &finding.severity.word()[..1];
        let label = &finding.labels[0];
        let place = sources.line_column(label.place);
        let path = label.path.as_ref().map(ToString::to_string).unwrap_or_default();
        let path = path.replace("spec.template.spec.", "…").replace("containers[0].", "c.");
        let remedy = finding.remedy.as_deref().unwrap_or("-");
        format!("{} {severity} {place} {path}: {} ({remedy})", finding.rule.id, finding.message)
    };
    found.sorted().into_iter().map(line).collect()
}

/// A Deployment `shop/web` whose container and volumes are written as one-line mappings.
fn web(container: &str, volumes: &str) -> String {
    format!(
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web, namespace: shop}}\nspec: {{template: {{spec: {{\n\
         containers: [{{name: c, {container}}}],\nvolumes: [{volumes}]}}}}}}\n"
    )
}

fn env(kind: &str, name: &str, key: &str) -> String {
    web(&format!("env: [{{name: A, valueFrom: {{{kind}KeyRef: {{name: {name}, key: {key}}}}}}}]"), "")
}

fn source(kind: &str, namespace: &str, name: &str, rest: &str) -> String {
    format!("---\napiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}}}\n{rest}\n")
}

#[test]
fn what_is_not_there_may_be_elsewhere() {
    insta::assert_snapshot!(found(&env("secret", "tls", "a")).join("\n"), @"TG301 w 6:73 …c.env[0].valueFrom.secretKeyRef.name: Deployment shop/web needs Secret shop/tls, which is not in the input, and nothing in the input makes it (add it, or list it under `spec.external.objects` if something else brings it)");
}

#[test]
fn a_near_name_that_nothing_refers_to_is_a_slip() {
    let text = env("configMap", "app-confg", "a") + &source("ConfigMap", "shop", "app-config", "data: {a: b}");
    insta::assert_snapshot!(found(&text).join("\n"), @"TG301 e 6:76 …c.env[0].valueFrom.configMapKeyRef.name: Deployment shop/web needs ConfigMap shop/app-confg, which is not in the input, and nothing in the input makes it (did you mean `app-config`?)");
    // one that something refers to is no slip, but a guess
    let used = text.clone() + &env("configMap", "app-config", "a").replace("name: web", "name: other");
    let said = found(&used);
    assert!(said[0].starts_with("TG301 w") && said[0].contains("did you mean `app-config`? Else"), "{said:?}");
    // nor is one of another namespace, kind, or number
    for other in [
        source("ConfigMap", "prod", "app-config", ""),
        source("Secret", "shop", "app-config", ""),
        source("ConfigMap", "shop", "app-2", ""),
    ] {
        let said = found(&(env("configMap", "app-1", "a") + &other));
        assert!(said.len() == 1 && said[0].starts_with("TG301 w"), "{said:?}");
    }
}

#[test]
fn the_same_name_in_another_namespace_does_not_help() {
    let text = env("configMap", "conf", "a") + &source("ConfigMap", "staging", "conf", "data: {a: b}");
    insta::assert_snapshot!(found(&text).join("\n"), @"TG303 e 6:76 …c.env[0].valueFrom.configMapKeyRef.name: Deployment shop/web needs ConfigMap shop/conf, which the input holds only in namespace staging (put both into one namespace, or add the object where it is needed)");
    // nobody knows where an object without a namespace goes
    let homeless = text.replace(", namespace: shop", "");
    let said = found(&homeless);
    assert!(said.len() == 1 && said[0].starts_with("TG301 w") && said[0].contains("--namespace"), "{said:?}");
    // a copy is made of it
    let copied = text.replace("namespace: staging", "namespace: staging, annotations: {kubed.appscode.com/sync: ''}");
    assert_eq!(found(&copied), [""; 0]);
}

#[test]
fn an_object_without_a_namespace_is_taken_for_the_one_that_is_meant() {
    let text = env("configMap", "conf", "a")
        + &source("ConfigMap", "shop", "conf", "data: {a: b}").replace(", namespace: shop", "");
    insta::assert_snapshot!(found(&text).join("\n"), @"TG304 w 6:76 …c.env[0].valueFrom.configMapKeyRef.name: Deployment shop/web needs ConfigMap shop/conf, and ConfigMap conf names no namespace (say `--namespace shop`, or write `metadata.namespace`)");
}

const CERTIFICATE: &str = "---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: web, namespace: shop}\nspec: {secretName: other-tls}\n";

#[test]
fn a_product_that_nothing_reads_is_a_slip() {
    let text = env("secret", "web-tls", "tls.crt") + CERTIFICATE;
    insta::assert_snapshot!(found(&text).join("\n"), @"TG301 e 6:73 …c.env[0].valueFrom.secretKeyRef.name: Deployment shop/web needs Secret shop/web-tls, which is not in the input, and nothing in the input makes it (did you mean `other-tls`?)");
    // it is read by another, lacks the key, or no key is asked for
    let read = text.clone() + &env("secret", "other-tls", "tls.crt").replace("name: web", "name: other");
    let lacks = env("secret", "web-tls", "password") + CERTIFICATE;
    let whole = web("envFrom: [{secretRef: {name: web-tls}}]", "") + CERTIFICATE;
    for text in [read, lacks, whole] {
        let said = found(&text);
        assert!(said.len() == 1 && said[0].starts_with("TG301 w"), "{said:?}");
    }
}

#[test]
fn products_are_not_missing_but_their_keys_may_be() {
    assert_eq!(found(&(env("secret", "other-tls", "tls.crt") + CERTIFICATE)), [""; 0]);
    insta::assert_snapshot!(found(&(env("secret", "other-tls", "tls.cert") + CERTIFICATE)).join("\n"), @"TG302 e 6:89 …c.env[0].valueFrom.secretKeyRef.key: Deployment shop/web needs the key `tls.cert` of Secret shop/other-tls, which is made by Certificate shop/web without such a key (did you mean `tls.crt`?)");
    // also where the input holds the product without data
    let placeholder = source("Secret", "shop", "other-tls", "data: {}");
    assert_eq!(found(&(env("secret", "other-tls", "tls.crt") + CERTIFICATE + &placeholder)), [""; 0]);
    // held with data, it is a source like any other that somebody else writes into
    let held = source("Secret", "shop", "other-tls", "stringData: {a: b}");
    assert_eq!(found(&(env("secret", "other-tls", "tls.crt") + CERTIFICATE + &held)), [""; 0]);
}

#[test]
fn a_key_that_is_not_in_its_source() {
    let creds = source("Secret", "shop", "creds", "stringData: {token: s3cret}\ndata: {user: dXNlcg==}");
    let said = found(&(env("secret", "creds", "tokn") + &creds));
    insta::assert_snapshot!(said.join("\n"), @"TG302 e 6:85 …c.env[0].valueFrom.secretKeyRef.key: Deployment shop/web needs the key `tokn` of Secret shop/creds, which has no such key (did you mean `token`?)");
    assert_eq!(found(&(env("secret", "creds", "user") + &creds)), [""; 0]);
    // without any data somebody else must write it
    let empty = source("Secret", "shop", "creds", "");
    let said = found(&(env("secret", "creds", "token") + &empty));
    assert!(said.len() == 1 && said[0].starts_with("TG302 w") && said[0].contains("has no data"), "{said:?}");
    // filled at run time
    let filled = source("Secret", "shop", "creds", "type: kubernetes.io/service-account-token\ndata: {a: eA==}");
    assert_eq!(found(&(env("secret", "creds", "token") + &filled)), [""; 0]);
    // a Role lets somebody write it
    let role = "---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r, namespace: shop}\nrules:\n\
                - {apiGroups: [''], resources: [secrets], resourceNames: [creds], verbs: [get, update]}\n";
    let said = found(&(env("secret", "creds", "tokn") + &creds + role));
    assert!(said.len() == 1 && said[0].starts_with("TG302 w"), "{said:?}");
}

#[test]
fn variables_read_no_binary_data() {
    let map = source("ConfigMap", "shop", "conf", "binaryData: {a: eA==}");
    let said = found(&(env("configMap", "conf", "a") + &map));
    assert!(said.len() == 1 && said[0].starts_with("TG302 e") && said[0].contains("`binaryData` only"), "{said:?}");
}

#[test]
fn keys_of_volumes() {
    let map = source("ConfigMap", "shop", "conf", "data: {app.ini: x}\nbinaryData: {b: eA==}");
    let volume = |mount: &str, rest: &str| {
        web(
            &format!("volumeMounts: [{{name: v, mountPath: /v{mount}}}]"),
            &format!("{{name: v, configMap: {{name: conf{rest}}}}}"),
        ) + &map
    };
    assert_eq!(found(&volume("", "")), [""; 0]);
    assert_eq!(found(&volume("", ", items: [{key: b, path: b}]")), [""; 0]);
    insta::assert_snapshot!(found(&volume("", ", items: [{key: app.init, path: a}]")).join("\n"), @"TG302 e 7:59 …volumes[0].configMap.items[0].key: Deployment shop/web needs the key `app.init` of ConfigMap shop/conf, which has no such key (did you mean `app.ini`?)");
    assert_eq!(found(&volume(", subPath: app.ini", "")), [""; 0]);
    let said = found(&volume(", subPath: nothing", ""));
    assert!(said.len() == 1 && said[0].starts_with("TG302 w") && said[0].contains("mounts the path"), "{said:?}");
    // the kubelet skips what no container mounts; whoever wrote it meant it to be there
    assert_eq!(found(&web("", "{name: v, configMap: {name: gone}}")).len(), 1);
}

#[test]
fn optional_references_are_never_missing() {
    let map = source("ConfigMap", "shop", "conf", "data: {a: b}");
    assert_eq!(found(&env("configMap", "gone", "a").replace("key: a", "key: a, optional: true")), [""; 0]);
    assert_eq!(found(&(env("configMap", "conf", "b").replace("key: b", "key: b, optional: true") + &map)), [""; 0]);
}

#[test]
fn users_say_what_others_bring() {
    use crate::config::{ExternalRow, ExternalSettings};
    let text = env("secret", "tls-web", "a") + &source("Secret", "prod", "tls-web", "");
    let with = |external: ExternalSettings| found_with(&text, &Settings { external, ..Settings::default() });
    assert_eq!(with(ExternalSettings::default()).len(), 1);
    assert_eq!(with(ExternalSettings { default: External::Trust, ..ExternalSettings::default() }), [""; 0]);
    let row = ExternalRow { group: None, kind: "Secret".into(), namespace: None, name: "tls-*".into() };
    assert_eq!(with(ExternalSettings { objects: vec![row], ..ExternalSettings::default() }), [""; 0]);
}

#[test]
fn nothing_is_said_of_what_may_stand_in_unread_text() {
    let text = env("configMap", "conf", "a");
    assert_eq!(found(&text).len(), 1);
    for unread in [
        "---\nkind: ConfigMap\nmetadata: {name: conf\n",
        "---\nKind: ConfigMap\napiVersion: v1\nmetadata: {name: conf}\n",
        "---\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}\n  {{- x }}\n",
    ] {
        assert_eq!(found(&format!("{text}{unread}")), [""; 0], "{unread}");
    }
    assert_eq!(found(&format!("{text}---\nkind: ConfigMap\nmetadata: {{name: other\n")).len(), 1);
}

#[test]
fn one_finding_for_each_object_that_needs_it() {
    let twice = web(
        "envFrom: [{secretRef: {name: gone}}], env: [{name: A, valueFrom: {secretKeyRef: {name: gone, key: a}}}]",
        "",
    );
    assert_eq!(found(&twice).len(), 1);
    assert_eq!(found(&(twice.clone() + &twice.replace("name: web", "name: other"))).len(), 2);
}

#[test]
fn a_claim_template_takes_the_place_of_a_volume() {
    let set = |template: &str| {
        format!(
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: db, namespace: shop}}\nspec:\n  template: {{spec: {{volumes: [{{name: data, persistentVolumeClaim: {{claimName: data}}}}]}}}}\n  volumeClaimTemplates: [{{metadata: {{name: {template}}}}}]\n"
        )
    };
    assert_eq!(found(&set("data")), [""; 0]);
    assert_eq!(found(&set("other")).len(), 1);
}

#[test]
fn ten_thousand_missing_references_are_found_at_once() {
    let mut text = String::new();
    for nth in 0..10_000 {
        text += &env("configMap", &format!("gone-{nth}"), "a").replace("name: web", &format!("name: web-{nth}"));
    }
    assert_eq!(found(&text).len(), 10_000);
}
