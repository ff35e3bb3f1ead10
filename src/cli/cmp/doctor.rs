//! `tidegate cmp doctor`: why a plugin is not found or does not run.

use std::fs;
use std::io::Write;
use std::path::Path;

use tidegate::config::{Overrides, Settings};
use tidegate::finding::{Finding, Findings, rules};
use tidegate::load;
use tidegate::plugin::doctor;
use tidegate::source::SourceMap;

use super::super::args::{DoctorArgs, FindingsForm};
use super::super::exit::{self, Stop};
use super::super::input::{self, Start};

const PLUGIN_FILE: &str = "/home/argocd/cmp-server/config/plugin.yaml";
const SOCKETS: &str = "/home/argocd/cmp-server/plugins";
const SERVER: &str = "/var/run/argocd/argocd-cmp-server";

pub(crate) fn run(args: &DoctorArgs) -> Result<u8, Stop> {
    if args.input.paths.is_empty() && args.input.files.is_empty() {
        let mut found = Findings::default();
        here(&mut found);
        return answer(&found, &SourceMap::default(), args);
    }
    let Start { sources, settings, mut found } = input::read(&args.input, Overrides::default())?;
    // what is wrong with the manifests as such is for `tidegate check`
    let mut reading = Findings::default();
    let loaded = load::objects(&sources, &settings, &mut reading);
    if reading.exit_code(settings.findings.fail_on) != 0 {
        input::report(&reading, &sources, &args.input, &settings, FindingsForm::Text)?;
        return Ok(reading.exit_code(settings.findings.fail_on));
    }
    doctor::manifests(&loaded.objects, &mut found);
    answer(&found, &sources, args)
}

fn answer(found: &Findings, sources: &SourceMap, args: &DoctorArgs) -> Result<u8, Stop> {
    input::report(found, sources, &args.input, &Settings::default(), FindingsForm::Text)?;
    if found.sorted().is_empty() {
        exit::unread(writeln!(exit::err(), "no fault found"))?;
    }
    Ok(found.exit_code(Default::default()))
}

/// Looks at the machine, which should be the sidecar.
fn here(found: &mut Findings) {
    let mut fault = |message: String, remedy: &str| {
        found.push(Finding::new(&rules::plugins::SIDECAR, message).with_remedy(remedy));
    };
    if !Path::new(SERVER).is_file() {
        fault(
            format!("there is no {SERVER}: this is no sidecar of argocd-repo-server"),
            "run it in the sidecar (`kubectl exec DEPLOYMENT -c CONTAINER -- tidegate cmp doctor`), or name the manifests of \
             Argo CD: `tidegate cmp doctor DIR`; in a sidecar, mount the volume `var-files` at /var/run/argocd",
        );
    }
    if !Path::new(SOCKETS).is_dir() {
        fault(format!("there is no {SOCKETS}"), "mount the volume `plugins` there");
    }
    match exit::fresh_folder(&std::env::temp_dir()) {
        Ok(folder) => drop(fs::remove_dir(folder)),
        Err(_) => fault(
            "nothing can be written into the folder for temporary files".to_owned(),
            "mount an emptyDir of its own at /tmp",
        ),
    }
    if let Some(user) = user().filter(|user| *user != 999) {
        fault(format!("the process runs as user {user}"), "set `securityContext.runAsUser: 999`");
    }
    match fs::read_to_string(PLUGIN_FILE) {
        Ok(text) => drop(doctor::plugin_file(&text, None, found)),
        Err(error) => found.push(
            Finding::new(&rules::plugins::PLUGIN_FILE, format!("{PLUGIN_FILE} cannot be read: {error}"))
                .with_remedy("mount the key `plugin.yaml` of a ConfigMap there, with `subPath: plugin.yaml`"),
        ),
    }
}

/// The user of this process, where the system tells.
fn user() -> Option<u32> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("Uid:"))?.split_whitespace().next()?.parse().ok()
}
