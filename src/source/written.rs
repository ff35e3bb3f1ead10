//! Where text that a template made was written.

use super::{FileId, Place};

/// Where each stretch of a text comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The stretches, ascending by [`Segment::at`]; each goes as far as the next one.
    pub segments: Vec<Segment>,
    /// What there is to say of text before the first stretch: the template itself.
    pub template: Option<FileId>,
}

/// A stretch of text and the bytes of a template that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its first byte in the text.
    pub at: usize,
    /// What made it: a tag, or text that stands there as it is.
    pub source: Place,
    /// Whether it is text that stands in the template as it is.
    pub verbatim: bool,
    /// The tag that asked for the template of `source`, where that is another one than the one that is
    /// rendered.
    pub call: Option<Place>,
}

impl Written {
    /// The place in a template of a place in the text.
    pub(super) fn place(&self, place: Place) -> Place {
        let Some(segment) = self.segment(place.start) else {
            return self.template.map_or(place, Place::file);
        };
        let Segment { at, source, verbatim, .. } = segment;
        if !verbatim {
            return *source;
        }
        let start = (source.start + (place.start - at)).min(source.end);
        // the rest of a span that goes on in another stretch is left out
        let end = match self.segment(place.end.saturating_sub(1)) {
            Some(last) if last == segment => (source.start + place.end.saturating_sub(*at)).min(source.end),
            _ => source.end,
        };
        Place { file: source.file, start, end: end.max(start) }
    }

    /// The tag that asked for the template that a byte comes from.
    pub(super) fn call_site(&self, place: Place) -> Option<Place> {
        self.segment(place.start)?.call
    }

    fn segment(&self, at: usize) -> Option<&Segment> {
        let behind = self.segments.partition_point(|segment| segment.at <= at);
        self.segments[..behind].last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceFile, SourceMap};

    #[test]
    fn text_leads_back_to_the_template() {
        let mut map = SourceMap::default();
        let template = map.add(SourceFile::new("a.yaml.tera", "a: {{ x }}\nb: 1\n"));
        let at = |start, end| Place { file: template, start, end };
        let mut made = SourceFile::new("a.yaml.tera", "a: hello\nb: 1\n");
        let segment = |at, source, verbatim| Segment { at, source, verbatim, call: None };
        made.written = Some(Written {
            segments: vec![segment(0, at(0, 3), true), segment(3, at(3, 10), false), segment(8, at(10, 16), true)],
            template: Some(template),
        });
        let file = map.add(made);
        let of = |start, end| map.written(Place { file, start, end });
        assert_eq!(of(0, 1), at(0, 1));
        assert_eq!(of(3, 8), at(3, 10));
        assert_eq!(of(12, 13), at(14, 15));
        assert_eq!(of(0, 14), at(0, 3));
        assert_eq!(map.written(at(4, 5)), at(4, 5));
    }
}
