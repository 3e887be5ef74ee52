//! Validating a value, in bounded time and on a bounded stack.

use agent_surface_json::{Json, Number, Object};

use crate::check::is_count;
use crate::format::Format;
use crate::issue::Path;
use crate::keyword::{Keyword, is_of_type};
use crate::multiple::is_multiple;
use crate::reference::resolve;
use crate::{Issue, Patterns};

/// How often a schema may be applied, a name looked up or an item looked at. A value as large as an invocation
/// carries takes some thousands; a recursive `anyOf` could ask for exponentially many.
const MAX_STEPS: usize = 1_000_000;

/// How deep schemas may be inside one another while they are applied. A value nests 128 deep at most, so that
/// each level has room for a few variants; a stack of 512 frames fits everywhere.
const MAX_FRAMES: usize = 512;

/// How many issues are told. Each carries a path as long as the value makes it.
const MAX_ISSUES: usize = 100;

/// How many bytes of text are looked at in one step.
const STEP_BYTES: usize = 64;

/// How long a list of allowed values may be in a message, in bytes. The schema itself has all of them.
const MAX_QUOTE: usize = 256;

/// Holds a value against a schema; without an issue it is valid.
///
/// The schema is one that [`check`](crate::check()) accepts. What it does not accept is not applied: that is an
/// issue too, and so is whatever would take more steps, stack or issues than there are.
///
/// `default`, as in the draft, only annotates: no value is filled in or converted.
pub fn validate(schema: &Json, value: &Json, patterns: &dyn Patterns) -> Vec<Issue> {
    let mut run =
        Run { root: schema, patterns, steps: MAX_STEPS, frames: 0, probing: false, issues: Vec::new() };
    if let Err(stop) = run.schema(schema, value, &Path::Root) {
        run.issues.push(Issue { path: String::new(), message: stop.message().to_owned() });
    }
    run.issues
}

/// Why validation ends before the value does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// The variant that is being tried does not fit; the next one may.
    Mismatch,
    /// The schema leaves the subset.
    Unsupported,
    Steps,
    Frames,
    Issues,
}

impl Stop {
    fn message(self) -> &'static str {
        match self {
            Self::Mismatch => "does not match the schema",
            Self::Unsupported => "can't be validated, because its schema is not supported",
            Self::Steps => "takes too many steps to validate",
            Self::Frames => "is nested too deep to validate",
            Self::Issues => "has more issues than are listed",
        }
    }
}

type Outcome<T = ()> = Result<T, Stop>;

struct Run<'a> {
    root: &'a Json,
    patterns: &'a dyn Patterns,
    /// How many are left.
    steps: usize,
    /// How many there are.
    frames: usize,
    /// Whether the first issue decides, as it does for a variant of `anyOf`.
    probing: bool,
    issues: Vec<Issue>,
}

impl<'a> Run<'a> {
    fn schema(&mut self, schema: &'a Json, value: &Json, path: &Path<'_>) -> Outcome {
        if self.frames == MAX_FRAMES {
            return Err(Stop::Frames);
        }
        self.frames += 1;
        // A chain of references takes steps, but no stack.
        let mut link = Ok(Some(schema));
        while let Ok(Some(schema)) = link {
            link = self.keywords(schema, value, path);
        }
        self.frames -= 1;
        link.map(|_| ())
    }

    /// Applies a schema's own keywords, and returns the definition that its `$ref` applies as well.
    fn keywords(&mut self, schema: &'a Json, value: &Json, path: &Path<'_>) -> Outcome<Option<&'a Json>> {
        let members = schema.as_object().ok_or(Stop::Unsupported)?;
        self.spend(1 + members.len() + value.as_str().map_or(0, |text| text.len() / STEP_BYTES))?;
        // First, and then alone: what else is wrong with a value of the wrong type is noise.
        if let Some(types) = members.get("type")
            && !self.is_of_types(types, value, path)?
        {
            return Ok(None);
        }
        let mut definition = None;
        for (name, operand) in members.iter() {
            match Keyword::named(name).ok_or(Stop::Unsupported)? {
                Keyword::Ref => {
                    let target = operand.as_str().ok_or(Stop::Unsupported)?;
                    definition = Some(resolve(self.root, target).ok_or(Stop::Unsupported)?);
                }
                Keyword::Const => self.constant(operand, value, path)?,
                Keyword::Enum => self.one_of(operand, value, path)?,
                Keyword::AnyOf => self.any_of(operand, value, path)?,
                Keyword::Properties => self.properties(operand, value, path)?,
                Keyword::Required => self.required(operand, value, path)?,
                Keyword::AdditionalProperties => self.additional(operand, members, value, path)?,
                Keyword::Items => self.items(operand, value, path)?,
                Keyword::UniqueItems => self.unique(operand, value, path)?,
                Keyword::MinItems => self.size(Size::AtLeast, operand, items(value), path)?,
                Keyword::MaxItems => self.size(Size::AtMost, operand, items(value), path)?,
                Keyword::MinLength => self.size(Size::AtLeast, operand, characters(value), path)?,
                Keyword::MaxLength => self.size(Size::AtMost, operand, characters(value), path)?,
                Keyword::Pattern => self.pattern(operand, value, path)?,
                Keyword::Format => self.format(operand, value, path)?,
                Keyword::Minimum => self.bound(operand, value, path, "at least", |a, b| a >= b)?,
                Keyword::Maximum => self.bound(operand, value, path, "at most", |a, b| a <= b)?,
                Keyword::ExclusiveMinimum => self.bound(operand, value, path, "more than", |a, b| a > b)?,
                Keyword::ExclusiveMaximum => self.bound(operand, value, path, "less than", |a, b| a < b)?,
                Keyword::MultipleOf => {
                    operand.as_number().filter(|of| of.get() > 0.0).ok_or(Stop::Unsupported)?;
                    self.bound(operand, value, path, "a multiple of", is_multiple)?;
                }
                Keyword::Type
                | Keyword::Default
                | Keyword::Defs
                | Keyword::Deprecated
                | Keyword::Description
                | Keyword::Examples
                | Keyword::Id
                | Keyword::Schema
                | Keyword::Title => {}
            }
        }
        Ok(definition)
    }

    fn is_of_types(&mut self, types: &Json, value: &Json, path: &Path<'_>) -> Outcome<bool> {
        let types = match types {
            Json::Array(types) => types,
            one => std::slice::from_ref(one),
        };
        let mut names = Vec::new();
        for name in types {
            let name = name.as_str().ok_or(Stop::Unsupported)?;
            if is_of_type(name, value).ok_or(Stop::Unsupported)? {
                return Ok(true);
            }
            names.push(name);
        }
        self.report(path, || ["expected ", &names.join(" or "), ", found ", value.kind()].concat())?;
        Ok(false)
    }

    fn constant(&mut self, operand: &Json, value: &Json, path: &Path<'_>) -> Outcome {
        if operand == value {
            return Ok(());
        }
        self.report(path, || match quote(std::slice::from_ref(operand)) {
            Some(allowed) => ["must be ", &allowed].concat(),
            None => "must be the one value that the schema allows".to_owned(),
        })
    }

    fn one_of(&mut self, operand: &Json, value: &Json, path: &Path<'_>) -> Outcome {
        let allowed = operand.as_array().ok_or(Stop::Unsupported)?;
        self.spend(allowed.len())?;
        if allowed.contains(value) {
            return Ok(());
        }
        self.report(path, || match quote(allowed) {
            Some(allowed) => ["must be one of ", &allowed].concat(),
            None => "must be one of the values that the schema allows".to_owned(),
        })
    }

    fn any_of(&mut self, operand: &'a Json, value: &Json, path: &Path<'_>) -> Outcome {
        let variants = operand.as_array().ok_or(Stop::Unsupported)?;
        let was_probing = std::mem::replace(&mut self.probing, true);
        let mut fits = false;
        for variant in variants {
            match self.schema(variant, value, path) {
                Ok(()) => {
                    fits = true;
                    break;
                }
                Err(Stop::Mismatch) => {}
                // Every other stop ends the whole run, so that there is nothing to restore.
                Err(stop) => return Err(stop),
            }
        }
        self.probing = was_probing;
        if fits { Ok(()) } else { self.report(path, || "fits none of the allowed variants".to_owned()) }
    }

    fn properties(&mut self, operand: &'a Json, value: &Json, path: &Path<'_>) -> Outcome {
        let schemas = operand.as_object().ok_or(Stop::Unsupported)?;
        let Json::Object(object) = value else { return Ok(()) };
        self.spend(schemas.len())?;
        for (name, schema) in schemas.iter() {
            if let Some(member) = object.get(name) {
                self.schema(schema, member, &Path::Member(path, name))?;
            }
        }
        Ok(())
    }

    fn required(&mut self, operand: &Json, value: &Json, path: &Path<'_>) -> Outcome {
        let names = operand.as_array().ok_or(Stop::Unsupported)?;
        let Json::Object(object) = value else { return Ok(()) };
        self.spend(names.len())?;
        for name in names {
            let name = name.as_str().ok_or(Stop::Unsupported)?;
            if !object.contains_key(name) {
                self.report(&Path::Member(path, name), || "is required, but missing".to_owned())?;
            }
        }
        Ok(())
    }

    /// `additionalProperties` speaks of the names that `properties`, its neighbour in `members`, does not have.
    fn additional(&mut self, operand: &Json, members: &Object, value: &Json, path: &Path<'_>) -> Outcome {
        let allowed = operand.as_bool().ok_or(Stop::Unsupported)?;
        let Json::Object(object) = value else { return Ok(()) };
        if allowed {
            return Ok(());
        }
        self.spend(object.len())?;
        let known = members.get("properties").and_then(Json::as_object);
        for name in object.keys() {
            if !known.is_some_and(|known| known.contains_key(name)) {
                self.report(&Path::Member(path, name), || {
                    "is not a property that the schema has".to_owned()
                })?;
            }
        }
        Ok(())
    }

    fn items(&mut self, operand: &'a Json, value: &Json, path: &Path<'_>) -> Outcome {
        for (index, item) in value.as_array().unwrap_or_default().iter().enumerate() {
            self.schema(operand, item, &Path::Item(path, index))?;
        }
        Ok(())
    }

    fn unique(&mut self, operand: &Json, value: &Json, path: &Path<'_>) -> Outcome {
        let wanted = operand.as_bool().ok_or(Stop::Unsupported)?;
        let Json::Array(items) = value else { return Ok(()) };
        if !wanted {
            return Ok(());
        }
        // Equal values have equal canonical forms, and sorted ones are neighbours.
        let mut texts: Vec<String> = items.iter().map(Json::to_canonical).collect();
        self.spend(texts.iter().map(|text| 1 + text.len() / STEP_BYTES).sum())?;
        texts.sort_unstable();
        if texts.windows(2).any(|pair| pair[0] == pair[1]) {
            self.report(path, || "must not have the same item twice".to_owned())?;
        }
        Ok(())
    }

    fn size(
        &mut self,
        size: Size,
        operand: &Json,
        counted: Option<(usize, &str)>,
        path: &Path<'_>,
    ) -> Outcome {
        let limit = operand.as_number().filter(|limit| is_count(*limit)).ok_or(Stop::Unsupported)?;
        let Some((count, noun)) = counted else { return Ok(()) };
        let (fits, how) = match size {
            Size::AtLeast => (count as f64 >= limit.get(), "at least"),
            Size::AtMost => (count as f64 <= limit.get(), "at most"),
        };
        if fits {
            return Ok(());
        }
        let plural = if limit.get() == 1.0 { "" } else { "s" };
        self.report(path, || ["must have ", how, " ", &operand.to_canonical(), " ", noun, plural].concat())
    }

    fn pattern(&mut self, operand: &Json, value: &Json, path: &Path<'_>) -> Outcome {
        let pattern = operand.as_str().ok_or(Stop::Unsupported)?;
        let Json::String(text) = value else { return Ok(()) };
        if self.patterns.matches(pattern, text).ok_or(Stop::Unsupported)? {
            return Ok(());
        }
        self.report(path, || ["must match the pattern ", pattern].concat())
    }

    fn format(&mut self, operand: &Json, value: &Json, path: &Path<'_>) -> Outcome {
        let name = operand.as_str().ok_or(Stop::Unsupported)?;
        let format = Format::named(name).ok_or(Stop::Unsupported)?;
        let Json::String(text) = value else { return Ok(()) };
        if format.matches(text) {
            Ok(())
        } else {
            self.report(path, || ["must have the format ", name].concat())
        }
    }

    fn bound(
        &mut self,
        operand: &Json,
        value: &Json,
        path: &Path<'_>,
        relation: &str,
        holds: fn(Number, Number) -> bool,
    ) -> Outcome {
        let limit = operand.as_number().ok_or(Stop::Unsupported)?;
        let Json::Number(number) = value else { return Ok(()) };
        if holds(*number, limit) {
            Ok(())
        } else {
            self.report(path, || ["must be ", relation, " ", &operand.to_canonical()].concat())
        }
    }

    fn spend(&mut self, steps: usize) -> Outcome {
        self.steps = self.steps.checked_sub(steps).ok_or(Stop::Steps)?;
        Ok(())
    }

    fn report(&mut self, path: &Path<'_>, message: impl FnOnce() -> String) -> Outcome {
        if self.probing {
            return Err(Stop::Mismatch);
        }
        if self.issues.len() == MAX_ISSUES {
            return Err(Stop::Issues);
        }
        self.issues.push(Issue { path: path.to_text(), message: message() });
        Ok(())
    }
}

/// Which way a count is limited.
#[derive(Clone, Copy)]
enum Size {
    AtLeast,
    AtMost,
}

fn items(value: &Json) -> Option<(usize, &'static str)> {
    Some((value.as_array()?.len(), "item"))
}

/// A character is a Unicode code point, as the draft (validation, 6.3) has it.
fn characters(value: &Json) -> Option<(usize, &'static str)> {
    Some((value.as_str()?.chars().count(), "character"))
}

/// Allowed values for a message, unless they are too many to be read there.
fn quote(values: &[Json]) -> Option<String> {
    let mut text = String::new();
    for value in values {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&value.to_canonical());
        if text.len() > MAX_QUOTE {
            return None;
        }
    }
    Some(text)
}

#[cfg(feature = "native-patterns")]
#[cfg(test)]
mod tests;
