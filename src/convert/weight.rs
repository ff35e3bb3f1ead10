//! Weights, exactly: read from Quantities, written as whole numbers in the same proportion.
//!
//! One factor brings all weights of an object to whole numbers, chosen by their values and not by how
//! they are spelled: `1`, `500m` become 1000, 500, and so do `1000m`, `0.5`. Where a limit does not
//! allow that, their greatest common divisor is taken out; where that is not enough, they are rounded.

mod quantity;
mod rounding;
#[cfg(test)]
mod tests;

pub(super) use quantity::float;
pub use quantity::{Weight, WeightError};

/// How large whole weights may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    each: u64,
    sum: u64,
}

impl Limit {
    /// What Linkerd carries: it sends a weight times 10000 as 32 bits, and sums them up in as many
    /// (linkerd2, `controller/api/destination/profile_translator.go`).
    pub const LINKERD: Limit = Limit { each: 429_496, sum: 429_496 };
    /// What a `backendRef` of Gateway API may hold (gateway-api, `apis/v1/shared_types.go`).
    pub const HTTP_ROUTE: Limit = Limit { each: 1_000_000, sum: u64::MAX };
    /// What an `int32` holds, as each weight and as their sum.
    pub const INT32: Limit = Limit { each: i32::MAX as u64, sum: i32::MAX as u64 };

    /// A limit for each weight and for their sum, from 1 to 2147483647; nothing for another number.
    pub fn new(most: u64) -> Option<Self> {
        (1..=Limit::INT32.each).contains(&most).then_some(Limit { each: most, sum: most })
    }

    /// The largest weight.
    pub fn each(self) -> u64 {
        self.each
    }

    /// The largest sum of all weights of an object.
    pub fn sum(self) -> u64 {
        self.sum
    }

    /// Whether whole weights keep to this.
    pub fn holds(self, weights: &[u128]) -> bool {
        let sum = weights.iter().fold(0u128, |sum, weight| sum.saturating_add(*weight));
        sum <= u128::from(self.sum) && weights.iter().all(|weight| *weight <= u128::from(self.each))
    }
}

/// [`Limit::LINKERD`].
impl Default for Limit {
    fn default() -> Self {
        Limit::LINKERD
    }
}

/// Weights as whole numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    /// The weights, in the order they came in.
    pub weights: Vec<u64>,
    /// By how much rounding changed a share at most, in percent of all traffic; none where nothing was
    /// rounded.
    pub error: Option<f64>,
}

/// More backends get traffic than a limit leaves room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{backends} backends have a weight that is not 0, more than the limit of {limit} has room for")]
pub struct NoRoom {
    /// How many weights are not 0.
    pub backends: usize,
    /// The limit on the sum.
    pub limit: u64,
}

/// Brings the weights of one object to whole numbers in the same proportion, zeros included.
///
/// # Errors
/// When not even 1 for each weight that is not 0 keeps to the limit.
pub fn whole(weights: &[Weight], limit: Limit) -> Result<Whole, NoRoom> {
    /// How many units of 10^-9 make 1 under the factors 1, 10^3, 10^6 and 10^9.
    const UNITS: [u128; 4] = [1_000_000_000, 1_000_000, 1000, 1];
    let fits = |unit: &&u128| weights.iter().all(|weight| weight.nanos().is_multiple_of(**unit));
    let unit = UNITS.iter().find(fits).copied().unwrap_or(1);
    let scaled: Vec<u128> = weights.iter().map(|weight| weight.nanos() / unit).collect();
    if limit.holds(&scaled) {
        return Ok(Whole { weights: narrow(&scaled), error: None });
    }
    let divisor = scaled.iter().fold(0, |divisor, weight| gcd(divisor, *weight)).max(1);
    let reduced: Vec<u128> = scaled.iter().map(|weight| weight / divisor).collect();
    if limit.holds(&reduced) {
        return Ok(Whole { weights: narrow(&reduced), error: None });
    }
    rounding::round(&reduced, limit)
}

/// Numbers that keep to a limit.
fn narrow(weights: &[u128]) -> Vec<u64> {
    weights.iter().map(|weight| u64::try_from(*weight).unwrap_or(u64::MAX)).collect()
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The share of each weight in percent of their sum; 0 where that is 0.
pub fn percent(weights: &[Weight]) -> Vec<f64> {
    let sum: f64 = weights.iter().map(|weight| weight.nanos() as f64).sum();
    let share = |weight: &Weight| if sum > 0.0 { weight.nanos() as f64 / sum * 100.0 } else { 0.0 };
    weights.iter().map(share).collect()
}
