//! What a library says beyond the subset, where the same can be said within.
//!
//! `docs/schema-libraries.md` has the list for users. Every rule keeps the set of valid values, as draft 2020-12 has it:
//! what is dropped there only annotates.

use std::collections::{BTreeMap, BTreeSet};

use agent_surface_json::{Json, Object};

use crate::definitions::{number_anew, reference_to};
use crate::format::Format;

/// Keywords of draft 2020-12 that only annotate, and that the subset has no use for.
const ANNOTATIONS: [&str; 7] =
    ["$schema", "$comment", "readOnly", "writeOnly", "contentEncoding", "contentMediaType", "contentSchema"];

/// The longest document that is restated, in bytes of its canonical form: what is several times as long as one may be is
/// refused for that, whatever it says. It also bounds how many branches are compared with each other.
const MAX_BYTES: usize = 64 * 1024;

/// Restates a library's document within the subset, as far as its meaning is kept. What is inside the subset already stays as
/// it is, but for keywords that say which dialect it is, and for names that are no more than numbers of a process.
///
/// `vendor` is the library, as Standard Schema calls it.
#[must_use]
pub fn normalize(document: Json, vendor: &str) -> Json {
    if document.to_canonical().len() > MAX_BYTES {
        return document;
    }
    let mut normalizer = Normalizer::of(&document);
    let restated = normalizer.root(document);
    // ArkType counts its nodes, and names definitions by the count: whatever else a process has made is in it.
    if vendor == "arktype" { number_anew(restated) } else { restated }
}

/// What is known of the whole document.
struct Normalizer {
    /// The names of definitions by the `$id` that references have for them.
    ids: BTreeMap<String, String>,
    /// The name that the document itself gets among its definitions, if it refers to itself.
    own_name: String,
    refers_to_itself: bool,
}

impl Normalizer {
    fn of(document: &Json) -> Self {
        let definitions = document.get("$defs").and_then(Json::as_object);
        let is_taken = |name: &str| definitions.is_some_and(|it| it.contains_key(name));
        let mut own_name = "root".to_owned();
        while is_taken(&own_name) {
            own_name.push('_');
        }
        let mut ids = BTreeMap::new();
        for (name, definition) in definitions.into_iter().flat_map(Object::iter) {
            if let Some(id) = definition.get("$id").and_then(Json::as_str) {
                ids.entry(id.to_owned()).or_insert_with(|| name.to_owned());
            }
        }
        Self { ids, own_name, refers_to_itself: false }
    }

    fn root(&mut self, document: Json) -> Json {
        match self.schema(document) {
            Json::Object(mut members) if self.refers_to_itself => {
                let mut definitions = match members.remove("$defs") {
                    Some(Json::Object(definitions)) => definitions,
                    _ => Object::new(),
                };
                definitions.insert(self.own_name.as_str(), members);
                let mut root = Object::new();
                root.insert("$defs", definitions);
                root.insert("$ref", reference_to(&self.own_name));
                Json::Object(root)
            }
            other => other,
        }
    }

    fn schema(&mut self, json: Json) -> Json {
        let Json::Object(members) = json else {
            // `true` is the schema that everything satisfies.
            return if json == Json::Bool(true) { Json::Object(Object::new()) } else { json };
        };
        let has_pattern = members.contains_key("pattern");
        let is_closed_tuple = is_false(members.get("items"));
        let names = names_of(&members);
        let mut restated = Object::new();
        for (name, value) in members.iter() {
            let value = value.clone();
            match name {
                _ if name.starts_with('~') || ANNOTATIONS.contains(&name) => {}
                // Another format only annotates, and the pattern beside it says the same.
                "format"
                    if has_pattern && value.as_str().is_some_and(|name| Format::named(name).is_none()) => {}
                // Every property has a string for its name.
                "propertyNames" if names.is_some() || is_any_string(&value) => {}
                "additionalProperties" if names.is_some() => {}
                "additionalProperties" => {
                    restated.insert(name, self.additional(value));
                }
                "$ref" => {
                    restated.insert(name, self.reference(value));
                }
                // References have the definition's name for it now.
                "$id" if value.as_str().is_some_and(|id| self.ids.contains_key(id)) => {}
                "properties" | "$defs" => {
                    restated.insert(name, self.by_name(value));
                }
                "items" if !is_closed_tuple => {
                    restated.insert(name, self.schema(value));
                }
                "anyOf" | "allOf" => {
                    restated.insert(name, self.list(value));
                }
                "oneOf" => {
                    let branches = self.list(value);
                    let disjoint = !members.contains_key("anyOf") && are_disjoint(&branches);
                    restated.insert(if disjoint { "anyOf" } else { "oneOf" }, branches);
                }
                _ => {
                    restated.insert(name, value);
                }
            }
        }
        if let Some(names) = names {
            let value = members.get("additionalProperties").cloned().unwrap_or(Json::Bool(true));
            let value = self.schema(value);
            let properties: Object = names.into_iter().map(|name| (name, value.clone())).collect();
            restated.insert("properties", properties);
            restated.insert("additionalProperties", false);
        }
        Json::Object(restated)
    }

    /// A reference, by the name of what it refers to.
    fn reference(&mut self, target: Json) -> Json {
        let Some(text) = target.as_str() else { return target };
        if text == "#" {
            self.refers_to_itself = true;
            return reference_to(&self.own_name);
        }
        self.ids.get(text).map_or(target, |name| reference_to(name))
    }

    fn by_name(&mut self, json: Json) -> Json {
        match json {
            Json::Object(members) => Json::Object(
                members.iter().map(|(name, value)| (name.to_owned(), self.schema(value.clone()))).collect(),
            ),
            other => other,
        }
    }

    fn list(&mut self, json: Json) -> Json {
        match json {
            Json::Array(items) => Json::Array(items.into_iter().map(|item| self.schema(item)).collect()),
            other => other,
        }
    }

    /// The subset has `true` and `false` there.
    fn additional(&mut self, json: Json) -> Json {
        match self.schema(json) {
            Json::Object(members) if members.is_empty() => Json::Bool(true),
            Json::Object(members) if members.len() == 1 && is_everything(members.get("not")) => {
                Json::Bool(false)
            }
            other => other,
        }
    }
}

/// The names that the properties of a record may have, where they are listed and all that is said of the properties.
fn names_of(members: &Object) -> Option<Vec<String>> {
    let names = members.get("propertyNames")?.as_object()?;
    let is_known = names.iter().all(|(keyword, operand)| match keyword {
        "enum" => true,
        "type" => operand.as_str() == Some("string"),
        _ => false,
    });
    let is_all = !members.contains_key("properties") && !members.contains_key("patternProperties");
    let may_be_any = !is_false(members.get("additionalProperties"));
    if !is_known || !is_all || !may_be_any {
        return None;
    }
    names.get("enum")?.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect()
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
    let (Some(a), Some(b)) = (Tags::of(one), Tags::of(other)) else { return false };
    a.required.intersection(&b.required).any(|name| {
        let both = a.properties.get(name).zip(b.properties.get(name));
        both.is_some_and(|(a, b)| exclude(a, b))
    })
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

/// What tells the objects of a schema from others: the properties that every one of them has.
struct Tags<'a> {
    properties: &'a Object,
    required: BTreeSet<&'a str>,
}

impl<'a> Tags<'a> {
    fn of(schema: &'a Json) -> Option<Self> {
        types_of(schema).filter(|kinds| kinds == &["object"])?;
        let properties = schema.get("properties")?.as_object()?;
        let required = schema.get("required")?.as_array()?.iter().filter_map(Json::as_str).collect();
        Some(Self { properties, required })
    }
}

#[cfg(test)]
mod tests {
    use agent_surface_json::parse;

    use super::*;

    fn restated(text: &str) -> String {
        normalize(parse(text).unwrap(), "zod").to_canonical()
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
    fn a_document_that_no_contract_has_room_for_is_left_as_it_is() {
        let branches: Vec<String> = (0..MAX_BYTES / 10).map(|at| format!(r#"{{"const":{at}}}"#)).collect();
        let text = format!(r#"{{"oneOf":[{}]}}"#, branches.join(","));
        assert_eq!(restated(&text), text);
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

    #[test]
    fn a_record_of_listed_names_is_an_object_of_properties() {
        assert_eq!(
            restated(
                r#"{"additionalProperties":{"oneOf":[{"const":1},{"const":2}]},"propertyNames":{"enum":["a","b"],"type":"string"},"required":["a"],"type":"object"}"#
            ),
            r#"{"additionalProperties":false,"properties":{"a":{"anyOf":[{"const":1},{"const":2}]},"b":{"anyOf":[{"const":1},{"const":2}]}},"required":["a"],"type":"object"}"#
        );
        for other in [
            r#"{"additionalProperties":false,"propertyNames":{"enum":["a"]}}"#,
            r#"{"propertyNames":{"enum":["a",1]}}"#,
            r#"{"properties":{"b":{}},"propertyNames":{"enum":["a"]}}"#,
        ] {
            assert_eq!(restated(other), other);
        }
    }

    #[test]
    fn a_document_that_refers_to_itself_is_one_of_its_own_definitions() {
        assert_eq!(
            restated(r##"{"properties":{"sub":{"items":{"$ref":"#"},"type":"array"}},"type":"object"}"##),
            r##"{"$defs":{"root":{"properties":{"sub":{"items":{"$ref":"#/$defs/root"},"type":"array"}},"type":"object"}},"$ref":"#/$defs/root"}"##
        );
        assert_eq!(
            restated(
                r##"{"$defs":{"root":{"type":"null"}},"items":{"anyOf":[{"$ref":"#"},{"$ref":"#/$defs/root"}]}}"##
            ),
            r##"{"$defs":{"root":{"type":"null"},"root_":{"items":{"anyOf":[{"$ref":"#/$defs/root_"},{"$ref":"#/$defs/root"}]}}},"$ref":"#/$defs/root_"}"##
        );
        assert_eq!(
            restated(r##"{"default":{"$ref":"#"}}"##),
            r##"{"default":{"$ref":"#"}}"##,
            "a value is no schema"
        );
    }

    #[test]
    fn a_reference_by_id_is_one_by_name() {
        assert_eq!(
            restated(r##"{"$defs":{"a/b":{"$id":"Node","items":{"$ref":"Node"}}},"$ref":"Node"}"##),
            r##"{"$defs":{"a/b":{"items":{"$ref":"#/$defs/a~1b"}}},"$ref":"#/$defs/a~1b"}"##
        );
        let elsewhere = r##"{"$id":"x","$ref":"Other"}"##;
        assert_eq!(restated(elsewhere), elsewhere);
    }

    #[test]
    fn the_numbers_of_a_process_do_not_reach_the_document() {
        let of = |a: &str, b: &str| {
            let text = format!(
                r##"{{"$defs":{{"{a}":{{"items":{{"$ref":"#/$defs/{b}"}}}},"{b}":{{"$ref":"#/$defs/{a}"}}}},"$ref":"#/$defs/{a}"}}"##
            );
            normalize(parse(&text).unwrap(), "arktype").to_canonical()
        };
        assert_eq!(of("intersection9", "intersection10"), of("intersection312", "intersection7"));
        assert_eq!(
            of("intersection9", "type10"),
            r##"{"$defs":{"intersection1":{"items":{"$ref":"#/$defs/type1"}},"type1":{"$ref":"#/$defs/intersection1"}},"$ref":"#/$defs/intersection1"}"##
        );
    }
}
