//! What each call does, before it is put in terms of addresses and handles.

use agent_surface_json::{Json, ParseError, parse};
use agent_surface_schema::{Issue, Limits, Patterns, check, validate};

use crate::{Code, Refusal};

/// Reads a JSON Schema document and checks that it lies inside the subset.
///
/// # Errors
/// The text is no JSON, or every place where the document leaves the subset.
pub fn read_schema(text: &str, patterns: &dyn Patterns) -> Result<Json, Refusal> {
    let document = parse(text).map_err(|error| Refusal {
        code: Code::UnsupportedSchema,
        message: describe("the schema", &error),
    })?;
    check(&document, Limits::default(), patterns)?;
    Ok(document)
}

/// Holds the value that `text` denotes against a schema that [`read_schema`] has checked.
///
/// A text that is no JSON to us is an issue like any other: what JavaScript calls JSON, half a surrogate pair and
/// any depth included, comes from outside.
pub fn validate_text(schema: &Json, text: &str, patterns: &dyn Patterns) -> Vec<Issue> {
    match parse(text) {
        Ok(value) => validate(schema, &value, patterns),
        Err(error) => vec![Issue { path: String::new(), message: describe("the value", &error) }],
    }
}

fn describe(what: &str, error: &ParseError) -> String {
    [what, " is not JSON: ", &error.message()].concat()
}

#[cfg(test)]
mod tests {
    use agent_surface_schema::NativePatterns;

    use super::*;

    #[test]
    fn a_schema_outside_the_subset_is_refused_with_its_place() {
        let refusal =
            read_schema(r#"{"properties":{"a":{"oneOf":[]}}}"#, &NativePatterns::default()).unwrap_err();
        assert_eq!(refusal.code, Code::UnsupportedSchema);
        assert!(refusal.message.starts_with("#/properties/a"), "{}", refusal.message);
    }

    #[test]
    fn a_schema_that_is_no_json_is_refused() {
        let refusal = read_schema("{", &NativePatterns::default()).unwrap_err();
        assert_eq!(refusal.message, "the schema is not JSON: the text ends too early at byte 1");
    }

    #[test]
    fn a_value_is_held_against_its_schema() {
        let patterns = NativePatterns::default();
        let schema = read_schema(r#"{"type":"string","pattern":"^a"}"#, &patterns).unwrap();
        assert_eq!(validate_text(&schema, r#""abc""#, &patterns), []);
        assert_eq!(validate_text(&schema, r#""cba""#, &patterns).len(), 1);
    }

    #[test]
    fn half_a_surrogate_pair_is_an_issue_of_the_value() {
        let patterns = NativePatterns::default();
        let schema = read_schema(r#"{"type":"string"}"#, &patterns).unwrap();
        let issues = validate_text(&schema, r#""\ud800""#, &patterns);
        assert_eq!(
            issues[0].to_string(),
            "$: the value is not JSON: half of a surrogate pair, which no Unicode text has at byte 1"
        );
    }
}
