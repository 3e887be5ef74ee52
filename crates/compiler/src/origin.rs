//! Module ids as paths: what a manifest calls a module, wherever the checkout lies.

/// Names modules relative to a project's root.
#[derive(Clone, Debug)]
pub(crate) struct Origins {
    /// The root as the host spells it, and where its symbolic links lead. Bundlers resolve links by default,
    /// so a module's id may lie under either.
    roots: Vec<Vec<String>>,
}

/// What kind of thing an id names.
#[derive(Debug, PartialEq, Eq)]
enum Id<'a> {
    /// An absolute path.
    Path(Vec<&'a str>),
    /// Anything a plugin made up.
    Virtual(String),
}

impl Origins {
    pub(crate) fn new<'r>(roots: impl IntoIterator<Item = &'r str>) -> Self {
        let roots = roots
            .into_iter()
            .filter_map(|root| match classify(root) {
                Id::Path(segments) => Some(segments.into_iter().map(str::to_owned).collect()),
                Id::Virtual(_) => None,
            })
            .collect();
        Self { roots }
    }

    /// The module's name in the manifest: its path from the root, with `/` and without a query, or
    /// `virtual:` and its id without the leading NUL.
    pub(crate) fn name(&self, id: &str) -> String {
        let id = id.split('?').next().unwrap_or(id);
        let path = match classify(id) {
            Id::Virtual(name) => return name,
            Id::Path(path) => path,
        };
        let below = self.roots.iter().find_map(|root| strip(&path, root));
        match (below, self.roots.first()) {
            (Some(rest), _) => rest.join("/"),
            (None, Some(root)) => climb_from(root, &path),
            (None, None) => path.join("/"),
        }
    }
}

/// Whether an id lies in a `node_modules` folder.
pub(crate) fn is_installed(id: &str) -> bool {
    matches!(classify(id), Id::Path(path) if path.contains(&"node_modules"))
}

fn classify(id: &str) -> Id<'_> {
    if let Some(name) = id.strip_prefix('\0') {
        return Id::Virtual(format!("virtual:{name}"));
    }
    // Vite's way to name a file outside of the served root by URL.
    let path = match id.strip_prefix("/@fs/") {
        Some(rest) if has_drive(rest) => rest,
        Some(_) => &id["/@fs".len()..],
        None => id,
    };
    if !path.starts_with(['/', '\\']) && !has_drive(path) {
        return Id::Virtual(id.to_owned());
    }
    let mut segments = Vec::new();
    for segment in path.split(['/', '\\']) {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            segment => segments.push(segment),
        }
    }
    Id::Path(segments)
}

/// `C:/` or `C:\`.
fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic())
}

fn strip<'p, 'a>(path: &'p [&'a str], root: &[String]) -> Option<&'p [&'a str]> {
    let (head, rest) = path.split_at_checked(root.len())?;
    head.iter().zip(root).all(|(a, b)| same_segment(a, b)).then_some(rest)
}

/// Drive letters are the one part of a path that every tool spells in its own case.
fn same_segment(a: &str, b: &str) -> bool {
    a == b || (a.len() == 2 && a.ends_with(':') && a.eq_ignore_ascii_case(b))
}

fn climb_from(root: &[String], path: &[&str]) -> String {
    let shared = root.iter().zip(path).take_while(|(a, b)| same_segment(a, b)).count();
    let up = std::iter::repeat_n("..", root.len() - shared);
    up.chain(path[shared..].iter().copied()).collect::<Vec<_>>().join("/")
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
            ("C:\\code\\app", "c:\\code\\app\\src\\x.ts", "src/x.ts"),
            ("C:/code/app", "/@fs/C:/code/app/src/x.ts", "src/x.ts"),
            ("/home/a/app", "\0virtual:panel", "virtual:virtual:panel"),
            ("/home/a/app", "virtual:panel", "virtual:panel"),
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

    #[test]
    fn installed_code_is_known_by_its_folder_not_by_its_name() {
        assert!(is_installed("/app/node_modules/x/index.js"));
        assert!(is_installed("C:\\app\\node_modules\\x\\index.js"));
        assert!(!is_installed("/app/src/my_node_modules/x.ts"));
    }
}
