//! Why a plugin is not found, or does not run: the usual faults of its installation.
//!
//! They are told from the manifests of Argo CD (the Deployment argocd-repo-server, ConfigMaps, Applications),
//! and from the sidecar's own `plugin.yaml`. The rules are those of `docs/operator-manual/
//! config-management-plugins.md` and `cmpserver/plugin` of Argo CD.

use crate::finding::rules::plugins as rules;
use crate::finding::{Finding, Findings, Label, Rule};
use crate::object::{Object, ObjectSet};
use crate::source::DocumentStart;
use crate::tree::{FieldPath, Node};
use crate::yaml;

const SERVER: &str = "argocd-cmp-server";
const KIND: &str = "ConfigManagementPlugin";
const API_VERSION: &str = "argoproj.io/v1alpha1";
/// The user that owns the sockets, and must run the sidecar.
const USER: i64 = 999;
/// Folders that a sidecar must mount, and what each is for.
const MOUNTS: [(&str, &str); 3] = [
    ("/var/run/argocd", "the volume `var-files`, which brings the program argocd-cmp-server"),
    ("/home/argocd/cmp-server/plugins", "the volume `plugins`, where the socket is that argocd-repo-server looks for"),
    ("/tmp", "a volume of its own (an emptyDir), where the copy of the repository is unpacked"),
];
/// Where the server reads what the plugin is.
const PLUGIN_FILE: &str = "/home/argocd/cmp-server/config/plugin.yaml";
/// Where Argo CD had its plugins before they were sidecars (`docs/operator-manual/upgrading/2.7-2.8.md`).
const OLD_KEY: &str = "configManagementPlugins";
/// Programs that start others from a text.
const SHELLS: [&str; 5] = ["sh", "bash", "ash", "dash", "zsh"];

/// Looks through the manifests of an Argo CD installation.
pub fn manifests(objects: &ObjectSet<'_>, found: &mut Findings) {
    let mut names = Vec::new();
    for (_, map) in objects.of_kind("", "ConfigMap") {
        let data = map.tree.get("data").and_then(Node::mapping).map(|data| data.entries()).unwrap_or_default();
        for (key, value) in data {
            if key.name == OLD_KEY && value.as_str().is_some_and(|text| !text.trim().is_empty()) {
                found.push(old_key(map));
                continue;
            }
            let Some(text) = value.as_str().filter(|text| text.contains(KIND)) else { continue };
            let path = FieldPath::keys(["data", &key.name]);
            names.extend(plugin_file(text, Some((map, &path)), found));
        }
    }
    let mut sidecars = 0;
    for (_, deployment) in objects.of_kind("apps", "Deployment").chain(objects.of_kind("apps", "StatefulSet")) {
        sidecars += sidecar_faults(deployment, objects, found);
    }
    let has_server =
        objects.of_kind("apps", "Deployment").any(|(_, object)| object.id.name.text().ends_with("repo-server"));
    if has_server && sidecars == 0 {
        let message = format!("argocd-repo-server has no sidecar: no container runs {SERVER}");
        found.push(Finding::new(&rules::SIDECAR, message).with_remedy("`tidegate cmp install` prints one"));
    }
    for (_, application) in objects.of_kind("argoproj.io", "Application") {
        application_faults(application, &names, found);
    }
}

/// Plugins of the kind that ran in argocd-repo-server itself.
fn old_key(map: &Object<'_>) -> Finding {
    let message = format!("`{OLD_KEY}` holds plugins of a kind that Argo CD does not run since 2.8");
    let remedy = "remove it: a plugin is a sidecar, and `tidegate cmp install` prints one".to_owned();
    fault(&rules::PLUGIN_FILE, map, &FieldPath::keys(["data", OLD_KEY]), message, remedy)
}

/// What a plugin is called, and whether it is found without being named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginName {
    /// Its name, and its version behind it where it has one: by this an Application asks for it.
    pub name: String,
    /// Whether it has a rule by which it is found.
    pub is_discovered: bool,
}

/// Looks through the text of a `plugin.yaml`, which stands at a field of an object or is a file of its own.
pub fn plugin_file(text: &str, holder: Option<(&Object<'_>, &FieldPath)>, found: &mut Findings) -> Option<PluginName> {
    let fault = |message: String, remedy: &str| {
        let finding = Finding::new(&rules::PLUGIN_FILE, message).with_remedy(remedy);
        match holder {
            None => finding,
            Some((object, path)) => {
                finding.with_object(&object.id).with_label(Label::new(object.place_of(path)).path(path.clone()))
            }
        }
    };
    let at = DocumentStart {
        file: crate::source::SourceMap::default().add(crate::source::SourceFile::new("plugin.yaml", "")),
        offset: 0,
    };
    let mut reading = Findings::default();
    let Ok(Some(root)) = yaml::parse(text, at, &Default::default(), &mut reading) else {
        found.push(fault("plugin.yaml is no YAML".to_owned(), "`tidegate cmp plugin-yaml` prints one"));
        return None;
    };
    let words = |path: &[&str]| root.at(path).and_then(Node::as_str).unwrap_or_default().to_owned();
    if words(&["apiVersion"]) != API_VERSION || words(&["kind"]) != KIND {
        let message =
            format!("plugin.yaml is {} {}, not {API_VERSION} {KIND}", words(&["apiVersion"]), words(&["kind"]));
        found.push(fault(message, "argocd-cmp-server refuses any other and does not start: correct the two"));
    }
    if root.at(&["spec", "lockRepo"]).is_some() {
        let message = "plugin.yaml sets `lockRepo`, which no server reads any more";
        found.push(fault(message.to_owned(), "remove it: every call has a copy of its own"));
    }
    let command = root.at(&["spec", "generate", "command"]).and_then(Node::items).unwrap_or_default();
    let command: Vec<&str> = command.iter().filter_map(Node::as_str).collect();
    match command.first() {
        None => found.push(fault(
            "plugin.yaml has no `spec.generate.command`".to_owned(),
            "argocd-cmp-server does not start without it: `command: [tidegate, cmp, generate]`",
        )),
        Some(program) if SHELLS.contains(&program.rsplit('/').next().unwrap_or(program)) => found.push(fault(
            "plugin.yaml generates through a shell".to_owned(),
            "name the program itself, `command: [tidegate, cmp, generate]`: a pipe hides the failure of all but its last \
             command, and an empty answer deletes everything; an image without a shell cannot run one",
        )),
        Some(program) if program.contains(' ') => found.push(fault(
            format!("plugin.yaml names the program `{program}`, with a space in it"),
            "write each argument as an item of its own: `command: [tidegate, cmp, generate]`",
        )),
        Some(_) => {}
    }
    let name = words(&["metadata", "name"]);
    if name.is_empty() {
        found.push(fault("plugin.yaml has no `metadata.name`".to_owned(), "give it one: its socket is named after it"));
        return None;
    }
    let version = words(&["spec", "version"]);
    let name = if version.is_empty() { name } else { format!("{name}-{version}") };
    Some(PluginName { name, is_discovered: root.at(&["spec", "discover"]).is_some_and(|rule| !rule.is_null()) })
}

/// Looks through the containers of a workload, and gives how many of them are sidecars of a plugin.
fn sidecar_faults(workload: &Object<'_>, objects: &ObjectSet<'_>, found: &mut Findings) -> usize {
    let spec = workload.tree.at(&["spec", "template", "spec"]);
    let Some(spec) = spec else { return 0 };
    let mut sidecars = 0;
    let containers = spec.get("containers").and_then(Node::items).unwrap_or_default();
    let server_tmp =
        containers.iter().find(|container| !is_sidecar(container)).and_then(|server| volume_at(server, "/tmp"));
    for (nth, container) in containers.iter().enumerate().filter(|(_, container)| is_sidecar(container)) {
        sidecars += 1;
        let path = FieldPath::keys(["spec", "template", "spec", "containers"]).index(nth);
        let name = container.get("name").and_then(Node::as_str).unwrap_or_default();
        let unread = unread_plugin_file(container, spec, workload, objects);
        for (message, remedy) in faults_of(container, spec, server_tmp).into_iter().chain(unread) {
            found.push(fault(&rules::SIDECAR, workload, &path, format!("the sidecar {name} {message}"), remedy));
        }
    }
    sidecars
}

fn is_sidecar(container: &Node<'_>) -> bool {
    let command = container.get("command").and_then(Node::items).unwrap_or_default();
    command.iter().filter_map(Node::as_str).any(|word| word.ends_with(SERVER))
}

/// The volume that a container mounts at a folder.
fn volume_at<'n>(container: &'n Node<'_>, folder: &str) -> Option<&'n str> {
    mount_at(container, folder)?.get("name").and_then(Node::as_str)
}

/// What a container mounts at a folder.
fn mount_at<'n, 't>(container: &'n Node<'t>, folder: &str) -> Option<&'n Node<'t>> {
    let mounts = container.get("volumeMounts").and_then(Node::items).unwrap_or_default();
    let path = |mount: &Node<'_>| {
        mount.get("mountPath").and_then(Node::as_str).map(|path| path.trim_end_matches('/').to_owned())
    };
    mounts.iter().find(|mount| path(mount).as_deref() == Some(folder))
}

/// Why the server cannot read the plugin.yaml that a sidecar mounts from a ConfigMap: the kubelet makes an empty folder
/// of a `subPath` that is no file of the volume (`volumeMounts.subPath` of the API reference).
fn unread_plugin_file(
    container: &Node<'_>,
    pod: &Node<'_>,
    workload: &Object<'_>,
    objects: &ObjectSet<'_>,
) -> Option<(String, String)> {
    let (config, file) = PLUGIN_FILE.rsplit_once('/')?;
    let mount = mount_at(container, PLUGIN_FILE).or_else(|| mount_at(container, config))?;
    let sub_path = mount.get("subPath").and_then(Node::as_str).unwrap_or_default();
    let is_folder = mount_at(container, PLUGIN_FILE).is_none();
    if !is_folder && sub_path.is_empty() && mount.get("subPathExpr").is_none() {
        let message = format!("mounts a whole volume at {PLUGIN_FILE}, which makes a folder of it");
        return Some((message, format!("add `subPath: {file}` to the mount")));
    }
    let wanted = if is_folder { file } else { sub_path };
    let volume = pod
        .get("volumes")
        .and_then(Node::items)?
        .iter()
        .find(|volume| volume.get("name").and_then(Node::as_str) == mount.get("name").and_then(Node::as_str))?;
    let source = volume.get("configMap")?;
    let name = source.get("name").and_then(Node::as_str)?;
    let items = source.get("items").and_then(Node::items);
    let item = |item: &Node<'_>| item.get("path").and_then(Node::as_str) == Some(wanted);
    let key = match items {
        Some(items) => match items.iter().find(|entry| item(entry)) {
            Some(entry) => entry.get("key").and_then(Node::as_str)?,
            None => return Some(no_key(wanted, &format!("the `items` of the volume from the ConfigMap {name}"))),
        },
        None => wanted,
    };
    let is_meant = |map: &Object<'_>| map.id.name.text() == name && map.id.namespace == workload.id.namespace;
    let (_, map) = objects.of_kind("", "ConfigMap").find(|(_, map)| is_meant(map))?;
    let has = ["data", "binaryData"].iter().any(|field| map.tree.at(&[field, key]).is_some());
    (!has).then(|| no_key(key, &format!("the ConfigMap {name}")))
}

fn no_key(key: &str, holder: &str) -> (String, String) {
    let message = format!("mounts its plugin.yaml from `{key}`, which {holder} does not have");
    (
        message,
        format!(
            "put the file there under the key `{key}`: the kubelet mounts an empty folder, and the server does not start"
        ),
    )
}

fn faults_of(container: &Node<'_>, pod: &Node<'_>, server_tmp: Option<&str>) -> Vec<(String, String)> {
    let mut faults = Vec::new();
    for (folder, what) in MOUNTS {
        if volume_at(container, folder).is_none() {
            faults.push((format!("mounts nothing at {folder}"), format!("mount {what} there")));
        }
    }
    let config = PLUGIN_FILE.rsplit_once('/').map_or("", |(folder, _)| folder);
    if volume_at(container, PLUGIN_FILE).is_none() && volume_at(container, config).is_none() {
        let message = format!("mounts no plugin.yaml at {PLUGIN_FILE}, and its image may not hold one");
        faults.push((
            message,
            "mount the key `plugin.yaml` of a ConfigMap there, with `subPath: plugin.yaml`".to_owned(),
        ));
    }
    if server_tmp.is_some() && volume_at(container, "/tmp") == server_tmp {
        let message = "shares /tmp with argocd-repo-server".to_owned();
        faults.push((message, "give it an emptyDir of its own: both unpack repositories there".to_owned()));
    }
    let user = |node: &Node<'_>| node.at(&["securityContext", "runAsUser"]).and_then(Node::as_i64);
    match user(container).or_else(|| user(pod)) {
        Some(USER) => {}
        Some(user) => faults.push((
            format!("runs as user {user}"),
            format!("set `securityContext.runAsUser: {USER}`: the socket belongs to that user"),
        )),
        None => faults.push((
            "does not say which user it runs as".to_owned(),
            format!("set `securityContext.runAsUser: {USER}`, unless that is the user of the image"),
        )),
    }
    faults
}

fn application_faults(application: &Object<'_>, plugins: &[PluginName], found: &mut Findings) {
    let spec = FieldPath::keys(["spec"]);
    let one = application.tree.at(&["spec", "source", "plugin"]).map(|plugin| (spec.key("source"), plugin));
    let many = application.tree.at(&["spec", "sources"]).and_then(Node::items).unwrap_or_default().iter().enumerate();
    let many = many.filter_map(|(nth, source)| Some((spec.key("sources").index(nth), source.get("plugin")?)));
    for (path, plugin) in one.into_iter().chain(many) {
        let path = path.key("plugin");
        match plugin.get("name").and_then(Node::as_str).filter(|name| !name.is_empty()) {
            Some(name) if !plugins.is_empty() && !plugins.iter().any(|plugin| plugin.name == name) => {
                let known: Vec<_> = plugins.iter().map(|plugin| plugin.name.as_str()).collect();
                let message = format!("the application asks for the plugin `{name}`, and there is none of that name");
                let remedy =
                    format!("name one of {} (name, or name-version where the plugin has a version)", known.join(", "));
                found.push(fault(&rules::APPLICATION, application, &path.key("name"), message, remedy));
            }
            None if !plugins.is_empty() && !plugins.iter().any(|plugin| plugin.is_discovered) => {
                let message = "the application names no plugin, and none has a rule by which it is found".to_owned();
                let remedy = format!("write `name: {}`", plugins[0].name);
                found.push(fault(&rules::APPLICATION, application, &path, message, remedy));
            }
            _ => {}
        }
    }
}

fn fault(rule: &'static Rule, object: &Object<'_>, path: &FieldPath, message: String, remedy: String) -> Finding {
    Finding::new(rule, message)
        .with_object(&object.id)
        .with_label(Label::new(object.place_of(path)).path(path.clone()))
        .with_remedy(remedy)
}
