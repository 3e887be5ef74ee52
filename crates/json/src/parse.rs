//! Reading JSON text (RFC 8259), strictly.

use std::fmt;

use crate::{Json, Number, Object, digits};

/// How deep arrays and objects may nest. Far beyond any contract, and far within any stack.
pub const MAX_DEPTH: usize = 128;

/// Why a text is not the JSON we take, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The byte offset in the text.
    pub offset: usize,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseErrorKind {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// A character that no value, separator or bracket can have at this place.
    UnexpectedCharacter,
    /// More than white space after the value.
    TrailingCharacters,
    /// An escape that JSON does not have.
    InvalidEscape,
    /// Half of a surrogate pair: no Unicode text has it.
    LoneSurrogate,
    /// A control character that must be written as an escape.
    ControlCharacter,
    /// A number beyond the range of a double.
    NumberOutOfRange,
    /// A key that this object has already.
    DuplicateKey,
    /// Nesting beyond [`MAX_DEPTH`].
    TooDeep,
}

impl ParseErrorKind {
    /// What is wrong, in a few words that go before `at byte …`.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::UnexpectedEnd => "the text ends too early",
            Self::UnexpectedCharacter => "unexpected character",
            Self::TrailingCharacters => "unexpected text after the value",
            Self::InvalidEscape => "unknown escape in a string",
            Self::LoneSurrogate => "half of a surrogate pair, which no Unicode text has",
            Self::ControlCharacter => "unescaped control character in a string",
            Self::NumberOutOfRange => "number beyond the range of a double",
            Self::DuplicateKey => "the object has this key already",
            Self::TooDeep => "nested too deep",
        }
    }
}

impl ParseError {
    /// What is wrong, and at which byte.
    #[must_use]
    pub fn message(&self) -> String {
        [self.kind.describe(), " at byte ", &digits(self.offset as u64)].concat()
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ParseError {}

/// Reads one JSON value, and nothing but white space around it.
///
/// # Errors
/// The first violation of RFC 8259 or I-JSON (RFC 7493), with its byte offset. A repeated key counts where its
/// object ends, and is told by the offset of the repetition.
pub fn parse(text: &str) -> Result<Json, ParseError> {
    let mut parser = Parser { text, at: 0, key_offsets: Vec::new() };
    let value = parser.value(0)?;
    parser.white_space();
    if parser.at < text.len() {
        return Err(parser.error(ParseErrorKind::TrailingCharacters));
    }
    Ok(value)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Where the keys of the objects that are open stand, the outermost object's first.
    key_offsets: Vec<usize>,
}

impl<'a> Parser<'a> {
    fn value(&mut self, depth: usize) -> Result<Json, ParseError> {
        self.white_space();
        match self.peek() {
            None => Err(self.error(ParseErrorKind::UnexpectedEnd)),
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number().map(Json::Number),
            Some(b't') => self.keyword("true", Json::Bool(true)),
            Some(b'f') => self.keyword("false", Json::Bool(false)),
            Some(b'n') => self.keyword("null", Json::Null),
            Some(_) => Err(self.error(ParseErrorKind::UnexpectedCharacter)),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, ParseError> {
        self.open(depth)?;
        let mut members = Vec::new();
        let outer_keys = self.key_offsets.len();
        self.white_space();
        if !self.eat(b'}') {
            loop {
                self.white_space();
                self.key_offsets.push(self.at);
                if self.peek() != Some(b'"') {
                    return Err(self.unexpected());
                }
                let key = self.string()?;
                self.white_space();
                self.expect(b':')?;
                members.push((key, self.value(depth + 1)?));
                self.white_space();
                if self.eat(b'}') {
                    break;
                }
                self.expect(b',')?;
            }
        }
        let object = Object::from_members(members).map(Json::Object).map_err(|index| ParseError {
            offset: self.key_offsets[outer_keys + index],
            kind: ParseErrorKind::DuplicateKey,
        });
        self.key_offsets.truncate(outer_keys);
        object
    }

    fn array(&mut self, depth: usize) -> Result<Json, ParseError> {
        self.open(depth)?;
        let mut items = Vec::new();
        self.white_space();
        if self.eat(b']') {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.white_space();
            if self.eat(b']') {
                return Ok(Json::Array(items));
            }
            self.expect(b',')?;
        }
    }

    fn open(&mut self, depth: usize) -> Result<(), ParseError> {
        if depth >= MAX_DEPTH {
            return Err(self.error(ParseErrorKind::TooDeep));
        }
        self.at += 1;
        Ok(())
    }

    fn keyword(&mut self, word: &str, value: Json) -> Result<Json, ParseError> {
        for expected in word.bytes() {
            if self.peek() != Some(expected) {
                return Err(self.unexpected());
            }
            self.at += 1;
        }
        Ok(value)
    }

    fn number(&mut self) -> Result<Number, ParseError> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Number::from_literal(&self.text[start..self.at])
            .ok_or(ParseError { offset: start, kind: ParseErrorKind::NumberOutOfRange })
    }

    fn digits(&mut self) -> Result<(), ParseError> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected()) } else { Ok(()) }
    }

    fn string(&mut self) -> Result<String, ParseError> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let plain = self.plain_characters();
            out.push_str(plain);
            self.at += plain.len();
            match self.peek() {
                None => return Err(self.error(ParseErrorKind::UnexpectedEnd)),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => out.push(self.escape()?),
                Some(_) => return Err(self.error(ParseErrorKind::ControlCharacter)),
            }
        }
    }

    /// What stands between here and the next character that means something in a string.
    fn plain_characters(&self) -> &'a str {
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0x00..=0x1F));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Reads an escape; what is wrong with one is told by the offset of its backslash.
    fn escape(&mut self) -> Result<char, ParseError> {
        let start = self.at;
        self.at += 1;
        let letter = self.peek().ok_or(self.error(ParseErrorKind::UnexpectedEnd))?;
        self.at += 1;
        match letter {
            b'"' | b'\\' | b'/' => Ok(letter.into()),
            b'b' => Ok('\u{8}'),
            b'f' => Ok('\u{C}'),
            b'n' => Ok('\n'),
            b'r' => Ok('\r'),
            b't' => Ok('\t'),
            b'u' => self.unicode_escape(),
            _ => Err(ParseErrorKind::InvalidEscape),
        }
        .map_err(|kind| ParseError { offset: start, kind })
    }

    /// Reads what follows `\u`: four digits, or a surrogate pair in two escapes.
    fn unicode_escape(&mut self) -> Result<char, ParseErrorKind> {
        let first = self.code_unit().ok_or(ParseErrorKind::InvalidEscape)?;
        let mut units = [first, 0];
        let mut len = 1;
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            units[1] = self.code_unit().ok_or(ParseErrorKind::InvalidEscape)?;
            len = 2;
        }
        // A pair decodes to one character; anything else is half a pair, alone or before another unit.
        let mut characters = char::decode_utf16(units.into_iter().take(len));
        match (characters.next(), characters.next()) {
            (Some(Ok(character)), None) => Ok(character),
            _ => Err(ParseErrorKind::LoneSurrogate),
        }
    }

    fn code_unit(&mut self) -> Option<u16> {
        let digits = self.text.as_bytes().get(self.at..self.at + 4)?;
        let mut unit = 0;
        for digit in digits {
            unit = unit * 16 + char::from(*digit).to_digit(16)?;
        }
        self.at += 4;
        u16::try_from(unit).ok()
    }

    fn white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), ParseError> {
        if self.eat(byte) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn unexpected(&self) -> ParseError {
        self.error(match self.peek() {
            None => ParseErrorKind::UnexpectedEnd,
            Some(_) => ParseErrorKind::UnexpectedCharacter,
        })
    }

    fn error(&self, kind: ParseErrorKind) -> ParseError {
        ParseError { offset: self.at, kind }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (ParseErrorKind, usize) {
        let error = parse(text).unwrap_err();
        (error.kind, error.offset)
    }

    fn number(text: &str) -> f64 {
        parse(text).unwrap().as_number().unwrap().get()
    }

    fn string(text: &str) -> String {
        parse(text).unwrap().as_str().unwrap().to_owned()
    }

    fn nested(depth: usize) -> String {
        "[".repeat(depth) + &"]".repeat(depth)
    }

    #[test]
    fn a_text_that_ends_inside_a_value_is_refused_at_its_end() {
        for text in [
            "",
            "  ",
            "[",
            "[1",
            "[1,",
            "{",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "\"",
            "\"a",
            "\"\\",
            "-",
            "1.",
            "1e",
            "1e+",
            "tru",
            "n",
        ] {
            assert_eq!(error(text), (ParseErrorKind::UnexpectedEnd, text.len()), "{text:?}");
        }
    }

    #[test]
    fn what_no_value_begins_with_is_refused_where_it_stands() {
        for (text, offset) in [
            ("?", 0),
            (" NaN", 1),
            ("Infinity", 0),
            ("undefined", 0),
            ("'a'", 0),
            ("\u{FEFF}1", 0),
            ("+1", 0),
            (".5", 0),
            ("-.5", 1),
            ("-a", 1),
            ("1.e5", 2),
            ("1ex", 2),
            ("truE", 3),
            ("nul1", 3),
            ("[1 2]", 3),
            ("[,1]", 1),
            ("[1,]", 3),
            ("[1}", 2),
            ("{1:2}", 1),
            ("{\"a\" 1}", 5),
            ("{\"a\":1,}", 7),
            ("{\"a\":1]", 6),
            ("[01]", 2),
            ("/**/1", 0),
        ] {
            assert_eq!(error(text), (ParseErrorKind::UnexpectedCharacter, offset), "{text:?}");
        }
    }

    #[test]
    fn only_white_space_may_follow_the_value() {
        assert_eq!(parse(" \t\r\n1 \t\r\n").unwrap(), Json::from(1));
        for (text, offset) in
            [("1 2", 2), ("01", 1), ("-01", 2), ("1.2.3", 3), ("{} ,", 3), ("nullx", 4), ("1\u{A0}", 1)]
        {
            assert_eq!(error(text), (ParseErrorKind::TrailingCharacters, offset), "{text:?}");
        }
    }

    #[test]
    fn numbers_are_the_nearest_doubles() {
        for (text, value) in [
            ("0", 0.0),
            ("-1", -1.0),
            ("10", 10.0),
            ("1E2", 100.0),
            ("1e+2", 100.0),
            ("25e-1", 2.5),
            ("1e21", 1e21),
            ("5e-324", 5e-324),
            ("1.7976931348623157e308", f64::MAX),
            ("333333333.33333329", 333_333_333.333_333_3),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("1e-400", 0.0),
        ] {
            assert_eq!(number(text).to_bits(), value.to_bits(), "{text}");
        }
    }

    #[test]
    fn negative_zero_is_zero() {
        for text in ["-0", "-0.0", "-0e9", "-1e-400"] {
            assert_eq!(number(text).to_bits(), 0, "{text}");
        }
    }

    #[test]
    fn a_number_beyond_a_double_is_refused_where_it_begins() {
        assert_eq!(error("[1, 1e400]"), (ParseErrorKind::NumberOutOfRange, 4));
        assert_eq!(error("-1.8e308"), (ParseErrorKind::NumberOutOfRange, 0));
        assert_eq!(error(&"9".repeat(400)), (ParseErrorKind::NumberOutOfRange, 0));
    }

    #[test]
    fn every_escape_is_the_character_it_means() {
        assert_eq!(string(r#""\"\\\/\b\f\n\r\t""#), "\"\\/\u{8}\u{C}\n\r\t");
        assert_eq!(string(r#""\u0041\u00e9\u00E9\u0000""#), "Aéé\0");
        assert_eq!(string(r#""\uD83D\ude02""#), "\u{1F602}");
        assert_eq!(string("\"é\u{1F602}\u{7F}\""), "é\u{1F602}\u{7F}");
    }

    #[test]
    fn an_escape_that_json_does_not_have_is_refused_at_its_backslash() {
        for text in [
            r#""a\x41""#,
            r#""a\'""#,
            r#""a\U0041""#,
            r#""a\u00""#,
            r#""a\u+041""#,
            r#""a\u004é""#,
            r#""a\u00"#,
            r#""a\uD800\u12""#,
        ] {
            assert_eq!(error(text), (ParseErrorKind::InvalidEscape, 2), "{text}");
        }
    }

    #[test]
    fn half_of_a_surrogate_pair_is_refused() {
        for text in [
            r#""\uD83D""#,
            r#""\uDE02""#,
            r#""\uDE02\uD83D""#,
            r#""\uD83Dx""#,
            r#""\uD83D\n""#,
            r#""\uD83D\u0041""#,
            r#""\uD83D\uD83D""#,
        ] {
            assert_eq!(error(text), (ParseErrorKind::LoneSurrogate, 1), "{text}");
        }
    }

    #[test]
    fn a_control_character_must_be_escaped() {
        for control in '\0'..='\x1F' {
            let text = format!("\"a{control}\"");
            assert_eq!(error(&text), (ParseErrorKind::ControlCharacter, 2), "{text:?}");
        }
    }

    #[test]
    fn a_repeated_key_is_refused_at_its_repetition() {
        assert_eq!(error(r#"{"a":1,"b":2,"a":3}"#), (ParseErrorKind::DuplicateKey, 13));
        assert_eq!(error(r#"{"":1, "":1}"#), (ParseErrorKind::DuplicateKey, 7));
        assert_eq!(error(r#"{"b":1,"a":2,"b":3,"a":4}"#), (ParseErrorKind::DuplicateKey, 13));
        assert_eq!(error(r#"[{"a":1}, {"x":{"y":0,"z":1,"y":2}}]"#), (ParseErrorKind::DuplicateKey, 28));
    }

    #[test]
    fn a_key_is_the_same_however_it_is_spelled() {
        assert_eq!(error(r#"{"a":1,"\u0061":2}"#), (ParseErrorKind::DuplicateKey, 7));
        assert_eq!(error(r#"{"/":1,"\/":2}"#), (ParseErrorKind::DuplicateKey, 7));
    }

    #[test]
    fn different_objects_may_have_the_same_key() {
        let value = parse(r#"{"a":{"a":1},"b":[{"a":2},{"a":3}]}"#).unwrap();
        assert_eq!(value.get("a").and_then(|inner| inner.get("a")), Some(&Json::from(1)));
    }

    #[test]
    fn nesting_is_bounded() {
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(error(&nested(MAX_DEPTH + 1)), (ParseErrorKind::TooDeep, MAX_DEPTH));
        assert_eq!(error(&"[".repeat(1_000_000)), (ParseErrorKind::TooDeep, MAX_DEPTH));
        let objects = "{\"a\":".repeat(MAX_DEPTH + 1);
        assert_eq!(error(&objects), (ParseErrorKind::TooDeep, 5 * MAX_DEPTH));
    }

    #[test]
    fn the_error_says_what_and_where() {
        assert_eq!(parse("[1,\u{1}]").unwrap_err().to_string(), "unexpected character at byte 3");
    }
}
