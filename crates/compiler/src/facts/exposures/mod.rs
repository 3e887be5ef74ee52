//! Ways in which a module hands tools to the browser by itself: `document.modelContext.registerTool(…)`, by whatever
//! path the object is reached, and `<form toolname>` in JSX; for that of markup see [`super::markup`].
//!
//! The walk begins at the names that no scope binds, since those are the browser's, and follows where their values go
//! within the module: members, aliases, patterns. Of the `modelContext` itself nothing may get away unseen.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    AssignmentTarget, BindingPattern, IdentifierReference, JSXAttributeItem, JSXElementName,
    JSXOpeningElement, LogicalOperator,
};
use oxc_semantic::{AstNodes, NodeId, Scoping, Semantic, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::FxHashSet;

use super::calls::is_value_reference;

/// Where browsers have their tools.
pub(crate) const MODEL_CONTEXT: &str = "modelContext";

/// What makes a form a tool.
pub(crate) const TOOL_NAME: &str = "toolname";

/// One such way.
#[derive(Clone, Debug)]
pub(crate) struct Exposure {
    pub(crate) span: Span,
    pub(crate) kind: ExposureKind,
}

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExposureKind {
    /// The method that registers tools.
    Registration,
    /// The object that has the method, where it can't be followed.
    Escape,
    /// A form that is a tool.
    Form,
}

/// What a value of the browser's is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reached {
    /// `window`, `globalThis` and the like.
    Global,
    /// `document`, and `navigator`, where it once was.
    Host,
    /// The `modelContext`.
    Context,
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
            return if self == Self::Context { Member::Exposes } else { Member::Other };
        };
        match self {
            Self::Global => Self::global(name).map_or(Member::Other, Member::Is),
            Self::Host if name == MODEL_CONTEXT => Member::Is(Self::Context),
            Self::Host if name == "defaultView" => Member::Is(Self::Global),
            Self::Host => Member::Other,
            Self::Context if HARMLESS.contains(&name) => Member::Other,
            Self::Context => Member::Exposes,
        }
    }
}

/// Members of the `modelContext` that register nothing.
const HARMLESS: [&str; 6] =
    ["addEventListener", "removeEventListener", "dispatchEvent", "ontoolchange", "getTools", "executeTool"];

/// What a member is.
enum Member {
    Is(Reached),
    /// The way to register a tool, or any member.
    Exposes,
    Other,
}

/// Reads every exposure of a module.
pub(super) fn read(source: &str, semantic: &Semantic<'_>) -> Vec<Exposure> {
    let mut walk = Walk { semantic, seen: FxHashSet::default(), queue: Vec::new(), found: Vec::new() };
    if source.contains(MODEL_CONTEXT) {
        walk.begin();
    }
    if source.contains(TOOL_NAME) {
        walk.read_forms();
    }
    let mut found = walk.found;
    found.sort_by_key(|it| (it.span.start, it.span.end));
    found.dedup_by_key(|it| it.span);
    found
}

struct Walk<'s, 'a> {
    semantic: &'s Semantic<'a>,
    seen: FxHashSet<(SymbolId, Reached)>,
    /// Names of the module that stand for something of the browser's.
    queue: Vec<(SymbolId, Reached)>,
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
                    reached.member(Some(&member.property.name))
                }
                AstKind::ComputedMemberExpression(member) if member.object.span() == span => {
                    let name = member.static_property_name();
                    reached.member(name.as_ref().map(|name| name.as_str()))
                }
                kind if is_same_value(kind, span) => Member::Is(reached),
                kind => return self.end(kind, span, reached),
            };
            match member {
                Member::Is(next) => reached = next,
                Member::Exposes if !self.is_tested(parent) => {
                    return self.report(self.nodes().kind(parent).span(), ExposureKind::Registration);
                }
                Member::Exposes | Member::Other => return,
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
                    let name = property.key.static_name();
                    match reached.member(name.as_deref()) {
                        Member::Is(next) => self.bind(&property.value, property.span, next),
                        Member::Exposes => self.report(property.span, ExposureKind::Registration),
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
        if reached == Reached::Context {
            self.report(span, ExposureKind::Escape);
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

    fn read_forms(&mut self) {
        for node in self.nodes().iter() {
            if let AstKind::JSXOpeningElement(element) = node.kind()
                && let Some(span) = tool_of_form(element)
            {
                self.report(span, ExposureKind::Form);
            }
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

/// What has no effect at run time.
fn is_wrapper(kind: AstKind<'_>) -> bool {
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

/// Where a form says that it is a tool.
fn tool_of_form(element: &JSXOpeningElement<'_>) -> Option<Span> {
    let JSXElementName::Identifier(name) = &element.name else { return None };
    (name.name == "form").then_some(())?;
    element.attributes.iter().find_map(|attribute| match attribute {
        JSXAttributeItem::Attribute(attribute) if attribute.is_identifier(TOOL_NAME) => Some(attribute.span),
        _ => None,
    })
}
