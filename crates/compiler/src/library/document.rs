//! A library's JSON as a value, each part at the place of the expression that it comes from.

use std::rc::Rc;

use agent_surface_json::Json;
use rustc_hash::FxHashSet;

use super::code::{Code, CodeKind, Operand, Part};
use crate::evaluate::{Node, Object, Value};
use crate::problem::Place;

/// The JSON Schema of an expression as a value. Its parts stand where the library's calls for them do, as far as that
/// shows, so that a problem of a part is found there.
pub(super) fn document(json: &Json, code: &Rc<Code>) -> Node {
    node(json, Origin { code: Some(code), place: &code.place })
}

/// Where a part of a schema comes from.
#[derive(Clone, Copy)]
struct Origin<'c> {
    code: Option<&'c Rc<Code>>,
    place: &'c Place,
}

impl<'c> Origin<'c> {
    fn of(node: &'c Node) -> Self {
        match &node.value {
            Value::Library(code) => Self { code: Some(code), place: &node.place },
            _ => Self { code: None, place: &node.place },
        }
    }

    fn or_here(self, inner: Option<&'c Node>) -> Self {
        inner.map_or(Self { code: None, place: self.place }, Self::of)
    }
}

fn node(json: &Json, origin: Origin<'_>) -> Node {
    let here = origin.place.clone();
    let value = match json {
        Json::Object(members) => {
            let mut object = Object::default();
            for (name, value) in members.iter() {
                object.insert(name.into(), keyword(name, value, origin));
            }
            Value::Object(Rc::new(object))
        }
        other => return plain(other, &here),
    };
    Node::new(value, here)
}

/// The value of a keyword.
fn keyword(name: &str, json: &Json, origin: Origin<'_>) -> Node {
    let here = origin.place;
    match (name, json) {
        ("properties", Json::Object(properties)) => {
            let mut object = Object::default();
            for (name, schema) in properties.iter() {
                let inner = origin.code.and_then(|code| property(code, name));
                object.insert(name.into(), node(schema, origin.or_here(inner)));
            }
            Node::new(Value::Object(Rc::new(object)), here.clone())
        }
        ("items", Json::Object(_)) => {
            let inner = origin.code.and_then(|code| first(code));
            node(json, origin.or_here(inner))
        }
        ("anyOf" | "oneOf" | "allOf", Json::Array(branches)) => {
            let branches = branches.iter().enumerate().map(|(at, branch)| {
                let inner = origin.code.and_then(|code| alternative(code, at));
                node(branch, origin.or_here(inner))
            });
            Node::new(Value::Array(Rc::new(branches.collect())), here.clone())
        }
        _ => plain(json, here),
    }
}

/// A value without parts of its own.
fn plain(json: &Json, here: &Place) -> Node {
    let value = match json {
        Json::Null => Value::Null,
        Json::Bool(value) => Value::Bool(*value),
        Json::Number(number) => Value::Number(number.get()),
        Json::String(text) => Value::String(text.as_str().into()),
        Json::Array(items) => Value::Array(Rc::new(items.iter().map(|item| plain(item, here)).collect())),
        Json::Object(members) => {
            let mut object = Object::default();
            for (name, value) in members.iter() {
                object.insert(name.into(), plain(value, here));
            }
            Value::Object(Rc::new(object))
        }
    };
    Node::new(value, here.clone())
}

/// What an expression gives a property of the object that it describes: in its own arguments, in those of what it is a
/// method of, or in what it wraps.
fn property<'c>(code: &'c Rc<Code>, name: &str) -> Option<&'c Node> {
    search(code, &mut |node| match &node.value {
        Value::Object(object) => object.get(name),
        Value::Library(code) => match &code.kind {
            CodeKind::Object(parts) => parts.iter().rev().find_map(|part| match part {
                Part::Property(key, value) if **key == *name => Some(value),
                _ => None,
            }),
            _ => None,
        },
        _ => None,
    })
}

/// The first schema among an expression's arguments.
fn first(code: &Rc<Code>) -> Option<&Node> {
    let mut found = None;
    let _: Option<()> = walk(code, &mut |node| {
        if found.is_none() && matches!(node.value, Value::Library(_)) {
            found = Some(node);
        }
        found.map(|_| ())
    });
    found
}

/// One of several schemas in a list.
fn alternative(code: &Rc<Code>, at: usize) -> Option<&Node> {
    search(code, &mut |node| match &node.value {
        Value::Array(items) => items.get(at),
        _ => None,
    })
}

/// What `take` makes of the arguments of an expression, or of those inside of them. Each expression is looked at once: those of
/// constants can be reached in many ways.
fn search<'c>(code: &'c Rc<Code>, take: &mut dyn FnMut(&'c Node) -> Option<&'c Node>) -> Option<&'c Node> {
    search_unseen(code, take, &mut FxHashSet::default())
}

fn search_unseen<'c>(
    code: &'c Rc<Code>,
    take: &mut dyn FnMut(&'c Node) -> Option<&'c Node>,
    seen: &mut FxHashSet<*const Code>,
) -> Option<&'c Node> {
    if !seen.insert(Rc::as_ptr(code.value())) {
        return None;
    }
    walk(code, &mut |node| take(node)).or_else(|| {
        walk(code, &mut |node| match &node.value {
            Value::Library(inner) => search_unseen(inner, take, seen),
            _ => None,
        })
    })
}

/// Looks at the arguments of an expression, and of the calls that it is a method of.
fn walk<'c, T>(code: &'c Rc<Code>, look: &mut dyn FnMut(&'c Node) -> Option<T>) -> Option<T> {
    match &code.kind {
        CodeKind::Call { callee, arguments } => {
            let own = arguments.iter().find_map(|argument| match argument {
                Operand::Item(node) => look(node),
                Operand::Spread(_) => None,
            });
            own.or_else(|| walk(callee, look))
        }
        CodeKind::Member { object: inner, .. }
        | CodeKind::Constant { value: inner, .. }
        | CodeKind::Standard(inner) => walk(inner, look),
        CodeKind::Import { .. } | CodeKind::Object(_) | CodeKind::Array(_) => None,
    }
}
