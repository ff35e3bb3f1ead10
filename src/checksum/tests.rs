//! What takes part, told by small inputs.

use crate::config::{ChecksumKey, ChecksumMode, ChecksumSettings, Encrypted, ReferenceSettings, Settings};
use crate::finding::Findings;
use crate::flow::{Product, ProductKeys, Products, Reach, Stamp, Stamped, Target};
use crate::object::view::pod_template::NamedTemplate;
use crate::object::{GroupKind, ObjRef};
use crate::source::{SourceFile, SourceMap};
use crate::{load, refs};

use super::bytes::{Entry, Keys, State, Tag, encode, value};

/// Renders as far as the stamp and gives what `look` sees, and the ids and messages that were found.
fn stamped<T>(text: &str, settings: &Settings, look: impl FnOnce(&Stamped<'_>) -> T) -> (T, Vec<String>) {
    made(text, settings, &[], look)
}

/// The same, where objects make Secrets at run time: the maker's kind and name, and the Secret's name.
fn made<T>(
    text: &str,
    settings: &Settings,
    makers: &[(&str, &str, &str)],
    look: impl FnOnce(&Stamped<'_>) -> T,
) -> (T, Vec<String>) {
    let mut map = SourceMap::default();
    map.add(SourceFile::new("a.yaml", text));
    let mut found = Findings::default();
    let loaded = load::objects(&map, settings, &mut found);
    let mut linked = refs::link(loaded, settings, &mut found);
    for (kind, name, secret) in makers {
        let maker = object(&linked.loaded.objects, kind, name);
        let target = Target { group: "".into(), kind: "Secret".into(), namespace: None, name: (*secret).into() };
        let mut all: Vec<Product> = linked.products.iter().filter(|p| p.maker != maker).cloned().collect();
        for reference in linked.references.iter_mut().filter(|reference| reference.target == target) {
            if matches!(reference.leads_to, crate::flow::Resolution::Missing) {
                reference.leads_to = crate::flow::Resolution::Product(maker);
            }
        }
        all.push(Product { target, maker, keys: ProductKeys::Unknown, creates: true, reach: Reach::Namespace });
        linked.products = Products::new(all);
    }
    let stamped = super::stamp(linked, settings, &mut found);
    let lines = found.sorted().into_iter().map(|finding| format!("{} {}", finding.rule.id, finding.message)).collect();
    (look(&stamped), lines)
}

fn object(objects: &crate::object::ObjectSet<'_>, kind: &str, name: &str) -> ObjRef {
    let is =
        |(_, object): &(ObjRef, &crate::object::Object<'_>)| &*object.id.kind == kind && object.id.name.text() == name;
    objects.iter().find(is).unwrap().0
}

/// The stamp of a workload.
fn stamp_of(stamped: &Stamped<'_>, kind: &str, name: &str) -> Option<Stamp> {
    let workload = object(&stamped.linked.loaded.objects, kind, name);
    stamped.inputs.iter().find(|inputs| inputs.workload == workload).map(|inputs| inputs.stamp.clone())
}

/// The value of Deployment `web`, and the findings.
fn web(text: &str, settings: &Settings) -> (Option<String>, Vec<String>) {
    let (stamp, lines) = stamped(text, settings, |stamped| stamp_of(stamped, "Deployment", "web"));
    (text_of(stamp), lines)
}

fn text_of(stamp: Option<Stamp>) -> Option<String> {
    match stamp {
        Some(Stamp::Value(value)) => Some(value),
        _ => None,
    }
}

/// The value of these sources.
fn of(sources: Vec<Entry<'_>>) -> Option<String> {
    Some(value(&encode(sources), None))
}

fn config_map<'d>(name: &'d str, keys: &[(&'d str, Option<&'d str>)]) -> Entry<'d> {
    Entry { tag: Tag::ConfigMap, name: name.into(), state: State::Present(self::keys(keys)) }
}

fn secret<'d>(name: &'d str, keys: &[(&'d str, Option<&'d str>)]) -> Entry<'d> {
    Entry { tag: Tag::Secret, ..config_map(name, keys) }
}

fn proxy<'d>(tag: Tag, name: &'d str, keys: &[(&'d str, Option<&'d str>)]) -> Entry<'d> {
    Entry { tag, name: name.into(), state: State::Proxy(self::keys(keys)) }
}

fn keys<'d>(keys: &[(&'d str, Option<&'d str>)]) -> Keys<'d> {
    keys.iter().map(|(key, value)| (*key, value.map(|value| value.as_bytes().into()))).collect()
}

/// A Deployment `web` with a container, and more in its pod spec.
fn deployment(container: &str, spec: &str) -> String {
    format!(
        "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web}}\nspec:\n  template:\n    spec: \
         {{containers: [{{name: a, {container}}}], {spec}}}\n"
    )
}

const CONF: &str = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata: {a: '1', b: x}\n";
const ENV_FROM: &str = "envFrom: [{configMapRef: {name: conf}}]";

#[test]
fn only_the_keys_that_are_asked_for_take_part() {
    let key = "env: [{name: A, valueFrom: {configMapKeyRef: {name: conf, key: a}}}]";
    let text = format!("{CONF}{}", deployment(key, ""));
    assert_eq!(web(&text, &Settings::default()), (of(vec![config_map("conf", &[("a", Some("1"))])]), vec![]));
}

#[test]
fn a_volume_that_nobody_mounts_is_not_read() {
    let volume = "volumes: [{name: v, configMap: {name: conf}}]";
    let text = format!("{CONF}{}", deployment("image: i", volume));
    assert_eq!(web(&text, &Settings::default()).0, None);
    let mounted = format!("{CONF}{}", deployment("volumeMounts: [{name: v, mountPath: /v}]", volume));
    let all = config_map("conf", &[("a", Some("1")), ("b", Some("x"))]);
    assert_eq!(web(&mounted, &Settings::default()).0, of(vec![all]));
}

#[test]
fn a_null_value_is_an_empty_string_and_string_data_lies_over_data() {
    let secret_text = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: QQ==, b: Qg==, e: null}\n\
                       stringData: {b: over, c: null}\n";
    let text = format!("{secret_text}{}", deployment("envFrom: [{secretRef: {name: s}}]", ""));
    let wanted = secret("s", &[("a", Some("A")), ("b", Some("over")), ("c", Some("")), ("e", Some(""))]);
    assert_eq!(web(&text, &Settings::default()).0, of(vec![wanted]));
}

#[test]
fn binary_data_is_seen_by_volumes_alone() {
    let conf = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\nbinaryData: {k: QUI=}\n";
    let env = "env: [{name: A, valueFrom: {configMapKeyRef: {name: conf, key: k, optional: true}}}]";
    let both = format!("{env}, volumeMounts: [{{name: v, mountPath: /v}}]");
    let volume = "volumes: [{name: v, configMap: {name: conf, items: [{key: k, path: p}]}}]";
    let of_text = |container: &str| web(&format!("{conf}{}", deployment(container, volume)), &Settings::default()).0;
    assert_eq!(of_text(env), of(vec![config_map("conf", &[("k", None)])]));
    assert_eq!(of_text(&both), of(vec![config_map("conf", &[("k", Some("AB"))])]));
    assert_eq!(of_text(ENV_FROM), of(vec![config_map("conf", &[])]));
}

#[test]
fn what_is_not_in_the_input_is_absent_or_has_no_entry() {
    let optional = deployment("envFrom: [{configMapRef: {name: conf, optional: true}}]", "");
    let absent = Entry { state: State::Absent, ..config_map("conf", &[]) };
    assert_eq!(web(&optional, &Settings::default()).0, of(vec![absent]));
    assert_eq!(web(&deployment(ENV_FROM, ""), &Settings::default()).0, None);
    let both = "envFrom: [{configMapRef: {name: conf, optional: true}}, {configMapRef: {name: conf}}]";
    assert_eq!(web(&deployment(both, ""), &Settings::default()).0, None);
}

#[test]
fn what_a_producer_makes_takes_no_part_unless_the_input_has_its_data() {
    let maker =
        "---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: c}\nspec: {secretName: tls}\n";
    let reader = deployment("envFrom: [{secretRef: {name: tls, optional: true}}]", "");
    let shell = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: tls}\n";
    let filled = format!("{shell}stringData: {{a: '1'}}\n");
    let makers = [("Certificate", "c", "tls")];
    let of_text = |more: &str| {
        let text = format!("{maker}{reader}{more}");
        text_of(made(&text, &Settings::default(), &makers, |stamped| stamp_of(stamped, "Deployment", "web")).0)
    };
    assert_eq!(of_text(""), None);
    assert_eq!(of_text(shell), None);
    assert_eq!(of_text(&filled), of(vec![secret("tls", &[("a", Some("1"))])]));
}

#[test]
fn ciphertext_stands_in_for_what_it_becomes() {
    let sealed = "---\napiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: {name: db}\n\
                  spec: {encryptedData: {pw: AgA1, user: AgA2}, template: {data: {url: 'x {{ .pw }}'}}}\n";
    let makers = [("SealedSecret", "db", "db")];
    let key = |key: &str| {
        deployment(&format!("env: [{{name: A, valueFrom: {{secretKeyRef: {{name: db, key: {key}}}}}}}]"), "")
    };
    let of_key = |name: &str, settings: &Settings| {
        let text = format!("{sealed}{}", key(name));
        text_of(made(&text, settings, &makers, |stamped| stamp_of(stamped, "Deployment", "web")).0)
    };
    let settings = Settings::default();
    assert_eq!(of_key("pw", &settings), of(vec![proxy(Tag::Secret, "db", &[("pw", Some("AgA1"))])]));
    // any ciphertext may be filled into a template
    let url = [("pw", Some("AgA1")), ("url", Some("x {{ .pw }}")), ("user", Some("AgA2"))];
    assert_eq!(of_key("url", &settings), of(vec![proxy(Tag::Secret, "db", &url)]));
    let off = Settings {
        checksums: ChecksumSettings { encrypted: Encrypted::Off, ..ChecksumSettings::default() },
        ..Settings::default()
    };
    assert_eq!(of_key("pw", &off), None);
    let sops = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: conf}\ndata: {a: 'ENC[AES256_GCM,data:x]'}\nsops: {mac: m}\n";
    let text = format!("{sops}{}", deployment(ENV_FROM, ""));
    let wanted = proxy(Tag::ConfigMap, "conf", &[("a", Some("ENC[AES256_GCM,data:x]"))]);
    assert_eq!(web(&text, &settings).0, of(vec![wanted]));
    assert_eq!(web(&text, &off).0, None);
}

#[test]
fn tokens_are_filled_at_run_time() {
    let token = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: t, annotations: {kubernetes.io/service-account.name: d}}\n\
                 type: kubernetes.io/service-account-token\n";
    let text = format!("{token}{}", deployment("envFrom: [{secretRef: {name: t}}]", ""));
    let (value, lines) = web(&text, &Settings::default());
    assert_eq!(value, None);
    assert_eq!(
        lines,
        ["TG407 Secret t is filled at run time by the token controller: it is in no checksum (read by Deployment web)"]
    );
}

#[test]
fn csi_takes_part_where_it_is_asked_for() {
    let class = "---\napiVersion: secrets-store.csi.x-k8s.io/v1\nkind: SecretProviderClass\nmetadata: {name: vault}\n\
                 spec: {provider: vault, parameters: {b: '2', a: '1'}}\n";
    let volume =
        "volumes: [{name: v, csi: {driver: secrets-store.csi.k8s.io, volumeAttributes: {secretProviderClass: vault}}}]";
    let text = |container: &str| format!("{class}{}", deployment(container, volume));
    let mounted = text("volumeMounts: [{name: v, mountPath: /v}]");
    let asked =
        Settings { checksums: ChecksumSettings { csi: true, ..ChecksumSettings::default() }, ..Settings::default() };
    let spec = r#"{"parameters":{"a":"1","b":"2"},"provider":"vault"}"#;
    let wanted = proxy(Tag::Secret, "secretproviderclass/vault", &[("spec", Some(spec))]);
    assert_eq!(web(&mounted, &Settings::default()).0, None);
    assert_eq!(web(&mounted, &asked).0, of(vec![wanted]));
    assert_eq!(web(&text("image: i"), &asked).0, None, "a volume that nobody mounts");
}

#[test]
fn the_word_of_a_workload_beats_that_of_a_source() {
    let volume = "volumes: [{name: v, configMap: {name: conf}}]";
    let mount = "volumeMounts: [{name: v, mountPath: /v}]";
    let all = of(vec![config_map("conf", &[("a", Some("1")), ("b", Some("x"))])]);
    for (source, workload, wanted) in [
        ("restart", "", all.clone()),
        ("hot", "", None),
        ("ignore", "", None),
        ("ignore", "*=restart", all.clone()),
        ("hot", "configmap/conf=restart", all.clone()),
        ("restart", "configmap/conf=hot", None),
        ("restart", "*=ignore, configmap/conf=restart", all.clone()),
        ("restart", "ConfigMap/conf = ignore", None),
    ] {
        let conf = CONF.replace("name: conf", &format!("name: conf, annotations: {{tidegate.dev/reload: {source}}}"));
        let reader = deployment(mount, volume);
        let reader = reader
            .replace("{name: web}", &format!("{{name: web, annotations: {{tidegate.dev/reload: '{workload}'}}}}"));
        assert_eq!(web(&format!("{conf}{reader}"), &Settings::default()), (wanted, vec![]), "{source} {workload}");
    }
}

#[test]
fn hot_leaves_in_what_nobody_refreshes() {
    let conf = CONF.replace("name: conf", "name: conf, annotations: {tidegate.dev/reload: hot}");
    let container = "env: [{name: A, valueFrom: {configMapKeyRef: {name: conf, key: a}}}], volumeMounts: [{name: v, mountPath: /v}]";
    let volume = "volumes: [{name: v, configMap: {name: conf}}]";
    let warning = |how: &str, path: &str| {
        format!(
            "TG403 ConfigMap `conf` is `hot`, but Deployment web reads it by {how} (`spec.template.spec.{path}`), which the \
             kubelet never refreshes"
        )
    };
    let (value, lines) = web(&format!("{conf}{}", deployment(container, volume)), &Settings::default());
    assert_eq!(value, of(vec![config_map("conf", &[("a", Some("1"))])]));
    assert_eq!(lines, [warning("env a", "containers[0].env[0].valueFrom.configMapKeyRef.name")]);
    let sub = "volumeMounts: [{name: v, mountPath: /v}, {name: v, mountPath: /b, subPath: b}]";
    let (value, lines) = web(&format!("{conf}{}", deployment(sub, volume)), &Settings::default());
    assert_eq!(value, of(vec![config_map("conf", &[("b", Some("x"))])]));
    assert_eq!(lines, [warning("subPath b", "volumes[0].configMap.name")]);
    let immutable =
        format!("{conf}immutable: true\n{}", deployment("volumeMounts: [{name: v, mountPath: /v}]", volume));
    let (value, lines) = web(&immutable, &Settings::default());
    assert_eq!(value, of(vec![config_map("conf", &[("a", Some("1")), ("b", Some("x"))])]));
    assert_eq!(lines, [format!("{} as it is immutable", warning("volume", "volumes[0].configMap.name"))]);
}

#[test]
fn policies_that_cannot_be_read_are_said_and_change_nothing() {
    let conf = CONF.replace("name: conf", "name: conf, annotations: {tidegate.dev/reload: hott}");
    let list = "hot, configmap/conf=never, secret/x=hot, configmap/conf=restart, configmap/conf=hot, configmap/cnf=hot";
    let reader = deployment(ENV_FROM, "");
    let reader =
        reader.replace("{name: web}", &format!("{{name: web, annotations: {{tidegate.dev/reload: '{list}'}}}}"));
    let (value, lines) = web(&format!("{conf}{reader}"), &Settings::default());
    assert_eq!(value, of(vec![config_map("conf", &[("a", Some("1")), ("b", Some("x"))])]));
    let ids: Vec<&str> = lines.iter().map(|line| &line[..5]).collect();
    assert_eq!(ids, ["TG401", "TG401", "TG401", "TG401", "TG402", "TG402"], "{lines:#?}");
}

#[test]
fn jobs_and_pods_get_one_only_if_they_are_made_anew() {
    let job = |metadata: &str| {
        format!(
            "{CONF}---\napiVersion: batch/v1\nkind: Job\nmetadata: {{{metadata}}}\nspec:\n  template:\n    spec: \
             {{containers: [{{name: a, {ENV_FROM}}}]}}\n"
        )
    };
    for (metadata, wanted) in [
        ("name: j", false),
        ("name: j, annotations: {argocd.argoproj.io/hook: PreSync}", true),
        ("name: j, annotations: {argocd.argoproj.io/hook: Skip}", false),
        (
            "name: j, annotations: {argocd.argoproj.io/hook: Sync, argocd.argoproj.io/hook-delete-policy: HookSucceeded}",
            false,
        ),
        (
            "name: j, annotations: {argocd.argoproj.io/hook: Sync, argocd.argoproj.io/hook-delete-policy: 'HookSucceeded, BeforeHookCreation'}",
            true,
        ),
        ("name: j, annotations: {helm.sh/hook: pre-install}", true),
        ("name: j, annotations: {argocd.argoproj.io/sync-options: Replace=true}", false),
        ("name: j, annotations: {argocd.argoproj.io/sync-options: 'Force=true,Replace=true'}", true),
        ("generateName: j", true),
    ] {
        let (stamp, lines) = stamped(&job(metadata), &Settings::default(), |stamped| stamp_of(stamped, "Job", "j"));
        assert_eq!((text_of(stamp).is_some(), lines), (wanted, vec![]), "{metadata}");
    }
}

#[test]
fn kinds_are_stamped_by_what_a_change_does() {
    let of_kind = |api: &str, kind: &str, more: &str, settings: &Settings| {
        let text = format!(
            "{CONF}---\napiVersion: {api}\nkind: {kind}\nmetadata: {{name: w}}\nspec:\n  {more}\n  template:\n    spec: \
             {{containers: [{{name: a, {ENV_FROM}}}]}}\n"
        );
        let (stamp, lines) = stamped(&text, settings, |stamped| stamp_of(stamped, kind, "w"));
        (text_of(stamp).is_some(), lines.iter().map(|line| line[..5].to_owned()).collect::<Vec<_>>().join(" "))
    };
    let default = Settings::default();
    let kruise = "apps.kruise.io/v1alpha1";
    for (api, kind, more, stamped, ids) in [
        ("apps/v1", "StatefulSet", "replicas: 1", true, ""),
        ("apps/v1", "StatefulSet", "updateStrategy: {type: OnDelete}", true, "TG404"),
        ("apps/v1", "StatefulSet", "updateStrategy: {rollingUpdate: {partition: 2}}", true, "TG404"),
        ("apps/v1", "StatefulSet", "updateStrategy: {rollingUpdate: {partition: 0}}", true, ""),
        ("apps/v1", "Deployment", "paused: true", true, "TG404"),
        ("apps/v1", "ReplicaSet", "replicas: 1", false, ""),
        ("v1", "ReplicationController", "replicas: 1", false, ""),
        ("argoproj.io/v1alpha1", "Rollout", "replicas: 1", true, ""),
        ("apps.openshift.io/v1", "DeploymentConfig", "replicas: 1", true, ""),
        ("apps.openshift.io/v1", "DeploymentConfig", "triggers: []", true, "TG404"),
        ("apps.openshift.io/v1", "DeploymentConfig", "triggers: [{type: ConfigChange}]", true, ""),
        (kruise, "CloneSet", "updateStrategy: {type: InPlaceIfPossible}", true, "TG404"),
        (kruise, "CloneSet", "updateStrategy: {partition: 20%}", true, "TG404"),
        (kruise, "CloneSet", "updateStrategy: {partition: 0%}", true, ""),
        ("serving.knative.dev/v1", "Service", "traffic: []", true, ""),
        ("a.example.org/v1", "Fleet", "replicas: 1", false, "TG406"),
    ] {
        assert_eq!(of_kind(api, kind, more, &default), (stamped, ids.to_owned()), "{kind} {more}");
    }
    let named = |group: &str, kind: &str| NamedTemplate {
        kind: GroupKind::new(group, kind),
        path: vec!["spec".to_owned(), "template".to_owned()],
    };
    let pod_templates = vec![named("apps", "ReplicaSet"), named("a.example.org", "Fleet")];
    let asked = Settings {
        references: ReferenceSettings { pod_templates, ..ReferenceSettings::default() },
        ..Settings::default()
    };
    assert_eq!(of_kind("apps/v1", "ReplicaSet", "replicas: 1", &asked), (true, String::new()));
    assert_eq!(of_kind("a.example.org/v1", "Fleet", "replicas: 1", &asked), (true, String::new()));
}

#[test]
fn a_knative_template_with_a_name_is_left_alone() {
    let text = format!(
        "{CONF}---\napiVersion: serving.knative.dev/v1\nkind: Service\nmetadata: {{name: w}}\nspec:\n  template:\n    \
         metadata: {{name: w-1}}\n    spec: {{containers: [{{name: a, {ENV_FROM}}}]}}\n"
    );
    let (stamp, lines) = stamped(&text, &Settings::default(), |stamped| stamp_of(stamped, "Service", "w"));
    assert_eq!(text_of(stamp), None);
    assert_eq!(lines, ["TG405 Service w gets no checksum: its template has a fixed name"]);
}

#[test]
fn settings_decide_who_gets_one() {
    let mode =
        |mode| Settings { checksums: ChecksumSettings { mode, ..ChecksumSettings::default() }, ..Settings::default() };
    let text = format!("{CONF}{}", deployment(ENV_FROM, ""));
    let asks = text.replace("{name: web}", "{name: web, annotations: {tidegate.dev/checksum: 'true'}}");
    let labelled = text.replace("{name: web}", "{name: web, labels: {tidegate.dev/checksum: 'true'}}");
    let value = web(&text, &Settings::default()).0;
    assert!(value.is_some());
    assert_eq!(web(&text, &mode(ChecksumMode::Off)).0, None);
    assert_eq!(web(&asks, &mode(ChecksumMode::Off)).0, None);
    assert_eq!(web(&text, &mode(ChecksumMode::Labelled)).0, None);
    assert_eq!(web(&asks, &mode(ChecksumMode::Labelled)).0, value);
    assert_eq!(web(&labelled, &mode(ChecksumMode::Labelled)).0, value);
}

#[test]
fn a_key_that_is_required_is_never_done_without() {
    let text = format!("{CONF}{}", deployment(ENV_FROM, ""));
    let checksums = ChecksumSettings { require_key: true, ..ChecksumSettings::default() };
    let without = Settings { checksums: checksums.clone(), ..Settings::default() };
    let (value, lines) = web(&text, &without);
    assert_eq!(value, None);
    assert_eq!(lines, ["TG408 the configuration requires a key for checksums, and there is none"]);
    let key = ChecksumKey::new(b"example-key".to_vec());
    let with = Settings { checksums: ChecksumSettings { key, ..checksums }, ..Settings::default() };
    let (value, lines) = web(&text, &with);
    assert_eq!(
        (value.map(|value| (value.len(), value[..7].to_owned())), lines),
        (Some((71, "b67ac8-".to_owned())), vec![])
    );
}
