//! Lowering: from the syntax tree to [`Expr`], with every name resolved to its symbol.

use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument as CallArgument, ArrayExpressionElement, BindingPattern, CallExpression, ChainElement,
    Expression, IdentifierReference, ObjectPropertyKind, PropertyKey, PropertyKind, StringLiteral,
    TSEnumMemberName, VariableDeclarationKind, VariableDeclarator,
};
use oxc_semantic::{AstNodes, NodeId, Scoping, Semantic, SymbolFlags, SymbolId};
use oxc_span::{GetSpan, Span};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::compiled_enum::{self, Compiled};
use super::expr::{
    Argument, BindingId, Element, Expr, ExprKind, Key, Member, Pattern, Template, Unsupported,
};
use super::pattern::for_each_identifier;
use super::{
    Binding, BindingKind, Component, EnumMember, Extent, Handed, ImportedName, Parameter, mutations,
};

/// How deep an expression or a pattern may nest before it is called too deep to read.
pub(super) const MAX_DEPTH: usize = 256;

/// How many expressions of one module are lowered at most.
const MAX_EXPRESSIONS: usize = 400_000;

pub(super) const TOO_LARGE: ExprKind = ExprKind::Unsupported(&Unsupported {
    what: "an expression too large to analyse",
    help: "Split it into constants of ordinary size.",
});

/// Lowers expressions, and remembers which bindings they reach.
pub(super) struct Lowerer<'s, 'a> {
    pub(super) semantic: &'s Semantic<'a>,
    /// Filled by the reader of imports, before anything is lowered.
    pub(super) imports: FxHashMap<SymbolId, (usize, ImportedName)>,
    /// Where each specifier stands among the requests, filled by the same.
    pub(super) requests: FxHashMap<String, usize>,
    /// The framework whose compiler made the text, if one did.
    pub(super) generated: Option<Component>,
    extent: Extent,
    /// The arguments of the calls that are kept, by the node of the call.
    arguments: FxHashMap<NodeId, Rc<[Argument]>>,
    reached: FxHashSet<SymbolId>,
    queue: VecDeque<SymbolId>,
    depth: usize,
    expressions: usize,
    /// How many more uses of names are followed to changes.
    uses_left: Cell<usize>,
}

impl<'s, 'a> Lowerer<'s, 'a> {
    pub(super) fn new(semantic: &'s Semantic<'a>, generated: Option<Component>, extent: Extent) -> Self {
        Self {
            semantic,
            imports: FxHashMap::default(),
            requests: FxHashMap::default(),
            generated,
            extent,
            arguments: FxHashMap::default(),
            reached: FxHashSet::default(),
            queue: VecDeque::new(),
            depth: 0,
            expressions: 0,
            uses_left: Cell::new(mutations::MAX_USES),
        }
    }

    pub(super) fn scoping(&self) -> &'s Scoping {
        self.semantic.scoping()
    }

    pub(super) fn nodes(&self) -> &'s AstNodes<'a> {
        self.semantic.nodes()
    }

    /// The binding of a symbol, to be lowered with the rest.
    pub(super) fn binding(&mut self, symbol: SymbolId) -> BindingId {
        if self.reached.insert(symbol) {
            self.queue.push_back(symbol);
        }
        binding_id(symbol)
    }

    /// The binding of an exported symbol, to be lowered if exports are.
    pub(super) fn exported(&mut self, symbol: SymbolId) -> BindingId {
        match self.extent {
            Extent::Calls => binding_id(symbol),
            Extent::Whole => self.binding(symbol),
        }
    }

    /// The expression of a default export, lowered if exports are.
    pub(super) fn exported_expression(&mut self, expression: &Expression<'a>) -> Expr {
        // A name may be a macro's, and is passed on; whatever else is exported has no part in a call here.
        let is_name = expression.get_inner_expression().is_identifier_reference()
            || expression.get_inner_expression().is_member_expression();
        match self.extent {
            Extent::Calls if !is_name => Expr::new(expression.span(), ExprKind::Runtime("an export")),
            _ => self.expression(expression),
        }
    }

    /// Lowers whatever bindings were reached, and what those reach.
    pub(super) fn finish(mut self) -> FxHashMap<BindingId, Binding> {
        // A binding is large, and a table that grows moves all of them.
        let mut bindings = FxHashMap::with_capacity_and_hasher(self.queue.len(), FxBuildHasher);
        while let Some(symbol) = self.queue.pop_front() {
            let kind = self.binding_kind(symbol);
            let (mut changes, handed) = mutations::changes(self.semantic, symbol, &self.uses_left);
            if matches!(kind, BindingKind::Enum(_)) {
                // A compiled enum fills its object where it is declared.
                let declaration = self.nodes().kind(self.scoping().symbol_declaration(symbol)).span();
                changes.retain(|change| !declaration.contains_inclusive(change.span));
            }
            let binding = Binding {
                name: self.scoping().symbol_name(symbol).to_owned(),
                span: self.scoping().symbol_span(symbol),
                kind,
                changes,
                handed: self.handed(handed),
                parameters: self.parameters(symbol),
            };
            bindings.insert(binding_id(symbol), binding);
        }
        bindings
    }

    fn handed(&mut self, handed: Vec<mutations::Handover>) -> Vec<Handed> {
        handed
            .into_iter()
            .map(|mutations::Handover { name, member, argument, span }| {
                let name = Expr::new(span, ExprKind::Binding(self.binding(name)));
                let function = match member {
                    Some(member) => Expr::member(&Rc::new(name), Key::Static { name: member, span }),
                    None => name,
                };
                Handed { function, argument }
            })
            .collect()
    }

    /// What a function of the module does to what it is given.
    fn parameters(&mut self, symbol: SymbolId) -> Vec<Parameter> {
        let parameters = match self.nodes().kind(self.scoping().symbol_declaration(symbol)) {
            AstKind::Function(function) => &function.params,
            AstKind::VariableDeclarator(declarator) => {
                match declarator.init.as_ref().and_then(mutations::parameters_of) {
                    Some(parameters) => parameters,
                    None => return Vec::new(),
                }
            }
            _ => return Vec::new(),
        };
        let mut found = Vec::with_capacity(parameters.items.len());
        for item in &parameters.items {
            let mut parameter = Parameter::default();
            let mut names = Vec::new();
            for_each_identifier(&item.pattern, &mut |name| names.extend(name.symbol_id.get()));
            for name in names {
                let (changes, handed) = mutations::changes(self.semantic, name, &self.uses_left);
                // What it holds after an assignment is not what the caller gave it.
                if !changes.iter().any(|change| change.rebinds) {
                    parameter.changes.extend(changes);
                    parameter.handed.extend(self.handed(handed));
                }
            }
            found.push(parameter);
        }
        found
    }

    fn binding_kind(&mut self, symbol: SymbolId) -> BindingKind {
        if let Some((request, name)) = self.imports.get(&symbol) {
            return BindingKind::Import { request: *request, name: name.clone() };
        }
        let scoping = self.scoping();
        let flags = scoping.symbol_flags(symbol);
        if flags.contains(SymbolFlags::Ambient) {
            return BindingKind::Runtime("a name that is only declared");
        }
        match self.nodes().kind(scoping.symbol_declaration(symbol)) {
            AstKind::VariableDeclarator(declarator) => self.variable(symbol, declarator),
            AstKind::TSEnumDeclaration(declaration) => {
                if scoping.symbol_redeclarations(symbol).is_empty() {
                    BindingKind::Enum(self.enum_members(&declaration.body.members))
                } else {
                    BindingKind::Runtime("an enum that is declared in several places")
                }
            }
            AstKind::TSEnumMember(member) => self.enum_member(symbol, &member.id),
            AstKind::Function(_) => BindingKind::Runtime("a function"),
            AstKind::Class(_) => BindingKind::Runtime("a class"),
            AstKind::CatchParameter(_) => BindingKind::Runtime("a caught error"),
            AstKind::TSNamespaceDeclaration(_) => BindingKind::Runtime("a namespace"),
            _ if flags.contains(SymbolFlags::FunctionScopedVariable) => self.parameter(symbol),
            _ => BindingKind::Runtime("a name without a value of its own"),
        }
    }

    fn variable(&mut self, symbol: SymbolId, declarator: &VariableDeclarator<'a>) -> BindingKind {
        let declaration = self.nodes().parent_kind(declarator.node_id.get());
        let AstKind::VariableDeclaration(declaration) = declaration else {
            return BindingKind::Runtime("a variable");
        };
        if let Some(compiled) = self.compiled_enum(declarator) {
            let members = compiled.members.iter().map(|member| self.compiled_member(member)).collect();
            return BindingKind::Enum(members);
        }
        match declaration.kind {
            VariableDeclarationKind::Const => {}
            VariableDeclarationKind::Let | VariableDeclarationKind::Var => {
                return self.variable_that_may_change(symbol, declarator, declaration.kind);
            }
            VariableDeclarationKind::Using | VariableDeclarationKind::AwaitUsing => {
                return BindingKind::Runtime("a resource");
            }
        }
        let Some(init) = &declarator.init else { return BindingKind::Runtime("a loop variable") };
        let init = self.expression(init);
        match self.project(&declarator.id, init, symbol) {
            Some(value) => BindingKind::Constant(value),
            None => BindingKind::Runtime("a part of a pattern that nests too deep"),
        }
    }

    fn variable_that_may_change(
        &mut self,
        symbol: SymbolId,
        declarator: &VariableDeclarator<'a>,
        kind: VariableDeclarationKind,
    ) -> BindingKind {
        let keyword = if kind == VariableDeclarationKind::Let { "let" } else { "var" };
        let is_name = matches!(declarator.id, BindingPattern::BindingIdentifier(_));
        let never_written = !self.semantic.symbol_references(symbol).any(oxc_semantic::Reference::is_write);
        let only = declarator.init.as_ref().filter(|_| is_name && never_written);
        BindingKind::Reassignable { keyword, only: only.map(|init| self.expression(init)) }
    }

    /// What `symbol` takes out of `value` when the pattern is bound to it. None where it stands too deep.
    fn project(&mut self, pattern: &BindingPattern<'a>, value: Expr, symbol: SymbolId) -> Option<Expr> {
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = self.project_part(pattern, value, symbol);
        self.depth -= 1;
        found
    }

    fn project_part(&mut self, pattern: &BindingPattern<'a>, value: Expr, symbol: SymbolId) -> Option<Expr> {
        match pattern {
            BindingPattern::BindingIdentifier(identifier) => {
                (identifier.symbol_id.get() == Some(symbol)).then_some(value)
            }
            BindingPattern::AssignmentPattern(pattern) => {
                let fallback = Box::new(self.expression(&pattern.right));
                let span = value.span;
                let value = Expr::new(span, ExprKind::Default { value: Rc::new(value), fallback });
                self.project(&pattern.left, value, symbol)
            }
            BindingPattern::ObjectPattern(pattern) => {
                let object = Rc::new(value);
                let mut taken = Vec::new();
                for property in &pattern.properties {
                    let key = self.key(&property.key);
                    taken.push(key.clone());
                    if let Some(found) = self.project(&property.value, Expr::member(&object, key), symbol) {
                        return Some(found);
                    }
                }
                let rest = pattern.rest.as_ref()?;
                let value = Expr::new(rest.span, ExprKind::ObjectRest { object, taken: taken.into() });
                self.project(&rest.argument, value, symbol)
            }
            BindingPattern::ArrayPattern(pattern) => {
                let array = Rc::new(value);
                for (index, element) in pattern.elements.iter().enumerate() {
                    let Some(element) = element else { continue };
                    let key = Key::Static { name: index.to_string(), span: element.span() };
                    if let Some(found) = self.project(element, Expr::member(&array, key), symbol) {
                        return Some(found);
                    }
                }
                let rest = pattern.rest.as_ref()?;
                let value = Expr::new(rest.span, ExprKind::ArrayRest { array, from: pattern.elements.len() });
                self.project(&rest.argument, value, symbol)
            }
        }
    }

    fn enum_members(&mut self, members: &[oxc_ast::ast::TSEnumMember<'a>]) -> Vec<EnumMember> {
        members
            .iter()
            .map(|member| EnumMember {
                name: enum_member_name(&member.id).unwrap_or_default(),
                span: member.span,
                value: member.initializer.as_ref().map(|value| self.expression(value)),
            })
            .collect()
    }

    /// A compiled enum whose members' values do no more with its object than read it.
    fn compiled_enum(&self, declarator: &'s VariableDeclarator<'a>) -> Option<Compiled<'s, 'a>> {
        let compiled = compiled_enum::read(declarator)?;
        let (changes, handovers) = mutations::changes(self.semantic, compiled.parameter?, &self.uses_left);
        (changes.len() == compiled.writes && handovers.is_empty()).then_some(compiled)
    }

    /// A parameter: of a compiled enum's function, the enum itself.
    fn parameter(&mut self, symbol: SymbolId) -> BindingKind {
        let declaration = self.scoping().symbol_declaration(symbol);
        let declarator = self.nodes().ancestor_kinds(declaration).find_map(|kind| match kind {
            AstKind::VariableDeclarator(declarator) => Some(declarator),
            _ => None,
        });
        let compiled = declarator.and_then(|declarator| self.compiled_enum(declarator));
        let owner = declarator.and_then(|declarator| match &declarator.id {
            BindingPattern::BindingIdentifier(identifier) => identifier.symbol_id.get(),
            _ => None,
        });
        match (compiled, owner) {
            (Some(compiled), Some(owner)) if compiled.parameter == Some(symbol) => {
                BindingKind::EnumObject(self.binding(owner))
            }
            _ => BindingKind::Runtime("a parameter"),
        }
    }

    fn compiled_member(&mut self, member: &compiled_enum::Member<'_, 'a>) -> EnumMember {
        EnumMember {
            name: member.name.to_owned(),
            span: member.span,
            value: Some(self.expression(member.value)),
        }
    }

    fn enum_member(&mut self, symbol: SymbolId, name: &TSEnumMemberName<'a>) -> BindingKind {
        let scoping = self.scoping();
        let body = self.nodes().get_node(scoping.get_node_id(scoping.symbol_scope_id(symbol)));
        let owner = self
            .nodes()
            .ancestor_kinds(body.id())
            .find_map(|kind| match kind {
                AstKind::TSEnumDeclaration(declaration) => declaration.id.symbol_id.get(),
                _ => None,
            })
            .or_else(|| match body.kind() {
                AstKind::TSEnumDeclaration(declaration) => declaration.id.symbol_id.get(),
                _ => None,
            });
        match (owner, enum_member_name(name)) {
            (Some(owner), Some(name)) => BindingKind::EnumMember { owner: self.binding(owner), name },
            _ => BindingKind::Runtime("an enum member"),
        }
    }

    /// Lowers an expression.
    pub(super) fn expression(&mut self, expression: &Expression<'a>) -> Expr {
        self.expressions += 1;
        if self.depth >= MAX_DEPTH || self.expressions > MAX_EXPRESSIONS {
            return Expr::new(expression.span(), TOO_LARGE);
        }
        self.depth += 1;
        let kind = self.expression_kind(expression);
        self.depth -= 1;
        kind
    }

    fn expression_kind(&mut self, expression: &Expression<'a>) -> Expr {
        let span = expression.span();
        let kind = match expression {
            Expression::NullLiteral(_) => ExprKind::Null,
            Expression::BooleanLiteral(literal) => ExprKind::Bool(literal.value),
            Expression::NumericLiteral(literal) => ExprKind::Number(literal.value),
            Expression::StringLiteral(literal) => string(literal),
            Expression::TemplateLiteral(template) => self.template(template),
            Expression::Identifier(identifier) => self.identifier(identifier),
            Expression::ArrayExpression(array) => {
                ExprKind::Array(array.elements.iter().map(|element| self.element(element)).collect())
            }
            Expression::ObjectExpression(object) => {
                ExprKind::Object(object.properties.iter().map(|property| self.property(property)).collect())
            }
            Expression::CallExpression(call) => self.call(call),
            Expression::ChainExpression(chain) => {
                let inner = match &chain.expression {
                    ChainElement::CallExpression(call) => Expr::new(call.span, self.call(call)),
                    ChainElement::TSNonNullExpression(inner) => self.expression(&inner.expression),
                    ChainElement::StaticMemberExpression(member) => self.static_member(member),
                    ChainElement::ComputedMemberExpression(member) => self.computed_member(member),
                    ChainElement::PrivateFieldExpression(field) => {
                        Expr::new(field.span, ExprKind::Runtime("a private field"))
                    }
                };
                ExprKind::Chain(Box::new(inner))
            }
            Expression::StaticMemberExpression(member) => return self.static_member(member),
            Expression::ComputedMemberExpression(member) => return self.computed_member(member),
            Expression::UnaryExpression(unary) => {
                ExprKind::Unary(unary.operator, Box::new(self.expression(&unary.argument)))
            }
            Expression::BinaryExpression(binary) => {
                let operands = Box::new((self.expression(&binary.left), self.expression(&binary.right)));
                ExprKind::Binary(binary.operator, operands)
            }
            Expression::LogicalExpression(logical) => {
                let operands = Box::new((self.expression(&logical.left), self.expression(&logical.right)));
                ExprKind::Logical(logical.operator, operands)
            }
            Expression::ConditionalExpression(conditional) => ExprKind::Conditional(Box::new((
                self.expression(&conditional.test),
                self.expression(&conditional.consequent),
                self.expression(&conditional.alternate),
            ))),
            // What only types see, and parentheses, leave no trace. However many there are, they are not deep.
            Expression::ParenthesizedExpression(_)
            | Expression::TSAsExpression(_)
            | Expression::TSSatisfiesExpression(_)
            | Expression::TSTypeAssertion(_)
            | Expression::TSNonNullExpression(_)
            | Expression::TSInstantiationExpression(_) => {
                return self.expression_kind(expression.get_inner_expression());
            }
            Expression::BigIntLiteral(_) => ExprKind::Unsupported(&Unsupported {
                what: "a bigint, which JSON cannot carry",
                help: "Write a number, or a string of digits.",
            }),
            Expression::RegExpLiteral(literal) => ExprKind::Pattern(Box::new(Pattern {
                source: literal.regex.pattern.text.to_string(),
                flags: literal.regex.flags.to_string(),
            })),
            Expression::TaggedTemplateExpression(_) => ExprKind::Runtime("a tagged template"),
            Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_) => {
                ExprKind::Runtime("a function")
            }
            Expression::ClassExpression(_) => ExprKind::Runtime("a class"),
            Expression::NewExpression(_) => ExprKind::Runtime("an object made by `new`"),
            Expression::AwaitExpression(_) => ExprKind::Runtime("an awaited value"),
            Expression::YieldExpression(_) => ExprKind::Runtime("a yielded value"),
            Expression::ImportExpression(_) => ExprKind::Runtime("a dynamic import"),
            Expression::ImportMeta(_) => ExprKind::ImportMeta,
            Expression::NewTarget(_) => ExprKind::Runtime("`new.target`"),
            Expression::ThisExpression(_) => ExprKind::Runtime("`this`"),
            Expression::Super(_) => ExprKind::Runtime("`super`"),
            Expression::AssignmentExpression(_) => ExprKind::Runtime("an assignment"),
            Expression::UpdateExpression(_) => ExprKind::Runtime("an update"),
            Expression::SequenceExpression(_) => ExprKind::Runtime("a sequence of expressions"),
            Expression::PrivateFieldExpression(_) | Expression::PrivateInExpression(_) => {
                ExprKind::Runtime("a private field")
            }
            Expression::JSXElement(_) | Expression::JSXFragment(_) => ExprKind::Runtime("a JSX element"),
            Expression::V8IntrinsicExpression(_) => ExprKind::Runtime("an engine intrinsic"),
        };
        Expr::new(span, kind)
    }

    fn identifier(&mut self, identifier: &IdentifierReference<'a>) -> ExprKind {
        let symbol =
            identifier.reference_id.get().and_then(|id| self.scoping().get_reference(id).symbol_id());
        match symbol {
            Some(symbol) => ExprKind::Binding(self.binding(symbol)),
            None => ExprKind::Global(identifier.name.to_string()),
        }
    }

    fn template(&mut self, template: &oxc_ast::ast::TemplateLiteral<'a>) -> ExprKind {
        let mut quasis = Vec::with_capacity(template.quasis.len());
        for quasi in &template.quasis {
            match &quasi.value.cooked {
                Some(cooked) if !quasi.lone_surrogates => quasis.push(cooked.to_string()),
                _ => return LONE_SURROGATE,
            }
        }
        let expressions = template.expressions.iter().map(|expression| self.expression(expression)).collect();
        ExprKind::Template(Box::new(Template { quasis, expressions }))
    }

    fn call(&mut self, call: &CallExpression<'a>) -> ExprKind {
        let callee = Box::new(self.expression(&call.callee));
        let kept = self.arguments.get(&call.node_id.get()).map(Rc::clone);
        let arguments =
            kept.unwrap_or_else(|| call.arguments.iter().map(|argument| self.argument(argument)).collect());
        ExprKind::Call { callee, arguments, optional: call.optional }
    }

    /// The arguments of a call that is kept in the module's list. The constant that holds its value is the same call:
    /// what both have is there once.
    pub(super) fn kept_arguments(&mut self, call: &CallExpression<'a>) -> Rc<[Argument]> {
        let arguments: Rc<[Argument]> =
            call.arguments.iter().map(|argument| self.argument(argument)).collect();
        self.arguments.insert(call.node_id.get(), Rc::clone(&arguments));
        arguments
    }

    fn argument(&mut self, argument: &CallArgument<'a>) -> Argument {
        let (expression, spread) = match argument {
            CallArgument::SpreadElement(spread) => (&spread.argument, true),
            _ => (argument.to_expression(), false),
        };
        Argument { span: argument.span(), expr: self.expression(expression), spread }
    }

    fn element(&mut self, element: &ArrayExpressionElement<'a>) -> Element {
        match element {
            ArrayExpressionElement::SpreadElement(spread) => {
                Element::Spread(self.expression(&spread.argument))
            }
            ArrayExpressionElement::Elision(elision) => Element::Hole(elision.span),
            _ => Element::Item(self.expression(element.to_expression())),
        }
    }

    fn property(&mut self, property: &ObjectPropertyKind<'a>) -> Member {
        let property = match property {
            ObjectPropertyKind::SpreadProperty(spread) => {
                return Member::Spread(self.expression(&spread.argument));
            }
            ObjectPropertyKind::ObjectProperty(property) => property,
        };
        let key = self.key(&property.key);
        if property.kind != PropertyKind::Init {
            return Member::Accessor { key, span: property.span };
        }
        let names_prototype = matches!(&key, Key::Static { name, .. } if name == "__proto__");
        if names_prototype && !property.computed && !property.shorthand && !property.method {
            return Member::Prototype(property.span);
        }
        Member::Property { key, value: self.expression(&property.value) }
    }

    fn static_member(&mut self, member: &oxc_ast::ast::StaticMemberExpression<'a>) -> Expr {
        let key = Key::Static { name: member.property.name.to_string(), span: member.property.span };
        self.member(member.span, &member.object, key, member.optional)
    }

    fn computed_member(&mut self, member: &oxc_ast::ast::ComputedMemberExpression<'a>) -> Expr {
        let key = match &member.object {
            // A bundler that replaces `import.meta.env` leaves `import.meta["env"]` alone.
            Expression::ImportMeta(_) => Key::Computed(Box::new(self.expression(&member.expression))),
            _ => self.computed_key(&member.expression),
        };
        self.member(member.span, &member.object, key, member.optional)
    }

    fn member(&mut self, span: Span, object: &Expression<'a>, key: Key, optional: bool) -> Expr {
        let object = Rc::new(self.expression(object));
        Expr::new(span, ExprKind::Member { object, key: Box::new(key), optional })
    }

    fn key(&mut self, key: &PropertyKey<'a>) -> Key {
        match key {
            PropertyKey::StaticIdentifier(identifier) => {
                Key::Static { name: identifier.name.to_string(), span: identifier.span }
            }
            PropertyKey::PrivateIdentifier(identifier) => {
                Key::Computed(Box::new(Expr::new(identifier.span, ExprKind::Runtime("a private name"))))
            }
            _ => self.computed_key(key.to_expression()),
        }
    }

    pub(super) fn computed_key(&mut self, expression: &Expression<'a>) -> Key {
        match self.expression(expression) {
            Expr { span, kind: ExprKind::String(name) } => Key::Static { name, span },
            Expr { span, kind: ExprKind::Number(number) } => {
                Key::Static { name: crate::number::to_string(number), span }
            }
            expr => Key::Computed(Box::new(expr)),
        }
    }
}

const LONE_SURROGATE: ExprKind = ExprKind::Unsupported(&Unsupported {
    what: "half of a surrogate pair, which no Unicode text has",
    help: "Write the whole character.",
});

fn string(literal: &StringLiteral<'_>) -> ExprKind {
    if literal.lone_surrogates { LONE_SURROGATE } else { ExprKind::String(literal.value.to_string()) }
}

fn enum_member_name(name: &TSEnumMemberName<'_>) -> Option<String> {
    match name {
        TSEnumMemberName::Identifier(identifier) => Some(identifier.name.to_string()),
        TSEnumMemberName::String(literal) | TSEnumMemberName::ComputedString(literal) => {
            Some(literal.value.to_string())
        }
        TSEnumMemberName::ComputedTemplateString(template) => {
            template.quasis.first().and_then(|quasi| quasi.value.cooked.as_ref()).map(ToString::to_string)
        }
    }
}

pub(super) fn binding_id(symbol: SymbolId) -> BindingId {
    BindingId(u32::try_from(symbol.index()).unwrap_or(u32::MAX))
}
