//! `tidegate explain`: what a finding means, and what a configuration may hold.

use std::io::Write;

use tidegate::finding::nearest;

use super::args::ExplainArgs;
use super::exit::{Stop, out};

pub(crate) fn run(args: &ExplainArgs) -> Result<u8, Stop> {
    let rules = tidegate::check::catalogue();
    if args.ids.is_empty() {
        out().write_all(tidegate::report::catalogue(&rules).as_bytes())?;
        return Ok(0);
    }
    if let [word] = &args.ids[..]
        && word == "schema"
    {
        out().write_all(tidegate::config::schema().as_bytes())?;
        return Ok(0);
    }
    let mut texts = Vec::new();
    for id in &args.ids {
        let rule = rules.iter().find(|rule| rule.id.eq_ignore_ascii_case(id));
        let Some(rule) = rule else {
            let near = nearest(id, rules.iter().map(|rule| rule.id)).map(|near| format!(" (is {near} meant?)"));
            let near = near.unwrap_or_default();
            return Err(Stop::Usage(format!("there is no finding {id}{near}; `tidegate explain` lists all of them")));
        };
        texts.push(tidegate::report::explain(rule));
    }
    out().write_all(texts.join("\n").as_bytes())?;
    Ok(0)
}
