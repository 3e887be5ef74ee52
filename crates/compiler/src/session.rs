//! The conversation with a host: one build of one environment.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::evaluate::{Evaluator, Value, written_name};
use crate::expand::{Expansion, expand, only_argument};
use crate::facts::{Argument, Call, ExprKind, Extent, Language, Placement};
use crate::graph::{Graph, Memory, Module, View};
use crate::macros::{self, Macro};
use crate::origin::Origins;
use crate::placeholder;
use crate::problem::{Problem, report, settle};
use crate::prove::{Sealed, is_ours, prove, seal, unreadable};

/// What a session is told once.
#[derive(Clone, Debug)]
pub struct Options {
    /// The project's root, as the host spells paths. Origins in the manifest are relative to it.
    pub root: String,
    /// Where the root's symbolic links lead, if anywhere else.
    pub real_root: Option<String>,
    /// The build target that the entries are proven for, `web-production` unless the user names another.
    pub target: String,
    /// Whether to make source maps with every edit.
    pub source_maps: bool,
}

/// What became of a module's text.
#[derive(Clone, Debug)]
pub enum Transform {
    /// Nothing to expand in it.
    Unchanged,
    /// The text with its macros expanded.
    Changed(Output),
    /// The text is beyond the bounds within which a parse ends well, ours or the bundler's: the build must fail
    /// before the bundler tries.
    Refused(Report),
    /// Answer these, then call again.
    Ask(Vec<Question>),
}

/// An edited text.
#[derive(Clone, Debug)]
pub struct Output {
    /// The new text.
    pub code: String,
    /// A source map (version 3, JSON) from the new text to the old, if the session makes maps.
    pub map: Option<String>,
}

/// What became of the build.
#[derive(Clone, Debug)]
pub enum Close {
    /// Every declaration is proven.
    Proven(Proof),
    /// At least one is not: the build must fail with this report.
    Refused(Report),
    /// Answer these, then call again.
    Ask(Vec<Question>),
}

/// A proven build.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The contract file: the manifest in canonical order, indented, with a final newline.
    pub manifest: String,
    /// The manifest's hash, lower-case hex.
    pub hash: String,
    /// What is worth a look and no reason to fail.
    pub warnings: Vec<Diagnostic>,
    /// Where each capability is declared, in the manifest's order.
    pub capabilities: Vec<Located>,
}

/// A capability and the place of its declaration.
#[derive(Clone, Debug)]
pub struct Located {
    /// For example `view:devices.table.sort`.
    pub capability_id: String,
    /// For example `src/contracts.ts#deviceTable`.
    pub declaration_id: String,
    /// The file, relative to the root.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 code units.
    pub column: u32,
}

/// All errors of a build, in one text and one by one.
#[derive(Clone, Debug)]
pub struct Report {
    /// Every error with its frame and help, without colour.
    pub text: String,
    /// The same, taken apart.
    pub diagnostics: Vec<Diagnostic>,
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The build fails.
    Error,
    /// The build goes on.
    Warning,
}

/// One thing to say about one place.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Whether the build fails.
    pub severity: Severity,
    /// A stable name of the kind of diagnostic, `agent-surface(dynamic-value)` for example.
    pub code: String,
    /// What was found.
    pub message: String,
    /// The module, as the host names it; none for what has no place.
    pub id: Option<String>,
    /// 1-based; 0 without a place.
    pub line: u32,
    /// 1-based, in UTF-16 code units; 0 without a place.
    pub column: u32,
    /// The rendered text with its code frame.
    pub frame: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// Something only the host can know.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Question {
    /// To which module does this specifier lead from that one?
    Resolve {
        /// The specifier as written.
        specifier: String,
        /// The id of the module that has it.
        importer: String,
    },
    /// Is this module in the graph, and who imports it?
    Module {
        /// The module's id.
        id: String,
    },
    /// What is this module's text, after every plugin's transform?
    Code {
        /// The module's id.
        id: String,
    },
    /// What is this module's text on disk? Asked while the graph is still being loaded.
    Source {
        /// The module's id.
        id: String,
    },
    /// Which package does this file belong to?
    Package {
        /// The module's id.
        id: String,
    },
}

/// The host's word on a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To [`Question::Resolve`]; `id` is none where nothing is found.
    Resolved {
        /// As asked.
        specifier: String,
        /// As asked.
        importer: String,
        /// The module's id, or the name of an external one.
        id: Option<String>,
        /// Whether the bundler leaves it out of the bundle.
        external: bool,
    },
    /// To [`Question::Module`]; none where the module is not in the graph.
    Module {
        /// As asked.
        id: String,
        /// What the bundler knows.
        known: Option<Known>,
    },
    /// To [`Question::Code`]; none for an external module, and for one that is not in the graph.
    Code {
        /// As asked.
        id: String,
        /// The text.
        text: Option<String>,
    },
    /// To [`Question::Source`]; none where it can't be read.
    Source {
        /// As asked.
        id: String,
        /// The text.
        text: Option<String>,
    },
    /// To [`Question::Package`]; none where no `package.json` with a name lies above the file.
    Package {
        /// As asked.
        id: String,
        /// The package.
        package: Option<Package>,
    },
}

/// A module of the bundler's graph.
#[derive(Clone, Debug)]
pub struct Known {
    /// The ids of the modules that import it.
    pub importers: Vec<String>,
}

/// A package, from its `package.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its version, if it states one.
    pub version: Option<String>,
    /// Its folder.
    pub dir: String,
    /// Whether a `node_modules` folder holds it: code the project did not write.
    pub installed: bool,
}

/// One build of one environment.
#[derive(Debug)]
pub struct Session {
    options: Options,
    memory: Memory,
    /// The macro calls that were expanded, by module.
    expansions: FxHashMap<String, Vec<Expansion>>,
    /// The value of every placeholder, once the build is proven.
    values: FxHashMap<String, String>,
}

impl Session {
    /// A session that has seen nothing yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let roots = std::iter::once(options.root.as_str()).chain(options.real_root.as_deref());
        Self {
            memory: Memory::new(Origins::new(roots)),
            options,
            expansions: FxHashMap::default(),
            values: FxHashMap::default(),
        }
    }

    /// The text that marks a placeholder in a chunk: a chunk without it needs no [`Session::render`].
    #[must_use]
    pub fn placeholder_prefix() -> &'static str {
        placeholder::PREFIX
    }

    /// Takes the host's word on a question.
    pub fn answer(&mut self, answer: Answer) {
        self.memory.learn(answer);
    }

    /// Reads a module as its author wrote it, and expands its macros.
    pub fn transform(&mut self, id: &str, source: &str) -> Transform {
        if Language::of(id).is_none() || !macros::may_be_mentioned(source) {
            return Transform::Unchanged;
        }
        let module = self.memory.module(id, source, Extent::Calls);
        if let Some(refusal) = module.facts.refusal.as_ref().filter(|refusal| refusal.beyond_bounds)
            && macros::mentions_a_macro(source)
        {
            self.memory.transformed.insert(id.to_owned(), Rc::clone(&module));
            return Transform::Refused(report(&[unreadable(&module, refusal)]));
        }
        let graph = Graph::new(&self.memory, View::Loading);
        let expansions = find_expansions(&graph, &module);
        let is_ours = is_ours(&graph, id);
        let questions = graph.into_questions();
        if !questions.is_empty() {
            return Transform::Ask(questions);
        }
        if is_ours == Some(true) {
            self.forget_module(id);
            return Transform::Unchanged;
        }
        self.memory.transformed.insert(id.to_owned(), Rc::clone(&module));
        if expansions.is_empty() {
            self.expansions.remove(id);
            return Transform::Unchanged;
        }
        let output = expand(&module, &expansions, self.options.source_maps);
        self.expansions.insert(id.to_owned(), expansions);
        Transform::Changed(output)
    }

    /// Proves every declaration of the complete graph.
    pub fn close(&mut self) -> Close {
        let transformed: BTreeMap<&str, &Rc<Module>> =
            self.memory.transformed.iter().map(|(id, module)| (id.as_str(), module)).collect();
        let graph = Graph::new(&self.memory, View::Bundle);
        let pass = prove(&graph, &self.expansions, &transformed);
        if pass.waiting {
            return Close::Ask(graph.into_questions());
        }
        if !pass.problems.is_empty() {
            return self.refuse(pass.problems, &transformed);
        }
        match seal(pass.proven, &self.options.target) {
            Err(problem) => Close::Refused(report(&[*problem])),
            Ok(Sealed { manifest, located, mut values }) => {
                values.insert(authority_placeholder(&self.options.target), manifest.to_json().to_canonical());
                self.values = values;
                Close::Proven(Proof {
                    manifest: manifest.to_file_text(),
                    hash: manifest.hash().to_hex(),
                    warnings: settle(pass.warnings).iter().map(Problem::to_diagnostic).collect(),
                    capabilities: located,
                })
            }
        }
    }

    /// The report of a build that can't be proven. What the bundler has is the truth, but its positions are
    /// not the author's; where the author's files show a problem too, they show it better.
    fn refuse(&self, problems: Vec<Problem>, transformed: &BTreeMap<&str, &Rc<Module>>) -> Close {
        let graph = Graph::new(&self.memory, View::Author);
        let pass = prove(&graph, &self.expansions, transformed);
        if pass.waiting {
            let questions = graph.into_questions();
            if !questions.is_empty() {
                return Close::Ask(questions);
            }
        }
        let problems = if pass.problems.is_empty() { problems } else { pass.problems };
        Close::Refused(report(&settle(problems)))
    }

    /// Begins a rebuild: answers and the proof are forgotten, the facts of modules are kept, since a bundler
    /// does not transform an unchanged module again.
    pub fn restart(&mut self) {
        self.memory.forget_answers();
        self.values.clear();
    }

    /// Forgets a module that changed or went away.
    pub fn forget_module(&mut self, id: &str) {
        self.memory.transformed.remove(id);
        self.expansions.remove(id);
    }

    /// Replaces the placeholders of a chunk by what [`Session::close`] proved. None where it has none.
    #[must_use]
    pub fn render(&self, code: &str) -> Option<Output> {
        placeholder::replace(code, self.options.source_maps, |name| self.values.get(name).map(String::as_str))
    }

    /// The text of the virtual module that hands the authority to the app.
    #[must_use]
    pub fn authority_module(&self) -> String {
        let manifest = placeholder::expression(&authority_placeholder(&self.options.target));
        format!(
            "import {{ createCapabilityAuthority }} from \"@agent-surface/core\";\n\
             export const manifest = {manifest};\n\
             export default createCapabilityAuthority(manifest);\n"
        )
    }
}

/// The name of the manifest's own placeholder.
fn authority_placeholder(target: &str) -> String {
    let hash = blake3::hash(target.as_bytes());
    format!("{}:manifest", placeholder::key("virtual:agent-surface-contract", &hash))
}

/// Whether a call is worth following to what it calls: it has a macro's own name, or it is handed an object as
/// a macro is, and some module may have given the macro a name of the app's.
fn may_be_macro(module: &Module, call: &Call, argument: &Argument) -> bool {
    match written_name(module, &call.callee) {
        Some(name) if Macro::named(name).is_some() => true,
        Some(_) => matches!(argument.expr.kind, ExprKind::Object(_)),
        None => false,
    }
}

/// The macro calls of a module, as far as they have the form of a declaration.
fn find_expansions(graph: &Graph<'_>, module: &Rc<Module>) -> Vec<Expansion> {
    let key = placeholder::key(&module.origin, &module.hash);
    let mut expansions = Vec::new();
    for (index, call) in module.facts.calls.iter().enumerate() {
        let Some(argument) = only_argument(call) else { continue };
        let has_place = !matches!(call.placement, Placement::Misplaced(_));
        if !has_place || !may_be_macro(module, call, argument) {
            continue;
        }
        let callee = Evaluator::new(graph).evaluate(module, &call.callee);
        if let Value::Ours { package, name } = &callee.value
            && let Some(kind) = Macro::named(name).filter(|_| &**package == "core")
        {
            expansions.push(Expansion::new(&key, index, kind, module, &argument.expr));
        }
    }
    expansions
}
