//! Whatever stands in a document, checking it names real places and validating with it comes to an end.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use agent_surface_json::{Json, Object, Pointer};
use agent_surface_schema::{Limits, NativePatterns, Reason, check, validate};
use proptest::prelude::*;
use proptest::sample::select;

/// Keywords inside and outside the subset, and names that are no keywords.
const NAMES: [&str; 32] = [
    "additionalProperties",
    "anyOf",
    "const",
    "default",
    "$defs",
    "deprecated",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "$id",
    "items",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "multipleOf",
    "pattern",
    "properties",
    "$ref",
    "required",
    "title",
    "type",
    "uniqueItems",
    "oneOf",
    "a",
    "__proto__",
    "~/%",
    "",
];

/// Types, formats, references and patterns, good ones and bad ones.
const TEXTS: [&str; 10] = [
    "",
    "a",
    "object",
    "string",
    "date",
    "#/$defs/a",
    "#/$defs/__proto__",
    "#/$defs/~0~1%25",
    "#/$defs/%f",
    "(",
];

fn document() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        select(vec![0, 1, -1, 9]).prop_map(Json::from),
        select(&TEXTS[..]).prop_map(Json::from),
    ];
    leaf.prop_recursive(6, 40, 5, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            3 => prop::collection::vec((select(&NAMES[..]), inner), 0..6)
                .prop_map(|members| Json::Object(members.into_iter().collect::<Object>())),
        ]
    })
}

/// The places of a document, in its order.
fn places(value: &Json, at: Pointer, found: &mut Vec<Pointer>) {
    found.push(at.clone());
    match value {
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, at.item(index), found);
            }
        }
        Json::Object(object) => {
            for (name, member) in object.iter() {
                places(member, at.member(name), found);
            }
        }
        _ => {}
    }
}

/// Checks a schema whose one keyword is a pattern on the stack of a small thread.
fn check_pattern(pattern: String) -> bool {
    let document = Json::from([("pattern", Json::from(pattern))].into_iter().collect::<Object>());
    let limits = Limits { max_bytes: usize::MAX, ..Limits::default() };
    let checking = move || check(&document, limits, &NativePatterns::default()).is_ok();
    std::thread::Builder::new().stack_size(512 * 1024).spawn(checking).unwrap().join().unwrap()
}

#[test]
fn a_pattern_that_nests_as_deep_as_it_is_long_is_one() {
    for (open, close) in
        [("(", ")"), ("(?:", ")"), ("(?=", ")"), ("(?<!", ")"), ("(?:a|", ")*"), ("(", "){2}"), ("[", "]")]
    {
        let depth = 16 * 1024 / (open.len() + close.len());
        println!("{open}{close}");
        let is_pattern = check_pattern(format!("{}a{}", open.repeat(depth), close.repeat(depth)));
        assert_eq!(is_pattern, open != "[", "a class does not nest");
    }
    assert!(!check_pattern("(".repeat(16 * 1024)));
    assert!(!check_pattern("(".repeat(16 * 1024 * 1024)));
}

#[test]
fn whether_a_pattern_is_one_is_no_search() {
    assert!(check_pattern("(|)".repeat(64) + "x"));
    assert!(check_pattern("(?:(?:(?:(?:a{99}){99}){99}){99}){99}".to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn refusals_stand_at_places_of_the_document_in_its_order(schema in document()) {
        let refusals = check(&schema, Limits::default(), &NativePatterns::default()).err().unwrap_or_default();
        let mut places = Vec::new();
        self::places(&schema, Pointer::root(), &mut places);
        let mut rest = &places[..];
        for refusal in refusals {
            let at = rest.iter().position(|place| *place == refusal.pointer);
            prop_assert!(at.is_some(), "{} after {:?}", refusal, rest.first());
            rest = &rest[at.unwrap()..];
        }
    }

    #[test]
    fn validation_ends_and_an_endless_schema_validates_nothing(schema in document(), value in document()) {
        let patterns = NativePatterns::default();
        let issues = validate(&schema, &value, &patterns);
        let endless = check(&schema, Limits::default(), &patterns).err().unwrap_or_default().iter().any(|refusal| {
            refusal.pointer.as_str() == "/$ref" && matches!(refusal.reason, Reason::EndlessRef(_))
        });
        prop_assert!(!endless || !issues.is_empty());
    }
}
