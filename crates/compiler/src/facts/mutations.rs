//! Visible changes of a binding: assignments to it, and changes inside the object that it holds.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, BindingPattern, CallExpression, Expression, UnaryOperator};
use oxc_semantic::{NodeId, Semantic, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashSet;

use super::Change;
use super::climb::{climb, global_member};
use super::exports::for_each_identifier;

/// Array methods that change their array.
const MUTATING_METHODS: [&str; 9] =
    ["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"];

/// Functions that change their first argument.
const MUTATING_FUNCTIONS: [(&str, &str); 8] = [
    ("Object", "assign"),
    ("Object", "defineProperty"),
    ("Object", "defineProperties"),
    ("Object", "setPrototypeOf"),
    ("Reflect", "set"),
    ("Reflect", "defineProperty"),
    ("Reflect", "deleteProperty"),
    ("Reflect", "setPrototypeOf"),
];

/// The changes of `symbol`, through aliases and through parameters of the module's own functions too.
pub(super) fn changes(semantic: &Semantic<'_>, symbol: SymbolId) -> Vec<Change> {
    let mut finder = Finder { semantic, seen: FxHashSet::default(), changes: Vec::new(), member: None };
    finder.visit(symbol, true);
    finder.changes.sort_by_key(|change| (change.span.start, change.span.end));
    finder.changes
}

struct Finder<'s, 'a> {
    semantic: &'s Semantic<'a>,
    seen: FxHashSet<SymbolId>,
    changes: Vec<Change>,
    /// The first member of the use in hand.
    member: Option<String>,
}

impl<'s, 'a> Finder<'s, 'a> {
    fn visit(&mut self, symbol: SymbolId, is_subject: bool) {
        if !self.seen.insert(symbol) {
            return;
        }
        let semantic = self.semantic;
        for reference in semantic.symbol_references(symbol) {
            if reference.is_write() && is_subject {
                let span = semantic.reference_span(reference);
                self.changes.push(Change { span, what: "assigned".to_owned(), rebinds: true, member: None });
            }
            if reference.is_read() || !reference.is_write() {
                self.visit_use(reference.node_id());
            }
        }
    }

    fn visit_use(&mut self, reference: NodeId) {
        let nodes = self.semantic.nodes();
        let mut names = Vec::new();
        let top = climb(nodes, reference, |access| names.push(access.name().map(str::to_owned)));
        let span = nodes.kind(top).span();
        let is_member = !names.is_empty();
        self.member = names.first().cloned().flatten();
        match nodes.parent_kind(top) {
            AstKind::AssignmentExpression(assignment) if assignment.left.span() == span => {
                self.change_if(is_member, span, "assigned");
            }
            AstKind::AssignmentExpression(assignment) => {
                // The value of an assignment to a plain name: another alias.
                if let oxc_ast::ast::AssignmentTarget::AssignmentTargetIdentifier(target) = &assignment.left {
                    self.visit_alias(target);
                }
            }
            AstKind::UpdateExpression(_) => self.change_if(is_member, span, "updated"),
            AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => {
                self.change_if(is_member, span, "deleted");
            }
            AstKind::ArrayAssignmentTarget(_)
            | AstKind::AssignmentTargetRest(_)
            | AstKind::AssignmentTargetPropertyProperty(_) => self.change_if(is_member, span, "assigned"),
            AstKind::AssignmentTargetWithDefault(target) if target.binding.span() == span => {
                self.change_if(is_member, span, "assigned");
            }
            AstKind::ForInStatement(statement) if statement.left.span() == span => {
                self.change_if(is_member, span, "assigned by a loop");
            }
            AstKind::ForOfStatement(statement) if statement.left.span() == span => {
                self.change_if(is_member, span, "assigned by a loop");
            }
            AstKind::VariableDeclarator(declarator) => self.visit_pattern(&declarator.id),
            AstKind::CallExpression(call) if call.callee.span() == span => {
                let method = names.pop().flatten();
                if let Some(method) = method.filter(|name| MUTATING_METHODS.contains(&name.as_str())) {
                    self.change(call.span, format!("changed by {method}()"));
                }
            }
            AstKind::CallExpression(call) => self.visit_argument(call, span),
            _ => {}
        }
    }

    fn visit_argument(&mut self, call: &CallExpression<'a>, argument: Span) {
        let position = call.arguments.iter().position(|candidate| candidate.span() == argument);
        let callee = call.callee.without_parentheses();
        if let (Some(0), Some(member)) = (position, callee.as_member_expression()) {
            let function =
                global_member(member, |object| self.semantic.is_reference_to_global_variable(object));
            if let Some((object, name)) = function.filter(|function| MUTATING_FUNCTIONS.contains(function)) {
                self.change(call.span, format!("changed by {object}.{name}()"));
            }
        }
        let spread_before = |index| call.arguments[..index].iter().any(Argument::is_spread);
        if let (Some(index), Expression::Identifier(function)) = (position, callee)
            && !spread_before(index)
        {
            self.visit_parameter(function, index);
        }
    }

    /// The parameter of one of the module's own functions that receives the value.
    fn visit_parameter(&mut self, function: &oxc_ast::ast::IdentifierReference<'a>, index: usize) {
        let scoping = self.semantic.scoping();
        let symbol = function.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
        let Some(symbol) = symbol else { return };
        let parameters = match self.semantic.nodes().kind(scoping.symbol_declaration(symbol)) {
            AstKind::Function(function) => &function.params,
            AstKind::VariableDeclarator(declarator) => {
                match declarator.init.as_ref().map(Expression::without_parentheses) {
                    Some(Expression::ArrowFunctionExpression(arrow)) => &arrow.params,
                    Some(Expression::FunctionExpression(function)) => &function.params,
                    _ => return,
                }
            }
            _ => return,
        };
        if let Some(parameter) = parameters.items.get(index) {
            self.visit_pattern(&parameter.pattern);
        }
    }

    fn visit_pattern(&mut self, pattern: &BindingPattern<'a>) {
        let mut symbols = Vec::new();
        for_each_identifier(pattern, &mut |identifier| symbols.extend(identifier.symbol_id.get()));
        for symbol in symbols {
            self.visit(symbol, false);
        }
    }

    fn visit_alias(&mut self, target: &oxc_ast::ast::IdentifierReference<'a>) {
        let scoping = self.semantic.scoping();
        if let Some(symbol) = target.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id()) {
            self.visit(symbol, false);
        }
    }

    fn change_if(&mut self, is_change: bool, span: Span, what: &str) {
        if is_change {
            self.change(span, what.to_owned());
        }
    }

    fn change(&mut self, span: Span, what: String) {
        self.changes.push(Change { span, what, rebinds: false, member: self.member.clone() });
    }
}
