//! Object and array literals, with their spreads, and what a rest pattern leaves of an object.

use std::rc::Rc;

use super::unknown::{not_folded, runtime, too_large};
use super::{Evaluator, MAX_STEPS, Node, Object, Value, place};
use crate::facts::{Element, Expr, Key, Member};
use crate::module::Module;
use crate::problem::{Place, Problem};

impl Evaluator<'_, '_> {
    pub(super) fn array(&mut self, module: &Rc<Module>, elements: &[Element], here: Place) -> Node {
        let mut items = Vec::with_capacity(elements.len());
        for element in elements {
            match element {
                Element::Item(expr) => items.push(self.evaluate(module, expr)),
                Element::Hole(span) => {
                    let hole = place(module, *span);
                    let problem =
                        Problem::at(hole.clone(), "unsupported-value", "An array of a contract has no holes")
                            .label("a hole")
                            .help("Write a value, or leave the comma out.");
                    items.push(Node::unknown(problem, hole));
                }
                Element::Spread(expr) => {
                    let spread = self.evaluate(module, expr);
                    match &spread.value {
                        Value::Library(_) => return self.library_array(module, elements, here),
                        Value::Array(spread) => {
                            self.steps += spread.len();
                            if self.steps > MAX_STEPS {
                                return too_large(here);
                            }
                            items.extend(spread.iter().cloned());
                        }
                        _ => return not_folded(&[&spread], "spreading into an array", spread.place.clone()),
                    }
                }
            }
        }
        Node::new(Value::Array(Rc::new(items)), here)
    }

    pub(super) fn object(&mut self, module: &Rc<Module>, members: &[Member], here: Place) -> Node {
        let mut object = Object::default();
        for member in members {
            match member {
                Member::Property { key, value } => match self.key(module, key) {
                    Ok(key) => {
                        let value = self.evaluate(module, value);
                        object.insert(key, value);
                    }
                    Err(unknown) => return unknown,
                },
                Member::Spread(expr) => {
                    let spread = self.evaluate(module, expr);
                    match &spread.value {
                        Value::Library(_) => return self.library_object(module, members, here),
                        Value::Object(spread) => {
                            for (key, value) in spread.iter() {
                                self.steps += 1;
                                object.insert(Rc::clone(key), value.clone());
                            }
                            if self.steps > MAX_STEPS {
                                return too_large(here);
                            }
                        }
                        // `...undefined`, `...false`: nothing is added.
                        Value::Undefined | Value::Null | Value::Bool(_) | Value::Number(_) => {}
                        _ => return not_folded(&[&spread], "spreading into an object", spread.place.clone()),
                    }
                }
                Member::Prototype(span) => {
                    let at = place(module, *span);
                    let problem =
                        Problem::at(at, "unsupported-value", "`__proto__: …` sets the object's prototype")
                            .label("makes no property")
                            .help("For a property of that name write `[\"__proto__\"]: …`.");
                    return Node::unknown(problem, here);
                }
                Member::Accessor { key, span } => match self.key(module, key) {
                    Ok(key) => object.insert(key, runtime("a getter or setter", place(module, *span))),
                    Err(unknown) => return unknown,
                },
            }
        }
        Node::new(Value::Object(Rc::new(object)), here)
    }

    pub(super) fn object_rest(
        &mut self,
        module: &Rc<Module>,
        object: &Expr,
        taken: &[Key],
        here: Place,
    ) -> Node {
        let object = self.evaluate(module, object);
        let Value::Object(properties) = &object.value else {
            return not_folded(&[&object], "a rest pattern", here);
        };
        let mut names = Vec::new();
        for key in taken {
            match self.key(module, key) {
                Ok(name) => names.push(name),
                Err(unknown) => return unknown,
            }
        }
        let mut rest = Object::default();
        for (key, value) in properties.iter().filter(|(key, _)| !names.contains(key)) {
            rest.insert(Rc::clone(key), value.clone());
        }
        Node::new(Value::Object(Rc::new(rest)), here)
    }
}
