//! What is left of an input for an agent where the app supplies a part of it.

use agent_surface_json::{Json, Object};

use crate::reference::resolve;

/// Told of a field that the app fills in unless the agent does.
const DEFAULTS_TO_UI: &str = "If it is left out, the current UI value is taken at the moment of the call.";

/// References that are followed before the others are left as they are: a union of unions doubles with each of them.
const MAX_FOLLOWED: usize = 1000;

/// The schema of what an agent supplies: that of the whole input without the `bound` fields, and with those of them optional
/// that are `overridable`, which the app fills in and the agent may set all the same. Whatever else the schema says stays.
///
/// The document may say more than the subset: what is not known here is left as it is.
#[must_use]
pub fn reduce(full: &Json, bound: &[&str], overridable: &[&str]) -> Json {
    let mut reduction = Reduction { document: full, bound, overridable, followed: 0 };
    let reduced = reduction.schema(full, &mut Vec::new());
    // Nothing is left to an agent, not even what the schema does not mention.
    if ["anyOf", "properties"].iter().all(|keyword| is_empty(reduced.get(keyword))) {
        nothing()
    } else {
        reduced
    }
}

/// One reduction; a union or a reference has the fields in more than one place.
struct Reduction<'a> {
    document: &'a Json,
    bound: &'a [&'a str],
    overridable: &'a [&'a str],
    followed: usize,
}

impl<'a> Reduction<'a> {
    /// A schema of the whole input, be it one of many. `within` are the references that led to it.
    fn schema(&mut self, schema: &'a Json, within: &mut Vec<&'a str>) -> Json {
        match schema {
            Json::Object(members) => Json::Object(self.object(members, within)),
            other => other.clone(),
        }
    }

    fn object(&mut self, members: &'a Object, within: &mut Vec<&'a str>) -> Object {
        let Some((name, definition)) = self.definition(members, within) else {
            return self.narrow(members, within);
        };
        self.followed += 1;
        within.push(name);
        let mut merged = self.object(definition, within);
        within.pop();
        for (keyword, operand) in self.narrow(members, within) {
            if keyword != "$ref" {
                merged.insert(keyword, operand);
            }
        }
        merged
    }

    /// What a schema is a reference to, unless it goes in a circle.
    fn definition(&self, members: &'a Object, within: &[&'a str]) -> Option<(&'a str, &'a Object)> {
        let name = members.get("$ref")?.as_str()?;
        let is_new = self.followed < MAX_FOLLOWED && !within.contains(&name);
        is_new.then_some((name, resolve(self.document, name)?.as_object()?))
    }

    fn narrow(&mut self, schema: &'a Object, within: &mut Vec<&'a str>) -> Object {
        let mut narrowed = Object::new();
        for (keyword, operand) in schema.iter() {
            let operand = match (keyword, operand) {
                ("properties", Json::Object(properties)) => Json::Object(self.properties(properties)),
                ("required", Json::Array(names)) => {
                    let is_left =
                        |name: &&Json| !name.as_str().is_some_and(|name| self.bound.contains(&name));
                    let names: Vec<Json> = names.iter().filter(is_left).cloned().collect();
                    if names.is_empty() {
                        continue;
                    }
                    Json::Array(names)
                }
                ("anyOf", Json::Array(branches)) => {
                    Json::Array(branches.iter().map(|branch| self.schema(branch, within)).collect())
                }
                _ => operand.clone(),
            };
            narrowed.insert(keyword, operand);
        }
        narrowed
    }

    fn properties(&self, properties: &Object) -> Object {
        let mut kept = Object::new();
        for (name, property) in properties.iter() {
            if !self.bound.contains(&name) {
                kept.insert(name, property.clone());
            } else if self.overridable.contains(&name) {
                kept.insert(name, annotate(property));
            }
        }
        kept
    }
}

fn annotate(property: &Json) -> Json {
    let Some(members) = property.as_object() else { return property.clone() };
    let mut annotated = members.clone();
    let description = match members.get("description").and_then(Json::as_str) {
        None | Some("") => DEFAULTS_TO_UI.to_owned(),
        Some(own) => [own, " ", DEFAULTS_TO_UI].concat(),
    };
    annotated.insert("description", description);
    Json::Object(annotated)
}

fn is_empty(operand: Option<&Json>) -> bool {
    match operand {
        Some(Json::Object(members)) => members.is_empty(),
        Some(Json::Array(items)) => items.is_empty(),
        _ => true,
    }
}

/// The schema of the empty object.
fn nothing() -> Json {
    let mut empty = Object::new();
    empty.insert("additionalProperties", false);
    empty.insert("properties", Object::new());
    empty.insert("type", "object");
    Json::Object(empty)
}

#[cfg(test)]
mod tests {
    use agent_surface_json::parse;

    use super::*;

    const FULL: &str = r#"{"additionalProperties":false,"description":"What is to be disabled","properties":{"ids":{"items":{"type":"string"},"type":"array"},"reason":{"description":"Why.","type":"string"}},"required":["ids","reason"],"type":"object"}"#;
    const WITHOUT_IDS: &str = r#"{"additionalProperties":false,"description":"What is to be disabled","properties":{"reason":{"description":"Why.","type":"string"}},"required":["reason"],"type":"object"}"#;
    const NOTHING: &str = r#"{"additionalProperties":false,"properties":{},"type":"object"}"#;

    fn reduced(schema: &str, bound: &[&str], overridable: &[&str]) -> String {
        reduce(&parse(schema).unwrap(), bound, overridable).to_canonical()
    }

    fn branch(kind: &str, more: &str, required: &str) -> String {
        format!(
            r#"{{"properties":{{{more}"kind":{{"const":"{kind}"}}}},"required":["kind"{required}],"type":"object"}}"#
        )
    }

    #[test]
    fn what_is_locked_leaves_the_properties_and_what_is_required_and_nothing_else_changes() {
        assert_eq!(reduced(FULL, &["ids"], &[]), WITHOUT_IDS);
    }

    #[test]
    fn where_all_is_bound_an_agent_can_supply_nothing() {
        assert_eq!(reduced(FULL, &["ids", "reason"], &[]), NOTHING);
        assert_eq!(
            reduced(r#"{"type":"object"}"#, &["ids"], &[]),
            NOTHING,
            "what it does not mention neither"
        );
    }

    #[test]
    fn what_may_be_overridden_stays_optional_and_says_what_it_is_otherwise() {
        assert_eq!(
            reduced(FULL, &["ids", "reason"], &["reason"]),
            r#"{"additionalProperties":false,"description":"What is to be disabled","properties":{"reason":{"description":"Why. If it is left out, the current UI value is taken at the moment of the call.","type":"string"}},"type":"object"}"#
        );
        let silent = r#"{"properties":{"a":{"description":""}}}"#;
        assert_eq!(
            reduced(silent, &["a"], &["a"]),
            r#"{"properties":{"a":{"description":"If it is left out, the current UI value is taken at the moment of the call."}}}"#
        );
    }

    #[test]
    fn fields_leave_every_branch_of_a_union() {
        let (some, all) = (branch("some", r#""ids":{"type":"array"},"#, r#","ids""#), branch("all", "", ""));
        let left = format!(r#"{{"anyOf":[{},{all}]}}"#, branch("some", "", ""));
        assert_eq!(reduced(&format!(r#"{{"anyOf":[{some},{all}]}}"#), &["ids"], &[]), left);
    }

    #[test]
    fn fields_leave_a_definition_that_the_schema_is_a_reference_to_and_only_there() {
        let schema = format!(
            r##"{{"$defs":{{"in/put":{FULL},"other":{FULL}}},"$ref":"#/$defs/in~1put","title":"Disabling"}}"##
        );
        let expected = format!(
            r#"{{"$defs":{{"in/put":{FULL},"other":{FULL}}},{},"title":"Disabling","type":"object"}}"#,
            WITHOUT_IDS.trim_start_matches('{').trim_end_matches(r#","type":"object"}"#)
        );
        assert_eq!(reduced(&schema, &["ids"], &[]), expected);
    }

    #[test]
    fn a_definition_that_is_a_reference_itself_is_followed() {
        let schema = format!(
            r##"{{"$defs":{{"a":{{"$ref":"#/$defs/b","title":"A"}},"b":{FULL}}},"$ref":"#/$defs/a"}}"##
        );
        let reduced = reduce(&parse(&schema).unwrap(), &["ids"], &[]);
        assert_eq!(reduced.get("title"), Some(&Json::from("A")));
        assert_eq!(reduced.get("required"), Some(&Json::Array(vec!["reason".into()])));
        assert_eq!(reduced.get("$ref"), None);
    }

    #[test]
    fn definitions_that_lead_nowhere_or_in_a_circle_are_left_as_they_are() {
        let circle = format!(
            r##"{{"$defs":{{"a":{{"anyOf":[{{"$ref":"#/$defs/a"}},{FULL}]}}}},"$ref":"#/$defs/a"}}"##
        );
        let reduced_circle = reduce(&parse(&circle).unwrap(), &["ids"], &[]);
        assert_eq!(
            reduced_circle.get("anyOf").unwrap().to_canonical(),
            format!(r##"[{{"$ref":"#/$defs/a"}},{WITHOUT_IDS}]"##)
        );
        let nowhere = r##"{"anyOf":[{"$ref":"#/$defs/toString"},true]}"##;
        assert_eq!(reduced(nowhere, &["ids"], &[]), nowhere);
    }

    #[test]
    fn references_that_double_with_every_step_come_to_an_end() {
        let steps = (0..40).map(|at| {
            format!(
                r##""d{at}":{{"anyOf":[{{"$ref":"#/$defs/d{next}"}},{{"$ref":"#/$defs/d{next}"}}]}}"##,
                next = at + 1
            )
        });
        let schema = format!(
            r##"{{"$defs":{{{},"d40":{FULL}}},"$ref":"#/$defs/d0"}}"##,
            steps.collect::<Vec<_>>().join(",")
        );
        assert!(reduce(&parse(&schema).unwrap(), &["ids"], &[]).get("anyOf").is_some());
    }
}
