//! The schemas of a declaration, each asked of its library for the side that its place in the contract needs.

use std::rc::Rc;

use oxc_span::Span;
use rustc_hash::FxHashMap;

use super::{Side, outcome};
use crate::evaluate::{Node, Unknown, Value};
use crate::graph::Graph;
use crate::macros::Macro;

/// The side that an expression was first asked for, by its module and its place there.
pub(crate) type Sides = FxHashMap<(String, Span), Side>;

/// Puts JSON Schemas in the place of the expressions that make them.
pub(crate) fn settle_schemas(graph: &Graph<'_>, kind: Macro, argument: &mut Node, sides: &mut Sides) {
    let mut settle = Settle { graph, sides };
    match kind {
        Macro::Procedure | Macro::External => settle.capability(argument),
        Macro::Component => {
            for group in ["observations", "actions"] {
                settle.group(argument, group);
            }
        }
    }
}

struct Settle<'g, 'm, 's> {
    graph: &'g Graph<'m>,
    sides: &'s mut Sides,
}

impl Settle<'_, '_, '_> {
    fn group(&mut self, component: &mut Node, name: &str) {
        let Value::Object(fields) = &component.value else { return };
        let Some(Node { value: Value::Object(members), .. }) = fields.get(name) else { return };
        let names: Vec<Rc<str>> =
            members.iter().filter(|(_, it)| has_code(it)).map(|(name, _)| Rc::clone(name)).collect();
        if names.is_empty() {
            return;
        }
        let mut group = Rc::clone(members);
        for member in names {
            let object = Rc::make_mut(&mut group);
            if let Some(mut capability) = object.get(&member).cloned() {
                self.capability(&mut capability);
                object.insert(member, capability);
            }
        }
        if let Value::Object(fields) = &mut component.value {
            let place = fields.get(name).map_or(component.place.clone(), |it| it.place.clone());
            Rc::make_mut(fields).insert(name.into(), Node::new(Value::Object(group), place));
        }
    }

    fn capability(&mut self, capability: &mut Node) {
        let Value::Object(fields) = &mut capability.value else { return };
        for (name, side) in [("input", Side::Input), ("output", Side::Output)] {
            let Some(field) = fields.get(name) else { continue };
            let Value::Schema { document, validator } = &field.value else { continue };
            let (place, validator) = (field.place.clone(), *validator);
            if let Some(document) = self.document(document, side) {
                let schema = Value::Schema { document: Rc::new(document), validator };
                Rc::make_mut(fields).insert(name.into(), Node::new(schema, place));
            }
        }
    }

    /// The JSON Schema of a document that is an expression; none where it is none.
    fn document(&mut self, document: &Node, side: Side) -> Option<Node> {
        let Value::Library(code) = &document.value else { return None };
        let place = &document.place;
        self.sides.entry((place.module.id.clone(), place.span)).or_insert(side);
        Some(match outcome(self.graph, code, side) {
            None => Node::new(Value::Unknown(Unknown::Waiting), place.clone()),
            Some(Ok((node, _))) => node,
            Some(Err(problem)) => Node::unknown(*problem, place.clone()),
        })
    }
}

fn has_code(capability: &Node) -> bool {
    let Value::Object(fields) = &capability.value else { return false };
    ["input", "output"].iter().any(|name| {
        matches!(fields.get(name).map(|it| &it.value), Some(Value::Schema { document, .. })
            if matches!(document.value, Value::Library(_)))
    })
}
