//! A plan as a bash script.

use serde::Serialize;
use tera::{Context, Tera};

use super::{Conversion, INJECT, Plan};

const TEMPLATE: &str = include_str!("../../../templates/stored-version.sh.tera");

/// A step in the template.
#[derive(Serialize)]
struct Row<'p> {
    quoted: String,
    call: &'p str,
}

/// The script; one that only says so where there is nothing to do.
pub(super) fn of(plan: &Plan) -> String {
    if plan.steps.is_empty() {
        return format!("#!/usr/bin/env bash\necho {}\n", quoted(plan.text().trim_end()));
    }
    let count = plan.steps.len();
    let rows = plan
        .steps
        .iter()
        .enumerate()
        .map(|(nth, step)| Row { quoted: quoted(&format!("{}/{count} {}", nth + 1, step.title)), call: &step.call });
    let mut context = Context::new();
    context.insert("definition", &plan.definition);
    context.insert("from_words", &plan.from.join(", "));
    context.insert("to", &plan.to);
    context.insert("steps", &rows.collect::<Vec<_>>());
    let from: Vec<String> = plan.from.iter().map(|version| quoted(version)).collect();
    let quotes = [
        ("quoted_definition", quoted(&plan.definition)),
        ("quoted_plural", quoted(&plan.plural)),
        ("quoted_group", quoted(&plan.group)),
        ("quoted_to", quoted(&plan.to)),
        ("quoted_from", from.join(" ")),
        ("added", quoted(&plan.added)),
    ];
    for (name, value) in quotes {
        context.insert(name, &value);
    }
    let weights = plan.steps.iter().any(|step| step.call == "look_at_weights");
    context.insert("weights", &weights);
    let (mut conversion, mut annotation, mut at) = (None, None, ("", ""));
    if let Conversion::Webhook { service, stanza, certificate } = &plan.conversion {
        conversion = Some(quoted(stanza));
        annotation = certificate.as_ref().map(|certificate| quoted(&format!("{INJECT}={certificate}")));
        at = service.as_ref().map_or(at, |(namespace, name)| (namespace, name));
    }
    context.insert("conversion", &conversion);
    context.insert("annotation", &annotation);
    context.insert("by_service", &!at.1.is_empty());
    context.insert("quoted_namespace", &quoted(at.0));
    context.insert("quoted_service", &quoted(at.1));
    // the template is ours, and a test renders every form of it
    Tera::one_off(TEMPLATE, &context, false)
        .unwrap_or_else(|error| format!("#!/usr/bin/env bash\necho {}\nexit 1\n", quoted(&error.to_string())))
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=".contains(&byte);
    match !text.is_empty() && text.bytes().all(plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}
