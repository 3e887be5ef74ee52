//! Reading JSON text (RFC 8259), strictly.

use std::fmt;

use crate::{Json, Number, Object};

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

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind.describe(), self.offset)
    }
}

impl std::error::Error for ParseError {}

/// Reads one JSON value, and nothing but white space around it.
///
/// # Errors
/// The first violation of RFC 8259 or I-JSON (RFC 7493), with its byte offset.
pub fn parse(text: &str) -> Result<Json, ParseError> {
    let mut parser = Parser { text, at: 0 };
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
}

impl Parser<'_> {
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
        let mut offsets = Vec::new();
        self.white_space();
        if !self.eat(b'}') {
            loop {
                self.white_space();
                offsets.push(self.at);
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
        Object::from_members(members)
            .map(Json::Object)
            .map_err(|index| ParseError { offset: offsets[index], kind: ParseErrorKind::DuplicateKey })
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
            let start = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0x00..=0x1F)) {
                self.at += 1;
            }
            out.push_str(&self.text[start..self.at]);
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

    fn escape(&mut self) -> Result<char, ParseError> {
        let start = self.at;
        let error = |kind| ParseError { offset: start, kind };
        self.at += 1;
        let letter = self.peek().ok_or(error(ParseErrorKind::UnexpectedEnd))?;
        self.at += 1;
        Ok(match letter {
            b'"' | b'\\' | b'/' => letter.into(),
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.code_unit().ok_or(error(ParseErrorKind::InvalidEscape))?;
                let mut units = vec![first];
                if (0xD800..0xDC00).contains(&first) && self.eat(b'\\') {
                    if !self.eat(b'u') {
                        return Err(error(ParseErrorKind::LoneSurrogate));
                    }
                    units.push(self.code_unit().ok_or(error(ParseErrorKind::InvalidEscape))?);
                }
                // A pair decodes to one character; anything else is half a pair, alone or twice.
                match char::decode_utf16(units).collect::<Result<Vec<_>, _>>().as_deref() {
                    Ok([character]) => *character,
                    _ => return Err(error(ParseErrorKind::LoneSurrogate)),
                }
            }
            _ => return Err(error(ParseErrorKind::InvalidEscape)),
        })
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
