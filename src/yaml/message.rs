//! What to say about text that is no YAML: plain words, and never a value of the source.

use granit_parser::ErrorKind;

/// What is wrong, and what to do about it if that is not plain from the message.
pub(super) struct Words {
    pub(super) message: String,
    pub(super) remedy: Option<&'static str>,
}

/// The words for a failure of the parser.
pub(super) fn syntax(kind: &ErrorKind) -> Words {
    let (message, remedy) = known(kind).unwrap_or(("", None));
    let message = match kind {
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            format!("{open} is closed by {close}")
        }
        ErrorKind::UnclosedFlowCollection { open } => format!("{open} is never closed"),
        ErrorKind::UnexpectedCharacter { character } => unexpected(*character),
        _ if message.is_empty() => kind.to_string(),
        _ => message.to_owned(),
    };
    Words { message, remedy }
}

/// A character that begins no value. Only those are shown that cannot be a part of one.
fn unexpected(character: char) -> String {
    match character {
        '@' | '`' | '%' => format!("a value cannot begin with {character}; put it in quotes"),
        '\t' => "a tab cannot stand here; use spaces".to_owned(),
        _ if character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}') => {
            let code = u32::from(character);
            format!("the control character U+{code:04X} is not allowed; write it as an escape in \"…\"")
        }
        _ => "this character is not allowed here".to_owned(),
    }
}

type Known = (&'static str, Option<&'static str>);

fn known(kind: &ErrorKind) -> Option<Known> {
    in_blocks(kind).or_else(|| in_brackets(kind)).or_else(|| in_quotes(kind)).or_else(|| around_documents(kind))
}

fn in_blocks(kind: &ErrorKind) -> Option<Known> {
    const COLUMN: &str =
        "check the indentation: the keys of one mapping, and the dashes of one list, begin in the same column";
    const COLON: &str =
        "a key needs a colon and a blank behind it; text that goes on in the next line must be indented";
    Some(match kind {
        ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => ("a tab cannot indent YAML; use spaces", None),
        ErrorKind::TabNotAllowed | ErrorKind::InvalidMappingValueWhitespace => {
            ("a tab cannot stand here; use spaces", None)
        }
        ErrorKind::MappingValueNotAllowed => (
            "a mapping cannot begin here",
            Some("put a value that holds \": \" in quotes, or move the key to a line of its own"),
        ),
        ErrorKind::MappingKeyNotAllowed => ("a key cannot stand here", Some(COLUMN)),
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => ("a colon is missing behind a key", Some(COLON)),
        ErrorKind::ExpectedBlockMappingKey => {
            ("a key is expected here, in the column of the keys before it", Some(COLUMN))
        }
        ErrorKind::ExpectedBlockSequenceEntry => ("an item that begins with - is expected here", Some(COLUMN)),
        ErrorKind::BlockSequenceEntryNotAllowed => {
            ("a list item cannot begin here", Some("write a list on the lines below its key, or in brackets: [a, b]"))
        }
        ErrorKind::InvalidIndentation => ("the indentation fits no line above", Some(COLUMN)),
        ErrorKind::InvalidBlockScalarIndent => (
            "a line of a text block is indented less than the first one",
            Some(
                "give every line of the block at least the indentation of the first, or put the indentation behind | or >",
            ),
        ),
        ErrorKind::InvalidBlockScalarHeader => (
            "text cannot stand behind | or > on the same line",
            Some("begin it on the next line, indented; or put the value in quotes"),
        ),
        ErrorKind::ExpectedNodeContent => ("a value is expected here", None),
        ErrorKind::CommentNotSeparated => ("a blank is missing before #", None),
        _ => return None,
    })
}

fn in_brackets(kind: &ErrorKind) -> Option<Known> {
    Some(match kind {
        ErrorKind::ExpectedFlowMappingSeparator => ("a , or } is missing here", None),
        ErrorKind::ExpectedFlowSequenceSeparator => ("a , or ] is missing here", None),
        ErrorKind::InvalidColonPlacement => {
            ("a colon cannot stand here", Some("check whether the bracket is closed where it should be"))
        }
        ErrorKind::MisplacedFlowCollectionEnd => ("a bracket is closed that was not opened", None),
        ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => ("a bracket is never closed", None),
        ErrorKind::BlockEntryInFlowCollection => ("- cannot begin an item inside of brackets", None),
        _ => return None,
    })
}

fn in_quotes(kind: &ErrorKind) -> Option<Known> {
    const ESCAPE: &str = "double a backslash that is meant as itself, or use single quotes";
    const BEHIND: &str = "put the whole value in quotes, or remove the text behind them";
    Some(match kind {
        ErrorKind::UnclosedQuotedScalar => ("a quote is never closed", None),
        ErrorKind::DocumentIndicatorInQuotedScalar => {
            ("a line of quoted text cannot begin with --- or ...", Some("indent the line"))
        }
        ErrorKind::InvalidQuotedScalarIndent => ("a line of quoted text is not indented enough", None),
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("text follows a closing quote", Some(BEHIND))
        }
        ErrorKind::UnknownQuotedScalarEscape => ("a backslash begins no escape that YAML knows", Some(ESCAPE)),
        ErrorKind::InvalidQuotedScalarHexEscape | ErrorKind::InvalidLowSurrogateHexEscape => {
            ("an escape lacks hexadecimal digits", Some(ESCAPE))
        }
        ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate
        | ErrorKind::InvalidUnicodeEscape => ("an escape names no character", Some(ESCAPE)),
        _ => return None,
    })
}

fn around_documents(kind: &ErrorKind) -> Option<Known> {
    Some(match kind {
        ErrorKind::BomInsideDocument => (
            "a byte order mark stands inside of a document",
            Some("delete it: it is an invisible character, left where files were joined"),
        ),
        ErrorKind::ExpectedDocumentStart => (
            "the document has ended, or its directives have no document",
            Some("kubectl takes no % directives before ---; check the indentation of this line and the one above"),
        ),
        ErrorKind::UndeclaredTagHandle => ("a tag uses a handle that is not declared", None),
        ErrorKind::MissingAnchorOrAliasName => {
            ("a name is missing behind & or *", Some("put a value that begins with & or * in quotes"))
        }
        _ => return None,
    })
}
