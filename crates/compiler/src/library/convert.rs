//! The call that makes a JSON Schema of a schema, whichever library has it, and the side that it is told to describe.

use std::rc::Rc;

use super::Side;
use super::code::{Code, CodeKind, Operand};
use crate::evaluate::{Node, Value};
use crate::problem::Problem;

/// How the host is to get a JSON Schema.
#[derive(Clone, Copy)]
pub(super) enum Conversion<'c> {
    /// `converter(subject, options)`, with the member of the options that names the side.
    Call { converter: &'c Rc<Code>, subject: &'c Node, options: Option<&'c Node>, member: &'static str },
    /// Zod's `subject.toJSONSchema(options)`.
    Method { subject: &'c Rc<Code>, options: Option<&'c Node> },
    /// `subject.toJsonSchema(options)` of `ArkType`, whose schemas have a schema for each side.
    Sides { subject: &'c Rc<Code>, options: Option<&'c Node> },
    /// `subject["~standard"].jsonSchema`.
    Standard { subject: &'c Rc<Code> },
    /// The expression's value is a JSON Schema already.
    None,
}

impl<'c> Conversion<'c> {
    /// How an expression makes a JSON Schema.
    pub(super) fn of(code: &'c Rc<Code>) -> Self {
        let code = code.value();
        if let CodeKind::Standard(subject) = &code.kind {
            return Self::Standard { subject };
        }
        let CodeKind::Call { callee, arguments } = &code.kind else { return Self::None };
        let (Some(name), Some(entry)) = (callee.name(), callee.entry()) else { return Self::None };
        let argument = |index: usize| match arguments.get(index) {
            Some(Operand::Item(node)) => Some(node),
            _ => None,
        };
        let owner = match &callee.kind {
            CodeKind::Member { object, .. } => Some(object),
            _ => None,
        };
        match (entry.package.as_str(), name, argument(0), owner) {
            ("zod", "toJSONSchema", Some(subject @ Node { value: Value::Library(_), .. }), _) => {
                Self::Call { converter: callee, subject, options: argument(1), member: "io" }
            }
            ("zod", "toJSONSchema", options, Some(subject)) => Self::Method { subject, options },
            ("@valibot/to-json-schema", "toJsonSchema", Some(subject), _) => {
                Self::Call { converter: callee, subject, options: argument(1), member: "typeMode" }
            }
            ("arktype", "toJsonSchema", options, Some(subject)) => Self::Sides { subject, options },
            _ => Self::None,
        }
    }

    /// The schema that is converted.
    pub(super) fn subject(self) -> Option<&'c Rc<Code>> {
        match self {
            Self::Call { subject: Node { value: Value::Library(subject), .. }, .. }
            | Self::Method { subject, .. }
            | Self::Sides { subject, .. }
            | Self::Standard { subject } => Some(subject),
            Self::Call { .. } | Self::None => None,
        }
    }

    /// Why the options that the author wrote are none for this side, if they are not.
    pub(super) fn contradiction(self, side: Side) -> Option<Problem> {
        let (options, member) = match self {
            Self::Call { options, member, .. } => (options?, member),
            Self::Method { options, .. } => (options?, "io"),
            _ => return None,
        };
        let wanted = side.word()?;
        let Value::Object(object) = &options.value else {
            let is_absent = matches!(options.value, Value::Undefined | Value::Null);
            return (!is_absent).then(|| {
                let message = format!(
                    "The options of a JSON Schema must be an object, and this is {}",
                    options.describe()
                );
                Problem::at(options.place.clone(), "schema", message).label("not an object literal")
            });
        };
        let written = object.get(member)?;
        match &written.value {
            Value::String(text) if &**text == wanted => None,
            _ => {
                let message =
                    format!("`{member}` asks for another side of the schema than its place in the contract");
                let help = format!(
                    "Leave `{member}` out: an input is described as the agent sends it, an output as the agent gets it."
                );
                Some(
                    Problem::at(written.place.clone(), "schema", message)
                        .label(format!("this is an {wanted}"))
                        .help(help),
                )
            }
        }
    }
}
