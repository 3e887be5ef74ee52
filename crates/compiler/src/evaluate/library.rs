//! Expressions over schema libraries: collected, not run. They stay closed, or the reason why not takes their place.

use std::rc::Rc;

use super::unknown::not_folded;
use super::{Evaluator, MAX_STEPS, Node, Object, Unknown, Value, too_large};
use crate::facts::{Argument, BindingId, Element, Expr, ImportedName, Member};
use crate::library::{Code, CodeKind, Entry, Operand, Part, is_message_of, is_message_property};
use crate::module::Module;
use crate::problem::{Place, Problem};

const STAY_CLOSED: &str = "A schema that is evaluated for a contract is made of calls of its library and static values. Make \
     this one static, or write the JSON Schema out: fromStandardSchema(schema, { jsonSchema: { … } }).";

/// What a library exports.
pub(super) fn import(entry: Rc<Entry>, name: ImportedName, here: Place) -> Node {
    code(CodeKind::Import { entry, name }, here)
}

/// Members that lead out of a library: to the function that makes functions of texts, and to what all objects share.
const WAYS_OUT: [&str; 5] = ["constructor", "__proto__", "prototype", "caller", "arguments"];

/// A member of a library's value.
pub(super) fn member(object: &Rc<Code>, key: &str, here: Place) -> Node {
    if WAYS_OUT.contains(&key) {
        let message =
            format!("`{key}` is no part of a schema library: it leads to what runs any text as code");
        let problem = Problem::at(here.clone(), "dynamic-value", message);
        return Node::unknown(problem.label("not of the schema library").help(STAY_CLOSED), here);
    }
    code(CodeKind::Member { object: Rc::clone(object), key: key.into() }, here)
}

/// The document of `fromStandardSchema(schema)`: what the schema says of itself.
pub(super) fn standard_schema(schema: Node, here: Place) -> Node {
    match &schema.value {
        Value::Library(code) => {
            let standard = Code { kind: CodeKind::Standard(Rc::clone(code)), place: here.clone() };
            let document = Node::new(Value::Library(Rc::new(standard)), here.clone());
            Node::new(Value::Schema { document: Rc::new(document), validator: true }, here)
        }
        Value::Unknown(Unknown::Waiting) => schema,
        // It is one, and something in it keeps it from being evaluated.
        Value::Unknown(Unknown::Because(problem)) if problem.help == STAY_CLOSED => schema,
        _ => without_document(here),
    }
}

/// A schema of which nothing is known but that it is one.
pub(super) fn without_document(here: Place) -> Node {
    let problem = Problem::at(here.clone(), "schema", "This schema has no JSON Schema to prove")
        .label("`jsonSchema` is missing")
        .help(
            "Pass it as the second argument: fromStandardSchema(schema, { jsonSchema: { … } }). Schemas of Zod, Valibot \
             and ArkType may be passed to their own converter there.",
        );
    Node::unknown(problem, here)
}

fn code(kind: CodeKind, here: Place) -> Node {
    Node::new(Value::Library(Rc::new(Code { kind, place: here.clone() })), here)
}

/// Functions that change a library for whatever is evaluated after them, by their package.
const SETTINGS: [(&str, &[&str]); 5] = [
    ("zod", &["config"]),
    (
        "valibot",
        &[
            "setGlobalConfig",
            "deleteGlobalConfig",
            "setGlobalMessage",
            "deleteGlobalMessage",
            "setSchemaMessage",
            "deleteSchemaMessage",
            "setSpecificMessage",
            "deleteSpecificMessage",
        ],
    ),
    ("@valibot/to-json-schema", &["addGlobalDefs"]),
    ("arktype", &["configure"]),
    ("typebox", &["Set", "Clear"]),
];

/// What is wrong with calling a function that changes its library.
fn changes_library(callee: &Code, here: &Place) -> Option<Problem> {
    let (entry, name) = (callee.entry()?, callee.name()?);
    let package = if entry.package == "@sinclair/typebox" { "typebox" } else { &entry.package };
    SETTINGS.iter().find(|(library, names)| *library == package && names.contains(&name))?;
    let message = format!("`{name}` changes {} for every schema that comes after", entry.package);
    let problem = Problem::at(here.clone(), "dynamic-value", message).label("changes the library");
    Some(problem.help(STAY_CLOSED))
}

impl Evaluator<'_, '_> {
    /// A call of a library's function, or the reason why it can't be made while the app is built.
    pub(super) fn library_call(
        &mut self,
        module: &Rc<Module>,
        callee: &Rc<Code>,
        arguments: &[Argument],
        here: Place,
    ) -> Node {
        let operands = match self.operands(module, arguments.iter().map(|it| (&it.expr, it.spread))) {
            Ok(operands) => operands,
            Err(node) => return node,
        };
        for (index, operand) in operands.iter().enumerate() {
            let (Operand::Item(node) | Operand::Spread(node)) = operand;
            if let Some(open) = find_open(node, is_message_of(callee, index)) {
                return open;
            }
        }
        match changes_library(callee, &here) {
            Some(problem) => Node::unknown(problem, here),
            None => code(CodeKind::Call { callee: Rc::clone(callee), arguments: operands }, here),
        }
    }

    /// An array into which something of a library is spread.
    pub(super) fn library_array(&mut self, module: &Rc<Module>, elements: &[Element], here: Place) -> Node {
        let items = elements.iter().filter_map(|element| match element {
            Element::Item(expr) => Some((expr, false)),
            Element::Spread(expr) => Some((expr, true)),
            Element::Hole(_) => None,
        });
        match self.operands(module, items) {
            Ok(items) => code(CodeKind::Array(items), here),
            Err(node) => node,
        }
    }

    /// An object into which something of a library is spread.
    pub(super) fn library_object(&mut self, module: &Rc<Module>, members: &[Member], here: Place) -> Node {
        let mut parts = Vec::with_capacity(members.len());
        for member in members {
            match member {
                Member::Spread(expr) => match self.evaluate(module, expr) {
                    spread @ Node { value: Value::Library(_), .. } => parts.push(Part::Spread(spread)),
                    Node { value: Value::Object(object), .. } => {
                        self.steps += object.iter().count();
                        parts.extend(
                            object.iter().map(|(key, value)| Part::Property(Rc::clone(key), value.clone())),
                        );
                    }
                    other => return not_folded(&[&other], "spreading into a schema", other.place.clone()),
                },
                // Everything else is an object of one member.
                member => {
                    let object = self.object(module, std::slice::from_ref(member), here.clone());
                    let Value::Object(object) = &object.value else { return object };
                    parts.extend(
                        object.iter().map(|(key, value)| Part::Property(Rc::clone(key), value.clone())),
                    );
                }
            }
        }
        if self.steps > MAX_STEPS {
            return too_large(here);
        }
        code(CodeKind::Object(parts), here)
    }

    /// Each item, and whether it is spread.
    fn operands<'e>(
        &mut self,
        module: &Rc<Module>,
        items: impl Iterator<Item = (&'e Expr, bool)>,
    ) -> Result<Vec<Operand>, Node> {
        let mut operands = Vec::new();
        for (expr, spread) in items {
            if !spread {
                operands.push(Operand::Item(self.operand(module, expr)));
                continue;
            }
            let spread = self.evaluate(module, expr);
            match &spread.value {
                Value::Array(items) => operands.extend(items.iter().cloned().map(Operand::Item)),
                Value::Library(_) => operands.push(Operand::Spread(spread)),
                _ => return Err(not_folded(&[&spread], "spreading into a call", spread.place.clone())),
            }
        }
        Ok(operands)
    }

    /// An operand; an enum as the object that it is at run time.
    fn operand(&mut self, module: &Rc<Module>, expr: &Expr) -> Node {
        let node = self.evaluate(module, expr);
        match &node.value {
            Value::Enum { module, binding } => {
                let module = Rc::clone(module);
                self.enum_object(&module, *binding, node.place.clone())
            }
            _ => node,
        }
    }

    /// A constant of the app that a library made: evaluated once, and one value wherever it is named.
    /// So many constants lead one into the other there.
    pub(super) fn library_constant(&mut self, node: Node, key: (String, BindingId), chain: usize) -> Node {
        let Value::Library(value) = &node.value else { return node };
        if matches!(value.kind, CodeKind::Constant { .. } | CodeKind::Import { .. } | CodeKind::Member { .. })
        {
            return node;
        }
        let kind = CodeKind::Constant { key: key.clone(), value: Rc::clone(value) };
        let constant = code(kind, node.place);
        self.schemas.insert(key, (constant.clone(), chain));
        constant
    }
}

/// What keeps an argument from being evaluated, if anything does. A text that people read where a value is refused may be
/// whatever it likes: something else stands in for it.
fn find_open(node: &Node, is_message: bool) -> Option<Node> {
    match &node.value {
        Value::Unknown(Unknown::Opaque { .. }) => None,
        Value::Unknown(Unknown::Because(_)) if is_message => None,
        Value::Unknown(Unknown::Because(problem)) => {
            let problem = Problem::clone(problem).help(STAY_CLOSED);
            Some(Node::unknown(problem, node.place.clone()))
        }
        Value::Unknown(Unknown::Waiting) => Some(node.clone()),
        Value::Array(items) => items.iter().find_map(|item| find_open(item, false)),
        Value::Object(object) => find_open_in(object),
        Value::Library(code) => match &code.kind {
            CodeKind::Object(parts) => parts.iter().find_map(|part| match part {
                Part::Property(key, value) => find_open(value, is_message_property(key)),
                Part::Spread(_) => None,
            }),
            CodeKind::Array(items) => items.iter().find_map(|item| match item {
                Operand::Item(node) => find_open(node, false),
                Operand::Spread(_) => None,
            }),
            // A call and whatever is in it was looked at when it was made.
            _ => None,
        },
        Value::Undefined | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
        _ => {
            let message = format!("This is {}, which is no part of a schema", node.describe());
            let problem = Problem::at(node.place.clone(), "dynamic-value", message);
            Some(Node::unknown(
                problem.label("not of the schema library").help(STAY_CLOSED),
                node.place.clone(),
            ))
        }
    }
}

fn find_open_in(object: &Object) -> Option<Node> {
    object.iter().find_map(|(key, value)| find_open(value, is_message_property(key)))
}
