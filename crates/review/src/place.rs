//! Where something is in the source.

use std::collections::BTreeMap;
use std::fmt;

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, relative to the app's root, with `/`.
    pub file: String,
    /// Counted from 1; 0 in generated code from which no source map leads back to its author's.
    pub line: u32,
    /// Counted from 1, in UTF-16 code units; 0 as `line` is.
    pub column: u32,
}

impl Place {
    /// The line and the column, where they are known.
    #[must_use]
    pub fn position(&self) -> Option<(u32, u32)> {
        (self.line > 0 && self.column > 0).then_some((self.line, self.column))
    }
}

/// `src/a.ts:3:7`, or the file alone.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        self.position().map_or(Ok(()), |(line, column)| write!(f, ":{line}:{column}"))
    }
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
