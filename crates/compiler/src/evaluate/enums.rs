//! Members of enums, evaluated one by one: a member may need another of its enum.

use std::rc::Rc;

use super::unknown::runtime;
use super::value::{Node, Object, Value};
use super::{Evaluator, MAX_CHAIN, place};
use crate::facts::{Binding, BindingId, BindingKind, EnumMember};
use crate::module::Module;
use crate::number;
use crate::problem::{Place, Problem};

/// How many members are looked through in one step.
const MEMBERS_PER_STEP: usize = 64;

impl Evaluator<'_, '_> {
    pub(super) fn enum_member(
        &mut self,
        module: &Rc<Module>,
        owner: BindingId,
        name: &str,
        here: Place,
    ) -> Node {
        let Some(Binding { kind: BindingKind::Enum(members), .. }) = module.facts.bindings.get(&owner) else {
            return runtime("an enum member", here);
        };
        self.steps += members.len() / MEMBERS_PER_STEP;
        match members.iter().rposition(|member| member.name == name) {
            Some(index) => self.enum_value(module, owner, members, index, here),
            None => runtime("a member its enum does not write", here),
        }
    }

    /// An enum as the object that it is at run time: a number leads back to its name.
    pub(super) fn enum_object(&mut self, module: &Rc<Module>, owner: BindingId, here: Place) -> Node {
        let Some(Binding { kind: BindingKind::Enum(members), .. }) = module.facts.bindings.get(&owner) else {
            return runtime("an enum", here);
        };
        let mut object = Object::default();
        for member in members {
            let value = self.enum_member(module, owner, &member.name, here.clone());
            if let Value::Number(number) = value.value {
                let name = Node::new(Value::String(member.name.as_str().into()), here.clone());
                object.insert(number::to_string(number).into(), name);
            }
            object.insert(member.name.as_str().into(), value);
        }
        Node::new(Value::Object(Rc::new(object)), here)
    }

    fn enum_value(
        &mut self,
        module: &Rc<Module>,
        owner: BindingId,
        members: &[EnumMember],
        index: usize,
        here: Place,
    ) -> Node {
        let key_of = |member: &EnumMember| (format!("{}#{}", module.id, member.name), owner);
        let key = key_of(&members[index]);
        if self.active.contains(&key) || self.active.len() >= MAX_CHAIN {
            return runtime("an enum member that is defined by itself", here);
        }
        // Members get their values in the order of the text.
        let is_under_way = self.active.iter().any(|(_, active)| *active == owner);
        if is_under_way && members[..index].iter().any(|member| self.active.contains(&key_of(member))) {
            return runtime("an enum member that gets its value later", here);
        }
        self.active.push(key);
        let written = members[..=index].iter().rposition(|member| member.value.is_some());
        let base = match written.and_then(|at| members[at].value.as_ref().map(|value| (at, value))) {
            Some((at, value)) => (at, self.evaluate(module, value)),
            None => (0, Node::new(Value::Number(0.0), here.clone())),
        };
        self.active.pop();
        let (at, value) = base;
        match value.value {
            _ if at == index && written.is_some() => Node::new(value.value, here),
            #[expect(clippy::cast_precision_loss, reason = "an enum has far fewer than 2^53 members")]
            Value::Number(number) => Node::new(Value::Number(number + (index - at) as f64), here),
            Value::Unknown(_) => value,
            _ => {
                let member = place(module, members[index].span);
                let problem =
                    Problem::at(member, "dynamic-value", "This enum member has no value to count from")
                        .label("needs a value of its own")
                        .help("Give it one: a member after a string member is not counted.");
                Node::unknown(problem, here)
            }
        }
    }
}
