//! A module's edges: what it imports, what it exports and from where.

use agent_surface_json::{Json, parse};
use oxc_ast::ast::{
    Declaration, ExportDefaultDeclarationKind, ImportDeclaration, ImportDeclarationSpecifier,
    ImportOrExportKind, ModuleExportName, Program, Statement, StringLiteral,
};
use oxc_span::Span;

use super::expr::{Element, Expr, ExprKind, Key, Member};
use super::lower::Lowerer;
use super::pattern::for_each_identifier;
use super::{Export, Facts, ImportedName, Refusal, Request};

/// Reads the imports and exports of a module's body.
pub(super) fn read<'a>(program: &Program<'a>, lowerer: &mut Lowerer<'_, 'a>, facts: &mut Facts) {
    // Imports are hoisted: an export may stand before the import it passes on.
    for statement in &program.body {
        if let Statement::ImportDeclaration(declaration) = statement {
            read_import(declaration, lowerer, facts);
        }
    }
    // Most of a module's statements that are not its own affair export one name.
    facts.exports.reserve(program.body.iter().filter(|statement| statement.is_module_declaration()).count());
    for statement in &program.body {
        read_export(statement, lowerer, facts);
    }
}

fn read_import(declaration: &ImportDeclaration<'_>, lowerer: &mut Lowerer<'_, '_>, facts: &mut Facts) {
    if declaration.import_kind == ImportOrExportKind::Type {
        return;
    }
    let request = request(&declaration.source, declaration.span, lowerer, facts);
    for specifier in declaration.specifiers.iter().flatten() {
        let (local, name) = match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(specifier) => {
                if specifier.import_kind == ImportOrExportKind::Type {
                    continue;
                }
                (&specifier.local, ImportedName::Named(name_of(&specifier.imported)))
            }
            ImportDeclarationSpecifier::ImportDefaultSpecifier(specifier) => {
                (&specifier.local, ImportedName::Named("default".to_owned()))
            }
            ImportDeclarationSpecifier::ImportNamespaceSpecifier(specifier) => {
                (&specifier.local, ImportedName::Namespace)
            }
        };
        if let Some(symbol) = local.symbol_id.get() {
            lowerer.imports.insert(symbol, (request, name));
        }
    }
}

fn read_export<'a>(statement: &Statement<'a>, lowerer: &mut Lowerer<'_, 'a>, facts: &mut Facts) {
    match statement {
        Statement::ExportDeclaration(export) => read_declaration(&export.declaration, lowerer, facts),
        Statement::ExportNamedDeclaration(export) if export.export_kind == ImportOrExportKind::Value => {
            for specifier in &export.specifiers {
                if specifier.export_kind == ImportOrExportKind::Type {
                    continue;
                }
                let ModuleExportName::IdentifierReference(local) = &specifier.local else { continue };
                let symbol =
                    local.reference_id.get().and_then(|id| lowerer.scoping().get_reference(id).symbol_id());
                if let Some(symbol) = symbol {
                    let binding = lowerer.exported(symbol);
                    facts.exports.insert(name_of(&specifier.exported), Export::Binding(binding));
                }
            }
        }
        Statement::ExportFromDeclaration(export) if export.export_kind == ImportOrExportKind::Value => {
            let request = request(&export.source, export.span, lowerer, facts);
            for specifier in &export.specifiers {
                if specifier.export_kind == ImportOrExportKind::Value {
                    let name = ImportedName::Named(name_of(&specifier.local));
                    facts.exports.insert(name_of(&specifier.exported), Export::From { request, name });
                }
            }
        }
        Statement::ExportAllDeclaration(export) if export.export_kind == ImportOrExportKind::Value => {
            let request = request(&export.source, export.span, lowerer, facts);
            match &export.exported {
                Some(name) => {
                    let export = Export::From { request, name: ImportedName::Namespace };
                    facts.exports.insert(name_of(name), export);
                }
                None => facts.stars.push(request),
            }
        }
        Statement::ExportDefaultDeclaration(export) => {
            let export = match &export.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    Export::Default(Expr::new(function.span, ExprKind::Runtime("a function")))
                }
                ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                    Export::Default(Expr::new(class.span, ExprKind::Runtime("a class")))
                }
                ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => return,
                expression => Export::Default(lowerer.exported_expression(expression.to_expression())),
            };
            facts.exports.insert("default".to_owned(), export);
        }
        _ => {}
    }
}

fn read_declaration(declaration: &Declaration<'_>, lowerer: &mut Lowerer<'_, '_>, facts: &mut Facts) {
    let mut export = |identifier: &oxc_ast::ast::BindingIdentifier<'_>| {
        if let Some(symbol) = identifier.symbol_id.get() {
            let binding = lowerer.exported(symbol);
            facts.exports.insert(identifier.name.as_str().to_owned(), Export::Binding(binding));
        }
    };
    match declaration {
        Declaration::VariableDeclaration(declaration) => {
            for declarator in &declaration.declarations {
                for_each_identifier(&declarator.id, &mut export);
            }
        }
        Declaration::FunctionDeclaration(function) => function.id.iter().for_each(export),
        Declaration::ClassDeclaration(class) => class.id.iter().for_each(export),
        Declaration::TSEnumDeclaration(declaration) => export(&declaration.id),
        _ => {}
    }
}

/// A JSON module: its value is the default export, its members are named ones.
pub(super) fn read_json(source: &str) -> Facts {
    let mut facts = Facts::empty();
    match parse(source) {
        Ok(value) => {
            if let Json::Object(object) = &value {
                for (name, member) in object.iter() {
                    facts
                        .exports
                        .insert(name.to_owned(), Export::Default(json_expr(member, Span::default())));
                }
            }
            facts.exports.insert("default".to_owned(), Export::Default(json_expr(&value, Span::default())));
            facts
        }
        Err(error) => {
            let start = u32::try_from(error.offset).unwrap_or(0);
            Facts::refused(Refusal {
                message: format!("not a JSON document: {error}"),
                span: Some(Span::new(start, start)),
                beyond_bounds: false,
            })
        }
    }
}

/// A JSON value as the expression that would evaluate to it, all of it at one place.
pub(crate) fn json_expr(value: &Json, span: Span) -> Expr {
    let kind = match value {
        Json::Null => ExprKind::Null,
        Json::Bool(value) => ExprKind::Bool(*value),
        Json::Number(number) => ExprKind::Number(number.get()),
        Json::String(text) => ExprKind::String(text.clone()),
        Json::Array(items) => {
            ExprKind::Array(items.iter().map(|item| Element::Item(json_expr(item, span))).collect())
        }
        Json::Object(object) => ExprKind::Object(
            object
                .iter()
                .map(|(name, value)| Member::Property {
                    key: Key::Static { name: name.to_owned(), span },
                    value: json_expr(value, span),
                })
                .collect(),
        ),
    };
    Expr::new(span, kind)
}

/// The request for a specifier, a new one where there was none.
fn request(
    source: &StringLiteral<'_>,
    statement: Span,
    lowerer: &mut Lowerer<'_, '_>,
    facts: &mut Facts,
) -> usize {
    let specifier = source.value.to_string();
    *lowerer.requests.entry(specifier).or_insert_with_key(|specifier| {
        facts.requests.push(Request { specifier: specifier.clone(), span: source.span, statement });
        facts.requests.len() - 1
    })
}

fn name_of(name: &ModuleExportName<'_>) -> String {
    match name {
        ModuleExportName::IdentifierName(name) => name.name.as_str().to_owned(),
        ModuleExportName::IdentifierReference(name) => name.name.as_str().to_owned(),
        ModuleExportName::StringLiteral(name) => name.value.as_str().to_owned(),
    }
}
