//! The scripts of a page, as a production build takes them.

/// A script that is part of the graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PageScript {
    /// What `src` names.
    Named(String),
    /// What stands between the tags of the module script with this number.
    Inline(usize, String),
}

/// The module scripts of a page. The number of an inline one counts those before it, and styles that are taken out.
pub(crate) fn scripts_of(html: &str) -> Vec<PageScript> {
    let mut scripts = Vec::new();
    let mut number = 0;
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if let Some(comment) = rest.strip_prefix("<!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        let Some(tag) = Tag::read(rest) else {
            rest = &rest[1..];
            continue;
        };
        rest = &rest[tag.length..];
        let is_style = tag.name == "style";
        if tag.name != "script" {
            let has_url = |style: &str| style.contains("url(") || style.contains("image-set(");
            if tag.attribute("style").is_some_and(has_url) || is_style {
                number += 1;
            }
            if is_style {
                rest = &rest[end_of(rest, "style")..];
            }
            continue;
        }
        let end = end_of(rest, "script");
        let text = &rest[..end];
        rest = &rest[end..];
        if tag.attribute("type") != Some("module") || tag.attribute("vite-ignore").is_some() {
            continue;
        }
        match tag.attribute("src") {
            Some(url) if is_elsewhere(url) => {}
            Some(url) => scripts.push(PageScript::Named(url.to_owned())),
            None if text.trim().is_empty() => {}
            None => scripts.push(PageScript::Inline(number, text.to_owned())),
        }
        number += 1;
    }
    scripts
}

/// Whether a URL leads out of the app.
fn is_elsewhere(url: &str) -> bool {
    url.is_empty() || url.starts_with("//") || url.starts_with("data:") || url.contains("://")
}

/// Where an element's text ends.
fn end_of(text: &str, name: &str) -> usize {
    let close = format!("</{name}");
    text.to_ascii_lowercase().find(&close).unwrap_or(text.len())
}

/// A start tag.
struct Tag<'h> {
    name: String,
    attributes: Vec<(String, &'h str)>,
    length: usize,
}

impl<'h> Tag<'h> {
    fn read(html: &'h str) -> Option<Self> {
        let bytes = html.as_bytes();
        if !bytes.get(1)?.is_ascii_alphabetic() {
            return None;
        }
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
    use super::{PageScript, scripts_of};

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
    fn a_page_that_ends_within_a_tag_has_what_stands_before() {
        assert_eq!(
            scripts_of("<script type=\"module\" src=\"/a.ts\"></script><script type=\"mod"),
            [PageScript::Named("/a.ts".into())]
        );
        assert_eq!(scripts_of("<"), []);
        assert_eq!(scripts_of("<a href"), []);
    }
}
