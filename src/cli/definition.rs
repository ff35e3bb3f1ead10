//! `tidegate convert --crd`: the definition of TrafficSplit with chosen versions.

use std::io::Write as _;

use tidegate::config::{Overrides, Settings};
use tidegate::convert::traffic_split::definition::{self, Ca, Conversion, Definition, DefinitionError, Webhook};
use tidegate::finding::Findings;
use tidegate::source::SourceMap;

use super::args::{ConversionForm, ConvertArgs, DefinitionArgs};
use super::exit::{self, Stop};
use super::input;

/// Where `tidegate-webhook manifests` puts the Service, and the Certificate of the same name.
const SERVICE: &str = "tidegate/tidegate-webhook";

/// Prints the definition. That nobody converts what needs it is a warning.
pub(crate) fn run(args: &ConvertArgs) -> Result<u8, Stop> {
    let definition = chosen(&args.definition)?;
    let text = definition.render().map_err(|error| match error {
        DefinitionError::Template(_) => Stop::Machine(error.to_string(), exit::INTERNAL),
        _ => Stop::Usage(error.to_string()),
    })?;
    let mut found = Findings::default();
    definition.caution().into_iter().for_each(|finding| found.push(finding));
    let settings = Settings::resolve(None, Overrides::default(), input::overrides(&args.input, Overrides::default())?);
    input::report(&found, &SourceMap::default(), &args.input, &settings, args.findings)?;
    let code = found.exit_code(settings.findings.fail_on);
    if code == 0 {
        exit::out().write_all(text.as_bytes()).map_err(exit::no_output)?;
    }
    Ok(code)
}

fn chosen(args: &DefinitionArgs) -> Result<Definition, Stop> {
    let served = definition::versions(args.served.as_deref().unwrap_or_default()).map_err(Stop::Usage)?;
    let stored = definition::versions(args.stored.as_deref().unwrap_or_default()).map_err(Stop::Usage)?;
    let [stored] = stored[..] else {
        return Err(Stop::Usage("`--stored` is one version: objects are stored in one".to_owned()));
    };
    let names_webhook = args.webhook_service.is_some() || args.ca_bundle.is_some();
    let conversion = match args.conversion {
        Some(ConversionForm::Webhook) => Conversion::Webhook(webhook(args)?),
        _ if names_webhook => {
            let message = "`--webhook-service` and `--ca-bundle` are of a webhook: say `--conversion webhook` too";
            return Err(Stop::Usage(message.to_owned()));
        }
        _ => Conversion::None,
    };
    Ok(Definition { served, stored, conversion })
}

fn webhook(args: &DefinitionArgs) -> Result<Webhook, Stop> {
    let service = args.webhook_service.as_deref().unwrap_or(SERVICE);
    let Some((namespace, name)) = service.split_once('/') else {
        return Err(Stop::Usage(format!("`--webhook-service {service}`: write NAMESPACE/NAME, as in {SERVICE}")));
    };
    let ca = match &args.ca_bundle {
        None => Ca::CertManager(service.to_owned()),
        Some(path) => Ca::Pem(pem(path)?),
    };
    Ok(Webhook::new(namespace, name, ca))
}

#[allow(clippy::disallowed_methods, reason = "the bundle is named by whoever runs the command, never by input")]
fn pem(path: &str) -> Result<Vec<u8>, Stop> {
    std::fs::read(path).map_err(|error| Stop::Usage(format!("the bundle {path} cannot be read: {error}")))
}
