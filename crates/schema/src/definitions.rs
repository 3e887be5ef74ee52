//! Names of definitions.

use std::collections::BTreeMap;

use agent_surface_json::{Json, Object};

use crate::reference::definition_name;

/// The reference to a definition.
pub(crate) fn reference_to(name: &str) -> Json {
    let escaped = name.replace('~', "~0").replace('/', "~1").replace('%', "%25");
    Json::from(format!("#/$defs/{escaped}"))
}

/// Numbers definitions whose names end in a number anew, in the order in which they are reached. What none reaches is left out.
pub(crate) fn number_anew(document: Json) -> Json {
    let Some(definitions) = document.get("$defs").and_then(Json::as_object) else { return document };
    let names = new_names(&document, definitions);
    let renamed: Object = names
        .iter()
        .filter_map(|(old, new)| Some((new.clone(), rename(definitions.get(old)?, &names))))
        .collect();
    match rename(&document, &names) {
        Json::Object(mut root) => {
            root.insert("$defs", renamed);
            Json::Object(root)
        }
        other => other,
    }
}

/// New names by the old ones, of the definitions that a document reaches.
type Names = BTreeMap<String, String>;

fn new_names(document: &Json, definitions: &Object) -> Names {
    let mut names = Names::new();
    let mut numbered: BTreeMap<String, usize> = BTreeMap::new();
    // As deep as definitions lead into each other, which no stack need have room for. The next one is the last.
    let mut open = targets_of(document);
    while let Some(target) = open.pop() {
        let Some(old) = definition_name(&target) else { continue };
        let Some(definition) = definitions.get(&old).filter(|_| !names.contains_key(&*old)) else { continue };
        let base = without_number(&old);
        let new = if base == old {
            old.to_string()
        } else {
            let number = numbered.entry(base.to_owned()).or_default();
            *number += 1;
            format!("{base}{number}")
        };
        names.insert(old.into_owned(), new);
        open.append(&mut targets_of(definition));
    }
    names
}

/// Where the references of a schema lead, the first of them last.
fn targets_of(schema: &Json) -> Vec<String> {
    let mut targets = Vec::new();
    map_references(schema, &mut |target| {
        targets.push(target.to_owned());
        Json::from(target)
    });
    targets.reverse();
    targets
}

fn rename(schema: &Json, names: &Names) -> Json {
    map_references(schema, &mut |target| {
        let new = definition_name(target).and_then(|old| names.get(&*old));
        new.map_or_else(|| Json::from(target), |new| reference_to(new))
    })
}

fn without_number(name: &str) -> &str {
    name.trim_end_matches(|it: char| it.is_ascii_digit())
}

/// A schema with another target in each of its references. Its definitions are left as they are.
fn map_references(schema: &Json, map: &mut dyn FnMut(&str) -> Json) -> Json {
    let Json::Object(members) = schema else { return schema.clone() };
    let mut mapped = Object::new();
    for (keyword, operand) in members.iter() {
        let operand = match (keyword, operand) {
            ("$ref", Json::String(target)) => map(target),
            ("properties", Json::Object(properties)) => Json::Object(
                properties
                    .iter()
                    .map(|(name, schema)| (name.to_owned(), map_references(schema, map)))
                    .collect(),
            ),
            ("items" | "additionalProperties", schema) => map_references(schema, map),
            ("anyOf" | "allOf" | "oneOf", Json::Array(schemas)) => {
                Json::Array(schemas.iter().map(|schema| map_references(schema, map)).collect())
            }
            _ => operand.clone(),
        };
        mapped.insert(keyword, operand);
    }
    Json::Object(mapped)
}

#[cfg(test)]
mod tests {
    use agent_surface_json::parse;

    use super::*;

    fn numbered(text: &str) -> String {
        number_anew(parse(text).unwrap()).to_canonical()
    }

    #[test]
    fn definitions_are_numbered_in_the_order_in_which_they_are_reached() {
        let text = r##"{"$defs":{"a7":{"type":"null"},"a8":{"items":{"$ref":"#/$defs/a7"}},"b9":{}},"properties":{"x":{"$ref":"#/$defs/a8"},"y":{"anyOf":[{"$ref":"#/$defs/a7"},{"$ref":"#/$defs/b9"}]}}}"##;
        assert_eq!(
            numbered(text),
            r##"{"$defs":{"a1":{"items":{"$ref":"#/$defs/a2"}},"a2":{"type":"null"},"b1":{}},"properties":{"x":{"$ref":"#/$defs/a1"},"y":{"anyOf":[{"$ref":"#/$defs/a2"},{"$ref":"#/$defs/b1"}]}}}"##
        );
    }

    #[test]
    fn a_name_that_is_no_number_stays_and_a_property_is_no_keyword_whatever_it_is_called() {
        let text = r##"{"$defs":{"a":{},"a5":{},"unused3":{}},"properties":{"$ref":{"$ref":"#/$defs/a5"},"default":{"$ref":"#/$defs/a"}}}"##;
        assert_eq!(
            numbered(text),
            r##"{"$defs":{"a":{},"a1":{}},"properties":{"$ref":{"$ref":"#/$defs/a1"},"default":{"$ref":"#/$defs/a"}}}"##
        );
        let value = r##"{"$defs":{"a5":{}},"default":{"$ref":"#/$defs/a5"},"items":{"$ref":"#/$defs/a5"}}"##;
        assert!(numbered(value).contains(r##""default":{"$ref":"#/$defs/a5"}"##), "a value is no schema");
    }

    #[test]
    fn definitions_may_lead_into_each_other_for_ever_so_long() {
        let link = |at: usize| format!(r##""a{at}":{{"items":{{"$ref":"#/$defs/a{}"}}}}"##, at + 1);
        let links: Vec<String> = (1000..21_000).map(link).collect();
        let text = format!(r##"{{"$defs":{{{}}},"$ref":"#/$defs/a1000"}}"##, links.join(","));
        assert!(numbered(&text).contains(r##""a20000":{"items":{"$ref":"#/$defs/a21000"}}"##));
    }

    #[test]
    fn a_document_without_definitions_stays_as_it_is() {
        assert_eq!(numbered(r##"{"$ref":"#/$defs/a1"}"##), r##"{"$ref":"#/$defs/a1"}"##);
    }
}
