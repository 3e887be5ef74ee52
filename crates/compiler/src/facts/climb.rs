//! Climbing from a reference to the use that is made of it.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    CallExpression, ComputedMemberExpression, Expression, IdentifierReference, MemberExpression,
    StaticMemberExpression,
};
use oxc_semantic::{AstNodes, NodeId, Reference};
use oxc_span::{GetSpan, Span};

/// Whether a reference is one at run time, and not to a type.
pub(super) fn is_value_reference(reference: &Reference) -> bool {
    (!reference.is_type() || reference.is_value()) && !reference.flags().is_value_as_type()
}

/// A member access on the way up.
pub(super) enum Access<'n, 'a> {
    Static(&'n StaticMemberExpression<'a>),
    Computed(&'n ComputedMemberExpression<'a>),
    Private,
}

impl Access<'_, '_> {
    /// The member's name, where it is written as a name or a string.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Static(member) => Some(member.property.name.as_str()),
            Self::Computed(member) => match member.expression.without_parentheses() {
                Expression::StringLiteral(literal) => Some(literal.value.as_str()),
                _ => None,
            },
            Self::Private => None,
        }
    }
}

/// Climbs from `node` through member accesses on it, and through what has no effect at run time
/// (parentheses, type assertions, the bounds of an optional chain). Returns the outermost such node.
pub(super) fn climb<'n, 'a>(
    nodes: &'n AstNodes<'a>,
    mut node: NodeId,
    mut access: impl FnMut(Access<'n, 'a>),
) -> NodeId {
    loop {
        let parent = nodes.parent_id(node);
        if parent == node {
            return node;
        }
        let span = nodes.kind(node).span();
        match nodes.kind(parent) {
            AstKind::StaticMemberExpression(member) if member.object.span() == span => {
                access(Access::Static(member));
            }
            AstKind::ComputedMemberExpression(member) if member.object.span() == span => {
                access(Access::Computed(member));
            }
            AstKind::PrivateFieldExpression(member) if member.object.span() == span => {
                access(Access::Private);
            }
            // `(0, f)`: the last of a sequence is its value.
            AstKind::SequenceExpression(sequence)
                if sequence.expressions.last().is_some_and(|last| last.span() == span) => {}
            kind if is_wrapper(kind) => {}
            _ => return node,
        }
        node = parent;
    }
}

/// Whether a node is written around an expression and has no effect at run time.
pub(super) fn is_wrapper(kind: AstKind<'_>) -> bool {
    matches!(
        kind,
        AstKind::ParenthesizedExpression(_)
            | AstKind::ChainExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSTypeAssertion(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::TSInstantiationExpression(_)
    )
}

/// Whether the object of a member expression is a plain reference to an unbound name, `Object.assign` style.
pub(super) fn global_member<'e>(
    member: &'e MemberExpression<'_>,
    is_global: impl Fn(&IdentifierReference<'_>) -> bool,
) -> Option<(&'e str, &'e str)> {
    match member.object().without_parentheses() {
        Expression::Identifier(object) if is_global(object) => {
            Some((object.name.as_str(), member.static_property_name()?))
        }
        // `globalThis.Object.assign`
        Expression::StaticMemberExpression(object) => match &object.object {
            Expression::Identifier(scope)
                if matches!(scope.name.as_str(), "globalThis" | "window" | "self") && is_global(scope) =>
            {
                Some((object.property.name.as_str(), member.static_property_name()?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Which argument of a call stands at a place. They are many where a list was written out, and each may be asked about.
pub(super) fn argument_at(call: &CallExpression<'_>, span: Span) -> Option<usize> {
    let at = call.arguments.partition_point(|argument| argument.span().start < span.start);
    call.arguments.get(at).filter(|argument| argument.span() == span).map(|_| at)
}
