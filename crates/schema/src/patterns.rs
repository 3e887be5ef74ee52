//! `pattern`: ECMAScript's regular expressions, lent by whoever has an engine for them.

/// An engine of ECMAScript regular expressions with the `u` flag, as draft 2020-12 (core, 6.4) asks for them.
///
/// In a browser that is `new RegExp(pattern, "u")`, elsewhere `NativePatterns`. Both backtrack: a pattern that takes
/// exponential time does so in either, and a schema's author answers for it as for any code.
pub trait Patterns {
    /// Whether `pattern`, which is not anchored, matches somewhere in `text`; `None` where it is no pattern.
    fn matches(&self, pattern: &str, text: &str) -> Option<bool>;
}

impl<P: Patterns + ?Sized> Patterns for &P {
    fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
        (**self).matches(pattern, text)
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

    /// [`Patterns`] for processes without a JavaScript engine. It keeps what it has compiled.
    #[derive(Default)]
    pub struct NativePatterns {
        compiled: Mutex<HashMap<String, Option<Regex>>>,
    }

    impl Patterns for NativePatterns {
        fn matches(&self, pattern: &str, text: &str) -> Option<bool> {
            // A panic elsewhere can't leave the map half changed: it only ever gains whole entries.
            let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
            if !compiled.contains_key(pattern) {
                if compiled.len() == CAPACITY {
                    compiled.clear();
                }
                compiled.insert(pattern.to_owned(), Regex::with_flags(pattern, "u").ok());
            }
            let regex = compiled.get(pattern)?.as_ref()?;
            Some(regex.find(text).is_some())
        }
    }

    impl fmt::Debug for NativePatterns {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_struct("NativePatterns").finish_non_exhaustive()
        }
    }
}
