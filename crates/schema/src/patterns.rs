//! `pattern`: ECMAScript's regular expressions, lent by whoever has an engine for them.

/// An engine of ECMAScript regular expressions with the `u` flag, as draft 2020-12 (core, 6.4) asks for them.
///
/// In a browser that is `new RegExp(pattern, "u")`, elsewhere `NativePatterns`. Both backtrack: a pattern that takes
/// exponential time does so in either, and a schema's author answers for it as for any code.
pub trait Patterns {
    /// Whether `pattern`, which is not anchored, matches somewhere in `text`; `None` where it is no pattern.
    fn matches(&self, pattern: &str, text: &str) -> Option<bool>;

    /// Whether `pattern` is one. An engine that can tell without a search does: one of an empty text takes
    /// exponential time too, as `(|)(|)(|)…x` shows.
    fn is_pattern(&self, pattern: &str) -> bool {
        self.matches(pattern, "").is_some()
    }
}

impl<P: Patterns + ?Sized> Patterns for &P {
    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        (**self).matches(pattern, text)
    }

    fn is_pattern(&self, pattern: &str) -> bool {
        (**self).is_pattern(pattern)
    }
}

#[cfg(feature = "native-patterns")]
pub use native::NativePatterns;

#[cfg(feature = "native-patterns")]
mod native {
    use std::collections::HashMap;
    use std::fmt;
    use std::sync::{Mutex, PoisonError};

    use regress::Regex;

    use super::Patterns;

    /// How many compiled patterns are kept. Beyond any contract; it bounds what a long-lived process holds.
    const CAPACITY: usize = 256;

    /// The longest pattern that is compiled, in bytes: as long as a schema document may be, four times over.
    const MAX_BYTES: usize = 64 * 1024;

    /// What the engine's recursion takes at most for a byte of a pattern: the worst one opens a group with each.
    const STACK_PER_BYTE: usize = 4 * 1024;

    /// Enough for whatever does not depend on the pattern.
    const LEAST_STACK: usize = 128 * 1024;

    /// [`Patterns`] for processes without a JavaScript engine. It keeps what it has compiled.
    #[derive(Default)]
    pub struct NativePatterns {
        compiled: Mutex<HashMap<String, Option<Regex>>>,
    }

    impl NativePatterns {
        /// Asks a compiled pattern; `None` where it is no pattern.
        fn ask<T>(&self, pattern: &str, ask: impl FnOnce(&Regex) -> T) -> Option<T> {
            // A panic elsewhere can't leave the map half changed: it only ever gains whole entries.
            let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
            if !compiled.contains_key(pattern) {
                if compiled.len() == CAPACITY {
                    compiled.clear();
                }
                compiled.insert(pattern.to_owned(), compile(pattern));
            }
            compiled.get(pattern)?.as_ref().map(ask)
        }
    }

    /// Compiles a pattern where the engine's recursion has room, which is only touched as far as the pattern nests.
    fn compile(pattern: &str) -> Option<Regex> {
        if pattern.len() > MAX_BYTES {
            return None;
        }
        let needed = LEAST_STACK + pattern.len() * STACK_PER_BYTE;
        stacker::maybe_grow(needed, needed, || Regex::with_flags(pattern, "u").ok())
    }

    impl Patterns for NativePatterns {
        fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
            self.ask(pattern, |regex| regex.find(text).is_some())
        }

        fn is_pattern(&self, pattern: &str) -> bool {
            self.ask(pattern, |_| ()).is_some()
        }
    }

    impl fmt::Debug for NativePatterns {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("NativePatterns").finish_non_exhaustive()
        }
    }
}
