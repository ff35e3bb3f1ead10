//! Fenced blocks of Markdown pages.

/// How a block is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `sh`: a script that must succeed.
    Script,
    /// `console`: commands after `$ ` with what they print.
    Console,
}

/// A block that a reader would run.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// Line of the opening fence, from 1.
    pub(super) line: usize,
    /// Why it must not run.
    pub(super) no_run: Option<String>,
    /// Programs that must be on `PATH`: without them it is skipped, and said.
    pub(super) needs: Vec<String>,
    /// The lines inside, without the fence's indentation.
    pub(super) lines: Vec<String>,
}

/// A fault with its line.
pub(super) type Fault = (usize, String);

/// Other names of the same languages: a block under one of them would not be run without anyone noticing.
const OTHER_NAMES: &[&str] = &["bash", "shell", "shell-session", "shellsession", "terminal", "zsh"];

/// The `sh` and `console` blocks of a page, and what is wrong with how they are written.
pub(super) fn read(text: &str) -> (Vec<Block>, Vec<Fault>) {
    let (mut blocks, mut faults) = (Vec::new(), Vec::new());
    let mut lines = text.lines().enumerate();
    while let Some((at, line)) = lines.next() {
        let Some((indent, fence, info)) = fence(line) else {
            continue;
        };
        let mut inside = Vec::new();
        let mut closed = false;
        for (_, line) in lines.by_ref() {
            if line.trim().starts_with(fence) && line.trim().bytes().all(|b| fence.as_bytes()[0] == b) {
                closed = true;
                break;
            }
            inside.push(line.get(indent..).unwrap_or(line.trim_start()).to_owned());
        }
        let (name, rest) = info.split_once(' ').unwrap_or((info, ""));
        let kind = match name {
            "sh" => Kind::Script,
            "console" => Kind::Console,
            other => {
                if OTHER_NAMES.contains(&other) {
                    faults.push((at + 1, format!("`{other}` is not run: write `sh` or `console`")));
                }
                continue;
            }
        };
        if !closed {
            faults.push((at + 1, "the block is not closed".to_owned()));
        }
        let (no_run, needs) = why(rest).unwrap_or_else(|what| {
            faults.push((at + 1, what));
            (None, Vec::new())
        });
        blocks.push(Block { kind, line: at + 1, no_run, needs, lines: inside });
    }
    (blocks, faults)
}

/// How many fences open a `sh` or `console` block, counted without reading the page as [`read`] does: by line, leaving
/// out only what stands inside a fence of four or more.
pub(super) fn fences(text: &str) -> usize {
    let mut quoted = false;
    let mut count = 0;
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("````") {
            quoted = !quoted;
        } else if !quoted {
            let name = line.strip_prefix("```").map(|info| info.split(' ').next());
            count += usize::from(matches!(name, Some(Some("sh" | "console"))));
        }
    }
    count
}

/// Indentation, fence and info string of a line that opens a block.
fn fence(line: &str) -> Option<(usize, &str, &str)> {
    let inside = line.trim_start();
    let mark = inside.chars().next().filter(|c| "`~".contains(*c))?;
    let length = inside.chars().take_while(|c| *c == mark).count();
    (length >= 3).then(|| (line.len() - inside.len(), &inside[..length], inside[length..].trim()))
}

/// The reason in `no-run="…"`, or the programs in `needs="a b"`: one of them may stand after the language.
fn why(rest: &str) -> Result<(Option<String>, Vec<String>), String> {
    if rest.is_empty() {
        return Ok((None, Vec::new()));
    }
    let value =
        |name: &str| rest.strip_prefix(name)?.strip_prefix("=\"")?.strip_suffix('"').filter(|v| !v.trim().is_empty());
    match (value("no-run"), value("needs")) {
        (Some(reason), _) => Ok((Some(reason.to_owned()), Vec::new())),
        (_, Some(programs)) => Ok((None, programs.split_whitespace().map(str::to_owned).collect())),
        _ => Err(format!("`{rest}`: only `no-run=\"why\"`, with the why, or `needs=\"PROGRAM\"` may stand here")),
    }
}

/// A command of a console block with what it prints.
pub(super) struct Command {
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) prints: Vec<String>,
}

/// The commands of a console block.
pub(super) fn commands(block: &Block) -> Result<Vec<Command>, Fault> {
    let mut commands: Vec<Command> = Vec::new();
    for (at, line) in block.lines.iter().enumerate() {
        let line_number = block.line + 1 + at;
        if let Some(text) = line.strip_prefix("$ ") {
            commands.push(Command { line: line_number, text: text.to_owned(), prints: Vec::new() });
            continue;
        }
        let Some(last) = commands.last_mut() else {
            return Err((line_number, "a console block starts with `$ command`".to_owned()));
        };
        match line.strip_prefix("> ") {
            Some(more) if last.prints.is_empty() => {
                last.text.push('\n');
                last.text.push_str(more);
            }
            _ => last.prints.push(line.clone()),
        }
    }
    if commands.is_empty() {
        return Err((block.line, "no command in the block".to_owned()));
    }
    Ok(commands)
}

/// Whether `printed` is what `expected` says; `...` stands for any lines, `[..]` for any text within one.
pub(super) fn agrees(expected: &[String], printed: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((first, rest)) if first.trim() == "..." => (0..=printed.len()).any(|from| agrees(rest, &printed[from..])),
        Some((first, rest)) => {
            printed.split_first().is_some_and(|(line, more)| line_agrees(first, line) && agrees(rest, more))
        }
    }
}

fn line_agrees(expected: &str, printed: &str) -> bool {
    let (expected, printed) = (expected.trim_end(), printed.trim_end());
    let Some((head, tail)) = expected.split_once("[..]") else {
        return expected == printed;
    };
    printed.strip_prefix(head).is_some_and(|rest| {
        (0..=rest.len()).filter(|at| rest.is_char_boundary(*at)).any(|at| line_agrees(tail, &rest[at..]))
    })
}

#[test]
fn elisions_stand_for_any_lines_and_any_text() {
    let agrees = |expected: &str, printed: &str| {
        let expected: Vec<String> = expected.lines().map(str::to_owned).collect();
        agrees(&expected, &printed.lines().collect::<Vec<_>>())
    };
    assert!(agrees("a\n...\nd", "a\nb\nc\nd") && agrees("...", "") && agrees("a\n...", "a"));
    assert!(agrees("a [..] c[..]", "a bé c") && agrees("a\n[..]", "a\n\n"));
    assert!(!agrees("a\n...\nd", "a\nb") && !agrees("a", "a\nb") && !agrees("a [..] c", "a b"));
}
