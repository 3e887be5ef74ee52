//! What an import leads to, as a value.

use std::rc::Rc;

use super::unknown::{runtime, runtime_because, too_large};
use super::{Evaluator, MAX_CHAIN, Node, Value, library};
use crate::facts::{BindingId, Export, Expr};
use crate::link::Denotation;
use crate::macros;
use crate::module::Module;
use crate::problem::Place;

impl Evaluator<'_, '_> {
    fn default_export(&mut self, module: &Rc<Module>, name: &str, expr: &Expr, here: Place) -> Node {
        // It has no binding to be found twice; its span stands in for one.
        let key = (module.id.clone(), BindingId(u32::MAX - expr.span.start));
        if self.active.len() >= MAX_CHAIN || self.active.contains(&key) {
            return too_large(here);
        }
        self.note_read("default", module, expr.span);
        self.active.push(key.clone());
        let node = self.evaluate(module, expr);
        self.active.pop();
        // A member of a JSON file is one of its default export too.
        let names = if name == "default" { &["default"][..] } else { &[name, "default"] };
        let node = self.unless_changed_elsewhere(node, module, names, here);
        self.library_constant(node, key, self.chain)
    }

    pub(super) fn denoted(&mut self, denotation: Denotation, here: Place) -> Node {
        match denotation {
            Denotation::Binding(module, id) => self.binding(&module, id, here),
            Denotation::Default(module, name) => match module.facts.exports.get(&name) {
                Some(Export::Default(expr)) => self.default_export(&module, &name, expr, here),
                _ => runtime("an export", here),
            },
            Denotation::Namespace(id) => Node::new(Value::Namespace(id), here),
            Denotation::OurNamespace(package) => Node::new(Value::OurNamespace(package), here),
            Denotation::Ours { package, name } => ours(&package, &name, here),
            Denotation::Library { entry, name } => library::import(entry, name, here),
            Denotation::Opaque(why) => {
                runtime_because(format!("This import is not a static value: {why}"), here)
            }
        }
    }
}

pub(super) fn ours(package: &Rc<str>, name: &str, here: Place) -> Node {
    if &**package == "core" && name == "emptyObjectSchema" {
        let document = Rc::new(Node::new(macros::empty_object_schema(&here), here.clone()));
        return Node::new(Value::Schema { document, validator: false }, here);
    }
    Node::new(Value::Ours { package: Rc::clone(package), name: name.into() }, here)
}
