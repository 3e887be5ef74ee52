//! Stage 3: an expression to a value, without running anything.
//!
//! Evaluation never fails as a whole. What can't be known becomes [`Unknown`] and travels like any value; it
//! is a problem only where a contract needs it. So one pass finds every problem of a declaration, and what a
//! contract does not use may be as dynamic as it likes.

mod define;
mod denoted;
mod enums;
mod fold;
mod library;
mod literal;
mod unknown;
mod value;

use std::rc::Rc;

use agent_surface_json::parse;
use oxc_span::Span;
use oxc_syntax::operator::LogicalOperator;
use rustc_hash::FxHashMap;

pub(crate) use define::Defines;
use denoted::ours;
use unknown::{
    WRITE_STATIC, changed, not_evaluated, not_folded, runtime, runtime_because, too_large, waiting,
};
pub(crate) use value::{Builtin, Node, Object, Opaque, Unknown, Value};

use crate::facts::{
    Argument, Binding, BindingId, BindingKind, Expr, ExprKind, Key, Template, Unsupported, json_expr,
};
use crate::graph::Graph;
use crate::macros;
use crate::module::Module;
use crate::problem::{Place, Problem};
use crate::stack::with_more;

/// How many bindings may be followed one into the other.
const MAX_CHAIN: usize = 200;

/// How deep evaluations may nest, through constants and their constants. So no value nests deeper either.
const MAX_NESTING: usize = 1000;

/// How many expressions one declaration may take. A spread of a spread of a spread doubles at each step.
const MAX_STEPS: usize = 500_000;

/// The longest text that may be put together, in bytes: twice doubled forty times is more than any memory.
const MAX_TEXT: usize = 256 * 1024;

/// Names that every object has without having them written.
const INHERITED: [&str; 12] = [
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
];

/// Evaluates expressions of any module of a graph.
pub(crate) struct Evaluator<'g, 'm> {
    graph: &'g Graph<'m>,
    /// The bindings being evaluated, outermost first.
    active: Vec<(String, BindingId)>,
    steps: usize,
    /// How many evaluations are under way, each inside the one before.
    depth: usize,
    /// Whether a variable that is never assigned again counts as what it was first given.
    follows_variables: bool,
    /// The constants of schema libraries, which may be named again and again, with how many lead one into the other there.
    schemas: FxHashMap<(String, BindingId), (Node, usize)>,
    /// How many constants lead one into the other in what was evaluated so far of the constant in hand.
    chain: usize,
    /// The constants that were read, where somebody wants to know.
    trace: Option<Vec<(String, Place)>>,
}

impl<'g, 'm> Evaluator<'g, 'm> {
    pub(crate) fn new(graph: &'g Graph<'m>) -> Self {
        Self {
            graph,
            active: Vec::new(),
            steps: 0,
            depth: 0,
            follows_variables: false,
            schemas: FxHashMap::default(),
            chain: 0,
            trace: None,
        }
    }

    /// An evaluator that notes which constants it reads.
    pub(crate) fn tracing(graph: &'g Graph<'m>) -> Self {
        Self { trace: Some(Vec::new()), ..Self::new(graph) }
    }

    /// The constants that were read, with the place of each, in the order of reading.
    pub(crate) fn into_trace(self) -> Vec<(String, Place)> {
        self.trace.unwrap_or_default()
    }

    fn note_read(&mut self, name: &str, module: &Rc<Module>, span: Span) {
        if let Some(trace) = &mut self.trace {
            trace.push((name.to_owned(), place(module, span)));
        }
    }

    /// An evaluator for what is refused rather than proven: it follows a `let` that is never assigned again.
    pub(crate) fn for_refusal(graph: &'g Graph<'m>) -> Self {
        Self { follows_variables: true, ..Self::new(graph) }
    }

    /// Evaluates an expression of `module`.
    pub(crate) fn evaluate(&mut self, module: &Rc<Module>, expr: &Expr) -> Node {
        // Outside of a chain nothing is cut short.
        self.in_chain(module, expr).unwrap_or_else(|| Node::new(Value::Undefined, place(module, expr.span)))
    }

    /// Evaluates what a module exports under a name.
    pub(crate) fn export(&mut self, id: &str, name: &str, here: Place) -> Node {
        match self.graph.export(id, name) {
            None => waiting(here),
            Some(Some(denotation)) => self.denoted(denotation, here),
            Some(None) => Node::new(Value::Undefined, here),
        }
    }

    /// Evaluates inside an optional chain; none where `?.` cut it short.
    fn in_chain(&mut self, module: &Rc<Module>, expr: &Expr) -> Option<Node> {
        self.steps += 1;
        let here = place(module, expr.span);
        if self.steps > MAX_STEPS || self.depth >= MAX_NESTING {
            return Some(too_large(here));
        }
        if let Some(constant) = self.defined(module, expr) {
            return Some(constant);
        }
        self.depth += 1;
        let value = with_more(|| self.expression(module, expr, here));
        self.depth -= 1;
        value
    }

    fn expression(&mut self, module: &Rc<Module>, expr: &Expr, here: Place) -> Option<Node> {
        let value = match &expr.kind {
            ExprKind::Null => Value::Null,
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Number(value) => Value::Number(*value),
            ExprKind::String(text) => Value::String(text.as_str().into()),
            ExprKind::Array(elements) => return Some(self.array(module, elements, here)),
            ExprKind::Object(members) => return Some(self.object(module, members, here)),
            ExprKind::Template(template) => {
                return Some(self.template(module, template, here));
            }
            ExprKind::Chain(inner) => {
                return Some(self.in_chain(module, inner).unwrap_or(Node::new(Value::Undefined, here)));
            }
            ExprKind::Member { object, key, optional } => {
                let object = self.in_chain(module, object)?;
                match object.is_nullish() {
                    Some(true) if *optional => return None,
                    None if *optional => return Some(not_folded(&[&object], "`?.`", here)),
                    _ => {}
                }
                return Some(match self.key(module, key) {
                    Ok(key) => self.member(&object, &key, here),
                    Err(unknown) => unknown,
                });
            }
            ExprKind::Call { callee, arguments, optional } => {
                let callee = self.in_chain(module, callee)?;
                if *optional && callee.is_nullish() == Some(true) {
                    return None;
                }
                return Some(self.call(module, &callee, arguments, here));
            }
            ExprKind::Binding(id) => return Some(self.binding(module, *id, here)),
            ExprKind::Global(name) => return Some(global(name, here)),
            ExprKind::ImportMeta => return Some(runtime("`import.meta`", here)),
            ExprKind::Unary(operator, operand) => {
                let operand = self.evaluate(module, operand);
                return Some(match fold::unary(*operator, &operand.value) {
                    Some(value) => Node::new(value, here),
                    None => not_folded(&[&operand], &format!("`{}`", operator.as_str()), here),
                });
            }
            ExprKind::Binary(operator, operands) => {
                let (left, right) = (self.evaluate(module, &operands.0), self.evaluate(module, &operands.1));
                return Some(match fold::binary(*operator, &left.value, &right.value) {
                    Some(Value::String(text)) if text.len() > MAX_TEXT => too_large(here),
                    Some(value) => Node::new(value, here),
                    None => not_folded(&[&left, &right], &format!("`{}`", operator.as_str()), here),
                });
            }
            ExprKind::Logical(operator, operands) => {
                let left = self.evaluate(module, &operands.0);
                let takes_left = match operator {
                    LogicalOperator::Or => fold::is_truthy(&left.value),
                    LogicalOperator::And => fold::is_truthy(&left.value).map(|truthy| !truthy),
                    LogicalOperator::Coalesce => left.is_nullish().map(|nullish| !nullish),
                };
                return Some(match takes_left {
                    None => not_folded(&[&left], &format!("`{}`", operator.as_str()), here),
                    Some(true) => left,
                    Some(false) => self.evaluate(module, &operands.1),
                });
            }
            ExprKind::Conditional(parts) => {
                let test = self.evaluate(module, &parts.0);
                return Some(match fold::is_truthy(&test.value) {
                    None => not_folded(&[&test], "a condition", here),
                    Some(true) => self.evaluate(module, &parts.1),
                    Some(false) => self.evaluate(module, &parts.2),
                });
            }
            ExprKind::Default { value, fallback } => {
                let value = self.evaluate(module, value);
                return Some(match value.value {
                    Value::Undefined => self.evaluate(module, fallback),
                    Value::Enum { .. } => not_folded(&[&value], "a default", here),
                    _ => value,
                });
            }
            ExprKind::ObjectRest { object, taken } => {
                return Some(self.object_rest(module, object, taken, here));
            }
            ExprKind::ArrayRest { array, from } => {
                let array = self.evaluate(module, array);
                return Some(match &array.value {
                    Value::Array(items) => {
                        Node::new(Value::Array(Rc::new(items.iter().skip(*from).cloned().collect())), here)
                    }
                    _ => not_folded(&[&array], "a rest pattern", here),
                });
            }
            ExprKind::Runtime(FUNCTION) => {
                return Some(runtime(FUNCTION, here).into_opaque(Opaque::Function));
            }
            ExprKind::Runtime(what) => return Some(runtime(what, here)),
            ExprKind::Pattern(it) => return Some(pattern(&it.source, &it.flags, here)),
            ExprKind::Unsupported(Unsupported { what, help }) => {
                let problem = Problem::at(here.clone(), "unsupported-value", format!("This is {what}"))
                    .label("here")
                    .help(*help);
                return Some(Node::unknown(problem, here));
            }
        };
        Some(Node::new(value, here))
    }

    fn template(&mut self, module: &Rc<Module>, template: &Template, here: Place) -> Node {
        let Template { quasis, expressions } = template;
        let mut text = String::new();
        for (index, quasi) in quasis.iter().enumerate() {
            text.push_str(quasi);
            if let Some(expr) = expressions.get(index) {
                let value = self.evaluate(module, expr);
                match fold::to_text(&value.value) {
                    Some(part) => text.push_str(&part),
                    None => return not_folded(&[&value], "a template", value.place.clone()),
                }
                if text.len() > MAX_TEXT {
                    return too_large(here);
                }
            }
        }
        Node::new(Value::String(text.into()), here)
    }

    fn key(&mut self, module: &Rc<Module>, key: &Key) -> Result<Rc<str>, Node> {
        match key {
            Key::Static { name, .. } => Ok(name.as_str().into()),
            Key::Computed(expr) => {
                let key = self.evaluate(module, expr);
                match fold::to_text(&key.value) {
                    Some(name) => Ok(name.into()),
                    None => Err(not_folded(&[&key], "a computed key", key.place.clone())),
                }
            }
        }
    }

    fn member(&mut self, object: &Node, key: &str, here: Place) -> Node {
        match &object.value {
            Value::Object(properties) => match properties.get(key) {
                Some(value) => value.clone(),
                None if INHERITED.contains(&key) => runtime("a member that every object inherits", here),
                None => Node::new(Value::Undefined, here),
            },
            Value::Array(items) => match key.parse::<usize>() {
                Ok(index) if index.to_string() == key => {
                    items.get(index).cloned().unwrap_or(Node::new(Value::Undefined, here))
                }
                #[expect(clippy::cast_precision_loss, reason = "an array here has at most MAX_STEPS items")]
                _ if key == "length" => Node::new(Value::Number(items.len() as f64), here),
                _ => runtime("a method of an array", here),
            },
            Value::String(text) if key == "length" => {
                #[expect(clippy::cast_precision_loss, reason = "a module's text is far below 2^53")]
                let length = text.encode_utf16().count() as f64;
                Node::new(Value::Number(length), here)
            }
            Value::Schema { document, .. } if key == "jsonSchema" => (**document).clone(),
            Value::Enum { module, binding } => self.enum_member(&Rc::clone(module), *binding, key, here),
            Value::Namespace(id) => self.export(id, key, here),
            Value::OurNamespace(package) => ours(package, key, here),
            Value::Registry if key == "register" => Node::new(Value::Register, here),
            Value::Builtin(Builtin::ObjectConstructor) if key == "freeze" => {
                Node::new(Value::Builtin(Builtin::ObjectFreeze), here)
            }
            Value::Builtin(Builtin::JsonObject) if key == "parse" => {
                Node::new(Value::Builtin(Builtin::JsonParse), here)
            }
            Value::Library(code) => library::member(code, key, here),
            Value::Unknown(_) => object.clone(),
            _ => {
                let message = format!("`{key}` of {} is not a static value", object.describe());
                let problem = Problem::at(here.clone(), "dynamic-value", message)
                    .label("known only at run time")
                    .help(WRITE_STATIC);
                Node::unknown(problem, here)
            }
        }
    }

    fn call(&mut self, module: &Rc<Module>, callee: &Node, arguments: &[Argument], here: Place) -> Node {
        if let Value::Library(code) = &callee.value {
            return self.library_call(module, code, arguments, here);
        }
        if let Some(spread) = arguments.iter().find(|argument| argument.spread) {
            return runtime("a call with spread arguments", place(module, spread.expr.span));
        }
        let argument = |evaluator: &mut Self, index: usize| match arguments.get(index) {
            Some(argument) => evaluator.evaluate(module, &argument.expr),
            None => Node::new(Value::Undefined, here.clone()),
        };
        match &callee.value {
            Value::Ours { package, name } if &**package == "core" => match &**name {
                "observationContract" | "actionContract" => argument(self, 0),
                "fromJsonSchema" => {
                    let document = Rc::new(argument(self, 0));
                    Node::new(Value::Schema { document, validator: false }, here)
                }
                "fromStandardSchema" => {
                    let options = argument(self, 1);
                    if !matches!(options.value, Value::Undefined) {
                        return self.standard_schema(&options, here);
                    }
                    let schema = argument(self, 0);
                    library::standard_schema(schema, here)
                }
                name if macros::Macro::named(name).is_some() => Node::new(Value::Contract, here),
                name if macros::makes_registry("core", name) => Node::new(Value::Registry, here),
                _ => not_evaluated(name, here),
            },
            Value::Ours { package, name } if macros::makes_registry(package, name) => {
                Node::new(Value::Registry, here)
            }
            Value::Ours { name, .. } => not_evaluated(name, here),
            Value::Builtin(Builtin::ObjectFreeze) => argument(self, 0),
            // A second argument revives the values: code of the app.
            Value::Builtin(Builtin::JsonParse) if arguments.len() > 1 => {
                runtime("the result of a call", here)
            }
            Value::Builtin(Builtin::JsonParse) => {
                let text = argument(self, 0);
                match &text.value {
                    Value::String(source) => match parse(source) {
                        Ok(value) => self.evaluate(module, &json_expr(&value, here.span)),
                        Err(error) => runtime_because(format!("`JSON.parse` throws here: {error}"), here),
                    },
                    _ => not_folded(&[&text], "`JSON.parse`", here),
                }
            }
            Value::Unknown(_) => callee.clone(),
            _ => runtime("the result of a call", here),
        }
    }

    /// The JSON Schema of `fromStandardSchema(validator, { jsonSchema })`; the validator stays code.
    fn standard_schema(&mut self, options: &Node, here: Place) -> Node {
        let document = match &options.value {
            Value::Unknown(_) => return options.clone(),
            Value::Null => Node::new(Value::Undefined, here.clone()),
            _ => self.member(options, "jsonSchema", here.clone()),
        };
        match document.value {
            Value::Undefined => library::without_document(here),
            _ => Node::new(Value::Schema { document: Rc::new(document), validator: true }, here),
        }
    }

    fn binding(&mut self, module: &Rc<Module>, id: BindingId, here: Place) -> Node {
        let Some(binding) = module.facts.bindings.get(&id) else {
            return runtime("a name", here);
        };
        if matches!(binding.kind, BindingKind::Constant(_) | BindingKind::Enum(_)) {
            self.note_read(&binding.name, module, binding.span);
        }
        match &binding.kind {
            BindingKind::Import { request, name } => {
                let specifier = &module.facts.requests[*request].specifier;
                match self.graph.import(module, specifier, name) {
                    None => waiting(here),
                    Some(denotation) => {
                        let node = self.denoted(denotation, here.clone());
                        self.unless_changed(node, module, binding, here)
                    }
                }
            }
            BindingKind::Constant(init) => self.constant(module, id, binding, init, here),
            BindingKind::Enum(_) => {
                let node = Node::new(Value::Enum { module: Rc::clone(module), binding: id }, here.clone());
                match binding.changes.first() {
                    Some(change) => changed(module, binding, change, here),
                    None => node,
                }
            }
            BindingKind::EnumObject(owner) => {
                Node::new(Value::Enum { module: Rc::clone(module), binding: *owner }, here)
            }
            BindingKind::EnumMember { owner, name } => self.enum_member(module, *owner, name, here),
            BindingKind::Reassignable { only: Some(init), .. } if self.follows_variables => {
                self.constant(module, id, binding, init, here)
            }
            BindingKind::Reassignable { keyword, .. } => {
                let message =
                    format!("`{}` is declared with `{keyword}`, so its value may change", binding.name);
                let (span, why) = match binding.changes.iter().find(|change| change.rebinds) {
                    Some(change) => (change.span, format!("and it is {} here", change.what)),
                    None => (binding.span, "declared here".to_owned()),
                };
                let problem = Problem::at(here.clone(), "reassignable", message)
                    .label("used here")
                    .related(place(module, span), why)
                    .help("Declare it with `const`.");
                Node::unknown(problem, here)
            }
            BindingKind::Runtime(what) => {
                let message = format!("`{}` is {what}, known only at run time", binding.name);
                let problem = Problem::at(here.clone(), "dynamic-value", message)
                    .label("not a static value")
                    .related(place(module, binding.span), "declared here")
                    .help(WRITE_STATIC);
                let node = Node::unknown(problem, here);
                if *what == FUNCTION { node.into_opaque(Opaque::Function) } else { node }
            }
        }
    }

    fn constant(
        &mut self,
        module: &Rc<Module>,
        id: BindingId,
        binding: &Binding,
        init: &Expr,
        here: Place,
    ) -> Node {
        let key = (module.id.clone(), id);
        if let Some((schema, chain)) = self.schemas.get(&key) {
            self.chain = self.chain.max(*chain);
            return schema.clone();
        }
        if self.active.contains(&key) {
            let message = format!("`{}` is defined by itself", binding.name);
            let problem = Problem::at(here.clone(), "cyclic-value", message)
                .label("the circle closes here")
                .related(place(module, binding.span), "declared here")
                .help("Break the circle: write the value in one place.");
            return Node::unknown(problem, here);
        }
        if self.active.len() >= MAX_CHAIN {
            return too_large(here);
        }
        self.active.push(key);
        let chain_outside = std::mem::take(&mut self.chain);
        let node = self.evaluate(module, init);
        let chain = self.chain + 1;
        self.chain = chain.max(chain_outside);
        self.active.pop();
        // What was evaluated before is no shorter for that.
        if chain > MAX_CHAIN {
            return too_large(here);
        }
        let node = self.unless_changed(node, module, binding, here.clone());
        let node = self.unless_changed_elsewhere(node, module, &module.facts.names_of(id), here);
        self.library_constant(node, (module.id.clone(), id), chain)
    }

    /// The value, unless the module changes what it holds (or the name itself, which throws at run time).
    fn unless_changed(&self, node: Node, module: &Rc<Module>, binding: &Binding, here: Place) -> Node {
        let change = binding.changes.iter().find(|change| change.rebinds || node.is_shared());
        match change {
            Some(change) if !node.is_unknown() => changed(module, binding, change, here),
            None if node.is_shared() => match self.graph.change_by_function(module, binding) {
                None => waiting(here),
                Some(None) => node,
                Some(Some((other, change))) => changed(&other, binding, &change, here),
            },
            _ => node,
        }
    }

    /// The value, unless another module changes what it holds through an import of one of these names.
    fn unless_changed_elsewhere(&self, node: Node, module: &Rc<Module>, names: &[&str], here: Place) -> Node {
        if !node.is_shared() || names.is_empty() {
            return node;
        }
        match self.graph.foreign_change(module, names) {
            None => waiting(here),
            Some(None) => node,
            Some(Some((other, binding, change))) => changed(&other, &binding, &change, here),
        }
    }
}

/// What facts call a function of the app.
const FUNCTION: &str = "a function";

fn pattern(source: &str, flags: &str, here: Place) -> Node {
    let problem = Problem::at(
        here.clone(),
        "unsupported-value",
        "This is a regular expression, which JSON cannot carry",
    )
    .label("here")
    .help("Write its source as a string; `pattern` of a JSON Schema takes one.");
    Node::unknown(problem, here)
        .into_opaque(Opaque::Pattern { source: source.to_owned(), flags: flags.to_owned() })
}

pub(crate) fn place(module: &Rc<Module>, span: Span) -> Place {
    Place { module: Rc::clone(module), span }
}

fn global(name: &str, here: Place) -> Node {
    let value = match name {
        "undefined" => Value::Undefined,
        "NaN" => Value::Number(f64::NAN),
        "Infinity" => Value::Number(f64::INFINITY),
        "Object" => Value::Builtin(Builtin::ObjectConstructor),
        "JSON" => Value::Builtin(Builtin::JsonObject),
        _ => {
            let message =
                format!("`{name}` is not declared in this module, so its value is known only at run time");
            let problem = Problem::at(here.clone(), "dynamic-value", message)
                .label("not a static value")
                .help(WRITE_STATIC);
            return Node::unknown(problem, here);
        }
    };
    Node::new(value, here)
}
