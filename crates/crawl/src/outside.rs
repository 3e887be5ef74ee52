//! What a server leaves outside of its bundle, for Node to find when it runs: as Vite decides it.
//!
//! Vite has the rule twice, in JavaScript (`external.ts`, its major 7) and in Rust (`rolldown_plugin_vite_resolve`).

use rustc_hash::FxHashMap;

use crate::kind::{ending_of, is_installed};
use crate::message::{Keeps, Leaves, Server};

/// What stays outside of one server's bundle.
pub(crate) struct Outside {
    leaves: Leaves,
    keeps: Keeps,
    /// What the host said of packages.
    said: FxHashMap<String, bool>,
}

impl Outside {
    pub(crate) fn new(server: &Server) -> Self {
        Self { leaves: server.leaves.clone(), keeps: server.keeps.clone(), said: FxHashMap::default() }
    }

    /// Takes the host's word on a package.
    pub(crate) fn learn(&mut self, package: String, inside: bool) {
        self.said.insert(package, inside);
    }

    /// The package that the host must speak of before a specifier can be decided on.
    pub(crate) fn asks_for<'s>(&self, specifier: &'s str) -> Option<&'s str> {
        let package = package_of(specifier).filter(|_| is_bare(specifier))?;
        let is_open = matches!(self.keeps, Keeps::Asked) && !self.said.contains_key(package);
        (is_open && !self.is_named(specifier) && !self.is_named(package)).then_some(package)
    }

    /// Whether a specifier stays outside, if it leads to what Node can load. `find` resolves it from the root, since that is
    /// where the bundle will look for it: what only another package can reach has to be in the bundle.
    pub(crate) fn has(&self, specifier: &str, find: impl FnOnce() -> Option<String>) -> bool {
        if !is_bare(specifier) {
            return false;
        }
        if self.is_named(specifier) {
            return true;
        }
        let can_be = |is_configured: bool| {
            find().is_some_and(|file| (is_configured || is_installed(&file)) && can_be_loaded(&file))
        };
        match package_of(specifier) {
            None => can_be(false),
            Some(package) if self.is_named(package) => can_be(true),
            Some(package) if self.is_kept(package) => false,
            Some(_) => can_be(matches!(self.leaves, Leaves::All)),
        }
    }

    fn is_named(&self, name: &str) -> bool {
        matches!(&self.leaves, Leaves::Named(names) if names.iter().any(|it| it == name))
    }

    fn is_kept(&self, package: &str) -> bool {
        match &self.keeps {
            Keeps::All => true,
            Keeps::Named(names) => names.iter().any(|name| name == package),
            Keeps::Asked => self.said.get(package).copied().unwrap_or(false),
        }
    }
}

/// Whether Node can load a file as it is.
pub(crate) fn can_be_loaded(file: &str) -> bool {
    matches!(ending_of(file), "" | "js" | "mjs" | "cjs")
}

/// Whether a specifier is the name of a package or begins with one.
pub(crate) fn is_bare(specifier: &str) -> bool {
    let has_drive = specifier.as_bytes().get(1) == Some(&b':')
        && specifier.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_name = |first: char| first.is_ascii_alphanumeric() || first == '_' || first == '@';
    !has_drive && specifier.starts_with(is_name) && !specifier.contains("://") && !specifier.contains('\0')
}

/// The name of the package that a specifier leads to; none for a scope without one.
fn package_of(specifier: &str) -> Option<&str> {
    let mut slashes = specifier.match_indices('/').map(|(at, _)| at);
    let first = slashes.next();
    let end = if specifier.starts_with('@') {
        first?;
        slashes.next()
    } else {
        first
    };
    Some(&specifier[..end.unwrap_or(specifier.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(leaves: Leaves, keeps: Keeps) -> Outside {
        Outside::new(&Server { leaves, keeps, conditions: Vec::new() })
    }

    fn named<const N: usize>(names: [&str; N]) -> Vec<String> {
        names.map(str::to_owned).to_vec()
    }

    fn found(file: &str) -> impl FnOnce() -> Option<String> {
        let file = file.to_owned();
        move || Some(file)
    }

    const INSTALLED: &str = "/app/node_modules/it/index.js";
    const LINKED: &str = "/packages/it/index.js";

    #[test]
    fn what_is_installed_stays_outside_and_what_is_linked_does_not() {
        let outside = outside(Leaves::Named(Vec::new()), Keeps::Named(Vec::new()));
        assert!(outside.has("it", found(INSTALLED)));
        assert!(outside.has("@scope/it/deep", found(INSTALLED)));
        assert!(!outside.has("it", found(LINKED)));
        assert!(!outside.has("it", || None));
        assert!(!outside.has("./it", found(INSTALLED)));
        assert!(!outside.has("/it", found(INSTALLED)));
    }

    #[test]
    fn what_node_cannot_load_is_in_the_bundle() {
        let outside = outside(Leaves::All, Keeps::Named(Vec::new()));
        for (file, stays) in [("it", true), ("it.js", true), ("it.mjs", true), ("it.cjs", true)]
            .into_iter()
            .chain([("it.ts", false), ("it.css", false), ("it.vue", false), ("it.json", false)])
        {
            assert_eq!(outside.has("it", found(&format!("/app/node_modules/it/{file}"))), stays, "{file}");
        }
    }

    #[test]
    fn what_is_named_stays_outside_though_it_is_linked() {
        let outside = outside(Leaves::Named(named(["it", "other/deep"])), Keeps::All);
        assert!(outside.has("it", || None));
        assert!(outside.has("it/deep", found(LINKED)));
        assert!(!outside.has("it/deep", || None));
        assert!(outside.has("other/deep", || None));
        assert!(!outside.has("other", found(INSTALLED)));
    }

    #[test]
    fn what_is_kept_is_in_the_bundle_with_all_of_its_files() {
        let outside = outside(Leaves::All, Keeps::Named(named(["it", "@scope/it"])));
        for specifier in ["it", "it/deep", "@scope/it", "@scope/it/deep/er"] {
            assert!(!outside.has(specifier, found(INSTALLED)), "{specifier}");
        }
        assert!(outside.has("items", found(INSTALLED)));
        assert!(outside.has("items", found(LINKED)));
    }

    #[test]
    fn of_patterns_the_host_is_asked_once_for_each_package() {
        let mut outside = outside(Leaves::Named(named(["left"])), Keeps::Asked);
        assert_eq!(outside.asks_for("it/deep"), Some("it"));
        assert_eq!(outside.asks_for("left/deep"), None);
        assert_eq!(outside.asks_for("./it"), None);
        outside.learn("it".to_owned(), true);
        assert_eq!(outside.asks_for("it"), None);
        assert!(!outside.has("it", found(INSTALLED)));
    }
}
