use super::*;
use crate::finding::{self, Findings, Ignore, Refusal, Threshold};
use crate::object::{GroupKind, Scope};
use crate::source::{Place, SourceFile, SourceMap};

/// What a text sets, and what was found: `line:column path: message (remedy)`.
fn read_text(text: &str) -> (Option<Raw>, Vec<String>) {
    let mut map = SourceMap::default();
    let file = map.add(SourceFile::new("tidegate.yaml", text));
    let mut found = Findings::default();
    let raw = read(map.file(file).text(), file, &mut found);
    let lines = found.sorted().into_iter().map(|finding| {
        assert_eq!((finding.rule.id, finding.rule.refuses), ("TG040", Refusal::Usage));
        let label = &finding.labels[0];
        let place = map.line_column(label.place);
        let path = label.path.clone().unwrap_or_default();
        let remedy = finding.remedy.as_deref().unwrap_or("-");
        format!("{place} [{path}] {} ({remedy})", finding.message)
    });
    let lines: Vec<String> = lines.collect();
    assert_eq!(found.exit_code(Threshold::Never), if lines.is_empty() { 0 } else { 2 });
    (raw, lines)
}

/// The same for what stands under `spec`, on line 2.
fn read_spec(spec: &str) -> (Raw, Vec<String>) {
    let head = r#"{"apiVersion":"tidegate.dev/v1alpha1","kind":"Tidegate","spec":"#;
    let (raw, lines) = read_text(&format!("{head}\n{spec}}}"));
    (raw.expect("the version is right"), lines)
}

fn settings(spec: &str) -> Settings {
    let (raw, lines) = read_spec(spec);
    assert_eq!(lines, Vec::<String>::new());
    Settings::resolve(Some(raw), Overrides::default(), Overrides::default())
}

#[test]
fn every_setting_reaches_its_place() {
    let all = settings(
        r#"{"namespace":"shop","writeNamespace":true,"input":{"strict":true,"allowEmpty":true},
"engine":{"name":"kubectl","argocd":{"skipDryRun":"all"},"flux":{"name":"shop","namespace":"gitops","sourceRef":{"kind":"Bucket","name":"b.c","namespace":"d"},"path":"a/b","interval":"1h30m","timeout":"90s","prune":true}},"waves":{"mode":"minimal","bands":{"config":-30,"crd":-5,"workload":10}},"gates":{"producers":"jobs-only","policies":"enforce","mesh":"job","meshJob":{"placement":"presync","image":"a/b:1","timeout":60,"namespace":"ops","linkerd":["a.b:1"],"istio":["c:65535"]}},
"edges":{"dependsOn":[{"from":"Job/shop/migrate","to":"Deployment.apps/shop/*"}],"ignore":[{"from":"*","to":"Service","reason":"reader"}]},
"findings":{"failOn":"warning","ignore":[{"rule":"TG203","object":"ConfigMap shop/app","reason":"known"},{"rule":"TG204"}],"severities":[{"rule":"TG202","severity":"info"}]},
"kinds":[{"group":"acme.example.org","kind":"Tenant","scope":"Cluster"}],
"external":{"default":"trust","objects":[{"group":"","kind":"Secret","namespace":"shop","name":"tls-*"}]}}"#,
    );
    let ignores: Vec<_> =
        all.findings.ignore.iter().map(|i| (i.id.as_str(), i.reason.as_str(), i.operator, &i.scope)).collect();
    let object = finding::Scope::Object { name: "ConfigMap shop/app".into(), place: None };
    let everything = finding::Scope::Everything;
    assert_eq!(ignores, [("TG203", "known", false, &object), ("TG204", "", false, &everything)]);
    let expected = Settings {
        namespace: Some("shop".into()),
        write_namespace: true,
        input: InputSettings { strict: true, allow_empty: true },
        engine: EngineName::Kubectl,
        waves: Waves { mode: WaveMode::Minimal, bands: Bands { config: -30, crd: -5, workload: 10 } },
        argocd: Argocd { skip_dry_run: SkipDryRun::All },
        flux: Flux {
            name: Some("shop".into()),
            namespace: "gitops".into(),
            source_kind: FluxSource::Bucket,
            source_name: "b.c".into(),
            source_namespace: Some("d".into()),
            path: Some("a/b".into()),
            interval: "1h30m".into(),
            timeout: "90s".into(),
            prune: true,
        },
        gates: Gates {
            producers: ProducerGates::JobsOnly,
            policies: PolicyGates::Enforce,
            mesh: MeshGate::Job,
            mesh_job: MeshJob {
                placement: MeshJobPlacement::PreSync,
                image: "a/b:1".into(),
                timeout: 60,
                namespace: Some("ops".into()),
                linkerd: vec!["a.b:1".into()],
                istio: vec!["c:65535".into()],
            },
        },
        edges: EdgeSettings {
            depends_on: vec![EdgeRow {
                from: "Job/shop/migrate".parse().unwrap(),
                to: "Deployment.apps/shop/*".parse().unwrap(),
                reason: None,
                place: all.edges.depends_on[0].place,
            }],
            ignore: vec![EdgeRow {
                from: "*".parse().unwrap(),
                to: "Service".parse().unwrap(),
                reason: Some(EdgeReason("reader")),
                place: all.edges.ignore[0].place,
            }],
        },
        findings: FindingSettings {
            fail_on: Threshold::Warning,
            ignore: all.findings.ignore.clone(),
            ignore_by_operator: Vec::new(),
            severities: vec![finding::SeverityRow {
                rule: "TG202".into(),
                severity: finding::Severity::Info,
                place: all.findings.severities[0].place,
                operator: false,
            }],
        },
        kinds: vec![KindRow { kind: GroupKind::new("acme.example.org", "Tenant"), scope: Scope::Cluster }],
        external: ExternalSettings {
            default: External::Trust,
            objects: vec![ExternalRow {
                group: Some(String::new()),
                kind: "Secret".into(),
                namespace: Some("shop".into()),
                name: "tls-*".into(),
            }],
        },
        ..Settings::default()
    };
    assert_eq!(all, expected);
}

#[test]
fn silence_and_null_mean_the_defaults() {
    let defaults = Settings::resolve(None, Overrides::default(), Overrides::default());
    assert_eq!(defaults, Settings::default());
    assert_eq!(settings("{}"), defaults);
    assert_eq!(settings("null"), defaults);
    let nulls = r#"{"namespace":null,"waves":null,"kinds":null,"engine":{"name":null}}"#;
    assert_eq!(settings(nulls), defaults);
    assert_eq!(defaults.waves.bands.to_string(), "-20, -10, 0");
    assert_eq!(defaults.findings.fail_on, Threshold::Error);
}

#[test]
fn everything_wrong_is_said_in_one_run_and_the_rest_counts() {
    let (raw, lines) = read_spec(
        r#"{"namepace":"shop",
"input":{"strict":"true"},
"engine":{"name":"fluks"},
"waves":{"mode":"stagd","bands":{"config":1.0e0,"crd":99999999}},
"findings":{"failOn":3,"ignore":[{"rule":"203"},{"object":"x"},null,{"rule":"TG001"}]},
"kinds":{"group":"x"},
"limits":{"nesting":900},
"colour":"red","writeNamespace":true}"#
            .replace("1.0e0", "[]")
            .as_str(),
    );
    insta::assert_snapshot!(lines.join("\n"), @r##"
    2:2 [spec.namepace] unknown field `spec.namepace` (did you mean `namespace`?)
    3:19 [spec.input.strict] `spec.input.strict` must be true or false, not a string (-)
    4:18 [spec.engine.name] `spec.engine.name` must be argocd, kubectl or flux, not "fluks" (-)
    5:17 [spec.waves.mode] `spec.waves.mode` must be staged or minimal, not "stagd" (did you mean `staged`?)
    5:43 [spec.waves.bands.config] `spec.waves.bands.config` must be a whole number from -1000000 to 1000000, not a list (-)
    5:52 [spec.waves.bands.crd] `spec.waves.bands.crd` must be a whole number from -1000000 to 1000000, not 99999999 (-)
    6:22 [spec.findings.failOn] `spec.findings.failOn` must be error, warning or never, not a number (-)
    6:42 [spec.findings.ignore[0].rule] `spec.findings.ignore[0].rule` must be the id of a rule, as in TG101, not "203" (-)
    6:49 [spec.findings.ignore[1]] `spec.findings.ignore[1].rule` is missing: it must be the id of a rule, as in TG101 (-)
    6:64 [spec.findings.ignore[2]] `spec.findings.ignore[2]` must be a mapping, not null (-)
    7:9 [spec.kinds] `spec.kinds` must be a list of mappings, not a mapping (-)
    8:1 [spec.limits] `spec.limits` cannot be set here: limits are changed by flags or the operator's environment only (-)
    9:1 [spec.colour] unknown field `spec.colour` (the fields here are namespace, writeNamespace, partial, input, engine, waves, stages, checksums, reload, versioned, references, templates, patches, gates, edges, convert, findings, kinds and external)
    "##);
    assert!(raw.write_namespace.is_some_and(|set| set.value));
    assert_eq!(raw.ignore.len(), 1);
}

#[test]
fn bands_ascend_or_none_counts() {
    for (bands, shown) in [
        (r#"{"crd":-20}"#, "-20, -20, 0"),
        (r#"{"workload":-15}"#, "-20, -10, -15"),
        (r#"{"config":5,"crd":6,"workload":6}"#, "5, 6, 6"),
    ] {
        let (raw, lines) = read_spec(&format!(r#"{{"waves":{{"bands":{bands}}}}}"#));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(&format!("not {shown} ")), "{lines:?}");
        assert!(lines[0].contains("[spec.waves.bands]"), "{lines:?}");
        assert_eq!(raw.bands.resolve(), Bands::default());
    }
}

#[test]
fn a_kind_has_one_row() {
    let (raw, lines) = read_spec(
        r#"{"kinds":[
{"group":"a.b","kind":"Tenant","scope":"Cluster"},
{"group":"","kind":"Tenant","scope":"Cluster"},
{"group":"a.b","kind":"Tenant","scope":"Namespaced"}]}"#,
    );
    insta::assert_snapshot!(lines.join("\n"), @r##"5:1 [spec.kinds] `spec.kinds` has two rows for Tenant.a.b (keep one of them)"##);
    assert_eq!(raw.kinds.len(), 2);
}

#[test]
fn the_envelope_says_what_it_is() {
    let (raw, lines) = read_text(r#"{"apiVersion":"tidegate.dev/v2","spec":{"new":1}}"#);
    assert_eq!(raw, None, "the fields of another version may mean anything");
    insta::assert_snapshot!(lines.join("\n"), @r##"1:15 [apiVersion] `apiVersion` must be tidegate.dev/v1alpha1, not "tidegate.dev/v2" (-)"##);

    let (_, lines) = read_text(r#"{"kind":"Tidgate","metadata":[1],"waves":{},"Spec":null}"#);
    insta::assert_snapshot!(lines.join("\n"), @r##"
    1:1 [] `apiVersion` is missing: it must be tidegate.dev/v1alpha1 (-)
    1:9 [kind] `kind` must be Tidegate, not "Tidgate" (-)
    1:34 [waves] unknown field `waves` (did you mean `spec.waves`?)
    1:45 [Spec] unknown field `Spec` (did you mean `spec`?)
    "##);

    let (raw, lines) = read_text("apiVersion: v1\nkind: Secret\nstringData: {a: b}\n");
    assert_eq!(raw, None);
    insta::assert_snapshot!(lines.join("\n"), @r##"
    1:13 [apiVersion] `apiVersion` must be tidegate.dev/v1alpha1, not "v1" (-)
    2:7 [kind] `kind` must be Tidegate, not "Secret" (-)
    "##);

    let (raw, lines) = read_text("[1]");
    assert_eq!(raw, None);
    insta::assert_snapshot!(lines.join("\n"), @r##"1:1 [] the configuration must be a mapping, not a list (-)"##);
}

#[test]
fn what_the_yaml_reader_refuses_is_our_own_error() {
    let head = "apiVersion: tidegate.dev/v1alpha1\nkind: Tidegate\n";
    let texts = [
        format!("{head}spec: {{namespace: a, namespace: b}}\n"),
        format!("{head}spec: [\n"),
        format!("# settings\n---\n{head}---\nkind: Other\n---\n# the end\n"),
        "# nothing\n".to_owned(),
    ];
    let mut all = Vec::new();
    for text in texts {
        let (raw, lines) = read_text(&text);
        all.push(format!("read: {}", raw.is_some()));
        all.extend(lines);
    }
    insta::assert_snapshot!(all.join("\n"), @r##"
    read: false
    3:22 [spec.namespace] duplicate key "namespace" (remove one of the two, or merge their values into one)
    read: false
    3:7 [spec[0]] [ is never closed (-)
    read: true
    6:1 [] a configuration is one document; this is another one (-)
    read: false
    1:1 [] the configuration is empty: it must have apiVersion and kind (-)
    "##);
}

/// The name of another file given by mistake must not bring its lines into a message.
#[test]
fn only_lines_of_a_configuration_are_shown() {
    for (text, shown) in [
        ("apiVersion: tidegate.dev/v1alpha1\nkind: Tidegate\nx: 1\n", true),
        ("apiVersion: v1\nkind: Secret\nstringData: {a: b}\n", false),
        ("stringData: {a: b}\n", false),
    ] {
        let mut map = SourceMap::default();
        let file = map.add(SourceFile::new("tidegate.yaml", text));
        let mut found = Findings::default();
        read(text, file, &mut found);
        let last = Place { file, start: text.len() - 3, end: text.len() - 1 };
        assert_eq!(found.may_show(last), shown, "{text}");
    }
}

#[test]
fn findings_about_one_file_are_bounded() {
    let fields: Vec<String> = (0..1000).map(|n| format!(r#""x{n}":{n}"#)).collect();
    let (_, lines) = read_spec(&format!("{{{}}}", fields.join(",")));
    assert_eq!(lines.len(), 100);
}

#[test]
fn a_flag_beats_the_environment_and_the_environment_beats_the_file() {
    let (raw, _) = read_spec(
        r#"{"namespace":"file","engine":{"name":"kubectl"},"input":{"strict":true},
"findings":{"failOn":"never","ignore":[{"rule":"TG001"}]}}"#,
    );
    let ignore = |id: &str| Ignore {
        id: id.into(),
        reason: String::new(),
        scope: finding::Scope::Everything,
        operator: true,
        label: None,
    };
    let env = Overrides {
        namespace: Some("env".into()),
        engine: Some(EngineName::Argocd),
        strict_input: Some(false),
        ignore: vec![ignore("TG002")],
        limits: LimitOverrides { nesting: Some(300), objects: Some(5), ..LimitOverrides::default() },
        ..Overrides::default()
    };
    let flags = Overrides {
        namespace: Some("flag".into()),
        ignore: vec![ignore("TG003")],
        limits: LimitOverrides { nesting: Some(400), ..LimitOverrides::default() },
        ..Overrides::default()
    };
    let settings = Settings::resolve(Some(raw), env, flags);
    assert_eq!(settings.namespace.as_deref(), Some("flag"));
    assert_eq!(settings.engine, EngineName::Argocd);
    assert!(!settings.input.strict, "a later false beats an earlier true");
    assert_eq!(settings.findings.fail_on, Threshold::Never);
    assert_eq!(settings.findings.ignore.iter().map(|ignore| &ignore.id).collect::<Vec<_>>(), ["TG001"]);
    assert_eq!(settings.findings.ignore_by_operator, [ignore("TG002"), ignore("TG003")]);
    assert_eq!((settings.limits.nesting, settings.limits.objects), (400, 5));
}

#[test]
#[allow(clippy::too_many_lines, reason = "one line a field")]
fn the_documentation_lists_every_field() {
    let rows = fields();
    let lines: Vec<String> = rows.iter().map(|row| format!("{}: {}; {}", row.path, row.accepts, row.help)).collect();
    insta::assert_snapshot!(lines.join("\n"), @r##"
    apiVersion: tidegate.dev/v1alpha1; the version of this form
    kind: Tidegate; the kind of this object
    metadata: anything; free, for whoever stores the object
    spec: a mapping; the settings
    spec.namespace: a namespace name (lower case letters, digits and inner `-`, at most 63 characters); the namespace of namespaced objects that name none
    spec.writeNamespace: true or false; whether that namespace is written into them
    spec.partial: true or false; whether the input is one part of what is deployed together: what it names may be elsewhere
    spec.input: a mapping; what is read
    spec.input.strict: true or false; whether documents that would be skipped are errors
    spec.input.allowEmpty: true or false; whether input without any object is no error
    spec.engine: a mapping; who applies the output
    spec.engine.name: argocd, kubectl or flux; the engine
    spec.engine.argocd: a mapping; what holds for Argo CD alone
    spec.engine.argocd.skipDryRun: auto or all; which custom resources get `SkipDryRunOnMissingResource=true`: those whose definition an object of the input makes, or all whose definition is not in the input
    spec.engine.flux: a mapping; what holds for Flux alone
    spec.engine.flux.name: a name of at most 54 lower case letters, digits and inner `-`; what the names of the Kustomizations begin with; the name of the output folder where it is absent
    spec.engine.flux.namespace: a namespace name (lower case letters, digits and inner `-`, at most 63 characters); the namespace of the Kustomizations
    spec.engine.flux.sourceRef: a mapping; where Flux takes the output from
    spec.engine.flux.sourceRef.kind: GitRepository, OCIRepository or Bucket; the kind of the source
    spec.engine.flux.sourceRef.name: a name, as in `flux-system`; its name
    spec.engine.flux.sourceRef.namespace: a namespace name (lower case letters, digits and inner `-`, at most 63 characters); its namespace; that of the Kustomizations where it is absent
    spec.engine.flux.path: a path from the root of the repository, as in `clusters/prod`, without `..`; where the output folder lies in the source; as `--output-dir` names it where it is absent
    spec.engine.flux.interval: a duration, as in `10m` or `1h30m`; how often Flux looks
    spec.engine.flux.timeout: a duration, as in `10m` or `1h30m`; how long Flux waits until everything of a stage is ready
    spec.engine.flux.prune: true or false; whether Flux removes what the folder no longer holds
    spec.waves: a mapping; how objects are spread over waves
    spec.waves.mode: staged or minimal; a band for each stage, or as few waves as gates allow
    spec.waves.bands: a mapping; the first wave of each stage, ascending
    spec.waves.bands.config: a whole number from -1000000 to 1000000; the first wave of the config stage
    spec.waves.bands.crd: a whole number from -1000000 to 1000000; the first wave of the crd stage
    spec.waves.bands.workload: a whole number from -1000000 to 1000000; the first wave of the workload stage
    spec.stages: a list of mappings; kinds that are in another stage than the table says
    spec.stages[].group: an API group without a version, as in `apps`, or "" for the core group; the API group of the kind
    spec.stages[].kind: a kind, as in `Deployment`; the kind
    spec.stages[].stage: config, crd or workload; the stage of its objects
    spec.checksums: a mapping; what of the configuration that pods read becomes a checksum
    spec.checksums.mode: all, labelled or off; which workloads get a checksum
    spec.checksums.encrypted: proxy or off; whether ciphertext in the input stands in for what it is decrypted to
    spec.checksums.csi: true or false; whether SecretProviderClasses and Secrets for mounting CSI volumes take part
    spec.checksums.requireKey: true or false; whether there must be a key, so that no value can be guessed
    spec.reload: a mapping; which changes of configuration restart pods
    spec.reload.annotations: read or off; whether the annotations of Reloader and wave are read as policy
    spec.reload.rules: a list of mappings; policies for sources of which no annotation says anything; the first rule that fits counts
    spec.reload.rules[].source: a pattern of ConfigMaps or Secrets, as in `ConfigMap/shop/app-*`; the sources
    spec.reload.rules[].labels: labels as kubectl -l reads them, as in `app=web,tier in (a,b)`; labels that they must have
    spec.reload.rules[].workload: a pattern of objects, as in `Job/shop/migrate`: KIND[.GROUP], KIND[.GROUP]/NAME or KIND[.GROUP]/NAMESPACE/NAME, with `*` for any characters; the workloads that read them; any where it is absent
    spec.reload.rules[].policy: restart, hot or ignore; what a change does to the pods: restart, nothing where the kubelet brings it to them, or nothing
    spec.versioned: a mapping; configuration that gets a name of its content
    spec.versioned.keep: true or false; whether Argo CD keeps old versions for good (`Prune=false`), not only until their last readers are gone (`PruneLast=true`)
    spec.versioned.sources: a list of mappings; ConfigMaps and Secrets that get a name of their content, beside those with `tidegate.dev/versioned: "true"`
    spec.versioned.sources[].source: a pattern of ConfigMaps or Secrets, as in `ConfigMap/shop/app-*`; the sources
    spec.versioned.sources[].labels: labels as kubectl -l reads them, as in `app=web,tier in (a,b)`; labels that they must have
    spec.references: a mapping; what objects refer to, beside what tidegate knows
    spec.references.podTemplates: a list of mappings; where kinds hold a pod template, beside those that tidegate knows
    spec.references.podTemplates[].group: an API group without a version, as in `apps`, or "" for the core group; the API group of the kind
    spec.references.podTemplates[].kind: a kind, as in `Deployment`; the kind
    spec.references.podTemplates[].path: the keys from the object to its pod template with dots between them, as in `spec.template`; the way to the template
    spec.references.fields: a list of mappings; where kinds name other objects, beside what tidegate knows
    spec.references.fields[].group: an API group without a version, as in `apps`, or "" for the core group; the API group of the kind
    spec.references.fields[].kind: a kind, as in `Deployment`; the kind
    spec.references.fields[].path: keys with dots between them, `[]` behind a list for each of its items, as in `spec.sources[].secretName`; the way to the name
    spec.references.fields[].to: KIND or KIND.GROUP, as in `Secret` or `Certificate.cert-manager.io`; the kind of the object that is named
    spec.references.fields[].key: a string that is not empty; the field beside the name that says which key is read
    spec.references.fields[].optional: true or false; whether the object does without the one it names
    spec.references.fields[].orders: true or false; whether the named object comes first; it does unless this is false
    spec.references.producers: a list of mappings; kinds whose objects make others when they run, beside those that tidegate knows
    spec.references.producers[].group: an API group without a version, as in `apps`, or "" for the core group; the API group of the kind
    spec.references.producers[].kind: a kind, as in `Deployment`; the kind
    spec.references.producers[].makes: KIND or KIND.GROUP, as in `Secret` or `Certificate.cert-manager.io`; the kind of what its objects make
    spec.references.producers[].name: a name, in which `*` stands for the maker's own, as in `*-tls`; the name of what is made, with `*` for the maker's own; `*` where neither this nor a path is given, and the one that counts where the path leads to nothing
    spec.references.producers[].path: keys with dots between them, `[]` behind a list for each of its items, as in `spec.sources[].secretName`; the way to the field that says the name
    spec.references.producers[].keys: a list, of which each must be a string that is not empty; all keys that it has; unknown where absent
    spec.references.fillers: a list of mappings; marks on ConfigMaps and Secrets that somebody fills at run time
    spec.references.fillers[].annotation: a string that is not empty; the name of an annotation
    spec.references.fillers[].label: a string that is not empty; the name of a label
    spec.references.fillers[].values: a list, of which each must be a string that is not empty; the values that count; any but false where absent
    spec.references.fillers[].by: a string that is not empty; who fills it, for messages
    spec.references.configVersions: a list of mappings; where ConfigMaps without `tidegate.dev/config-version` say which version of configuration they are
    spec.references.configVersions[].source: a pattern of ConfigMaps or Secrets, as in `ConfigMap/shop/app-*`; the ConfigMaps
    spec.references.configVersions[].key: a string that is not empty; the key, whose value is YAML or JSON
    spec.references.configVersions[].pointer: a JSON pointer, as in `/global/version`; the way to the version in that value (RFC 6901)
    spec.templates: a mapping; what templates, files named `*.yaml.tera`, are rendered with
    spec.templates.values: a list, of which each must be a path below the folder of the configuration, without `..`, as in `values/prod.yaml`; files with values, the later ones over the earlier ones and those of `--values` over them
    spec.patches: a list of mappings; changes of objects, made one after the other before anything else is done with them
    spec.patches[].target: a mapping; which objects
    spec.patches[].target.group: an API group, in which `*` stands for any characters and `?` for one, or "" for the core group; their API group; any where it is absent
    spec.patches[].target.version: a name, in which `*` stands for any characters and `?` for one; their version; any where it is absent
    spec.patches[].target.kind: a name, in which `*` stands for any characters and `?` for one; their kind; any where it is absent
    spec.patches[].target.namespace: a name, in which `*` stands for any characters and `?` for one; their namespace; any where it is absent
    spec.patches[].target.name: a name, in which `*` stands for any characters and `?` for one; their name; any where it is absent
    spec.patches[].target.labels: labels as kubectl -l reads them, as in `app=web,tier in (a,b)`; labels that they have
    spec.patches[].merge: a mapping; a JSON merge patch (RFC 7386): its fields replace those of the object, null takes a field out
    spec.patches[].json6902: a list; a JSON patch (RFC 6902): a list of operations
    spec.patches[].path: a path below the folder of the configuration, without `..`, as in `patches/volumes.yaml`; a file that holds the one (a mapping) or the other (a list)
    spec.gates: a mapping; which waits become gates
    spec.gates.producers: wait, jobs-only or off; whether pods wait for what makes the Secrets and ConfigMaps that they read
    spec.gates.policies: ignore or enforce; whether anything waits for policy engines: webhooks with `*` as group or resource
    spec.gates.mesh: off, proxy-await, native-sidecar or job; what holds the pods that Linkerd or Istio gives a proxy back until the control plane answers, where that is not in the input
    spec.gates.meshJob: a mapping; the Job of `mesh: job`
    spec.gates.meshJob.placement: wave or presync; whether it runs in a wave before the meshed workloads, or as a PreSync hook of Argo CD
    spec.gates.meshJob.image: an image, as in `busybox:1.37.0`; an image with `sh`, `date`, `nc` and `sleep` [default: busybox:1.37.0]
    spec.gates.meshJob.timeout: a whole number from 1 to 86400; how many seconds it waits before it fails [default: 300]
    spec.gates.meshJob.namespace: a namespace name (lower case letters, digits and inner `-`, at most 63 characters); its namespace; the first one of the meshed workloads where it is absent
    spec.gates.meshJob.linkerd: a list, of which each must be a host and a port, as in `istiod.istio-system.svc:15012`; what of Linkerd must answer; identity, destination and the injector in `linkerd` where it is absent
    spec.gates.meshJob.istio: a list, of which each must be a host and a port, as in `istiod.istio-system.svc:15012`; what of Istio must answer; istiod in `istio-system` where it is absent
    spec.edges: a mapping; what needs what, beside what tidegate infers
    spec.edges.dependsOn: a list of mappings; objects that wait until others are ready
    spec.edges.dependsOn[].from: a pattern of objects, as in `Job/shop/migrate`: KIND[.GROUP], KIND[.GROUP]/NAME or KIND[.GROUP]/NAMESPACE/NAME, with `*` for any characters; what must be ready first
    spec.edges.dependsOn[].to: a pattern of objects, as in `Job/shop/migrate`: KIND[.GROUP], KIND[.GROUP]/NAME or KIND[.GROUP]/NAMESPACE/NAME, with `*` for any characters; what waits for it
    spec.edges.ignore: a list of mappings; edges that tidegate infers and that do not hold
    spec.edges.ignore[].from: a pattern of objects, as in `Job/shop/migrate`: KIND[.GROUP], KIND[.GROUP]/NAME or KIND[.GROUP]/NAMESPACE/NAME, with `*` for any characters; what would come first
    spec.edges.ignore[].to: a pattern of objects, as in `Job/shop/migrate`: KIND[.GROUP], KIND[.GROUP]/NAME or KIND[.GROUP]/NAMESPACE/NAME, with `*` for any characters; what would wait for it
    spec.edges.ignore[].reason: namespace, definition, backend, own-registration, mesh, reference, registration, conversion, producer, definition-producer, reader, definition-reader or controller; why it would; any reason where it is absent
    spec.convert: a mapping; what is converted to another version of its API on the way
    spec.convert.trafficSplit: auto, off, v1alpha1, v1alpha2, v1alpha3, v1alpha4 or httproute; the version that TrafficSplits are brought to; `auto` brings those of v1alpha1 to the lowest later version that is served
    spec.convert.weightLimit: a whole number from 1 to 2147483647; the largest weight, and the largest sum of weights, that a conversion may write [default: 429496, what Linkerd carries]
    spec.convert.allowLossy: true or false; whether fields that the version cannot hold are dropped and reported, instead of refused
    spec.convert.lenient: true or false; whether Quantities are read as weights where the version takes whole numbers
    spec.findings: a mapping; what becomes of findings
    spec.findings.failOn: error, warning or never; the severity from which on findings refuse the output
    spec.findings.ignore: a list of mappings; findings that are left out, unless only an operator may
    spec.findings.ignore[].rule: the id of a rule, as in TG101; the rule
    spec.findings.ignore[].object: a string that is not empty; the one object, as findings name it: `Kind namespace/name` or `Kind name`
    spec.findings.ignore[].reason: a string that is not empty; why, for readers
    spec.findings.severities: a list of mappings; other severities for the findings of a rule
    spec.findings.severities[].rule: the id of a rule, as in TG101; the rule
    spec.findings.severities[].severity: error, warning or info; the severity of all its findings; what refuses the output stays an error
    spec.kinds: a list of mappings; what is to be known of kinds whose CRD is not in the input
    spec.kinds[].group: an API group without a version, as in `apps`, or "" for the core group; its API group
    spec.kinds[].kind: a kind, as in `Deployment`; its name
    spec.kinds[].scope: Cluster or Namespaced; whether its objects live in namespaces
    spec.external: a mapping; objects that others apply or make
    spec.external.default: warn or trust; whether an object that the input names and does not hold is worth a word
    spec.external.objects: a list of mappings; objects that are never missing
    spec.external.objects[].group: an API group without a version, as in `apps`, or "" for the core group; their API group; any where it is absent
    spec.external.objects[].kind: a kind, as in `Deployment`; their kind
    spec.external.objects[].namespace: a name, in which `*` stands for any characters and `?` for one; their namespace; any where it is absent
    spec.external.objects[].name: a name, in which `*` stands for any characters and `?` for one; their name
    "##);
    assert!(rows.iter().all(|row| !row.help.is_empty()));
}
