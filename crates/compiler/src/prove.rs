//! The last look at a complete graph: every macro call that ships is judged, and every way around one.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent_surface_manifest::Contract;
use rustc_hash::FxHashMap;

use crate::assemble::{Assembled, Declaration, Findings, assemble};
use crate::evaluate::{Evaluator, Unknown, Value, place};
use crate::expand::{Expansion, only_argument};
use crate::facts::{BindingKind, Call, Export, Expr, ExprKind, ImportedName, Key, Placement, Refusal, Stray};
use crate::graph::{Graph, Module, Target};
use crate::link;
use crate::macros::{Guard, Macro, mentions_a_macro};
use crate::origin;
use crate::problem::{Place, Problem};

/// A declaration that is proven.
pub(crate) struct Proven {
    pub(crate) expansion: Expansion,
    pub(crate) declaration_id: String,
    pub(crate) assembled: Assembled,
}

/// One pass over the graph.
pub(crate) struct Prover<'g, 'm> {
    graph: &'g Graph<'m>,
    expansions: &'g FxHashMap<String, Vec<Expansion>>,
    findings: Findings,
    proven: Vec<Proven>,
    /// The folders of the copies of the core package that contracts are declared with.
    cores: BTreeSet<String>,
}

/// What a pass came to.
pub(crate) struct Pass {
    pub(crate) problems: Vec<Problem>,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) proven: Vec<Proven>,
    /// The host must answer before the pass means anything.
    pub(crate) waiting: bool,
}

/// The package that the macros come from.
const CORE: &str = "@agent-surface/core";

/// Judges every module of the graph that declares a contract or goes around one.
pub(crate) fn prove(
    graph: &Graph<'_>,
    expansions: &FxHashMap<String, Vec<Expansion>>,
    transformed: &BTreeMap<&str, &Rc<Module>>,
) -> Pass {
    let mut prover = Prover {
        graph,
        expansions,
        findings: Findings::default(),
        proven: Vec::new(),
        cores: BTreeSet::new(),
    };
    // What the shape of the graph is, before anything is evaluated: a round of answers costs less than a round
    // of evaluation.
    let unseen = prover.unseen_importers(transformed);
    for module in transformed.values().filter(|module| !module.facts.calls.is_empty()) {
        graph.known(&module.id);
    }
    if graph.has_questions() {
        return Pass { problems: Vec::new(), warnings: Vec::new(), proven: Vec::new(), waiting: true };
    }
    for module in transformed.values() {
        prover.judge(module, Scope::WrittenNames);
    }
    for id in unseen {
        if let Some(Some(module)) = graph.module(&id) {
            prover.judge(&module, Scope::Everything);
        }
    }
    let mut warnings = prover.duplicates();
    warnings.extend(prover.several_cores());
    let waiting = prover.findings.waiting > 0 || graph.has_questions();
    Pass { problems: prover.findings.problems, warnings, proven: prover.proven, waiting }
}

/// Which uses of a module are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Those that name a macro or a guarded function: the others can't be one.
    WrittenNames,
    /// All: a macro may have another name here.
    Everything,
}

impl Prover<'_, '_> {
    fn judge(&mut self, module: &Rc<Module>, scope: Scope) {
        let facts = &module.facts;
        if let Some(refusal) = &facts.refusal {
            if mentions_a_macro(&module.source) && self.is_in_graph(module) {
                self.findings.push(unreadable(module, refusal));
            }
            return;
        }
        let is_of_interest = |subject| scope == Scope::Everything || passes_a_known_name(module, subject);
        let calls: Vec<(usize, &Call)> =
            facts.calls.iter().enumerate().filter(|(_, call)| is_of_interest(&call.callee)).collect();
        let strays: Vec<&Stray> = facts
            .strays
            .iter()
            .filter(|stray| {
                // A namespace has no name of its own to go by.
                module.facts.written_name(&stray.subject).is_none() || is_of_interest(&stray.subject)
            })
            .collect();
        if calls.is_empty() && strays.is_empty() && facts.dynamic_requests.is_empty()
            || !self.is_in_graph(module)
        {
            return;
        }
        for (index, call) in calls {
            self.judge_call(module, index, call);
        }
        for stray in strays {
            self.judge_stray(module, stray);
        }
        self.judge_dynamic_requests(module);
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

    fn judge_call(&mut self, module: &Rc<Module>, index: usize, call: &Call) {
        let expansion = self
            .expansions
            .get(&module.id)
            .and_then(|expansions| expansions.iter().find(|expansion| expansion.call == index));
        let callee = Evaluator::new(self.graph).evaluate(module, &call.callee);
        let here = place(module, call.callee.span);
        match &callee.value {
            Value::Unknown(Unknown::Waiting) => self.findings.waiting += 1,
            Value::Ours { package, name } => match Macro::named(name).filter(|_| &**package == "core") {
                Some(kind) => self.judge_macro(module, call, kind, expansion),
                None => {
                    if let Some(guard) = Guard::on(package, name) {
                        self.judge_guarded(call, guard, name, here);
                    }
                }
            },
            _ => {
                if let Some(escaped) = reached_through_member(self.graph, module, call) {
                    let message = format!("`{}` is reached in a way that is not analysed", escaped.name());
                    let problem = Problem::at(here, "unsupported-call", message)
                        .label("not a plain call")
                        .help(format!("Call it as it is: {}({{ … }}).", escaped.name()));
                    self.findings.push(problem);
                } else if expansion.is_some() {
                    let message =
                        "This call was taken for a contract macro, and the finished graph says it is none";
                    let problem = Problem::at(here, "unstable-import", message)
                        .label("leads elsewhere in the bundle")
                        .help("Import the macro from `@agent-surface/core`, or give the other function another name.");
                    self.findings.push(problem);
                }
            }
        }
    }

    fn judge_macro(&mut self, module: &Rc<Module>, call: &Call, kind: Macro, expansion: Option<&Expansion>) {
        let here = place(module, call.callee.span);
        if origin::is_installed(&module.id) {
            let message = format!("An installed package declares a contract with `{}`", kind.name());
            let problem = Problem::at(here, "dependency", message)
                .label("not admitted")
                .help("Declare the contract in the app: what a dependency may let an agent do is not taken on trust.");
            self.findings.push(problem);
            return;
        }
        if let Some(problem) = refuse_form(module, call, kind) {
            self.findings.push(problem);
            return;
        }
        let (Some(argument), Some(name)) = (only_argument(call), declared_name(&call.placement)) else {
            return;
        };
        let Some(expansion) = expansion else {
            self.findings.push(not_expanded(here, kind));
            return;
        };
        let declaration = Declaration {
            id: format!("{}#{name}", module.origin),
            origin: module.origin.clone(),
            kind,
            argument: Evaluator::new(self.graph).evaluate(module, &argument.expr),
        };
        self.note_core(module, call);
        let Some(assembled) = assemble(&declaration, &mut self.findings) else { return };
        if !assembled.validators.is_empty() && !expansion.keeps_argument {
            self.findings.push(not_expanded(here, kind));
            return;
        }
        self.proven.push(Proven { expansion: expansion.clone(), declaration_id: declaration.id, assembled });
    }

    fn judge_guarded(&mut self, call: &Call, guard: &Guard, name: &str, here: Place) {
        let is_inline =
            call.arguments.first().is_some_and(|argument| matches!(argument.expr.kind, ExprKind::Object(_)));
        if guard.inline_only && !is_inline {
            return;
        }
        let message = format!("`{name}` registers a capability that no contract declares");
        let problem = Problem::at(here, "raw-registration", message).label("not proven").help(guard.help);
        self.findings.push(problem);
    }

    /// A macro that gets away: passed on, stored, destructured.
    fn judge_stray(&mut self, module: &Rc<Module>, stray: &Stray) {
        let subject = Evaluator::new(self.graph).evaluate(module, reached_at_least(&stray.subject));
        let name = match &subject.value {
            Value::Unknown(Unknown::Waiting) => {
                self.findings.waiting += 1;
                return;
            }
            Value::Ours { package, name } if is_guarded(package, name) => format!("`{name}`"),
            Value::OurNamespace(package) if &**package == "core" => {
                "The namespace of `@agent-surface/core`".to_owned()
            }
            _ => return,
        };
        let message = format!("{name} {}, where it can't be followed", stray.what);
        let problem = Problem::at(place(module, stray.span), "escaped-macro", message)
            .label("gets away here")
            .help("Import the macro by name and call it at the top of the module.");
        self.findings.push(problem);
    }

    fn judge_dynamic_requests(&mut self, module: &Rc<Module>) {
        for request in &module.facts.dynamic_requests {
            if !request.specifier.contains("agent-surface") {
                continue;
            }
            match self.graph.our_package(&module.id, &request.specifier) {
                None => self.findings.waiting += 1,
                Some(Some(package)) if &*package == "core" => {
                    let message = format!("`@agent-surface/core` is reached through {}", request.form);
                    let problem = Problem::at(place(module, request.span), "escaped-macro", message)
                        .label("its macros can't be followed from here")
                        .help("Import what you need from it with an `import` declaration.");
                    self.findings.push(problem);
                }
                Some(_) => {}
            }
        }
    }

    fn note_core(&mut self, module: &Rc<Module>, call: &Call) {
        let Some(specifier) = root_specifier(module, call) else { return };
        if let Some(Target::Module(id)) = self.graph.resolve(&module.id, specifier)
            && let Some(Some(package)) = self.graph.package(&id)
            && package.name == "@agent-surface/core"
        {
            self.cores.insert(match &package.version {
                Some(version) => format!("{version} in {}", self.graph.origin(&package.dir)),
                None => self.graph.origin(&package.dir),
            });
        }
    }

    /// Modules that import a macro but never passed through the transform hook under a text that names one:
    /// importers of the core package, and of modules that pass a macro on under another name.
    fn unseen_importers(&mut self, transformed: &BTreeMap<&str, &Rc<Module>>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        // The root's own copy too: it may be that no module which imports the core was ever seen.
        let mut cores = BTreeSet::from([self.graph.resolve(&self.graph.entrance(), CORE)]);
        for module in transformed.values() {
            for request in module.facts.requests.iter().filter(|request| request.specifier.starts_with(CORE))
            {
                cores.insert(self.graph.resolve(&module.id, &request.specifier));
            }
        }
        for core in cores.into_iter().flatten() {
            if let Target::Module(core) = core {
                let importers = self.importers(&core);
                found.extend(importers.into_iter().filter(|id| !transformed.contains_key(id.as_str())));
            }
        }
        for module in transformed.values() {
            for name in names_passed_on_otherwise(module) {
                self.collect_importers_of(&module.id, &name, &mut found, &mut BTreeSet::new());
            }
        }
        found.retain(|id| self.graph.our_package_of_module(id).is_none_or(|ours| ours.is_none()));
        found
    }

    fn collect_importers_of(
        &mut self,
        id: &str,
        name: &str,
        found: &mut BTreeSet<String>,
        seen: &mut BTreeSet<(String, String)>,
    ) {
        if !seen.insert((id.to_owned(), name.to_owned())) {
            return;
        }
        for importer in self.importers(id) {
            let Some(Some(module)) = self.graph.module(&importer) else { continue };
            for (request, specifier) in module.facts.requests.iter().enumerate() {
                let target = self.graph.resolve(&module.id, &specifier.specifier);
                if target != Some(Target::Module(id.to_owned())) {
                    continue;
                }
                for exported in module.facts.names_passed_on(request, name) {
                    self.collect_importers_of(&importer, &exported, found, seen);
                }
            }
            found.insert(importer);
        }
    }

    fn importers(&mut self, id: &str) -> Vec<String> {
        match self.graph.known(id) {
            Some(known) => known.map(|known| known.importers.clone()).unwrap_or_default(),
            None => {
                self.findings.waiting += 1;
                Vec::new()
            }
        }
    }

    /// Two declarations of one capability: allowed, since a build may hold several apps, and rarely meant.
    fn duplicates(&self) -> Vec<Problem> {
        let mut first: BTreeMap<&str, (&Contract, &Place)> = BTreeMap::new();
        let mut warnings = Vec::new();
        for (contract, place) in self.proven.iter().flat_map(|proven| &proven.assembled.contracts) {
            match first.get(contract.capability_id.as_str()) {
                Some((earlier, other)) if earlier.declaration_id != contract.declaration_id => {
                    let message = format!("`{}` is declared twice", contract.capability_id);
                    let problem = Problem::at(place.clone(), "duplicate-capability", message)
                        .label(format!("by `{}`", contract.declaration_id))
                        .related((*other).clone(), format!("and by `{}`", earlier.declaration_id))
                        .help("An agent sees one capability of that name. Rename one, or declare it once and import it.");
                    warnings.push(problem.warning());
                }
                Some(_) => {}
                None => {
                    first.insert(&contract.capability_id, (contract, place));
                }
            }
        }
        warnings
    }

    fn several_cores(&self) -> Option<Problem> {
        let cores: Vec<_> = self.cores.iter().map(String::as_str).collect();
        (cores.len() > 1).then(|| {
            let message = format!(
                "Contracts are declared with {} copies of @agent-surface/core: {}",
                cores.len(),
                cores.join(", ")
            );
            Problem::without_place("several-cores", message)
                .help("Each copy has its own authority. Let the package manager install one.")
                .warning()
        })
    }
}

/// A module that may declare a contract and can't be analysed.
pub(crate) fn unreadable(module: &Rc<Module>, refusal: &Refusal) -> Problem {
    Problem::at(place(module, refusal.span.unwrap_or_default()), "unreadable", refusal.message.clone())
        .label("analysis stops here")
        .help("A module that may declare a contract must be read as a whole.")
}

/// Why a macro call is no declaration, if it is none.
fn refuse_form(module: &Rc<Module>, call: &Call, kind: Macro) -> Option<Problem> {
    let name = kind.name();
    let at = |span, message: String| Problem::at(place(module, span), "unsupported-call", message);
    let plain = format!("Write `const contract = {name}({{ … }})` at the top of the module.");
    if call.constructed || call.optional {
        let message = format!("`{name}` is not called plainly");
        return Some(at(call.callee.span, message).label("`new` or `?.`").help(plain));
    }
    match call.arguments.as_slice() {
        [] => {
            return Some(
                at(call.callee.span, format!("`{name}` needs a definition")).label("no argument").help(plain),
            );
        }
        [argument] if argument.spread => {
            return Some(
                at(argument.span, format!("`{name}` is called with spread arguments"))
                    .label("spread")
                    .help(plain),
            );
        }
        [_] => {}
        [_, second, ..] => {
            let message =
                format!("`{name}` takes one argument; the proof behind it is the compiler's to add");
            return Some(at(second.span, message).label("forged").help("Remove it."));
        }
    }
    match &call.placement {
        Placement::Misplaced(reason) => {
            let message = format!("A contract is declared {reason}, so it has no name of its own");
            Some(at(call.callee.span, message).label("not at the top of the module").help(plain))
        }
        _ => None,
    }
}

fn declared_name(placement: &Placement) -> Option<&str> {
    match placement {
        Placement::Named(name) => Some(name),
        Placement::Default => Some("default"),
        Placement::Misplaced(_) => None,
    }
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

/// `macro.call(…)` and the like: a member of a macro is called.
fn reached_through_member(graph: &Graph<'_>, module: &Rc<Module>, call: &Call) -> Option<Macro> {
    let ExprKind::Member { object, .. } = &call.callee.kind else { return None };
    match Evaluator::new(graph).evaluate(module, object).value {
        Value::Ours { package, name } if &*package == "core" => Macro::named(&name),
        _ => None,
    }
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

/// The specifier that the callee comes from, if it comes from one directly.
fn root_specifier<'f>(module: &'f Module, call: &'f Call) -> Option<&'f str> {
    let mut expr = &call.callee;
    loop {
        match &expr.kind {
            ExprKind::Member { object, .. } => expr = object,
            ExprKind::Binding(id) => {
                return match &module.facts.bindings.get(id)?.kind {
                    BindingKind::Import { request, .. } => Some(&module.facts.requests[*request].specifier),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

/// The exports under which a module passes on a macro or a guarded function by another name.
fn names_passed_on_otherwise(module: &Module) -> Vec<String> {
    let mut names: Vec<String> = module
        .facts
        .exports
        .iter()
        .filter(|(exported, export)| {
            let original = match export {
                Export::From { name: ImportedName::Named(name), .. } => Some(name.as_str()),
                Export::From { .. } => None,
                Export::Binding(id) => {
                    module.facts.bindings.get(id).and_then(|binding| match &binding.kind {
                        BindingKind::Import { name: ImportedName::Named(name), .. } => Some(name.as_str()),
                        BindingKind::Constant(init) => module.facts.written_name(init),
                        _ => None,
                    })
                }
                Export::Default(expr) => module.facts.written_name(expr),
            };
            original.is_some_and(|original| is_known_name(original) && original != exported.as_str())
        })
        .map(|(exported, _)| exported.clone())
        .collect();
    names.sort_unstable();
    names
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

fn is_guarded(package: &str, name: &str) -> bool {
    Guard::on(package, name).is_some_and(|guard| !guard.inline_only)
        || package == "core" && Macro::named(name).is_some()
}

/// Whether a module is ours or the app's to analyse.
pub(crate) fn is_ours(graph: &Graph<'_>, id: &str) -> Option<bool> {
    if link::is_virtual(id) {
        return Some(false);
    }
    graph.our_package_of_module(id).map(|ours| ours.is_some())
}
