//! Checking a document: does it stay inside the subset?

use agent_surface_json::{Json, Number, Pointer};

use crate::format::Format;
use crate::keyword::{Keyword, is_of_type};
use crate::reference::{definition_name, is_endless, resolve};
use crate::{Limits, Patterns, Reason, Refusal};

/// Holds a schema document against the subset: its keywords, their values, its references and its size.
///
/// `patterns` says which `pattern`s are regular expressions.
///
/// # Errors
/// Every place where the document leaves the subset, in document order. A document that is too large is refused as
/// a whole: the limit also bounds what is looked at.
pub fn check(
    document: &Json,
    limits: Limits,
    patterns: &(impl Patterns + ?Sized),
) -> Result<(), Vec<Refusal>> {
    let mut walk = Walk { root: document, max_depth: limits.max_depth, patterns, refusals: Vec::new() };
    let bytes = document.to_canonical().len();
    if bytes > limits.max_bytes {
        walk.refuse(&Pointer::root(), Reason::TooLarge { bytes, max: limits.max_bytes });
    } else {
        walk.schema(document, &Pointer::root(), 0);
    }
    if walk.refusals.is_empty() { Ok(()) } else { Err(walk.refusals) }
}

struct Walk<'a, P: ?Sized> {
    root: &'a Json,
    max_depth: usize,
    patterns: &'a P,
    refusals: Vec<Refusal>,
}

impl<P: Patterns + ?Sized> Walk<'_, P> {
    fn schema(&mut self, schema: &Json, at: &Pointer, depth: usize) {
        if depth > self.max_depth {
            return self.refuse(at, Reason::TooDeep { max: self.max_depth });
        }
        let Some(members) = schema.as_object() else {
            return self.refuse(at, Reason::NotASchema { found: describe(schema) });
        };
        for (name, operand) in members.iter() {
            let place = at.member(name);
            match Keyword::named(name) {
                Some(Keyword::Ref) => self.reference(schema, operand, &place),
                Some(keyword) => self.keyword(keyword, operand, &place, depth),
                None => self.refuse(&place, Reason::UnsupportedKeyword(name.to_owned())),
            }
        }
    }

    fn keyword(&mut self, keyword: Keyword, operand: &Json, at: &Pointer, depth: usize) {
        match keyword {
            Keyword::Const | Keyword::Default | Keyword::Ref => {}
            Keyword::Properties | Keyword::Defs => self.schemas_by_name(operand, at, depth),
            Keyword::Items => self.schema(operand, at, depth + 1),
            Keyword::AnyOf => self.variants(operand, at, depth),
            Keyword::Type => self.types(operand, at),
            Keyword::Enum => {
                let valid = operand.as_array().is_some_and(|values| !values.is_empty());
                self.expect(valid, "an array of at least one value", operand, at);
            }
            Keyword::Required => {
                self.unique_names(operand, at, "an array of property names");
            }
            Keyword::Format => {
                if let Some(name) = self.text(operand, at)
                    && Format::named(name).is_none()
                {
                    self.refuse(at, Reason::UnsupportedFormat(name.to_owned()));
                }
            }
            Keyword::Pattern => {
                if let Some(pattern) = self.text(operand, at)
                    && self.patterns.matches(pattern, "").is_none()
                {
                    self.refuse(at, Reason::InvalidPattern(pattern.to_owned()));
                }
            }
            Keyword::MinItems | Keyword::MaxItems | Keyword::MinLength | Keyword::MaxLength => {
                let valid = operand.as_number().is_some_and(is_count);
                self.expect(valid, "an integer that is not negative", operand, at);
            }
            Keyword::Minimum | Keyword::Maximum | Keyword::ExclusiveMinimum | Keyword::ExclusiveMaximum => {
                self.expect(operand.as_number().is_some(), "a number", operand, at);
            }
            Keyword::MultipleOf => {
                let valid = operand.as_number().is_some_and(|of| of.get() > 0.0);
                self.expect(valid, "a number above zero", operand, at);
            }
            Keyword::AdditionalProperties => {
                let expected = "true or false; a schema for properties without a name is not supported";
                self.expect(operand.as_bool().is_some(), expected, operand, at);
            }
            Keyword::UniqueItems | Keyword::Deprecated => {
                self.expect(operand.as_bool().is_some(), "true or false", operand, at);
            }
            Keyword::Examples => self.expect(operand.as_array().is_some(), "an array", operand, at),
            Keyword::Description | Keyword::Title | Keyword::Schema | Keyword::Id => {
                self.text(operand, at);
            }
        }
    }

    fn schemas_by_name(&mut self, operand: &Json, at: &Pointer, depth: usize) {
        let Some(schemas) = operand.as_object() else {
            return self.expect(false, "an object of schemas by their names", operand, at);
        };
        for (name, schema) in schemas.iter() {
            self.schema(schema, &at.member(name), depth + 1);
        }
    }

    fn variants(&mut self, operand: &Json, at: &Pointer, depth: usize) {
        let Some(variants) = operand.as_array().filter(|variants| !variants.is_empty()) else {
            return self.expect(false, "an array of at least one schema", operand, at);
        };
        for (index, schema) in variants.iter().enumerate() {
            self.schema(schema, &at.item(index), depth + 1);
        }
    }

    fn types(&mut self, operand: &Json, at: &Pointer) {
        let names = match operand {
            Json::String(name) => vec![(name.as_str(), at.clone())],
            _ => self.unique_names(operand, at, "the name of a type, or an array of such names"),
        };
        if names.is_empty() && operand.as_array().is_some_and(<[Json]>::is_empty) {
            self.expect(false, "at least one name of a type", operand, at);
        }
        for (name, place) in names {
            if is_of_type(name, &Json::Null).is_none() {
                self.refuse(&place, Reason::UnsupportedType(name.to_owned()));
            }
        }
    }

    fn reference(&mut self, schema: &Json, operand: &Json, at: &Pointer) {
        let Some(target) = self.text(operand, at) else { return };
        let reason = if definition_name(target).is_none() {
            Reason::UnsupportedRef(target.to_owned())
        } else if resolve(self.root, target).is_none() {
            Reason::DanglingRef(target.to_owned())
        } else if is_endless(self.root, schema) {
            Reason::EndlessRef(target.to_owned())
        } else {
            return;
        };
        self.refuse(at, reason);
    }

    /// The strings of an array, each once, and where they stand. What else is in there is refused.
    fn unique_names<'j>(
        &mut self,
        operand: &'j Json,
        at: &Pointer,
        expected: &'static str,
    ) -> Vec<(&'j str, Pointer)> {
        let mut names: Vec<(&str, Pointer)> = Vec::new();
        let Some(items) = operand.as_array() else {
            self.expect(false, expected, operand, at);
            return names;
        };
        for (index, item) in items.iter().enumerate() {
            let place = at.item(index);
            match self.text(item, &place) {
                Some(name) if names.iter().any(|(known, _)| *known == name) => {
                    self.refuse(&place, Reason::Repeated(name.to_owned()));
                }
                Some(name) => names.push((name, place)),
                None => {}
            }
        }
        names
    }

    fn text<'j>(&mut self, operand: &'j Json, at: &Pointer) -> Option<&'j str> {
        let text = operand.as_str();
        self.expect(text.is_some(), "a string", operand, at);
        text
    }

    fn expect(&mut self, valid: bool, expected: &'static str, operand: &Json, at: &Pointer) {
        if !valid {
            self.refuse(at, Reason::WrongValue { expected, found: describe(operand) });
        }
    }

    fn refuse(&mut self, at: &Pointer, reason: Reason) {
        self.refusals.push(Refusal { pointer: at.clone(), reason });
    }
}

/// Whether a number can count items or characters. `2.0` is an integer too.
pub(crate) fn is_count(number: Number) -> bool {
    number.is_integer() && number.get() >= 0.0
}

/// What stands where something else was expected.
fn describe(value: &Json) -> String {
    match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => value.to_canonical(),
        Json::String(_) => "a string".to_owned(),
        Json::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Json::Array(_) => "an array".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    }
}
