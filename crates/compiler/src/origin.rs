//! What a manifest calls a module, wherever the checkout lies.

use crate::id::{Id, Path, without_query};

/// Names modules relative to a project's root.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    /// The root as the host spells it, and where its symbolic links lead. Bundlers resolve links by default, so a
    /// module's id may lie under either.
    roots: Vec<Root>,
}

#[derive(Clone, Debug)]
struct Root {
    path: Path<'static>,
    /// As it may stand in the middle of an id that a plugin made up, each with its final slash.
    spellings: Vec<String>,
}

impl Origins {
    pub(crate) fn new<'r>(roots: impl IntoIterator<Item = &'r str>) -> Self {
        let roots = roots
            .into_iter()
            .filter_map(|root| match Id::parse(root) {
                Id::Path(path) => Some(Root { path: path.into_owned(), spellings: spellings(root) }),
                Id::Virtual(_) | Id::Bare(_) => None,
            })
            .collect();
        Self { roots }
    }

    /// The module's name in the manifest: its path from the root, with `/` and without a query. Of what is no file, its
    /// id, `virtual:` for a leading NUL, and without the root where a plugin wrote a file's path into it.
    pub(crate) fn name(&self, id: &str) -> String {
        match Id::parse(id) {
            Id::Virtual(text) => format!("virtual:{}", self.without_root(text)),
            Id::Bare(text) => self.without_root(text),
            Id::Path(path) => {
                let below = self.roots.iter().find_map(|root| path.below(&root.path));
                match (below, self.roots.first()) {
                    (Some(rest), _) => rest,
                    (None, Some(root)) => path.from(&root.path),
                    (None, None) => path.from(&Path::default()),
                }
            }
        }
    }

    fn without_root(&self, text: &str) -> String {
        let spellings = self.roots.iter().flat_map(|root| &root.spellings);
        match spellings.into_iter().find(|root| text.contains(root.as_str())) {
            Some(root) => text.replace(root.as_str(), "").replace('\\', "/"),
            None => text.to_owned(),
        }
    }
}

fn spellings(root: &str) -> Vec<String> {
    let root = without_query(root).trim_end_matches(['/', '\\']);
    if root.is_empty() {
        return Vec::new();
    }
    let mut spellings =
        vec![format!("{}/", root.replace('\\', "/")), format!("{}\\", root.replace('/', "\\"))];
    spellings.dedup();
    spellings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_named_by_its_path_from_the_root() {
        for (root, id, name) in [
            ("/home/a/app", "/home/a/app/src/x.ts", "src/x.ts"),
            ("/home/a/app/", "/home/a/app/src/../src/./x.ts?v=2", "src/x.ts"),
            ("/home/a/app", "/@fs/home/a/app/src/x.ts", "src/x.ts"),
            ("/home/a/app", "/home/a/shared/y.ts", "../shared/y.ts"),
            ("/home/a/app", "/home/a/app-two/y.ts", "../app-two/y.ts"),
            ("/home/C#/app", "/home/C#/app/src/x.ts", "src/x.ts"),
            ("C:\\code\\app", "c:\\code\\app\\src\\x.ts", "src/x.ts"),
            ("c:/code/app", "C:/code/app/src/x.ts?v=2", "src/x.ts"),
            ("C:/code/app", "/@fs/C:/code/app/src/x.ts", "src/x.ts"),
            ("C:/code/app", "\\\\?\\C:\\code\\app\\src\\x.ts", "src/x.ts"),
            ("C:/code/app", "D:/code/app/src/x.ts", "../../../D:/code/app/src/x.ts"),
            ("\\\\server\\share\\app", "//server/share/app/src/x.ts", "src/x.ts"),
            ("/", "/src/x.ts", "src/x.ts"),
        ] {
            assert_eq!(Origins::new([root]).name(id), name, "{root} {id:?}");
        }
    }

    #[test]
    fn what_is_no_file_is_named_by_its_id_and_never_by_the_machine() {
        for (root, id, name) in [
            ("/home/a/app", "\0virtual:panel", "virtual:virtual:panel"),
            ("/home/a/app", "virtual:panel", "virtual:panel"),
            ("/home/a/app", "\0virtual:panel?of=x", "virtual:virtual:panel?of=x"),
            ("/home/a/app", "\0/home/a/app/src/x.ts?proxy", "virtual:src/x.ts?proxy"),
            ("/home/a/app", "\0page:/home/a/app/src/x.ts", "virtual:page:src/x.ts"),
            ("/home/a/app", "page:/home/a/app/src/x.ts", "page:src/x.ts"),
            ("C:\\code\\app", "\0page:C:\\code\\app\\src\\x.ts", "virtual:page:src/x.ts"),
            ("C:\\code\\app", "\0page:C:/code/app/src/x.ts", "virtual:page:src/x.ts"),
            ("/", "\0page:/src/x.ts", "virtual:page:/src/x.ts"),
        ] {
            assert_eq!(Origins::new([root]).name(id), name, "{root} {id:?}");
        }
    }

    #[test]
    fn a_symlinked_root_names_the_same_modules() {
        let origins = Origins::new(["/home/a/link", "/data/app"]);
        assert_eq!(origins.name("/data/app/src/x.ts"), "src/x.ts");
        assert_eq!(origins.name("/home/a/link/src/x.ts"), "src/x.ts");
    }
}
