//! The keywords of the subset.

use agent_surface_json::{Json, Number};

/// A keyword that the subset has. Checking and validating both match on all of them, so that neither can know
/// one that the other forgot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keyword {
    AdditionalProperties,
    AnyOf,
    Const,
    Default,
    Defs,
    Deprecated,
    Description,
    Enum,
    Examples,
    ExclusiveMaximum,
    ExclusiveMinimum,
    Format,
    /// Converters write it; it says nothing about values.
    Id,
    Items,
    MaxItems,
    MaxLength,
    Maximum,
    MinItems,
    MinLength,
    Minimum,
    MultipleOf,
    Pattern,
    Properties,
    Ref,
    Required,
    /// Converters write it; the dialect is always this subset.
    Schema,
    Title,
    Type,
    UniqueItems,
}

impl Keyword {
    /// The keyword that is spelled `name`.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "additionalProperties" => Self::AdditionalProperties,
            "anyOf" => Self::AnyOf,
            "const" => Self::Const,
            "default" => Self::Default,
            "$defs" => Self::Defs,
            "deprecated" => Self::Deprecated,
            "description" => Self::Description,
            "enum" => Self::Enum,
            "examples" => Self::Examples,
            "exclusiveMaximum" => Self::ExclusiveMaximum,
            "exclusiveMinimum" => Self::ExclusiveMinimum,
            "format" => Self::Format,
            "$id" => Self::Id,
            "items" => Self::Items,
            "maxItems" => Self::MaxItems,
            "maxLength" => Self::MaxLength,
            "maximum" => Self::Maximum,
            "minItems" => Self::MinItems,
            "minLength" => Self::MinLength,
            "minimum" => Self::Minimum,
            "multipleOf" => Self::MultipleOf,
            "pattern" => Self::Pattern,
            "properties" => Self::Properties,
            "$ref" => Self::Ref,
            "required" => Self::Required,
            "$schema" => Self::Schema,
            "title" => Self::Title,
            "type" => Self::Type,
            "uniqueItems" => Self::UniqueItems,
            _ => return None,
        })
    }
}

/// Whether `value` is of the type that JSON Schema calls `name`; `None` where there is no such type.
pub(crate) fn is_of_type(name: &str, value: &Json) -> Option<bool> {
    Some(match name {
        "integer" => value.as_number().is_some_and(Number::is_integer),
        "array" | "boolean" | "null" | "number" | "object" | "string" => value.kind() == name,
        _ => return None,
    })
}
