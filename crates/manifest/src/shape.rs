//! Reading JSON of a known shape: every member has its type, and no member is unknown.
//!
//! A refusal names its place by JSON Pointer. The place is a chain of borrowed steps on the stack, so that
//! reading a good document allocates nothing for it.
//!
//! Reading does not stop at a fault: a blank takes the value's place, and [`read`] gives the first fault instead
//! of what was read. So there is one way out, and not one behind every member, each with its own code to drop
//! what had been read so far; in the browser's module that was most of this crate.

use std::{cell::RefCell, fmt};

use agent_surface_json::{Json, Object, Pointer};
use agent_surface_words::Word;

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

/// Reads a whole document, which must be an object.
pub(crate) fn read<T>(document: Json, read: impl FnOnce(&mut Members<'_>) -> T) -> Result<T, ShapeError> {
    let faults = Faults::default();
    let out = Found { value: document, place: Place::Root, faults: &faults }.members(read);
    match faults.0.into_inner() {
        None => Ok(out),
        Some(first) => Err(first),
    }
}

/// What was wrong first, if anything was.
#[derive(Default)]
struct Faults(RefCell<Option<ShapeError>>);

impl Faults {
    fn add(&self, place: Place<'_>, problem: ShapeProblem) {
        self.0.borrow_mut().get_or_insert_with(|| ShapeError { pointer: place.pointer(), problem });
    }
}

/// A place in the document, as steps from its root.
#[derive(Clone, Copy)]
enum Place<'a> {
    Root,
    Member(&'a Place<'a>, &'a str),
    Item(&'a Place<'a>, usize),
}

impl Place<'_> {
    fn pointer(&self) -> Pointer {
        match self {
            Self::Root => Pointer::root(),
            Self::Member(parent, key) => parent.pointer().member(key),
            Self::Item(parent, index) => parent.pointer().item(*index),
        }
    }
}

/// A value and where it stands; it is taken apart by moving.
pub(crate) struct Found<'a> {
    value: Json,
    place: Place<'a>,
    faults: &'a Faults,
}

impl Found<'_> {
    pub(crate) fn text(self) -> String {
        match self.value {
            Json::String(text) => text,
            other => {
                let problem = ShapeProblem::Type { expected: "a string", found: other.kind() };
                self.faults.add(self.place, problem);
                String::new()
            }
        }
    }

    pub(crate) fn word<W: Word>(self) -> W {
        let (place, faults) = (self.place, self.faults);
        let text = self.text();
        W::from_word(&text).unwrap_or_else(|| {
            faults.add(place, ShapeProblem::Word { found: text, allowed: W::WORDS });
            W::ALL[0]
        })
    }

    pub(crate) fn digest(self) -> Digest {
        let (place, faults) = (self.place, self.faults);
        Digest::from_hex(&self.text()).unwrap_or_else(|| {
            faults.add(place, ShapeProblem::Digest);
            Digest::BLANK
        })
    }

    /// A JSON Schema document, which format 5 has as an object only.
    pub(crate) fn schema(self) -> Json {
        self.object().into()
    }

    pub(crate) fn items<T>(self, mut read: impl FnMut(Found<'_>) -> T) -> Vec<T> {
        let items = match self.value {
            Json::Array(items) => items,
            other => {
                let problem = ShapeProblem::Type { expected: "an array", found: other.kind() };
                self.faults.add(self.place, problem);
                Vec::new()
            }
        };
        let mut out = Vec::with_capacity(items.len());
        for (index, value) in items.into_iter().enumerate() {
            out.push(read(Found { value, place: Place::Item(&self.place, index), faults: self.faults }));
        }
        out
    }

    /// Reads an object: `read` takes the members that the format has, and any that it leaves is refused.
    pub(crate) fn members<T>(self, read: impl FnOnce(&mut Members<'_>) -> T) -> T {
        let (place, faults) = (self.place, self.faults);
        let mut members = Members { place: &place, faults, object: self.object() };
        let out = read(&mut members);
        if let Some(key) = members.object.keys().next() {
            faults.add(Place::Member(&place, key), ShapeProblem::Unknown);
        }
        out
    }

    fn object(self) -> Object {
        match self.value {
            Json::Object(object) => object,
            other => {
                let problem = ShapeProblem::Type { expected: "an object", found: other.kind() };
                self.faults.add(self.place, problem);
                Object::new()
            }
        }
    }
}

/// The members of an object that have not been read yet.
pub(crate) struct Members<'a> {
    place: &'a Place<'a>,
    faults: &'a Faults,
    object: Object,
}

impl<'a> Members<'a> {
    pub(crate) fn required(&mut self, name: &'static str) -> Found<'a> {
        let place = Place::Member(self.place, name);
        let value = self.object.remove(name).unwrap_or_else(|| {
            self.faults.add(place, ShapeProblem::Missing);
            Json::Null
        });
        Found { value, place, faults: self.faults }
    }

    pub(crate) fn optional(&mut self, name: &'static str) -> Option<Found<'a>> {
        let place = Place::Member(self.place, name);
        self.object.remove(name).map(|value| Found { value, place, faults: self.faults })
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
