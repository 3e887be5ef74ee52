//! The calls that a build makes needless: `{ jsonSchema: z.toJSONSchema(Schema) }` ships as the JSON that it came to, and
//! the converter stays out of the bundle.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Entry, Printed, Side, Sides, outcome};
use crate::evaluate::{Evaluator, Node, Unknown, Value};
use crate::facts::{Argument, Expr, ExprKind, Key, Member, Placement};
use crate::graph::Graph;
use crate::module::Module;
use crate::placeholder;
use crate::problem::Problem;

/// An expression whose JSON ships in its place.
#[derive(Clone, Debug)]
pub(crate) struct SchemaLiteral {
    /// The name of its placeholder.
    name: String,
    /// What is replaced; empty where an option is added.
    pub(crate) range: Range<usize>,
    /// The call of the helper that it is an argument of.
    call: Expr,
    form: Form,
    /// The modules of libraries that it is evaluated with, as far as that shows before the graph is complete.
    pub(crate) imports: Vec<Rc<Entry>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A whole expression is replaced.
    Expression,
    /// `{ jsonSchema }` is written out.
    Shorthand,
    /// `fromStandardSchema(schema)` gets options.
    Options,
}

impl SchemaLiteral {
    /// What is written at its place.
    pub(crate) fn text(&self) -> String {
        let literal = placeholder::expression(&self.name);
        match self.form {
            Form::Expression => literal,
            Form::Shorthand => format!("jsonSchema: {literal}"),
            Form::Options => format!(", {{ jsonSchema: {literal} }}"),
        }
    }
}

/// The values of the placeholders, or what stands in their way.
#[derive(Debug, Default)]
pub(crate) struct Values {
    pub(crate) values: FxHashMap<String, String>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) waiting: bool,
}

/// The functions of ours that are handed a schema.
const HELPERS: [&str; 2] = ["fromStandardSchema", "fromJsonSchema"];

/// The calls of `fromStandardSchema` and `fromJsonSchema` in a module whose JSON Schema a library makes.
pub(crate) fn find_literals(graph: &Graph<'_>, module: &Rc<Module>) -> Vec<SchemaLiteral> {
    let has_helper = HELPERS.iter().any(|name| module.source.contains(name));
    // What is proven is read by `JSON.parse`, and that must be the engine's.
    if !has_helper || module.facts.own_json.is_some() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for call in &module.facts.calls {
        if matches!(call.placement, Placement::Misplaced(_)) {
            continue;
        }
        let mut look = |call: &Expr| found.extend(find_in(graph, module, call));
        // Only what is found is kept, so only a call that may be found is made an expression of.
        if module.facts.written_name(&call.callee).is_some_and(|name| HELPERS.contains(&name)) {
            let arguments = Rc::clone(&call.arguments);
            let kind = ExprKind::Call { callee: Box::new(call.callee.clone()), arguments, optional: false };
            visit(&Expr::new(call.span, kind), &mut look);
        } else {
            for argument in &*call.arguments {
                visit(&argument.expr, &mut look);
            }
        }
    }
    found.sort_by_key(|literal| (literal.range.start, literal.range.end));
    found.dedup_by_key(|literal| literal.range.clone());
    found
}

/// The literal that a call of a helper gets, if it gets one.
fn find_in(graph: &Graph<'_>, module: &Rc<Module>, call: &Expr) -> Option<SchemaLiteral> {
    let ExprKind::Call { callee, arguments, optional: false } = &call.kind else { return None };
    let (range, form): (Range<usize>, Form) = match (module.facts.written_name(callee)?, &**arguments) {
        ("fromJsonSchema", [Argument { expr, spread: false, .. }]) => {
            (candidate(module, expr)?, Form::Expression)
        }
        ("fromStandardSchema", [Argument { expr, spread: false, .. }]) => {
            let end = candidate(module, expr)?.end;
            (end..end, Form::Options)
        }
        (
            "fromStandardSchema",
            [_, Argument { expr: Expr { kind: ExprKind::Object(members), .. }, spread: false, .. }],
        ) => {
            let (key, document) = members.iter().find_map(|member| match member {
                Member::Property { key: Key::Static { name, span }, value } if name == "jsonSchema" => {
                    Some((*span, value))
                }
                _ => None,
            })?;
            let form = if key == document.span { Form::Shorthand } else { Form::Expression };
            (candidate(module, document)?, form)
        }
        _ => return None,
    };
    let document = document_of(graph, module, call)?;
    let Value::Library(code) = &document.value else { return None };
    Some(SchemaLiteral {
        name: format!("{}:schema:{}", module.key(), range.start),
        range,
        call: call.clone(),
        form,
        imports: Printed::new(code, Side::AsWritten).imports,
    })
}

/// The text of an expression that a library may be behind.
fn candidate(module: &Module, expr: &Expr) -> Option<Range<usize>> {
    module.facts.root_request(expr)?;
    Some(expr.span.start as usize..expr.span.end as usize)
}

/// The document of an `AgentSchema`.
fn document_of(graph: &Graph<'_>, module: &Rc<Module>, call: &Expr) -> Option<Rc<Node>> {
    match Evaluator::new(graph).evaluate(module, call).value {
        Value::Schema { document, .. } => Some(document),
        _ => None,
    }
}

/// The JSON of a module's literals, each for the side that contracts use it for.
pub(crate) fn values_of(
    graph: &Graph<'_>,
    module: &Rc<Module>,
    literals: &[SchemaLiteral],
    sides: &Sides,
    values: &mut Values,
) {
    for literal in literals {
        let node = Evaluator::new(graph).evaluate(module, &literal.call);
        let document = match &node.value {
            Value::Schema { document, .. } => document,
            _ => &Rc::new(node),
        };
        let place = &document.place;
        match &document.value {
            Value::Library(code) => {
                let side = sides.get(&(place.module.id.clone(), place.span)).copied();
                match outcome(graph, code, side.unwrap_or(Side::AsWritten)) {
                    None => values.waiting = true,
                    Some(Ok((_, json))) => {
                        values.values.insert(literal.name.clone(), json.to_canonical());
                    }
                    Some(Err(problem)) => values.problems.push(*problem),
                }
            }
            Value::Unknown(Unknown::Waiting) => values.waiting = true,
            Value::Unknown(unknown) => values.problems.extend(unknown.problem().map(|it| Problem::clone(it))),
            _ => {
                let message =
                    "This was taken for a schema of a library, and the finished graph says it is none";
                let problem = Problem::at(place.clone(), "unstable-import", message);
                values.problems.push(problem.label("leads elsewhere in the bundle"));
            }
        }
    }
}

/// Visits the calls of an expression, outer ones first.
fn visit(expr: &Expr, look: &mut dyn FnMut(&Expr)) {
    match &expr.kind {
        ExprKind::Call { arguments, .. } => {
            look(expr);
            for argument in arguments.iter().filter(|argument| !argument.spread) {
                visit(&argument.expr, look);
            }
        }
        ExprKind::Object(members) => {
            for member in members {
                if let Member::Property { value, .. } | Member::Spread(value) = member {
                    visit(value, look);
                }
            }
        }
        _ => {}
    }
}
