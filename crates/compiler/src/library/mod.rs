//! Schema libraries: expressions that are evaluated with the library itself, and nothing else of the app.
//!
//! Where a contract needs the JSON Schema of `z.toJSONSchema(Schema)`, no grammar of ours says what it is. So the
//! evaluator collects the expression as [`Code`], which is *closed*: imports of a schema library, their members and
//! calls, and static values. It is printed as a [`program`](Printed) for the host, which runs it with the project's own
//! copy of the library and answers with JSON. The answer is normalised where that keeps its meaning and then
//! goes the way of any document that was written out.

mod code;
mod convert;
mod document;
mod literal;
mod outcome;
mod program;
mod settle;

pub(crate) use code::{Code, CodeKind, Entry, Operand, Part, is_message_of, is_message_property};
pub(crate) use literal::{SchemaLiteral, Values, find_literals, values_of};
pub(crate) use outcome::{libraries_in, outcome};
pub(crate) use program::Printed;
pub(crate) use settle::{Sides, settle_schemas};

/// The packages whose exports may be run while a build is proven. A package is known by the name in its own
/// `package.json`, wherever it lies and however it is imported.
const LIBRARIES: [&str; 6] =
    ["zod", "valibot", "@valibot/to-json-schema", "arktype", "typebox", "@sinclair/typebox"];

/// Whether a package is a schema library.
pub(crate) fn is_library(package: &str) -> bool {
    LIBRARIES.contains(&package)
}

/// The schema library that a bare specifier names: `zod` of `zod/mini`.
pub(crate) fn library_of_specifier(specifier: &str) -> Option<&'static str> {
    LIBRARIES.into_iter().find(|library| {
        specifier.strip_prefix(library).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })
}

/// Which side of a schema is described: what goes into its validator, or what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Side {
    /// What an agent sends.
    Input,
    /// What an agent gets.
    Output,
    /// Whatever the expression says by itself.
    AsWritten,
}

impl Side {
    /// The word for it that Zod, Valibot and Standard JSON Schema have in common.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            Self::Input => Some("input"),
            Self::Output => Some("output"),
            Self::AsWritten => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_known_by_its_name_and_not_by_a_name_that_begins_alike() {
        assert_eq!(library_of_specifier("zod"), Some("zod"));
        assert_eq!(library_of_specifier("zod/v4/mini"), Some("zod"));
        assert_eq!(library_of_specifier("@valibot/to-json-schema"), Some("@valibot/to-json-schema"));
        for other in ["zod-to-json-schema", "@scope/zod", "./zod", "zodiac/zod"] {
            assert_eq!(library_of_specifier(other), None, "{other}");
        }
    }
}
