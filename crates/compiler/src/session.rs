//! The conversation with a host: one build of one environment.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::evaluate::{Evaluator, Value};
use crate::expand::{Expansion, expand, only_argument};
use crate::facts::{Argument, Call, ExprKind, Extent, Language, Placement};
use crate::graph::{Graph, Memory, Module, View};
use crate::macros::{self, Macro};
use crate::message::{Answer, Close, Options, Output, Proof, Transform};
use crate::origin::Origins;
use crate::placeholder;
use crate::problem::{Problem, report, settle};
use crate::prove::{is_ours, prove, unreadable};
use crate::seal::{Sealed, seal};

/// One build of one environment.
#[derive(Debug)]
pub struct Session {
    options: Options,
    pub(crate) memory: Memory,
    /// The macro calls that were expanded, by module.
    pub(crate) expansions: FxHashMap<String, Vec<Expansion>>,
    /// The value of every placeholder, once the build is proven.
    values: FxHashMap<String, String>,
}

impl Session {
    /// A session that has seen nothing yet.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let roots = std::iter::once(options.root.as_str()).chain(options.real_root.as_deref());
        Self {
            memory: Memory::new(&options.root, Origins::new(roots)),
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
            self.memory.expanded.insert(id.to_owned(), module.hash);
            return Transform::Unchanged;
        }
        let output = expand(&module, &expansions, self.options.source_maps);
        self.memory.expanded.insert(id.to_owned(), blake3::hash(output.code.as_bytes()));
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
                let texts = manifest.to_texts();
                values.insert(authority_placeholder(&self.options.target), texts.canonical);
                self.values = values;
                Close::Proven(Proof {
                    manifest: texts.file,
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
        self.memory.expanded.remove(id);
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
    match module.facts.written_name(&call.callee) {
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
