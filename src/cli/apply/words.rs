//! The command line as words again: for kubectl, and for a script that renders the same.

use tidegate::config::{ServedVersion, Word};

use super::super::args::{ApplyArgs, InputArgs};
use super::super::exit::Stop;

/// What stands before the verb of each call of kubectl.
pub(super) fn cluster(args: &ApplyArgs) -> Vec<String> {
    let mut words = Vec::new();
    flag(&mut words, "--kubeconfig", args.kubeconfig.as_ref());
    flag(&mut words, "--context", args.context.as_ref());
    words
}

/// kubectl, as a script calls it.
pub(super) fn kubectl(args: &ApplyArgs) -> Vec<String> {
    let mut words = vec![args.kubectl.clone().unwrap_or_else(|| "kubectl".to_owned())];
    words.extend(cluster(args));
    words
}

/// tidegate, as a script calls it to render the same.
pub(super) fn render(args: &InputArgs) -> Result<Vec<String>, Stop> {
    if args.paths.iter().chain(&args.files).any(|path| path == "-") {
        let why = "a script renders the input again, and standard input is there once: name a directory or a file";
        return Err(Stop::Usage(format!("`--script` and `-`: {why}")));
    }
    let mut words: Vec<String> = ["tidegate", "render", "--quiet", "--engine", "kubectl", "--write-namespace"]
        .into_iter()
        .map(str::to_owned)
        .collect();
    flag(&mut words, "--root", args.root.as_ref());
    flag(&mut words, "--config", args.config.as_ref());
    flag(&mut words, "--namespace", args.namespace.as_ref().filter(|name| !name.is_empty()));
    flag(&mut words, "--waves", args.waves.and_then(word).as_ref());
    flag(&mut words, "--checksum-key-file", args.checksum_key_file.as_ref());
    flag(&mut words, "--fail-on", args.fail_on.and_then(word).as_ref());
    for version in args.api_versions.iter().flatten() {
        flag(&mut words, "--api-versions", Some(&version_word(version)));
    }
    for limit in &args.limits {
        flag(&mut words, "--limit", Some(limit));
    }
    for id in args.ignore.iter().filter(|id| !id.trim().is_empty()) {
        flag(&mut words, "--ignore", Some(id));
    }
    words.extend(args.strict.then(|| "--strict".to_owned()));
    for file in &args.files {
        flag(&mut words, "--filename", Some(file));
    }
    words.extend(args.paths.iter().cloned());
    Ok(words)
}

/// `GROUP/VERSION[/KIND]`.
fn version_word(served: &ServedVersion) -> String {
    let parts = [Some(&served.group).filter(|group| !group.is_empty()), Some(&served.version), served.kind.as_ref()];
    parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join("/")
}

/// The word of the configuration file for a value.
pub(super) fn word<W: Word + PartialEq + Copy>(value: W) -> Option<String> {
    W::WORDS.iter().find(|(_, known)| *known == value).map(|(word, _)| (*word).to_owned())
}

fn flag(words: &mut Vec<String>, name: &str, value: Option<&String>) {
    // one word, so that a value that begins with `-` is none of its own
    words.extend(value.map(|value| format!("{name}={value}")));
}
