//! What a module or a page hands to the browser's agents by itself, and the words by which a text may do so.

use oxc_span::Span;

/// Where browsers have their tools.
pub(crate) const MODEL_CONTEXT: &str = "modelContext";

/// The method that registers a tool there.
pub(crate) const REGISTER_TOOL: &str = "registerTool";

/// What makes a form a tool, in letters of any case.
pub(crate) const TOOL_NAME: &str = "toolname";

/// One such way.
#[derive(Clone, Debug)]
pub(crate) struct Exposure {
    pub(crate) span: Span,
    pub(crate) kind: ExposureKind,
}

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExposureKind {
    /// The method that registers tools.
    Registration,
    /// The object that has the method, where it can't be followed.
    Escape,
    /// What may be the one or the other, since it can't be followed up to here.
    Unclear,
    /// A form that is a tool.
    Form,
    /// An element that gets the attribute which makes a form a tool.
    Attribute,
    /// A text with such a form in it.
    Text,
}

impl ExposureKind {
    /// Whether it makes a tool of a form, which is listed and allowed.
    pub(crate) const fn is_declarative(self) -> bool {
        matches!(self, Self::Form | Self::Attribute | Self::Text)
    }
}

/// Where a text has a word in letters of any case; the word's are lower-case ASCII.
pub(crate) fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let first = *word.first()?;
    let mut from = 0;
    loop {
        let rest = text.get(from..)?;
        let at = from + rest.iter().position(|byte| byte | 0x20 == first)?;
        if text.get(at..at + word.len())?.eq_ignore_ascii_case(word) {
            return Some(at);
        }
        from = at + 1;
    }
}
