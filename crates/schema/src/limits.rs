//! How large a schema may be.

/// The bounds of a schema document. The default is the contract format's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the canonical form in UTF-8.
    pub max_bytes: usize,
    /// Schemas inside schemas: the root stands at 0, and `properties`, `items`, `anyOf` and `$defs` add one.
    pub max_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_bytes: 16 * 1024, max_depth: 8 }
    }
}
