//! The last look at a complete graph: every macro call that ships is judged, and every way around one.

mod apart;
mod bound;
mod calls;
mod escapes;
mod exposures;
mod glance;
mod memo;
mod reach;
mod shipped;
mod warnings;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::assemble::{Assembled, Findings};
use crate::evaluate::place;
use crate::expand::{Expansion, is_expanded};
use crate::external::{Admission, Owner, Sidecars, admit, discover};
use crate::facts::{Call, Component, Expr, ExprKind, Key, Refusal, Registration, Stray};
use crate::graph::{Graph, View};
use crate::library::Sides;
use crate::link;
use crate::macros::{Guard, Macro, mentions_a_macro};
use crate::module::Module;
use crate::problem::{Place, Problem};
use crate::seal::SealedDeclaration;
pub(crate) use memo::Memo;
use memo::{Judgement, Premise, Subject};
pub(crate) use reach::Passing;
use reach::Reach;

pub(crate) use calls::declared_name;

/// The package that the macros come from.
const CORE: &str = "@agent-surface/core";

/// A declaration that is proven.
#[derive(Debug)]
pub(crate) struct Proven {
    pub(crate) expansion: Expansion,
    pub(crate) declaration_id: String,
    pub(crate) assembled: Assembled,
    /// The module, and which of its calls.
    pub(crate) call: (Rc<Module>, usize),
    pub(crate) contributor: Contributor,
    /// Its entries and texts; filled by whoever seals it first.
    pub(crate) sealed: OnceCell<SealedDeclaration>,
    /// What its schemas are used for, where a library makes them.
    pub(crate) sides: Sides,
}

/// Who declares a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Contributor {
    Project,
    /// A package of this name, in its own source.
    Source(String),
    /// A package whose contract file has the declaration.
    Sealed,
}

impl Contributor {
    /// The package whose source it is.
    pub(crate) fn package(&self) -> Option<&str> {
        match self {
            Self::Source(package) => Some(package),
            Self::Project | Self::Sealed => None,
        }
    }

    pub(crate) fn is_sealed(&self) -> bool {
        *self == Self::Sealed
    }
}

impl Proven {
    /// The macro that is called.
    pub(crate) fn place(&self) -> Place {
        let (module, call) = &self.call;
        place(module, module.facts.calls[*call].callee.span)
    }
}

/// The macro calls that were expanded, by the key of the text they stand in.
pub(crate) type Expansions = FxHashMap<String, Vec<Expansion>>;

/// What a pass has to judge.
pub(crate) struct Subjects<'s> {
    /// The modules that may declare a contract.
    pub(crate) modules: Vec<Rc<Module>>,
    /// Modules of the above in the text that other plugins made of them, where it has calls that their
    /// authors' has not. They matter where nothing else is wrong.
    pub(crate) altered: Vec<Rc<Module>>,
    /// Pages that hand something to the browser's agents by themselves.
    pub(crate) pages: Vec<Rc<Module>>,
    /// The ids of all modules that went through a hook.
    pub(crate) seen: BTreeSet<String>,
    pub(crate) expansions: Cow<'s, Expansions>,
    /// What contracts are proven for.
    pub(crate) target: &'s str,
}

/// One pass over the graph.
pub(crate) struct Prover<'g, 'm> {
    graph: &'g Graph<'m>,
    expansions: &'g Expansions,
    reach: Reach,
    sidecars: Sidecars,
    target: &'g str,
    /// Which state of what modules pass on this is.
    passed: u64,
    findings: Findings,
    proven: Vec<Rc<Proven>>,
    /// What goes past the contracts, and may.
    exposed: Vec<Problem>,
}

/// What a pass came to.
pub(crate) struct Pass {
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) proven: Vec<Rc<Proven>>,
    /// What dependencies add.
    pub(crate) admission: Admission,
    /// The host must answer before the pass means anything.
    pub(crate) waiting: bool,
}

/// Judges every module of the graph that declares a contract or goes around one.
pub(crate) fn prove(graph: &Graph<'_>, subjects: &Subjects<'_>) -> Pass {
    // Whatever an earlier pass rested on, in one round.
    graph.ask_again(graph.memo().borrow_mut().of(graph.view()).grounds());
    // What the shape of the graph is, before anything is evaluated: a round of answers costs less than a round
    // of evaluation.
    let (reach, explored) = graph.trace(|| Reach::explore(graph, &subjects.modules));
    if let Some(explored) = explored {
        graph.memo().borrow_mut().of(graph.view()).explored = explored;
    }
    let expansions = &*subjects.expansions;
    for module in &subjects.modules {
        ask_ahead(graph, module, expansions.get(&module.key()));
    }
    let passed = graph.memo().borrow_mut().of(graph.view()).count_passed(&reach.passed);
    let mut prover = Prover {
        graph,
        expansions,
        reach,
        passed,
        sidecars: discover(graph),
        target: subjects.target,
        findings: Findings::default(),
        proven: Vec::new(),
        exposed: Vec::new(),
    };
    if !graph.has_questions() {
        for module in &subjects.modules {
            prover.trace_requests(module);
        }
    }
    if graph.has_questions() {
        return prover.finish();
    }
    for module in &subjects.modules {
        prover.recall_or(Subject::Own, &module.id, Some(module), |prover| prover.judge(module));
    }
    let unseen: Vec<String> = prover.reach.readers.difference(&subjects.seen).cloned().collect();
    for id in &unseen {
        prover.recall_or(Subject::Own, id, None, |prover| prover.judge_unseen(id));
    }
    if prover.findings.problems.is_empty() {
        for module in &subjects.altered {
            prover.recall_or(Subject::Altered, &module.id, Some(module), |prover| prover.judge_text(module));
        }
    }
    prover.refuse_namesakes();
    prover.exposed = prover.judge_exposures(subjects.modules.iter().chain(&subjects.pages));
    prover.finish()
}

/// Asks for what the judging of a module will nearly always need, so that it is not asked for piece by piece.
fn ask_ahead(graph: &Graph<'_>, module: &Module, expansions: Option<&Vec<Expansion>>) {
    if module.facts.calls.is_empty() {
        return;
    }
    let known = graph.known(&module.id);
    graph.shipped_text(&module.id);
    let is_unused = |expansion: &Expansion| {
        let call = module.facts.calls.get(expansion.call);
        call.is_some_and(|call| call.fate.as_ref().is_none_or(|fate| !fate.used))
    };
    // Who binds a contract that its own module does not.
    if graph.view() == View::Bundle && expansions.into_iter().flatten().any(is_unused) {
        for importer in known.flatten().into_iter().flat_map(|known| &known.importers) {
            if !graph.is_hooked(importer) {
                graph.shipped_text(importer);
            }
        }
    }
}

impl Prover<'_, '_> {
    /// Asks where the requests of a module lead that its judging will follow, before anything of it is evaluated.
    fn trace_requests(&self, module: &Rc<Module>) {
        let (graph, about) = (self.graph, (Subject::Own, module.id.clone()));
        let premise = self.premise(&module.id, Some(module));
        if !premise.is_reader || graph.memo().borrow_mut().of(graph.view()).holds(&about, &premise) {
            return;
        }
        self.reach.requests_of(graph, module);
        if premise.is_macro_reader
            && graph.ships_as_expanded(&module.id) == Some(false)
            && let Some(Some(shipped)) = graph.shipped(&module.id)
        {
            self.reach.requests_of(graph, &shipped);
        }
    }

    /// What a judgement of a module is made from, besides what the graph says.
    fn premise(&self, id: &str, module: Option<&Rc<Module>>) -> Premise {
        let expansions = module.and_then(|module| self.expansions.get(&module.key()));
        Premise {
            text: module.map(|module| module.hash),
            expansions: expansions.cloned().unwrap_or_default(),
            is_reader: self.reach.readers.contains(id),
            is_macro_reader: self.reach.macro_readers.contains(id),
            passed: self.passed,
        }
    }

    /// Judges a module, unless the judgement of it still holds.
    fn recall_or(
        &mut self,
        subject: Subject,
        id: &str,
        module: Option<&Rc<Module>>,
        judge: impl FnOnce(&mut Self),
    ) {
        let premise = self.premise(id, module);
        let about = (subject, id.to_owned());
        let (graph, memo) = (self.graph, self.graph.memo());
        let known = memo.borrow_mut().of(graph.view()).modules.recall(&about, &premise);
        if let Some(known) = known {
            self.findings.problems.extend(known.problems.iter().cloned());
            self.proven.extend(known.proven.iter().cloned());
            return;
        }
        let (problems, proven) = (self.findings.problems.len(), self.proven.len());
        let ((), grounds) = graph.trace(|| judge(self));
        if let Some(grounds) = grounds {
            let judgement = Judgement {
                problems: self.findings.problems[problems..].to_vec(),
                proven: self.proven[proven..].to_vec(),
            };
            memo.borrow_mut().of(graph.view()).modules.keep(about, premise, grounds, Rc::new(judgement));
        }
    }

    fn finish(mut self) -> Pass {
        let mut warnings = Vec::new();
        let mut admission = Admission::default();
        if self.findings.waiting == 0 && !self.graph.has_questions() {
            admission = self.admit();
            self.findings.problems.append(&mut admission.problems);
        }
        let is_known = self.findings.waiting == 0 && !self.graph.has_questions();
        match self.graph.view() {
            // Warnings tell of what ships.
            View::Bundle if self.findings.problems.is_empty() && is_known => {
                warnings.extend(self.duplicates());
                warnings.extend(self.several_cores());
                warnings.extend(self.unbound());
                warnings.append(&mut self.exposed);
            }
            // What a component's plugin makes of a template shows no forms.
            View::Author if is_known => {
                let is_of_component = |problem: &Problem| {
                    let place = problem.place.as_ref();
                    place.is_some_and(|place| Component::of(&place.module.id).is_some())
                };
                warnings.extend(
                    self.exposed.drain(..).filter(|it| it.code == "form-tool" && is_of_component(it)),
                );
            }
            _ => {}
        }
        // Looking for warnings may have asked for more.
        let waiting = self.findings.waiting > 0 || self.graph.has_questions();
        if !waiting {
            self.graph.memo().borrow_mut().of(self.graph.view()).forget_unused();
        }
        Pass { problems: self.findings.problems, warnings, proven: self.proven, admission, waiting }
    }

    /// Holds what dependencies contribute against the allow list.
    fn admit(&self) -> Admission {
        let places = self.findings.problems.iter().filter_map(|problem| problem.place.as_ref());
        let unsettled = places
            .filter_map(|place| match self.graph.owner(&place.module.id) {
                Some(Owner::Package(package)) => Some(package),
                _ => None,
            })
            .collect();
        admit(self.graph.policy(), &self.sidecars, &self.proven, self.target, &unsettled)
    }

    /// Judges a module as its author wrote it, and then what ships of it.
    fn judge(&mut self, module: &Rc<Module>) {
        let before = self.findings.problems.len();
        self.judge_text(module);
        // What is wrong in the author's text is wrong in what ships.
        if self.findings.problems.len() == before && self.reach.macro_readers.contains(&module.id) {
            self.judge_shipped(module);
        }
    }

    /// Judges a module that never passed through the transform hook under a text that names anything of ours.
    fn judge_unseen(&mut self, id: &str) {
        match self.graph.module(id) {
            None => self.findings.waiting += 1,
            Some(Some(module)) => self.judge_text(&module),
            Some(None) if self.reach.macro_readers.contains(id) => {
                let message = format!(
                    "`{}` can get at a contract macro, and its text is not to be had",
                    self.graph.origin(id)
                );
                self.findings.push(
                    Problem::without_place("not-analysed", message)
                        .help("Import the macro from `@agent-surface/core` in a module of the app."),
                );
            }
            Some(None) => {}
        }
    }

    fn judge_text(&mut self, module: &Rc<Module>) {
        let facts = &module.facts;
        let is_reader = self.reach.readers.contains(&module.id);
        if let Some(refusal) = &facts.refusal {
            let may_declare =
                mentions_a_macro(&module.source) || self.reach.macro_readers.contains(&module.id);
            if may_declare && self.is_in_graph(module) {
                self.findings.push(unreadable(module, refusal));
            }
            return;
        }
        let leading = if is_reader { self.reach.requests_of(self.graph, module) } else { BTreeSet::new() };
        let is_of_interest = |subject: &Expr| {
            passes_a_known_name(module, subject)
                || facts.root_request(subject).is_some_and(|request| leading.contains(&request))
        };
        let calls: Vec<(usize, &Call)> =
            facts.calls.iter().enumerate().filter(|(_, call)| is_of_interest(&call.callee)).collect();
        let strays: Vec<&Stray> =
            facts.strays.iter().filter(|stray| is_of_interest(&stray.subject)).collect();
        let registrations: Vec<&Registration> = facts
            .registrations
            .iter()
            .filter(|registration| {
                let mut requests = BTreeSet::new();
                reach::collect_requests(facts, &registration.callee, &mut requests, 0);
                !requests.is_disjoint(&leading)
            })
            .collect();
        let has_nothing = calls.is_empty()
            && strays.is_empty()
            && registrations.is_empty()
            && facts.dynamic_requests.is_empty();
        if has_nothing || !self.is_in_graph(module) {
            return;
        }
        let earlier = self.graph.earlier_key(module);
        for (index, call) in calls {
            if earlier.as_ref().is_none_or(|key| !is_expanded(call, key)) {
                self.judge_call(module, index, call);
            }
        }
        for stray in strays {
            self.judge_stray(module, stray);
        }
        for registration in registrations {
            self.judge_registration(module, registration);
        }
        self.judge_dynamic_requests(module);
    }

    /// Two declarations of one module by one name, which the two scripts of a component can have: which of them a
    /// contract is from could not be told.
    fn refuse_namesakes(&mut self) {
        let mut first: BTreeMap<(String, &str), Place> = BTreeMap::new();
        for proven in &self.proven {
            let place = proven.place();
            let key = (place.module.id.clone(), proven.declaration_id.as_str());
            if let Some(earlier) =
                first.insert(key, place.clone()).filter(|earlier| earlier.span != place.span)
            {
                let message = format!("Two contracts are declared as `{}`", proven.declaration_id);
                let problem = Problem::at(place, "duplicate-declaration", message)
                    .label("declared again")
                    .related(earlier, "first declared here")
                    .help("Give each a name of its own.");
                self.findings.problems.push(problem);
            }
        }
    }

    /// A module that left the graph, or that never joined it, declares nothing.
    fn is_in_graph(&mut self, module: &Module) -> bool {
        match self.graph.known(&module.id) {
            Some(known) => known.is_some(),
            None => {
                self.findings.waiting += 1;
                false
            }
        }
    }
}

/// A module that may declare a contract and can't be analysed.
pub(crate) fn unreadable(module: &Rc<Module>, refusal: &Refusal) -> Problem {
    Problem::at(place(module, refusal.span.unwrap_or_default()), "unreadable", refusal.message.clone())
        .label("analysis stops here")
        .help("A module that may declare a contract must be read as a whole.")
}

fn not_expanded(here: Place, kind: Macro) -> Problem {
    let message = format!("This call of `{}` reached the bundle without being analysed", kind.name());
    Problem::at(here, "not-analysed", message)
        .label("no proof can be attached to it")
        .help(
            "The macro must keep its own name where modules pass it on, and the module must be a script when it is \
             loaded. Import the macro from `@agent-surface/core`.",
        )
}

/// Whether an expression names a macro or a guarded function, or a member of one.
fn passes_a_known_name(module: &Module, expr: &Expr) -> bool {
    let mut expr = expr;
    loop {
        if module.facts.written_name(expr).is_some_and(is_known_name) {
            return true;
        }
        match &expr.kind {
            ExprKind::Member { object, .. } => expr = object,
            ExprKind::Chain(inner) => expr = inner,
            _ => return false,
        }
    }
}

fn is_known_name(name: &str) -> bool {
    Macro::named(name).is_some() || Guard::has_name(name)
}

/// What a subject certainly passes through: the object before its first member that can be any member.
fn reached_at_least(subject: &Expr) -> &Expr {
    let mut reached = subject;
    let mut expr = subject;
    while let ExprKind::Member { object, key, .. } = &expr.kind {
        if matches!(**key, Key::Computed(_)) {
            reached = object;
        }
        expr = object;
    }
    reached
}

/// Whether a module is ours or the app's to analyse.
pub(crate) fn is_ours(graph: &Graph<'_>, id: &str) -> Option<bool> {
    if link::is_virtual(id) {
        return Some(false);
    }
    graph.our_package_of_module(id).map(|ours| ours.is_some())
}
