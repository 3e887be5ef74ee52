//! Forms that scripts make tools of: JSX, the calls that stand for it, attributes that are set, and markup in strings.
//!
//! Attributes go by their names whatever the case of their letters: elements of HTML take them in lower case, from a
//! parser and from `setAttribute`, which is what React calls with a name that it doesn't know.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    Argument, CallExpression, Expression, JSXAttributeItem, JSXElementName, JSXOpeningElement,
    ObjectExpression, ObjectPropertyKind, TemplateLiteral,
};
use oxc_semantic::Semantic;
use oxc_span::Span;

use crate::facts::exposure::{Exposure, ExposureKind, TOOL_NAME, find_ignoring_case};
use crate::facts::markup::{Dialect, read_forms};

/// Methods that give an element, or are to give it, an attribute by its name, each with where the name stands.
const SETTERS: [(&str, usize); 5] = [
    ("setAttribute", 0),
    ("setAttributeNS", 1),
    ("toggleAttribute", 0),
    ("createAttribute", 0),
    ("createAttributeNS", 1),
];

/// Reads every form of a script.
pub(super) fn read(source: &str, semantic: &Semantic<'_>, found: &mut Vec<Exposure>) {
    for node in semantic.nodes().iter() {
        let exposure = match node.kind() {
            AstKind::JSXOpeningElement(element) => of_element(element),
            AstKind::CallExpression(call) => of_call(call),
            AstKind::StringLiteral(literal) => of_text(source, literal.span, &literal.value),
            AstKind::TemplateLiteral(template) => of_text(source, template.span, &text_of(template)),
            _ => None,
        };
        found.extend(exposure);
    }
}

fn form(span: Span) -> Exposure {
    Exposure { span, kind: ExposureKind::Form }
}

/// `<form toolname>`, `<form {...{ toolname }}>`.
fn of_element(element: &JSXOpeningElement<'_>) -> Option<Exposure> {
    let JSXElementName::Identifier(name) = &element.name else { return None };
    (name.name == "form").then_some(())?;
    element.attributes.iter().find_map(|attribute| match attribute {
        JSXAttributeItem::Attribute(attribute) => {
            let name = attribute.name.as_identifier()?;
            is_tool_name(&name.name).then(|| form(attribute.span))
        }
        JSXAttributeItem::SpreadAttribute(spread) => in_object(spread.argument.without_parentheses()),
    })
}

/// `createElement("form", { toolname })`, whatever the function is called; `element.setAttribute("toolname", …)`.
fn of_call(call: &CallExpression<'_>) -> Option<Exposure> {
    let text = |argument: &Argument<'_>| match argument {
        Argument::StringLiteral(text) => Some((text.span, text.value.to_string())),
        Argument::TemplateLiteral(text) => Some((text.span, text.single_quasi()?.to_string())),
        _ => None,
    };
    if let Some((_, element)) = call.arguments.first().and_then(text)
        && element.eq_ignore_ascii_case("form")
    {
        return call.arguments.iter().skip(1).find_map(|argument| in_object(argument.as_expression()?));
    }
    let member = call.callee.get_member_expr()?;
    let name = member.static_property_name()?;
    let (_, at) = SETTERS.iter().find(|(setter, _)| *setter == name)?;
    let (span, attribute) = call.arguments.get(*at).and_then(text)?;
    is_tool_name(&attribute).then_some(Exposure { span, kind: ExposureKind::Attribute })
}

fn in_object(expression: &Expression<'_>) -> Option<Exposure> {
    let Expression::ObjectExpression(object) = expression else { return None };
    let object: &ObjectExpression<'_> = object;
    object.properties.iter().find_map(|property| match property {
        ObjectPropertyKind::ObjectProperty(property) => {
            property.key.static_name().is_some_and(|name| is_tool_name(&name)).then(|| form(property.span))
        }
        ObjectPropertyKind::SpreadProperty(spread) => in_object(spread.argument.without_parentheses()),
    })
}

/// Markup in a string, for `innerHTML` and its like.
fn of_text(source: &str, span: Span, text: &str) -> Option<Exposure> {
    (text.contains('<') && find_ignoring_case(text, TOOL_NAME).is_some()).then_some(())?;
    // A tag that is put together of several strings ends in another one.
    let ends = ["", ">", "\">", "'>"];
    ends.iter().any(|end| !read_forms(&format!("{text}{end}"), Dialect::Html).is_empty()).then_some(())?;
    // What it says is not where it says it: there may be escapes before.
    let written = source.get(span.start as usize..span.end as usize)?;
    let place = find_ignoring_case(written, TOOL_NAME).and_then(|at| {
        let start = span.start + u32::try_from(at).ok()?;
        Some(Span::sized(start, u32::try_from(TOOL_NAME.len()).ok()?))
    });
    Some(Exposure { span: place.unwrap_or(span), kind: ExposureKind::Text })
}

/// A template's text, with something in the place of its values.
fn text_of(template: &TemplateLiteral<'_>) -> String {
    let parts: Vec<&str> = template
        .quasis
        .iter()
        .map(|part| part.value.cooked.map_or(part.value.raw.as_str(), |cooked| cooked.as_str()))
        .collect();
    parts.join("x")
}

fn is_tool_name(name: &str) -> bool {
    name.eq_ignore_ascii_case(TOOL_NAME)
}
