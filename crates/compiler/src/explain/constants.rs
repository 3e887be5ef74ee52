//! The constants that a capability was evaluated from.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{NamedPosition, settle};
use crate::evaluate::Evaluator;
use crate::expand::only_argument;
use crate::facts::{Expr, ExprKind, Key, Member};
use crate::graph::Graph;
use crate::library::libraries_in;
use crate::message::Library;
use crate::module::Module;

/// The fields of a component contract that hold one capability each under its name.
const LISTS: [&str; 2] = ["observations", "actions"];

/// The constants that are read to evaluate what a macro call says of a capability, and the schema libraries that
/// describe its values.
pub(super) fn of_capability(
    graph: &Graph<'_>,
    module: &Rc<Module>,
    call: usize,
    capability_id: &str,
) -> (Vec<NamedPosition>, Vec<Library>) {
    let Some(argument) = only_argument(&module.facts.calls[call]) else { return Default::default() };
    let name = capability_id.rsplit('.').next().unwrap_or(capability_id);
    let mut evaluator = Evaluator::tracing(graph);
    let mut libraries = BTreeSet::new();
    for part in parts(&argument.expr, name) {
        libraries_in(graph, &evaluator.evaluate(module, part), &mut libraries);
    }
    let constants = settle(
        evaluator.into_trace().into_iter().map(|(name, place)| NamedPosition::new(name, &place)).collect(),
    );
    (constants, libraries.into_iter().collect())
}

/// What is said of one capability: all of a definition but its other capabilities, as far as they are told apart by
/// looking at it.
fn parts<'e>(definition: &'e Expr, name: &str) -> Vec<&'e Expr> {
    let Some(fields) = properties(definition) else { return vec![definition] };
    let mut parts = Vec::new();
    for (field, value) in fields {
        match properties(value).filter(|_| LISTS.contains(&field)) {
            Some(capabilities) => {
                parts
                    .extend(capabilities.into_iter().filter(|(key, _)| *key == name).map(|(_, value)| value));
            }
            None => parts.push(value),
        }
    }
    parts
}

/// The members of an object that has nothing but plain ones.
fn properties(expr: &Expr) -> Option<Vec<(&str, &Expr)>> {
    let ExprKind::Object(members) = &expr.kind else { return None };
    members
        .iter()
        .map(|member| match member {
            Member::Property { key: Key::Static { name, .. }, value } => Some((name.as_str(), value)),
            _ => None,
        })
        .collect()
}
