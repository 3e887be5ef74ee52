//! Visible changes of a binding: assignments to it, and changes inside the object that it holds.
//!
//! The object is followed where the module hands it on in plain sight: through aliases, patterns, conditions, array
//! and object literals, loops, and parameters of functions whose code stands in the module. Where a function of another
//! module gets it, that is noted, for when the other module is known. What happens to it elsewhere is not seen, and
//! cannot change a contract: the proven literal ships.

use std::cell::Cell;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, AssignmentTarget, BindingPattern, CallExpression, Expression, ForStatementLeft,
    FormalParameters, IdentifierReference, PropertyKey, UnaryOperator,
};
use oxc_semantic::{NodeId, Semantic, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashSet;

use super::Change;
use super::climb::{argument_at, climb, global_member};
use super::pattern::for_each_identifier;

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

/// Array methods that hand each item to a function.
const ITERATING_METHODS: [&str; 8] =
    ["forEach", "map", "filter", "find", "findIndex", "some", "every", "flatMap"];

/// How far down in other objects the value is followed. A constant that holds itself would go on for ever.
const MAX_DEPTH: usize = 8;

/// A call that hands the value to a function by a name of the module.
pub(super) struct Handover {
    /// The function, or the object it is a member of.
    pub(super) name: SymbolId,
    pub(super) member: Option<String>,
    /// Which argument.
    pub(super) argument: usize,
    pub(super) span: Span,
}

/// How many uses of names are followed in one module. Each constant is followed through all that are made of it, so that a row
/// of them takes the square of its length.
pub(super) const MAX_USES: usize = 4_000_000;

/// The changes of `symbol`, and the calls that hand it over to functions whose code is not in the module. `left` is how many
/// more uses are followed; where there are none left, anything may happen.
pub(super) fn changes(
    semantic: &Semantic<'_>,
    symbol: SymbolId,
    left: &Cell<usize>,
) -> (Vec<Change>, Vec<Handover>) {
    let mut finder = Finder {
        semantic,
        left,
        seen: FxHashSet::default(),
        changes: Vec::new(),
        handed: Vec::new(),
        member: None,
        first_spread: (None, None),
    };
    for reference in semantic.symbol_references(symbol).filter(|reference| reference.is_write()) {
        let span = semantic.reference_span(reference);
        finder.changes.push(Change { span, what: "assigned".to_owned(), rebinds: true, member: None });
    }
    finder.follow(symbol, 0);
    if left.get() == 0 {
        let span = semantic.scoping().symbol_span(symbol);
        finder.change(span, "used in more ways than are followed".to_owned());
    }
    finder.changes.sort_by_key(|change| (change.span.start, change.span.end));
    finder.handed.sort_by_key(|handed| (handed.span.start, handed.argument));
    (finder.changes, finder.handed)
}

struct Finder<'s, 'a> {
    semantic: &'s Semantic<'a>,
    left: &'s Cell<usize>,
    /// Names followed, with the depth at which the value lies in what they hold.
    seen: FxHashSet<(SymbolId, usize)>,
    changes: Vec<Change>,
    handed: Vec<Handover>,
    /// The first member of the use in hand.
    member: Option<String>,
    /// The call that was looked at last, and its first argument that is several: the value may be each of its arguments.
    first_spread: (Option<NodeId>, Option<usize>),
}

impl<'s, 'a> Finder<'s, 'a> {
    /// Follows a name that holds the value, or an object that has the value `depth` members down.
    fn follow(&mut self, symbol: SymbolId, depth: usize) {
        if depth > MAX_DEPTH || !self.seen.insert((symbol, depth)) {
            return;
        }
        let is_subject = self.seen.len() == 1;
        let semantic = self.semantic;
        for reference in semantic.symbol_references(symbol) {
            // A plain assignment to the name is no use of what it holds.
            if reference.is_read() || !reference.is_write() {
                self.follow_use(reference.node_id(), depth, is_subject);
            }
        }
    }

    /// Follows one expression that evaluates to such an object.
    fn follow_use(&mut self, node: NodeId, depth: usize, is_subject: bool) {
        let Some(left) = self.left.get().checked_sub(1) else { return };
        self.left.set(left);
        let nodes = self.semantic.nodes();
        let mut names = Vec::new();
        let top = climb(nodes, node, |access| names.push(access.name().map(str::to_owned)));
        if is_subject {
            self.member = names.first().cloned().flatten();
        }
        let accesses = names.len();
        let span = nodes.kind(top).span();
        // What is assigned lies inside the value when its object is the value or lies inside it.
        let is_inside = accesses > depth;
        let depth_here = depth.saturating_sub(accesses);
        match nodes.parent_kind(top) {
            AstKind::AssignmentExpression(assignment) if assignment.left.span() == span => {
                self.change_if(is_inside, span, "assigned");
            }
            AstKind::AssignmentExpression(assignment) => {
                if let AssignmentTarget::AssignmentTargetIdentifier(target) = &assignment.left {
                    self.follow_name(target, depth_here);
                }
                self.follow_use(nodes.parent_id(top), depth_here, false);
            }
            AstKind::UpdateExpression(_) => self.change_if(is_inside, span, "updated"),
            AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => {
                self.change_if(is_inside, span, "deleted");
            }
            AstKind::ArrayAssignmentTarget(_)
            | AstKind::AssignmentTargetRest(_)
            | AstKind::AssignmentTargetPropertyProperty(_) => self.change_if(is_inside, span, "assigned"),
            AstKind::AssignmentTargetWithDefault(target) if target.binding.span() == span => {
                self.change_if(is_inside, span, "assigned");
            }
            AstKind::ForInStatement(statement) if statement.left.span() == span => {
                self.change_if(is_inside, span, "assigned by a loop");
            }
            AstKind::ForOfStatement(statement) if statement.left.span() == span => {
                self.change_if(is_inside, span, "assigned by a loop");
            }
            AstKind::ForOfStatement(statement) if statement.right.span() == span => {
                if let ForStatementLeft::VariableDeclaration(declaration) = &statement.left {
                    for declarator in &declaration.declarations {
                        self.follow_pattern(&declarator.id, depth_here.saturating_sub(1));
                    }
                }
            }
            AstKind::VariableDeclarator(declarator) => self.follow_pattern(&declarator.id, depth_here),
            // Either operand may be the value of the whole.
            AstKind::ConditionalExpression(conditional) if conditional.test.span() != span => {
                self.follow_use(nodes.parent_id(top), depth_here, false);
            }
            AstKind::LogicalExpression(_) | AstKind::SequenceExpression(_) => {
                self.follow_use(nodes.parent_id(top), depth_here, false);
            }
            // An item of a list, a property of an object: one member further down.
            AstKind::ArrayExpression(_) => self.follow_use(nodes.parent_id(top), depth_here + 1, false),
            AstKind::ObjectProperty(property) if property.value.span() == span => {
                self.follow_use(nodes.parent_id(nodes.parent_id(top)), depth_here + 1, false);
            }
            AstKind::CallExpression(call) if call.callee.span() == span => {
                self.follow_method(call, names, depth);
            }
            AstKind::CallExpression(call) => self.follow_argument(call, span, depth_here),
            _ => {}
        }
    }

    /// A method of the object, or of something inside it, is called.
    fn follow_method(&mut self, call: &CallExpression<'a>, mut names: Vec<Option<String>>, depth: usize) {
        let Some(method) = names.pop().flatten() else { return };
        let is_inside = names.len() >= depth;
        if MUTATING_METHODS.contains(&method.as_str()) && is_inside {
            self.change(call.span, format!("changed by {method}()"));
        }
        if ITERATING_METHODS.contains(&method.as_str())
            && let Some(callback) = call.arguments.first().and_then(Argument::as_expression)
            && let Some(parameters) = parameters_of(callback)
            && let Some(item) = parameters.items.first()
        {
            self.follow_pattern(&item.pattern, depth.saturating_sub(names.len() + 1));
        }
        if method == "at" {
            // An item: one member further up.
            self.follow_use(call.node_id.get(), depth.saturating_sub(names.len() + 1), false);
        }
    }

    fn follow_argument(&mut self, call: &CallExpression<'a>, argument: Span, depth: usize) {
        let Some(index) = argument_at(call, argument) else { return };
        let callee = call.callee.without_parentheses();
        if index == 0 {
            let function = self.global_function(callee);
            if let Some((object, name)) = function.filter(|function| MUTATING_FUNCTIONS.contains(function)) {
                self.change_if(depth == 0, call.span, &format!("changed by {object}.{name}()"));
            }
            if let Some(method) = borrowed_method(callee).filter(|method| MUTATING_METHODS.contains(method)) {
                self.change_if(depth == 0, call.span, &format!("changed by {method}()"));
            }
        }
        if self.is_behind_spread(call, index) {
            return;
        }
        let parameters = match callee {
            Expression::Identifier(function) => self.parameters_of_name(function),
            _ => parameters_of(callee),
        };
        let Some(parameters) = parameters else {
            if depth == 0 {
                self.hand_over(callee, index, call.span);
            }
            return;
        };
        match (parameters.items.get(index), &parameters.rest) {
            (Some(parameter), _) => self.follow_pattern(&parameter.pattern, depth),
            (None, Some(rest)) => self.follow_pattern(&rest.rest.argument, depth + 1),
            (None, None) => {}
        }
    }

    /// Whether some argument before this one is several.
    fn is_behind_spread(&mut self, call: &CallExpression<'a>, index: usize) -> bool {
        let id = call.node_id.get();
        let (known, first) = self.first_spread;
        let first =
            if known == Some(id) { first } else { call.arguments.iter().position(Argument::is_spread) };
        self.first_spread = (Some(id), first);
        first.is_some_and(|first| first < index)
    }

    /// Notes a function that the module only imports.
    fn hand_over(&mut self, callee: &Expression<'a>, argument: usize, span: Span) {
        let (name, member) = match callee {
            Expression::Identifier(name) => (name, None),
            Expression::StaticMemberExpression(callee) => match &callee.object {
                Expression::Identifier(object) => (object, Some(callee.property.name.to_string())),
                _ => return,
            },
            _ => return,
        };
        let scoping = self.semantic.scoping();
        let symbol = name.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
        if let Some(name) = symbol.filter(|symbol| scoping.symbol_flags(*symbol).is_import()) {
            self.handed.push(Handover { name, member, argument, span });
        }
    }

    /// The object and name of a standard function, whatever name the module gives it.
    fn global_function<'e>(&self, callee: &'e Expression<'a>) -> Option<(&'e str, &'e str)>
    where
        's: 'e,
    {
        let is_global =
            |object: &IdentifierReference<'_>| self.semantic.is_reference_to_global_variable(object);
        if let Some(member) = callee.as_member_expression() {
            return global_member(member, is_global);
        }
        let Expression::Identifier(name) = callee else { return None };
        let AstKind::VariableDeclarator(declarator) = self.declaration_of(name)? else { return None };
        let init = declarator.init.as_ref()?.without_parentheses();
        match &declarator.id {
            BindingPattern::BindingIdentifier(_) => global_member(init.as_member_expression()?, is_global),
            BindingPattern::ObjectPattern(pattern) => {
                let Expression::Identifier(object) = init else { return None };
                let property = pattern.properties.iter().find(|property| {
                    matches!(&property.value, BindingPattern::BindingIdentifier(bound) if bound.name == name.name)
                })?;
                match &property.key {
                    PropertyKey::StaticIdentifier(key) if is_global(object) => {
                        Some((object.name.as_str(), key.name.as_str()))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn declaration_of(&self, name: &IdentifierReference<'_>) -> Option<AstKind<'a>> {
        let scoping = self.semantic.scoping();
        let symbol = name.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id())?;
        Some(self.semantic.nodes().kind(scoping.symbol_declaration(symbol)))
    }

    /// The parameters of a function of the module, by its name.
    fn parameters_of_name(&self, function: &IdentifierReference<'a>) -> Option<&'s FormalParameters<'a>> {
        match self.declaration_of(function)? {
            AstKind::Function(function) => Some(&function.params),
            AstKind::VariableDeclarator(declarator) => parameters_of(declarator.init.as_ref()?),
            _ => None,
        }
    }

    /// Every name of a pattern: which part of the object it takes is not looked at, so each may be the value.
    fn follow_pattern(&mut self, pattern: &BindingPattern<'a>, depth: usize) {
        let depth = if matches!(pattern, BindingPattern::BindingIdentifier(_)) { depth } else { 0 };
        let mut symbols = Vec::new();
        for_each_identifier(pattern, &mut |identifier| symbols.extend(identifier.symbol_id.get()));
        for symbol in symbols {
            self.follow(symbol, depth);
        }
    }

    fn follow_name(&mut self, target: &IdentifierReference<'a>, depth: usize) {
        let scoping = self.semantic.scoping();
        if let Some(symbol) = target.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id()) {
            self.follow(symbol, depth);
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

/// The method that a callee lends to its first argument: `push` of `[].push.apply(list, …)`.
fn borrowed_method<'e>(callee: &'e Expression<'_>) -> Option<&'e str> {
    let lender = callee.as_member_expression()?;
    if !matches!(lender.static_property_name()?, "call" | "apply") {
        return None;
    }
    lender.object().without_parentheses().as_member_expression()?.static_property_name()
}

/// The parameters of a function expression.
pub(super) fn parameters_of<'e, 'a>(expression: &'e Expression<'a>) -> Option<&'e FormalParameters<'a>> {
    match expression.without_parentheses() {
        Expression::ArrowFunctionExpression(arrow) => Some(&arrow.params),
        Expression::FunctionExpression(function) => Some(&function.params),
        _ => None,
    }
}
