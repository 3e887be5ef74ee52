//! A project in memory, and a host that plays the bundler for it.
#![allow(dead_code, reason = "each test file uses its part of this")]

mod bundler;
mod spelling;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use agent_surface_compiler::{
    Approval, Close, ContractFile, Define, Explain, Explanation, Failure, Options, Proof, Question, Report,
    Session, Severity, Transform,
};

use bundler::requests;
pub(crate) use spelling::Spelling;

/// Where the project lies, as far as the session is told.
pub(crate) const ROOT: &str = "/app";

/// Modules by their path from the root. `src/main.ts` is the entry.
#[derive(Clone, Default)]
pub(crate) struct Project {
    files: BTreeMap<String, String>,
    /// What the bundler has instead of the author's text, as if another plugin had transformed it.
    bundled: BTreeMap<String, String>,
    /// What other plugins make of a module between the two times that it is handed over, and their source maps.
    compiled: BTreeMap<String, String>,
    maps: BTreeMap<String, String>,
    /// The constants that the bundler puts in the place of names.
    defines: Vec<Define>,
    /// Nothing is installed as `@agent-surface/core`.
    pub(crate) lacks_core: bool,
    /// The allow list.
    approvals: Vec<Approval>,
    /// What tools that no contract proves are to the project.
    raw_tools: Option<Severity>,
    /// What is found where a contract file should be, where that is not the file of this path.
    contract_files: BTreeMap<String, ContractFile>,
    /// What the bundler has of a module that other plugins transform after it was handed over.
    later: BTreeMap<String, String>,
    /// Modules that a plugin makes up, by specifier.
    virtual_modules: BTreeMap<String, String>,
    /// Visit modules in the opposite order.
    pub(crate) reversed: bool,
    /// How the host spells ids.
    spelling: Spelling,
    /// What the schema libraries say, in the order in which they are asked; the last of it again and again.
    said: Vec<Result<String, Failure>>,
    /// Packages that the bundler leaves out of the bundle.
    external: BTreeSet<String>,
    /// The core that a module resolves `@agent-surface/core` to, where it is not the app's own.
    cores: BTreeMap<String, String>,
}

/// What a build of a project came to.
pub(crate) struct Build {
    pub(crate) outcome: Result<Proof, Report>,
    /// Modules as the transform left them, by path from the root.
    pub(crate) transformed: BTreeMap<String, String>,
    /// Which of them the transform changed.
    pub(crate) changed: BTreeSet<String>,
    pub(crate) session: Session,
    /// The programs that schema libraries were asked to run, round by round.
    pub(crate) programs: Vec<Vec<String>>,
    /// What the bundler has of each module, by id.
    code: BTreeMap<String, String>,
    /// Who imports each module, by id.
    importers: BTreeMap<String, BTreeSet<String>>,
    /// How often the session asked before it decided.
    pub(crate) rounds: usize,
    /// How much it asked, in all rounds together.
    pub(crate) questions: usize,
    /// The paths that it asked about, as they are written.
    pub(crate) paths: BTreeSet<String>,
}

impl Project {
    pub(crate) fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files =
            files.into_iter().map(|(path, text)| (format!("{ROOT}/{path}"), text.to_owned())).collect();
        Self { files, ..Self::default() }
    }

    /// A project of one module, `src/main.ts`, that begins by importing everything it may need from the core.
    pub(crate) fn of(main: &str) -> Self {
        Self::new([("src/main.ts", with_imports(main).as_str())])
    }

    pub(crate) fn with(mut self, path: &str, text: &str) -> Self {
        self.files.insert(format!("{ROOT}/{path}"), text.to_owned());
        self
    }

    /// What other plugins make of a file before it is handed over for the second time.
    pub(crate) fn compiled_as(mut self, path: &str, text: &str) -> Self {
        self.compiled.insert(format!("{ROOT}/{path}"), text.to_owned());
        self
    }

    /// The source map of what other plugins make of a file.
    pub(crate) fn with_map(mut self, path: &str, map: &str) -> Self {
        self.maps.insert(format!("{ROOT}/{path}"), map.to_owned());
        self
    }

    /// A constant that the bundler puts in the place of a name.
    pub(crate) fn with_define(mut self, name: &str, text: &str, differs_in: Option<&str>) -> Self {
        let (name, text) = (name.to_owned(), text.to_owned());
        self.defines.push(Define { name, text, differs_in: differs_in.map(str::to_owned) });
        self
    }

    /// What another plugin makes of a file that was handed over as it lies on disk.
    pub(crate) fn transformed_later(mut self, path: &str, text: &str) -> Self {
        self.later.insert(format!("{ROOT}/{path}"), text.to_owned());
        self
    }

    /// An entry of the allow list.
    pub(crate) fn allowing(mut self, package: &str, digest: &str, path: Option<&str>) -> Self {
        let (package, digest) = (package.to_owned(), digest.to_owned());
        self.approvals.push(Approval { package, digest, path: path.map(str::to_owned) });
        self
    }

    /// What it means that the project registers tools with the browser.
    pub(crate) fn with_raw_tools(mut self, raw_tools: Severity) -> Self {
        self.raw_tools = Some(raw_tools);
        self
    }

    /// What the host finds in the place of a contract file.
    pub(crate) fn with_contract_file(mut self, path: &str, file: ContractFile) -> Self {
        self.contract_files.insert(format!("{ROOT}/{path}"), file);
        self
    }

    pub(crate) fn bundled_as(mut self, path: &str, text: &str) -> Self {
        self.bundled.insert(format!("{ROOT}/{path}"), text.to_owned());
        self
    }

    pub(crate) fn with_virtual(mut self, specifier: &str, text: &str) -> Self {
        self.virtual_modules.insert(specifier.to_owned(), text.to_owned());
        self
    }

    /// Lets the host spell ids in its own way.
    pub(crate) fn spelled(mut self, spelling: Spelling) -> Self {
        self.spelling = spelling;
        self
    }

    /// Installs a module of a schema library.
    pub(crate) fn with_library(self, specifier: &str) -> Self {
        self.with(&format!("node_modules/{specifier}/index.js"), "export {};")
    }

    /// What the schema library says when it is asked next.
    pub(crate) fn saying(mut self, document: &str) -> Self {
        self.said.push(Ok(document.to_owned()));
        self
    }

    /// How the schema library fails when it is asked next.
    pub(crate) fn failing(mut self, message: &str, site: Option<u32>, stand_in: Option<u32>) -> Self {
        self.said.push(Err(Failure { message: message.to_owned(), site, stand_in }));
        self
    }

    /// Leaves a package out of the bundle.
    pub(crate) fn with_external(mut self, specifier: &str) -> Self {
        self.external.insert(specifier.to_owned());
        self
    }

    /// Gives a module a core package of another version.
    pub(crate) fn with_core_of(mut self, path: &str, dir: &str) -> Self {
        self.cores.insert(format!("{ROOT}/{path}"), format!("{ROOT}/{dir}/dist/index.js"));
        self
    }

    pub(crate) fn build(&self) -> Build {
        let options = Options {
            root: self.spelling.root.to_owned(),
            real_root: None,
            target: "web-production".to_owned(),
            source_maps: true,
            defines: self.defines.clone(),
            approvals: self.approvals.clone(),
            raw_tools: self.raw_tools.unwrap_or(Severity::Error),
        };
        self.build_with(Session::new(options))
    }

    pub(crate) fn build_with(&self, session: Session) -> Build {
        self.build_from(session, |_| None)
    }

    /// Builds again what was another project before, as a bundler does that watches: it hands over what has changed.
    pub(crate) fn rebuild(&self, mut before: Build, other: &Self) -> Build {
        before.session.restart();
        self.build_what_changed(before, other)
    }

    /// The same by a host that follows the graph: it says which modules are others than they were, and stands by the rest.
    pub(crate) fn rebuild_about(&self, mut before: Build, other: &Self) -> Build {
        let after = self.build();
        let touched: BTreeSet<String> = self
            .files
            .keys()
            .chain(before.code.keys())
            .chain(after.code.keys())
            .filter(|id| {
                self.files.get(*id) != other.files.get(*id)
                    || before.code.get(*id) != after.code.get(*id)
                    || before.importers.get(*id) != after.importers.get(*id)
            })
            .map(|id| self.spelling.spell(id))
            .collect();
        before.session.restart_about(|id| touched.contains(id));
        self.build_what_changed(before, other)
    }

    fn build_what_changed(&self, mut before: Build, other: &Self) -> Build {
        let is_same = |id: &str| self.files.get(id) == other.files.get(id);
        for id in other.files.keys().filter(|id| !is_same(id)) {
            before.session.forget_module(&self.spelling.spell(id));
        }
        self.build_from(before.session, |id| before.code.get(id).filter(|_| is_same(id)).cloned())
    }

    /// `kept` is what the bundler still has of a module that it does not transform again.
    fn build_from(&self, mut session: Session, kept: impl Fn(&str) -> Option<String>) -> Build {
        let entry = format!("{ROOT}/src/main.ts");
        let mut queue = VecDeque::from([entry.clone()]);
        let mut code: BTreeMap<String, String> = BTreeMap::new();
        let mut importers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut changed = BTreeSet::new();
        while let Some(id) = queue.pop_front() {
            if code.contains_key(&id) {
                continue;
            }
            let source = self.source_of(&id);
            let text = kept(&id).unwrap_or_else(|| self.transform(&mut session, &id, &source));
            if text != source {
                changed.insert(name_of(&id).to_owned());
            }
            let mut requests = requests(&id, &text);
            code.insert(id.clone(), text);
            if self.reversed {
                requests.reverse();
            }
            for specifier in requests {
                if let Some(target) = self.resolve(&specifier, &id) {
                    importers.entry(target.clone()).or_default().insert(id.clone());
                    queue.push_back(target);
                }
            }
        }
        let mut rounds = 0;
        let mut asked = 0;
        let mut paths = BTreeSet::new();
        let mut programs = Vec::new();
        let outcome = loop {
            match session.close() {
                Close::Proven(proof) => break Ok(proof),
                Close::Refused(report) => break Err(report),
                Close::Ask(questions) => {
                    assert!(!questions.is_empty(), "the session waits for nothing");
                    rounds += 1;
                    asked += questions.len();
                    let schemas: Vec<_> = questions.iter().filter_map(program_of).collect();
                    let first = programs.iter().map(Vec::len).sum::<usize>();
                    if !schemas.is_empty() {
                        programs.push(schemas);
                    }
                    for (at, question) in questions.into_iter().enumerate() {
                        if let Question::Schema { key, .. } = question {
                            session.answer(self.schema(key, first + at));
                            continue;
                        }
                        if let Question::Resolve { specifier, .. } = &question
                            && specifier.starts_with('.')
                        {
                            paths.insert(specifier.clone());
                        }
                        session.answer(self.answer(question, &code, &importers));
                    }
                }
            }
        };
        let transformed = code.iter().map(|(id, text)| (name_of(id).to_owned(), text.clone())).collect();
        let questions = asked;
        Build { outcome, transformed, changed, session, code, importers, rounds, questions, paths, programs }
    }

    /// A module as its author wrote it.
    fn source_of(&self, id: &str) -> String {
        let made_up = id.strip_prefix('\0').and_then(|specifier| self.virtual_modules.get(specifier));
        made_up.or_else(|| self.files.get(id)).cloned().unwrap_or_default()
    }

    /// What the plugins make of a module.
    fn transform(&self, session: &mut Session, id: &str, source: &str) -> String {
        // As the plugin's hook filter has it: a module that names nothing of ours is never handed over.
        let words = ["gent", "observations:", "actions:", "effect:", "modelContext", "registerTool"];
        let spelled = self.spelling.spell(id);
        let is_handed_over = |text: &str| {
            words.iter().any(|word| text.contains(word)) || text.to_ascii_lowercase().contains("toolname")
        };
        let text = if is_handed_over(source) {
            self.hand_over(session, source, |session| session.transform(&spelled, source))
        } else {
            self.bundled.get(id).cloned().unwrap_or_else(|| source.to_owned())
        };
        let text = self.compiled.get(id).cloned().unwrap_or(text);
        let text = if is_handed_over(&text) {
            self.hand_over(session, &text, |session| session.transform_compiled(&spelled, &text))
        } else {
            text
        };
        self.later.get(id).cloned().unwrap_or(text)
    }

    /// How a capability of a finished build came about.
    pub(crate) fn explain(&self, mut build: Build, capability_id: &str) -> Vec<Explanation> {
        loop {
            match build.session.explain(capability_id) {
                Explain::Explained(explanations) => return explanations,
                Explain::Ask(questions) => {
                    assert!(!questions.is_empty(), "the session waits for nothing");
                    for question in questions {
                        let answer = self.answer(question, &build.code, &build.importers);
                        build.session.answer(answer);
                    }
                }
            }
        }
    }

    fn hand_over(
        &self,
        session: &mut Session,
        source: &str,
        transform: impl Fn(&mut Session) -> Transform,
    ) -> String {
        loop {
            match transform(session) {
                Transform::Unchanged => return source.to_owned(),
                // The build would end here; what follows reports the same module again.
                Transform::Refused(_) => return source.to_owned(),
                Transform::Changed(output) => return output.code,
                Transform::Ask(questions) => {
                    assert!(!questions.is_empty(), "the session waits for nothing");
                    for question in questions {
                        session.answer(self.answer(question, &BTreeMap::new(), &BTreeMap::new()));
                    }
                }
            }
        }
    }
}

impl Build {
    /// The manifest of a build that must have succeeded.
    pub(crate) fn manifest(&self) -> serde_json::Value {
        match &self.outcome {
            Ok(proof) => serde_json::from_str(&proof.manifest).unwrap(),
            Err(report) => panic!("{}", report.text),
        }
    }

    /// The report of a build that must have failed.
    pub(crate) fn report(&self) -> &Report {
        match &self.outcome {
            Ok(proof) => panic!("proven: {}", proof.manifest),
            Err(report) => report,
        }
    }

    /// Each problem as `code file:line:column`.
    pub(crate) fn problems(&self) -> Vec<String> {
        self.report().diagnostics.iter().map(summary).collect()
    }

    /// Each warning of a build that must have succeeded, as `code file:line:column`.
    pub(crate) fn warnings(&self) -> Vec<String> {
        match &self.outcome {
            Ok(proof) => proof.warnings.iter().map(summary).collect(),
            Err(report) => panic!("{}", report.text),
        }
    }
}

fn program_of(question: &Question) -> Option<String> {
    match question {
        Question::Schema { program, .. } => Some(program.clone()),
        _ => None,
    }
}

fn summary(diagnostic: &agent_surface_compiler::Diagnostic) -> String {
    let file = diagnostic.id.as_deref().map_or("", name_of);
    let code = diagnostic.code.trim_start_matches("agent-surface(").trim_end_matches(')');
    format!("{code} {file}:{}:{}", diagnostic.line, diagnostic.column)
}

/// The text of a module that imports every macro and helper from the core.
pub(crate) fn with_imports(text: &str) -> String {
    format!(
        "import {{ actionContract, defineAgentComponentContract, defineAgentProcedureContract, \
         defineExternalAgentToolContract, emptyObjectSchema, fromJsonSchema, fromStandardSchema, \
         observationContract }} from \"@agent-surface/core\";\n{text}"
    )
}

/// A component contract named `c` with one observation whose description is `expression`.
pub(crate) fn describing(expression: &str) -> String {
    format!(
        "export const c = defineAgentComponentContract({{ type: \"t\", description: \"d\", observations: {{ \
         o: observationContract({{ description: {expression}, output: fromJsonSchema({{ type: \"number\" }}) }}) }} }});"
    )
}

/// A component contract named `c` with one observation whose output schema is `{ enum: [expression] }`.
pub(crate) fn carrying(expression: &str) -> String {
    format!(
        "export const c = defineAgentComponentContract({{ type: \"t\", description: \"d\", observations: {{ \
         o: observationContract({{ description: \"o\", output: fromJsonSchema({{ enum: [{expression}] }}) }}) }} }});"
    )
}

/// A module's path from the root, or the specifier of one that no folder has.
fn name_of(id: &str) -> &str {
    id.strip_prefix('\0').or_else(|| id.strip_prefix(ROOT)?.strip_prefix('/')).unwrap_or(id)
}
