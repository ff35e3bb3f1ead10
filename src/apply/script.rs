//! The same run as a shell script that people can read and change.
//!
//! Manifests are not in it: it renders them again, wave by wave, so that no value of a Secret stands in a file.

use std::io::{self, Write};

use super::conduct::Options;
use super::plan::{Form, Gate, Install, Item, Wave};
use super::state::{self, custom};
use crate::object::ObjectId;
use crate::report::escape::escape;

/// How a script calls the programs.
#[derive(Clone, Debug)]
pub struct Script {
    /// kubectl and what stands before its verb.
    pub kubectl: Vec<String>,
    /// tidegate, its verb, and all that decides what it renders.
    pub render: Vec<String>,
}

/// Functions for what `kubectl wait` cannot wait for: a Job that fails never becomes complete, and a Service has no
/// condition.
const FUNCTIONS: &str = r#"
# within SECONDS COMMAND...: runs the command every two seconds until it succeeds (0) or gives up (2)
within() {
  local end=$((SECONDS + $1)) code
  shift
  while true; do
    code=0
    "$@" || code=$?
    if [ "$code" = 0 ]; then return 0; fi
    if [ "$code" = 2 ]; then return 1; fi
    if [ "$SECONDS" -ge "$end" ]; then echo "not in time: $*" >&2; return 1; fi
    sleep 2
  done
}

job_done() { # NAME [-n NAMESPACE]
  local conditions
  conditions=$(kubectl_ get job "$@" -o 'jsonpath={range .status.conditions[?(@.status=="True")]}{.type} {end}') || return 1
  case " $conditions" in
    *' Complete '*) return 0 ;;
    *' Failed '*) echo "job $1 failed" >&2; return 2 ;;
  esac
  return 1
}

served() { # SERVICE [-n NAMESPACE]
  local name=$1
  shift
  [ -n "$(kubectl_ get endpointslices.discovery.k8s.io "$@" -l "kubernetes.io/service-name=$name" \
    -o 'jsonpath={.items[*].endpoints[?(@.conditions.ready==true)].addresses[0]}')" ]
}

settled() { # KIND/NAME [-n NAMESPACE]: what its first condition of these says; one without any is ready when it is there
  local conditions name
  conditions=$(kubectl_ get "$@" -o 'jsonpath={range .status.conditions[*]}{.type}={.status} {end}') || return 1
  for name in CONDITIONS; do
    case " $conditions" in
      *" $name=True "*) return 0 ;;
      *" $name="*) return 1 ;;
    esac
  done
}

trusted() { # KIND/NAME
  local bundles
  bundles=$(kubectl_ get "$1" -o 'jsonpath={range .webhooks[*]}[{.clientConfig.caBundle}]{end}') || return 1
  [[ $bundles != *'[]'* ]]
}
"#;

/// Writes a bash script that renders, applies and waits as [`super::apply`] does. It looks at no pods: what cannot
/// become ready is told by the time-out.
///
/// # Errors
/// What `out` returns.
pub fn script(install: &Install, options: &Options, calls: &Script, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::from("#!/usr/bin/env bash\nset -euo pipefail\n\n");
    text.push_str(&format!("kubectl_() {{ {} \"$@\"; }}\n", quoted(&calls.kubectl)));
    text.push_str(&format!("render() {{ {} \"$@\"; }}\n", quoted(&calls.render)));
    let body: String = install.waves.iter().map(|wave| lines(wave, options)).collect();
    if body.contains("within ") {
        text.push_str(&FUNCTIONS.replace("CONDITIONS", &custom::CONDITIONS.join(" ")));
    }
    text.push_str(&body);
    out.write_all(text.as_bytes())
}

fn lines(wave: &Wave, options: &Options) -> String {
    let mut text = format!("\n# wave {}\n", wave.name());
    for item in &wave.items {
        text.push_str(&format!("#   {}\n", escape(&item.id.to_string())));
    }
    text.push_str(&apply(wave, options));
    for (nth, item) in wave.items.iter().enumerate() {
        let gate = wave.gates.iter().find(|gate| gate.item == nth);
        let is_asked_for = options.wait_for_all && state::is_waited_for(&item.id.group, &item.id.kind);
        if gate.is_some() || is_asked_for {
            text.push_str(&why(item, gate));
            text.push_str(&wait(item, options));
        }
    }
    text
}

/// A comment: who waits for it.
fn why(item: &Item, gate: Option<&Gate>) -> String {
    let needed = item.id.to_string();
    let Some(gate) = gate else { return format!("# {}: everything is waited for\n", escape(&needed)) };
    let others = if gate.others == 0 { String::new() } else { format!(" and {} more", gate.others) };
    format!("# {} before {}{others}\n", escape(&needed), escape(&gate.needed_by.to_string()))
}

/// Renders the wave and applies it. Names that the API server makes are created one by one, as they come.
fn apply(wave: &Wave, options: &Options) -> String {
    let mut text = String::new();
    let select = format!("render --stage {} --wave {}", wave.stage, wave.number);
    for items in wave.items.chunk_by(|a, b| a.form == b.form) {
        let all = items.len() == wave.items.len();
        let only: Vec<String> = match all {
            true => Vec::new(),
            false => items.iter().map(|item| format!(" --include {}", quoted(&[pattern(&item.id)]))).collect(),
        };
        let words = super::conduct::arguments(items, options);
        text.push_str(&format!("{select}{} | kubectl_ {}\n", only.concat(), quoted(&words)));
    }
    text
}

/// KIND.GROUP/NAMESPACE/NAME, as a selection takes it.
fn pattern(id: &ObjectId) -> String {
    let group = if id.group.is_empty() { String::new() } else { format!(".{}", id.group) };
    let namespace = id.namespace.as_ref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
    format!("{}{group}/{namespace}{}", id.kind, id.name.text())
}

/// Waits for one object.
fn wait(item: &Item, options: &Options) -> String {
    let seconds = options.wait_timeout.as_secs();
    let timeout = format!("--timeout={seconds}s");
    if item.form == Form::Generated {
        return "# its name is made by the API server: wait for it by hand\n".to_owned();
    }
    let id = &item.id;
    let name = id.name.text();
    let named = if id.group.is_empty() { id.kind.to_string() } else { format!("{}.{}", id.kind, id.group) };
    let object = quoted(&[format!("{}/{name}", named.to_ascii_lowercase())]);
    let at: String = id.namespace.iter().map(|namespace| format!(" -n {}", quoted(&[namespace.to_string()]))).collect();
    let wait = |what: &str| format!("kubectl_ wait {} {timeout} {object}{at}\n", quoted(&[format!("--for={what}")]));
    match (&*id.group, &*id.kind) {
        ("apiextensions.k8s.io", "CustomResourceDefinition") => wait("condition=Established"),
        ("apiregistration.k8s.io", "APIService") => wait("condition=Available"),
        ("apps", "Deployment" | "StatefulSet" | "DaemonSet") => {
            format!("kubectl_ rollout status {timeout} {object}{at}\n")
        }
        ("batch", "Job") => format!("within {seconds} job_done {}{at}\n", quoted(&[name.to_owned()])),
        ("", "Pod") => wait("condition=Ready"),
        ("", "PersistentVolumeClaim") => wait("jsonpath={.status.phase}=Bound"),
        ("", "Service") => format!("within {seconds} served {}{at}\n", quoted(&[name.to_owned()])),
        ("admissionregistration.k8s.io", _) => hooks(item, &object, seconds),
        (group, kind) if !state::is_built_in(group) => match custom::waits_for(group, kind) {
            Some(what) => wait(&what),
            None => format!("within {seconds} settled {object}{at}\n"),
        },
        _ => format!("kubectl_ get {object}{at} >/dev/null\n"),
    }
}

/// A webhook configuration is ready when its Services are served, and it is trusted where somebody was asked for that.
fn hooks(item: &Item, object: &str, seconds: u64) -> String {
    let mut text = String::new();
    for (namespace, name) in &item.services {
        let at: String =
            namespace.iter().map(|namespace| format!(" -n {}", quoted(std::slice::from_ref(namespace)))).collect();
        text.push_str(&format!("within {seconds} served {}{at}\n", quoted(std::slice::from_ref(name))));
    }
    if item.is_injected {
        text.push_str(&format!("within {seconds} trusted {object}\n"));
    }
    text.push_str("sleep 2 # the API server learns of a registration a moment after it is stored\n");
    text
}

/// Words as bash reads them back.
fn quoted(words: &[String]) -> String {
    let is_plain =
        |word: &str| word.starts_with("--") && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-=".contains(&b));
    let quote = |word: &String| match is_plain(word) {
        true => word.clone(),
        false => shlex::try_quote(word).map(|quoted| quoted.into_owned()).unwrap_or_default(),
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}
