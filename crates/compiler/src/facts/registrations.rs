//! Calls of something named `register`: whether it is a registry's is a question of symbols, and for later.

use std::rc::Rc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Class, ClassElement, Expression, PropertyKey,
    VariableDeclarator,
};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashMap;

use super::calls::read_lightly;
use super::expr::{Expr, ExprKind, Key};
use super::lower::Lowerer;
use super::{Facts, Registration};

/// The method by which a definition enters a registry.
const REGISTER: &str = "register";

/// Reads every call of a `register`: of a member, an alias of one, or a name that was taken out of an object.
pub(super) fn read<'a>(source: &str, lowerer: &mut Lowerer<'_, 'a>, facts: &mut Facts) {
    if !source.contains(REGISTER) {
        return;
    }
    let mut fields = Fields::default();
    for node in lowerer.nodes().iter() {
        match node.kind() {
            AstKind::CallExpression(call) => read_member_call(lowerer, facts, &mut fields, node.id(), call),
            AstKind::VariableDeclarator(declarator) => read_named_calls(lowerer, facts, declarator),
            _ => {}
        }
    }
    facts.registrations.sort_by_key(|call| (call.callee.span.start, call.callee.span.end));
}

/// `registry.register(…)`, and the same through `call`.
fn read_member_call<'s, 'a>(
    lowerer: &mut Lowerer<'s, 'a>,
    facts: &mut Facts,
    fields: &mut Fields<'s, 'a>,
    node: NodeId,
    call: &CallExpression<'a>,
) {
    let callee = call.callee.get_inner_expression();
    let (method, argument) = match member_of(callee) {
        Some((object, "call")) => (object.get_inner_expression(), 1),
        _ => (callee, 0),
    };
    let (Some((object, REGISTER)), Some(definition)) = (member_of(method), plain(&call.arguments, argument))
    else {
        return;
    };
    let Some(object) = read_object(lowerer, fields, node, object) else { return };
    let key = Key::Static { name: REGISTER.to_owned(), span: method.span() };
    let callee = Expr::new(
        call.callee.span(),
        ExprKind::Member { object: Rc::new(object), key: Box::new(key), optional: false },
    );
    facts.registrations.push(Registration { callee, definition: read_lightly(lowerer, definition) });
}

/// `const { register } = registry` and `const add = registry.register`, by the calls of what they declare.
fn read_named_calls<'a>(
    lowerer: &mut Lowerer<'_, 'a>,
    facts: &mut Facts,
    declarator: &VariableDeclarator<'a>,
) {
    for symbol in methods_declared(declarator) {
        let references: Vec<NodeId> =
            lowerer.semantic.symbol_references(symbol).map(oxc_semantic::Reference::node_id).collect();
        for reference in references {
            let AstKind::CallExpression(call) = lowerer.nodes().parent_kind(reference) else { continue };
            let span = lowerer.nodes().kind(reference).span();
            if call.callee.span() != span {
                continue;
            }
            if let Some(definition) = plain(&call.arguments, 0) {
                let callee = Expr::new(span, ExprKind::Binding(lowerer.binding(symbol)));
                facts
                    .registrations
                    .push(Registration { callee, definition: read_lightly(lowerer, definition) });
            }
        }
    }
}

fn methods_declared(declarator: &VariableDeclarator<'_>) -> Vec<SymbolId> {
    match &declarator.id {
        BindingPattern::BindingIdentifier(name) => {
            let is_method = declarator
                .init
                .as_ref()
                .and_then(|init| member_of(init.get_inner_expression()))
                .is_some_and(|(_, member)| member == REGISTER);
            name.symbol_id.get().filter(|_| is_method).into_iter().collect()
        }
        BindingPattern::ObjectPattern(pattern) => pattern
            .properties
            .iter()
            .filter(|property| property.key.static_name().is_some_and(|name| name == REGISTER))
            .filter_map(|property| match &property.value {
                BindingPattern::BindingIdentifier(name) => name.symbol_id.get(),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// The object of a member access and the member's name, where it is written.
fn member_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<(&'e Expression<'a>, &'e str)> {
    let expression = match expression {
        Expression::ChainExpression(chain) => chain.expression.as_member_expression()?,
        expression => expression.as_member_expression()?,
    };
    Some((expression.object(), expression.static_property_name()?))
}

/// The argument at an index, where no spread stands before it.
fn plain<'n, 'a>(arguments: &'n [Argument<'a>], index: usize) -> Option<&'n Argument<'a>> {
    let head = arguments.get(..=index)?;
    head.iter().all(|argument| !argument.is_spread()).then(|| head.last()).flatten()
}

/// The object that `register` is taken from; a field of a class by what the class gives it.
fn read_object<'s, 'a>(
    lowerer: &mut Lowerer<'s, 'a>,
    fields: &mut Fields<'s, 'a>,
    call: NodeId,
    object: &Expression<'a>,
) -> Option<Expr> {
    let field = match object.get_inner_expression() {
        Expression::StaticMemberExpression(member)
            if matches!(member.object, Expression::ThisExpression(_)) =>
        {
            member.property.name.to_string()
        }
        Expression::PrivateFieldExpression(member)
            if matches!(member.object, Expression::ThisExpression(_)) =>
        {
            format!("#{}", member.field.name)
        }
        object => return Some(lowerer.expression(object)),
    };
    let class = class_around(lowerer, call)?;
    let value = fields.value_of(lowerer, class, field)?;
    Some(lowerer.expression(value))
}

/// What the classes of a module give their fields; collected when it is first asked for.
#[derive(Default)]
struct Fields<'s, 'a> {
    /// What is assigned to fields of these names, in the order of the text.
    assigned: Option<FxHashMap<String, Vec<(Span, &'s Expression<'a>)>>>,
    /// The fields that were asked for, by the places of their classes.
    known: FxHashMap<(Span, String), Option<&'s Expression<'a>>>,
}

impl<'s, 'a> Fields<'s, 'a> {
    /// What a field of a class holds, where the class gives it one value and no other.
    fn value_of(
        &mut self,
        lowerer: &Lowerer<'s, 'a>,
        class: &'s Class<'a>,
        field: String,
    ) -> Option<&'s Expression<'a>> {
        let assigned = self.assigned.get_or_insert_with(|| assigned_fields(lowerer));
        *self.known.entry((class.span, field)).or_insert_with_key(|(_, field)| {
            let declared = class.body.body.iter().filter_map(|element| match element {
                ClassElement::PropertyDefinition(property) => property
                    .value
                    .as_ref()
                    .filter(|_| name_of(&property.key).is_some_and(|name| name == *field)),
                _ => None,
            });
            let assigned = assigned.get(field).map_or(&[][..], Vec::as_slice);
            let first = assigned.partition_point(|(span, _)| span.start < class.span.start);
            let inside =
                assigned[first..].iter().take_while(|(span, _)| class.span.contains_inclusive(*span));
            let mut values = declared.chain(inside.map(|(_, value)| *value));
            match (values.next(), values.next()) {
                (Some(value), None) => Some(value),
                _ => None,
            }
        })
    }
}

fn assigned_fields<'s, 'a>(lowerer: &Lowerer<'s, 'a>) -> FxHashMap<String, Vec<(Span, &'s Expression<'a>)>> {
    let mut fields: FxHashMap<String, Vec<_>> = FxHashMap::default();
    for node in lowerer.nodes().iter() {
        if let AstKind::AssignmentExpression(assignment) = node.kind()
            && let Some(field) = assigned_field(&assignment.left)
        {
            fields.entry(field).or_default().push((assignment.span, &assignment.right));
        }
    }
    for assigned in fields.values_mut() {
        assigned.sort_by_key(|(span, _)| span.start);
    }
    fields
}

fn class_around<'s, 'a>(lowerer: &Lowerer<'s, 'a>, node: NodeId) -> Option<&'s Class<'a>> {
    lowerer.nodes().ancestor_kinds(node).find_map(|kind| match kind {
        AstKind::Class(class) => Some(class),
        _ => None,
    })
}

fn name_of(key: &PropertyKey<'_>) -> Option<String> {
    match key {
        PropertyKey::PrivateIdentifier(name) => Some(format!("#{}", name.name)),
        key => key.static_name().map(|name| name.to_string()),
    }
}

fn assigned_field(target: &oxc_ast::ast::AssignmentTarget<'_>) -> Option<String> {
    use oxc_ast::ast::AssignmentTarget as Target;
    match target {
        Target::StaticMemberExpression(member) if matches!(member.object, Expression::ThisExpression(_)) => {
            Some(member.property.name.to_string())
        }
        Target::PrivateFieldExpression(member) if matches!(member.object, Expression::ThisExpression(_)) => {
            Some(format!("#{}", member.field.name))
        }
        _ => None,
    }
}
