//! The way back from an edited text.

use std::ops::Range;
use std::sync::Arc;

use string_wizard::{Hires, MagicString, SourceMapOptions};

/// A source map (version 3, JSON) from the edited text to `source`, with a segment for every word.
pub(crate) fn source_map(source: &str, name: &str, edits: Vec<(Range<usize>, String)>) -> String {
    let mut text = MagicString::new(source);
    for (range, replacement) in edits {
        let (start, end) = (offset(range.start), offset(range.end));
        // Both fail only for ranges out of order, and these are sorted and apart.
        let done = if start == end {
            text.append_left(start, replacement).map(drop)
        } else {
            text.update(start, end, replacement).map(drop)
        };
        debug_assert!(done.is_ok(), "edits are sorted and apart");
    }
    let options = SourceMapOptions { include_content: true, source: Arc::from(name), hires: Hires::Boundary };
    text.source_map(options).to_json_string()
}

fn offset(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
