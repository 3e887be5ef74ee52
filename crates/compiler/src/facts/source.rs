//! A module's text before it is parsed: its language, and the bounds that keep a parse finite.

use oxc_span::{SourceType, Span};

use super::{Component, Refusal};
use crate::id::without_query;

/// The longest text that is analysed. A contract is a page of code; a bundle that found its way into the
/// source tree is not a place for one.
const MAX_SOURCE_BYTES: usize = 1024 * 1024;

/// How deep brackets may nest.
const MAX_NESTING: usize = 2000;

/// What the recursion of the parser and the visitors takes at most, for a byte of text. The worst text nests
/// with every byte (`!!!!…`), and needs no bracket for it.
const STACK_PER_BYTE: usize = 1024;

/// Enough for whatever does not depend on the text: what is lowered nests no deeper than a bound of its own.
const LEAST_STACK: usize = 1024 * 1024;

/// Which text of a module is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// What its author wrote, before other plugins.
    Written,
    /// What other plugins made of it.
    Compiled,
}

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
    /// The language of a module by its id, in the text that its author wrote. None for what is no script yet: a
    /// style sheet, an image, a component file and its blocks, which its own plugin takes apart.
    pub(crate) fn of(id: &str) -> Option<Self> {
        let path = without_query(id);
        match Self::of_query(id).filter(|_| Component::of(id).is_none()).unwrap_or_else(|| ending_of(path)) {
            "" => Some(Self::JavaScript),
            ending => Self::of_ending(ending).or_else(|| {
                // A virtual module's id need not look like a file.
                let is_made_up = id.starts_with('\0') || !path.contains(['/', '\\']);
                is_made_up.then_some(Self::JavaScript)
            }),
        }
    }

    /// The language of a module by its id, in the text that other plugins left: a script, or what the build will
    /// not take for one.
    pub(crate) fn of_compiled(id: &str) -> Self {
        let ending = Self::of_query(id).unwrap_or_else(|| ending_of(without_query(id)));
        Self::of_ending(ending).unwrap_or(Self::JavaScript)
    }

    /// `lang.ts` closes the query of a component's script block; it outranks the file's ending.
    fn of_query(id: &str) -> Option<&str> {
        let (_, lang) = id.rsplit_once("lang.").filter(|_| id.contains('?'))?;
        lang.split('&').next()
    }

    fn of_ending(ending: &str) -> Option<Self> {
        match ending {
            "ts" | "mts" | "cts" => Some(Self::TypeScript),
            "tsx" => Some(Self::Tsx),
            "js" | "jsx" | "mjs" | "cjs" => Some(Self::JavaScript),
            "json" | "json5" => Some(Self::Json),
            _ => None,
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

/// The ending of a path's file, or nothing.
fn ending_of(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.rsplit_once('.').map_or("", |(_, ending)| ending)
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

/// Runs what parses and walks a text where its recursion has room: on the stack that there is, for a module of ordinary
/// length, or else on one of its own. That is address space, of which only what is touched becomes memory.
///
/// A text of more than a megabyte gets the room of one: no text that a bundler takes nests with each of its bytes for
/// that long.
pub fn with_room_for<T>(source: &str, analyse: impl FnOnce() -> T) -> T {
    let needed = LEAST_STACK + source.len().min(MAX_SOURCE_BYTES) * STACK_PER_BYTE;
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
            ("/app/src/a.ts?vue&type=script&src=true&lang.ts", Some(Language::TypeScript)),
            ("/app/src/A.vue?vue&type=script&setup=true&lang.ts", None),
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
        for (id, language) in [
            ("/app/src/A.vue?vue&type=script&setup=true&lang.ts", Language::TypeScript),
            ("/app/src/A.vue?vue&type=script&lang.tsx", Language::Tsx),
            ("/app/src/A.vue", Language::JavaScript),
            ("/app/src/a.ts", Language::TypeScript),
            ("/app/page.astro", Language::JavaScript),
        ] {
            assert_eq!(Language::of_compiled(id), language, "{id}");
        }
    }

    #[test]
    fn nesting_counts_what_is_open_at_once() {
        assert_eq!(deepest_nesting("[[]][{(}"), (3, 6));
        assert!(check_bounds(&"[".repeat(MAX_NESTING)).is_ok());
        assert!(check_bounds(&"[".repeat(MAX_NESTING + 1)).is_err());
    }
}
