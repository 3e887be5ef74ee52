//! Why a document lies outside the subset, and what to write instead.

use std::fmt;

use agent_surface_json::{Pointer, digits};

/// One place where a schema document leaves the subset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where it stands in the document.
    pub pointer: Pointer,
    /// What is wrong there.
    pub reason: Reason,
}

impl Refusal {
    /// `pointer: reason`, with `#` before the pointer, as a URI fragment has it.
    #[must_use]
    pub fn message(&self) -> String {
        ["#", self.pointer.as_str(), ": ", &self.reason.message()].concat()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

/// What puts a document outside the subset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The canonical form is too long. What is in it was not looked at.
    TooLarge {
        /// Its length in bytes of UTF-8.
        bytes: usize,
        /// How many there may be.
        max: usize,
    },
    /// This schema stands too deep inside others. What is inside of it was not looked at.
    TooDeep {
        /// How deep a schema may stand.
        max: usize,
    },
    /// What stands here must be a schema, and in the subset that is an object.
    NotASchema {
        /// What was found.
        found: String,
    },
    /// A keyword that the subset does not have.
    UnsupportedKeyword(String),
    /// A keyword's value is not of the form that the keyword asks for.
    WrongValue {
        /// What the keyword asks for.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// An item that this list has already.
    Repeated(String),
    /// A name that JSON Schema's `type` does not have.
    UnsupportedType(String),
    /// A `format` that the subset does not have.
    UnsupportedFormat(String),
    /// A `pattern` that is no regular expression of ECMAScript.
    InvalidPattern(String),
    /// A `$ref` to anything but one of the document's own `$defs`.
    UnsupportedRef(String),
    /// A `$ref` to a definition that the document does not have.
    DanglingRef(String),
    /// A `$ref` that leads back to itself without looking any deeper into the value.
    EndlessRef(String),
}

impl Reason {
    /// What was found, and what is allowed instead. (Added up, not formatted: a page that formats nothing needs none of
    /// the code for it.)
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::TooLarge { bytes, max } => [
                "the schema takes ",
                &digits(*bytes as u64),
                " bytes in canonical form; at most ",
                &digits(*max as u64),
                " are allowed",
            ]
            .concat(),
            Self::TooDeep { max } => [
                "schemas nest deeper than ",
                &digits(*max as u64),
                "; move the inner ones to `$defs` and use `$ref`",
            ]
            .concat(),
            Self::NotASchema { found } => {
                ["found ", found, " where a schema must stand, which here is always an object"].concat()
            }
            Self::UnsupportedKeyword(keyword) => {
                ["`", keyword, "` is not supported; ", alternative(keyword)].concat()
            }
            Self::WrongValue { expected, found } => ["found ", found, "; allowed is ", expected].concat(),
            Self::Repeated(item) => ["`", item, "` is listed already; each may stand once"].concat(),
            Self::UnsupportedType(name) => [
                "there is no type `",
                name,
                "`; the types are object, array, string, number, integer, boolean and null",
            ]
            .concat(),
            Self::UnsupportedFormat(name) => [
                "the format `",
                name,
                "` is not supported; the formats are date-time, date, uuid, email and uri",
            ]
            .concat(),
            Self::InvalidPattern(pattern) => {
                ["`", pattern, "` is no ECMAScript regular expression (with the flag `u`)"].concat()
            }
            Self::UnsupportedRef(target) => {
                ["the reference `", target, "` leaves the `$defs` of this schema; use `#/$defs/<name>`"]
                    .concat()
            }
            Self::DanglingRef(target) => {
                ["`", target, "` is not defined; add it to the `$defs` of the whole schema"].concat()
            }
            Self::EndlessRef(target) => [
                "`",
                target,
                "` leads back here without looking into the value; recurse through `properties` or `items`",
            ]
            .concat(),
        }
    }
}

/// What says the same inside the subset.
fn alternative(keyword: &str) -> &'static str {
    match keyword {
        "oneOf" => "use `anyOf`, with a `const` tag in each variant where exactly one may match",
        "allOf" => "merge the schemas into one, or put a `$ref` beside the other keywords",
        "not" => "state what is allowed, with `enum`, `const` or `anyOf`",
        "if" | "then" | "else" | "dependentRequired" | "dependentSchemas" | "dependencies" => {
            "use `anyOf`, with one variant for each case"
        }
        "patternProperties" | "propertyNames" | "unevaluatedProperties" => {
            "list the names in `properties`, and say with `additionalProperties` whether others may stand"
        }
        "minProperties" | "maxProperties" => "name the properties in `required`",
        "prefixItems" | "additionalItems" | "unevaluatedItems" => {
            "use an object with a property for each position, or `items` for all of them"
        }
        "contains" | "minContains" | "maxContains" => "describe every item with `items`",
        "definitions" => "use `$defs`",
        "$anchor" | "$dynamicAnchor" | "$dynamicRef" | "$recursiveAnchor" | "$recursiveRef" | "id" => {
            "use `$defs`, with `$ref` to `#/$defs/<name>`"
        }
        "nullable" => "add \"null\" to `type`",
        "example" => "use `examples`",
        "$comment" => "use `description`",
        "contentEncoding" | "contentMediaType" | "contentSchema" => {
            "use `pattern`; a schema can't look into encoded text"
        }
        "readOnly" | "writeOnly" => "describe input and output in a schema each",
        _ => {
            "supported are type, enum, const, properties, required, additionalProperties, items, minItems, maxItems, \
             uniqueItems, minLength, maxLength, pattern, format, minimum, maximum, exclusiveMinimum, \
             exclusiveMaximum, multipleOf, anyOf, $defs, $ref, description, default, examples, title and deprecated"
        }
    }
}
