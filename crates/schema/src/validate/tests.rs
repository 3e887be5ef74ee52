use agent_surface_json::{Json, MAX_DEPTH, Object, parse};

use super::{MAX_ISSUES, MAX_STEPS, STEP_BYTES, validate};
use crate::{Limits, NativePatterns, check};

fn issues(schema: &str, value: &str) -> Vec<String> {
    let schema = parse(schema).unwrap();
    assert_eq!(check(&schema, Limits::default(), &NativePatterns::default()), Ok(()));
    printed(&schema, &parse(value).unwrap())
}

fn printed(schema: &Json, value: &Json) -> Vec<String> {
    validate(schema, value, &NativePatterns::default()).iter().map(ToString::to_string).collect()
}

#[test]
fn each_keyword_says_what_it_asks_for() {
    for (schema, value, says) in [
        (r#"{"type": "string"}"#, "1", "$: expected string, found number"),
        (r#"{"type": ["integer", "null"]}"#, "1.5", "$: expected integer or null, found number"),
        (r#"{"const": {"a": 1}}"#, "{}", r#"$: must be {"a":1}"#),
        (r#"{"enum": ["a", 2]}"#, "3", r#"$: must be one of "a", 2"#),
        (r#"{"anyOf": [{"type": "null"}]}"#, "1", "$: fits none of the allowed variants"),
        (r#"{"minLength": 2}"#, r#""a""#, "$: must have at least 2 characters"),
        (r#"{"maxLength": 1}"#, r#""ab""#, "$: must have at most 1 character"),
        (r#"{"pattern": "^a"}"#, r#""b""#, "$: must match the pattern ^a"),
        (r#"{"format": "email"}"#, r#""b""#, "$: must have the format email"),
        (r#"{"minimum": 1}"#, "0", "$: must be at least 1"),
        (r#"{"maximum": 1}"#, "2", "$: must be at most 1"),
        (r#"{"exclusiveMinimum": 1}"#, "1", "$: must be more than 1"),
        (r#"{"exclusiveMaximum": 1}"#, "1", "$: must be less than 1"),
        (r#"{"multipleOf": 0.01}"#, "0.001", "$: must be a multiple of 0.01"),
        (r#"{"minItems": 1}"#, "[]", "$: must have at least 1 item"),
        (r#"{"maxItems": 0}"#, "[1]", "$: must have at most 0 items"),
        (r#"{"uniqueItems": true}"#, "[1, 2, 1.0]", "$: must not have the same item twice"),
        (r#"{"required": ["a"]}"#, "{}", "a: is required, but missing"),
        (r#"{"additionalProperties": false}"#, r#"{"a": 1}"#, "a: is not a property that the schema has"),
    ] {
        assert_eq!(issues(schema, value), [says], "{schema}");
    }
}

#[test]
fn an_issue_names_its_place_as_javascript_reaches_it() {
    let schema = r#"{"properties": {"rows": {"items": {"properties": {"id": {"type": "string"}}}}}}"#;
    let says = "rows[2].id: expected string, found null";
    assert_eq!(issues(schema, r#"{"rows": [{}, {"id": ""}, {"id": null}]}"#), [says]);
    assert_eq!(issues(r#"{"items": {"items": {"type": "null"}}}"#, "[[], [null, 1]]").len(), 1);
}

#[test]
fn all_issues_of_a_value_are_told() {
    let schema = r#"{
        "properties": {"a": {"minimum": 1, "multipleOf": 2}, "b": {"type": "string", "minLength": 1}},
        "required": ["c"], "additionalProperties": false
    }"#;
    let expected = [
        "d: is not a property that the schema has",
        "a: must be at least 1",
        "a: must be a multiple of 2",
        "b: expected string, found number",
        "c: is required, but missing",
    ];
    assert_eq!(issues(schema, r#"{"a": -1, "b": 0, "d": 0}"#), expected);
}

#[test]
fn keywords_leave_other_kinds_of_values_alone() {
    let schema = r#"{
        "minLength": 9, "pattern": "x", "format": "uri", "minimum": 9, "multipleOf": 9, "minItems": 9,
        "uniqueItems": true, "required": ["a"], "additionalProperties": false
    }"#;
    assert_eq!(issues(schema, "null"), [""; 0]);
    assert_eq!(issues(schema, "true"), [""; 0]);
}

#[test]
fn a_reference_applies_beside_the_keywords_around_it() {
    let schema = r##"{"$defs": {"a": {"minimum": 2}}, "$ref": "#/$defs/a", "maximum": 3}"##;
    assert_eq!(issues(schema, "2"), [""; 0]);
    assert_eq!(issues(schema, "1"), ["$: must be at least 2"]);
    assert_eq!(issues(schema, "4"), ["$: must be at most 3"]);
}

#[test]
fn names_of_object_prototypes_are_plain_names() {
    let closed = r#"{"properties": {"a": {}}, "additionalProperties": false}"#;
    for name in ["__proto__", "toString", "constructor", "hasOwnProperty"] {
        let value = format!(r#"{{"{name}": 1}}"#);
        assert_eq!(issues(closed, &value).len(), 1, "{name}");
        let required =
            format!(r#"{{"required": ["{name}"], "properties": {{"{name}": {{"type": "number"}}}}}}"#);
        assert_eq!(issues(&required, "{}").len(), 1, "{name}");
        assert_eq!(issues(&required, &value), [""; 0], "{name}");
    }
}

#[test]
fn a_null_member_is_present() {
    let schema = r#"{"required": ["a"], "properties": {"a": {"type": "null"}}}"#;
    assert_eq!(issues(schema, r#"{"a": null}"#), [""; 0]);
}

#[test]
fn equality_is_that_of_json() {
    assert_eq!(issues(r#"{"const": {"a": [1], "b": 0}}"#, r#"{"b": -0.0, "a": [1.0]}"#), [""; 0]);
    assert_eq!(issues(r#"{"enum": [false]}"#, "0").len(), 1);
    assert_eq!(issues(r#"{"uniqueItems": true}"#, r#"[1, true, "1", [1], {"a": 1}, null]"#), [""; 0]);
    assert_eq!(issues(r#"{"uniqueItems": true}"#, r#"[{"a": 1, "b": 2}, {"b": 2, "a": 1}]"#).len(), 1);
}

#[test]
fn a_character_is_a_code_point() {
    assert_eq!(issues(r#"{"minLength": 1, "maxLength": 1, "pattern": "^.$"}"#, r#""🐲""#), [""; 0]);
}

#[test]
fn a_message_never_carries_the_value_nor_a_long_list() {
    let many: Vec<_> = (0..200).map(|it| it.to_string()).collect();
    let schema = format!(r#"{{"enum": [{}]}}"#, many.join(","));
    assert_eq!(issues(&schema, r#""secret""#), ["$: must be one of the values that the schema allows"]);
    let schema = format!(r#"{{"const": "{}"}}"#, "x".repeat(300));
    assert_eq!(issues(&schema, r#""secret""#), ["$: must be the one value that the schema allows"]);
}

#[test]
fn a_flood_of_issues_is_cut() {
    let value = format!("[{}0]", "0,".repeat(5 * MAX_ISSUES));
    let issues = issues(r#"{"items": {"type": "null"}}"#, &value);
    assert_eq!(issues.len(), MAX_ISSUES + 1);
    assert_eq!(issues[MAX_ISSUES], "$: has more issues than are listed");
}

/// A list of lists as deep as JSON text can be, with `1` inside.
fn deepest() -> String {
    format!("{}1{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH))
}

#[test]
fn recursion_follows_a_value_to_the_deepest_place() {
    let schema = r##"{
        "$defs": {"tree": {"anyOf": [{"type": "number"}, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]}},
        "$ref": "#/$defs/tree"
    }"##;
    assert_eq!(issues(schema, &deepest()), [""; 0]);
    assert_eq!(issues(schema, &deepest().replace('1', "null")), ["$: fits none of the allowed variants"]);
}

#[test]
fn exponentially_many_variants_end_in_an_issue() {
    let schema = r##"{
        "$defs": {"t": {"anyOf": [
            {"type": "array", "items": {"$ref": "#/$defs/t"}, "title": "one"},
            {"type": "array", "items": {"$ref": "#/$defs/t"}, "title": "two"}
        ]}},
        "$ref": "#/$defs/t"
    }"##;
    assert_eq!(issues(schema, &deepest()), ["$: takes too many steps to validate"]);
}

#[test]
fn long_texts_count_as_many_steps() {
    let value = Json::from("x".repeat(MAX_STEPS * STEP_BYTES));
    assert_eq!(
        printed(&parse(r#"{"minLength": 1}"#).unwrap(), &value),
        ["$: takes too many steps to validate"]
    );
}

#[test]
fn stacked_variants_end_before_the_stack_does() {
    let variants: String = (0..200)
        .map(|it| format!(r##""{it}": {{"anyOf": [{{"$ref": "#/$defs/{}"}}]}}, "##, it + 1))
        .collect();
    let schema = format!(
        r##"{{"$defs": {{{variants} "200": {{"items": {{"$ref": "#/$defs/0"}}}}}}, "$ref": "#/$defs/0"}}"##
    );
    assert_eq!(issues(&schema, "[1]"), [""; 0]);
    assert_eq!(issues(&schema, &deepest()), ["$: is nested too deep to validate"]);
}

#[test]
fn a_long_chain_of_references_takes_no_stack() {
    let links: String =
        (0..400).map(|it| format!(r##""{it}": {{"$ref": "#/$defs/{}"}}, "##, it + 1)).collect();
    let schema = format!(
        r##"{{"$defs": {{{links} "400": {{"items": {{"$ref": "#/$defs/0"}}}}}}, "$ref": "#/$defs/0"}}"##
    );
    assert_eq!(issues(&schema, &deepest()), [""; 0]);
}

#[test]
fn a_value_deeper_than_text_can_be_ends_in_an_issue() {
    let schema =
        parse(r##"{"$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}, "$ref": "#/$defs/a"}"##).unwrap();
    let value = (0..2000).fold(Json::Null, |inner, _| Json::Array(vec![inner]));
    assert_eq!(printed(&schema, &value), ["$: is nested too deep to validate"]);
}

#[test]
fn a_schema_outside_the_subset_is_an_issue() {
    let unsupported = ["$: can't be validated, because its schema is not supported"];
    for schema in [
        "true",
        "[]",
        r#"{"oneOf": []}"#,
        r#"{"type": 1}"#,
        r#"{"type": "any"}"#,
        r#"{"type": [null]}"#,
        r#"{"enum": 1}"#,
        r#"{"anyOf": {}}"#,
        r#"{"anyOf": [true]}"#,
        r#"{"properties": 1}"#,
        r#"{"properties": {"a": true}}"#,
        r#"{"required": "a"}"#,
        r#"{"required": [1]}"#,
        r#"{"additionalProperties": {}}"#,
        r#"{"minItems": -1}"#,
        r#"{"maxLength": "x"}"#,
        r#"{"uniqueItems": 1}"#,
        r#"{"pattern": 1}"#,
        r#"{"format": "hostname"}"#,
        r#"{"minimum": "1"}"#,
        r#"{"multipleOf": 0}"#,
        r#"{"$ref": 1}"#,
        r#"{"$ref": "other.json"}"#,
        r##"{"$ref": "#/$defs/a"}"##,
    ] {
        let value = Json::Object([("a", 1)].into_iter().collect::<Object>());
        assert_eq!(printed(&parse(schema).unwrap(), &value), unsupported, "{schema}");
    }
    assert_eq!(printed(&parse(r#"{"pattern": "("}"#).unwrap(), &Json::from("")), unsupported);
    assert_eq!(printed(&parse(r#"{"items": 1}"#).unwrap(), &parse("[1]").unwrap()), unsupported);
}

#[test]
fn references_that_go_round_in_place_are_an_issue() {
    let round =
        r##"{"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}"##;
    assert_eq!(printed(&parse(round).unwrap(), &Json::Null), ["$: takes too many steps to validate"]);
    let round = r##"{"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}"##;
    assert_eq!(printed(&parse(round).unwrap(), &Json::Null), ["$: is nested too deep to validate"]);
}
