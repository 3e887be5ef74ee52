//! Component files: what their author wrote as script, and where a compiler puts what stood at its top.
//!
//! A `.vue` or `.svelte` file is no script before its own plugin has made one of it, and what that plugin makes is
//! what ships: it is what gets proven. The author's script blocks are read too, for the sake of places.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPattern, Expression, FormalParameters, PropertyKey, PropertyKind};
use oxc_semantic::{AstNodes, NodeId, Semantic};
use oxc_span::GetSpan;

use super::Language;
use crate::id::without_query;

/// A framework whose component files are scripts and markup in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Component {
    Vue,
    Svelte,
}

impl Component {
    /// The framework of a module by its id, with or without a query.
    pub(crate) fn of(id: &str) -> Option<Self> {
        let path = without_query(id);
        match path.rsplit_once('.')?.1 {
            "vue" => Some(Self::Vue),
            "svelte" => Some(Self::Svelte),
            _ => None,
        }
    }

    /// The author's file behind a module of a component: the module itself, or the file one of its blocks is from.
    pub(crate) fn file_of(id: &str) -> Option<&str> {
        Self::of(id).map(|_| without_query(id))
    }

    /// Whether the statements of a function's body stood at the top of the author's script: Vue's `setup()`,
    /// Svelte's component function.
    ///
    /// Both compilers give these functions parameters that no author names: `__props`, `$$anchor`, `$$renderer`.
    pub(super) fn runs_setup_in(self, semantic: &Semantic<'_>, body: NodeId) -> bool {
        let nodes = semantic.nodes();
        let function = nodes.parent_id(body);
        let parameters = match nodes.kind(function) {
            AstKind::Function(function) => &function.params,
            AstKind::ArrowFunctionExpression(arrow) => &arrow.params,
            _ => return false,
        };
        let Some(first) = first_parameter(parameters) else { return false };
        match self {
            Self::Vue => first == "__props" && is_setup_of_component(nodes, function),
            Self::Svelte => {
                first.starts_with("$$")
                    && (is_default_export(semantic, function) || is_rendered(semantic, function))
            }
        }
    }
}

impl Component {
    /// The name under which a function's returned value is handed to a template that is compiled apart from its
    /// script: `get name() { return name }` of the object that `setup()` returns.
    pub(super) fn name_for_template<'n>(self, nodes: &'n AstNodes<'_>, statement: NodeId) -> Option<&'n str> {
        let function = nodes.parent_id(nodes.parent_id(statement));
        let AstKind::ObjectProperty(getter) = nodes.parent_kind(function) else { return None };
        let PropertyKey::StaticIdentifier(key) = &getter.key else { return None };
        let object = nodes.parent_id(nodes.parent_id(function));
        let AstKind::VariableDeclarator(declarator) = nodes.parent_kind(object) else { return None };
        let is_returned = self == Self::Vue
            && getter.kind == PropertyKind::Get
            && matches!(&declarator.id, BindingPattern::BindingIdentifier(name) if name.name == "__returned__");
        is_returned.then_some(key.name.as_str())
    }
}

/// Whether the template of a component may use a name: it stands there, or the template stands elsewhere.
pub(crate) fn template_may_use(source: &str, name: &str) -> bool {
    let mut markup = String::with_capacity(source.len());
    let mut end = 0;
    while let Some(script) = next_script(source, end) {
        markup.push_str(&source[end..script.content.start]);
        end = script.content.end;
    }
    markup.push_str(&source[end..]);
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let is_named = markup.match_indices(name).any(|(start, _)| {
        let (before, after) = (&markup[..start], &markup[start + name.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    });
    let is_elsewhere = markup.match_indices("<template").any(|(start, open)| {
        let tag = &markup[start + open.len()..];
        end_of_tag(tag).is_none_or(|end| attribute(&tag[..end], "src").is_some())
    });
    is_named || is_elsewhere
}

fn first_parameter<'n>(parameters: &'n FormalParameters<'_>) -> Option<&'n str> {
    match &parameters.items.first()?.pattern {
        BindingPattern::BindingIdentifier(identifier) => Some(identifier.name.as_str()),
        _ => None,
    }
}

/// `setup` of the object that is the component, by itself or through `defineComponent` or `Object.assign`.
fn is_setup_of_component(nodes: &AstNodes<'_>, function: NodeId) -> bool {
    let property = nodes.parent_node(function);
    let AstKind::ObjectProperty(member) = property.kind() else { return false };
    let is_setup = matches!(&member.key, PropertyKey::StaticIdentifier(key) if key.name == "setup");
    if !is_setup {
        return false;
    }
    let mut node = nodes.parent_id(property.id());
    loop {
        let parent = nodes.parent_node(node);
        match parent.kind() {
            AstKind::CallExpression(call) if call.callee.span() != nodes.kind(node).span() => {}
            AstKind::ParenthesizedExpression(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_) => {}
            AstKind::ExportDefaultDeclaration(_) => return true,
            // Where the template is compiled into the same module: `const _sfc_main = …`.
            AstKind::VariableDeclarator(_) => {
                let declaration = nodes.parent_id(parent.id());
                return matches!(nodes.parent_kind(declaration), AstKind::Program(_));
            }
            _ => return false,
        }
        node = parent.id();
    }
}

/// Whether a function is the default export, as it stands or by its name.
fn is_default_export(semantic: &Semantic<'_>, function: NodeId) -> bool {
    let nodes = semantic.nodes();
    let is_exported = |node| matches!(nodes.parent_kind(node), AstKind::ExportDefaultDeclaration(_));
    let name = match nodes.kind(function) {
        AstKind::Function(function) => function.id.as_ref().and_then(|id| id.symbol_id.get()),
        _ => None,
    };
    is_exported(function)
        || name.is_some_and(|name| {
            semantic.symbol_references(name).any(|reference| is_exported(reference.node_id()))
        })
}

/// `$$renderer.component(($$renderer) => { … })`, right in the component function: how it begins on a server.
fn is_rendered(semantic: &Semantic<'_>, function: NodeId) -> bool {
    let nodes = semantic.nodes();
    let call = nodes.parent_node(function);
    let AstKind::CallExpression(render) = call.kind() else { return false };
    let Expression::StaticMemberExpression(method) = &render.callee else { return false };
    let is_method = method.property.name == "component"
        && matches!(&method.object, Expression::Identifier(object) if object.name.starts_with("$$"));
    let statement = nodes.parent_node(call.id());
    let body = nodes.parent_node(statement.id());
    is_method
        && matches!(statement.kind(), AstKind::ExpressionStatement(_))
        && matches!(body.kind(), AstKind::FunctionBody(_))
        && is_default_export(semantic, nodes.parent_id(body.id()))
}

/// The text of a component file with everything but its scripts blanked, and what these are written in. Line ends
/// and offsets stay what they were.
pub(super) fn blank_markup(source: &str) -> (String, Language) {
    let mut language = Language::JavaScript;
    let mut text = String::with_capacity(source.len());
    let mut end = 0;
    while let Some(script) = next_script(source, end) {
        blank(&source[end..script.content.start], &mut text);
        text.push_str(&source[script.content.clone()]);
        end = script.content.end;
        language = match script.language {
            Some("ts") if language == Language::JavaScript => Language::TypeScript,
            Some("tsx" | "jsx") => Language::Tsx,
            _ => language,
        };
    }
    blank(&source[end..], &mut text);
    (text, language)
}

fn blank(markup: &str, text: &mut String) {
    text.extend(
        markup.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }),
    );
}

struct Script<'s> {
    content: std::ops::Range<usize>,
    language: Option<&'s str>,
}

/// The next script block that a component's compiler reads: neither in a comment nor of a type of its own.
fn next_script(source: &str, mut from: usize) -> Option<Script<'_>> {
    const OPEN: &str = "<script";
    let mut start = from + source[from..].find(OPEN)?;
    loop {
        if let Some(comment) = source[from..start].find("<!--") {
            let comment = from + comment;
            from = comment + source[comment..].find("-->")?;
            if from > start {
                start = from + source[from..].find(OPEN)?;
            }
            continue;
        }
        let tag = start + OPEN.len();
        let tag_end = tag + end_of_tag(&source[tag..])?;
        let attributes = &source[tag..tag_end];
        let is_script =
            attributes.starts_with(|letter: char| letter.is_ascii_whitespace()) || attributes.is_empty();
        if is_script && attribute(attributes, "type").is_none() && !attributes.ends_with('/') {
            let content = tag_end + 1..tag_end + 1 + source[tag_end + 1..].find("</script")?;
            return Some(Script { content, language: attribute(attributes, "lang") });
        }
        from = tag_end;
        start = from + source[from..].find(OPEN)?;
    }
}

/// Where the `>` of a tag stands: not one in quotes.
fn end_of_tag(attributes: &str) -> Option<usize> {
    let mut quote = None;
    for (offset, byte) in attributes.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(offset),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// The value of an attribute in quotes.
fn attribute<'s>(attributes: &'s str, name: &str) -> Option<&'s str> {
    attributes.match_indices(name).find_map(|(at, _)| {
        let before = attributes[..at].chars().next_back()?;
        let value = attributes[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let value = value[1..].split(quote).next()?;
        before.is_ascii_whitespace().then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_tags_that_are_no_scripts_may_be_as_many_as_they_like() {
        for (text, end) in [
            ("<!---->", "<script>a</script>"),
            ("<scripted>", "<script>a</script>"),
            ("<script type='b'>", "</script>"),
        ] {
            let source = format!("{}{end}", text.repeat(100_000));
            assert_eq!(blank_markup(&source).0.trim(), if end.contains('a') { "a" } else { "" }, "{text}");
        }
    }

    #[test]
    fn a_component_is_known_by_the_file_it_is_in() {
        for (id, component) in [
            ("/app/src/A.vue", Some(Component::Vue)),
            ("/app/src/A.vue?vue&type=script&setup=true&lang.ts", Some(Component::Vue)),
            ("/app/src/A.svelte", Some(Component::Svelte)),
            ("/app/src/state.svelte.ts", None),
            ("/app/src/a.ts?vue&type=script&src=true&lang.ts", None),
        ] {
            assert_eq!(Component::of(id), component, "{id}");
        }
        assert_eq!(Component::file_of("/app/A.vue?vue&lang.ts"), Some("/app/A.vue"));
    }

    #[test]
    fn what_is_not_script_is_blank_and_everything_keeps_its_place() {
        let source = "<!-- <script>no</script> -->\n<p>é</p>\n<script module lang=\"ts\" generics=\"T extends A<B>\">\na;</script>\n\
                      <script type=\"application/ld+json\">{}</script>\n<script>b</script>";
        let (text, language) = blank_markup(source);
        assert_eq!(language, Language::TypeScript);
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["a;", "b"]);
        assert_eq!(text.len(), source.len());
        assert_eq!(text.find("a;"), source.find("a;</script>"));
        assert_eq!(text.matches('\n').count(), source.matches('\n').count());
    }

    #[test]
    fn a_tag_that_never_ends_is_no_script() {
        for source in
            ["<script", "<script>", "<script lang=\"ts", "<!-- <script>a</script>", "<scripted>a</script>"]
        {
            assert_eq!(blank_markup(source).0.trim(), "", "{source}");
        }
    }
}
