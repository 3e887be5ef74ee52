//! An independent validator, crate `jsonschema`, agrees about every schema of the subset and every value.
//!
//! Left out is `format`: the draft leaves to each validator how far an assertion goes, and the official suite
//! (see `suite.rs`) says how far ours does. Patterns are few, since the other validator translates them to an
//! engine of its own.

use std::cell::Cell;

use agent_surface_json::parse;
use agent_surface_schema::{Limits, NativePatterns, Reason, check, validate};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use proptest::test_runner::{Config, TestError, TestRunner};
use serde_json::{Map, Value, json};

const NAMES: [&str; 4] = ["a", "b", "__proto__", "ключ/~%"];
/// The last of the names, as JSON Pointer and URI escape it.
const ESCAPED: &str = "#/$defs/%D0%BA%D0%BB%D1%8E%D1%87~1~0%25";
const CASES: u32 = 3000;

#[test]
fn an_independent_validator_agrees() {
    let patterns = NativePatterns::default();
    let (valid, invalid) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(Config { cases: CASES, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&(document(), prop::collection::vec(any::<u8>(), 24)), |(schema, dice)| {
        let ours = parse(&schema.to_string()).unwrap();
        if let Err(refusals) = check(&ours, Limits::default(), &patterns) {
            let only_shape = refusals.iter().all(|refusal| {
                matches!(
                    refusal.reason,
                    Reason::EndlessRef(_) | Reason::TooDeep { .. } | Reason::TooLarge { .. }
                )
            });
            prop_assert!(only_shape, "{refusals:?}");
            return Err(TestCaseError::reject("outside the subset"));
        }
        let theirs = jsonschema::draft202012::new(&schema).unwrap();
        let value = Sampler { root: &schema, dice: dice.into_iter() }.value(&schema, 0);
        let issues = validate(&ours, &parse(&value.to_string()).unwrap(), &patterns);
        prop_assert_eq!(issues.is_empty(), theirs.is_valid(&value), "{} {:?}", value, issues);
        let seen = if issues.is_empty() { &valid } else { &invalid };
        seen.set(seen.get() + 1);
        Ok(())
    });
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(why, (schema, _))) => panic!("{why}\n{schema:#}"),
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
    // Agreement about values that all fail the same way would say little.
    assert!(valid.get() > CASES / 5, "only {} valid values", valid.get());
    assert!(invalid.get() > CASES / 5, "only {} invalid values", invalid.get());
}

/// A whole document: a schema with definitions that it and they may refer to.
fn document() -> impl Strategy<Value = Value> {
    (schema(), schema(), schema()).prop_map(|(mut root, first, second)| {
        root["$defs"] = json!({"a": first, NAMES[3]: second});
        root
    })
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => keywords(scalar_keyword()).prop_map(Value::Object),
        1 => select(vec![json!({"$ref": "#/$defs/a"}), json!({"$ref": ESCAPED, "title": "t"})]),
        1 => scalar().prop_map(|value| json!({"const": value})),
        1 => prop::collection::vec(any_value(), 1..4).prop_map(|values| json!({"enum": values})),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let members = prop::collection::vec((select(&NAMES[..]), inner.clone()), 1..4);
        let properties = members.prop_map(|members| {
            let schemas: Map<String, Value> =
                members.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
            json!({"type": "object", "properties": schemas})
        });
        let items = inner.clone().prop_map(|item| json!({"type": "array", "items": item}));
        let variants = prop::collection::vec(inner, 1..4).prop_map(|variants| json!({"anyOf": variants}));
        let shape = prop_oneof![3 => properties, 2 => items, 2 => variants];
        (shape, keywords(container_keyword())).prop_map(|(mut shape, more)| {
            for (name, operand) in more {
                shape[name] = operand;
            }
            shape
        })
    })
}

/// Up to three of the keywords, in one schema.
fn keywords(one: impl Strategy<Value = (&'static str, Value)>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec(one, 0..4)
        .prop_map(|members| members.into_iter().map(|(name, operand)| (name.to_owned(), operand)).collect())
}

fn scalar_keyword() -> impl Strategy<Value = (&'static str, Value)> {
    let types = vec!["string", "number", "integer", "boolean", "null", "array", "object"];
    prop_oneof![
        2 => select(types.clone()).prop_map(|name| ("type", json!(name))),
        1 => subsequence(types, 1..4).prop_map(|names| ("type", json!(names))),
        1 => (0..3).prop_map(|length| ("minLength", json!(length))),
        1 => (0..3).prop_map(|length| ("maxLength", json!(length))),
        1 => select(vec!["^a", "b$", "^[a-z]*$", r"\d", r"^\p{L}+$", "^(?:a|b)"])
            .prop_map(|pattern| ("pattern", json!(pattern))),
        1 => number().prop_map(|limit| ("minimum", limit)),
        1 => number().prop_map(|limit| ("maximum", limit)),
        1 => number().prop_map(|limit| ("exclusiveMinimum", limit)),
        1 => number().prop_map(|limit| ("exclusiveMaximum", limit)),
        1 => select(vec![json!(1), json!(2), json!(0.5), json!(0.1), json!(1e-8)])
            .prop_map(|of| ("multipleOf", of)),
    ]
}

fn container_keyword() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        2 => subsequence(NAMES.to_vec(), 0..3).prop_map(|names| ("required", json!(names))),
        1 => any::<bool>().prop_map(|allowed| ("additionalProperties", json!(allowed))),
        1 => (0..3).prop_map(|count| ("minItems", json!(count))),
        1 => (0..3).prop_map(|count| ("maxItems", json!(count))),
        1 => any::<bool>().prop_map(|wanted| ("uniqueItems", json!(wanted))),
        1 => any_value().prop_map(|value| ("default", value)),
    ]
}

/// Few numbers, so that limits and values meet.
fn number() -> impl Strategy<Value = Value> {
    select(vec![json!(0), json!(1), json!(1.0), json!(-1), json!(2), json!(0.5), json!(0.3), json!(1e20)])
}

fn scalar() -> impl Strategy<Value = Value> {
    let text = select(vec!["", "a", "ab", "a1", "é", "🐲", "aé🐲"]).prop_map(|text| json!(text));
    prop_oneof![2 => text, 2 => number(), 1 => select(vec![json!(null), json!(true), json!(false)])]
}

fn any_value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((select(&NAMES[..]), inner), 0..3).prop_map(|members| members
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()),
        ]
    })
}

/// Draws a value that a schema nearly allows: it follows the schema's shape, and strays now and then.
struct Sampler<'a> {
    root: &'a Value,
    dice: std::vec::IntoIter<u8>,
}

impl Sampler<'_> {
    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if depth > 6 || self.throw(12) == 0 {
            return self.stray();
        }
        if let Some(target) = schema.get("$ref") {
            let name = if target == "#/$defs/a" { "a" } else { NAMES[3] };
            return self.value(&self.root["$defs"][name], depth + 1);
        }
        if let Some(value) = schema.get("const") {
            return value.clone();
        }
        for list in ["enum", "anyOf"] {
            if let Some(choices) = schema.get(list).and_then(Value::as_array) {
                let chosen = &choices[self.throw(choices.len())];
                return if list == "enum" { chosen.clone() } else { self.value(chosen, depth + 1) };
            }
        }
        let types = match &schema["type"] {
            Value::Array(types) => &types[..],
            one => std::slice::from_ref(one),
        };
        match types[self.throw(types.len())].as_str() {
            Some("object") => self.object(schema, depth),
            Some("array") => {
                let count = self.throw(4);
                (0..count).map(|_| self.value(&schema["items"], depth + 1)).collect()
            }
            Some("string") => self.pick(&[json!(""), json!("a"), json!("ab"), json!("a1"), json!("é🐲")]),
            Some("number") => self.pick(&[json!(0), json!(1.0), json!(0.3), json!(2.5), json!(1e20)]),
            Some("integer") => self.pick(&[json!(0), json!(1.0), json!(2), json!(-1), json!(1e20)]),
            Some("boolean") => self.pick(&[json!(true), json!(false)]),
            Some("null") => Value::Null,
            _ => self.stray(),
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let required = schema["required"].as_array().map_or(&[][..], |names| names);
        let mut object = Map::new();
        for name in NAMES {
            let sub = schema["properties"].get(name);
            let odds = if required.iter().any(|it| it == name) { 8 } else { 2 };
            if (sub.is_some() || odds == 8) && self.throw(odds) > 0 {
                object.insert(name.to_owned(), self.value(sub.unwrap_or(&Value::Null), depth + 1));
            }
        }
        Value::Object(object)
    }

    fn stray(&mut self) -> Value {
        self.pick(&[
            json!(null),
            json!(1),
            json!("a"),
            json!([]),
            json!([1, 1.0]),
            json!({}),
            json!({"b": "ab"}),
        ])
    }

    fn pick(&mut self, values: &[Value]) -> Value {
        values[self.throw(values.len())].clone()
    }

    /// One of `sides` numbers from zero up; without dice left, zero is none but the last.
    fn throw(&mut self, sides: usize) -> usize {
        self.dice.next().map_or(sides - 1, |byte| usize::from(byte) % sides)
    }
}
