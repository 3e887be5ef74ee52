//! Modules that are reached without an import declaration: by `import(…)`, `require(…)` and TypeScript's `import =`.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, BindingPattern, CallExpression, Expression, FormalParameters, IdentifierReference,
    ImportOrExportKind, TSImportEqualsDeclaration, TSModuleReference, TSTypeName,
};
use oxc_semantic::{NodeId, SymbolFlags, SymbolId};
use oxc_span::Span;

use super::calls::static_keys;
use super::climb::climb;
use super::expr::{Expr, ExprKind};
use super::lower::Lowerer;
use super::{Facts, ImportedName, Stray};

/// A module that is reached while the program runs.
#[derive(Clone, Debug)]
pub(crate) struct DynamicRequest {
    pub(crate) specifier: Expr,
    pub(crate) span: Span,
    /// `import()` or `require()`.
    pub(crate) form: &'static str,
    /// The only exports that are taken, where no other can be.
    pub(crate) taken: Option<Vec<String>>,
}

/// Reads every dynamic request of the module.
pub(super) fn read<'a>(lowerer: &mut Lowerer<'_, 'a>, facts: &mut Facts) {
    for node in lowerer.nodes().iter() {
        let (source, form, span) = match node.kind() {
            AstKind::ImportExpression(import) => (&import.source, "import()", import.span),
            AstKind::CallExpression(call) => match required(lowerer, facts, call) {
                Some(source) => (source, "require()", call.span),
                None => continue,
            },
            AstKind::TSImportEqualsDeclaration(import) if import.import_kind == ImportOrExportKind::Value => {
                read_import_equals(lowerer, facts, import);
                continue;
            }
            _ => continue,
        };
        let taken = taken(lowerer, node.id(), form == "import()");
        facts.dynamic_requests.push(DynamicRequest {
            specifier: lowerer.expression(source),
            span,
            form,
            taken,
        });
    }
}

/// `import name = require("…")`, and `import name = other.member`.
fn read_import_equals(
    lowerer: &mut Lowerer<'_, '_>,
    facts: &mut Facts,
    import: &TSImportEqualsDeclaration<'_>,
) {
    let mut left = match &import.module_reference {
        TSModuleReference::ExternalModuleReference(reference) => {
            let literal = &reference.expression;
            let specifier = Expr::new(literal.span, ExprKind::String(literal.value.to_string()));
            let form = "`import … = require()`";
            facts.dynamic_requests.push(DynamicRequest { specifier, span: import.span, form, taken: None });
            return;
        }
        TSModuleReference::IdentifierReference(name) => return read_alias(lowerer, facts, name, import.span),
        TSModuleReference::QualifiedName(name) => &name.left,
    };
    loop {
        match left {
            TSTypeName::IdentifierReference(name) => return read_alias(lowerer, facts, name, import.span),
            TSTypeName::QualifiedName(name) => left = &name.left,
            TSTypeName::ThisExpression(_) => return,
        }
    }
}

fn read_alias(lowerer: &mut Lowerer<'_, '_>, facts: &mut Facts, name: &IdentifierReference<'_>, span: Span) {
    if let Some(symbol) = symbol_of(lowerer, name).filter(|symbol| lowerer.imports.contains_key(symbol)) {
        let subject = Expr::new(name.span, ExprKind::Binding(lowerer.binding(symbol)));
        facts.strays.push(Stray {
            subject,
            span,
            what: "gets another name by `import =`",
            members: None,
            for_template: None,
        });
    }
}

/// What a call requires, if it is one of `require`: Node's own, or one that `createRequire` made.
fn required<'n, 'a>(
    lowerer: &Lowerer<'_, 'a>,
    facts: &Facts,
    call: &'n CallExpression<'a>,
) -> Option<&'n Expression<'a>> {
    let source = call.arguments.first().and_then(Argument::as_expression)?;
    let is_require = match call.callee.get_inner_expression() {
        Expression::Identifier(callee) => match symbol_of(lowerer, callee) {
            None => callee.name == "require",
            // `declare const require` gives it a type and no value.
            Some(symbol) if lowerer.scoping().symbol_flags(symbol).contains(SymbolFlags::Ambient) => {
                callee.name == "require"
            }
            Some(symbol) => is_made_require(lowerer, facts, symbol),
        },
        Expression::CallExpression(maker) => makes_require(lowerer, facts, maker),
        Expression::StaticMemberExpression(member) => {
            let is_module = matches!(&member.object, Expression::Identifier(object)
                if object.name == "module" && symbol_of(lowerer, object).is_none());
            is_module && member.property.name == "require"
        }
        _ => false,
    };
    is_require.then_some(source)
}

fn is_made_require(lowerer: &Lowerer<'_, '_>, facts: &Facts, symbol: SymbolId) -> bool {
    match lowerer.nodes().kind(lowerer.scoping().symbol_declaration(symbol)) {
        AstKind::VariableDeclarator(declarator) => match &declarator.init {
            Some(Expression::CallExpression(maker)) => makes_require(lowerer, facts, maker),
            _ => false,
        },
        _ => false,
    }
}

/// `createRequire(…)` of Node's `module`.
fn makes_require(lowerer: &Lowerer<'_, '_>, facts: &Facts, call: &CallExpression<'_>) -> bool {
    let (object, member) = match &call.callee {
        Expression::Identifier(name) => (name, None),
        Expression::StaticMemberExpression(member) => match &member.object {
            Expression::Identifier(object) => (object, Some(member.property.name.as_str())),
            _ => return false,
        },
        _ => return false,
    };
    let Some((request, name)) = symbol_of(lowerer, object).and_then(|symbol| lowerer.imports.get(&symbol))
    else {
        return false;
    };
    let is_module = matches!(facts.requests[*request].specifier.as_str(), "module" | "node:module");
    let name = match name {
        ImportedName::Named(name) if name != "default" => Some(name.as_str()),
        _ => member,
    };
    is_module && name == Some("createRequire")
}

fn symbol_of(lowerer: &Lowerer<'_, '_>, name: &IdentifierReference<'_>) -> Option<SymbolId> {
    name.reference_id.get().and_then(|id| lowerer.scoping().get_reference(id).symbol_id())
}

/// The exports that are taken of a module, where it is plain which.
fn taken(lowerer: &Lowerer<'_, '_>, request: NodeId, is_promise: bool) -> Option<Vec<String>> {
    let nodes = lowerer.nodes();
    let mut first: Option<Option<String>> = None;
    let mut note = |access: super::climb::Access<'_, '_>| {
        first.get_or_insert_with(|| access.name().map(str::to_owned));
    };
    let mut top = climb(nodes, request, &mut note);
    if is_promise {
        match nodes.parent_kind(top) {
            AstKind::AwaitExpression(_) if first.is_none() => {
                first = None;
                let mut note = |access: super::climb::Access<'_, '_>| {
                    first.get_or_insert_with(|| access.name().map(str::to_owned));
                };
                top = climb(nodes, nodes.parent_id(top), &mut note);
            }
            // `import(…).then(({ name }) => …)`
            AstKind::CallExpression(call)
                if first.as_ref().is_some_and(|name| name.as_deref() == Some("then")) =>
            {
                return taken_by_callback(call);
            }
            AstKind::ExpressionStatement(_) if first.is_none() => return Some(Vec::new()),
            _ => return None,
        }
    }
    if let Some(member) = first {
        return member.map(|name| vec![name]);
    }
    match nodes.parent_kind(top) {
        AstKind::ExpressionStatement(_) => Some(Vec::new()),
        AstKind::VariableDeclarator(declarator) => static_keys(&declarator.id),
        _ => None,
    }
}

fn taken_by_callback(call: &CallExpression<'_>) -> Option<Vec<String>> {
    let parameters: &FormalParameters<'_> =
        match call.arguments.first()?.as_expression()?.get_inner_expression() {
            Expression::ArrowFunctionExpression(arrow) => &arrow.params,
            // A function has `arguments`, where the module is too.
            _ => return None,
        };
    match parameters.items.first() {
        None => parameters.rest.is_none().then(Vec::new),
        Some(parameter) => match &parameter.pattern {
            BindingPattern::BindingIdentifier(_) => None,
            pattern => static_keys(pattern),
        },
    }
}
