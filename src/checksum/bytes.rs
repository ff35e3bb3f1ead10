//! The bytes that are hashed, version 1, and the value.
//!
//! ```text
//! "tidegate-checksum-1\n"
//! of each source, by (tag, name) as bytes:
//!   "C" ConfigMap, "S" Secret
//!   str(name)
//!   "P" present, "X" ciphertext that stands in for it, "A" absent; nothing follows "A"
//!   u32 number of keys
//!   of each key, by its bytes:
//!     str(key)
//!     "1" str(value), or "0": read, but absent
//! str(s) = u32 length of s, then s
//! ```
//!
//! A u32 is four bytes, most significant first. A change here restarts every pod of every user once:
//! a new version needs a better reason than beauty.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::config::ChecksumKey;

/// What the bytes begin with.
const VERSION: &[u8] = b"tidegate-checksum-1\n";

/// Which kind of object a source is to its readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tag {
    /// A ConfigMap.
    ConfigMap,
    /// A Secret.
    Secret,
}

/// The keys that are read of a source; no value where the key is absent.
pub type Keys<'d> = BTreeMap<&'d str, Option<Cow<'d, [u8]>>>;

/// What is read of a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State<'d> {
    /// There is none.
    Absent,
    /// These keys.
    Present(Keys<'d>),
    /// These keys, and what is under them is ciphertext.
    Proxy(Keys<'d>),
}

/// One source in a checksum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry<'d> {
    /// Its kind.
    pub tag: Tag,
    /// Its name.
    pub name: Cow<'d, str>,
    /// What is read of it.
    pub state: State<'d>,
}

/// The bytes of sources whose tags and names differ. Their order does not count.
pub fn encode(mut entries: Vec<Entry<'_>>) -> Vec<u8> {
    entries.sort();
    let mut out = VERSION.to_vec();
    for Entry { tag, name, state } in &entries {
        out.push(match tag {
            Tag::ConfigMap => b'C',
            Tag::Secret => b'S',
        });
        string(name.as_bytes(), &mut out);
        match state {
            State::Absent => out.push(b'A'),
            State::Present(keys) => content(b'P', keys, &mut out),
            State::Proxy(keys) => content(b'X', keys, &mut out),
        }
    }
    out
}

fn content(state: u8, keys: &Keys<'_>, out: &mut Vec<u8>) {
    out.push(state);
    number(keys.len(), out);
    for (key, value) in keys {
        string(key.as_bytes(), out);
        match value {
            Some(value) => {
                out.push(b'1');
                string(value, out);
            }
            None => out.push(b'0'),
        }
    }
}

fn string(bytes: &[u8], out: &mut Vec<u8>) {
    number(bytes.len(), out);
    out.extend_from_slice(bytes);
}

/// Files are far smaller than 4 GiB ([`crate::source::Limits`]).
fn number(number: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes());
}

/// The value of encoded bytes: their SHA-256 in 64 hexadecimal digits; with a key, the first 6 digits
/// of HMAC-SHA256 over `id`, which tell keys apart, `-`, and the 64 digits of HMAC-SHA256 over the bytes.
pub fn value(bytes: &[u8], key: Option<&ChecksumKey>) -> String {
    let Some(key) = key else { return hex(&Sha256::digest(bytes)) };
    let id = hmac(key, b"id");
    format!("{}-{}", &id[..6], hmac(key, bytes))
}

/// HMAC-SHA256 (RFC 2104) in hexadecimal digits.
fn hmac(key: &ChecksumKey, bytes: &[u8]) -> String {
    // RFC 2104: a key longer than a block stands for its hash, a shorter one is filled with zeros; a
    // block cannot be refused
    let mut block = [0; 64];
    match key.bytes() {
        long if long.len() > block.len() => block[..32].copy_from_slice(&Sha256::digest(long)),
        key => block[..key.len()].copy_from_slice(key),
    }
    let mut mac = Hmac::<Sha256>::new(&block.into());
    mac.update(bytes);
    hex(&mac.finalize().into_bytes())
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // writing to a string cannot fail
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of RFC 4231 §4 with data of its cases; case 6 has a key longer than a block.
    #[test]
    fn hmac_is_that_of_rfc_4231() {
        for (key, data, wanted) in [
            (vec![0x0b; 20], &b"Hi There"[..], "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe".to_vec(),
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                vec![0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ] {
            assert_eq!(hmac(&ChecksumKey::new(key).unwrap(), data), wanted);
        }
    }

    #[test]
    fn no_bytes_are_no_key() {
        assert_eq!(ChecksumKey::new(Vec::new()), None);
        let key = ChecksumKey::new(b"abc".to_vec()).unwrap();
        assert_eq!(format!("{key:?}"), "ChecksumKey");
    }
}
