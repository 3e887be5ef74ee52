//! The conversation with a host: one build of one environment.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use agent_surface_manifest::Contract;
use oxc_span::Span;
use rustc_hash::FxHashMap;

use crate::evaluate::{Defines, Evaluator, Value};
use crate::expand::{Expansion, expand, is_expanded, only_argument};
use crate::external::{Policy, is_sealed};
use crate::facts::{
    Argument, Call, Component, ExprKind, Extent, Language, Markup, Placement, Stage, markup_of,
};
use crate::graph::{Graph, View};
use crate::library::{SchemaLiteral, Sides, Values, find_literals, values_of};
use crate::macros::{self, Macro};
use crate::memory::Memory;
use crate::message::{Answer, Close, LibraryImport, Options, Output, Question, Severity, Transform};
use crate::module::{Module, Reading};
use crate::origin::Origins;
use crate::own::Own;
use crate::placeholder;
use crate::problem::{Place, Problem, diagnostics, report, settle};
use crate::prove::{Expansions, Pass, Proven, Subjects, is_ours, prove, unreadable};
use crate::seal::{Places, Sealed, seal};
use crate::written::Compiled;

/// One build of one environment.
#[derive(Debug)]
pub struct Session {
    pub(crate) options: Options,
    pub(crate) memory: Memory,
    pub(crate) expansions: Expansions,
    /// The modules in which schemas of libraries are replaced by what they come to, by their keys.
    literals: FxHashMap<String, (Rc<Module>, Vec<SchemaLiteral>)>,
    /// The modules of libraries that they need, of which the host was not told yet.
    libraries: BTreeSet<LibraryImport>,
    /// The value of every placeholder, once the build is proven.
    pub(crate) values: FxHashMap<String, String>,
    /// Whose placeholders hold the values of each declaration, by its id, once the build is proven.
    pub(crate) declared: FxHashMap<String, Expansion>,
    /// What this environment proved by itself, once it has.
    pub(crate) own: Option<Own>,
}

impl Session {
    /// A session that has seen nothing yet.
    #[must_use]
    pub fn new(mut options: Options) -> Self {
        let defines = Defines::new(std::mem::take(&mut options.defines));
        let policy = Policy::new(std::mem::take(&mut options.approvals))
            .allowing_raw_tools(options.raw_tools == Severity::Warning);
        let roots = std::iter::once(options.root.as_str()).chain(options.real_root.as_deref());
        Self {
            memory: Memory::new(&options.root, Origins::new(roots), defines, policy),
            options,
            expansions: Expansions::default(),
            literals: FxHashMap::default(),
            libraries: BTreeSet::new(),
            values: FxHashMap::default(),
            declared: FxHashMap::default(),
            own: None,
        }
    }

    /// The text that marks a placeholder in a chunk: a chunk without it needs no [`Session::render`].
    #[must_use]
    pub fn placeholder_prefix() -> &'static str {
        placeholder::PREFIX
    }

    /// Whether a text may declare a contract or go round one. What does neither need not be handed over.
    #[must_use]
    pub fn may_mention(source: &str) -> bool {
        macros::may_be_mentioned(source)
    }

    /// Takes the host's word on a question.
    pub fn answer(&mut self, answer: Answer) {
        self.memory.learn(answer);
    }

    /// Reads a module as its author wrote it, and expands its macros.
    pub fn transform(&mut self, id: &str, source: &str) -> Transform {
        self.pass(id, |session| session.transform_written(id, source))
    }

    fn transform_written(&mut self, id: &str, source: &str) -> Transform {
        if let Some(markup) = markup_of(id) {
            self.read_page(id, source, markup);
            return Transform::Unchanged;
        }
        if Language::of(id).is_none() || !macros::may_be_mentioned(source) {
            return Transform::Unchanged;
        }
        match self.is_ours(id) {
            Err(questions) => return Transform::Ask(questions),
            Ok(true) => {
                self.drop_module(id);
                return Transform::Unchanged;
            }
            Ok(false) => {}
        }
        // As a whole: what it exports is looked at sooner or later.
        let module = self.memory.module(id, source, Reading::Script(Stage::Written, Extent::Whole));
        if let Some(refusal) = module.facts.refusal.as_ref().filter(|refusal| refusal.beyond_bounds)
            && macros::mentions_a_macro(source)
        {
            self.memory.transformed.insert(id.to_owned(), Rc::clone(&module));
            return Transform::Refused(report(&[unreadable(&module, refusal)]));
        }
        let graph = Graph::new(&self.memory, View::Loading);
        let expansions = find_expansions(&module, &find_macro_calls(&graph, &module));
        let literals = find_literals(&graph, &module);
        let questions = graph.into_questions();
        if !questions.is_empty() {
            return Transform::Ask(questions);
        }
        self.memory.transformed.insert(id.to_owned(), Rc::clone(&module));
        self.expand(&module, expansions, literals)
    }

    /// Whether a module is one of our packages', which need not even be read; or what must be known to tell.
    fn is_ours(&self, id: &str) -> Result<bool, Vec<Question>> {
        let graph = Graph::new(&self.memory, View::Loading);
        is_ours(&graph, id).ok_or_else(|| graph.into_questions())
    }

    /// Keeps a page that has something to tell of. Bundlers make a script of it that has nothing of that.
    fn read_page(&mut self, id: &str, source: &str, markup: Markup) {
        let page = self.memory.module(id, source, Reading::Markup(markup));
        match page.facts.exposures.is_empty() {
            true => self.memory.pages.remove(id),
            false => self.memory.pages.insert(id.to_owned(), page),
        };
    }

    /// Reads a module as other plugins left it, and expands the macros that were not there, or not to be read,
    /// when the module was as its author wrote it: those of components and of generated code.
    pub fn transform_compiled(&mut self, id: &str, source: &str) -> Transform {
        self.pass(id, |session| session.transform_anew(id, source))
    }

    fn transform_anew(&mut self, id: &str, source: &str) -> Transform {
        let is_as_written = self.memory.transformed.get(id).is_some_and(|module| &*module.source == source);
        if is_as_written || !macros::may_be_mentioned(source) {
            self.forget_compiled(id);
            return Transform::Unchanged;
        }
        match self.is_ours(id) {
            Err(questions) => return Transform::Ask(questions),
            Ok(true) => {
                self.forget_compiled(id);
                return Transform::Unchanged;
            }
            Ok(false) => {}
        }
        // What a module exports is taken from its author's text, where that was handed over.
        let extent = if self.memory.transformed.contains_key(id) { Extent::Calls } else { Extent::Whole };
        let module = self.memory.module(id, source, Reading::Script(Stage::Compiled, extent));
        let graph = Graph::new(&self.memory, View::Loading);
        let calls = find_macro_calls(&graph, &module);
        let expansions = find_expansions(&module, &calls);
        let literals = find_literals(&graph, &module);
        // A component's author is found by reading the component file, and no map leads back past an edit without.
        let is_edited = self.memory.transformed.contains_key(id) && !self.options.source_maps;
        let has_map = Component::of(id).is_none() && !calls.is_empty() && !is_edited;
        let written = if has_map { graph.written(&module) } else { Some(None) };
        let questions = graph.into_questions();
        if !questions.is_empty() {
            return Transform::Ask(questions);
        }
        self.memory.forget_map(id);
        let has_nothing_new =
            self.memory.transformed.contains_key(id) && calls.is_empty() && literals.is_empty();
        // What is no script by now the bundler itself will refuse, or take for something else.
        if module.facts.refusal.is_some() || has_nothing_new {
            self.forget_compiled(id);
            return Transform::Unchanged;
        }
        let compiled = Compiled { module: Rc::clone(&module), written: written.flatten() };
        self.memory.compiled.insert(id.to_owned(), compiled);
        self.expand(&module, expansions, literals)
    }

    fn expand(
        &mut self,
        module: &Rc<Module>,
        expansions: Vec<Expansion>,
        literals: Vec<SchemaLiteral>,
    ) -> Transform {
        let key = module.key();
        if expansions.is_empty() && literals.is_empty() {
            self.expansions.remove(&key);
            self.literals.remove(&key);
            self.memory.expanded.insert(module.id.clone(), module.hash);
            return Transform::Unchanged;
        }
        let output = expand(module, &expansions, &literals, self.options.source_maps);
        self.memory.expanded.insert(module.id.clone(), blake3::hash(output.code.as_bytes()));
        if !literals.is_empty() {
            let entries = literals.iter().flat_map(|literal| &literal.imports);
            self.libraries.extend(entries.map(|entry| entry.to_import()));
            self.literals.insert(key.clone(), (Rc::clone(module), literals));
        }
        self.expansions.insert(key, expansions);
        Transform::Changed(output)
    }

    /// The modules of schema libraries that what was handed over since the last call is likely to need. A host that loads them
    /// while the graph is still growing has answers sooner, when [`Question::Schema`](crate::Question::Schema) is asked.
    pub fn take_libraries(&mut self) -> Vec<LibraryImport> {
        std::mem::take(&mut self.libraries).into_iter().collect()
    }

    /// Proves every declaration of the complete graph.
    pub fn close(&mut self) -> Close {
        let graph = Graph::new(&self.memory, View::Bundle);
        let mut pass = prove(&graph, &self.subjects());
        if pass.waiting {
            return Close::Ask(graph.into_questions());
        }
        let schemas = self.schema_values(&graph, &pass);
        if schemas.waiting {
            return Close::Ask(graph.into_questions());
        }
        pass.problems.extend(schemas.problems);
        let as_written = if pass.problems.is_empty() && self.components().is_empty() {
            None
        } else {
            match self.prove_as_written() {
                Ok(pass) => Some(pass),
                Err(questions) => return questions,
            }
        };
        if !pass.problems.is_empty() {
            return self.refuse(pass.problems, as_written.map(|pass| pass.problems));
        }
        // Some bundlers put their constants in before a component can be looked at.
        let varying: Vec<_> = as_written
            .iter()
            .flat_map(|pass| &pass.problems)
            .filter(|problem| problem.code == "varying-value")
            .cloned()
            .collect();
        if !varying.is_empty() {
            return Close::Refused(report(&settle(varying)));
        }
        let found = Found::new(&pass.proven, as_written.as_ref().map_or(&[], |pass| &pass.proven));
        let mut places = self.written_places(&pass.proven, &found);
        let in_components = as_written.map_or_else(Vec::new, |pass| pass.warnings);
        let warnings = self.as_written(pass.warnings.into_iter().chain(in_components).collect(), &found);
        match seal(&pass.proven, pass.admission, &self.options.target, &mut places) {
            Err(problem) => Close::Refused(report(&[*problem])),
            Ok(Sealed { manifest, located, values, proofs, declared }) => {
                self.values = values;
                self.values.extend(schemas.values);
                self.declared = declared;
                let warnings = diagnostics(&settle(warnings));
                Close::Proven(self.own(Own { manifest, located, places, proofs, warnings }))
            }
        }
    }

    /// Everything that went through a hook, in the order of its ids.
    pub(crate) fn subjects(&self) -> Subjects<'_> {
        let Memory { transformed, compiled, pages, .. } = &self.memory;
        let (altered, made): (Vec<_>, Vec<_>) =
            compiled.values().map(|it| &it.module).partition(|module| transformed.contains_key(&module.id));
        Subjects {
            modules: sorted(transformed.values().chain(made)),
            altered: sorted(altered),
            pages: sorted(pages.values()),
            seen: transformed.keys().chain(compiled.keys()).cloned().collect(),
            expansions: Cow::Borrowed(&self.expansions),
            target: &self.options.target,
        }
    }

    /// The JSON of the schemas that were replaced in modules of the graph.
    fn schema_values(&self, graph: &Graph<'_>, pass: &Pass) -> Values {
        let mut values = Values::default();
        // A build that is refused ships nothing.
        if !pass.problems.is_empty() {
            return values;
        }
        let mut sides = Sides::default();
        for proven in &pass.proven {
            for (place, side) in &proven.sides {
                let first = sides.entry(place.clone()).or_insert(*side);
                *first = (*first).min(*side);
            }
        }
        let mut modules: Vec<_> = self.literals.values().collect();
        modules.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
        for (module, literals) in modules {
            match graph.known(&module.id) {
                None => values.waiting = true,
                Some(None) => {}
                Some(Some(_)) => values_of(graph, module, literals, &sides, &mut values),
            }
        }
        values
    }

    /// The component files behind what was compiled.
    fn components(&self) -> BTreeSet<&str> {
        self.memory.compiled.keys().filter_map(|id| Component::file_of(id)).collect()
    }

    /// The same as authors wrote it, components too, where their scripts can be read.
    pub(crate) fn subjects_as_written(&self, graph: &Graph<'_>) -> Subjects<'_> {
        let mut subjects = self.subjects();
        for file in self.components() {
            let Some(Some(component)) = graph.component(file) else { continue };
            subjects.modules.retain(|module| Component::file_of(&module.id) != Some(file));
            let expansions = find_expansions(&component, &find_macro_calls(graph, &component));
            subjects.expansions.to_mut().insert(component.key(), expansions);
            subjects.seen.insert(file.to_owned());
            subjects.modules.push(component);
        }
        subjects
    }

    /// Proves once more what authors wrote. What the bundler has is the truth, but its positions are not the
    /// author's; where the author's files show the same, they show it better.
    fn prove_as_written(&self) -> Result<Pass, Close> {
        let graph = Graph::new(&self.memory, View::Author);
        let subjects = self.subjects_as_written(&graph);
        if graph.has_questions() {
            return Err(Close::Ask(graph.into_questions()));
        }
        let pass = prove(&graph, &subjects);
        match graph.into_questions() {
            questions if pass.waiting && !questions.is_empty() => Err(Close::Ask(questions)),
            _ => Ok(pass),
        }
    }

    /// The report of a build that can't be proven.
    fn refuse(&self, problems: Vec<Problem>, as_written: Option<Vec<Problem>>) -> Close {
        let mut shown = as_written.unwrap_or_default();
        let is_shown = |problem: &Problem| {
            let Some(place) = &problem.place else { return !shown.is_empty() };
            match self.memory.compiled.contains_key(&place.module.id) {
                true => shown.iter().any(|it| it.origin() == problem.origin()),
                false => !shown.is_empty(),
            }
        };
        let hidden: Vec<_> = problems.into_iter().filter(|problem| !is_shown(problem)).collect();
        shown.extend(hidden);
        Close::Refused(report(&settle(self.as_written(shown, &Found::default()))))
    }

    /// A place where its author would look for it; none where nothing leads there.
    fn written_place(&self, place: &Place, found: &Found) -> Option<Place> {
        found.place_of(place).or_else(|| self.memory.written_place(place))
    }

    /// Problems at places where their authors would look for them.
    fn as_written(&self, problems: Vec<Problem>, found: &Found) -> Vec<Problem> {
        problems
            .into_iter()
            .map(|mut problem| {
                if let Some((place, _)) = &mut problem.related
                    && let Some(written) = self.written_place(place, found)
                {
                    *place = written;
                }
                match problem.place.as_ref().map(|place| self.written_place(place, found)) {
                    Some(None) => problem.in_generated_code(),
                    Some(written) => Problem { place: written, ..problem },
                    None => problem,
                }
            })
            .collect()
    }

    /// Where authors find their capabilities, as far as it is known.
    fn written_places(&self, proven: &[Rc<Proven>], found: &Found) -> Places {
        let mut places = Places::default();
        for proven in proven {
            let Proven { declaration_id, assembled, .. } = &**proven;
            for (contract, place) in &assembled.contracts {
                if let Some(written) = self.written_place(place, found) {
                    places.insert((declaration_id.clone(), contract.capability_id.clone()), written);
                }
            }
        }
        places
    }

    /// Begins a rebuild: answers and the proof are forgotten, the facts of modules are kept, since a bundler
    /// does not transform an unchanged module again.
    pub fn restart(&mut self) {
        self.memory.forget_answers();
        self.forget_proof();
    }

    /// Begins a rebuild of a graph that the host follows by itself: it stands by what it said, but for the modules that
    /// `is_touched` says are others than they were, in their texts, in what they import, or in what imports them. May be
    /// called several times, as more comes to be known.
    pub fn restart_about(&mut self, is_touched: impl Fn(&str) -> bool) {
        self.memory.forget_answers_about(is_touched);
        self.forget_proof();
    }

    /// Lets go of everything but what [`Session::render`] puts in: of modules, answers and judgements. A bundler needs
    /// most of its memory for what comes after the proof. Whatever is built next in this session is seen for the first time.
    pub fn release(&mut self) {
        self.memory.clear();
        self.expansions = Expansions::default();
        self.literals = FxHashMap::default();
        self.libraries = BTreeSet::new();
        self.declared = FxHashMap::default();
        self.own = None;
    }

    fn forget_proof(&mut self) {
        self.values.clear();
        self.declared.clear();
        self.own = None;
    }

    /// Forgets a module that changed or went away.
    pub fn forget_module(&mut self, id: &str) {
        self.pass(id, |session| session.drop_module(id));
    }

    fn drop_module(&mut self, id: &str) {
        self.memory.expanded.remove(id);
        self.memory.pages.remove(id);
        if let Some(module) = self.memory.transformed.remove(id) {
            self.expansions.remove(&module.key());
            self.literals.remove(&module.key());
        }
        self.forget_compiled(id);
    }

    /// Lets a module pass through a hook. What was made of it before holds if it comes out as it did then.
    fn pass<T>(&mut self, id: &str, hook: impl FnOnce(&mut Self) -> T) -> T {
        if !self.memory.is_passage_ground(id) {
            return hook(self);
        }
        let before = self.passage(id);
        let result = hook(self);
        if self.passage(id) != before {
            self.memory.revoke_passage(id);
        }
        result
    }

    /// What is left of a module's passage through the hooks: its texts, by their hashes, and what was expanded.
    fn passage(&self, id: &str) -> ([Option<blake3::Hash>; 3], Vec<Expansion>) {
        let Memory { transformed, compiled, expanded, .. } = &self.memory;
        let texts = [transformed.get(id), compiled.get(id).map(|compiled| &compiled.module)];
        let keys = texts.into_iter().flatten().map(|module| module.key());
        let expansions = keys.filter_map(|key| self.expansions.get(&key)).flatten().cloned().collect();
        let [written, compiled] = texts.map(|text| text.map(|module| module.hash));
        ([written, compiled, expanded.get(id).copied()], expansions)
    }

    fn forget_compiled(&mut self, id: &str) {
        if let Some(compiled) = self.memory.compiled.remove(id) {
            self.expansions.remove(&compiled.module.key());
            self.literals.remove(&compiled.module.key());
        }
    }

    /// Replaces the placeholders of a chunk by what [`Session::close`] proved. None where it has none.
    #[must_use]
    pub fn render(&self, code: &str) -> Option<Output> {
        placeholder::replace(code, self.options.source_maps, |name| self.values.get(name).map(String::as_str))
    }

    /// The text of the virtual module that hands the authority to the app.
    #[must_use]
    pub fn authority_module(&self) -> String {
        let manifest = placeholder::expression(&self.authority_placeholder());
        format!(
            "import {{ createCapabilityAuthority }} from \"@agent-surface/core\";\n\
             export const manifest = {manifest};\n\
             export default createCapabilityAuthority(manifest);\n"
        )
    }

    /// The name of the manifest's own placeholder.
    pub(crate) fn authority_placeholder(&self) -> String {
        let hash = blake3::hash(self.options.target.as_bytes());
        format!("{}:manifest", placeholder::key("virtual:agent-surface-contract", &hash))
    }
}

/// What was found in components, as they were compiled, and where their authors wrote it.
#[derive(Default)]
struct Found(FxHashMap<(String, Span), Place>);

impl Found {
    /// Matches what was proven of a build with what was proven of the component files: by the names of declarations
    /// and capabilities.
    fn new(built: &[Rc<Proven>], written: &[Rc<Proven>]) -> Self {
        let mut found = FxHashMap::default();
        for built in built {
            let original = written.iter().find(|it| it.declaration_id == built.declaration_id);
            let Some(original) = original.filter(|it| Component::of(&it.place().module.id).is_some()) else {
                continue;
            };
            let mut insert = |place: &Place, written: &Place| {
                found.insert((place.module.id.clone(), place.span), written.clone());
            };
            insert(&built.place(), &original.place());
            for (contract, place) in &built.assembled.contracts {
                let same = |(other, _): &&(Contract, Place)| other.capability_id == contract.capability_id;
                if let Some((_, written)) = original.assembled.contracts.iter().find(same) {
                    insert(place, written);
                }
            }
        }
        Self(found)
    }

    fn place_of(&self, place: &Place) -> Option<Place> {
        self.0.get(&(place.module.id.clone(), place.span)).cloned()
    }
}

/// Modules in the order of their ids.
fn sorted<'m>(modules: impl IntoIterator<Item = &'m Rc<Module>>) -> Vec<Rc<Module>> {
    let mut modules: Vec<_> = modules.into_iter().cloned().collect();
    modules.sort_by(|a, b| a.id.cmp(&b.id));
    modules
}

/// Whether a call is worth following to what it calls: it has a macro's own name, or it is handed an object as
/// a macro is, and some module may have given the macro a name of the app's.
fn may_be_macro(module: &Module, call: &Call) -> bool {
    match module.facts.written_name(&call.callee) {
        Some(name) if Macro::named(name).is_some() => true,
        Some(_) => {
            only_argument(call).is_some_and(|argument| matches!(argument.expr.kind, ExprKind::Object(_)))
        }
        None => false,
    }
}

/// The macro calls of a module, but for those that were expanded in an earlier text of it.
pub(crate) fn find_macro_calls(graph: &Graph<'_>, module: &Rc<Module>) -> Vec<(usize, Macro)> {
    let earlier = graph.earlier_key(module);
    let mut calls = Vec::new();
    for (index, call) in module.facts.calls.iter().enumerate() {
        let is_new = earlier.as_ref().is_none_or(|key| !is_expanded(call, key));
        if !is_new || !may_be_macro(module, call) {
            continue;
        }
        let callee = Evaluator::new(graph).evaluate(module, &call.callee);
        if let Value::Ours { package, name } = &callee.value
            && let Some(kind) = Macro::named(name).filter(|_| &**package == "core")
        {
            calls.push((index, kind));
        }
    }
    calls
}

/// Those macro calls that have the form of a declaration.
pub(crate) fn find_expansions(module: &Module, calls: &[(usize, Macro)]) -> Vec<Expansion> {
    let key = module.key();
    let expansion = |&(index, kind): &(usize, Macro)| {
        let call = &module.facts.calls[index];
        if is_sealed(call) {
            return Some(Expansion::of_sealed(&key, index, call));
        }
        let argument: &Argument = only_argument(call)?;
        let has_place = !matches!(call.placement, Placement::Misplaced(_));
        has_place.then(|| Expansion::new(&key, index, kind, module, &argument.expr))
    };
    calls.iter().filter_map(expansion).collect()
}
