//! `tidegate init`: a configuration to begin with.

use std::fs::OpenOptions;
use std::io::Write;

use camino::Utf8Path;
use tidegate::config::Overrides;
use tidegate::render;
use tidegate::report::starter;

use super::args::{FindingsForm, InitArgs, InputArgs};
use super::exit::{self, Stop};
use super::input::{self, CONFIG, Start};

pub(crate) fn run(args: InitArgs) -> Result<u8, Stop> {
    let folder = Utf8Path::new(&args.folder);
    let path = if folder == "." { CONFIG.into() } else { folder.join(CONFIG) };
    if !folder.is_dir() {
        return Err(Stop::Usage(format!("`{folder}` is no folder")));
    }
    if path.symlink_metadata().is_ok() {
        return Err(Stop::Usage(format!("{path} is there already, and is not overwritten")));
    }
    let input = InputArgs { paths: vec![args.folder.clone()], allow_empty: true, ..InputArgs::default() };
    let Start { sources, settings, mut found } = input::read(&input, Overrides::default())?;
    let planned = render::plan(&sources, &settings, &mut found);
    let code = found.exit_code(settings.findings.fail_on);
    // what cannot be read says nothing about what would fit it
    if code >= exit::USAGE {
        input::report(&found, &sources, &input, &settings, FindingsForm::Text)?;
        return Ok(code);
    }
    let text = starter::starter(&planned);
    let wrong = |error: std::io::Error| Stop::Usage(format!("{path} cannot be written: {error}"));
    // nobody else's file, whoever came first
    let mut file = OpenOptions::new().write(true).create_new(true).open(&path).map_err(wrong)?;
    file.write_all(text.as_bytes()).map_err(wrong)?;
    exit::unread(writeln!(exit::err(), "{path} is written; `tidegate check {folder}` looks at the input"))?;
    Ok(0)
}
