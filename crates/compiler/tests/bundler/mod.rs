//! A bundler as small as a test can have one: it walks an app's modules from an entry and holds the conversation
//! with a [`Session`] that a plugin would hold. Types stay in the text, since nothing here runs it.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use agent_surface_compiler::{Answer, Close, Known, Options, Output, Package, Question, Session, Transform};
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

/// Where every app lies, as far as the session knows.
pub const ROOT: &str = "/app";

/// What the plugin's filter lets through: a text without any of these is never handed to the session.
const MENTIONS: [&str; 8] = [
    "@agent-surface/",
    "defineAgentComponentContract",
    "defineAgentProcedureContract",
    "defineExternalAgentToolContract",
    "defineAgentComponent",
    "useAgentComponent",
    "useAgentAction",
    "useAgentObservation",
];

/// The module through which an app gets its authority.
const AUTHORITY: &str = "virtual:agent-surface-contract";

/// The runtime, where an app's package manager puts it.
const CORE: &str = "/app/node_modules/@agent-surface/core/dist/index.js";

/// An app and how its imports resolve.
#[derive(Default)]
pub struct App {
    /// The folder on disk that stands for [`ROOT`]; none for an app that is all in `files`.
    folder: Option<PathBuf>,
    /// Texts of modules by id, before those on disk.
    files: BTreeMap<String, String>,
    /// What each bare specifier leads to; a specifier with a final `/` stands for all that begin with it.
    aliases: Vec<(String, String)>,
    /// Whether the module that was found last is loaded first.
    depth_first: bool,
}

/// A finished build.
pub struct Build {
    pub close: Close,
    /// The modules that the session changed, by id.
    pub changed: BTreeMap<String, Output>,
    session: Session,
}

impl App {
    /// The app in `fixtures/<name>`.
    pub fn fixture(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name);
        Self { folder: Some(folder), ..Self::default() }
    }

    /// An app that consists of these files, by their paths from the root.
    pub fn of<'f>(files: impl IntoIterator<Item = (&'f str, String)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (format!("{ROOT}/{path}"), text)).collect();
        Self { files, ..Self::default() }
    }

    /// The same app with an alias for a specifier, or for all that begin with it.
    pub fn alias(mut self, specifier: &str, target: &str) -> Self {
        self.aliases.push((specifier.to_owned(), target.to_owned()));
        self
    }

    /// The same app with a module that no folder has: its text is that of a file of the fixture.
    pub fn virtual_module(self, specifier: &str, file: &str) -> Self {
        let id = format!("\0{specifier}");
        let text = self.read_fixture(file).unwrap();
        self.file(id.clone(), text).alias(specifier, &id)
    }

    /// The same app with a package in its `node_modules` that has one module, a file of the fixture.
    pub fn install(self, package: &str, file: &str) -> Self {
        let id = format!("{ROOT}/node_modules/{package}/index.js");
        let text = self.read_fixture(file).unwrap();
        self.file(id.clone(), text).alias(package, &id)
    }

    /// The same app, whose modules the bundler happens to load in another order.
    pub fn depth_first(mut self) -> Self {
        self.depth_first = true;
        self
    }

    fn file(mut self, id: String, text: String) -> Self {
        self.files.insert(id, text);
        self
    }

    /// Builds the app from an entry, a path from the root.
    pub fn build(&self, entry: &str) -> Build {
        let mut session = Session::new(Options {
            root: ROOT.to_owned(),
            target: "web-production".to_owned(),
            source_maps: false,
        });
        let mut graph: BTreeMap<String, Known> = BTreeMap::new();
        let mut changed = BTreeMap::new();
        let entry = format!("{ROOT}/{entry}");
        let mut queue = VecDeque::from([entry]);
        while let Some(id) = if self.depth_first { queue.pop_back() } else { queue.pop_front() } {
            if graph.get(&id).is_some_and(|known| known.code.is_some()) {
                continue;
            }
            let text = self.load(&id, &session).unwrap_or_else(|| panic!("cannot load {id}"));
            let code = match self.transform(&mut session, &id, &text) {
                Some(output) => {
                    let code = output.code.clone();
                    changed.insert(id.clone(), output);
                    code
                }
                None => text,
            };
            for specifier in imports_of(&id, &code) {
                let target =
                    self.resolve(&specifier, &id).unwrap_or_else(|| panic!("{id} imports {specifier}"));
                let known =
                    graph.entry(target.clone()).or_insert(Known { code: None, importers: Vec::new() });
                if !known.importers.contains(&id) {
                    known.importers.push(id.clone());
                }
                queue.push_back(target);
            }
            graph.entry(id).or_insert(Known { code: None, importers: Vec::new() }).code = Some(code);
        }
        let close = loop {
            match session.close() {
                Close::Ask(questions) => self.answer(&mut session, questions, &graph),
                close => break close,
            }
        };
        Build { close, changed, session }
    }

    fn transform(&self, session: &mut Session, id: &str, text: &str) -> Option<Output> {
        if !MENTIONS.iter().any(|mention| text.contains(mention)) {
            return None;
        }
        loop {
            match session.transform(id, text) {
                Transform::Unchanged => return None,
                Transform::Changed(output) => return Some(output),
                Transform::Ask(questions) => self.answer(session, questions, &BTreeMap::new()),
            }
        }
    }

    fn answer(&self, session: &mut Session, questions: Vec<Question>, graph: &BTreeMap<String, Known>) {
        assert!(!questions.is_empty(), "a session that asks nothing waits for nothing");
        for question in questions {
            session.answer(match question {
                Question::Resolve { specifier, importer } => {
                    let id = self.resolve(&specifier, &importer);
                    Answer::Resolved { specifier, importer, id, external: false }
                }
                Question::Module { id } => {
                    let known = graph.get(&id).cloned();
                    Answer::Module { id, known }
                }
                Question::Source { id } => {
                    // A plugin reads the disk, where a virtual module is not.
                    let text = if id.starts_with('\0') { None } else { self.read(&id) };
                    Answer::Source { id, text }
                }
                Question::Package { id } => {
                    let package = package_of(&id);
                    Answer::Package { id, package }
                }
            });
        }
    }

    fn resolve(&self, specifier: &str, importer: &str) -> Option<String> {
        match specifier {
            AUTHORITY => return Some(format!("\0{AUTHORITY}")),
            "@agent-surface/core" => return Some(CORE.to_owned()),
            _ => {}
        }
        let alias = self.aliases.iter().find_map(|(from, to)| {
            let rest = specifier.strip_prefix(from.as_str())?;
            (rest.is_empty() || from.ends_with('/')).then(|| format!("{to}{rest}"))
        });
        let path = match alias {
            Some(path) => path,
            None if specifier.starts_with('.') => join(importer.rsplit_once('/')?.0, specifier),
            None => return None,
        };
        ["", ".ts", ".tsx", ".js", "/index.ts"]
            .iter()
            .map(|ending| format!("{path}{ending}"))
            .find(|id| self.read(id).is_some())
    }

    fn load(&self, id: &str, session: &Session) -> Option<String> {
        match id {
            CORE => Some("/* the runtime */".to_owned()),
            _ if id.strip_prefix('\0') == Some(AUTHORITY) => Some(session.authority_module()),
            _ => self.read(id),
        }
    }

    fn read(&self, id: &str) -> Option<String> {
        match self.files.get(id) {
            Some(text) => Some(text.clone()),
            None => self.read_fixture(id.strip_prefix(ROOT)?.strip_prefix('/')?),
        }
    }

    fn read_fixture(&self, path: &str) -> Option<String> {
        let file = self.folder.as_ref()?.join(path);
        file.is_file().then(|| std::fs::read_to_string(file).unwrap())
    }
}

impl Build {
    /// A changed module as it ships: the text after the session has seen the finished chunk.
    pub fn ship(&self, code: &str) -> String {
        self.session.render(code).map_or_else(|| code.to_owned(), |output| output.code)
    }
}

/// The package of a module: one in `node_modules` by the name of its folder, else the app.
fn package_of(id: &str) -> Option<Package> {
    let path = id.strip_prefix(ROOT)?;
    Some(match path.strip_prefix("/node_modules/") {
        None => Package { name: "app".to_owned(), version: None, dir: ROOT.to_owned(), installed: false },
        Some(path) => {
            let names = if path.starts_with('@') { 2 } else { 1 };
            let name = path.split('/').take(names).collect::<Vec<_>>().join("/");
            let dir = format!("{ROOT}/node_modules/{name}");
            Package { name, version: Some("1.0.0".to_owned()), dir, installed: true }
        }
    })
}

/// What a module imports at run time, statically or by `import("…")`.
fn imports_of(id: &str, code: &str) -> BTreeSet<String> {
    let allocator = Allocator::default();
    let kind = SourceType::from_path(id).unwrap_or_else(|_| SourceType::mjs());
    let parsed = Parser::new(&allocator, code, kind).parse();
    let record = &parsed.module_record;
    let requested = record.requested_modules.iter();
    let fixed = requested
        .filter(|(_, requests)| requests.iter().any(|request| !request.is_type))
        .map(|(specifier, _)| specifier.to_string());
    let later = record.dynamic_imports.iter().filter_map(|import| {
        let text = code.get(import.module_request.start as usize..import.module_request.end as usize)?;
        Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
    });
    fixed.chain(later).collect()
}

/// A relative specifier from a folder.
fn join(folder: &str, specifier: &str) -> String {
    let mut segments: Vec<&str> = folder.split('/').collect();
    for segment in specifier.split('/') {
        match segment {
            "." => {}
            ".." => {
                segments.pop();
            }
            name => segments.push(name),
        }
    }
    segments.join("/")
}
