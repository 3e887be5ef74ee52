//! Values to plain JSON.

use std::rc::Rc;

use agent_surface_json::{Json, Number, Object, Pointer};

use super::Findings;
use crate::evaluate::{Node, Value};
use crate::problem::Problem;

/// How deep a definition may nest. The manifest puts a few levels around it, and readers of JSON take 128.
const MAX_NESTING: usize = 100;

/// Converts a definition, and notes where its schemas keep a validator of the app.
#[derive(Default)]
pub(super) struct Literal {
    /// The way to where it is at.
    path: Vec<Step>,
    depth: usize,
    pub(super) validators: Vec<String>,
}

/// One step down into a definition.
enum Step {
    Member(Rc<str>),
    Item(usize),
}

impl Literal {
    fn here(&self) -> Pointer {
        self.path.iter().fold(Pointer::root(), |pointer, step| match step {
            Step::Member(key) => pointer.member(key),
            Step::Item(index) => pointer.item(*index),
        })
    }

    /// The JSON of a value; none where it is `undefined` or where there are findings.
    pub(super) fn convert(&mut self, node: &Node, findings: &mut Findings) -> Option<Json> {
        if self.depth > MAX_NESTING {
            let message = format!("Values of a contract nest {MAX_NESTING} deep at most");
            let problem = Problem::at(node.place.clone(), "too-large", message);
            findings.push(problem.label("deeper").help("Describe it in fewer levels, or as text."));
            return None;
        }
        self.depth += 1;
        let json = self.convert_inside(node, findings);
        self.depth -= 1;
        json
    }

    fn convert_inside(&mut self, node: &Node, findings: &mut Findings) -> Option<Json> {
        Some(match &node.value {
            Value::Undefined => return None,
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(value) => match Number::new(*value) {
                Some(number) => Json::Number(number),
                None => {
                    let problem = Problem::at(
                        node.place.clone(),
                        "unsupported-value",
                        "This number is not finite, and JSON cannot carry it",
                    );
                    findings.push(
                        problem.label("NaN or infinite").help("Leave it out, or write a finite bound."),
                    );
                    return None;
                }
            },
            Value::String(text) => Json::String(text.to_string()),
            Value::Array(items) => {
                let mut array = Vec::with_capacity(items.len());
                for (index, item) in items.iter().enumerate() {
                    self.path.push(Step::Item(index));
                    if matches!(item.value, Value::Undefined) {
                        let problem = Problem::at(
                            item.place.clone(),
                            "unsupported-value",
                            "`undefined` in an array is nothing that JSON can carry",
                        );
                        findings
                            .push(problem.label("undefined").help("Leave the item out, or write `null`."));
                    }
                    array.extend(self.convert(item, findings));
                    self.path.pop();
                }
                Json::Array(array)
            }
            Value::Object(object) => {
                let mut members = Vec::new();
                for (key, value) in object.iter() {
                    self.path.push(Step::Member(Rc::clone(key)));
                    // A property that is `undefined` is no property of the JSON.
                    if let Some(value) = self.convert(value, findings) {
                        members.push((key.to_string(), value));
                    }
                    self.path.pop();
                }
                Json::Object(members.into_iter().collect::<Object>())
            }
            Value::Schema { document, validator } => {
                if *validator {
                    self.validators.push(self.here().to_string());
                }
                // Its field has converted it, to check it.
                return match findings.documents.remove(&Rc::as_ptr(document)) {
                    Some(json) => Some(json),
                    None => self.convert(document, findings),
                };
            }
            Value::Unknown(unknown) => {
                findings.push_unknown(unknown);
                return None;
            }
            Value::Enum { .. }
            | Value::Namespace(_)
            | Value::OurNamespace(_)
            | Value::Ours { .. }
            | Value::Builtin(_)
            | Value::Library(_)
            | Value::Contract
            | Value::Registry
            | Value::Register => {
                let message = format!("This is {}, which JSON cannot carry", node.describe());
                let problem = Problem::at(node.place.clone(), "unsupported-value", message);
                findings.push(problem.label("not JSON").help("Write one of its members, or a literal."));
                return None;
            }
        })
    }
}
