//! Reading JSON of a known shape: every member has its type, and no member is unknown.
//!
//! A refusal names its place by JSON Pointer. The place is a chain of borrowed steps on the stack, so that
//! reading a good document allocates nothing for it.

use std::fmt;

use agent_surface_json::{Json, Object, Pointer};

use crate::Digest;

/// Where a manifest or an entry does not have the shape of format 5, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeError {
    /// The place in the document that was read.
    pub pointer: Pointer,
    /// What is wrong there.
    pub problem: ShapeProblem,
}

/// What is wrong with the shape of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShapeProblem {
    /// A required member is not there.
    Missing,
    /// The format has no such member. It is refused: a member that means something to a newer compiler must
    /// not pass a runtime that does not know what it means.
    Unknown,
    /// A value of another JSON type.
    Type {
        /// What the format has here.
        expected: &'static str,
        /// The kind of value that was found.
        found: &'static str,
    },
    /// A word that is none of the allowed ones.
    Word {
        /// What was found.
        found: String,
        /// What the format has here.
        allowed: &'static [&'static str],
    },
    /// A text that is not 64 lower-case hexadecimal digits.
    Digest,
}

impl ShapeError {
    /// The sentence for people: where, what was found and what is allowed.
    #[must_use]
    pub fn message(&self) -> String {
        let place = if self.pointer.as_str().is_empty() { "the document" } else { self.pointer.as_str() };
        let mut out = String::from(place);
        match &self.problem {
            ShapeProblem::Missing => out.push_str(" is missing"),
            ShapeProblem::Unknown => out.push_str(" is not a member that this format has"),
            ShapeProblem::Type { expected, found } => {
                for part in [" must be ", expected, ", not ", article(found), found] {
                    out.push_str(part);
                }
            }
            ShapeProblem::Word { found, allowed } => {
                out.push_str(" is \"");
                out.push_str(found);
                out.push_str("\", but must be ");
                push_alternatives(allowed, &mut out);
            }
            ShapeProblem::Digest => {
                out.push_str(" must be a SHA-256 digest of 64 lower-case hexadecimal digits");
            }
        }
        out
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ShapeError {}

fn article(kind: &str) -> &'static str {
    match kind {
        "null" => "",
        "array" | "object" => "an ",
        _ => "a ",
    }
}

/// Appends `"a", "b" or "c"`.
fn push_alternatives(words: &[&str], out: &mut String) {
    for (index, word) in words.iter().enumerate() {
        out.push_str(match index {
            0 => "\"",
            _ if index + 1 == words.len() => "\" or \"",
            _ => "\", \"",
        });
        out.push_str(word);
    }
    out.push('"');
}

/// An enum that JSON spells as one word each.
pub(crate) trait Word: Sized {
    const WORDS: &'static [&'static str];

    fn from_word(word: &str) -> Option<Self>;
}

/// A place in the document, as steps from its root.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Root,
    Member(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    pub(crate) fn error(&self, problem: ShapeProblem) -> ShapeError {
        ShapeError { pointer: self.pointer(), problem }
    }

    fn pointer(&self) -> Pointer {
        match self {
            Self::Root => Pointer::root(),
            Self::Member(parent, key) => parent.pointer().member(key),
            Self::Item(parent, index) => parent.pointer().item(*index),
        }
    }

    fn wrong_type(&self, expected: &'static str, value: &Json) -> ShapeError {
        self.error(ShapeProblem::Type { expected, found: value.kind() })
    }
}

/// A value and where it stands; it is taken apart by moving.
pub(crate) struct Found<'a> {
    pub(crate) value: Json,
    pub(crate) place: Place<'a>,
}

impl Found<'_> {
    pub(crate) fn root(value: Json) -> Self {
        Self { value, place: Place::Root }
    }

    pub(crate) fn text(self) -> Result<String, ShapeError> {
        match self.value {
            Json::String(text) => Ok(text),
            other => Err(self.place.wrong_type("a string", &other)),
        }
    }

    pub(crate) fn word<W: Word>(self) -> Result<W, ShapeError> {
        let place = self.place;
        let text = self.text()?;
        W::from_word(&text).ok_or_else(|| place.error(ShapeProblem::Word { found: text, allowed: W::WORDS }))
    }

    pub(crate) fn digest(self) -> Result<Digest, ShapeError> {
        let place = self.place;
        Digest::from_hex(&self.text()?).ok_or_else(|| place.error(ShapeProblem::Digest))
    }

    /// A JSON Schema document, which format 5 has as an object only.
    pub(crate) fn schema(self) -> Result<Json, ShapeError> {
        match self.value {
            Json::Object(_) => Ok(self.value),
            other => Err(self.place.wrong_type("an object", &other)),
        }
    }

    pub(crate) fn items<T>(
        self,
        mut read: impl FnMut(Found<'_>) -> Result<T, ShapeError>,
    ) -> Result<Vec<T>, ShapeError> {
        let Json::Array(items) = self.value else {
            return Err(self.place.wrong_type("an array", &self.value));
        };
        let mut out = Vec::with_capacity(items.len());
        for (index, value) in items.into_iter().enumerate() {
            out.push(read(Found { value, place: Place::Item(&self.place, index) })?);
        }
        Ok(out)
    }

    /// Reads an object: `read` takes the members that the format has, and any that it leaves is refused.
    pub(crate) fn members<T>(
        self,
        read: impl FnOnce(&mut Members<'_>) -> Result<T, ShapeError>,
    ) -> Result<T, ShapeError> {
        let Json::Object(object) = self.value else {
            return Err(self.place.wrong_type("an object", &self.value));
        };
        let mut members = Members { place: &self.place, object };
        let out = read(&mut members)?;
        match members.object.keys().next() {
            None => Ok(out),
            Some(key) => Err(Place::Member(&self.place, key).error(ShapeProblem::Unknown)),
        }
    }
}

/// The members of an object that have not been read yet.
pub(crate) struct Members<'a> {
    place: &'a Place<'a>,
    object: Object,
}

impl<'a> Members<'a> {
    pub(crate) fn required(&mut self, name: &'static str) -> Result<Found<'a>, ShapeError> {
        let place = Place::Member(self.place, name);
        match self.object.remove(name) {
            Some(value) => Ok(Found { value, place }),
            None => Err(place.error(ShapeProblem::Missing)),
        }
    }

    pub(crate) fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Found<'_>) -> Result<T, ShapeError>,
    ) -> Result<Option<T>, ShapeError> {
        let place = Place::Member(self.place, name);
        self.object.remove(name).map(|value| read(Found { value, place })).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(pointer: Pointer, problem: ShapeProblem) -> String {
        ShapeError { pointer, problem }.to_string()
    }

    #[test]
    fn the_error_names_the_place_what_was_found_and_what_is_allowed() {
        let effect = Pointer::root().member("capabilities").item(3).member("effect");
        assert_eq!(message(effect.clone(), ShapeProblem::Missing), "/capabilities/3/effect is missing");
        assert_eq!(
            message(effect.clone(), ShapeProblem::Unknown),
            "/capabilities/3/effect is not a member that this format has"
        );
        assert_eq!(
            message(effect.clone(), ShapeProblem::Word { found: "x".into(), allowed: &["a", "b", "c"] }),
            "/capabilities/3/effect is \"x\", but must be \"a\", \"b\" or \"c\""
        );
        assert_eq!(
            message(effect, ShapeProblem::Digest),
            "/capabilities/3/effect must be a SHA-256 digest of 64 lower-case hexadecimal digits"
        );
    }

    #[test]
    fn the_root_is_called_the_document() {
        let problem = |found| ShapeProblem::Type { expected: "an object", found };
        assert_eq!(message(Pointer::root(), problem("null")), "the document must be an object, not null");
        assert_eq!(
            message(Pointer::root(), problem("array")),
            "the document must be an object, not an array"
        );
        assert_eq!(
            message(Pointer::root(), problem("number")),
            "the document must be an object, not a number"
        );
    }

    #[test]
    fn one_allowed_word_stands_alone() {
        let problem = ShapeProblem::Word { found: String::new(), allowed: &["pinned"] };
        assert_eq!(message(Pointer::root(), problem), "the document is \"\", but must be \"pinned\"");
    }
}
