//! Forms that are tools in markup: HTML pages, and the templates of component files.

use oxc_span::Span;

use super::exposure::{Exposure, ExposureKind, TOOL_NAME, find_ignoring_case};
use crate::id::without_query;

/// A module that is markup and nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Markup {
    /// An HTML page.
    Page,
    /// The template of a Vue component, in a file of its own.
    Template,
}

impl Markup {
    pub(super) const fn dialect(self) -> Dialect {
        match self {
            Self::Page => Dialect::Html,
            Self::Template => Dialect::Vue,
        }
    }
}

/// What markup a module is, by its id. A page that is imported with a query is whatever the query makes of it; Vue's
/// plugin asks so for a file that a `<template src>` names. Blocks of the component's own file are read with that.
pub(crate) fn markup_of(id: &str) -> Option<Markup> {
    let name = without_query(id);
    if name.len() < id.len() {
        let mut pairs = id[name.len()..].trim_start_matches('?').split('&');
        let has = |pairs: &mut std::str::Split<'_, char>, key: &str| pairs.clone().any(|pair| pair == key);
        let is_template = has(&mut pairs, "vue") && has(&mut pairs, "type=template");
        return (is_template && pairs.any(|pair| pair.starts_with("src="))).then_some(Markup::Template);
    }
    let extension = name.rsplit_once('.').map(|(_, extension)| extension);
    extension.is_some_and(|it| matches!(it, "html" | "htm" | "xhtml")).then_some(Markup::Page)
}

/// Whose markup a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Html,
    Vue,
    Svelte,
}

/// Elements whose content is text, whatever it looks like.
const RAW: [&str; 9] =
    ["script", "style", "textarea", "title", "noscript", "noembed", "noframes", "iframe", "xmp"];

/// Every form that says it is a tool, in source order.
pub(super) fn read_forms(source: &str, dialect: Dialect) -> Vec<Exposure> {
    let mut found = Vec::new();
    if find_ignoring_case(source, TOOL_NAME).is_none() {
        return found;
    }
    // What a page's `<template>` holds is no part of the page. In a component it is a part like any other.
    let mut inert = 0_usize;
    let mut scanner = Scanner { source, at: 0, dialect };
    while let Some(tag) = scanner.next_tag() {
        let is = |name: &str| tag.name.eq_ignore_ascii_case(name);
        if is("template") && dialect == Dialect::Html {
            inert = if tag.closes { inert.saturating_sub(1) } else { inert + 1 };
        }
        if tag.closes {
            continue;
        }
        if let Some(attribute) = tag.tool_name
            && is("form")
            && inert == 0
        {
            found.push(Exposure { span: attribute, kind: ExposureKind::Form });
        }
        if let Some(raw) = RAW.into_iter().find(|name| is(name))
            && !tag.is_empty
        {
            scanner.skip_content_of(raw);
        }
    }
    found
}

struct Scanner<'s> {
    source: &'s str,
    at: usize,
    dialect: Dialect,
}

struct Tag<'s> {
    name: &'s str,
    /// `</name>`
    closes: bool,
    /// `<name />`, where that means that it has no content.
    is_empty: bool,
    /// The attribute that makes a form a tool.
    tool_name: Option<Span>,
}

impl<'s> Scanner<'s> {
    fn rest(&self) -> &'s str {
        self.source.get(self.at..).unwrap_or_default()
    }

    /// The next tag that is complete.
    fn next_tag(&mut self) -> Option<Tag<'s>> {
        loop {
            self.at += self.rest().find('<')?;
            let inside = &self.rest()[1..];
            if inside.starts_with("!--") {
                // `<!-->` is one too: its dashes may be those of its end.
                self.at += inside[1..].find("-->").map_or(self.rest().len(), |end| 2 + end + 3);
                continue;
            }
            let (closes, text) = match inside.strip_prefix('/') {
                Some(text) => (true, text),
                None => (false, inside),
            };
            self.at += 1;
            if !text.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
                continue;
            }
            self.at += usize::from(closes);
            let name = self.take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>'));
            return self.read_attributes(name, closes);
        }
    }

    /// The rest of a tag; none where it never ends.
    fn read_attributes(&mut self, name: &'s str, closes: bool) -> Option<Tag<'s>> {
        let mut tag = Tag { name, closes, is_empty: false, tool_name: None };
        loop {
            self.take_while(|byte| byte.is_ascii_whitespace());
            match self.rest().as_bytes().first()? {
                b'>' => {
                    self.at += 1;
                    return Some(tag);
                }
                b'/' => {
                    self.at += 1;
                    tag.is_empty = self.dialect != Dialect::Html && self.rest().starts_with('>');
                }
                _ => {
                    let start = self.at;
                    let name = self.read_name();
                    let is_it = self.is_tool_name(name);
                    let end = self.read_value().unwrap_or(start + name.len());
                    if is_it && tag.tool_name.is_none() {
                        tag.tool_name = span(start, end);
                    }
                }
            }
        }
    }

    /// An attribute's name, or what stands in its place.
    fn read_name(&mut self) -> &'s str {
        let start = self.at;
        if self.dialect == Dialect::Svelte && self.rest().starts_with('{') {
            self.skip_braces();
        } else {
            // An `=` right at the beginning is a part of the name.
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
            self.take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'>' | b'='));
        }
        &self.source[start..self.at]
    }

    /// Where an attribute's value ends, if it has one.
    fn read_value(&mut self) -> Option<usize> {
        let before = self.at;
        self.take_while(|byte| byte.is_ascii_whitespace());
        if !self.rest().starts_with('=') {
            self.at = before;
            return None;
        }
        self.at += 1;
        self.take_while(|byte| byte.is_ascii_whitespace());
        match self.rest().as_bytes().first() {
            Some(quote @ (b'"' | b'\'')) => {
                self.at += 1;
                self.take_while(|byte| byte != *quote);
                self.at = (self.at + 1).min(self.source.len());
            }
            Some(b'{') if self.dialect == Dialect::Svelte => self.skip_braces(),
            _ => {
                self.take_while(|byte| !byte.is_ascii_whitespace() && byte != b'>');
            }
        }
        Some(self.at)
    }

    /// Skips an expression in braces, with the strings and the braces in it.
    fn skip_braces(&mut self) {
        let mut depth = 0_usize;
        let mut quote = None;
        let mut is_escaped = false;
        self.take_while(|byte| {
            match (quote, byte) {
                (Some(_), _) if is_escaped => is_escaped = false,
                (Some(_), b'\\') => is_escaped = true,
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'' | b'`') => quote = Some(byte),
                (None, b'{') => depth += 1,
                (None, b'}') => depth = depth.saturating_sub(1),
                (None, _) => {}
            }
            depth > 0
        });
        self.at = (self.at + 1).min(self.source.len());
    }

    fn is_tool_name(&self, name: &str) -> bool {
        let name = match self.dialect {
            Dialect::Html => name,
            Dialect::Vue => {
                let bound = name.strip_prefix("v-bind").unwrap_or(name);
                let bound = bound.strip_prefix([':', '.']).unwrap_or(bound);
                bound.split_once('.').map_or(bound, |(bound, _)| bound)
            }
            Dialect::Svelte => name.trim_start_matches('{').trim_end_matches('}').trim(),
        };
        name.eq_ignore_ascii_case(TOOL_NAME)
    }

    /// Goes on after the content of an element that holds text.
    fn skip_content_of(&mut self, name: &str) {
        let rest = self.rest().as_bytes();
        let closes = |tag: &[u8]| {
            tag.starts_with(b"</")
                && tag.get(2..2 + name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes()))
        };
        self.at += (0..rest.len()).find(|at| closes(&rest[*at..])).unwrap_or(rest.len());
    }

    /// Takes bytes as long as they are wanted. Who stops does so at an ASCII character.
    fn take_while(&mut self, mut wants: impl FnMut(u8) -> bool) -> &'s str {
        let rest = self.rest();
        let end = rest.bytes().position(|byte| !wants(byte)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }
}

fn span(start: usize, end: usize) -> Option<Span> {
    Some(Span::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(source: &str, dialect: Dialect) -> Vec<&str> {
        let text = |it: Exposure| &source[it.span.start as usize..it.span.end as usize];
        read_forms(source, dialect).into_iter().map(text).collect()
    }

    #[test]
    fn a_form_of_a_page_is_a_tool_by_its_attribute_however_it_is_spelled() {
        for (source, attribute) in [
            ("<form toolname=book>", "toolname=book"),
            ("<!doctype html><p>é<FORM action='/a>b' ToolName = \"book\" >", "ToolName = \"book\""),
            ("<form toolname>", "toolname"),
            ("<form a toolname/>", "toolname"),
            ("<form a=1\n  toolname='x' toolname='y'></form>", "toolname='x'"),
            ("<template><form></form></template><form toolname=a>", "toolname=a"),
            ("<!--><form toolname=a>", "toolname=a"),
            ("a < b <form toolname=a>", "toolname=a"),
            ("<script>1</script><form toolname=a>", "toolname=a"),
        ] {
            assert_eq!(forms(source, Dialect::Html), [attribute], "{source}");
        }
    }

    #[test]
    fn what_only_looks_like_such_a_form_is_none() {
        for source in [
            "<!-- <form toolname=a> -->",
            "<script>x = '<form toolname=a>'</script>",
            "<SCRIPT/>'<form toolname=a>'</script>",
            "<style>/* <form toolname=a> */</style>",
            "<textarea><form toolname=a></textarea>",
            "<title><form toolname=a></title>",
            "<noscript><form toolname=a></noscript>",
            "<template><template></template><form toolname=a></template>",
            "<p toolname=a>",
            "<forms toolname=a>",
            "<form title='toolname=a' data-toolname=a>",
            "</form toolname=a>",
            "<form toolname=a",
            "<form x='toolname=a>",
            "<!-- toolname",
            "<form =toolname>",
            "< form toolname=a>",
        ] {
            assert_eq!(forms(source, Dialect::Html), Vec::<&str>::new(), "{source}");
        }
    }

    #[test]
    fn a_template_of_a_component_has_its_frameworks_own_ways_to_say_it() {
        for (dialect, source, attribute) in [
            (Dialect::Vue, "<template><form toolname=\"a\" /></template>", "toolname=\"a\""),
            (Dialect::Vue, "<template><form :toolname=\"a > b\"></form></template>", ":toolname=\"a > b\""),
            (
                Dialect::Vue,
                "<template><form v-bind:toolname.attr=\"a\"/></template>",
                "v-bind:toolname.attr=\"a\"",
            ),
            (
                Dialect::Vue,
                "<script src=\"./a\" /><template><form toolname=\"a\"/></template>",
                "toolname=\"a\"",
            ),
            (Dialect::Svelte, "<form onsubmit={() => ({ a: '}>' })} toolname={name}>", "toolname={name}"),
            (Dialect::Svelte, "<form {...rest} {toolname}>", "{toolname}"),
            (Dialect::Svelte, "<form {@attach a => b} toolname=\"a-{b}\">", "toolname=\"a-{b}\""),
        ] {
            assert_eq!(forms(source, dialect), [attribute], "{source}");
        }
        for source in
            ["<form toolname={", "<form {toolname", "<form a={'\\'} toolname=b>", "<script>`<form toolname>`"]
        {
            assert_eq!(forms(source, Dialect::Svelte), Vec::<&str>::new(), "{source}");
        }
    }

    #[test]
    fn markup_is_known_by_its_name() {
        for id in ["/a/index.html", "/a/b.htm", "C:\\a\\index.html"] {
            assert_eq!(markup_of(id), Some(Markup::Page), "{id}");
        }
        for id in
            ["/a/b.html?vue&type=template&src=true&lang.js", "/a/b.html?vue&type=template&src=0f3&lang.html"]
        {
            assert_eq!(markup_of(id), Some(Markup::Template), "{id}");
        }
        for id in [
            "/a/index.html?raw",
            "/a/html",
            "/a/index.html.ts",
            "/a/i.html?html-proxy&index=0.js",
            "/a/B.vue?vue&type=template&id=1&lang.js",
            "/a/b.css?vue&type=style&src=true&lang.css",
        ] {
            assert_eq!(markup_of(id), None, "{id}");
        }
    }
}
