//! `tidegate cmp replay`: a call of the plugin once more, in its recorded environment.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::process::{Command, Stdio};

use tidegate::plugin::RECORDED;

use super::super::args::ReplayArgs;
use super::super::exit::{self, Stop};

/// Reads the record and starts `tidegate cmp generate` in the folder, as the server would: with the recorded
/// environment and PATH alone, and nothing on standard input.
pub(crate) fn run(args: &ReplayArgs) -> Result<u8, Stop> {
    let usage = |why: String| Stop::Usage(format!("{}: {why}", args.record));
    let text = fs::read_to_string(&args.record).map_err(|error| usage(error.to_string()))?;
    let mut recorded: BTreeMap<String, String> = serde_json::from_str(&text).map_err(|error| {
        usage(format!("it is no record: {error}; `tidegate cmp generate --record FILE` writes one"))
    })?;
    if let Some(name) = recorded.keys().find(|name| !RECORDED.iter().any(|start| name.starts_with(start))) {
        return Err(usage(format!("`{name}` is no variable that a record holds")));
    }
    // a replay is not recorded over what it replays
    recorded.remove("TIDEGATE_CMP_RECORD");
    let program = env::current_exe()?;
    let status = Command::new(program)
        .args(["cmp", "generate"])
        .env_clear()
        .envs(env::var_os("PATH").map(|path| ("PATH", path)))
        .envs(&recorded)
        .current_dir(&args.folder)
        .stdin(Stdio::null())
        .status()
        .map_err(|error| Stop::Usage(format!("{}: {error}", args.folder)))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(exit::INTERNAL))
}
