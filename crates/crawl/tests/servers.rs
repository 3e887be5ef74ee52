//! What a server's bundle has and what it leaves to Node, with packages as they lie on the disk.
#![allow(clippy::unwrap_used, reason = "what builds the app is part of the test")]

use std::fs;
use std::path::Path;

use agent_surface_compiler::{Options as SessionOptions, Severity};
use agent_surface_crawl::{Crawl, Keeps, Leaves, Options, Server};

/// An app with packages, and a crawl of its server.
struct App {
    folder: tempfile::TempDir,
    crawl: Crawl,
}

impl App {
    fn new(files: &[(&str, &str)], leaves: &[&str], keeps: Keeps) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let file = folder.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        let leaves = Leaves::Named(leaves.iter().map(|name| (*name).to_owned()).collect());
        let crawl = Crawl::new(options(folder.path(), leaves, keeps));
        Self { folder, crawl }
    }

    /// Where a specifier leads from the server's entry: `in` a file of the bundle, or `out` under a name.
    fn find(&self, specifier: &str) -> String {
        self.find_from("src/server.ts", specifier)
    }

    fn find_from(&self, importer: &str, specifier: &str) -> String {
        let root = fs::canonicalize(self.folder.path()).unwrap();
        let importer = root.join(importer);
        match self.crawl.resolve(importer.to_str().unwrap(), specifier) {
            None => "nowhere".to_owned(),
            Some((name, true)) => format!("out {name}"),
            Some((file, false)) => {
                let file = Path::new(&file);
                format!("in {}", file.strip_prefix(&root).unwrap_or(file).display())
            }
        }
    }
}

fn options(root: &Path, leaves: Leaves, keeps: Keeps) -> Options {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    Options {
        entries: Vec::new(),
        session: SessionOptions {
            root: fs::canonicalize(root).unwrap().to_str().unwrap().to_owned(),
            real_root: None,
            target: "web-production".into(),
            source_maps: false,
            defines: Vec::new(),
            approvals: Vec::new(),
            raw_tools: Severity::Error,
        },
        aliases: Vec::new(),
        conditions: names(&["import", "module", "node", "production"]),
        main_fields: names(&["module"]),
        extensions: names(&[".mjs", ".js", ".ts", ".json"]),
        preserve_symlinks: false,
        dedupe: Vec::new(),
        externals: Vec::new(),
        server: Some(Server { leaves, keeps, conditions: names(&["import", "node"]) }),
        tsconfig_paths: false,
        tsconfig: None,
        page_constants: Vec::new(),
        public_dir: None,
        jsx_names: Vec::new(),
        asks_first: false,
        asks_for_texts: false,
    }
}

const PACKAGES: [(&str, &str); 10] = [
    ("src/server.ts", ""),
    ("node_modules/plain/package.json", r#"{"name": "plain", "main": "index.js"}"#),
    ("node_modules/plain/index.js", ""),
    ("node_modules/plain/deep.js", ""),
    ("node_modules/typed/package.json", r#"{"name": "typed", "main": "index.ts"}"#),
    ("node_modules/typed/index.ts", ""),
    (
        "node_modules/two/package.json",
        r#"{"name": "two", "exports": {"module": "./bundled.mts", "default": "./index.js"}}"#,
    ),
    ("node_modules/two/index.js", ""),
    ("node_modules/two/bundled.mts", ""),
    ("node_modules/plain/node_modules/nested/index.js", ""),
];

fn kept(names: &[&str]) -> Keeps {
    Keeps::Named(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn installed_packages_are_left_to_node_as_far_as_it_can_load_them() {
    let app = App::new(&PACKAGES, &[], kept(&[]));
    assert_eq!(app.find("plain"), "out plain");
    assert_eq!(app.find("plain/deep.js"), "out plain/deep.js");
    assert_eq!(app.find("typed"), "in node_modules/typed/index.ts");
    assert_eq!(app.find("node:fs"), "out node:fs");
    assert_eq!(app.find("./server"), "in src/server.ts");
    assert_eq!(app.find("missing"), "nowhere");
}

#[test]
fn what_is_left_out_is_found_as_node_finds_it() {
    let left = App::new(&PACKAGES, &[], kept(&[]));
    assert_eq!(left.find("two"), "out two");
    let kept = App::new(&PACKAGES, &[], kept(&["two"]));
    assert_eq!(kept.find("two"), "in node_modules/two/bundled.mts");
}

#[test]
fn what_only_another_package_can_reach_is_in_the_bundle() {
    let app = App::new(&PACKAGES, &[], kept(&["plain"]));
    assert_eq!(
        app.find_from("node_modules/plain/index.js", "nested"),
        "in node_modules/plain/node_modules/nested/index.js"
    );
}

#[test]
fn what_the_config_names_comes_before_what_it_keeps() {
    let app = App::new(&PACKAGES, &["plain"], Keeps::All);
    assert_eq!(app.find("plain"), "out plain");
    assert_eq!(app.find("plain/deep.js"), "out plain/deep.js");
    assert_eq!(app.find("two"), "in node_modules/two/bundled.mts");
}

#[cfg(unix)]
#[test]
fn a_linked_package_is_in_the_bundle_unless_the_config_leaves_it() {
    let files = [("packages/linked/package.json", r#"{"name": "linked"}"#), ("packages/linked/index.js", "")];
    let files: Vec<_> = PACKAGES.into_iter().chain(files).collect();
    for (leaves, found) in [(&[][..], "in packages/linked/index.js"), (&["linked"][..], "out linked")] {
        let app = App::new(&files, leaves, kept(&[]));
        let target = app.folder.path().join("packages/linked");
        std::os::unix::fs::symlink(target, app.folder.path().join("node_modules/linked")).unwrap();
        assert_eq!(app.find("linked"), found);
    }
}
