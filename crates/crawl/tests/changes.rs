//! A crawl follows the files: after each change it says what one that begins now would say.
#![allow(clippy::unwrap_used, reason = "what builds the app is part of the test")]

use std::fs;
use std::path::{Path, PathBuf};

use agent_surface_compiler::{Options as SessionOptions, Severity, Stage};
use agent_surface_crawl::{Crawl, Entry, Fact, Need, Options, Step};

/// An app on disk, and a crawl that follows it.
struct App {
    folder: tempfile::TempDir,
    crawl: Crawl,
}

/// What a verdict comes to: the capabilities, or the words that say what is wrong.
type Verdict = Result<Vec<String>, String>;

impl App {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let core = "export const defineAgentComponentContract = x => x, observationContract = x => x;\n\
                    export const fromJsonSchema = x => x;\n";
        write(folder.path(), "package.json", r#"{"name": "app"}"#);
        write(
            folder.path(),
            "node_modules/@agent-surface/core/package.json",
            r#"{"name": "@agent-surface/core", "main": "index.js"}"#,
        );
        write(folder.path(), "node_modules/@agent-surface/core/index.js", core);
        for (path, text) in files {
            write(folder.path(), path, text);
        }
        let crawl = Crawl::new(options(folder.path()));
        Self { folder, crawl }
    }

    fn write(&self, path: &str, text: &str) {
        write(self.folder.path(), path, text);
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Tells the crawl of changes of files.
    fn note(&mut self, paths: &[&str], came_or_went: bool) {
        let files: Vec<String> =
            paths.iter().map(|path| self.path(path).to_str().unwrap().to_owned()).collect();
        self.crawl.note_changes(&files, came_or_went);
    }

    /// The verdict, if there is another one.
    fn look(&mut self) -> Option<Verdict> {
        settle(&mut self.crawl)
    }

    /// The verdict that there is to be, which is the one that a fresh crawl comes to.
    fn look_anew(&mut self) -> Verdict {
        let verdict = self.look().expect("another verdict");
        let fresh = settle(&mut Crawl::new(options(self.folder.path()))).unwrap();
        assert_eq!(verdict, fresh);
        verdict
    }
}

fn write(folder: &Path, path: &str, text: &str) {
    let file = folder.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn options(root: &Path) -> Options {
    let root = root.to_str().unwrap().to_owned();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    Options {
        entries: vec![Entry { specifier: format!("{root}/src/main.ts") }],
        session: SessionOptions {
            root,
            real_root: None,
            target: "web-production".into(),
            source_maps: false,
            defines: Vec::new(),
            approvals: Vec::new(),
            raw_tools: Severity::Error,
        },
        aliases: Vec::new(),
        conditions: names(&["import", "module", "browser", "production"]),
        main_fields: names(&["browser", "module"]),
        extensions: names(&[".mjs", ".js", ".ts", ".json"]),
        preserve_symlinks: false,
        dedupe: Vec::new(),
        externals: Vec::new(),
        server: None,
        tsconfig_paths: true,
        tsconfig: None,
        page_constants: Vec::new(),
        public_dir: None,
        jsx_names: Vec::new(),
        asks_first: false,
        asks_for_texts: false,
    }
}

/// Brings a crawl to its verdict, with a host that has nothing to say.
fn settle(crawl: &mut Crawl) -> Option<Verdict> {
    let mut facts = Vec::new();
    loop {
        match crawl.advance(std::mem::take(&mut facts)) {
            Step::Ask(needs) => {
                facts = needs
                    .into_iter()
                    .map(|need| match need {
                        Need::Resolve { specifier, importer, lost } => {
                            Fact::Resolved { specifier, importer, lost, id: None, external: false }
                        }
                        need => panic!("nobody can say: {need:?}"),
                    })
                    .collect();
            }
            Step::Unchanged => return None,
            Step::Proven(proof) => {
                return Some(Ok(proof.capabilities.into_iter().map(|it| it.capability_id).collect()));
            }
            Step::Refused(report) => return Some(Err(report.text)),
            Step::Unreadable(reason) => return Some(Err(reason)),
        }
    }
}

/// A module that declares one observation.
fn contract(name: &str) -> String {
    format!(
        "import {{ defineAgentComponentContract as define, fromJsonSchema, observationContract }} from \
         \"@agent-surface/core\";\nexport const {name} = define({{ type: \"demo.{name}\", description: \"It\", \
         observations: {{ it: observationContract({{ description: \"It\", output: fromJsonSchema({{ type: \"string\" \
         }}) }}) }} }});\n"
    )
}

fn ids(names: &[&str]) -> Verdict {
    Ok(names.iter().map(|name| format!("view:demo.{name}.it")).collect())
}

#[test]
fn files_that_come_and_go_at_once_are_seen_together() {
    let mut app = App::new(&[
        ("src/main.ts", "import './a'; import './b'; import './c';"),
        ("src/a.ts", &contract("a")),
        ("src/b.ts", &contract("b")),
        ("src/c.ts", "export {};"),
    ]);
    assert_eq!(app.look_anew(), ids(&["a", "b"]));

    // One goes, one comes in its place by another ending, one changes, and one is new.
    fs::remove_file(app.path("src/a.ts")).unwrap();
    app.write("src/a.js", &contract("other"));
    app.write("src/c.ts", "import './deep/d';");
    app.write("src/deep/d.ts", &contract("d"));
    app.note(&["src/a.ts", "src/a.js", "src/c.ts", "src/deep/d.ts"], true);
    assert_eq!(app.look_anew(), ids(&["other", "b", "d"]));

    // The same, told one by one before anybody looks.
    fs::remove_file(app.path("src/a.js")).unwrap();
    app.note(&["src/a.js"], true);
    app.write("src/a.ts", &contract("a"));
    app.note(&["src/a.ts"], true);
    app.write("src/c.ts", "export {};");
    app.note(&["src/c.ts"], false);
    fs::remove_file(app.path("src/deep/d.ts")).unwrap();
    app.note(&["src/deep/d.ts"], true);
    assert_eq!(app.look_anew(), ids(&["a", "b"]));
}

#[test]
fn a_folder_that_is_renamed_takes_its_contracts_along() {
    let mut app = App::new(&[
        ("src/main.ts", "import './parts/index';"),
        ("src/parts/index.ts", "export * from './a'; export * from './b';"),
        ("src/parts/a.ts", &contract("a")),
        ("src/parts/b.ts", &contract("b")),
    ]);
    assert_eq!(app.look_anew(), ids(&["a", "b"]));

    fs::rename(app.path("src/parts"), app.path("src/pieces")).unwrap();
    let moved =
        ["parts", "pieces"].map(|folder| ["index", "a", "b"].map(|name| format!("src/{folder}/{name}.ts")));
    let moved: Vec<&str> = moved.as_flattened().iter().map(String::as_str).collect();
    app.note(&moved, true);
    // Nothing leads there yet.
    assert_eq!(app.look_anew(), ids(&[]));
    app.write("src/main.ts", "import './pieces/index';");
    app.note(&["src/main.ts"], false);
    assert_eq!(app.look_anew(), ids(&["a", "b"]));
}

#[test]
fn a_module_that_goes_and_comes_back_is_what_it_was() {
    let mut app = App::new(&[
        ("src/main.ts", "import { word } from './words'; import './a'; console.log(word);"),
        (
            "src/a.ts",
            &format!("import {{ word }} from './words';\n{}", contract("a").replace("\"It\"", "word")),
        ),
        ("src/words.ts", "export const word = 'It';"),
    ]);
    assert_eq!(app.look_anew(), ids(&["a"]));

    fs::remove_file(app.path("src/words.ts")).unwrap();
    app.note(&["src/words.ts"], true);
    assert!(app.look_anew().is_err());

    app.write("src/words.ts", "export const word = 'It';");
    app.note(&["src/words.ts"], true);
    assert_eq!(app.look_anew(), ids(&["a"]));
}

#[test]
fn a_module_may_stop_declaring_and_begin_again() {
    let mut app = App::new(&[("src/main.ts", "import './a';"), ("src/a.ts", &contract("a"))]);
    assert_eq!(app.look_anew(), ids(&["a"]));
    app.write("src/a.ts", "export {};");
    app.note(&["src/a.ts"], false);
    assert_eq!(app.look_anew(), ids(&[]));
    app.write("src/a.ts", &contract("b"));
    app.note(&["src/a.ts"], false);
    assert_eq!(app.look_anew(), ids(&["b"]));
}

#[test]
fn what_no_contract_reads_changes_nothing() {
    let mut app = App::new(&[
        ("src/main.ts", "import './a'; import './plain';"),
        ("src/a.ts", &contract("a")),
        ("src/plain.ts", "export const plain = 1;"),
    ]);
    assert_eq!(app.look_anew(), ids(&["a"]));
    app.write("src/plain.ts", "export const plain = 2;");
    app.note(&["src/plain.ts"], false);
    assert_eq!(app.look(), None);
    app.write("src/stray.ts", &contract("stray"));
    app.note(&["src/stray.ts"], true);
    assert_eq!(app.look(), None);
    // Text that is half written, and whole again.
    app.write("src/plain.ts", "export const plain = {");
    app.note(&["src/plain.ts"], false);
    assert!(app.look().unwrap().is_err());
    app.write("src/plain.ts", "export const plain = 3;");
    app.note(&["src/plain.ts"], false);
    assert!(app.look().is_none_or(|verdict| verdict == ids(&["a"])));
}

#[test]
fn a_package_json_decides_anew_where_its_package_leads() {
    let manifest = |main: &str| format!(r#"{{"name": "kit", "type": "module", "exports": "./{main}.js"}}"#);
    let mut app = App::new(&[
        ("src/main.ts", "import 'outer';"),
        ("node_modules/outer/package.json", r#"{"name": "outer", "type": "module", "main": "index.js"}"#),
        ("node_modules/outer/index.js", "import 'kit';"),
        ("node_modules/kit/package.json", &manifest("one")),
        ("node_modules/kit/one.js", "import '../../src/a';"),
        ("node_modules/kit/two.js", "import '../../src/b';"),
        ("src/a.ts", &contract("a")),
        ("src/b.ts", &contract("b")),
    ]);
    assert_eq!(app.look_anew(), ids(&["a"]));
    app.write("node_modules/kit/package.json", &manifest("two"));
    app.note(&["node_modules/kit/package.json"], false);
    assert_eq!(app.look_anew(), ids(&["b"]));
}

#[test]
fn a_tsconfig_decides_anew_where_paths_lead_and_what_is_kept() {
    let config = |folder: &str, keeps: bool| {
        format!(
            r#"{{ "compilerOptions": {{ "paths": {{ "@/*": ["./{folder}/*"] }}, "verbatimModuleSyntax": {keeps} }} }}"#
        )
    };
    let mut app = App::new(&[
        ("tsconfig.json", r#"{ "extends": "./base.json" }"#),
        ("base.json", &config("src", false)),
        ("src/main.ts", "import '@/a'; import { b } from './b';"),
        ("src/a.ts", &contract("a")),
        ("src/b.ts", &contract("b")),
        ("other/a.ts", &contract("other")),
    ]);
    assert_eq!(app.look_anew(), ids(&["a"]));
    app.write("base.json", &config("other", true));
    app.note(&["base.json"], false);
    assert_eq!(app.look_anew(), ids(&["other", "b"]));
    fs::remove_file(app.path("tsconfig.json")).unwrap();
    app.note(&["tsconfig.json"], true);
    assert_eq!(app.look_anew(), ids(&[]));
}

#[test]
fn the_contract_file_of_a_package_is_among_the_files_and_is_looked_at_anew() {
    let mut app = App::new(&[
        ("src/main.ts", "import 'kit';"),
        (
            "node_modules/kit/package.json",
            r#"{"name": "kit", "main": "index.js", "agentSurface": {"contract": "contract.json"}}"#,
        ),
        ("node_modules/kit/index.js", "export {};"),
    ]);
    let missing = app.look_anew().unwrap_err();
    let file = app.path("node_modules/kit/contract.json");
    assert!(app.crawl.files().any(|path| Path::new(path).ends_with("node_modules/kit/contract.json")));

    fs::write(&file, "{").unwrap();
    app.note(&["node_modules/kit/contract.json"], true);
    let broken = app.look_anew().unwrap_err();
    assert_ne!(missing, broken);

    app.write("node_modules/kit/package.json", r#"{"name": "kit", "main": "index.js"}"#);
    app.note(&["node_modules/kit/package.json"], false);
    assert_eq!(app.look_anew(), ids(&[]));
}

#[test]
fn a_beginning_that_is_named_later_is_one_like_the_others() {
    let mut app = App::new(&[
        ("src/main.ts", "import './a';"),
        ("src/a.ts", &contract("a")),
        ("src/late.ts", &contract("late")),
    ]);
    assert_eq!(app.look_anew(), ids(&["a"]));
    let late = || Entry { specifier: "/src/late.ts".into() };
    app.crawl.enter(late());
    assert_eq!(app.look(), Some(ids(&["a", "late"])));
    app.crawl.enter(late());
    assert_eq!(app.look(), None);
    app.write("src/late.ts", &contract("later"));
    app.note(&["src/late.ts"], false);
    assert_eq!(app.look(), Some(ids(&["a", "later"])));
}

#[test]
fn what_is_made_an_output_for_a_modules_sake_is_in_the_graph_as_long_as_it_is() {
    let mut app = App::new(&[("src/main.ts", "export {};"), ("src/extra.ts", &contract("extra"))]);
    let id = app.path("src/main.ts").to_str().unwrap().to_owned();
    let extra = app.path("src/extra.ts").to_str().unwrap().to_owned();
    let step = app.crawl.advance(vec![Fact::Emitted { id, entries: vec![extra] }]);
    assert!(matches!(step, Step::Proven(proof) if proof.capabilities.len() == 1));
    // Read anew, it asks for no output.
    app.write("src/main.ts", "export const it = 1;");
    app.note(&["src/main.ts"], false);
    assert_eq!(app.look_anew(), ids(&[]));
}

#[test]
fn a_module_that_is_served_and_that_no_entry_leads_to_is_found_by_what_it_declares() {
    let mut app = App::new(&[("src/main.ts", "import './a';"), ("src/a.ts", &contract("a"))]);
    app.look_anew().unwrap();
    let mut unproven = |file: &str, text: &str| {
        let id = app.path(file).to_str().unwrap().to_owned();
        app.crawl.find_unproven(&id, text, Stage::Written)
    };
    assert_eq!(unproven("src/other.ts", &contract("other")), ["src/other.ts#other"]);
    assert!(unproven("src/a.ts", &contract("a")).is_empty());
    assert!(unproven("src/other.ts", "export * from '@agent-surface/core';").is_empty());
}
