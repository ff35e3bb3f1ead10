//! The steps of a plan, and the plan as text.

use std::fmt::Write as _;

use super::{Conversion, Plan, Step};

fn step(title: &str, why: &str, commands: &[String], check: &str, call: &str) -> Step {
    Step {
        title: title.to_owned(),
        why: why.to_owned(),
        commands: commands.to_vec(),
        check: check.to_owned(),
        call: call.to_owned(),
    }
}

/// The steps of a plan; none where no version is to go.
pub(super) fn of(plan: &Plan) -> Vec<Step> {
    let Plan { definition, group, plural, from, to, .. } = plan;
    if from.is_empty() {
        return Vec::new();
    }
    let old = from.join(", ");
    let get = |what: &str| format!("kubectl get crd {definition} -o jsonpath='{what}'");
    let read = |version: &String| format!("kubectl get {plural}.{version}.{group} --all-namespaces");
    let reads: Vec<String> = from.iter().chain([to]).map(read).collect();
    let mut steps = vec![step(
        "Look at what is there",
        "a version may be stored that the plan does not know of",
        &[get("{.status.storedVersions}")],
        &format!("no version but {old} and {to} is stored"),
        "look",
    )];
    steps.extend(converter(plan));
    steps.push(step(
        &format!("Serve {to} beside {old}"),
        "readers of either version find what they ask for, from here to the end",
        &[format!("kubectl edit crd {definition}   # {to}: served: true, storage: false")],
        &format!("each of these answers: {}", reads.join("; ")),
        "serve",
    ));
    steps.push(step(
        &format!("Store in {to}"),
        "what is written from now on is stored in it; what was stored stays as it is",
        &[format!("kubectl edit crd {definition}   # {to}: storage: true, the others false")],
        &format!("`status.storedVersions` holds {to} as well"),
        "store",
    ));
    steps.push(step(
        "Write every object anew",
        "an object is stored anew when it is written, even as it is",
        &[format!("{} -o json | kubectl replace -f -", read(to))],
        "every object was written once",
        "rewrite_all",
    ));
    steps.extend(farewell(plan, &old));
    steps
}

/// The last steps, when nothing is stored in the versions that are to go.
fn farewell(plan: &Plan, old: &str) -> [Step; 3] {
    let Plan { definition, group, plural, to, .. } = plan;
    [
        step(
            &format!("Take {old} out of status.storedVersions"),
            "the API server keeps a version that it believes to be stored",
            &[format!(
                "kubectl patch crd {definition} --subresource=status --type=merge -p '{{\"status\":{{\"storedVersions\":[\"{to}\"]}}}}'"
            )],
            &format!("`status.storedVersions` is {to} alone"),
            "forget",
        ),
        step(
            &format!("Stop serving {old}, then take it out of the definition"),
            "a version that is not served can be served again at once; one that is gone cannot",
            &[format!("kubectl edit crd {definition}   # {old}: served: false; later remove it")],
            "no reader asks for it any more",
            "drop",
        ),
        step(
            "Look again, and write the same into the repository",
            "an engine that applies the old definition would bring the old version back",
            &[
                format!(
                    "kubectl get crd {definition} -o jsonpath='{{.spec.versions[*].name}} {{.status.storedVersions}}'"
                ),
                format!("kubectl get {plural}.{to}.{group} --all-namespaces"),
            ],
            &format!("the definition in the repository has {to} as its storage version, and no {old}"),
            "verify",
        ),
    ]
}

/// What has to be ready before both versions are served.
fn converter(plan: &Plan) -> Option<Step> {
    match &plan.conversion {
        Conversion::None if plan.changes_weights() => Some(step(
            "See to it that every stored weight is a whole number",
            "nobody converts (`conversion: None`): a weight such as `500m` would be no weight at the other version",
            &[format!("kubectl get {}.v1alpha1.{} --all-namespaces -o yaml", plan.plural, plan.group)],
            "no weight has a suffix, a point or quotes around one",
            "look_at_weights",
        )),
        Conversion::None => None,
        Conversion::Webhook { service, certificate, .. } => {
            let asked = match service {
                Some((namespace, name)) => format!(
                    "kubectl get endpointslices -n {namespace} -l kubernetes.io/service-name={name}   # ready: true"
                ),
                None => "see to it that its URL answers".to_owned(),
            };
            let mut commands = vec![asked];
            if let Some(certificate) = certificate {
                commands.push(format!("kubectl annotate crd {} {}={certificate}", plan.definition, super::INJECT));
            }
            commands.push(format!("kubectl edit crd {}   # spec.conversion, as in the manifest", plan.definition));
            let call = if service.is_some() { "convert_by_webhook" } else { "convert_by_url" };
            Some(step(
                "Bring up the webhook, then name it in the definition",
                "from the moment that two versions are served, reads wait for it and fail without it",
                &commands,
                "it has an endpoint that is ready, and the definition holds the certificates it is known by",
                call,
            ))
        }
    }
}

/// The plan as text.
pub(super) fn text(plan: &Plan) -> String {
    let mut out = String::new();
    let (definition, to) = (&plan.definition, &plan.to);
    if plan.steps.is_empty() {
        return format!("{definition} has no version but {to}: there is nothing to do.\n");
    }
    // writing to a string cannot fail
    let _ = writeln!(out, "{definition}: from {} to {to}", plan.from.join(", "));
    for (nth, step) in plan.steps.iter().enumerate() {
        let _ = writeln!(out, "\n{}. {}", nth + 1, step.title);
        let _ = writeln!(out, "   why:    {}", step.why);
        for command in &step.commands {
            let _ = writeln!(out, "   do:     {command}");
        }
        let _ = writeln!(out, "   until:  {}", step.check);
    }
    out
}
