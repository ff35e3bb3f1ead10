//! `tidegate-webhook manifests`.

use std::fs;

use tidegate::webhook::manifests::{self, Authority, Choices, ManifestsError};

use super::args::ManifestsArgs;
use super::exit::{Stop, print};

pub(crate) fn run(args: &ManifestsArgs) -> Result<(), Stop> {
    let authority = match &args.ca_bundle {
        None => Authority::CertManager,
        Some(path) => {
            let read = fs::read_to_string(path);
            Authority::Bundle(read.map_err(|error| Stop::Machine(format!("{path} cannot be read: {error}")))?)
        }
    };
    let choices = Choices {
        name: args.name.clone(),
        namespace: args.namespace.clone(),
        image: args.image.clone(),
        replicas: args.replicas,
        secret: args.tls_secret.clone().unwrap_or_else(|| format!("{}-tls", args.name)),
        authority,
    };
    let made = if args.conversion { manifests::conversion(&choices) } else { manifests::deployment(&choices) };
    print(&made.map_err(stop)?)
}

fn stop(error: ManifestsError) -> Stop {
    match error {
        ManifestsError::Template(_) => Stop::Internal(error.to_string()),
        _ => Stop::Usage(error.to_string()),
    }
}
