//! A `modelContext` that no walk came by: of a parameter, an import, what a function returned. It may be the browser's.
//!
//! Other objects may have a member of that name. So what is read of one is followed too, and refused where it registers a
//! tool, unless the object is shown to be the module's own; and where the module lets a document out of sight, it is
//! refused as such.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, Expression, MemberExpression};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};

use super::{HARMLESS, Reached, Walk, is_test, symbol_of};
use crate::facts::exposure::{ExposureKind, MODEL_CONTEXT};

/// Members that are documents or navigators, whoever has them.
const HOSTS: [&str; 4] = ["document", "navigator", "ownerDocument", "contentDocument"];

/// How many constants of constants are followed to know what an object is. A circle of them is possible.
const MAX_ALIASES: u32 = 20;

/// Whose member a `modelContext` is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A document's.
    Host,
    /// What the module has written out.
    Literal,
    /// An instance's: only who makes it, or calls its methods, knows what it is.
    Instance,
    Unknown,
}

impl<'a> Walk<'_, 'a> {
    /// Reads every mention, and follows what it may be.
    pub(super) fn read_mentions(&mut self) {
        let mut loose = Vec::new();
        for node in self.nodes().iter() {
            match node.kind() {
                AstKind::StaticMemberExpression(member) if member.property.name == MODEL_CONTEXT => {
                    loose.extend(self.read_member(node.id(), member.span, &member.object));
                }
                AstKind::ComputedMemberExpression(member)
                    if self.text_of(&member.expression) == Some(MODEL_CONTEXT) =>
                {
                    loose.extend(self.read_member(node.id(), member.span, &member.object));
                }
                AstKind::ObjectPattern(pattern) => {
                    for property in &pattern.properties {
                        let is_it = property.key.is_specific_static_name(MODEL_CONTEXT);
                        if is_it && !self.passed.contains(&property.span) && !self.is_of_literal(node.id()) {
                            loose.push(property.span);
                            self.bind(&property.value, property.span, Reached::Unclear);
                        }
                    }
                }
                AstKind::AssignmentTargetPropertyIdentifier(property)
                    if property.binding.name == MODEL_CONTEXT =>
                {
                    loose.push(property.span);
                    if let Some(symbol) = symbol_of(self.scoping(), &property.binding) {
                        self.name(symbol, property.span, Reached::Unclear);
                    }
                }
                AstKind::AssignmentTargetPropertyProperty(property)
                    if property.name.is_specific_static_name(MODEL_CONTEXT) =>
                {
                    loose.push(property.span);
                    if let Some(AssignmentTarget::AssignmentTargetIdentifier(name)) =
                        property.binding.as_assignment_target()
                        && let Some(symbol) = symbol_of(self.scoping(), name)
                    {
                        self.name(symbol, property.span, Reached::Unclear);
                    }
                }
                AstKind::StringLiteral(text) if text.value == MODEL_CONTEXT && self.is_a_value(node.id()) => {
                    loose.push(text.span);
                }
                AstKind::TemplateLiteral(text)
                    if text.single_quasi().is_some_and(|text| text == MODEL_CONTEXT)
                        && self.is_a_value(node.id()) =>
                {
                    loose.push(text.span);
                }
                _ => {}
            }
        }
        self.follow_names();
        if !self.lets_go {
            return;
        }
        loose.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        let mut known: Vec<Span> = self.found.iter().map(|found| found.span).collect();
        known.sort_by_key(|span| span.start);
        let mut known = known.into_iter().peekable();
        // How far what begins no later reaches: what ends within is a part of it.
        let mut reached = 0;
        for span in loose {
            while let Some(known) = known.next_if(|known| known.start <= span.start) {
                reached = reached.max(known.end);
            }
            if reached < span.end {
                reached = span.end;
                self.report(span, ExposureKind::Unclear);
            }
        }
    }

    /// Follows one that is read of an object. Returns its place where it may be the browser's and no more is known.
    fn read_member(&mut self, node: NodeId, span: Span, object: &Expression<'a>) -> Option<Span> {
        if self.passed.contains(&span) || self.is_tested(node) || self.is_written(node) {
            return None;
        }
        match self.owner(object, MAX_ALIASES) {
            Owner::Host => {
                self.follow(node, Reached::Context);
                None
            }
            Owner::Literal => None,
            Owner::Instance => Some(span),
            Owner::Unknown => {
                self.follow(node, Reached::Unclear);
                (!self.is_harmless(node)).then_some(span)
            }
        }
    }

    fn owner(&self, object: &Expression<'a>, depth: u32) -> Owner {
        match object.get_inner_expression() {
            Expression::ObjectExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::ClassExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_) => Owner::Literal,
            Expression::ThisExpression(_) | Expression::Super(_) | Expression::NewExpression(_) => {
                Owner::Instance
            }
            Expression::Identifier(name) if depth > 0 => match self.initial_of(name) {
                Some(initial) => self.owner(initial, depth - 1),
                None => match symbol_of(self.scoping(), name) {
                    Some(symbol) if self.scoping().symbol_flags(symbol).is_class() => Owner::Literal,
                    _ => Owner::Unknown,
                },
            },
            Expression::ChainExpression(chain) => {
                chain.expression.as_member_expression().map_or(Owner::Unknown, owner_of_member)
            }
            other => other.as_member_expression().map_or(Owner::Unknown, owner_of_member),
        }
    }

    /// Whether a pattern takes apart what the module has written out.
    fn is_of_literal(&self, pattern: NodeId) -> bool {
        match self.nodes().parent_kind(pattern) {
            AstKind::VariableDeclarator(declarator) => declarator
                .init
                .as_ref()
                .is_some_and(|initial| self.owner(initial, MAX_ALIASES) == Owner::Literal),
            _ => false,
        }
    }

    /// Whether a member is given a value, and not read.
    fn is_written(&self, node: NodeId) -> bool {
        let span = self.nodes().kind(node).span();
        match self.nodes().parent_kind(node) {
            AstKind::AssignmentExpression(assignment) => {
                assignment.left.span() == span && assignment.operator.is_assign()
            }
            _ => false,
        }
    }

    /// Whether only such members are read of it as register nothing.
    fn is_harmless(&self, node: NodeId) -> bool {
        let name = match self.nodes().parent_kind(node) {
            AstKind::StaticMemberExpression(member) => Some(member.property.name.as_str()),
            AstKind::ComputedMemberExpression(member) => self.text_of(&member.expression),
            _ => None,
        };
        name.is_some_and(|name| HARMLESS.contains(&name))
    }

    /// Whether a text is one that may name a member: no key of an object that is written out, no type, and not what is
    /// looked for or compared. A constant is what its uses are; who takes it for a member's name reads that member.
    fn is_a_value(&self, node: NodeId) -> bool {
        let span = self.nodes().kind(node).span();
        match self.nodes().parent_kind(node) {
            AstKind::ObjectProperty(property) => property.key.span() != span,
            AstKind::BindingProperty(_)
            | AstKind::AssignmentTargetPropertyProperty(_)
            | AstKind::ComputedMemberExpression(_)
            | AstKind::MethodDefinition(_)
            | AstKind::PropertyDefinition(_)
            | AstKind::TSLiteralType(_)
            | AstKind::TSPropertySignature(_)
            | AstKind::JSXAttribute(_)
            | AstKind::SwitchCase(_)
            | AstKind::ImportSpecifier(_)
            | AstKind::ExportSpecifier(_) => false,
            kind => !is_test(kind, span) && !self.is_got(node),
        }
    }

    /// Whether it is the name in a `Reflect.get(…)` that a walk came by.
    fn is_got(&self, node: NodeId) -> bool {
        match self.nodes().parent_kind(node) {
            AstKind::CallExpression(call) => self.passed.contains(&call.span),
            _ => false,
        }
    }
}

fn owner_of_member(member: &MemberExpression<'_>) -> Owner {
    match member.static_property_name() {
        Some(name) if HOSTS.contains(&name) => Owner::Host,
        _ => Owner::Unknown,
    }
}
