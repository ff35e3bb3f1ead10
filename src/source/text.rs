//! Bytes of a file to text.
//!
//! UTF-8 stays as it is, a byte order mark at its start included, so that offsets in the text are
//! offsets in the file. UTF-16 with a byte order mark is decoded without it. A wrong byte is never
//! replaced: kubectl would write U+FFFD into the cluster without a word.

use std::fmt;

/// How text is written in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, which everything without another byte order mark has to be.
    Utf8,
    /// UTF-16, little-endian, known by its byte order mark.
    Utf16Le,
    /// UTF-16, big-endian, known by its byte order mark.
    Utf16Be,
    /// UTF-32, known by its byte order mark; not read.
    Utf32,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf16Le | Encoding::Utf16Be => "UTF-16",
            Encoding::Utf32 => "UTF-32",
        })
    }
}

/// Where bytes stop being text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// The first wrong byte, from 0.
    pub(super) offset: usize,
    /// What the bytes were read as.
    pub(super) encoding: Encoding,
}

/// The byte order marks, longest first: UTF-32 LE begins with that of UTF-16 LE.
const MARKS: [(&[u8], Encoding); 4] = [
    (&[0xFF, 0xFE, 0, 0], Encoding::Utf32),
    (&[0, 0, 0xFE, 0xFF], Encoding::Utf32),
    (&[0xFF, 0xFE], Encoding::Utf16Le),
    (&[0xFE, 0xFF], Encoding::Utf16Be),
];

/// The text that bytes stand for; where they go wrong, the text before that.
pub(super) fn decode(bytes: Vec<u8>) -> (Box<str>, Option<Wrong>) {
    let mark = MARKS.iter().find(|(mark, _)| bytes.starts_with(mark));
    match mark.map_or(Encoding::Utf8, |(_, encoding)| *encoding) {
        Encoding::Utf8 => utf8(bytes),
        Encoding::Utf16Le => utf16(&bytes, Encoding::Utf16Le, u16::from_le_bytes),
        Encoding::Utf16Be => utf16(&bytes, Encoding::Utf16Be, u16::from_be_bytes),
        Encoding::Utf32 => {
            let wrong = Wrong { offset: 0, encoding: Encoding::Utf32 };
            (Box::default(), Some(wrong))
        }
    }
}

fn utf8(bytes: Vec<u8>) -> (Box<str>, Option<Wrong>) {
    let error = match String::from_utf8(bytes) {
        Ok(text) => return (text.into_boxed_str(), None),
        Err(error) => error,
    };
    let offset = error.utf8_error().valid_up_to();
    let mut bytes = error.into_bytes();
    bytes.truncate(offset);
    let text = String::from_utf8(bytes).unwrap_or_default();
    let wrong = Wrong { offset, encoding: Encoding::Utf8 };
    (text.into_boxed_str(), Some(wrong))
}

/// `unit` puts two bytes together. A surrogate without its partner and a last half unit are wrong.
fn utf16(bytes: &[u8], encoding: Encoding, unit: fn([u8; 2]) -> u16) -> (Box<str>, Option<Wrong>) {
    let (units, half) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(bytes.len());
    let mut offset = 2;
    for char in char::decode_utf16(units.iter().skip(1).map(|pair| unit(*pair))) {
        let Ok(char) = char else {
            return (text.into_boxed_str(), Some(Wrong { offset, encoding }));
        };
        text.push(char);
        offset += 2 * char.len_utf16();
    }
    let wrong = (!half.is_empty()).then_some(Wrong { offset, encoding });
    (text.into_boxed_str(), wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(offset: usize, encoding: Encoding) -> Option<Wrong> {
        Some(Wrong { offset, encoding })
    }

    #[test]
    fn utf8_keeps_its_mark_and_stops_at_the_first_wrong_byte() {
        let (text, none) = decode("\u{feff}a: ü\r\n\0".into());
        assert_eq!((&*text, none), ("\u{feff}a: ü\r\n\0", None));
        let (text, at) = decode(b"a: 1\nb: caf\xe9\n".to_vec());
        assert_eq!((&*text, at), ("a: 1\nb: caf", wrong(11, Encoding::Utf8)));
        let (text, at) = decode(b"a: \xe2\x82".to_vec());
        assert_eq!((&*text, at), ("a: ", wrong(3, Encoding::Utf8)));
        // CESU-8 surrogates and overlong forms are no UTF-8
        assert_eq!(decode(b"\xed\xa0\x80".to_vec()).1, wrong(0, Encoding::Utf8));
        assert_eq!(decode(b"a\xc0\x80".to_vec()).1, wrong(1, Encoding::Utf8));
        assert_eq!(decode(Vec::new()), (Box::default(), None));
    }

    #[test]
    fn utf16_is_decoded_both_ways_round() {
        let text = "a: ü€𝄞\n";
        for (mark, bytes) in [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)]
        {
            let mut file = mark.to_vec();
            file.extend(text.encode_utf16().flat_map(bytes));
            assert_eq!(decode(file), (text.into(), None));
        }
        assert_eq!(decode(b"\xff\xfe".to_vec()), (Box::default(), None));
    }

    #[test]
    fn utf16_is_never_repaired() {
        // a high surrogate without its partner, a low one alone, half a unit
        for (file, text, offset) in [
            (&b"\xff\xfea\0\x00\xd8b\0"[..], "a", 4),
            (b"\xff\xfea\0\x00\xd8", "a", 4),
            (b"\xff\xfe\x00\xdca\0", "", 2),
            (b"\xff\xfea\0b", "a", 4),
        ] {
            let (read, at) = decode(file.to_vec());
            assert_eq!((&*read, at), (text, wrong(offset, Encoding::Utf16Le)));
        }
    }

    #[test]
    fn utf32_is_known_and_not_read() {
        for file in [&b"\xff\xfe\0\0a\0\0\0"[..], b"\0\0\xfe\xff\0\0\0a"] {
            assert_eq!(decode(file.to_vec()), (Box::default(), wrong(0, Encoding::Utf32)));
        }
    }
}
