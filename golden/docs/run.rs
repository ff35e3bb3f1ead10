//! Running blocks.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::block::{self, Block, Fault, Kind};
use crate::place;

/// A block that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(1200);

/// Ends what one command of a console block printed; no program prints it by itself.
const END: &str = "\u{1e}end of command\u{1e}";

/// The files of the repository, without what was built or is ignored, in a folder that goes away when dropped.
pub(super) fn copy_of_repository() -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder is made");
    for file in place::files(true) {
        place::copy_file(&place::root().join(&file), &copy.path().join(&file));
    }
    copy
}

/// Runs one block in `folder`; what differs from what the page says.
pub(super) fn run(block: &Block, folder: &Path) -> Vec<Fault> {
    match block.kind {
        Kind::Script => {
            let (ok, printed) = bash(&block.lines.join("\n"), folder);
            if ok {
                return Vec::new();
            }
            vec![(block.line, format!("the script does not end with exit 0; it printed:\n{printed}"))]
        }
        Kind::Console => match block::commands(block) {
            Ok(commands) => console(block, &commands, folder),
            Err(fault) => vec![fault],
        },
    }
}

/// All commands run in one shell, as they would for a reader: a `cd` or a variable holds for those below it.
fn console(block: &Block, commands: &[block::Command], folder: &Path) -> Vec<Fault> {
    let script: String = commands.iter().map(|command| format!("{}\nprintf '%s' '{END}'\n", command.text)).collect();
    let (ok, printed) = bash(&script, folder);
    let mut pieces = printed.split(END);
    let mut faults = Vec::new();
    for command in commands {
        let piece: Vec<&str> = pieces.next().unwrap_or("").lines().collect();
        let expected = match command.prints.iter().rposition(|line| !line.is_empty()) {
            Some(last) => &command.prints[..=last],
            None => &[],
        };
        if !block::agrees(expected, &piece) {
            faults.push((command.line, format!("`{}` prints something else:\n{}", command.text, piece.join("\n"))));
            return faults;
        }
    }
    if !ok || printed.matches(END).count() != commands.len() {
        faults.push((block.line, format!("a command does not end with exit 0:\n{printed}")));
    }
    faults
}

/// Whether a script succeeds, and what it prints on both streams.
fn bash(script: &str, folder: &Path) -> (bool, String) {
    let output = tempfile::NamedTempFile::new().expect("a temporary file is made");
    let stream = || Stdio::from(output.reopen().expect("the file is there"));
    let mut child = Command::new("bash")
        .args(["-euo", "pipefail", "-c"])
        .arg(format!("exec 2>&1\n{script}"))
        .current_dir(folder)
        .env("PATH", place::path_with_tidegate())
        .env("NO_COLOR", "1")
        .env("KUBECONFIG", "/dev/null")
        // what a block builds is kept: a reader builds once, too
        .env("CARGO_TARGET_DIR", place::root().join("target/docs"))
        .stdin(Stdio::null())
        .stdout(stream())
        .stderr(Stdio::null())
        .spawn()
        .expect("bash starts");
    let start = Instant::now();
    let ok = loop {
        match child.try_wait().expect("the child is ours") {
            Some(status) => break status.success(),
            None if start.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                let _ = std::fs::write(output.path(), format!("it did not end within {} seconds", LIMIT.as_secs()));
                break false;
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let printed = std::fs::read(output.path()).expect("the file is there");
    (ok, String::from_utf8_lossy(&printed).into_owned())
}
