//! What `argocd-cmp-server` hands in.

use std::collections::BTreeMap;
use std::time::Duration;

/// Variables that decide what a call generates, by name or by the start of their names. A variable of the
/// operator that names a file is recorded too; what it holds is not.
pub const RECORDED: [&str; 5] = ["ARGOCD_APP_", "ARGOCD_EXEC_TIMEOUT", "KUBE_", "PARAM_", "TIDEGATE_"];

/// What a call has when nothing says otherwise: the repository server gives up after so long
/// (`--repo-server-timeout-seconds` of the application controller and the API server).
const DEADLINE: Duration = Duration::from_secs(60);

/// How much earlier a call gives up by itself, so that there is time left to say why.
const MARGIN: Duration = Duration::from_secs(3);

/// The environment of one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<String, String>,
}

impl Environment {
    /// An environment of these variables.
    pub fn new(variables: impl IntoIterator<Item = (String, String)>) -> Self {
        Environment { variables: variables.into_iter().collect() }
    }

    /// A variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The namespace that the application is deployed to.
    pub fn namespace(&self) -> Option<&str> {
        self.get("ARGOCD_APP_NAMESPACE")
    }

    /// The name of the application, without the namespace that Argo CD puts before it where applications
    /// live in any namespace (`namespace_name`).
    pub fn app_name(&self) -> Option<&str> {
        let name = self.get("ARGOCD_APP_NAME")?;
        Some(name.split_once('_').map_or(name, |(_, name)| name))
    }

    /// Where the application lies in its repository.
    pub fn source_path(&self) -> &str {
        self.get("ARGOCD_APP_SOURCE_PATH").unwrap_or(".")
    }

    /// The API versions that the cluster serves, `group/version/Kind` with commas between them.
    pub fn api_versions(&self) -> Option<&str> {
        self.get("KUBE_API_VERSIONS")
    }

    /// The version of the cluster.
    pub fn kube_version(&self) -> Option<&str> {
        self.get("KUBE_VERSION")
    }

    /// How long a call may take before it gives up by itself: a little less than the server allows, and less
    /// still where `ARGOCD_EXEC_TIMEOUT` (as Go writes a duration) says so.
    pub fn deadline(&self) -> Duration {
        let limit = self.get("ARGOCD_EXEC_TIMEOUT").and_then(go_duration).unwrap_or(DEADLINE);
        let limit = limit.min(self.get("TIDEGATE_CMP_TIMEOUT").and_then(go_duration).unwrap_or(limit));
        limit.saturating_sub(MARGIN).max(limit / 2)
    }

    /// The variables that decide what a call generates.
    pub fn recorded(&self) -> BTreeMap<String, String> {
        let is_recorded = |name: &str| RECORDED.iter().any(|start| name.starts_with(start));
        self.variables.iter().filter(|(name, _)| is_recorded(name)).map(|(n, v)| (n.clone(), v.clone())).collect()
    }
}

/// A duration as Go's `time.ParseDuration` reads one, of hours, minutes, seconds and milliseconds: `1m30s`.
fn go_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let unit_end = rest[digits..].find(|c: char| c.is_ascii_digit()).map_or(rest.len(), |end| digits + end);
        let seconds = match &rest[digits..unit_end] {
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 0.001,
            _ => return None,
        };
        total += number * seconds;
        rest = &rest[unit_end..];
    }
    Duration::try_from_secs_f64(total).ok().filter(|duration| !duration.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::new(variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn durations_are_read_as_go_reads_them() {
        for (text, seconds) in [("90s", 90.0), ("1m30s", 90.0), ("1.5h", 5400.0), ("250ms", 0.25)] {
            assert_eq!(go_duration(text), Some(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "90", "s", "1y", "-1s", "0s", "1e400s"] {
            assert_eq!(go_duration(text), None, "{text}");
        }
    }

    #[test]
    fn a_call_gives_up_before_it_is_killed() {
        let deadline = |variables: &[(&str, &str)]| environment(variables).deadline().as_secs_f64();
        assert_eq!(deadline(&[]), 57.0);
        assert_eq!(deadline(&[("ARGOCD_EXEC_TIMEOUT", "2m")]), 117.0);
        assert_eq!(deadline(&[("ARGOCD_EXEC_TIMEOUT", "2s")]), 1.0);
        assert_eq!(deadline(&[("ARGOCD_EXEC_TIMEOUT", "2m"), ("TIDEGATE_CMP_TIMEOUT", "10s")]), 7.0);
    }

    #[test]
    fn the_server_says_where_and_for_whom() {
        let call = environment(&[("ARGOCD_APP_NAME", "argocd_shop"), ("ARGOCD_APP_SOURCE_PATH", "./apps/shop/")]);
        assert_eq!((call.app_name(), call.source_path(), call.namespace()), (Some("shop"), "./apps/shop/", None));
        assert_eq!(environment(&[]).source_path(), ".");
    }

    #[test]
    fn what_users_set_for_other_plugins_is_not_recorded() {
        let call = environment(&[("ARGOCD_ENV_TOKEN", "x"), ("PARAM_WAVES", "minimal"), ("PATH", "/bin")]);
        assert_eq!(call.recorded().into_keys().collect::<Vec<_>>(), ["PARAM_WAVES"]);
    }
}
