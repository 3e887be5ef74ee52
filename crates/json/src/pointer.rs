//! JSON Pointer (RFC 6901): how a refusal names the place in a document.

use std::fmt;

use crate::digits;

/// A place in a JSON document. Each step down makes a pointer of its own, so the way up needs no bookkeeping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointer(String);

impl Pointer {
    /// The whole document: the empty pointer.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// This place's member `key`, with `~` and `/` escaped.
    #[must_use]
    pub fn member(&self, key: &str) -> Self {
        let mut text = [&self.0, "/"].concat();
        for character in key.chars() {
            match character {
                '~' => text.push_str("~0"),
                '/' => text.push_str("~1"),
                _ => text.push(character),
            }
        }
        Self(text)
    }

    /// This place's item `index`.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self([&self.0, "/", &digits(index as u64)].concat())
    }

    /// The text of RFC 6901; empty for the whole document.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_document_is_the_empty_pointer() {
        assert_eq!(Pointer::root().as_str(), "");
    }

    #[test]
    fn tilde_and_slash_are_escaped_so_that_each_key_is_one_step() {
        let pointer = Pointer::root().member("a/b").item(10).member("~1").member("");
        assert_eq!(pointer.to_string(), "/a~1b/10/~01/");
    }
}
