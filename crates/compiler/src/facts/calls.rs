//! Uses of imported bindings: the calls that may be macros, and every use that may let a macro escape.

use std::rc::Rc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument as CallArgument, BindingPattern, CallExpression, Expression, UnaryOperator, VariableDeclarator,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::GetSpan;
use rustc_hash::FxHashSet;

use super::climb::{Access, climb, is_value_reference};
use super::expr::{Argument, Expr, ExprKind, Key};
use super::lower::{Lowerer, MAX_DEPTH, TOO_LARGE, binding_id};
use super::uses::{Use, fate, is_constant};
use super::{Call, Facts, Fate, ImportUse, MAX_ALIASES, Placement, Stray};

/// Reads every use of every imported binding, and of the constants that are aliases of one.
pub(super) fn read(lowerer: &mut Lowerer<'_, '_>, facts: &mut Facts) {
    let mut imports: Vec<SymbolId> = lowerer.imports.keys().copied().collect();
    imports.sort_unstable();
    let mut seen: FxHashSet<SymbolId> = imports.iter().copied().collect();
    for import in imports {
        let mut used = Use::default();
        let mut names = vec![(import, 0)];
        while let Some((name, aliases)) = names.pop() {
            let references: Vec<NodeId> = lowerer
                .semantic
                .symbol_references(name)
                .filter(|reference| is_value_reference(reference))
                .map(oxc_semantic::Reference::node_id)
                .collect();
            for reference in references {
                if let Some(alias) = read_use(lowerer, facts, (name, aliases), reference, &mut used)
                    && seen.insert(alias)
                {
                    // It may be exported and used nowhere else.
                    lowerer.binding(alias);
                    names.push((alias, aliases + 1));
                }
            }
        }
        if let Some((request, name)) = lowerer.imports.get(&import) {
            facts.uses.push(ImportUse { request: *request, name: name.clone(), used });
        }
    }
    facts.calls.sort_by_key(|call| (call.span.start, call.span.end));
    facts.strays.sort_by_key(|stray| (stray.span.start, stray.span.end));
}

/// Reads one use of a name that stands for an import after so many aliases. Returns the constant that became an alias
/// by it, if one did.
fn read_use(
    lowerer: &mut Lowerer<'_, '_>,
    facts: &mut Facts,
    (root, aliases): (SymbolId, usize),
    reference: NodeId,
    used: &mut Use,
) -> Option<SymbolId> {
    let nodes = lowerer.nodes();
    let mut first: Option<Option<String>> = None;
    let mut depth = 0;
    let mut subject = Expr::new(nodes.kind(reference).span(), ExprKind::Binding(lowerer.binding(root)));
    let top = climb(nodes, reference, |access| {
        first.get_or_insert_with(|| access.name().map(str::to_owned));
        depth += 1;
        if depth > MAX_DEPTH {
            return;
        }
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
                (subject.span, Key::Computed(Box::new(name)), false)
            }
        };
        // What comes after so many members may be any member: a namespace can be one of its own.
        let key = if depth == MAX_DEPTH { Key::Computed(Box::new(Expr::new(span, TOO_LARGE))) } else { key };
        let object = Rc::new(subject.clone());
        subject = Expr::new(span, ExprKind::Member { object, key: Box::new(key), optional });
    });
    let span = nodes.kind(top).span();
    let parent = nodes.parent_kind(top);
    let is_passed_on = first.is_none()
        && (matches!(parent, AstKind::ExportSpecifier(_) | AstKind::ExportDefaultDeclaration(_))
            || alias_of(lowerer, parent).is_some());
    if !is_passed_on {
        used.add(first.as_ref().and_then(Option::as_deref));
    }
    let mut members = None;
    let what = match parent {
        _ if depth >= MAX_DEPTH => "is reached through too many members",
        _ if has_computed_key(&subject) => "is reached by a computed key",
        AstKind::CallExpression(call) if call.callee.span() == span => {
            let placement = placement(lowerer, call.node_id.get());
            let call = Call {
                callee: subject,
                span: call.span,
                arguments: read_arguments(lowerer, call, &placement),
                optional: call.optional,
                constructed: false,
                fate: fate_of(lowerer, call, &placement),
                placement,
            };
            facts.calls.push(call);
            return None;
        }
        AstKind::NewExpression(call) if call.callee.span() == span => {
            facts.calls.push(Call {
                callee: subject,
                span: call.span,
                arguments: Rc::default(),
                optional: false,
                constructed: true,
                placement: Placement::Misplaced("after `new`"),
                fate: None,
            });
            return None;
        }
        AstKind::VariableDeclarator(declarator) => match &declarator.id {
            BindingPattern::BindingIdentifier(_) => match alias_of(lowerer, parent) {
                Some(_) if aliases == MAX_ALIASES => "is given one name after the other",
                Some(_) if !leads_back(lowerer, declarator, root) => "is passed as a value",
                Some(alias) => return Some(alias),
                None => "is assigned to a variable that may change",
            },
            pattern => {
                members = static_keys(pattern);
                "is destructured"
            }
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
    let for_template = match (parent, lowerer.generated) {
        (AstKind::ReturnStatement(_), Some(component)) => {
            component.name_for_template(nodes, nodes.parent_id(top)).map(str::to_owned)
        }
        _ => None,
    };
    facts.strays.push(Stray { subject, span, what, members, for_template });
    None
}

/// The constant that is nothing but an alias, where a node declares one.
fn alias_of(lowerer: &Lowerer<'_, '_>, parent: AstKind<'_>) -> Option<SymbolId> {
    match parent {
        AstKind::VariableDeclarator(declarator) if is_constant(lowerer, declarator.node_id.get()) => {
            match &declarator.id {
                BindingPattern::BindingIdentifier(identifier) => identifier.symbol_id.get(),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether what a constant is lowered to begins with a name: it does not where the name is the last of a sequence.
fn leads_back<'a>(
    lowerer: &mut Lowerer<'_, 'a>,
    declarator: &VariableDeclarator<'a>,
    name: SymbolId,
) -> bool {
    let Some(init) = &declarator.init else { return false };
    let init = lowerer.expression(init);
    let mut expr = &init;
    loop {
        match &expr.kind {
            ExprKind::Member { object, .. } => expr = object,
            ExprKind::Chain(inner) => expr = inner,
            ExprKind::Binding(id) => return *id == binding_id(name),
            _ => return false,
        }
    }
}

/// The names of all that an object pattern takes; none where it may take anything.
pub(super) fn static_keys(pattern: &BindingPattern<'_>) -> Option<Vec<String>> {
    match pattern {
        BindingPattern::ObjectPattern(pattern) if pattern.rest.is_none() => pattern
            .properties
            .iter()
            .map(|property| property.key.static_name().map(|name| name.to_string()))
            .collect(),
        _ => None,
    }
}

/// What becomes of the constant that holds the value of a call at the top of the module.
fn fate_of(lowerer: &Lowerer<'_, '_>, call: &CallExpression<'_>, placement: &Placement) -> Option<Fate> {
    let nodes = lowerer.nodes();
    matches!(placement, Placement::Named(_)).then_some(())?;
    nodes.ancestor_kinds(call.node_id.get()).find_map(|kind| match kind {
        AstKind::VariableDeclarator(declarator) => match &declarator.id {
            BindingPattern::BindingIdentifier(name) => {
                name.symbol_id.get().map(|symbol| fate(lowerer, symbol))
            }
            _ => None,
        },
        _ => None,
    })
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
    call: &CallExpression<'a>,
    placement: &Placement,
) -> Rc<[Argument]> {
    if !matches!(placement, Placement::Misplaced(_)) {
        return lowerer.kept_arguments(call);
    }
    // A call inside a function is no declaration whatever it is called with.
    let read = |argument: &CallArgument<'a>| {
        let expr = read_lightly(lowerer, argument);
        Argument { span: argument.span(), expr, spread: argument.is_spread() }
    };
    call.arguments.iter().map(read).collect()
}

/// An argument as far as it takes to tell a definition from a binding: an object literal is one, whatever is in it,
/// and a name is followed.
pub(super) fn read_lightly<'a>(lowerer: &mut Lowerer<'_, 'a>, argument: &CallArgument<'a>) -> Expr {
    let expression = argument.as_expression().map(Expression::get_inner_expression);
    match expression {
        Some(Expression::ObjectExpression(_)) => Expr::new(argument.span(), ExprKind::Object(Vec::new())),
        Some(expression) if expression.is_identifier_reference() || expression.is_member_expression() => {
            lowerer.expression(expression)
        }
        _ => Expr::new(argument.span(), ExprKind::Runtime("an argument")),
    }
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
    match nodes.parent_kind(declaration) {
        AstKind::Program(_) | AstKind::ExportDeclaration(_) => true,
        AstKind::FunctionBody(_) => lowerer
            .generated
            .is_some_and(|component| component.runs_setup_in(lowerer.semantic, nodes.parent_id(declaration))),
        _ => false,
    }
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
