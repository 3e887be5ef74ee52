//! The schema checker and the validator.

use agent_surface_json::{Json, Object, Pointer, parse};
use agent_surface_schema::{Limits, NativePatterns, check, validate};

/// Stands between the schema and the value that is held against it.
const BETWEEN: u8 = 0;

/// Checking and validating end, say the same each time, and keep their words: refusals stand at places of the document,
/// a value satisfies the schemas that only say that it is itself, and what holds for a value holds for it in a list.
pub fn check_schema(bytes: &[u8]) {
    let (schema, value) = match bytes.iter().position(|&byte| byte == BETWEEN) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, bytes),
    };
    let [Some(schema), Some(value)] = [read(schema), read(value)] else { return };
    let patterns = NativePatterns::default();
    let limits = Limits::default();

    let refusals = check(&schema, limits, &patterns).err().unwrap_or_default();
    assert_eq!(check(&schema, limits, &patterns).err().unwrap_or_default(), refusals, "twice the same");
    for refusal in &refusals {
        assert!(is_place(&schema, &refusal.pointer, Pointer::root()), "{refusal} stands nowhere");
    }
    // A schema that was never checked is no reason to break either.
    let issues = validate(&schema, &value, &patterns);
    assert_eq!(validate(&schema, &value, &patterns), issues, "twice the same");

    let itself = object("const", value.clone());
    assert_eq!(validate(&itself, &value, &patterns), [], "a value is what it is");
    let one_of_one = object("enum", Json::Array(vec![value.clone()]));
    assert_eq!(validate(&one_of_one, &value, &patterns), [], "a value is one of itself");

    if refusals.is_empty() && !schema.to_canonical().contains("\"$") {
        let list = object("items", schema);
        if check(&list, limits, &patterns).is_ok() {
            let wrapped = validate(&list, &Json::Array(vec![value]), &patterns);
            assert_eq!(wrapped.is_empty(), issues.is_empty(), "{wrapped:?} in a list, {issues:?} alone");
        }
    }
}

fn read(bytes: &[u8]) -> Option<Json> {
    parse(std::str::from_utf8(bytes).ok()?).ok()
}

fn object(keyword: &str, value: Json) -> Json {
    let mut object = Object::new();
    object.insert(keyword, value);
    object.into()
}

/// Whether `place` is one of `value`'s, which stands at `at`.
fn is_place(value: &Json, place: &Pointer, at: Pointer) -> bool {
    if *place == at {
        return true;
    }
    if !place.as_str().starts_with(at.as_str()) {
        return false;
    }
    match value {
        Json::Array(items) => {
            items.iter().enumerate().any(|(index, item)| is_place(item, place, at.item(index)))
        }
        Json::Object(members) => {
            members.iter().any(|(name, member)| is_place(member, place, at.member(name)))
        }
        _ => false,
    }
}
