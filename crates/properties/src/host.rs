//! A bundler in memory for modules of any text: it parses nothing, so that nothing but the session can break.

use std::collections::{BTreeMap, BTreeSet};

use agent_surface_compiler::{
    Answer, Close, ContractFile, Failure, Known, Options, Package, Proof, Question, Report, SchemaOutcome,
    Session, Severity, Transform,
};

/// Where the app lies, as far as the session is told.
pub(crate) const ROOT: &str = "/app";

/// The package that declares the macros. Nobody reads it: the compiler knows it by its name.
const CORE: &str = "/app/node_modules/@agent-surface/core/dist/index.js";

/// The package's folder.
const CORE_DIR: &str = "/app/node_modules/@agent-surface/core";

/// What a specifier may leave out.
const ENDINGS: [&str; 6] = ["", ".ts", ".tsx", ".js", ".mts", ".json"];

/// A build, from the first module to the last question.
pub(crate) struct Host<'p> {
    /// Modules by id, as their author wrote them.
    files: &'p BTreeMap<String, String>,
    /// The same after the session's transform.
    pub(crate) texts: BTreeMap<String, String>,
    pub(crate) session: Session,
    /// What was asked, so that nothing is asked twice.
    asked: BTreeSet<Question>,
    reversed: bool,
}

impl<'p> Host<'p> {
    /// `reversed` hands modules and answers over in the opposite order.
    pub(crate) fn new(files: &'p BTreeMap<String, String>, reversed: bool) -> Self {
        let session = Session::new(Options {
            root: ROOT.to_owned(),
            real_root: None,
            target: "web-production".to_owned(),
            source_maps: true,
            defines: Vec::new(),
            approvals: Vec::new(),
            raw_tools: Severity::Error,
        });
        Self { files, texts: BTreeMap::new(), session, asked: BTreeSet::new(), reversed }
    }

    /// Builds. Every module is in the graph, whoever imports it.
    pub(crate) fn build(&mut self) -> Result<Proof, Report> {
        let mut modules: Vec<(&String, &String)> = self.files.iter().collect();
        if self.reversed {
            modules.reverse();
        }
        for (id, source) in modules {
            let text = self.transform(id, source)?;
            self.texts.insert(id.clone(), text);
        }
        loop {
            match self.session.close() {
                Close::Proven(proof) => return Ok(proof),
                Close::Refused(report) => return Err(report),
                Close::Ask(questions) => self.answer(questions),
            }
        }
    }

    fn transform(&mut self, id: &str, source: &str) -> Result<String, Report> {
        loop {
            match self.session.transform(id, source) {
                Transform::Unchanged => return Ok(source.to_owned()),
                Transform::Changed(output) => {
                    let map = output.map.as_deref().map(serde_json::from_str::<serde_json::Value>);
                    assert!(matches!(map, Some(Ok(_))), "{id}: an edit comes with a source map");
                    return Ok(output.code);
                }
                Transform::Refused(report) => return Err(report),
                Transform::Ask(questions) => self.answer(questions),
            }
        }
    }

    fn answer(&mut self, mut questions: Vec<Question>) {
        assert!(!questions.is_empty(), "the session waits for nothing");
        if self.reversed {
            questions.reverse();
        }
        for question in questions {
            assert!(self.asked.insert(question.clone()), "asked twice: {question:?}");
            let answer = self.answer_to(question);
            self.session.answer(answer);
        }
    }

    fn answer_to(&self, question: Question) -> Answer {
        match question {
            Question::Resolve { specifier, importer } => {
                let id = self.resolve(&specifier, &importer);
                Answer::Resolved { specifier, importer, id, external: false }
            }
            Question::Module { id } => {
                let known = (self.texts.contains_key(&id) || id == CORE)
                    .then(|| Known { importers: self.importers_of(&id), is_entry: id.contains("/main.") });
                Answer::Module { id, known }
            }
            Question::Code { id } => {
                let text = self.texts.get(&id).cloned();
                Answer::Code { id, text }
            }
            Question::Source { id } => {
                let text = self.files.get(&id).cloned();
                Answer::Source { id, text }
            }
            // No schema library is installed.
            Question::Schema { key, .. } => Answer::Schema {
                key,
                outcome: SchemaOutcome::Failed(Failure {
                    message: "no library is installed here".to_owned(),
                    site: None,
                    stand_in: None,
                }),
                libraries: Vec::new(),
            },
            // No other plugin changes a text here.
            Question::Map { id } => Answer::Map { id, map: None },
            Question::Package { id } => {
                let is_core = id.starts_with(CORE_DIR);
                let package = Package {
                    name: if is_core { "@agent-surface/core" } else { "app" }.to_owned(),
                    version: is_core.then(|| "0.1.0".to_owned()),
                    dir: if is_core { CORE_DIR } else { ROOT }.to_owned(),
                    installed: is_core,
                    declares_contract: false,
                };
                Answer::Package { id, package: Some(package) }
            }
            Question::Installed => Answer::Installed { ids: Vec::new() },
            // No package declares one.
            Question::ContractFile { folder, path } => {
                let file = ContractFile::Unreadable { reason: "there is none".to_owned() };
                Answer::ContractFile { folder, path, file }
            }
        }
    }

    /// Every module that has another's name in its text may import it. Those that don't are looked at in vain.
    fn importers_of(&self, id: &str) -> Vec<String> {
        let file = id.rsplit('/').next().unwrap_or(id);
        let stem = file.split('.').next().unwrap_or(file);
        let mentions = |text: &&String| id == CORE || text.contains(stem);
        let mut importers: Vec<String> =
            self.texts.iter().filter(|(_, text)| mentions(text)).map(|(id, _)| id.clone()).collect();
        if self.reversed {
            importers.reverse();
        }
        importers
    }

    fn resolve(&self, specifier: &str, importer: &str) -> Option<String> {
        if specifier == "@agent-surface/core" {
            return Some(CORE.to_owned());
        }
        if !specifier.starts_with('.') {
            return None;
        }
        let mut path: Vec<&str> = importer.split('/').collect();
        path.pop();
        for segment in specifier.split('/') {
            match segment {
                "." => {}
                ".." => drop(path.pop()),
                segment => path.push(segment),
            }
        }
        let base = path.join("/");
        ENDINGS.iter().map(|ending| format!("{base}{ending}")).find(|path| self.files.contains_key(path))
    }
}
