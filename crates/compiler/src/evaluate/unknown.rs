//! Values that can't be known, each with its reason.

use std::rc::Rc;

use super::place;
use super::value::{Node, TOO_LARGE, Unknown, Value};
use crate::facts::{Binding, Change};
use crate::module::Module;
use crate::problem::{Place, Problem};

pub(super) const WRITE_STATIC: &str =
    "Write a literal, or a `const` that is built of literals, templates, spreads and other such constants.";

pub(super) fn waiting(here: Place) -> Node {
    Node::new(Value::Unknown(Unknown::Waiting), here)
}

pub(super) fn runtime(what: &str, here: Place) -> Node {
    runtime_because(format!("This is {what}, known only at run time"), here)
}

pub(super) fn runtime_because(message: String, here: Place) -> Node {
    let problem =
        Problem::at(here.clone(), "dynamic-value", message).label("not a static value").help(WRITE_STATIC);
    Node::unknown(problem, here)
}

pub(super) fn not_evaluated(name: &str, here: Place) -> Node {
    let problem =
        Problem::at(here.clone(), "dynamic-value", format!("A call of `{name}` has no static value"))
            .label("known only at run time")
            .help(WRITE_STATIC);
    Node::unknown(problem, here)
}

/// The first operand that is unknown, or else a problem of the operation itself.
pub(super) fn not_folded(operands: &[&Node], operation: &str, here: Place) -> Node {
    if let Some(unknown) = operands.iter().find(|operand| operand.is_unknown()) {
        return (*unknown).clone();
    }
    let kinds: Vec<_> = operands.iter().map(|operand| operand.describe()).collect();
    let message = format!("{operation} of {} is not evaluated", kinds.join(" and "));
    let message = message[..1].to_uppercase() + &message[1..];
    let problem =
        Problem::at(here.clone(), "dynamic-value", message).label("not evaluated").help(WRITE_STATIC);
    Node::unknown(problem, here)
}

pub(super) fn changed(module: &Rc<Module>, binding: &Binding, change: &Change, here: Place) -> Node {
    let message = format!("`{}` does not keep the value it was given", binding.name);
    let problem = Problem::at(here.clone(), "mutated-value", message)
        .label("a contract needs a value that never changes")
        .related(place(module, change.span), format!("it is {} here", change.what))
        .help("Leave the constant as it is; make a copy (`[...list]`, `{ ...object }`) where you need to change one.");
    Node::unknown(problem, here)
}

pub(super) fn too_large(here: Place) -> Node {
    let problem = Problem::at(here.clone(), TOO_LARGE, "This value takes too many steps to evaluate")
        .label("given up here")
        .help("Write it out, or split it: a contract is read by people too.");
    Node::unknown(problem, here)
}
