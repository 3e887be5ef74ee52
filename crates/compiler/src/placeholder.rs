//! Placeholders: what stands in a module for a value that is known only once the graph is complete.
//!
//! A placeholder is the only argument of a `JSON.parse`: a call that no bundler folds, inlines or copies into
//! another chunk, and whose string a minifier may quote as it likes. Its key is a hash of the module it stands
//! in, so that no text of the app is taken for one.

use std::ops::Range;

use crate::message::Output;
use crate::source_map::source_map;

/// How every placeholder begins.
pub(crate) const PREFIX: &str = "@agent-surface/placeholder:";

/// Hex digits of a key.
const KEY_LENGTH: usize = 32;

/// The key of the placeholders of one module, by its name and the hash of its text.
pub(crate) fn key(origin: &str, text: &blake3::Hash) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(text.as_bytes()).update(origin.as_bytes());
    hasher.finalize().to_hex()[..KEY_LENGTH].to_owned()
}

/// The expression that evaluates to a placeholder's value.
pub(crate) fn expression(name: &str) -> String {
    format!("/* @__PURE__ */ JSON.parse(\"{PREFIX}{name}\")")
}

/// The expression that evaluates to a value that is known already.
pub(crate) fn expression_of(value: &str) -> String {
    format!("/* @__PURE__ */ JSON.parse({})", string_literal(value))
}

/// Whether a text is the expression of a placeholder, quoted and spaced as it may be.
pub(crate) fn is_expression(text: &str, name: &str) -> bool {
    let inner = text.strip_prefix("JSON.parse(").and_then(|text| text.strip_suffix(')')).map(str::trim);
    inner.is_some_and(|literal| {
        let mut found = find(literal);
        matches!((found.next(), found.next()), (Some((range, found)), None) if found == name && range == (0..literal.len()))
    })
}

/// Puts values in the place of the placeholders of a chunk. None where it has none that `value` knows.
pub(crate) fn replace<'v>(
    code: &str,
    with_map: bool,
    value: impl Fn(&str) -> Option<&'v str>,
) -> Option<Output> {
    let edits: Vec<(Range<usize>, String)> =
        find(code).filter_map(|(range, name)| Some((range, string_literal(value(name)?)))).collect();
    if edits.is_empty() {
        return None;
    }
    let mut replaced =
        String::with_capacity(code.len() + edits.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut end = 0;
    for (range, text) in &edits {
        replaced.push_str(&code[end..range.start]);
        replaced.push_str(text);
        end = range.end;
    }
    replaced.push_str(&code[end..]);
    let map = with_map.then(|| source_map(code, "", edits));
    Some(Output { code: replaced, map })
}

/// The string literals that are a placeholder: their range with the quotes, and the placeholder's name.
fn find(code: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    code.match_indices(PREFIX).filter_map(|(start, _)| {
        let name_start = start + PREFIX.len();
        let quote = *code.as_bytes().get(start.checked_sub(1)?)?;
        if !matches!(quote, b'"' | b'\'' | b'`') {
            return None;
        }
        let length =
            code[name_start..].find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == ':'))?;
        let end = name_start + length;
        (code.as_bytes().get(end) == Some(&quote)).then(|| (start - 1..end + 1, &code[name_start..end]))
    })
}

/// A JavaScript string literal of JSON text. Single quotes leave JSON's own as they are.
fn string_literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('\'');
    let mut previous = ' ';
    for letter in text.chars() {
        match letter {
            '\\' => literal.push_str("\\\\"),
            '\'' => literal.push_str("\\'"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\u{2028}' => literal.push_str("\\u2028"),
            '\u{2029}' => literal.push_str("\\u2029"),
            // A chunk may be inlined into a page, where `</script` and `<!--` end or bend a script.
            '/' | '!' if previous == '<' => {
                literal.push('\\');
                literal.push(letter);
            }
            _ => literal.push(letter),
        }
        previous = letter;
    }
    literal.push('\'');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(code: &str) -> Option<String> {
        replace(code, false, |name| (name == "k1:0:proof").then_some(r#"{"a":"it's \"</script>"}"#))
            .map(|output| output.code)
    }

    #[test]
    fn a_placeholder_is_replaced_in_any_quotes() {
        for quote in ['"', '\'', '`'] {
            let code = format!("f(JSON.parse({quote}{PREFIX}k1:0:proof{quote}), 1)");
            assert_eq!(replaced(&code).unwrap(), r#"f(JSON.parse('{"a":"it\'s \\"<\/script>"}'), 1)"#);
        }
    }

    #[test]
    fn text_that_only_looks_like_one_is_left_alone() {
        for code in [
            format!("// {PREFIX}k1:0:proof"),
            format!("\"see {PREFIX}k1:0:proof\""),
            format!("\"{PREFIX}k1:0:proof and more\""),
            format!("\"{PREFIX}k2:0:proof\""),
            format!("\"{PREFIX}k1:0:proof'"),
            PREFIX.to_owned(),
        ] {
            assert_eq!(replaced(&code), None, "{code}");
        }
    }

    #[test]
    fn the_key_depends_on_the_module_and_its_text_alone() {
        let (x, y) = (blake3::hash(b"x"), blake3::hash(b"y"));
        assert_eq!(key("src/a.ts", &x), key("src/a.ts", &x));
        assert_ne!(key("src/a.ts", &x), key("src/b.ts", &x));
        assert_ne!(key("src/a.ts", &x), key("src/a.ts", &y));
        assert_eq!(key("src/a.ts", &x).len(), KEY_LENGTH);
    }
}
