//! Printing: RFC 8785, compact, and the indented form in which a contract file is kept.

use crate::{Json, Object};

impl Json {
    /// The canonical form of RFC 8785, without a final newline.
    #[must_use]
    pub fn to_canonical(&self) -> String {
        let mut out = String::new();
        self.push_canonical(&mut out);
        out
    }

    /// Appends the canonical form of RFC 8785 to `out`: for whoever prints many values into one buffer.
    pub fn push_canonical(&self, out: &mut String) {
        Printer { out, indent: None }.value(self, 0);
    }

    /// The canonical order and spelling, indented by two spaces, as `JSON.stringify(value, null, 2)` lays it
    /// out; without a final newline.
    #[must_use]
    pub fn to_pretty(&self) -> String {
        let mut out = String::new();
        Printer { out: &mut out, indent: Some("  ") }.value(self, 0);
        out
    }
}

impl Object {
    /// Appends the canonical form of RFC 8785 to `out`.
    pub fn push_canonical(&self, out: &mut String) {
        Printer { out, indent: None }.object(self, 0);
    }
}

/// Appends `text` to `out` as the canonical JSON string.
pub fn push_canonical_string(text: &str, out: &mut String) {
    Printer { out, indent: None }.string(text);
}

/// Lays compact JSON out as [`Json::to_pretty`] does the value of it: for whoever has printed it already.
#[must_use]
pub fn indent(compact: &str) -> String {
    let mut out = String::with_capacity(compact.len() + compact.len() / 2);
    let mut printer = Printer { out: &mut out, indent: Some("  ") };
    let bytes = compact.as_bytes();
    let (mut depth, mut at, mut plain) = (0usize, 0, 0);
    while let Some(byte) = bytes.get(at) {
        at = if *byte == b'"' { end_of_string(bytes, at) } else { at + 1 };
        match byte {
            b'{' | b'[' if matches!(bytes.get(at), Some(b'}' | b']')) => at += 1,
            b'{' | b'[' | b',' => {
                depth += usize::from(*byte != b',');
                printer.out.push_str(&compact[plain..at]);
                printer.line(depth);
                plain = at;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                printer.out.push_str(&compact[plain..at - 1]);
                printer.line(depth);
                plain = at - 1;
            }
            b':' => {
                printer.out.push_str(&compact[plain..at]);
                printer.out.push(' ');
                plain = at;
            }
            _ => {}
        }
    }
    printer.out.push_str(&compact[plain..]);
    out
}

/// Where a string ends that begins at an offset, behind its quote.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    bytes.len()
}

struct Printer<'a> {
    out: &'a mut String,
    indent: Option<&'static str>,
}

impl Printer<'_> {
    fn value(&mut self, value: &Json, depth: usize) {
        match value {
            Json::Null => self.out.push_str("null"),
            Json::Bool(true) => self.out.push_str("true"),
            Json::Bool(false) => self.out.push_str("false"),
            Json::Number(number) => number.print_into(self.out),
            Json::String(text) => self.string(text),
            Json::Array(items) => self.array(items, depth),
            Json::Object(object) => self.object(object, depth),
        }
    }

    fn array(&mut self, items: &[Json], depth: usize) {
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            self.separate(index, depth + 1);
            self.value(item, depth + 1);
        }
        self.close(']', items.is_empty(), depth);
    }

    fn object(&mut self, object: &Object, depth: usize) {
        self.out.push('{');
        for (index, (key, value)) in object.iter().enumerate() {
            self.separate(index, depth + 1);
            self.string(key);
            self.out.push_str(if self.indent.is_some() { ": " } else { ":" });
            self.value(value, depth + 1);
        }
        self.close('}', object.is_empty(), depth);
    }

    fn separate(&mut self, index: usize, depth: usize) {
        if index > 0 {
            self.out.push(',');
        }
        self.line(depth);
    }

    fn close(&mut self, bracket: char, empty: bool, depth: usize) {
        if !empty {
            self.line(depth);
        }
        self.out.push(bracket);
    }

    fn line(&mut self, depth: usize) {
        if let Some(indent) = self.indent {
            self.out.push('\n');
            for _ in 0..depth {
                self.out.push_str(indent);
            }
        }
    }

    /// RFC 8785, 3.2.2.2: the two-character escapes where JSON has one, `\u00xx` for the other controls.
    fn string(&mut self, text: &str) {
        self.out.push('"');
        let mut plain = 0;
        for (at, byte) in text.bytes().enumerate() {
            let escape = match byte {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                0x08 => "\\b",
                0x09 => "\\t",
                0x0A => "\\n",
                0x0C => "\\f",
                0x0D => "\\r",
                0x00..=0x1F => "\\u00",
                _ => continue,
            };
            self.out.push_str(&text[plain..at]);
            self.out.push_str(escape);
            if escape.len() == 4 {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                self.out.push(HEX[usize::from(byte >> 4)].into());
                self.out.push(HEX[usize::from(byte & 15)].into());
            }
            plain = at + 1;
        }
        self.out.push_str(&text[plain..]);
        self.out.push('"');
    }
}

#[cfg(test)]
mod tests {
    use super::indent;
    use crate::{Json, Object, parse, push_canonical_string};

    #[test]
    fn compact_text_is_laid_out_as_its_value_is() {
        for text in [
            "1",
            "[]",
            "{}",
            r#"{"a":[],"b":{}}"#,
            r#"[[],[[]],{"a":{}}]"#,
            r#"{"a":[1,2,{"b":null}],"c":"{\"x\":[1,2]}","\\":"a:b,c\\"}"#,
            r#"["é","\u0001",-0.5]"#,
        ] {
            let value = parse(text).unwrap();
            assert_eq!(indent(&value.to_canonical()), value.to_pretty(), "{text}");
        }
    }

    #[test]
    fn canonical_json_has_no_white_space_and_ordered_keys() {
        let value =
            parse(r#" { "b" : [ 1 , { } , [ ] ] , "a" : null , "C" : true , "c" : false } "#).unwrap();
        assert_eq!(value.to_canonical(), r#"{"C":true,"a":null,"b":[1,{},[]],"c":false}"#);
    }

    #[test]
    fn only_what_must_be_escaped_is_and_the_shortest_way() {
        let mut out = String::new();
        push_canonical_string("\"\\/\u{8}\t\n\u{C}\r\0\u{1F} \u{7F}\u{2028}é\u{1F602}", &mut out);
        assert_eq!(out, "\"\\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f \u{7F}\u{2028}é\u{1F602}\"");
    }

    #[test]
    fn the_indented_form_is_laid_out_as_json_stringify_does() {
        let value = parse(r#"{"b":[1,[],{}],"a":{"x":"y"},"c":[]}"#).unwrap();
        let expected = r#"{
  "a": {
    "x": "y"
  },
  "b": [
    1,
    [],
    {}
  ],
  "c": []
}"#;
        assert_eq!(value.to_pretty(), expected);
        assert_eq!(Json::from(Object::new()).to_pretty(), "{}");
        assert_eq!(Json::Null.to_pretty(), "null");
    }

    #[test]
    fn appending_leaves_what_was_there() {
        let mut out = String::from("value=");
        Json::from(vec![1, 2]).push_canonical(&mut out);
        assert_eq!(out, "value=[1,2]");
    }
}
