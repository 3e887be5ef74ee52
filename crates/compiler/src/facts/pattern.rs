//! Patterns that bind names, as a declaration or a parameter has them.

use oxc_ast::ast::{BindingIdentifier, BindingPattern};

/// Visits every name that a pattern binds.
pub(super) fn for_each_identifier<'p, 'a>(
    pattern: &'p BindingPattern<'a>,
    visit: &mut impl FnMut(&'p BindingIdentifier<'a>),
) {
    match pattern {
        BindingPattern::BindingIdentifier(identifier) => visit(identifier),
        BindingPattern::AssignmentPattern(pattern) => for_each_identifier(&pattern.left, visit),
        BindingPattern::ObjectPattern(pattern) => {
            pattern.properties.iter().for_each(|property| for_each_identifier(&property.value, visit));
            pattern.rest.iter().for_each(|rest| for_each_identifier(&rest.argument, visit));
        }
        BindingPattern::ArrayPattern(pattern) => {
            pattern.elements.iter().flatten().for_each(|element| for_each_identifier(element, visit));
            pattern.rest.iter().for_each(|rest| for_each_identifier(&rest.argument, visit));
        }
    }
}
