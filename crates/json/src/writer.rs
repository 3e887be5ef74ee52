//! Printing without a value in between: an object's members as they come.

use crate::{Json, push_canonical_string};

/// Writes one JSON object. Names are written as they are: they are the program's own, and plain.
///
/// ```
/// use agent_surface_json::ObjectWriter;
///
/// let mut out = String::new();
/// let mut object = ObjectWriter::begin(&mut out);
/// object.text("name", "a");
/// object.integer("count", 2);
/// object.end();
/// assert_eq!(out, r#"{"name":"a","count":2}"#);
/// ```
#[derive(Debug)]
pub struct ObjectWriter<'a> {
    out: &'a mut String,
    separator: char,
}

impl<'a> ObjectWriter<'a> {
    /// Begins an object at the end of `out`.
    pub fn begin(out: &'a mut String) -> Self {
        Self { out, separator: '{' }
    }

    /// Begins a member: its value is what the caller appends.
    pub fn member(&mut self, name: &str) -> &mut String {
        self.out.push(self.separator);
        self.separator = ',';
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    /// A member that is a string.
    pub fn text(&mut self, name: &str, value: &str) {
        push_canonical_string(value, self.member(name));
    }

    /// A member that is a string, or no member.
    pub fn optional(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    /// A member that is a whole number. Beyond 2^53 JavaScript reads its nearest double.
    pub fn integer(&mut self, name: &str, value: u64) {
        push_integer(value, self.member(name));
    }

    /// A member that is true or false.
    pub fn flag(&mut self, name: &str, value: bool) {
        self.raw(name, if value { "true" } else { "false" });
    }

    /// A member in its canonical form.
    pub fn json(&mut self, name: &str, value: &Json) {
        value.push_canonical(self.member(name));
    }

    /// A member that is a list, of whatever `push` appends for each item.
    pub fn list<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        push: impl FnMut(T, &mut String),
    ) {
        push_list(items, self.member(name), push);
    }

    /// A member that is JSON text already.
    pub fn raw(&mut self, name: &str, value: &str) {
        self.member(name).push_str(value);
    }

    /// Ends the object.
    pub fn end(self) {
        if self.separator == '{' {
            self.out.push('{');
        }
        self.out.push('}');
    }
}

/// Appends a list, of whatever `push` appends for each item.
pub fn push_list<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut push: impl FnMut(T, &mut String),
) {
    out.push('[');
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        push(item, out);
    }
    out.push(']');
}

/// Appends the decimal digits of `value`, without the machinery of `fmt`.
pub fn push_integer(value: u64, out: &mut String) {
    if value >= 10 {
        push_integer(value / 10, out);
    }
    out.push(char::from(b'0' + (value % 10) as u8));
}

/// The decimal digits of `value`: what `to_string` gives, which brings that machinery into a page.
#[must_use]
pub fn digits(value: u64) -> String {
    let mut digits = String::new();
    push_integer(value, &mut digits);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    #[test]
    fn an_object_without_members_is_one_too() {
        let mut out = String::new();
        ObjectWriter::begin(&mut out).end();
        assert_eq!(out, "{}");
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut out = String::new();
        let mut object = ObjectWriter::begin(&mut out);
        object.text("text", "\"é\n");
        object.optional("absent", None);
        object.flag("flag", true);
        object.json("json", &parse("[1]").unwrap());
        object.raw("raw", "null");
        object.end();
        assert_eq!(out, r#"{"text":"\"é\n","flag":true,"json":[1],"raw":null}"#);
        assert!(parse(&out).is_ok());
    }

    #[test]
    fn integers_print_as_rust_prints_them() {
        for value in [0, 7, 10, 1234, u64::MAX] {
            let mut out = String::new();
            push_integer(value, &mut out);
            assert_eq!(out, value.to_string());
        }
    }
}
