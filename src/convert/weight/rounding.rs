//! Whole weights that a limit does not hold, rounded down to it.

use num_bigint::BigUint;

use super::{Limit, NoRoom, Whole};

/// Scales weights down until a limit holds them: what is left of the largest remainders is rounded up,
/// no weight that is not 0 becomes 0, equal weights stay equal, and none passes a larger one.
pub(super) fn round(weights: &[u128], limit: Limit) -> Result<Whole, NoRoom> {
    let mut order: Vec<usize> = (0..weights.len()).filter(|at| weights[*at] > 0).collect();
    order.sort_by_key(|at| weights[*at]);
    let room = room(weights, limit);
    if u64::try_from(order.len()).unwrap_or(u64::MAX) > room {
        return Err(NoRoom { backends: order.len(), limit: limit.sum });
    }
    let small = raised(weights, &order, room);
    let mut whole = vec![0; weights.len()];
    order[..small].iter().for_each(|at| whole[*at] = 1);
    share(weights, &order[small..], room - small as u64, &mut whole);
    let error = error(weights, &whole);
    Ok(Whole { weights: whole, error: Some(error) })
}

/// The largest sum with which no weight passes its limit.
fn room(weights: &[u128], limit: Limit) -> u64 {
    let largest = weights.iter().max().copied().unwrap_or(1).max(1);
    let by_each = sum(weights.iter()) * limit.each / largest;
    u64::try_from(by_each).unwrap_or(u64::MAX).min(limit.sum)
}

fn sum<'w>(weights: impl Iterator<Item = &'w u128>) -> BigUint {
    weights.map(|weight| BigUint::from(*weight)).sum()
}

/// How many of the smallest weights have to be raised to 1.
fn raised(weights: &[u128], order: &[usize], room: u64) -> usize {
    let mut left = sum(order.iter().map(|at| &weights[*at]));
    let mut room = room;
    let mut small = 0;
    while let Some(at) = order.get(small)
        && BigUint::from(weights[*at]) * room < left
    {
        left -= weights[*at];
        room -= 1;
        small += 1;
    }
    small
}

/// Shares a sum out among weights (`order` is ascending): each gets what is due, rounded down, and the largest remainders
/// get one more as long as all equal weights can have it.
fn share(weights: &[u128], order: &[usize], room: u64, whole: &mut [u64]) {
    let total = sum(order.iter().map(|at| &weights[*at]));
    let mut rests: Vec<(BigUint, usize)> = Vec::with_capacity(order.len());
    let mut left = room;
    for at in order {
        let due = BigUint::from(weights[*at]) * room;
        let floor = u64::try_from(&due / &total).unwrap_or(u64::MAX);
        whole[*at] = floor;
        left = left.saturating_sub(floor);
        rests.push((due % &total, *at));
    }
    rests.sort_by(|(a, i), (b, j)| b.cmp(a).then(weights[*i].cmp(&weights[*j])));
    for equal in rests.chunk_by(|(a, _), (b, _)| a == b) {
        let count = equal.len() as u64;
        if count > left || equal[0].0 == BigUint::ZERO {
            break;
        }
        equal.iter().for_each(|(_, at)| whole[*at] += 1);
        left -= count;
    }
}

/// The largest difference between a share before and after, in percent of the whole.
fn error(before: &[u128], after: &[u64]) -> f64 {
    /// Steps of the answer in one percent.
    const STEPS: u32 = 1_000_000;
    let sum_before = sum(before.iter());
    let sum_after: BigUint = after.iter().map(|weight| BigUint::from(*weight)).sum();
    let whole: BigUint = &sum_before * &sum_after;
    let difference = |(before, after): (&u128, &u64)| {
        let (a, b): (BigUint, BigUint) = (&sum_after * *before, &sum_before * *after);
        if a > b { a - b } else { b - a }
    };
    let largest = before.iter().zip(after).map(difference).max().unwrap_or_default();
    let steps = (largest * (100 * STEPS) + &whole - 1u8) / whole.max(BigUint::from(1u8));
    u64::try_from(steps).map_or(100.0, |steps| steps as f64 / f64::from(STEPS))
}
