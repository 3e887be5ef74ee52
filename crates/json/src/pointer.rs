//! JSON Pointer (RFC 6901): how a refusal names the place in a document.

use std::fmt;

/// A place in a JSON document, built while walking down and cut while walking up.
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
        Self(format!("{}/{}", self.0, key.replace('~', "~0").replace('/', "~1")))
    }

    /// This place's item `index`.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
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
