//! Uses of imported bindings: the calls that may be macros, and every use that may let a macro escape.

use std::rc::Rc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument as CallArgument, BindingPattern, Expression, IdentifierReference, UnaryOperator,
    VariableDeclarationKind,
};
use oxc_semantic::{NodeId, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashSet;

use super::climb::{Access, climb};
use super::expr::{Element, Expr, ExprKind, Key};
use super::lower::Lowerer;
use super::{Argument, Call, DynamicRequest, Facts, Placement, Stray};

/// Reads every use of every imported binding, and of the constants that are aliases of one.
pub(super) fn read(lowerer: &mut Lowerer<'_, '_>, facts: &mut Facts) {
    let mut roots: Vec<SymbolId> = lowerer.imports.keys().copied().collect();
    roots.sort_unstable();
    let mut seen: FxHashSet<SymbolId> = roots.iter().copied().collect();
    while let Some(root) = roots.pop() {
        let references: Vec<NodeId> = lowerer
            .semantic
            .symbol_references(root)
            .filter(|reference| !reference.is_type() || reference.is_value())
            .map(oxc_semantic::Reference::node_id)
            .collect();
        for reference in references {
            if let Some(alias) = read_use(lowerer, facts, root, reference)
                && seen.insert(alias)
            {
                // It may be exported and used nowhere else.
                lowerer.binding(alias);
                roots.push(alias);
            }
        }
    }
    facts.calls.sort_by_key(|call| (call.span.start, call.span.end));
    facts.strays.sort_by_key(|stray| (stray.span.start, stray.span.end));
    read_dynamic_requests(lowerer, facts);
}

/// Reads one use. Returns the constant that became an alias by it, if one did.
fn read_use(
    lowerer: &mut Lowerer<'_, '_>,
    facts: &mut Facts,
    root: SymbolId,
    reference: NodeId,
) -> Option<SymbolId> {
    let nodes = lowerer.nodes();
    let mut subject = Expr::new(nodes.kind(reference).span(), ExprKind::Binding(lowerer.binding(root)));
    let top = climb(nodes, reference, |access| {
        let (span, key, optional) = match access {
            Access::Static(member) => {
                let name = member.property.name.to_string();
                (member.span, Key::Static { name, span: member.property.span }, member.optional)
            }
            Access::Computed(member) => {
                (member.span, lowerer.computed_key(&member.expression), member.optional)
            }
            Access::Private => {
                let name = Expr::new(subject.span, ExprKind::Runtime("a private name"));
                (subject.span, Key::Computed(name), false)
            }
        };
        let object = Rc::new(subject.clone());
        subject = Expr::new(span, ExprKind::Member { object, key: Box::new(key), optional });
    });
    let span = nodes.kind(top).span();
    let parent = nodes.parent_kind(top);
    let what = match parent {
        _ if has_computed_key(&subject) => "is reached by a computed key",
        AstKind::CallExpression(call) if call.callee.span() == span => {
            let placement = placement(lowerer, call.node_id.get());
            let call = Call {
                callee: subject,
                span: call.span,
                arguments: read_arguments(lowerer, &call.arguments, &placement),
                optional: call.optional,
                constructed: false,
                placement,
            };
            facts.calls.push(call);
            return None;
        }
        AstKind::NewExpression(call) if call.callee.span() == span => {
            facts.calls.push(Call {
                callee: subject,
                span: call.span,
                arguments: Vec::new(),
                optional: false,
                constructed: true,
                placement: Placement::Misplaced("after `new`"),
            });
            return None;
        }
        AstKind::VariableDeclarator(declarator) => match &declarator.id {
            BindingPattern::BindingIdentifier(identifier)
                if is_constant(lowerer, declarator.node_id.get()) =>
            {
                return identifier.symbol_id.get();
            }
            BindingPattern::BindingIdentifier(_) => "is assigned to a variable that may change",
            _ => "is destructured",
        },
        // Passing it on under a name is followed where that name is used.
        AstKind::ExportSpecifier(_)
        | AstKind::ExportDefaultDeclaration(_)
        | AstKind::ExpressionStatement(_) => {
            return None;
        }
        AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Typeof => return None,
        AstKind::CallExpression(_) | AstKind::NewExpression(_) => "is passed as an argument",
        AstKind::ObjectProperty(_) => "is stored in an object",
        AstKind::ArrayExpression(_) => "is stored in an array",
        AstKind::SpreadElement(_) => "is spread",
        AstKind::AssignmentExpression(_) => "is assigned",
        AstKind::TaggedTemplateExpression(_) => "is used as a template tag",
        AstKind::ReturnStatement(_) | AstKind::ArrowFunctionExpression(_) => "is returned from a function",
        _ => "is passed as a value",
    };
    facts.strays.push(Stray { subject, span, what });
    None
}

/// Whether some member on the way can be any member.
fn has_computed_key(subject: &Expr) -> bool {
    match &subject.kind {
        ExprKind::Member { object, key, .. } => matches!(**key, Key::Computed(_)) || has_computed_key(object),
        _ => false,
    }
}

fn read_arguments<'a>(
    lowerer: &mut Lowerer<'_, 'a>,
    arguments: &[CallArgument<'a>],
    placement: &Placement,
) -> Vec<Argument> {
    arguments
        .iter()
        .map(|argument| {
            let spread = argument.is_spread();
            // A call inside a function is no declaration whatever it is called with.
            let expr = match placement {
                Placement::Misplaced(_) => {
                    let kind = if is_object_literal(argument) {
                        ExprKind::Object(Vec::new())
                    } else {
                        ExprKind::Runtime("an argument")
                    };
                    Expr::new(argument.span(), kind)
                }
                _ => match lowerer.argument(argument) {
                    Element::Item(expr) | Element::Spread(expr) => expr,
                    Element::Hole(span) => Expr::new(span, ExprKind::Runtime("an argument")),
                },
            };
            Argument { span: argument.span(), expr, spread }
        })
        .collect()
}

fn is_object_literal(argument: &CallArgument<'_>) -> bool {
    argument
        .as_expression()
        .is_some_and(|argument| matches!(argument.get_inner_expression(), Expression::ObjectExpression(_)))
}

fn is_constant(lowerer: &Lowerer<'_, '_>, declarator: NodeId) -> bool {
    matches!(lowerer.nodes().parent_kind(declarator),
        AstKind::VariableDeclaration(declaration) if declaration.kind == VariableDeclarationKind::Const)
}

/// What the value of a call is called, by where the call stands.
fn placement(lowerer: &Lowerer<'_, '_>, call: NodeId) -> Placement {
    let nodes = lowerer.nodes();
    let mut path: Vec<String> = Vec::new();
    let mut node = call;
    loop {
        node = climb(nodes, node, |_| path.push(String::new()));
        if path.iter().any(String::is_empty) {
            return Placement::Misplaced("as the object of a member access");
        }
        let parent = nodes.parent_node(node);
        match parent.kind() {
            AstKind::VariableDeclarator(declarator) => {
                let BindingPattern::BindingIdentifier(identifier) = &declarator.id else {
                    return Placement::Misplaced("in a destructuring pattern");
                };
                if !is_at_top_level(lowerer, nodes.parent_id(parent.id())) {
                    return Placement::Misplaced(inside(lowerer, parent.id()));
                }
                path.push(identifier.name.to_string());
                path.reverse();
                return Placement::Named(path.join("."));
            }
            AstKind::ExportDefaultDeclaration(_) => {
                if path.is_empty() {
                    return Placement::Default;
                }
                path.push("default".to_owned());
                path.reverse();
                return Placement::Named(path.join("."));
            }
            AstKind::ObjectProperty(property)
                if !property.computed && property.value.span() == nodes.kind(node).span() =>
            {
                let Some(name) = property.key.static_name() else {
                    return Placement::Misplaced("under a computed key");
                };
                path.push(name.to_string());
                node = nodes.parent_id(parent.id());
            }
            AstKind::CallExpression(_) | AstKind::NewExpression(_) => {
                return Placement::Misplaced("as an argument");
            }
            _ => return Placement::Misplaced(inside(lowerer, parent.id())),
        }
    }
}

fn is_at_top_level(lowerer: &Lowerer<'_, '_>, declaration: NodeId) -> bool {
    let nodes = lowerer.nodes();
    matches!(nodes.parent_kind(declaration), AstKind::Program(_) | AstKind::ExportDeclaration(_))
}

/// The nearest thing around a node that keeps it from being a declaration of the module.
fn inside(lowerer: &Lowerer<'_, '_>, node: NodeId) -> &'static str {
    std::iter::once(lowerer.nodes().kind(node))
        .chain(lowerer.nodes().ancestor_kinds(node))
        .find_map(|kind| match kind {
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) => Some("inside a function"),
            AstKind::Class(_) | AstKind::PropertyDefinition(_) | AstKind::StaticBlock(_) => {
                Some("inside a class")
            }
            AstKind::ConditionalExpression(_) | AstKind::LogicalExpression(_) | AstKind::IfStatement(_) => {
                Some("in a condition")
            }
            AstKind::ArrayExpression(_) => Some("in an array"),
            AstKind::BlockStatement(_) => Some("inside a block"),
            AstKind::ExpressionStatement(_) => Some("without a name"),
            _ => None,
        })
        .unwrap_or("inside an expression")
}

/// Whether no value of the module has this name; `declare const require` gives it a type and no value.
fn is_unbound(lowerer: &Lowerer<'_, '_>, name: &IdentifierReference<'_>) -> bool {
    let scoping = lowerer.scoping();
    let symbol = name.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
    symbol.is_none_or(|symbol| scoping.symbol_flags(symbol).contains(SymbolFlags::Ambient))
}

/// `import("…")` and `require("…")` of a written specifier.
fn read_dynamic_requests(lowerer: &Lowerer<'_, '_>, facts: &mut Facts) {
    let mut request = |source: &Expression<'_>, span: Span, form| {
        if let Expression::StringLiteral(literal) = source.without_parentheses() {
            facts.dynamic_requests.push(DynamicRequest { specifier: literal.value.to_string(), span, form });
        }
    };
    for node in lowerer.nodes().iter() {
        match node.kind() {
            AstKind::ImportExpression(import) => request(&import.source, import.span, "import()"),
            AstKind::CallExpression(call) => {
                if let (Expression::Identifier(callee), Some(source)) =
                    (&call.callee, call.arguments.first().and_then(CallArgument::as_expression))
                    && callee.name == "require"
                    && is_unbound(lowerer, callee)
                {
                    request(source, call.span, "require()");
                }
            }
            _ => {}
        }
    }
}
