//! The scripts of a page, as a production build takes them.

use std::path::Path;

use crate::kind::path_of;
use crate::message::PageConstant;

/// A script that is part of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PageScript {
    /// What `src` names.
    Named(String),
    /// What stands between the tags of the module script with this number.
    Inline(usize, String),
}

/// What a build reads of a page apart from its markup.
#[derive(Clone, Debug, Default)]
pub(crate) struct Site {
    constants: Vec<PageConstant>,
    public_dir: Option<String>,
}

impl Site {
    pub(crate) fn new(constants: Vec<PageConstant>, public_dir: Option<String>) -> Self {
        Self { constants, public_dir }
    }

    /// A page with its constants put in: what stands between two `%` and is the name of one, is one.
    fn fill_in(&self, html: &str) -> String {
        let mut filled = String::with_capacity(html.len());
        let mut rest = html;
        while let Some(at) = rest.find('%') {
            let (before, marked) = rest.split_at(at);
            filled.push_str(before);
            // A name has at least one letter, which may be a `%` itself, and no space.
            let first = marked[1..].chars().next().filter(|letter| !letter.is_whitespace());
            let from = 1 + first.map_or(0, char::len_utf8);
            let end = marked[from..].find(|letter: char| letter == '%' || letter.is_whitespace());
            let end =
                end.map(|end| from + end).filter(|end| first.is_some() && marked[*end..].starts_with('%'));
            let Some(end) = end else {
                filled.push('%');
                rest = &marked[1..];
                continue;
            };
            let constant = self.constants.iter().find(|constant| constant.name == marked[1..end]);
            let whole = &marked[..=end];
            filled.push_str(constant.map_or(whole, |constant| constant.text.as_str()));
            rest = &marked[whole.len()..];
        }
        filled.push_str(rest);
        filled
    }

    /// Whether a URL is one of the site's own files, which nothing bundles.
    fn is_public(&self, url: &str) -> bool {
        let Some(folder) = &self.public_dir else { return false };
        url.strip_prefix('/').is_some_and(|path| Path::new(folder).join(path_of(path)).is_file())
    }

    /// The module scripts of a page. The number of an inline one counts those before it, and styles that are taken
    /// out.
    pub(crate) fn scripts_of(&self, html: &str) -> Vec<PageScript> {
        let html = self.fill_in(html);
        let mut scripts = Vec::new();
        let mut number = 0;
        let mut rest = html.as_str();
        while let Some(at) = rest.find('<') {
            rest = &rest[at..];
            if let Some(comment) = rest.strip_prefix("<!--") {
                rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
                continue;
            }
            if !rest[1..].starts_with(|letter: char| letter.is_ascii_alphabetic()) {
                rest = &rest[1..];
                continue;
            }
            // A tag that never ends takes all the rest with it.
            let Some(tag) = Tag::read(rest) else { break };
            rest = &rest[tag.length..];
            let is_styled = tag.attribute("style").is_some_and(needs_bundling);
            let has_text = RAW_TEXTS.contains(&tag.name.as_str());
            let (text, behind) = rest.split_at(if has_text { end_of(rest, &tag.name) } else { 0 });
            rest = behind;
            if tag.name == "script" && self.is_module(&tag) {
                let url = tag.attribute("src").unwrap_or_default();
                if !is_elsewhere(url) && !self.is_public(url) {
                    scripts.push(PageScript::Named(url.replace("&amp;", "&")));
                } else if !text.is_empty() {
                    scripts.push(PageScript::Inline(number, text.to_owned()));
                }
                number += 1;
            }
            number += usize::from(is_styled);
            number += usize::from(tag.name == "style" && !text.is_empty());
        }
        scripts
    }

    fn is_module(&self, tag: &Tag<'_>) -> bool {
        tag.attribute("type") == Some("module") && tag.attribute("vite-ignore").is_none()
    }
}

/// Elements in which a tag is text.
const RAW_TEXTS: [&str; 8] = ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"];

/// Whether a `style` attribute names files.
fn needs_bundling(style: &str) -> bool {
    style.contains("url(") || style.contains("image-set(")
}

/// Whether a URL leads out of the app, or nowhere.
fn is_elsewhere(url: &str) -> bool {
    let scheme = url.find(|letter: char| !letter.is_ascii_lowercase()).unwrap_or(url.len());
    let behind = match url[scheme..].strip_prefix(':') {
        Some(rest) if scheme > 0 => rest,
        _ => url,
    };
    let is_data = url.trim_start().get(..5).is_some_and(|start| start.eq_ignore_ascii_case("data:"));
    url.is_empty() || url.starts_with('#') || behind.starts_with("//") || is_data
}

/// Where an element's text ends.
fn end_of(text: &str, name: &str) -> usize {
    let closes = |at: &usize| {
        let word = text.as_bytes().get(at + 2..at + 2 + name.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes()))
    };
    text.match_indices("</").map(|(at, _)| at).find(closes).unwrap_or(text.len())
}

/// A start tag whose name begins with a letter.
struct Tag<'h> {
    name: String,
    attributes: Vec<(String, &'h str)>,
    length: usize,
}

impl<'h> Tag<'h> {
    fn read(html: &'h str) -> Option<Self> {
        let bytes = html.as_bytes();
        let mut at = 1;
        let word = |at: usize| {
            let length = bytes[at..]
                .iter()
                .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'=' | b'/'))
                .unwrap_or(bytes.len() - at);
            at + length
        };
        let end = word(at);
        let name = html[at..end].to_ascii_lowercase();
        at = end;
        let mut attributes = Vec::new();
        loop {
            while matches!(bytes.get(at), Some(byte) if byte.is_ascii_whitespace() || *byte == b'/') {
                at += 1;
            }
            match bytes.get(at)? {
                b'>' => return Some(Self { name, attributes, length: at + 1 }),
                // Nothing that begins like this is a name.
                b'=' => at += 1,
                _ => {
                    let end = word(at);
                    let key = html[at..end].to_ascii_lowercase();
                    at = end;
                    while matches!(bytes.get(at), Some(byte) if byte.is_ascii_whitespace()) {
                        at += 1;
                    }
                    let mut value = "";
                    if bytes.get(at) == Some(&b'=') {
                        at += 1;
                        while matches!(bytes.get(at), Some(byte) if byte.is_ascii_whitespace()) {
                            at += 1;
                        }
                        (value, at) = read_value(html, at)?;
                    }
                    attributes.push((key, value));
                }
            }
        }
    }

    fn attribute(&self, name: &str) -> Option<&'h str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| *value)
    }
}

/// The value of an attribute that begins here, and where it ends.
fn read_value(html: &str, at: usize) -> Option<(&str, usize)> {
    let quote = html[at..].chars().next()?;
    if matches!(quote, '"' | '\'') {
        let length = html[at + 1..].find(quote)?;
        return Some((&html[at + 1..at + 1 + length], at + length + 2));
    }
    let length = html[at..].find(|letter: char| letter.is_ascii_whitespace() || letter == '>')?;
    Some((&html[at..at + length], at + length))
}

#[cfg(test)]
mod tests {
    use super::{PageConstant, PageScript, Site, is_elsewhere};

    fn scripts_of(html: &str) -> Vec<PageScript> {
        Site::default().scripts_of(html)
    }

    #[test]
    fn module_scripts_are_found_wherever_they_stand() {
        let html = r#"<!doctype html>
<!-- <script type="module" src="/no.ts"></script> -->
<link rel=stylesheet href="/a.css">
<SCRIPT src='/src/main.ts' type='module' async></SCRIPT>
<script>const text = '<script type="module" src="/no.ts">';</script>
<script type=module src=/src/other.ts></script>
<p style="background: url(/b.png)">a < b</p>
<script type="module">import "./inline.ts"; // <p>
</script>
<script type="module" src="https://elsewhere.example/x.js"></script>
<script type="module" vite-ignore src="/ignored.js"></script>"#;
        assert_eq!(
            scripts_of(html),
            [
                PageScript::Named("/src/main.ts".into()),
                PageScript::Named("/src/other.ts".into()),
                PageScript::Inline(3, "import \"./inline.ts\"; // <p>\n".into()),
            ]
        );
    }

    #[test]
    fn an_inline_script_has_the_number_that_a_build_gives_it() {
        let html = r#"<style></style><style>p { color: red }</style><style style="background: url(a.png)">p{}</style>
<script type="module" src="/a.ts"></script><script type="module" src="data:text/javascript,1">1</script>
<title><script type="module">no</script></title><textarea><script type="module" src="/no.ts"></script></textarea>
<template><script type="module" src="">2</script></template><script type="module"></script>"#;
        assert_eq!(
            scripts_of(html),
            [
                PageScript::Named("/a.ts".into()),
                PageScript::Inline(4, "1".into()),
                PageScript::Inline(5, "2".into())
            ]
        );
    }

    #[test]
    fn constants_are_put_in_before_scripts_are_looked_for() {
        let constant = |name: &str, text: &str| PageConstant { name: name.into(), text: text.into() };
        let site = Site::new(vec![constant("BASE_URL", "/"), constant("VITE_ENTRY", "src/main.ts")], None);
        assert_eq!(
            site.scripts_of(
                r#"100% of %%VITE_ENTRY% <script type=module src="%BASE_URL%%VITE_ENTRY%?%OTHER%">"#
            ),
            [PageScript::Named("/src/main.ts?%OTHER%".into())]
        );
        assert_eq!(site.fill_in("5% %BASE_URL% é%é%%"), "5% / é%é%%");
    }

    #[test]
    fn what_is_public_is_bundled_by_nobody() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("plain.js"), "").unwrap();
        let site = Site::new(Vec::new(), Some(folder.path().to_str().unwrap().to_owned()));
        let html = r#"<script type="module" src="/plain.js?a"></script><script type="module" src="/other.js"></script>"#;
        assert_eq!(site.scripts_of(html), [PageScript::Named("/other.js".into())]);
    }

    #[test]
    fn a_url_leads_out_of_the_app_by_its_beginning() {
        for url in
            ["", "#a", "//cdn.example/a.js", "https://cdn.example/a.js", " data:text/javascript,1", "DATA:,"]
        {
            assert!(is_elsewhere(url), "{url}");
        }
        for url in ["/a.js", "./a.js", "a.js", "/a.js?from=http://b", "a:b.js"] {
            assert!(!is_elsewhere(url), "{url}");
        }
    }

    #[test]
    fn a_page_may_have_as_many_tags_as_it_likes_whether_they_end_or_not() {
        let scripts = "<SCRIPT></Script><style></STYLE>".repeat(100_000);
        let last = "<script type=module src=/a.ts></script>";
        assert_eq!(scripts_of(&format!("{scripts}{last}")), [PageScript::Named("/a.ts".into())]);
        assert_eq!(scripts_of(&format!("{last}{}", "<a ".repeat(1_000_000))).len(), 1);
        assert_eq!(scripts_of(&format!("{last}{}", "<a b=\"".repeat(500_000))).len(), 1);
    }

    #[test]
    fn a_page_that_ends_within_a_tag_has_what_stands_before() {
        assert_eq!(
            scripts_of("<script type=\"module\" src=\"/a.ts\"></script><script type=\"mod"),
            [PageScript::Named("/a.ts".into())]
        );
        assert_eq!(scripts_of("<"), []);
        assert_eq!(scripts_of("<a href"), []);
    }
}
