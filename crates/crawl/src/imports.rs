//! What a module's text imports, in the build that it is for.

use agent_surface_compiler::{Define, with_room_for};
use oxc_allocator::Allocator;
use oxc_ast::ast::*;
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_span::SourceType;
use oxc_syntax::scope::ScopeFlags;
use rustc_hash::{FxHashMap, FxHashSet};

/// How deep a condition may nest that constants decide. Every level of a long chain is a condition of its own.
const MAX_CONDITION: usize = 32;

/// What there is to know besides the text.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'s> {
    /// Whether an import of which nothing is used stays, as TypeScript's `verbatimModuleSyntax` has it.
    pub(crate) keeps_unused: bool,
    /// Names that JSX needs in scope.
    pub(crate) jsx_names: &'s [String],
    pub(crate) constants: &'s Constants,
}

/// The constants of a build that decide whether a branch is part of it.
#[derive(Debug, Default)]
pub(crate) struct Constants(FxHashMap<String, Constant>);

/// A value that a condition may be about.
#[derive(Clone, Debug, PartialEq)]
enum Constant {
    Bool(bool),
    Text(String),
    Nothing,
}

impl Constants {
    pub(crate) fn new(defines: &[Define]) -> Self {
        let read = |define: &Define| {
            let value = match define.text.as_str() {
                "true" => Constant::Bool(true),
                "false" => Constant::Bool(false),
                "undefined" | "null" => Constant::Nothing,
                text => Constant::Text(text.strip_prefix('"')?.strip_suffix('"')?.to_owned()),
            };
            Some((define.name.clone(), value))
        };
        Self(defines.iter().filter_map(read).collect())
    }
}

/// The specifiers that a module imports, each once. None where the text is no script.
pub(crate) fn imports_of(
    arena: &Allocator,
    text: &str,
    source_type: SourceType,
    setting: Setting<'_>,
) -> Option<Vec<String>> {
    with_room_for(text, || read_imports(arena, text, source_type, setting))
}

fn read_imports(
    arena: &Allocator,
    text: &str,
    source_type: SourceType,
    setting: Setting<'_>,
) -> Option<Vec<String>> {
    let parsed = Parser::new(arena, text, source_type).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() && parsed.program.body.is_empty() {
        return None;
    }
    let mut reader = Reader {
        setting,
        is_typescript: source_type.is_typescript(),
        is_module: parsed.module_record.has_module_syntax,
        named: Vec::new(),
        used: FxHashSet::default(),
        has_jsx: false,
        found: Vec::new(),
    };
    reader.visit_program(&parsed.program);
    Some(reader.finish())
}

/// The kinds of text to take a script for, the likeliest first.
pub(crate) fn source_types(ending: &str) -> &'static [fn() -> SourceType] {
    match ending {
        "ts" | "mts" | "cts" => &[SourceType::ts],
        "tsx" => &[SourceType::tsx],
        _ => &[SourceType::jsx, SourceType::tsx, SourceType::ts],
    }
}

struct Reader<'s> {
    setting: Setting<'s>,
    is_typescript: bool,
    is_module: bool,
    /// Imports that stand and fall with the use of a name of theirs.
    named: Vec<(String, Vec<String>)>,
    used: FxHashSet<String>,
    has_jsx: bool,
    found: Vec<String>,
}

impl Reader<'_> {
    fn finish(mut self) -> Vec<String> {
        let is_needed =
            |name: &String| self.used.contains(name) || self.has_jsx && self.setting.jsx_names.contains(name);
        for (specifier, names) in &self.named {
            if names.iter().any(is_needed) {
                self.found.push(specifier.clone());
            }
        }
        let mut seen = FxHashSet::default();
        self.found.retain(|specifier| seen.insert(specifier.clone()));
        self.found
    }

    fn find(&mut self, specifier: &str) {
        self.found.push(specifier.to_owned());
    }

    /// What a condition comes to in this build, if the build's constants decide it.
    fn decide(&self, test: &Expression<'_>) -> Option<bool> {
        self.decide_within(MAX_CONDITION, test)
    }

    fn decide_within(&self, depth: usize, test: &Expression<'_>) -> Option<bool> {
        let depth = depth.checked_sub(1)?;
        match test {
            Expression::BooleanLiteral(literal) => Some(literal.value),
            Expression::ParenthesizedExpression(inner) => self.decide_within(depth, &inner.expression),
            Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::LogicalNot => {
                self.decide_within(depth, &unary.argument).map(|value| !value)
            }
            Expression::LogicalExpression(logical) => {
                let left = self.decide_within(depth, &logical.left);
                match (logical.operator, left) {
                    (LogicalOperator::And, Some(false)) => Some(false),
                    (LogicalOperator::Or, Some(true)) => Some(true),
                    (LogicalOperator::And | LogicalOperator::Or, Some(_)) => {
                        self.decide_within(depth, &logical.right)
                    }
                    _ => None,
                }
            }
            Expression::BinaryExpression(binary) => {
                let is_equal = match binary.operator {
                    BinaryOperator::StrictEquality | BinaryOperator::Equality => true,
                    BinaryOperator::StrictInequality | BinaryOperator::Inequality => false,
                    _ => return None,
                };
                Some((self.constant(&binary.left)? == self.constant(&binary.right)?) == is_equal)
            }
            _ => match self.constant(test)? {
                Constant::Bool(value) => Some(value),
                Constant::Text(text) => Some(!text.is_empty()),
                Constant::Nothing => Some(false),
            },
        }
    }

    fn constant(&self, expression: &Expression<'_>) -> Option<Constant> {
        match expression {
            Expression::StringLiteral(literal) => Some(Constant::Text(literal.value.to_string())),
            Expression::BooleanLiteral(literal) => Some(Constant::Bool(literal.value)),
            Expression::ParenthesizedExpression(inner) => self.constant(&inner.expression),
            _ => {
                let mut name = String::new();
                write_path(expression, &mut name)?;
                self.setting.constants.0.get(&name).cloned()
            }
        }
    }
}

/// `import.meta.env.DEV`, as it is written in a table of constants.
fn write_path(expression: &Expression<'_>, path: &mut String) -> Option<()> {
    match expression {
        Expression::Identifier(identifier) => path.push_str(&identifier.name),
        Expression::ImportMeta(_) => path.push_str("import.meta"),
        Expression::StaticMemberExpression(member) => {
            write_path(&member.object, path)?;
            path.push('.');
            path.push_str(&member.property.name);
        }
        Expression::ChainExpression(chain) => match &chain.expression {
            ChainElement::StaticMemberExpression(member) => {
                write_path(&member.object, path)?;
                path.push('.');
                path.push_str(&member.property.name);
            }
            _ => return None,
        },
        _ => return None,
    }
    Some(())
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_import_declaration(&mut self, declaration: &ImportDeclaration<'a>) {
        let specifier = declaration.source.value.as_str();
        let Some(names) = declaration.specifiers.as_ref().filter(|names| !names.is_empty()) else {
            if !declaration.import_kind.is_type() {
                self.find(specifier);
            }
            return;
        };
        if declaration.import_kind.is_type() {
            return;
        }
        if !self.is_typescript || self.setting.keeps_unused {
            self.find(specifier);
            return;
        }
        let local = |name: &ImportDeclarationSpecifier<'_>| match name {
            ImportDeclarationSpecifier::ImportSpecifier(name) if name.import_kind.is_type() => None,
            name => Some(name.local().name.to_string()),
        };
        self.named.push((specifier.to_owned(), names.iter().filter_map(local).collect()));
    }

    fn visit_export_named_declaration(&mut self, declaration: &ExportNamedDeclaration<'a>) {
        if declaration.export_kind.is_type() {
            return;
        }
        walk::walk_export_named_declaration(self, declaration);
    }

    fn visit_export_from_declaration(&mut self, declaration: &ExportFromDeclaration<'a>) {
        if declaration.export_kind.is_type() {
            return;
        }
        let all_types = self.is_typescript
            && !self.setting.keeps_unused
            && !declaration.specifiers.is_empty()
            && declaration.specifiers.iter().all(|name| name.export_kind.is_type());
        if !all_types {
            self.find(&declaration.source.value);
        }
    }

    fn visit_export_specifier(&mut self, specifier: &ExportSpecifier<'a>) {
        if !specifier.export_kind.is_type() {
            walk::walk_export_specifier(self, specifier);
        }
    }

    fn visit_export_all_declaration(&mut self, declaration: &ExportAllDeclaration<'a>) {
        if !declaration.export_kind.is_type() {
            self.find(&declaration.source.value);
        }
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        match &import.source {
            Expression::StringLiteral(literal) => self.find(&literal.value),
            Expression::TemplateLiteral(template) => {
                if let Some(text) = template.single_quasi() {
                    self.find(&text);
                }
            }
            _ => {}
        }
        walk::walk_import_expression(self, import);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        // A bundler follows `require` in what is no module.
        if !self.is_module
            && let Expression::Identifier(callee) = &call.callee
            && callee.name == "require"
            && let [Argument::StringLiteral(literal)] = call.arguments.as_slice()
        {
            self.find(&literal.value);
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_if_statement(&mut self, statement: &IfStatement<'a>) {
        match self.decide(&statement.test) {
            Some(true) => self.visit_statement(&statement.consequent),
            Some(false) => {
                if let Some(alternate) = &statement.alternate {
                    self.visit_statement(alternate);
                }
            }
            None => walk::walk_if_statement(self, statement),
        }
    }

    fn visit_conditional_expression(&mut self, expression: &ConditionalExpression<'a>) {
        match self.decide(&expression.test) {
            Some(true) => self.visit_expression(&expression.consequent),
            Some(false) => self.visit_expression(&expression.alternate),
            None => walk::walk_conditional_expression(self, expression),
        }
    }

    fn visit_logical_expression(&mut self, expression: &LogicalExpression<'a>) {
        match (expression.operator, self.decide(&expression.left)) {
            (LogicalOperator::And, Some(false)) | (LogicalOperator::Or, Some(true)) => {}
            _ => walk::walk_logical_expression(self, expression),
        }
    }

    fn visit_identifier_reference(&mut self, identifier: &IdentifierReference<'a>) {
        if self.is_typescript && !self.used.contains(identifier.name.as_str()) {
            self.used.insert(identifier.name.to_string());
        }
    }

    fn visit_jsx_opening_element(&mut self, element: &JSXOpeningElement<'a>) {
        self.has_jsx = true;
        walk::walk_jsx_opening_element(self, element);
    }

    fn visit_jsx_fragment(&mut self, fragment: &JSXFragment<'a>) {
        self.has_jsx = true;
        walk::walk_jsx_fragment(self, fragment);
    }

    fn visit_ts_import_equals_declaration(&mut self, declaration: &TSImportEqualsDeclaration<'a>) {
        if declaration.import_kind.is_type() {
            return;
        }
        match &declaration.module_reference {
            TSModuleReference::ExternalModuleReference(reference) => self.find(&reference.expression.value),
            _ => walk::walk_ts_import_equals_declaration(self, declaration),
        }
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        // Declarations without a body are types.
        if function.body.is_some() {
            walk::walk_function(self, function, flags);
        }
    }

    // What stands for a type uses nothing.
    fn visit_ts_type(&mut self, _: &TSType<'a>) {}
    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type_parameter_declaration(&mut self, _: &TSTypeParameterDeclaration<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
    fn visit_ts_class_implements(&mut self, _: &TSClassImplements<'a>) {}
}

#[cfg(test)]
mod tests {
    use agent_surface_host::{Nested, nested};

    use super::*;

    fn imports(text: &str, source_type: SourceType) -> Vec<String> {
        let define =
            |name: &str, text: &str| Define { name: name.into(), text: text.into(), differs_in: None };
        let constants = Constants::new(&[
            define("import.meta.env.DEV", "false"),
            define("import.meta.env.MODE", "\"production\""),
            define("process.env.NODE_ENV", "\"production\""),
        ]);
        let setting = Setting { keeps_unused: false, jsx_names: &["h".to_owned()], constants: &constants };
        imports_of(&Allocator::default(), text, source_type, setting).unwrap()
    }

    #[test]
    fn every_form_of_an_import_is_found_once() {
        let text = r#"import "./a"; import b from "./b"; export * from "./c"; export { d } from "./d";
            import("./e"); import(`./f`); import("./a"); export { b };"#;
        assert_eq!(imports(text, SourceType::jsx()), ["./a", "./b", "./c", "./d", "./e", "./f"]);
        assert_eq!(
            imports("require('./a'); exports.b = require('./b').b;", SourceType::jsx()),
            ["./a", "./b"]
        );
        assert_eq!(imports("export {}; require('./a');", SourceType::jsx()), [""; 0]);
    }

    #[test]
    fn what_is_used_as_a_type_only_is_not_imported() {
        let text = r#"import type { A } from "./a"; import { type B } from "./b"; import { C } from "./c";
            import { D, d } from "./d"; export type { E } from "./e"; import { F } from "./f"; import { g } from "./g";
            export const x: C = d satisfies D; class Y implements F {} export { g };
            interface Z extends F { c: typeof C }"#;
        assert_eq!(imports(text, SourceType::ts()), ["./d", "./g"]);
        assert_eq!(
            imports(r#"import { h } from "./h"; export const x = <p />;"#, SourceType::tsx()),
            ["./h"]
        );
        assert_eq!(
            imports(r#"import { P } from "./p"; export const x = <P.q />;"#, SourceType::tsx()),
            ["./p"]
        );
    }

    #[test]
    fn a_text_may_nest_as_deep_as_it_likes() {
        let read = |text: String, ending: &str| {
            let constants = Constants::new(&[]);
            let setting = Setting { keeps_unused: true, jsx_names: &[], constants: &constants };
            source_types(ending)
                .iter()
                .find_map(|source_type| imports_of(&Allocator::default(), &text, source_type(), setting))
        };
        for bytes in [500, 4000, 60_000] {
            for Nested { ending, what, text } in nested(bytes) {
                // A stack that overflows ends the process: this is the last that is heard of it.
                println!("{what}");
                let text = format!("import \"./a\";\n{text}");
                let thread = std::thread::Builder::new().stack_size(512 * 1024);
                let found = thread.spawn(move || read(text, ending)).unwrap().join().unwrap();
                assert!(found.is_none_or(|found| found.contains(&"./a".to_owned())), "{what}");
            }
        }
    }

    #[test]
    fn a_branch_that_the_build_leaves_out_imports_nothing() {
        let text = r#"if (import.meta.env.DEV) import("./dev"); else import("./prod");
            const a = import.meta.env.MODE === "staging" ? import("./staging") : import("./other");
            import.meta.env.DEV && import("./dev"); if (!import.meta.env?.DEV && on) import("./on");"#;
        assert_eq!(imports(text, SourceType::jsx()), ["./prod", "./other", "./on"]);
        let text = r#"if (process.env.NODE_ENV === "production") module.exports = require("./a"); else module.exports = require("./b");"#;
        assert_eq!(imports(text, SourceType::jsx()), ["./a"]);
    }
}
