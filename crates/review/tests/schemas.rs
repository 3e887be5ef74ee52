//! Schemas compared: pairs whose answer is known.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use agent_surface_review::Class::{Changed, Narrowing, Neutral, Widening};
use support::{class_of_schemas, json};

/// Both directions of one pair.
#[track_caller]
fn narrower(narrow: &str, wide: &str) {
    let (a, b) = (json(narrow), json(wide));
    assert_eq!(class_of_schemas(&a, &b), Widening, "{narrow} to {wide}");
    assert_eq!(class_of_schemas(&b, &a), Narrowing, "{wide} to {narrow}");
}

#[track_caller]
fn equal(one: &str, other: &str) {
    let (a, b) = (json(one), json(other));
    assert_eq!(class_of_schemas(&a, &b), Neutral, "{one} to {other}");
    assert_eq!(class_of_schemas(&b, &a), Neutral, "{other} to {one}");
}

#[track_caller]
fn incomparable(one: &str, other: &str) {
    let (a, b) = (json(one), json(other));
    assert_eq!(class_of_schemas(&a, &b), Changed, "{one} to {other}");
    assert_eq!(class_of_schemas(&b, &a), Changed, "{other} to {one}");
}

#[test]
fn annotations_say_nothing_of_values() {
    equal(
        r#"{"type":"string"}"#,
        r#"{"type":"string","title":"t","description":"d","default":1,"examples":[2]}"#,
    );
    equal(
        r#"{}"#,
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"x","deprecated":true}"#,
    );
}

#[test]
fn types_are_sets() {
    narrower(r#"{"type":"string"}"#, r#"{"type":["string","null"]}"#);
    narrower(r#"{"type":"integer"}"#, r#"{"type":"number"}"#);
    narrower(r#"{"type":"string"}"#, "{}");
    equal(r#"{"type":["string","null"]}"#, r#"{"type":["null","string"]}"#);
    equal(r#"{"type":["number","integer"]}"#, r#"{"type":"number"}"#);
    incomparable(r#"{"type":"string"}"#, r#"{"type":"number"}"#);
}

#[test]
fn numbers_have_ranges() {
    narrower(r#"{"type":"number","maximum":1}"#, r#"{"type":"number","maximum":2}"#);
    narrower(r#"{"type":"number","exclusiveMaximum":1}"#, r#"{"type":"number","maximum":1}"#);
    narrower(r#"{"type":"number","minimum":1}"#, r#"{"type":"number"}"#);
    equal(r#"{"type":"integer","exclusiveMinimum":0}"#, r#"{"type":"integer","minimum":1}"#);
    equal(r#"{"type":"integer","maximum":1.5}"#, r#"{"type":"integer","maximum":1}"#);
    incomparable(r#"{"minimum":0,"maximum":5}"#, r#"{"minimum":1,"maximum":6}"#);
}

#[test]
fn numbers_have_divisors() {
    narrower(r#"{"type":"number","multipleOf":6}"#, r#"{"type":"number","multipleOf":3}"#);
    narrower(r#"{"type":"number","multipleOf":0.02}"#, r#"{"type":"number","multipleOf":0.01}"#);
    equal(r#"{"type":"integer"}"#, r#"{"type":"number","multipleOf":1}"#);
    narrower(r#"{"type":"number","multipleOf":2}"#, r#"{"type":"integer"}"#);
    incomparable(r#"{"type":"number","multipleOf":2}"#, r#"{"type":"number","multipleOf":3}"#);
}

#[test]
fn texts_have_lengths_and_forms() {
    narrower(r#"{"type":"string","maxLength":1}"#, r#"{"type":"string","maxLength":2}"#);
    narrower(r#"{"type":"string","minLength":1}"#, r#"{"type":"string","minLength":0}"#);
    equal(r#"{"type":"string","minLength":0}"#, r#"{"type":"string"}"#);
    narrower(r#"{"type":"string","pattern":"^a"}"#, r#"{"type":"string"}"#);
    narrower(r#"{"type":"string","format":"uuid"}"#, r#"{"type":"string"}"#);
    incomparable(r#"{"type":"string","pattern":"^a"}"#, r#"{"type":"string","pattern":"^[a]"}"#);
}

#[test]
fn listed_values_are_tried_one_by_one() {
    narrower(r#"{"enum":["a"]}"#, r#"{"enum":["a","b"]}"#);
    narrower(r#"{"enum":["a","bc"]}"#, r#"{"type":"string","maxLength":2}"#);
    equal(r#"{"const":1}"#, r#"{"enum":[1]}"#);
    equal(r#"{"type":"boolean"}"#, r#"{"enum":[true,false]}"#);
    equal(r#"{"type":"string","enum":["a",1]}"#, r#"{"const":"a"}"#);
    narrower(r#"{"type":"null"}"#, r#"{"enum":[null,1]}"#);
    incomparable(r#"{"enum":["a","b"]}"#, r#"{"enum":["b","c"]}"#);
}

#[test]
fn arrays_have_items_and_counts() {
    narrower(
        r#"{"type":"array","items":{"type":"integer"}}"#,
        r#"{"type":"array","items":{"type":"number"}}"#,
    );
    narrower(r#"{"type":"array","maxItems":2}"#, r#"{"type":"array","maxItems":3}"#);
    narrower(r#"{"type":"array","uniqueItems":true}"#, r#"{"type":"array","uniqueItems":false}"#);
    equal(r#"{"type":"array","maxItems":1}"#, r#"{"type":"array","maxItems":1,"uniqueItems":true}"#);
    equal(r#"{"type":"array","maxItems":0}"#, r#"{"type":"array","maxItems":0,"items":{"type":"null"}}"#);
}

#[test]
fn objects_have_members() {
    let object =
        |rest: &str| format!(r#"{{"type":"object","properties":{{"a":{{"type":"string"}}}}{rest}}}"#);
    narrower(&object(r#","required":["a"]"#), &object(""));
    narrower(&object(r#","additionalProperties":false"#), &object(""));
    narrower(&object(""), r#"{"type":"object"}"#);
    // A member that was free and is described now takes less; one that was forbidden and is described takes more.
    narrower(
        r#"{"type":"object","properties":{"a":{},"b":{"type":"string"}}}"#,
        r#"{"type":"object","properties":{"a":{}}}"#,
    );
    narrower(
        r#"{"type":"object","properties":{"a":{}},"additionalProperties":false}"#,
        r#"{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}"#,
    );
    equal(&object(r#","additionalProperties":true"#), &object(""));
    equal(&object(r#","required":[]"#), &object(""));
}

#[test]
fn variants_and_references_are_what_they_stand_for() {
    equal(r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, r#"{"type":["string","null"]}"#);
    equal(r#"{"anyOf":[{"const":1},{"const":2}]}"#, r#"{"anyOf":[{"const":2},{"const":1}]}"#);
    narrower(r#"{"anyOf":[{"const":1}]}"#, r#"{"anyOf":[{"const":1},{"const":2}]}"#);
    equal(r##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}"##, r#"{"type":"string"}"#);
    narrower(
        r##"{"$ref":"#/$defs/a","maxLength":3,"$defs":{"a":{"type":"string"}}}"##,
        r##"{"$ref":"#/$defs/b","$defs":{"b":{"type":"string"}}}"##,
    );
    // What stands beside the variants holds for each.
    equal(
        r#"{"maxLength":2,"anyOf":[{"type":"string"},{"type":"null"}]}"#,
        r#"{"anyOf":[{"type":"string","maxLength":2},{"type":"null"}]}"#,
    );
}

#[test]
fn a_recursive_schema_is_compared_to_its_end() {
    let tree = |extra: &str, name: &str| {
        format!(
            r##"{{"$ref":"#/$defs/{name}","$defs":{{"{name}":{{"type":"object","properties":{{"label":{{"type":"string"{extra}}},"children":{{"type":"array","items":{{"$ref":"#/$defs/{name}"}}}}}},"additionalProperties":false}}}}}}"##
        )
    };
    equal(&tree("", "tree"), &tree("", "node"));
    narrower(&tree(r#","maxLength":5"#, "tree"), &tree("", "node"));
}

#[test]
fn more_here_and_less_there_is_neither() {
    incomparable(
        r#"{"type":"object","properties":{"a":{"type":"string","maxLength":1},"b":{"type":"string","maxLength":2}}}"#,
        r#"{"type":"object","properties":{"a":{"type":"string","maxLength":2},"b":{"type":"string","maxLength":1}}}"#,
    );
}

#[test]
fn outside_of_the_subset_nothing_is_shown() {
    incomparable(r#"{"oneOf":[{"type":"string"}]}"#, r#"{"type":"string"}"#);
    incomparable(r##"{"$ref":"#/$defs/x"}"##, "{}");
    incomparable(r#"{"maxLength":"three"}"#, r#"{"maxLength":3}"#);
}

#[test]
fn a_schema_made_to_take_for_ever_is_given_up() {
    let pairs: Vec<String> = (0..8)
        .map(|at| format!(r#""p{at}":{{"anyOf":[{{"$ref":"\u0023/$defs/a"}},{{"$ref":"\u0023/$defs/b"}}]}}"#))
        .collect();
    let schema = |limit: u32| {
        format!(
            r#"{{"$ref":"\u0023/$defs/a","$defs":{{"a":{{"type":"object","properties":{{{0}}},"required":["x"]}},"b":{{"type":"object","properties":{{{0}}},"minLength":{limit}}}}}}}"#,
            pairs.join(",")
        )
    };
    let (before, after) = (json(&schema(1)), json(&schema(2)));
    // That it ends is the point; objects have no length, so that nothing changed in fact.
    assert!(matches!(class_of_schemas(&before, &after), Neutral | Changed));
}
