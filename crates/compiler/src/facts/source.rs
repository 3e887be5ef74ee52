//! A module's text before it is parsed: its language, and the bounds that keep a parse finite.

use oxc_span::{SourceType, Span};

use super::Refusal;
use crate::id::without_query;

/// The longest text that is analysed. A contract is a page of code; a bundle that found its way into the
/// source tree is not a place for one.
const MAX_SOURCE_BYTES: usize = 1024 * 1024;

/// How deep brackets may nest.
const MAX_NESTING: usize = 2000;

/// What the recursion of the parser and the visitors takes at most, for a byte of text. The worst text nests
/// with every byte (`!!!!…`), and needs no bracket for it.
const STACK_PER_BYTE: usize = 1024;

/// Enough for whatever does not depend on the text.
const LEAST_STACK: usize = 256 * 1024;

/// What a module is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    TypeScript,
    Tsx,
    /// JavaScript, with or without JSX.
    JavaScript,
    Json,
}

impl Language {
    /// The language of a module by its id, which may carry a query (`?vue&type=script&lang.ts`). None for
    /// what is no script: a style sheet, an image, a component file that its own plugin will take apart.
    pub(crate) fn of(id: &str) -> Option<Self> {
        let path = without_query(id);
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        // `lang.ts` closes the query of a component's script block; it outranks the component file's ending.
        let ending = match id.rsplit_once("lang.") {
            Some((_, lang)) if id.contains('?') => lang.split('&').next(),
            _ => file.rsplit_once('.').map(|(_, ending)| ending),
        };
        match ending {
            Some("ts" | "mts" | "cts") => Some(Self::TypeScript),
            Some("tsx") => Some(Self::Tsx),
            Some("js" | "jsx" | "mjs" | "cjs") => Some(Self::JavaScript),
            Some("json" | "json5") => Some(Self::Json),
            // A virtual module's id need not look like a file.
            None => Some(Self::JavaScript),
            Some(_) if id.starts_with('\0') || !path.contains(['/', '\\']) => Some(Self::JavaScript),
            Some(_) => None,
        }
    }

    /// Whether [`Language::of`] had no ending to go by, as for a virtual module.
    pub(crate) fn is_guess(id: &str) -> bool {
        let path = without_query(id);
        !path.ends_with("js") && !path.ends_with("jsx")
    }

    pub(crate) fn source_type(self) -> SourceType {
        match self {
            Self::TypeScript => SourceType::ts(),
            Self::Tsx => SourceType::tsx(),
            Self::JavaScript | Self::Json => SourceType::jsx(),
        }
        .with_module(true)
    }
}

/// Refuses a text that can't be analysed in bounded time and memory.
pub(super) fn check_bounds(source: &str) -> Result<(), Refusal> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(Refusal {
            message: format!(
                "the module has {} bytes; a module of more than {MAX_SOURCE_BYTES} is not analysed",
                source.len()
            ),
            span: None,
            beyond_bounds: true,
        });
    }
    match deepest_nesting(source) {
        (depth, offset) if depth > MAX_NESTING => {
            let start = u32::try_from(offset).unwrap_or(0);
            Err(Refusal {
                message: format!("brackets nest {depth} deep; more than {MAX_NESTING} are not analysed"),
                span: Some(Span::new(start, start + 1)),
                beyond_bounds: true,
            })
        }
        _ => Ok(()),
    }
}

/// The deepest nesting of brackets and where it is reached. Brackets in strings and comments count too: a
/// bound needs no exact figure.
fn deepest_nesting(source: &str) -> (usize, usize) {
    let (mut depth, mut deepest, mut at) = (0usize, 0, 0);
    for (offset, byte) in source.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                if depth > deepest {
                    (deepest, at) = (depth, offset);
                }
            }
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    (deepest, at)
}

/// Runs an analysis where its recursion has room: where it is, for a module of ordinary length, or else on a
/// stack of its own. That is address space, of which only what is touched becomes memory.
pub(super) fn with_room_for<T>(source: &str, analyse: impl FnOnce() -> T) -> T {
    let needed = (source.len() * STACK_PER_BYTE).max(LEAST_STACK);
    stacker::maybe_grow(needed, needed, analyse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_read_from_the_id() {
        for (id, language) in [
            ("/app/src/a.ts", Some(Language::TypeScript)),
            ("/app/src/a.mts", Some(Language::TypeScript)),
            ("/app/src/a.tsx?v=1", Some(Language::Tsx)),
            ("/app/src/a.js", Some(Language::JavaScript)),
            ("/app/src/a.mjs#x", Some(Language::JavaScript)),
            ("/app/src/A.vue?vue&type=script&setup=true&lang.ts", Some(Language::TypeScript)),
            ("/app/src/A.vue?vue&type=script&lang.tsx", Some(Language::Tsx)),
            ("/app/src/A.vue", None),
            ("/app/src/a.css", None),
            ("/app/src/logo.svg?raw", None),
            ("/app/data.json", Some(Language::Json)),
            ("C:\\app\\src\\a.ts", Some(Language::TypeScript)),
            ("\0virtual:panel", Some(Language::JavaScript)),
            ("virtual:panel", Some(Language::JavaScript)),
        ] {
            assert_eq!(Language::of(id), language, "{id}");
        }
    }

    #[test]
    fn nesting_counts_what_is_open_at_once() {
        assert_eq!(deepest_nesting("[[]][{(}"), (3, 6));
        assert!(check_bounds(&"[".repeat(MAX_NESTING)).is_ok());
        assert!(check_bounds(&"[".repeat(MAX_NESTING + 1)).is_err());
    }
}
