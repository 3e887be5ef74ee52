//! Where a capability is declared.

use std::collections::BTreeMap;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, relative to the app's root, with `/`.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in UTF-16 code units.
    pub column: u32,
}

/// The places of a compiled contract's capabilities, by declaration and capability.
#[derive(Clone, Debug, Default)]
pub struct Places(BTreeMap<(String, String), Place>);

impl Places {
    /// Where a declaration has a capability; `None` for one that the source no longer has.
    #[must_use]
    pub fn get(&self, declaration_id: &str, capability_id: &str) -> Option<&Place> {
        self.0.get(&(declaration_id.to_owned(), capability_id.to_owned()))
    }

    /// Notes where a declaration has a capability.
    pub fn insert(&mut self, declaration_id: String, capability_id: String, place: Place) {
        self.0.insert((declaration_id, capability_id), place);
    }
}
