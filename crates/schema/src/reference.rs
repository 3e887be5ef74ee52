//! `$ref`: only ever to one of the document's own `$defs`.

use std::borrow::Cow;

use agent_surface_json::Json;

/// The name that `target` looks up in `$defs`; `None` where it points at anything else.
///
/// `target` is a URI fragment (RFC 3986, 3.5) that holds a JSON Pointer (RFC 6901, 6), so the name is
/// percent-encoded outside and has `~0` and `~1` inside. Converters often leave out the former, so a character
/// that a URI would have to encode may also stand for itself.
pub(crate) fn definition_name(target: &str) -> Option<Cow<'_, str>> {
    let encoded = target.strip_prefix("#/$defs/")?;
    if encoded.contains('/') {
        return None;
    }
    if !encoded.bytes().any(|byte| matches!(byte, b'%' | b'~')) {
        return Some(Cow::Borrowed(encoded));
    }
    let name = percent_decode(encoded)?;
    let mut rest = name.split('~');
    let mut unescaped = rest.next()?.to_owned();
    for part in rest {
        let (escape, plain) = part.split_at_checked(1)?;
        unescaped.push(match escape {
            "0" => '~',
            "1" => '/',
            _ => return None,
        });
        unescaped.push_str(plain);
    }
    Some(Cow::Owned(unescaped))
}

fn percent_decode(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let (octet, plain) = part.split_at_checked(2)?;
        // `from_str_radix` alone would take a sign.
        if !octet.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        bytes.push(u8::from_str_radix(octet, 16).ok()?);
        bytes.extend_from_slice(plain.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// The definition of `root` that a `$ref` to `target` applies; `None` where it points at none of its `$defs`.
#[must_use]
pub fn resolve<'a>(root: &'a Json, target: &str) -> Option<&'a Json> {
    root.get("$defs")?.get(&definition_name(target)?)
}

/// Whether `schema` applies itself again to the very same value, through `$ref` and `anyOf` alone.
pub(crate) fn is_endless(root: &Json, schema: &Json) -> bool {
    let mut open = same_value(root, schema);
    // Addresses in order: a schema is the same only where it stands, not where another one reads alike.
    let mut seen: Vec<*const Json> = Vec::new();
    while let Some(next) = open.pop() {
        if std::ptr::eq(next, schema) {
            return true;
        }
        if let Err(at) = seen.binary_search(&std::ptr::from_ref(next)) {
            seen.insert(at, next);
            open.extend(same_value(root, next));
        }
    }
    false
}

/// The schemas that `schema` applies to the value it is itself applied to.
fn same_value<'a>(root: &'a Json, schema: &'a Json) -> Vec<&'a Json> {
    let definition = schema.get("$ref").and_then(Json::as_str).and_then(|target| resolve(root, target));
    let variants = schema.get("anyOf").and_then(Json::as_array).unwrap_or_default();
    definition.into_iter().chain(variants).collect()
}

#[cfg(test)]
mod tests {
    use agent_surface_json::{Json, parse};

    use super::{definition_name, is_endless};

    #[test]
    fn a_name_is_unescaped_as_fragment_and_then_as_pointer() {
        assert_eq!(definition_name("#/$defs/node").as_deref(), Some("node"));
        assert_eq!(definition_name("#/$defs/a%20b").as_deref(), Some("a b"));
        assert_eq!(definition_name("#/$defs/a~1b~0c").as_deref(), Some("a/b~c"));
        assert_eq!(definition_name("#/$defs/a~01").as_deref(), Some("a~1"));
        assert_eq!(definition_name("#/$defs/%7E1%C3%A4").as_deref(), Some("/ä"));
        assert_eq!(definition_name("#/$defs/").as_deref(), Some(""));
    }

    #[test]
    fn what_is_no_definition_has_no_name() {
        for target in [
            "",
            "#",
            "#node",
            "#/$defs",
            "#/$defs/a/b",
            "#/$defs/a~2",
            "#/$defs/a~",
            "#/properties/a",
            "x#/$defs/a",
        ] {
            assert_eq!(definition_name(target), None, "{target}");
        }
        for target in ["#/$defs/%", "#/$defs/%4", "#/$defs/%+1", "#/$defs/%zz", "#/$defs/%ff", "#/$defs/%é"]
        {
            assert_eq!(definition_name(target), None, "{target}");
        }
    }

    fn document(defs: &str) -> Json {
        parse(&format!(r#"{{"$defs": {defs}}}"#)).unwrap()
    }

    fn endless(defs: &str) -> bool {
        let root = document(defs);
        is_endless(&root, root.get("$defs").unwrap().get("a").unwrap())
    }

    #[test]
    fn a_loop_through_references_and_variants_is_endless() {
        assert!(endless(r##"{"a": {"$ref": "#/$defs/a"}}"##));
        assert!(endless(r##"{"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}"##));
        assert!(endless(r##"{"a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/a"}]}}"##));
    }

    #[test]
    fn a_loop_through_the_value_ends_with_it() {
        assert!(!endless(r##"{"a": {"properties": {"next": {"$ref": "#/$defs/a"}}}}"##));
        assert!(!endless(r##"{"a": {"items": {"anyOf": [{"$ref": "#/$defs/a"}]}}}"##));
    }

    #[test]
    fn leading_into_a_loop_is_not_being_part_of_it() {
        assert!(!endless(r##"{"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/b"}}"##));
    }
}
