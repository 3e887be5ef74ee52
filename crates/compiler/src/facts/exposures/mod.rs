//! Ways in which a module hands tools to the browser by itself: `document.modelContext.registerTool(…)`, by whatever
//! path the object is reached, and `<form toolname>` ([`forms`]); for that of markup see [`super::markup`].
//!
//! The walk begins at the names that no scope binds, since those are the browser's, and follows where their values go
//! within the module: members, aliases, patterns. Of the `modelContext` itself nothing may get away unseen. Documents
//! do get away, in every app; where a module then speaks of a `modelContext` that no walk came by, it may be theirs
//! ([`mentions`]).

mod forms;
mod mentions;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, AssignmentTarget, BindingPattern, CallExpression, Expression, IdentifierReference,
    LogicalOperator,
};
use oxc_semantic::{AstNodes, NodeId, Scoping, Semantic, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashSet;

use super::climb::{argument_at, is_value_reference, is_wrapper};
use super::exposure::{Exposure, ExposureKind, MODEL_CONTEXT, REGISTER_TOOL, TOOL_NAME, find_ignoring_case};

/// What a value of the browser's is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reached {
    /// `window`, `globalThis` and the like.
    Global,
    /// `document`, and `navigator`, where it once was.
    Host,
    /// The `modelContext`.
    Context,
    /// What may be any of them: a member by a name that is not known, or what a function made of one.
    Unclear,
}

impl Reached {
    /// What a name that no scope binds stands for.
    fn global(name: &str) -> Option<Self> {
        match name {
            "document" | "navigator" => Some(Self::Host),
            "window" | "globalThis" | "self" | "top" | "parent" | "frames" => Some(Self::Global),
            _ => None,
        }
    }

    fn member(self, name: Option<&str>) -> Member {
        let Some(name) = name else {
            return match self {
                Self::Context => Member::Exposes,
                Self::Global | Self::Host => Member::Unknown,
                Self::Unclear => Member::Other,
            };
        };
        match self {
            Self::Global => Self::global(name).map_or(Member::Other, Member::Is),
            Self::Host if name == MODEL_CONTEXT => Member::Is(Self::Context),
            Self::Host if name == "defaultView" => Member::Is(Self::Global),
            Self::Host => Member::Other,
            Self::Context if HARMLESS.contains(&name) => Member::Other,
            Self::Context => Member::Exposes,
            Self::Unclear if name == MODEL_CONTEXT => Member::Is(Self::Unclear),
            Self::Unclear if REGISTERING.contains(&name) => Member::Exposes,
            Self::Unclear => Member::Other,
        }
    }
}

/// Members that only a `modelContext` has, now or in earlier drafts of it.
const REGISTERING: [&str; 2] = [REGISTER_TOOL, "provideContext"];

/// Members of the `modelContext` that register nothing.
const HARMLESS: [&str; 6] =
    ["addEventListener", "removeEventListener", "dispatchEvent", "ontoolchange", "getTools", "executeTool"];

/// What a member is.
enum Member {
    Is(Reached),
    /// The way to register a tool, or any member.
    Exposes,
    /// Any member of what is no `modelContext`, so it may be that.
    Unknown,
    Other,
}

/// Reads every exposure of a module.
pub(super) fn read(source: &str, semantic: &Semantic<'_>, reads_forms: bool) -> Vec<Exposure> {
    let mut found = Vec::new();
    if source.contains(MODEL_CONTEXT) || source.contains(REGISTER_TOOL) {
        let mut walk = Walk {
            semantic,
            seen: FxHashSet::default(),
            climbed: FxHashSet::default(),
            passed: FxHashSet::default(),
            queue: Vec::new(),
            lets_go: false,
            found: Vec::new(),
        };
        walk.begin();
        if source.contains(MODEL_CONTEXT) {
            walk.read_mentions();
        }
        found.append(&mut walk.found);
    }
    // What a compiler made of a component is said of the component.
    if reads_forms && find_ignoring_case(source, TOOL_NAME).is_some() {
        forms::read(source, semantic, &mut found);
    }
    found.sort_by_key(|it| (it.span.start, it.span.end));
    found.dedup_by_key(|it| it.span);
    found
}

struct Walk<'s, 'a> {
    semantic: &'s Semantic<'a>,
    seen: FxHashSet<(SymbolId, Reached)>,
    /// Expressions that have the value of one inside: what becomes of theirs was found out with the first.
    climbed: FxHashSet<(NodeId, Reached)>,
    /// The members that a walk came by.
    passed: FxHashSet<Span>,
    /// Names of the module that stand for something of the browser's.
    queue: Vec<(SymbolId, Reached)>,
    /// Whether a document, or what has one, goes where it is not followed.
    lets_go: bool,
    found: Vec<Exposure>,
}

impl<'s, 'a> Walk<'s, 'a> {
    fn begin(&mut self) {
        for node in self.nodes().iter() {
            if let AstKind::IdentifierReference(name) = node.kind()
                && let Some(reached) = Reached::global(&name.name)
                && is_unbound(self.scoping(), name)
            {
                self.follow(node.id(), reached);
            }
        }
        self.follow_names();
    }

    /// Follows the names that are known to stand for something, until there are no more.
    fn follow_names(&mut self) {
        while let Some((symbol, reached)) = self.queue.pop() {
            let references: Vec<NodeId> = self
                .semantic
                .symbol_references(symbol)
                .filter(|reference| is_value_reference(reference) && reference.is_read())
                .map(oxc_semantic::Reference::node_id)
                .collect();
            for reference in references {
                self.follow(reference, reached);
            }
        }
    }

    /// Follows the value of an expression to whatever is done with it.
    fn follow(&mut self, mut node: NodeId, mut reached: Reached) {
        loop {
            let span = self.nodes().kind(node).span();
            let parent = self.nodes().parent_id(node);
            if parent == node {
                return;
            }
            let member = match self.nodes().kind(parent) {
                AstKind::StaticMemberExpression(member) if member.object.span() == span => {
                    self.passed.insert(member.span);
                    reached.member(Some(&member.property.name))
                }
                AstKind::ComputedMemberExpression(member) if member.object.span() == span => {
                    self.passed.insert(member.span);
                    reached.member(self.text_of(&member.expression))
                }
                AstKind::CallExpression(call) if is_argument(call, span) => {
                    match self.name_that_is_got(call, span) {
                        Some(name) => {
                            self.passed.insert(call.span);
                            reached.member(name)
                        }
                        None => {
                            self.let_go(span, reached);
                            if reached == Reached::Context {
                                return;
                            }
                            // It may return the document that it is given, or the object that is in there.
                            Member::Is(Reached::Unclear)
                        }
                    }
                }
                kind if is_same_value(kind, span) => Member::Is(reached),
                kind => return self.end(kind, span, reached),
            };
            match member {
                Member::Is(next) => reached = next,
                Member::Unknown => {
                    self.lets_go = true;
                    reached = Reached::Unclear;
                }
                Member::Exposes if !self.is_tested(parent) => {
                    return self.report(self.nodes().kind(parent).span(), kind_of(reached));
                }
                Member::Exposes | Member::Other => return,
            }
            if !self.climbed.insert((parent, reached)) {
                return;
            }
            node = parent;
        }
    }

    /// What becomes of a value at the end of its expression.
    fn end(&mut self, parent: AstKind<'a>, span: Span, reached: Reached) {
        match parent {
            AstKind::VariableDeclarator(declarator) => self.bind(&declarator.id, span, reached),
            AstKind::AssignmentExpression(assignment) if assignment.right.span() == span => match &assignment
                .left
            {
                AssignmentTarget::AssignmentTargetIdentifier(name) if !is_unbound(self.scoping(), name) => {
                    if let Some(symbol) = symbol_of(self.scoping(), name) {
                        self.name(symbol, span, reached);
                    }
                }
                AssignmentTarget::ObjectAssignmentTarget(_) if reached == Reached::Host => {
                    let text = self.semantic.source_text();
                    let range = assignment.left.span().start as usize..assignment.left.span().end as usize;
                    if text.get(range).is_some_and(|text| text.contains(MODEL_CONTEXT)) {
                        self.report(assignment.left.span(), ExposureKind::Escape);
                    }
                }
                _ => self.let_go(span, reached),
            },
            kind if is_test(kind, span) => {}
            _ => self.let_go(span, reached),
        }
    }

    fn bind(&mut self, pattern: &BindingPattern<'a>, span: Span, reached: Reached) {
        match pattern {
            BindingPattern::BindingIdentifier(name) => {
                if let Some(symbol) = name.symbol_id.get() {
                    self.name(symbol, span, reached);
                }
            }
            BindingPattern::AssignmentPattern(pattern) => self.bind(&pattern.left, span, reached),
            BindingPattern::ObjectPattern(pattern) => {
                for property in &pattern.properties {
                    self.passed.insert(property.span);
                    let name = property.key.static_name();
                    let name = match property.key.as_expression() {
                        Some(key) if property.computed => self.text_of(key),
                        _ => name.as_deref(),
                    };
                    match reached.member(name) {
                        Member::Is(next) => self.bind(&property.value, property.span, next),
                        Member::Exposes => self.report(property.span, kind_of(reached)),
                        Member::Unknown => {
                            self.lets_go = true;
                            self.bind(&property.value, property.span, Reached::Unclear);
                        }
                        Member::Other => {}
                    }
                }
                if let Some(rest) = &pattern.rest {
                    self.let_go(rest.span, reached);
                }
            }
            BindingPattern::ArrayPattern(_) => {}
        }
    }

    /// Goes on with a name of the module, unless others may read it.
    fn name(&mut self, symbol: SymbolId, span: Span, reached: Reached) {
        if reached == Reached::Context && self.is_exported(symbol) {
            self.report(span, ExposureKind::Escape);
        }
        if self.seen.insert((symbol, reached)) {
            self.queue.push((symbol, reached));
        }
    }

    fn is_exported(&self, symbol: SymbolId) -> bool {
        let declared = self.scoping().symbol_declaration(symbol);
        let by_declaration =
            self.nodes().ancestor_kinds(declared).any(|kind| matches!(kind, AstKind::ExportDeclaration(_)));
        by_declaration && self.scoping().symbol_scope_id(symbol) == self.scoping().root_scope_id()
    }

    /// A value that goes where it is not followed. Documents do so in every app.
    fn let_go(&mut self, span: Span, reached: Reached) {
        match reached {
            Reached::Context => self.report(span, ExposureKind::Escape),
            Reached::Global | Reached::Host => self.lets_go = true,
            Reached::Unclear => {}
        }
    }

    /// The name by which `Reflect.get(value, name)` reads a member of the value, if it is that call: none within where
    /// the name is not known.
    fn name_that_is_got(&self, call: &'s CallExpression<'a>, value: Span) -> Option<Option<&'s str>> {
        let callee = call.callee.get_member_expr()?;
        let Expression::Identifier(object) = callee.object() else { return None };
        let is_get = object.name == "Reflect" && callee.static_property_name() == Some("get");
        (is_get && is_unbound(self.scoping(), object)).then_some(())?;
        let [target, name, ..] = call.arguments.as_slice() else { return None };
        (target.span() == value).then(|| name.as_expression().and_then(|name| self.text_of(name)))
    }

    /// The text that an expression is, written there or as a constant of the module.
    fn text_of(&self, expression: &'s Expression<'a>) -> Option<&'s str> {
        match expression.get_inner_expression() {
            Expression::StringLiteral(text) => Some(text.value.as_str()),
            Expression::TemplateLiteral(text) => {
                let [only] = text.quasis.as_slice() else { return None };
                only.value.cooked.as_ref().map(|text| text.as_str())
            }
            Expression::Identifier(name) => match self.initial_of(name)?.get_inner_expression() {
                // A constant of a constant is rare enough.
                Expression::Identifier(_) => None,
                initial => self.text_of(initial),
            },
            _ => None,
        }
    }

    /// The expression that a name of the module stands for, where it never stands for another.
    fn initial_of(&self, name: &IdentifierReference<'a>) -> Option<&'s Expression<'a>> {
        let symbol = symbol_of(self.scoping(), name)?;
        (!self.scoping().symbol_is_mutated(symbol)).then_some(())?;
        match self.nodes().kind(self.scoping().symbol_declaration(symbol)) {
            AstKind::VariableDeclarator(declarator)
                if matches!(declarator.id, BindingPattern::BindingIdentifier(_)) =>
            {
                declarator.init.as_ref()
            }
            _ => None,
        }
    }

    /// Whether an expression is only asked whether it is there.
    fn is_tested(&self, node: NodeId) -> bool {
        let mut node = node;
        loop {
            let span = self.nodes().kind(node).span();
            let parent = self.nodes().parent_id(node);
            let kind = self.nodes().kind(parent);
            if is_test(kind, span) {
                return true;
            }
            if parent == node || !is_wrapper(kind) {
                return false;
            }
            node = parent;
        }
    }

    fn report(&mut self, span: Span, kind: ExposureKind) {
        self.found.push(Exposure { span, kind });
    }

    fn nodes(&self) -> &'s AstNodes<'a> {
        self.semantic.nodes()
    }

    fn scoping(&self) -> &'s Scoping {
        self.semantic.scoping()
    }
}

/// Whether a node has the value of the expression within it, or may have.
fn is_same_value(kind: AstKind<'_>, span: Span) -> bool {
    match kind {
        AstKind::SequenceExpression(sequence) => {
            sequence.expressions.last().is_some_and(|last| last.span() == span)
        }
        AstKind::LogicalExpression(logical) => {
            logical.operator != LogicalOperator::And || logical.right.span() == span
        }
        AstKind::ConditionalExpression(conditional) => conditional.test.span() != span,
        AstKind::AwaitExpression(_) => true,
        kind => is_wrapper(kind),
    }
}

/// Whether a node only looks at what the expression within it is.
fn is_test(kind: AstKind<'_>, span: Span) -> bool {
    match kind {
        AstKind::UnaryExpression(_) | AstKind::BinaryExpression(_) | AstKind::ExpressionStatement(_) => true,
        AstKind::IfStatement(statement) => statement.test.span() == span,
        AstKind::ConditionalExpression(conditional) => conditional.test.span() == span,
        AstKind::LogicalExpression(logical) => {
            logical.operator == LogicalOperator::And && logical.left.span() == span
        }
        _ => false,
    }
}

fn is_unbound(scoping: &Scoping, name: &IdentifierReference<'_>) -> bool {
    // `declare const document` gives it a type and no value.
    symbol_of(scoping, name).is_none_or(|symbol| scoping.symbol_flags(symbol).contains(SymbolFlags::Ambient))
}

fn symbol_of(scoping: &Scoping, name: &IdentifierReference<'_>) -> Option<SymbolId> {
    name.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id())
}

fn is_argument(call: &CallExpression<'_>, span: Span) -> bool {
    argument_at(call, span).is_some_and(|at| !matches!(call.arguments[at], Argument::SpreadElement(_)))
}

/// What a registration is by way of a value.
fn kind_of(reached: Reached) -> ExposureKind {
    match reached {
        Reached::Unclear => ExposureKind::Unclear,
        _ => ExposureKind::Registration,
    }
}
