//! The grammar of numbers.

/// The length of the number that begins the bytes, and whether it has neither point nor exponent.
pub(super) fn length(bytes: &[u8]) -> Option<(usize, bool)> {
    let digits = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign = usize::from(bytes.first() == Some(&b'-'));
    let mut at = match bytes.get(sign)? {
        b'0' => sign + 1,
        b'1'..=b'9' => sign + digits(sign),
        _ => return None,
    };
    let mut is_integer = true;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        (at, is_integer) = (at + 1 + fraction, false);
        if fraction == 0 {
            return None;
        }
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        let exponent = digits(at);
        (at, is_integer) = (at + exponent, false);
        if exponent == 0 {
            return None;
        }
    }
    Some((at, is_integer))
}
