//! What a library says beyond the subset, where the same can be said within.
//!
//! `docs/schema-libraries.md` has the list for users. Every rule keeps the set of valid values, as draft 2020-12 has it:
//! what is dropped there only annotates.

use agent_surface_json::{Json, Object, cmp_utf16};

use crate::format::Format;

/// Keywords of draft 2020-12 that only annotate, and that the subset has no use for.
const ANNOTATIONS: [&str; 7] =
    ["$schema", "$comment", "readOnly", "writeOnly", "contentEncoding", "contentMediaType", "contentSchema"];

/// Restates a library's document within the subset, as far as its meaning is kept. What is inside the subset already stays as
/// it is, but for keywords that say which dialect it is.
#[must_use]
pub fn normalize(document: Json) -> Json {
    schema(document)
}

fn schema(json: Json) -> Json {
    let Json::Object(members) = json else {
        // `true` is the schema that everything satisfies.
        return if json == Json::Bool(true) { Json::Object(Object::new()) } else { json };
    };
    let has_pattern = members.contains_key("pattern");
    let is_closed_tuple = is_false(members.get("items"));
    let mut restated = Object::new();
    for (name, value) in members.iter() {
        let value = value.clone();
        match name {
            _ if name.starts_with('~') || ANNOTATIONS.contains(&name) => {}
            // Another format only annotates, and the pattern beside it says the same.
            "format" if has_pattern && value.as_str().is_some_and(|name| Format::named(name).is_none()) => {}
            // Every property has a string for its name.
            "propertyNames" if is_any_string(&value) => {}
            "additionalProperties" => {
                restated.insert(name, additional(value));
            }
            "properties" | "$defs" => {
                restated.insert(name, by_name(value));
            }
            "items" if !is_closed_tuple => {
                restated.insert(name, schema(value));
            }
            "anyOf" => {
                restated.insert(name, list(value));
            }
            "oneOf" => {
                let branches = list(value);
                let disjoint = !members.contains_key("anyOf") && are_disjoint(&branches);
                restated.insert(if disjoint { "anyOf" } else { "oneOf" }, branches);
            }
            "allOf" => {
                restated.insert(name, list(value));
            }
            _ => {
                restated.insert(name, value);
            }
        }
    }
    Json::Object(restated)
}

fn by_name(json: Json) -> Json {
    match json {
        Json::Object(members) => Json::Object(
            members.iter().map(|(name, value)| (name.to_owned(), schema(value.clone()))).collect(),
        ),
        other => other,
    }
}

fn list(json: Json) -> Json {
    match json {
        Json::Array(items) => Json::Array(items.into_iter().map(schema).collect()),
        other => other,
    }
}

/// The subset has `true` and `false` there.
fn additional(json: Json) -> Json {
    match schema(json) {
        Json::Object(members) if members.is_empty() => Json::Bool(true),
        Json::Object(members) if members.len() == 1 && is_everything(members.get("not")) => Json::Bool(false),
        other => other,
    }
}

fn is_everything(json: Option<&Json>) -> bool {
    match json {
        Some(Json::Object(members)) => members.is_empty(),
        Some(other) => *other == Json::Bool(true),
        None => false,
    }
}

fn is_false(json: Option<&Json>) -> bool {
    json == Some(&Json::Bool(false))
}

fn is_any_string(json: &Json) -> bool {
    json.as_object()
        .is_some_and(|it| it.len() == 1 && it.get("type").and_then(Json::as_str) == Some("string"))
}

/// Whether no value satisfies two of the branches, so that one of them and any of them is the same.
fn are_disjoint(branches: &Json) -> bool {
    let Some(branches) = branches.as_array() else { return false };
    branches.iter().enumerate().all(|(at, one)| branches[at + 1..].iter().all(|other| exclude(one, other)))
}

fn exclude(one: &Json, other: &Json) -> bool {
    if let (Some(a), Some(b)) = (values_of(one), values_of(other)) {
        return !a.iter().any(|value| b.contains(value));
    }
    if let (Some(a), Some(b)) = (types_of(one), types_of(other))
        && !a.iter().any(|kind| b.iter().any(|other| overlap(kind, other)))
    {
        return true;
    }
    // Objects that a property tells apart, which both must have.
    tags_of(one)
        .any(|(name, a)| tags_of(other).any(|(other, b)| cmp_utf16(name, other).is_eq() && exclude(a, b)))
}

/// The values that a schema lists, if it lists them.
fn values_of(schema: &Json) -> Option<Vec<&Json>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Json::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

fn types_of(schema: &Json) -> Option<Vec<&str>> {
    match schema.get("type")? {
        Json::String(kind) => Some(vec![kind]),
        Json::Array(kinds) => kinds.iter().map(Json::as_str).collect(),
        _ => None,
    }
}

fn overlap(one: &str, other: &str) -> bool {
    one == other || matches!((one, other), ("integer", "number") | ("number", "integer"))
}

/// The properties that every object of a schema has, with what they must be.
fn tags_of(schema: &Json) -> impl Iterator<Item = (&str, &Json)> {
    let is_object = types_of(schema).is_some_and(|kinds| kinds == ["object"]);
    let properties = schema.get("properties").and_then(Json::as_object).filter(|_| is_object);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Json::as_array)
        .map(|names| names.iter().filter_map(Json::as_str).collect())
        .unwrap_or_default();
    properties.into_iter().flat_map(Object::iter).filter(move |(name, _)| required.contains(name))
}

#[cfg(test)]
mod tests {
    use agent_surface_json::parse;

    use super::*;

    fn restated(text: &str) -> String {
        normalize(parse(text).unwrap()).to_canonical()
    }

    #[test]
    fn what_only_annotates_is_dropped() {
        let text = r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","~standard":{},"type":"string",
            "readOnly":true,"contentEncoding":"base64","description":"kept"}"#;
        assert_eq!(restated(text), r#"{"description":"kept","type":"string"}"#);
    }

    #[test]
    fn a_property_is_no_keyword_whatever_it_is_called() {
        let text =
            r#"{"properties":{"$schema":{"type":"string"},"readOnly":{"readOnly":true}},"type":"object"}"#;
        assert_eq!(
            restated(text),
            r#"{"properties":{"$schema":{"type":"string"},"readOnly":{}},"type":"object"}"#
        );
        let value = r#"{"const":{"$schema":1},"default":{"oneOf":[]}}"#;
        assert_eq!(restated(value), value);
    }

    #[test]
    fn a_foreign_format_goes_only_where_a_pattern_stays() {
        assert_eq!(restated(r#"{"format":"ipv4","pattern":"^1$"}"#), r#"{"pattern":"^1$"}"#);
        assert_eq!(restated(r#"{"format":"ipv4"}"#), r#"{"format":"ipv4"}"#);
        assert_eq!(
            restated(r#"{"format":"email","pattern":"^1$"}"#),
            r#"{"format":"email","pattern":"^1$"}"#
        );
    }

    #[test]
    fn one_of_branches_that_exclude_each_other_is_any_of_them() {
        for branches in [
            r#"[{"const":1},{"const":2}]"#,
            r#"[{"enum":[1,2]},{"const":3}]"#,
            r#"[{"type":"string"},{"type":["null","number"]}]"#,
            r#"[{"properties":{"k":{"const":"a"}},"required":["k"],"type":"object"},{"properties":{"k":{"const":"b"}},"required":["k"],"type":"object"}]"#,
        ] {
            assert_eq!(restated(&format!(r#"{{"oneOf":{branches}}}"#)), format!(r#"{{"anyOf":{branches}}}"#));
        }
        for branches in [
            r#"[{"const":1},{"const":1}]"#,
            r#"[{"type":"integer"},{"type":"number"}]"#,
            r#"[{"type":"string"},{}]"#,
            r#"[{"properties":{"k":{"const":"a"}},"type":"object"},{"properties":{"k":{"const":"b"}},"required":["k"],"type":"object"}]"#,
        ] {
            let text = format!(r#"{{"oneOf":{branches}}}"#);
            assert_eq!(restated(&text), text);
        }
    }

    #[test]
    fn additional_properties_become_a_boolean_where_they_mean_one() {
        let restated = |value: &str| restated(&format!(r#"{{"additionalProperties":{value}}}"#));
        assert_eq!(restated("{}"), r#"{"additionalProperties":true}"#);
        assert_eq!(restated(r#"{"not":{}}"#), r#"{"additionalProperties":false}"#);
        assert_eq!(restated(r#"{"type":"number"}"#), r#"{"additionalProperties":{"type":"number"}}"#);
    }

    #[test]
    fn names_that_may_be_any_string_are_no_constraint() {
        assert_eq!(restated(r#"{"propertyNames":{"type":"string"}}"#), "{}");
        let bound = r#"{"propertyNames":{"maxLength":3,"type":"string"}}"#;
        assert_eq!(restated(bound), bound);
    }
}
