//! Holding objects as they were made, so that a difference which only a change explains can be told from a
//! mistake of the compiler.
//!
//! Every literal of an object or a list in a module's text is given to `$hold`, and so is what a pattern gathers
//! as its rest; what is spread or taken apart goes through `$made`,
//! and what a member is read of through `$read`. The runner defines all three. What `$hold` does is [`Hold`]; none of the ways makes a difference to a program that changes nothing.

use std::borrow::Cow;

use oxc_allocator::Allocator;
use oxc_ast::ast::{
    ArrayExpression, BindingPattern, BindingRestElement, CallExpression, ChainElement,
    ComputedMemberExpression, Declaration, ExportDeclaration, Expression, ObjectExpression, SpreadElement,
    Statement, StaticMemberExpression, TSEnumDeclaration, UnaryExpression, UnaryOperator,
    VariableDeclaration, VariableDeclarator,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};

/// How a run keeps objects as they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Macros and spreads read each object as it was made, whatever became of it since.
    AsMade,
    /// As before, and so does every access to a member.
    ReadAsMade,
    /// As before, but for those that were made empty: what they carry is put into them later.
    FilledReadAsMade,
    /// Objects ignore every change, which reaches what was copied or taken out of them after it. It also stops
    /// what the program builds up step by step, and so can't be the only way.
    Still,
    /// As before, but for those that were made empty.
    FilledStill,
}

impl Hold {
    /// Every way, the most telling first.
    pub(crate) const ALL: [Self; 5] =
        [Self::AsMade, Self::FilledStill, Self::Still, Self::ReadAsMade, Self::FilledReadAsMade];

    /// The name that the runner knows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AsMade => "as made",
            Self::ReadAsMade => "read as made",
            Self::FilledReadAsMade => "filled read as made",
            Self::Still => "still",
            Self::FilledStill => "filled still",
        }
    }
}

/// A module's text with every literal held. None where the text is not a module.
pub(crate) fn hold_literals(path: &str, text: &str) -> Option<String> {
    let allocator = Allocator::default();
    let source_type = SourceType::from_path(path).ok()?.with_module(true);
    let parsed = Parser::new(&allocator, text, source_type).parse();
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut literals = Literals { text, cuts: Vec::new() };
    literals.visit_program(&parsed.program);
    let mut held = String::with_capacity(text.len() * 2);
    let mut from = 0;
    // Of two at one place, what was found first stands outside.
    literals.cuts.sort_by_key(|(at, _)| *at);
    for (at, insertion) in literals.cuts {
        held.push_str(text.get(from..at)?);
        held.push_str(&insertion);
        from = at;
    }
    held.push_str(text.get(from..)?);
    Some(held)
}

/// Where literals begin and end, with what is put there.
struct Literals<'t> {
    text: &'t str,
    cuts: Vec<(usize, Cow<'static, str>)>,
}

impl Literals<'_> {
    fn put(&mut self, at: u32, insertion: impl Into<Cow<'static, str>>) {
        self.cuts.push((at as usize, insertion.into()));
    }

    fn read_static(&mut self, member: &StaticMemberExpression<'_>) {
        self.read(&member.object, member.optional, "?");
    }

    fn read_computed(&mut self, member: &ComputedMemberExpression<'_>) {
        self.read(&member.object, member.optional, "?.");
        self.visit_expression(&member.expression);
    }

    /// Reads a member of what was made. A chain that may end early is cut by that, and goes on being one that may:
    /// `a?.b.c` becomes `$read($read(a)?.b)?.c`.
    fn read(&mut self, object: &Expression<'_>, is_optional: bool, mark: &'static str) {
        if matches!(object, Expression::Super(_)) {
            return;
        }
        let span = object.span();
        self.put(span.start, "$read(");
        self.visit_expression(object);
        self.put(span.end, ")");
        if !is_optional && may_end_early(object) {
            self.put(self.after_blanks(span.end), mark);
        }
    }

    /// Where the text goes on after white space and comments.
    fn after_blanks(&self, at: u32) -> u32 {
        let mut rest = &self.text[at as usize..];
        loop {
            rest = rest.trim_start();
            let end = if rest.starts_with("//") {
                rest.find('\n')
            } else if rest.starts_with("/*") {
                rest.find("*/").map(|end| end + 2)
            } else {
                None
            };
            let Some(end) = end else { break };
            rest = &rest[end..];
        }
        at + u32::try_from(self.text.len() - at as usize - rest.len()).unwrap_or_default()
    }

    /// Holds what the patterns of a whole statement gather, which no literal in the text stands for.
    fn hold_rests(&mut self, declaration: &VariableDeclaration<'_>) {
        let mut rests = Rests::default();
        rests.visit_variable_declaration(declaration);
        for name in rests.names {
            self.put(declaration.span.end, format!("; $hold({name});"));
        }
    }
}

impl<'a> Visit<'a> for Literals<'_> {
    fn visit_object_expression(&mut self, object: &ObjectExpression<'a>) {
        self.put(object.span.start, "$hold(");
        walk::walk_object_expression(self, object);
        self.put(object.span.end, ")");
    }

    fn visit_array_expression(&mut self, list: &ArrayExpression<'a>) {
        self.put(list.span.start, "$hold(");
        walk::walk_array_expression(self, list);
        self.put(list.span.end, ")");
    }

    fn visit_spread_element(&mut self, spread: &SpreadElement<'a>) {
        self.put(spread.argument.span().start, "$made(");
        walk::walk_spread_element(self, spread);
        self.put(spread.argument.span().end, ")");
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        match expression {
            Expression::StaticMemberExpression(member) => self.read_static(member),
            Expression::ComputedMemberExpression(member) => self.read_computed(member),
            _ => walk::walk_expression(self, expression),
        }
    }

    fn visit_chain_element(&mut self, element: &ChainElement<'a>) {
        match element {
            ChainElement::StaticMemberExpression(member) => self.read_static(member),
            ChainElement::ComputedMemberExpression(member) => self.read_computed(member),
            _ => walk::walk_chain_element(self, element),
        }
    }

    // Members of enums are worked out while they are compiled, and only from what is plain.
    fn visit_ts_enum_declaration(&mut self, _: &TSEnumDeclaration<'a>) {}

    // A method is called on the object itself, which it may change.
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        match &call.callee {
            Expression::StaticMemberExpression(member) => self.visit_expression(&member.object),
            Expression::ComputedMemberExpression(member) => {
                self.visit_expression(&member.object);
                self.visit_expression(&member.expression);
            }
            callee => self.visit_expression(callee),
        }
        self.visit_arguments(&call.arguments);
    }

    // What is deleted is deleted from the object itself.
    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        if unary.operator != UnaryOperator::Delete {
            walk::walk_unary_expression(self, unary);
        }
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        let taken_apart = match &declarator.id {
            BindingPattern::BindingIdentifier(_) => None,
            _ => declarator.init.as_ref().map(GetSpan::span),
        };
        if let Some(span) = taken_apart {
            self.put(span.start, "$made(");
        }
        walk::walk_variable_declarator(self, declarator);
        if let Some(span) = taken_apart {
            self.put(span.end, ")");
        }
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        walk::walk_statement(self, statement);
        if let Statement::VariableDeclaration(declaration) = statement {
            self.hold_rests(declaration);
        }
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        walk::walk_export_declaration(self, export);
        if let Declaration::VariableDeclaration(declaration) = &export.declaration {
            self.hold_rests(declaration);
        }
    }
}

/// Whether an expression is a part of a chain in which a `?.` stands before.
fn may_end_early(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::StaticMemberExpression(member) => member.optional || may_end_early(&member.object),
        Expression::ComputedMemberExpression(member) => member.optional || may_end_early(&member.object),
        Expression::PrivateFieldExpression(member) => member.optional || may_end_early(&member.object),
        Expression::CallExpression(call) => call.optional || may_end_early(&call.callee),
        Expression::TSNonNullExpression(inner) => may_end_early(&inner.expression),
        _ => false,
    }
}

/// The names that patterns gather a rest in.
#[derive(Default)]
struct Rests {
    names: Vec<String>,
}

impl<'a> Visit<'a> for Rests {
    fn visit_binding_rest_element(&mut self, rest: &BindingRestElement<'a>) {
        if let BindingPattern::BindingIdentifier(name) = &rest.argument {
            self.names.push(name.name.to_string());
        }
        walk::walk_binding_rest_element(self, rest);
    }

    // The rest of a parameter is not a constant of the statement.
    fn visit_expression(&mut self, _: &Expression<'a>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_held_and_patterns_are_not() {
        let text = "const { a, b: [c] } = { a: [1], b: [[]] } as const;\n({ x: y } = f<{ z: [1] }>());";
        let held = "const { a, b: [c] } = $made($hold({ a: $hold([1]), b: $hold([$hold([])]) }) as const);\n\
                    ({ x: y } = f<{ z: [1] }>());";
        assert_eq!(hold_literals("src/a.ts", text).as_deref(), Some(held));
    }

    #[test]
    fn members_are_read_of_what_was_made_and_methods_are_called_on_what_is() {
        let text = "a.b.c = d[e.f];\ng.h(delete i.j);";
        let held = "$read(a).b.c = $read(d)[$read(e).f];\ng.h(delete i.j);";
        assert_eq!(hold_literals("src/a.ts", text).as_deref(), Some(held));
    }

    #[test]
    fn a_chain_that_may_end_early_still_may() {
        let text = "a?.b.c /* . */ .d[e];\n(a?.b).c;\na?.b!.c.d();\na?.[b]().c;";
        let held = "$read($read($read($read(a)?.b)?.c) /* . */ ?.d)?.[e];\n$read(($read(a)?.b)).c;\n\
                    $read($read(a)?.b!)?.c.d();\n$read(a?.[b]())?.c;";
        assert_eq!(hold_literals("src/a.ts", text).as_deref(), Some(held));
    }

    #[test]
    fn what_a_pattern_gathers_is_held_and_spreads_read_what_was_made() {
        let text = "export const { a, ...rest } = b;\nf({ ...rest }, [...{}]);";
        let held = "export const { a, ...rest } = $made(b);; $hold(rest);\nf($hold({ ...$made(rest) }), $hold([...$made($hold({}))]));";
        assert_eq!(hold_literals("src/a.ts", text).as_deref(), Some(held));
    }

    #[test]
    fn what_is_no_module_is_not_held() {
        assert_eq!(hold_literals("src/a.ts", "const x = ;"), None);
    }
}
