//! The flags of `tidegate apply`.

use std::time::Duration;

use clap::ValueEnum;
use tidegate::apply::Inventory;

use super::InputArgs;

/// Orders for kubectl, whatever engine is configured. Progress goes to standard error; standard output is for
/// --dry-run, --diff and --script.
#[derive(Debug, clap::Args)]
pub(crate) struct ApplyArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// The kubectl to run [default: the one on PATH]
    #[arg(long, value_name = "PROGRAM", env = "TIDEGATE_KUBECTL", hide_env_values = true)]
    pub(crate) kubectl: Option<String>,

    /// Context of the kubeconfig
    #[arg(long, value_name = "NAME")]
    pub(crate) context: Option<String>,

    /// The kubeconfig [default: what kubectl takes]
    #[arg(long, value_name = "FILE")]
    pub(crate) kubeconfig: Option<String>,

    /// Apply on the client's side instead of the server's
    #[arg(long, conflicts_with = "force_conflicts")]
    pub(crate) client_side: bool,

    /// Take over fields that another manager owns
    #[arg(long)]
    pub(crate) force_conflicts: bool,

    /// What the next wave waits for: gates (what it needs to be ready) or all (everything that has a health)
    #[arg(long, value_name = "WHAT", default_value = "gates")]
    pub(crate) wait: WaitFor,

    /// How long one wave may take, waiting included: 90s, 10m, 1h30m
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    pub(crate) timeout: Duration,

    /// How long the wait behind one wave may take
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration)]
    pub(crate) wait_timeout: Duration,

    /// How often the cluster is asked; pods are looked at every fifth time
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub(crate) poll_interval: Duration,

    /// Ask the API server what it would do, and change nothing
    #[arg(long, value_name = "WHERE", num_args = 0..=1, default_missing_value = "server", conflicts_with_all = ["diff", "script"])]
    pub(crate) dry_run: Option<DryRun>,

    /// Show what would be different; exit code 1 if anything is
    #[arg(long, conflicts_with = "script")]
    pub(crate) diff: bool,

    /// Print a shell script that does the same
    #[arg(long, conflicts_with_all = ["inventory", "prune"])]
    pub(crate) script: bool,

    /// ConfigMap that keeps what was applied: [NAMESPACE/]NAME
    #[arg(long, value_name = "CONFIGMAP")]
    pub(crate) inventory: Option<Inventory>,

    /// When everything is ready, delete what an earlier run with this inventory applied and this one does not
    #[arg(long, requires = "inventory")]
    pub(crate) prune: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WaitFor {
    Gates,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DryRun {
    Server,
}

/// Units of time, and how many milliseconds each has.
const UNITS: &[(&str, u64)] = &[("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];

/// Takes a time as Go writes it: whole numbers with units, one behind the other.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || "write whole numbers with a unit (ms, s, m, h), as in 90s or 1h30m".to_owned();
    let mut rest = text;
    let mut all: u64 = 0;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, behind) = rest.split_at(digits);
        let letters = behind.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (unit, next) = behind.split_at(letters);
        let number: u64 = number.parse().map_err(|_| wrong())?;
        let (_, size) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
        all = number.checked_mul(*size).and_then(|part| all.checked_add(part)).ok_or_else(wrong)?;
        rest = next;
    }
    // more than any run takes would overflow the clock
    (1..=UNITS[3].1 * 24 * 365).contains(&all).then(|| Duration::from_millis(all)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_go_writes_them() {
        let seconds = |text| duration(text).map(|time| time.as_secs_f64()).ok();
        assert_eq!(seconds("1h30m5s"), Some(5405.0));
        assert_eq!(seconds("250ms"), Some(0.25));
        for wrong in ["", "0s", "5", "s", "1.5s", "-1s", "99999999999h", "5 s", "5µs"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }
}
