//! Any lines as the weights of one object: reading does not panic and takes no memory to speak of, what
//! is read can be written and read again, and whole numbers keep to their limit, ranks and zeros.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tidegate::convert::weight::{Limit, Weight, whole};

fuzz_target!(|text: &str| {
    let weights: Vec<Weight> = text.lines().filter_map(|text| text.parse().ok()).collect();
    for weight in &weights {
        assert_eq!(weight.to_string().parse(), Ok(*weight));
    }
    for limit in [Limit::LINKERD, Limit::HTTP_ROUTE, Limit::INT32] {
        let found = whole(&weights, limit).expect("fewer lines than a limit has room for");
        let numbers: Vec<u128> = found.weights.iter().map(|weight| u128::from(*weight)).collect();
        assert!(limit.holds(&numbers));
        let mut rows: Vec<_> = weights.iter().zip(&found.weights).collect();
        rows.sort_unstable();
        assert!(rows.windows(2).all(|pair| pair[0].1 <= pair[1].1 && (pair[0].0 < pair[1].0 || pair[0].1 == pair[1].1)));
        assert!(rows.iter().all(|(weight, number)| weight.is_zero() == (**number == 0)));
    }
});
