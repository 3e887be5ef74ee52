//! Holding objects as they were made, so that a difference which only a change explains can be told from a
//! mistake of the compiler.
//!
//! Every literal of an object or a list in a module's text is given to `$hold`, which the runner defines. What
//! `$hold` does is [`Hold`]; none of the ways makes a difference to a program that changes nothing.

use oxc_allocator::Allocator;
use oxc_ast::ast::{ArrayExpression, ObjectExpression};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Parser;
use oxc_span::{SourceType, Span};

/// How a run keeps objects as they were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Macros read each object as it was made, whatever became of it since.
    AsMade,
    /// Objects ignore every change, which reaches what was copied or taken out of them after it. It also stops
    /// what the program builds up step by step, and so can't be the only way.
    Still,
    /// As before, but for those that were made empty: they may be what changes are carried by.
    FilledStill,
}

impl Hold {
    /// The name that the runner knows.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::AsMade => "as made",
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
    let mut literals = Literals::default();
    literals.visit_program(&parsed.program);
    let mut held = String::with_capacity(text.len() * 2);
    let mut from = 0;
    literals.cuts.sort_unstable();
    for (at, insertion) in literals.cuts {
        held.push_str(text.get(from..at)?);
        held.push_str(insertion);
        from = at;
    }
    held.push_str(text.get(from..)?);
    Some(held)
}

/// Where literals begin and end, with what is put there.
#[derive(Default)]
struct Literals {
    cuts: Vec<(usize, &'static str)>,
}

impl Literals {
    fn take(&mut self, span: Span) {
        self.cuts.push((span.start as usize, "$hold("));
        self.cuts.push((span.end as usize, ")"));
    }
}

impl<'a> Visit<'a> for Literals {
    fn visit_object_expression(&mut self, object: &ObjectExpression<'a>) {
        self.take(object.span);
        walk::walk_object_expression(self, object);
    }

    fn visit_array_expression(&mut self, list: &ArrayExpression<'a>) {
        self.take(list.span);
        walk::walk_array_expression(self, list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_held_and_patterns_are_not() {
        let text = "const { a, b: [c] } = { a: [1], b: [[]] } as const;\n({ x: y } = f<{ z: [1] }>());";
        let held = "const { a, b: [c] } = $hold({ a: $hold([1]), b: $hold([$hold([])]) }) as const;\n\
                    ({ x: y } = f<{ z: [1] }>());";
        assert_eq!(hold_literals("src/a.ts", text).as_deref(), Some(held));
    }

    #[test]
    fn what_is_no_module_is_not_held() {
        assert_eq!(hold_literals("src/a.ts", "const x = ;"), None);
    }
}
