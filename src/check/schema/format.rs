//! Formats of strings that an API server enforces in custom resources.
//!
//! Source: apiextensions-apiserver, `pkg/apiserver/validation/formats.go`; kube-openapi, `pkg/validation/strfmt`.
//! Formats whose rules are loose or long there (`uri`, `hostname`, `email`, `byte`, `duration`, ...) are not looked at.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What the text of a format is, and whether a text is.
type Row = (&'static str, &'static str, fn(&str) -> bool);

const FORMATS: &[Row] = &[
    ("cidr", "a range of addresses, as `192.0.2.0/24`", is_cidr),
    ("date", "a date, as `2026-01-31`", is_date),
    ("date-time", "a date and time, as `2026-01-31T08:00:00Z`", is_date_time),
    ("datetime", "a date and time, as `2026-01-31T08:00:00Z`", is_date_time),
    ("ipv4", "an IPv4 address", is_ipv4),
    ("ipv6", "an IPv6 address", is_ipv6),
    ("mac", "a MAC address, as `02:00:5e:10:00:00`", is_mac),
    ("uuid", "a UUID", is_uuid),
];

/// What a text must be by its format; nothing where it is, or where the format is not looked at.
pub(super) fn refusal(format: &str, text: &str) -> Option<&'static str> {
    let (_, what, fits) = FORMATS.iter().find(|(name, ..)| *name == format)?;
    (!text.is_empty() && !fits(text)).then_some(what)
}

fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_between(text: &str, least: &str, most: &str) -> bool {
    is_digits(text, 2) && (least..=most).contains(&text)
}

fn is_date(text: &str) -> bool {
    let parts: Vec<_> = text.split('-').collect();
    matches!(parts[..], [year, month, day]
        if is_digits(year, 4) && is_between(month, "01", "12") && is_between(day, "01", "31"))
}

fn is_date_time(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let Some((date, time)) = lower.split_once('t') else { return false };
    let zone_at = time.find(['z', '+', '-']);
    let Some((clock, zone)) = zone_at.and_then(|at| time.split_at_checked(at)) else { return false };
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(clock, rest)| (clock, Some(rest)));
    let parts: Vec<_> = clock.split(':').collect();
    let is_clock = matches!(parts[..], [hour, minute, second]
        if is_between(hour, "00", "23") && is_between(minute, "00", "59") && is_between(second, "00", "59"));
    let is_zone = zone == "z"
        || zone[1..].split_once(':').is_some_and(|(hours, minutes)| is_digits(hours, 2) && is_digits(minutes, 2));
    is_date(date)
        && is_clock
        && is_zone
        && fraction.is_none_or(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn is_ipv4(text: &str) -> bool {
    text.parse::<Ipv4Addr>().is_ok() || (text.contains('.') && is_ipv6(text))
}

fn is_ipv6(text: &str) -> bool {
    text.parse::<Ipv6Addr>().is_ok()
}

fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let most = match address.parse::<IpAddr>() {
        Ok(IpAddr::V4(_)) => 32,
        Ok(IpAddr::V6(_)) => 128,
        Err(_) => return false,
    };
    bits.bytes().all(|byte| byte.is_ascii_digit()) && bits.parse::<u32>().is_ok_and(|bits| bits <= most)
}

fn is_mac(text: &str) -> bool {
    let groups = |separator: char, width: usize, counts: [usize; 3]| {
        let parts: Vec<_> = text.split(separator).collect();
        counts.contains(&parts.len()) && parts.iter().all(|part| part.len() == width && is_hex(part))
    };
    groups(':', 2, [6, 8, 20]) || groups('-', 2, [6, 8, 20]) || groups('.', 4, [3, 4, 10])
}

fn is_uuid(text: &str) -> bool {
    let digits: String = text.split('-').collect();
    text.split('-').count() <= 5 && digits.len() == 32 && is_hex(&digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_api_server_takes() {
        for (format, fits, refused) in [
            ("cidr", &["192.0.2.0/24", "2001:db8::/32"][..], &["192.0.2.0", "192.0.2.0/33", "a/8", "10.0.0.0/+8"][..]),
            ("date", &["2026-01-31"], &["2026-1-31", "2026-13-01", "31.01.2026"]),
            (
                "date-time",
                &["2026-01-31T08:00:00Z", "2026-01-31t08:00:00.123+02:00", "2026-01-31T08:00:00-07:00"],
                &[
                    "2026-01-31",
                    "2026-01-31 08:00:00Z",
                    "2026-01-31T08:00Z",
                    "2026-01-31T24:00:00Z",
                    "2026-01-31T08:00:00",
                    "2026-01-31T08:00:00.Z",
                ],
            ),
            ("ipv4", &["192.0.2.1", "::ffff:192.0.2.1"], &["192.0.2", "192.0.2.01", "::1"]),
            ("ipv6", &["::1", "2001:db8::1"], &["192.0.2.1", "fe80::1%eth0"]),
            (
                "mac",
                &["02:00:5e:10:00:00", "0200.5e10.0000", "02-00-5E-10-00-00"],
                &["02:00:5e:10:00", "02:00:5e:10:00:zz"],
            ),
            (
                "uuid",
                &["01234567-89ab-cdef-0123-456789ABCDEF", "0123456789abcdef0123456789abcdef"],
                &["0123", "z1234567-89ab-cdef-0123-456789abcdef"],
            ),
            ("hostname", &["%"], &[]),
        ] {
            for text in fits.iter().chain(&[""]) {
                assert_eq!(refusal(format, text), None, "{format} {text}");
            }
            for text in refused {
                assert!(refusal(format, text).is_some(), "{format} {text}");
            }
        }
    }
}
