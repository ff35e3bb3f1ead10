//! JSON text to trees, without recursion.

use std::borrow::Cow;

use super::{number, string};
use crate::finding::rules::{DUPLICATE_KEY, LIMIT, NO_JSON_FORM, ROUNDED_NUMBER, SYNTAX};
use crate::finding::{DocumentFindings, Finding, Findings, Reported, duplicate_key};
use crate::source::{DocumentStart, Limits, Span};
use crate::tree::{FieldPath, Key, KeyIndex, Mapping, Node, Value};

/// The depth that no limit raises: whoever walks or drops a tree recurses.
const DEEPEST: usize = 1_000;

/// Reads a stream of JSON values, one behind the other, as kubectl does; the text begins at `at`.
///
/// Each value comes with the place where it begins, which its spans count from; values that are
/// null are left out. Where one cannot be used, the findings say why: after a duplicate key
/// reading goes on, after an error of syntax nothing more can be read.
///
/// Numbers are read as kubectl reads them: integers that fit 64 signed bits, else floats, `1.0` as
/// 1. Digits beyond 64 bits are kept, with a warning.
pub fn parse_stream<'s>(
    text: &'s str,
    at: DocumentStart,
    limits: &Limits,
    found: &mut Findings,
) -> Vec<Result<(DocumentStart, Node<'s>), Reported>> {
    let mut read = Vec::new();
    let mut next = skip_blanks(text, 0);
    while next < text.len() {
        let start = DocumentStart { file: at.file, offset: at.offset + next };
        let mut reader = Reader::new(&text[next..], start, limits, found);
        let node = reader.document();
        let end = next + reader.at;
        let is_broken = node.is_err();
        match node.and_then(|node| reader.findings.usable(node)) {
            Ok(node) if node.is_null() => {}
            Ok(node) => read.push(Ok((start, node))),
            Err(reported) => read.push(Err(reported)),
        }
        if is_broken {
            break;
        }
        next = skip_blanks(text, end);
    }
    read
}

fn skip_blanks(text: &str, from: usize) -> usize {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let rest = &text.as_bytes()[from..];
    from + rest.iter().take_while(|byte| is_blank(byte)).count()
}

/// An open list or mapping.
struct Frame<'s> {
    start: usize,
    /// Where its items or entries begin on the stack.
    first: usize,
    /// What a mapping needs; nothing for a list.
    mapping: Option<(KeyIndex<'s>, Option<Key<'s>>)>,
}

/// Reads one value.
struct Reader<'s, 'f> {
    text: &'s str,
    /// The next byte.
    at: usize,
    nesting: usize,
    bytes: usize,
    findings: DocumentFindings<'f>,
    frames: Vec<Frame<'s>>,
    items: Vec<Node<'s>>,
    entries: Vec<(Key<'s>, Node<'s>)>,
}

impl<'s, 'f> Reader<'s, 'f> {
    fn new(text: &'s str, at: DocumentStart, limits: &Limits, found: &'f mut Findings) -> Self {
        Reader {
            text,
            at: 0,
            nesting: limits.nesting.min(DEEPEST),
            bytes: limits.document_bytes,
            findings: DocumentFindings::new(at, found),
            frames: Vec::new(),
            items: Vec::new(),
            entries: Vec::new(),
        }
    }

    /// Reads the value that begins the text, up to its end.
    fn document(&mut self) -> Result<Node<'s>, Reported> {
        loop {
            let Some(mut node) = self.begin()? else {
                continue;
            };
            loop {
                if self.at > self.bytes {
                    return Err(self.too_big());
                }
                let Some(frame) = self.frames.last() else {
                    return Ok(node);
                };
                let is_list = frame.mapping.is_none();
                self.attach(node)?;
                if self.goes_on(is_list)? {
                    break;
                }
                node = self.close();
            }
        }
    }

    /// Reads a scalar or an empty collection; opens any other collection and returns nothing.
    fn begin(&mut self) -> Result<Option<Node<'s>>, Reported> {
        self.skip_blanks();
        let start = self.at;
        let value = match self.peek() {
            Some(b'[') => return self.open(None, b']'),
            Some(b'{') => return self.open(Some((KeyIndex::default(), None)), b'}'),
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(_) => return Err(self.fail("a value is expected here", start)),
            None => return Err(self.ends_early()),
        };
        let span = Span::new(start, self.at);
        Ok(Some(Node { span, value }))
    }

    fn open(
        &mut self,
        mapping: Option<(KeyIndex<'s>, Option<Key<'s>>)>,
        closer: u8,
    ) -> Result<Option<Node<'s>>, Reported> {
        if self.frames.len() >= self.nesting {
            return Err(self.too_deep());
        }
        let is_mapping = mapping.is_some();
        self.frames.push(Frame {
            start: self.at,
            first: if is_mapping { self.entries.len() } else { self.items.len() },
            mapping,
        });
        self.at += 1;
        self.skip_blanks();
        if self.peek() == Some(closer) {
            self.at += 1;
            return Ok(Some(self.close()));
        }
        if is_mapping {
            self.key()?;
        }
        Ok(None)
    }

    /// Ends the innermost collection, whose bracket has been read.
    fn close(&mut self) -> Node<'s> {
        let Some(frame) = self.frames.pop() else {
            return Node::default();
        };
        let value = match frame.mapping {
            None => Value::Sequence(self.items.drain(frame.first..).collect()),
            Some(_) => Value::Mapping(Mapping::new(self.entries.drain(frame.first..).collect())),
        };
        Node { span: Span::new(frame.start, self.at), value }
    }

    /// Puts a node into the innermost collection.
    fn attach(&mut self, node: Node<'s>) -> Result<(), Reported> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(());
        };
        let Some((index, key)) = &mut frame.mapping else {
            self.items.push(node);
            return Ok(());
        };
        let Some(key) = key.take() else {
            return Ok(());
        };
        let Some(at) = index.position(&self.entries[frame.first..], &key.name) else {
            self.entries.push((key, node));
            index.pushed(&self.entries[frame.first..]);
            return Ok(());
        };
        let first = self.entries[frame.first + at].0.span;
        let (here, there) = (self.findings.label(key.span), self.findings.label(first));
        let path = self.path().key(&key.name);
        let finding = duplicate_key(&DUPLICATE_KEY, &key.name, here, there, path);
        self.findings.error(finding)
    }

    /// Reads what follows an item or an entry: a comma (and the next key), then true; or the
    /// bracket that ends the collection, then false.
    fn goes_on(&mut self, is_list: bool) -> Result<bool, Reported> {
        self.skip_blanks();
        let closer = if is_list { b']' } else { b'}' };
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                if !is_list {
                    self.skip_blanks();
                    self.key()?;
                }
                Ok(true)
            }
            Some(byte) if byte == closer => {
                self.at += 1;
                Ok(false)
            }
            Some(_) if is_list => Err(self.fail("a , or ] is missing here", self.at)),
            Some(_) => Err(self.fail("a , or } is missing here", self.at)),
            None => Err(self.ends_early()),
        }
    }

    /// Reads a key and its colon.
    fn key(&mut self) -> Result<(), Reported> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => {}
            Some(_) => return Err(self.fail("a key in double quotes is expected here", start)),
            None => return Err(self.ends_early()),
        }
        let name = self.string()?;
        let span = Span::new(start, self.at);
        self.skip_blanks();
        match self.peek() {
            Some(b':') => self.at += 1,
            Some(_) => return Err(self.fail("a colon is missing behind a key", self.at)),
            None => return Err(self.ends_early()),
        }
        if let Some(Frame { mapping: Some((_, key)), .. }) = self.frames.last_mut() {
            *key = Some(Key { span, name });
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Cow<'s, str>, Reported> {
        match string::read(&self.text[self.at..]) {
            Ok((text, length)) => {
                self.at += length;
                Ok(text)
            }
            Err((at, why)) => Err(self.fail(why, self.at + at)),
        }
    }

    fn word(&mut self, word: &str, value: Value<'s>) -> Result<Value<'s>, Reported> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.fail("a value is expected here", self.at));
        }
        self.at += word.len();
        Ok(value)
    }

    fn number(&mut self) -> Result<Value<'s>, Reported> {
        let rest = &self.text[self.at..];
        let Some((length, is_integer)) = number::length(rest.as_bytes()) else {
            return Err(self.no_number());
        };
        let text = &rest[..length];
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        let float: f64 = text.parse().unwrap_or(f64::INFINITY);
        if !float.is_finite() {
            let finding = Finding::new(&NO_JSON_FORM, "this number is larger than any float");
            let label = self.findings.label(span).path(self.path());
            self.findings.error(finding.with_label(label))?;
            return Ok(Value::Null);
        }
        if !is_integer {
            return Ok(Value::float(float));
        }
        let value = Value::integer(text);
        if matches!(value, Value::U64(_) | Value::Number(_)) {
            let message = "a cluster does not keep all digits of this number";
            let label = self.findings.label(span).path(self.path());
            let finding = Finding::new(&ROUNDED_NUMBER, message).with_label(label);
            self.findings.warning(finding.with_remedy("put it in quotes if it is text"));
        }
        Ok(value)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        self.at = skip_blanks(self.text, self.at);
    }

    /// The field that is being read.
    fn path(&self) -> FieldPath {
        let mut path = FieldPath::default();
        let mut lists = self.frames.iter().filter(|frame| frame.mapping.is_none()).skip(1);
        for frame in &self.frames {
            match &frame.mapping {
                None => {
                    let next = lists.next().map_or(self.items.len(), |next| next.first);
                    path.push_index(next - frame.first);
                }
                Some((_, Some(key))) => path.push_key(&key.name),
                Some((_, None)) => {}
            }
        }
        path
    }

    fn fail(&mut self, message: &str, at: usize) -> Reported {
        let finding = Finding::new(&SYNTAX, message);
        self.fatal(finding, at)
    }

    fn fatal(&mut self, finding: Finding, at: usize) -> Reported {
        let label = self.findings.label(Span::new(at, at)).path(self.path());
        self.findings.fatal(finding.with_label(label))
    }

    /// The text has ended: what is open was opened at a place worth showing.
    fn ends_early(&mut self) -> Reported {
        match self.frames.last() {
            Some(frame) if frame.mapping.is_some() => self.fail("{ is never closed", frame.start),
            Some(frame) => self.fail("[ is never closed", frame.start),
            None => self.fail("a value is expected here", self.at),
        }
    }

    fn no_number(&mut self) -> Reported {
        if !self.text[self.at..].starts_with("---") {
            return self.fail("this is no number that JSON knows", self.at);
        }
        let message = "--- stands in a file that begins with {, which kubectl reads as JSON";
        let finding = Finding::new(&SYNTAX, message)
            .with_remedy("begin the file with --- to have it read as YAML, or remove the line");
        self.fatal(finding, self.at)
    }

    fn too_deep(&mut self) -> Reported {
        let message = format!("lists and mappings nest deeper than {} levels", self.nesting);
        let finding = Finding::new(&LIMIT, message).with_remedy("nest less, or raise the limit");
        self.fatal(finding, self.at)
    }

    fn too_big(&mut self) -> Reported {
        let message = format!("the document is bigger than {} bytes", self.bytes);
        let finding = Finding::new(&LIMIT, message).with_remedy("split it, or raise the limit");
        self.fatal(finding, 0)
    }
}
