//! What a transpiler makes of an enum, read back:
//!
//! ```js
//! var Plane = /* @__PURE__ */ ((Plane2) => {
//!   Plane2[Plane2["View"] = 0] = "View";
//!   Plane2["Domain"] = "domain";
//!   return Plane2;
//! })(Plane || {});
//! ```
//!
//! An enum that is declared once may have the plain seed `{}`. A member's value may read members before it off the
//! parameter, `Plane2.View`; [`Compiled::writes`] tells whether it does anything else with it.

use oxc_ast::ast::{
    Argument, ArrowFunctionBody, AssignmentOperator, AssignmentTarget, BindingIdentifier, BindingPattern,
    Expression, FormalParameters, FunctionBody, LogicalOperator, Statement, VariableDeclarator,
};
use oxc_semantic::SymbolId;
use oxc_span::Span;

/// An enum as it was found.
pub(super) struct Compiled<'e, 'a> {
    /// What the function calls the enum's object.
    pub(super) parameter: Option<SymbolId>,
    pub(super) members: Vec<Member<'e, 'a>>,
    /// How often the statements of the members assign to the object. If the object is changed more often than that, it is
    /// in the midst of a member's value.
    pub(super) writes: usize,
}

/// A member and the expression of its value.
pub(super) struct Member<'e, 'a> {
    pub(super) name: &'e str,
    pub(super) span: Span,
    pub(super) value: &'e Expression<'a>,
    /// Whether the value gets the name for its own member: `E[E["A"] = 0] = "A"`.
    is_reversed: bool,
}

/// The enum, if the declarator has the shape above and nothing else.
pub(super) fn read<'e, 'a>(declarator: &'e VariableDeclarator<'a>) -> Option<Compiled<'e, 'a>> {
    let BindingPattern::BindingIdentifier(name) = &declarator.id else { return None };
    let Expression::CallExpression(call) = declarator.init.as_ref()?.without_parentheses() else {
        return None;
    };
    let [seed] = call.arguments.as_slice() else { return None };
    if !is_seed(seed, name.name.as_str()) {
        return None;
    }
    let (parameters, body) = match call.callee.without_parentheses() {
        Expression::FunctionExpression(function) => (&function.params, function.body.as_ref()?),
        Expression::ArrowFunctionExpression(arrow) => match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => (&arrow.params, body),
            _ => return None,
        },
        _ => return None,
    };
    let parameter = only_parameter(parameters)?;
    let members = read_body(parameter.name.as_str(), body)?;
    let writes = members.iter().map(|member| 1 + usize::from(member.is_reversed)).sum();
    Some(Compiled { parameter: parameter.symbol_id.get(), members, writes })
}

/// `{}`, or `Name || {}`.
fn is_seed(argument: &Argument<'_>, name: &str) -> bool {
    let is_empty = |expression: &Expression<'_>| matches!(expression, Expression::ObjectExpression(object) if object.properties.is_empty());
    match argument.as_expression() {
        Some(Expression::LogicalExpression(seed)) => {
            seed.operator == LogicalOperator::Or
                && matches!(&seed.left, Expression::Identifier(left) if left.name == name)
                && is_empty(&seed.right)
        }
        Some(expression) => is_empty(expression),
        None => false,
    }
}

fn only_parameter<'e, 'a>(parameters: &'e FormalParameters<'a>) -> Option<&'e BindingIdentifier<'a>> {
    match parameters.items.as_slice() {
        [parameter] if parameters.rest.is_none() => match &parameter.pattern {
            BindingPattern::BindingIdentifier(identifier) => Some(identifier),
            _ => None,
        },
        _ => None,
    }
}

fn read_body<'e, 'a>(object: &str, body: &'e FunctionBody<'a>) -> Option<Vec<Member<'e, 'a>>> {
    let (last, assignments) = body.statements.split_last()?;
    let Statement::ReturnStatement(last) = last else { return None };
    if !matches!(&last.argument, Some(Expression::Identifier(returned)) if returned.name == object) {
        return None;
    }
    assignments
        .iter()
        .map(|statement| match statement {
            Statement::ExpressionStatement(statement) => read_assignment(object, &statement.expression),
            _ => None,
        })
        .collect()
}

/// `E[E["A"] = 0] = "A"`, or `E["A"] = "a"`.
fn read_assignment<'e, 'a>(object: &str, expression: &'e Expression<'a>) -> Option<Member<'e, 'a>> {
    let (key, value, span) = member_assignment(object, expression)?;
    match (key, value) {
        (Expression::AssignmentExpression(_), Expression::StringLiteral(reverse)) => {
            let (key, value, _) = member_assignment(object, key)?;
            let name = literal_text(key)?;
            (reverse.value == name).then_some(Member { name, span, value, is_reversed: true })
        }
        _ => Some(Member { name: literal_text(key)?, span, value, is_reversed: false }),
    }
}

fn member_assignment<'e, 'a>(
    object: &str,
    expression: &'e Expression<'a>,
) -> Option<(&'e Expression<'a>, &'e Expression<'a>, Span)> {
    let Expression::AssignmentExpression(assignment) = expression.without_parentheses() else { return None };
    let AssignmentTarget::ComputedMemberExpression(target) = &assignment.left else { return None };
    let is_object = matches!(&target.object, Expression::Identifier(owner) if owner.name == object);
    (is_object && assignment.operator == AssignmentOperator::Assign).then_some((
        &target.expression,
        &assignment.right,
        assignment.span,
    ))
}

fn literal_text<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression {
        Expression::StringLiteral(literal) if !literal.lone_surrogates => Some(literal.value.as_str()),
        _ => None,
    }
}
