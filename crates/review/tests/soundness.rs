//! No change is called harmless while a value shows that it is not.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::cell::Cell;

use agent_surface_json::{Json, parse};
use agent_surface_review::Class;
use agent_surface_schema::{Limits, NativePatterns, check, validate};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestError, TestRunner};
use serde_json::{Map, Value, json};
use support::class_of_schemas;

const CASES: u32 = 4000;
const NAMES: [&str; 3] = ["a", "b", "c"];

#[test]
fn what_is_called_narrowing_or_neutral_lets_no_new_value_through() {
    let patterns = NativePatterns::default();
    let seen: [Cell<u32>; 4] = Default::default();
    let (inside, outside) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(config(CASES));
    let outcome =
        runner.run(&(pair(), prop::collection::vec(any::<u8>(), 400)), |((before, after), dice)| {
            let (before, after) = (ours(&before), ours(&after));
            for schema in [&before, &after] {
                prop_assume!(check(schema, Limits::default(), &patterns).is_ok());
            }
            let class = class_of_schemas(&before, &after);
            count(&seen[class as usize]);
            let mut dice = dice.into_iter();
            for _ in 0..12 {
                let source = if draw(&mut dice, 2) == 0 { &before } else { &after };
                let value = sample(source, source, &mut dice, 0);
                let accepted = |schema| validate(schema, &value, &patterns).is_empty();
                let (was, is) = (accepted(&before), accepted(&after));
                count(if was || is { &inside } else { &outside });
                let is_lie = match class {
                    Class::Neutral => was != is,
                    Class::Narrowing => is && !was,
                    Class::Widening => was && !is,
                    Class::Changed => false,
                };
                prop_assert!(!is_lie, "{class}, but {value:?}: {was} before, {is} after");
            }
            Ok(())
        });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(why, ((before, after), _))) => panic!("{why}\n{before:#}\n{after:#}"),
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
    // What is never said is never wrong, and values that nothing accepts refute nothing.
    for (class, seen) in Class::ALL.iter().zip(&seen) {
        assert!(seen.get() > CASES / 20, "only {} pairs were {class}", seen.get());
    }
    assert!(inside.get() > CASES && outside.get() > CASES, "{} {}", inside.get(), outside.get());
}

#[test]
fn a_schema_is_itself() {
    let mut runner = TestRunner::new(config(CASES / 4));
    runner
        .run(&document(), |schema| {
            let one = ours(&schema);
            prop_assume!(check(&one, Limits::default(), &NativePatterns::default()).is_ok());
            // Another document, so that equality alone does not answer.
            let mut other = schema;
            other["title"] = json!("the same");
            prop_assert_eq!(class_of_schemas(&one, &ours(&other)), Class::Neutral);
            Ok(())
        })
        .unwrap();
}

/// Some generated documents refer to themselves without end, and are no schemas.
fn config(cases: u32) -> Config {
    Config { cases, max_global_rejects: cases, failure_persistence: None, ..Config::default() }
}

fn count(cell: &Cell<u32>) {
    cell.set(cell.get() + 1);
}

fn ours(schema: &Value) -> Json {
    parse(&schema.to_string()).unwrap()
}

/// Two schemas: unrelated ones are seldom comparable, so that most pairs are one schema and an edit of it.
fn pair() -> impl Strategy<Value = (Value, Value)> {
    let edited = (document(), keyword(), any::<prop::sample::Index>(), 0..4_u8, any::<bool>()).prop_map(
        |(schema, keyword, place, edit, turned)| {
            let mut other = schema.clone();
            edit_schema(&mut other, &keyword, place, edit);
            if turned { (other, schema) } else { (schema, other) }
        },
    );
    prop_oneof![5 => edited, 1 => (document(), document())]
}

/// Changes one of the schemas inside of a document.
fn edit_schema(document: &mut Value, keyword: &(String, Value), place: prop::sample::Index, edit: u8) {
    let mut places = Vec::new();
    collect(document, String::new(), &mut places);
    let pointer = &places[place.index(places.len())];
    let Some(Value::Object(schema)) = document.pointer_mut(pointer) else { return };
    let structure = ["$defs", "$ref"];
    match edit {
        0 | 1 => drop(schema.insert(keyword.0.clone(), keyword.1.clone())),
        2 => {
            let name = schema.keys().find(|name| !structure.contains(&name.as_str())).cloned();
            drop(name.map(|name| schema.remove(&name)));
        }
        _ => {
            let inner = schema.clone();
            if !inner.contains_key("$defs") {
                *schema = Map::new();
                schema.insert("anyOf".into(), json!([inner, {keyword.0.clone(): keyword.1.clone()}]));
            }
        }
    }
}

/// The pointers of all schemas in a document.
fn collect(schema: &Value, at: String, places: &mut Vec<String>) {
    places.push(at.clone());
    for container in ["properties", "$defs"] {
        for (name, inner) in schema.get(container).and_then(Value::as_object).into_iter().flatten() {
            collect(inner, format!("{at}/{container}/{name}"), places);
        }
    }
    if let Some(items) = schema.get("items") {
        collect(items, format!("{at}/items"), places);
    }
    for (index, inner) in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten().enumerate() {
        collect(inner, format!("{at}/anyOf/{index}"), places);
    }
}

fn document() -> impl Strategy<Value = Value> {
    (schema(), schema()).prop_map(|(mut root, definition)| {
        root["$defs"] = json!({"a": definition});
        root
    })
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => prop::collection::vec(keyword(), 0..4)
            .prop_map(|keywords| Value::Object(keywords.into_iter().collect())),
        1 => Just(json!({"$ref": "#/$defs/a"})),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let members = prop::collection::vec((select(&NAMES[..]), inner.clone()), 1..4);
        let object =
            (members, keyword(), any::<[bool; 2]>()).prop_map(|(members, keyword, [closed, typed])| {
                let members: Map<String, Value> =
                    members.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
                let mut schema = json!({"properties": members});
                if typed {
                    schema["type"] = json!("object");
                }
                if closed {
                    schema["additionalProperties"] = json!(false);
                }
                schema[keyword.0] = keyword.1;
                schema
            });
        let array = (inner.clone(), keyword()).prop_map(|(items, keyword)| {
            let mut schema = json!({"type": "array", "items": items});
            schema[keyword.0] = keyword.1;
            schema
        });
        let variants = prop::collection::vec(inner, 1..4).prop_map(|variants| json!({"anyOf": variants}));
        prop_oneof![3 => object, 2 => array, 2 => variants]
    })
}

/// One keyword with a small operand, so that two of them have something to say to each other.
fn keyword() -> impl Strategy<Value = (String, Value)> {
    let kinds = ["null", "boolean", "number", "integer", "string", "array", "object"];
    let sizes = ["minItems", "maxItems", "minLength", "maxLength"];
    let bounds = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
    let numbers = [json!(-1), json!(0), json!(0.5), json!(1), json!(2), json!(3)];
    prop_oneof![
        3 => select(kinds.to_vec()).prop_map(|kind| ("type".to_owned(), json!(kind))),
        2 => prop::sample::subsequence(kinds.to_vec(), 1..4).prop_map(|kinds| ("type".to_owned(), json!(kinds))),
        2 => (select(sizes.to_vec()), 0..4_u8).prop_map(|(name, size)| (name.to_owned(), json!(size))),
        3 => (select(bounds.to_vec()), select(numbers.to_vec())).prop_map(|(name, bound)| (name.to_owned(), bound)),
        1 => select(vec![json!(0.5), json!(1), json!(2), json!(3)]).prop_map(|of| ("multipleOf".to_owned(), of)),
        1 => select(vec!["^a", "b$"]).prop_map(|pattern| ("pattern".to_owned(), json!(pattern))),
        1 => select(vec!["uuid", "date"]).prop_map(|format| ("format".to_owned(), json!(format))),
        1 => any::<bool>().prop_map(|unique| ("uniqueItems".to_owned(), json!(unique))),
        1 => prop::sample::subsequence(NAMES.to_vec(), 1..3).prop_map(|names| ("required".to_owned(), json!(names))),
        1 => any::<bool>().prop_map(|open| ("additionalProperties".to_owned(), json!(open))),
        1 => prop::collection::vec(scalar(), 1..4).prop_map(|values| ("enum".to_owned(), json!(values))),
        1 => scalar().prop_map(|value| ("const".to_owned(), value)),
    ]
}

fn scalar() -> impl Strategy<Value = Value> {
    select(vec![
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(2.5),
        json!("a"),
        json!("ab"),
        json!([]),
        json!({"a": 1}),
    ])
}

fn draw(dice: &mut impl Iterator<Item = u8>, sides: usize) -> usize {
    usize::from(dice.next().unwrap_or_default()) % sides
}

/// A value that often fits the schema and often just does not.
fn sample(root: &Json, schema: &Json, dice: &mut impl Iterator<Item = u8>, depth: usize) -> Json {
    const TEXTS: [&str; 7] = ["", "a", "b", "ab", "aab", "2020-02-30", "2020-02-29"];
    const NUMBERS: [&str; 9] = ["-1", "0", "0.5", "1", "1.5", "2", "2.5", "3", "6"];
    let number = |dice: &mut _| parse(NUMBERS[draw(dice, NUMBERS.len())]).unwrap();
    if depth > 5 || draw(dice, 12) == 0 {
        return number(dice);
    }
    if let Some(target) = schema.get("$ref").and_then(Json::as_str) {
        let definition = agent_surface_schema::resolve(root, target).unwrap();
        return sample(root, definition, dice, depth + 1);
    }
    let any_of = schema.get("anyOf").and_then(Json::as_array).unwrap_or_default();
    if !any_of.is_empty() && draw(dice, 4) > 0 {
        return sample(root, &any_of[draw(dice, any_of.len())], dice, depth + 1);
    }
    if let Some(values) = schema.get("enum").and_then(Json::as_array)
        && draw(dice, 3) > 0
    {
        return values[draw(dice, values.len())].clone();
    }
    if let Some(value) = schema.get("const")
        && draw(dice, 3) > 0
    {
        return value.clone();
    }
    let empty = parse("{}").unwrap();
    let types: Vec<&str> = match schema.get("type") {
        Some(Json::Array(types)) => types.iter().filter_map(Json::as_str).collect(),
        Some(one) => one.as_str().into_iter().collect(),
        None if schema.get("properties").is_some() => vec!["object"],
        None if schema.get("items").is_some() => vec!["array"],
        None => vec!["null", "boolean", "number", "string", "array", "object"],
    };
    match types[draw(dice, types.len())] {
        "null" => Json::Null,
        "boolean" => (draw(dice, 2) == 0).into(),
        "string" => TEXTS[draw(dice, TEXTS.len())].into(),
        "array" => {
            let items = schema.get("items").unwrap_or(&empty);
            (0..draw(dice, 4)).map(|_| sample(root, items, dice, depth + 1)).collect::<Vec<_>>().into()
        }
        "object" => {
            let mut object = agent_surface_json::Object::new();
            for name in NAMES {
                if draw(dice, 3) > 0 {
                    let member = schema.get("properties").and_then(|it| it.get(name)).unwrap_or(&empty);
                    object.insert(name, sample(root, member, dice, depth + 1));
                }
            }
            object.into()
        }
        _ => number(dice),
    }
}
