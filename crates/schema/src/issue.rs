//! What is wrong with a value, and where.

use std::fmt;

use agent_surface_json::digits;

/// One reason why a value does not satisfy a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The place in the value, as JavaScript would reach it: `rows[2].id`; empty for the value itself.
    pub path: String,
    /// What the schema asks for there. It names what the schema says and the kind of what was found, never the
    /// value itself, so that it may be shown to an agent.
    pub message: String,
}

/// `path: message`, with `$` for the value itself.
impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path.is_empty() { "$" } else { &self.path };
        f.write_str(&[path, ": ", &self.message].concat())
    }
}

/// A place in a value, as a list that hangs together on the stack while validation walks down.
#[derive(Clone, Copy)]
pub(crate) enum Path<'a> {
    /// The value itself.
    Root,
    /// A member of the object at the first place.
    Member(&'a Path<'a>, &'a str),
    /// An item of the array at the first place.
    Item(&'a Path<'a>, usize),
}

impl Path<'_> {
    /// The path as an [`Issue`] has it.
    pub(crate) fn to_text(self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Member(Self::Root, name) => name.to_owned(),
            Self::Member(parent, name) => [&parent.to_text(), ".", name].concat(),
            Self::Item(parent, index) => [&parent.to_text(), "[", &digits(index as u64), "]"].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn a_path_reads_as_javascript_reaches_the_place() {
        let rows = Path::Member(&Path::Root, "rows");
        let row = Path::Item(&rows, 2);
        assert_eq!(Path::Root.to_text(), "");
        assert_eq!(Path::Member(&row, "id").to_text(), "rows[2].id");
        assert_eq!(Path::Item(&Path::Item(&Path::Root, 0), 1).to_text(), "[0][1]");
    }
}
