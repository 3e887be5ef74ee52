//! Frames: how arguments come in. A frame is one text with field after field, in an order that both sides know.
//!
//! | field | is written |
//! |---|---|
//! | a text | its length in UTF-16 code units, `:`, and then the text |
//! | a whole number | its digits and `,` |
//! | yes or no | `1` or `0` |
//! | what is absent | `-` |
//! | a list | how many there are, as a number, and then each |
//!
//! So JavaScript writes it by adding texts up, and here nothing has to be unescaped. A JSON value is a text, which is
//! parsed where it is read. A frame that breaks these rules was not written by our other side: the call traps.

use std::process::abort;

use agent_surface_json::{Json, ParseError, parse};

/// Reads the fields of a frame, one after the other.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    rest: &'a str,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Whether the next field is absent; it is passed over then.
    fn absent(&mut self) -> bool {
        match self.rest.strip_prefix('-') {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// A field, unless it is absent.
    pub(crate) fn optional<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.absent() { None } else { Some(read(self)) }
    }

    pub(crate) fn text(&mut self) -> &'a str {
        let units = self.digits(b':') as usize;
        let length = byte_length(self.rest, units).unwrap_or_else(|| abort());
        let (text, rest) = self.rest.split_at(length);
        self.rest = rest;
        text
    }

    pub(crate) fn string(&mut self) -> String {
        self.text().to_owned()
    }

    pub(crate) fn number(&mut self) -> u32 {
        self.digits(b',')
    }

    pub(crate) fn flag(&mut self) -> bool {
        match self.letter() {
            b'0' => false,
            b'1' => true,
            _ => abort(),
        }
    }

    /// One ASCII character, for fields that are one of a few.
    pub(crate) fn letter(&mut self) -> u8 {
        let letter = self.rest.bytes().next().filter(u8::is_ascii).unwrap_or_else(|| abort());
        self.rest = &self.rest[1..];
        letter
    }

    /// A text that is one of the words of an enum.
    pub(crate) fn word<T>(&mut self, from_word: impl FnOnce(&str) -> Option<T>) -> T {
        from_word(self.text()).unwrap_or_else(|| abort())
    }

    pub(crate) fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.number()).map(|_| read(self)).collect()
    }

    pub(crate) fn strings(&mut self) -> Vec<String> {
        self.list(Self::string)
    }

    pub(crate) fn json(&mut self) -> Result<Json, ParseError> {
        parse(self.text())
    }

    fn digits(&mut self, end: u8) -> u32 {
        let mut value: u32 = 0;
        for (at, byte) in self.rest.bytes().enumerate() {
            if byte == end && at > 0 {
                self.rest = &self.rest[at + 1..];
                return value;
            }
            let digit = if byte.is_ascii_digit() { u32::from(byte - b'0') } else { abort() };
            value = value.checked_mul(10).and_then(|it| it.checked_add(digit)).unwrap_or_else(|| abort());
        }
        abort()
    }
}

/// How many bytes the first `units` UTF-16 code units of `text` are; `None` where it has none that end there.
fn byte_length(text: &str, units: usize) -> Option<usize> {
    // Nearly every text is ASCII, where a byte is a unit.
    if text.as_bytes().get(..units)?.is_ascii() {
        return Some(units);
    }
    let mut left = units;
    for (at, character) in text.char_indices() {
        if left == 0 {
            return Some(at);
        }
        left = left.checked_sub(character.len_utf16())?;
    }
    (left == 0).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_in_the_order_in_which_they_were_written() {
        let mut frame = Frame::new("5:a,:-1-42,10-2,1:a1:b4294967295,");
        assert_eq!(frame.text(), "a,:-1");
        assert_eq!(frame.optional(Frame::text), None);
        assert_eq!(frame.number(), 42);
        assert_eq!([frame.flag(), frame.flag()], [true, false]);
        assert_eq!(frame.optional(Frame::flag), None);
        assert_eq!(frame.strings(), ["a", "b"]);
        assert_eq!(frame.number(), u32::MAX);
        assert_eq!(frame.rest, "");
    }

    #[test]
    fn lengths_are_counted_as_javascript_counts_them() {
        for (text, units) in [("", 0), ("abc", 3), ("é", 1), ("😀", 2), ("a😀é", 4), ("\u{fffd}", 1)] {
            let written = format!("{units}:{text}-");
            let mut frame = Frame::new(&written);
            assert_eq!(frame.text(), text);
            assert_eq!(frame.rest, "-");
        }
    }

    #[test]
    fn a_length_that_ends_within_a_character_is_none() {
        assert_eq!(byte_length("😀", 1), None);
        assert_eq!(byte_length("é", 2), None);
    }
}
