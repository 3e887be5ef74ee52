//! What a module's id says of how a bundler takes it.

/// How a bundler takes a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A script: its imports are part of the graph.
    Script,
    /// A page, whose scripts are.
    Page,
    /// A script once a plugin has made one of it; nothing that imports anything otherwise.
    Foreign,
    /// Its text, as a string.
    Raw,
    /// Styles, assets, workers, data: what they import is in no graph of scripts.
    Leaf,
}

const SCRIPTS: [&str; 8] = ["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"];
const LEAVES: [&str; 12] =
    ["json", "json5", "css", "less", "sass", "scss", "styl", "stylus", "pcss", "postcss", "sss", "wasm"];

impl Kind {
    pub(crate) fn of(id: &str) -> Self {
        if id.starts_with('\0') || id.starts_with("virtual:") {
            return Self::Foreign;
        }
        let (path, query) = id.split_once('?').unwrap_or((id, ""));
        let has = |name: &str| query.split('&').any(|part| part.split('=').next() == Some(name));
        if has("raw") {
            return Self::Raw;
        }
        if ["url", "worker", "sharedworker", "inline", "init"].into_iter().any(has) {
            return Self::Leaf;
        }
        if has("html-proxy") {
            return if query.ends_with(".css") { Self::Leaf } else { Self::Script };
        }
        let lang = query.rsplit_once("lang.").map(|(_, lang)| lang.split('&').next().unwrap_or(lang));
        let ending = lang.unwrap_or_else(|| ending_of(path));
        if LEAVES.contains(&ending) {
            Self::Leaf
        } else if lang.is_some() {
            Self::Foreign
        } else if SCRIPTS.contains(&ending) {
            Self::Script
        } else if ending == "html" {
            Self::Page
        } else {
            Self::Foreign
        }
    }
}

/// The ending of a path's file, or nothing.
pub(crate) fn ending_of(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// An id's path, without its query.
pub(crate) fn path_of(id: &str) -> &str {
    id.split_once('?').map_or(id, |(path, _)| path)
}

/// Whether it lies in a folder of installed packages.
pub(crate) fn is_installed(id: &str) -> bool {
    path_of(id).split(['/', '\\']).any(|part| part == "node_modules")
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn an_id_tells_how_its_module_is_taken() {
        for (id, kind) in [
            ("/app/a.ts", Kind::Script),
            ("/app/a.js?v=1", Kind::Script),
            ("/app/index.html", Kind::Page),
            ("/app/index.html?html-proxy&index=0.js", Kind::Script),
            ("/app/index.html?html-proxy&inline-css&index=1.css", Kind::Leaf),
            ("/app/A.vue", Kind::Foreign),
            ("/app/A.vue?vue&type=script&setup=true&lang.ts", Kind::Foreign),
            ("/app/A.vue?vue&type=style&index=0&lang.css", Kind::Leaf),
            ("/app/a.css", Kind::Leaf),
            ("/app/a.ts?raw", Kind::Raw),
            ("/app/a.ts?worker", Kind::Leaf),
            ("\0virtual:a", Kind::Foreign),
        ] {
            assert_eq!(Kind::of(id), kind, "{id}");
        }
    }
}
