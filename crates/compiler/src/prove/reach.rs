//! Which modules can get at what our packages export: found from the packages on, by their importers, and by the
//! importers of whatever passes something on. So no module is left out because its text names nothing.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use oxc_span::Span;
use rustc_hash::FxHashMap;

use super::CORE;
use crate::evaluate::{Evaluator, Unknown, Value, place};
use crate::facts::{BindingId, BindingKind, Export, Expr, ExprKind, Facts, ImportedName, Member};
use crate::graph::{Graph, Target};
use crate::id::seems_to_lead_to;
use crate::macros::{Guard, Macro, followed, makes_registry};
use crate::module::Module;

/// How deep in objects something that is passed on is looked for.
const MAX_DEPTH: usize = 4;

/// What modules pass on to their importers.
#[derive(Debug, Default)]
pub(super) struct Reach {
    /// Modules that import one of our packages or a module that passes something on.
    pub(super) readers: BTreeSet<String>,
    /// Those of them that may get at a macro.
    pub(super) macro_readers: BTreeSet<String>,
    /// The copies of the core package that are imported, by folder, with the version of each.
    pub(super) cores: BTreeMap<String, Option<String>>,
    pub(super) passed: AllPassed,
    /// What the names of modules' imports show, by the ids of the modules; filled by whoever first asks.
    pub(super) told: RefCell<FxHashMap<String, bool>>,
}

/// What each module passes on, by its id.
pub(super) type AllPassed = BTreeMap<String, Passed>;

/// What one module passes on: the names of its exports, and whether a macro can be had by each.
type Passed = BTreeMap<String, bool>;

/// The exports of a module that may pass something on, each with the requests behind it.
#[derive(Debug)]
pub(crate) struct Passing(Vec<(String, Vec<usize>)>);

impl Passing {
    fn of(facts: &Facts) -> Self {
        let exports = facts.exports.iter().filter_map(|(name, export)| {
            let mut requests = BTreeSet::new();
            collect_requests_of_export(facts, export, &mut requests);
            (!requests.is_empty()).then(|| (name.clone(), requests.into_iter().collect()))
        });
        Self(exports.collect())
    }
}

impl Reach {
    /// Explores a graph. What it says means nothing while the graph has questions.
    pub(super) fn explore(graph: &Graph<'_>, modules: &[Rc<Module>]) -> Self {
        let mut reach = Self::default();
        let mut queue: VecDeque<(String, bool)> = reach.sources(graph, modules).into();
        while let Some((source, has_macros)) = queue.pop_front() {
            let Some(Some(known)) = graph.known(&source) else { continue };
            for importer in &known.importers {
                if graph.our_package_of_module(importer).is_none_or(|ours| ours.is_some()) {
                    continue;
                }
                reach.readers.insert(importer.clone());
                if has_macros {
                    reach.macro_readers.insert(importer.clone());
                }
                let Some(Some(module)) = graph.module(importer) else { continue };
                let passed = reach.passed_by(graph, &module);
                let before = reach.passed.get(importer);
                if !passed.is_empty() && before != Some(&passed) {
                    let has_macros = passed.values().any(|is_macro| *is_macro);
                    reach.passed.insert(importer.clone(), passed);
                    queue.push_back((importer.clone(), has_macros));
                }
            }
        }
        reach
    }

    /// Whether a namespace of this module holds a macro; of the given members, where no other counts.
    pub(super) fn passes_macro(&self, id: &str, members: Option<&[String]>) -> bool {
        self.passed.get(id).is_some_and(|passed| {
            passed.iter().any(|(name, is_macro)| {
                *is_macro && members.is_none_or(|members| members.iter().any(|member| member == name))
            })
        })
    }

    /// Whether any module passes a macro on.
    pub(super) fn has_barrels(&self) -> bool {
        self.passed.values().any(|passed| passed.values().any(|is_macro| *is_macro))
    }

    /// The requests of a module that lead to one of our packages, or to a module that passes something on. Of a
    /// module that can't get at a macro, paths that don't look as if they led there are not asked about.
    pub(super) fn requests_of(&self, graph: &Graph<'_>, module: &Module) -> BTreeSet<usize> {
        let ask_all = self.macro_readers.contains(&module.id);
        let wanted = wanted_requests(&module.facts);
        self.asked_about(graph, module, wanted)
            .into_iter()
            .filter(|request| {
                let specifier = &module.facts.requests[*request].specifier;
                let is_plausible = ask_all
                    || !specifier.starts_with('.')
                    || self.passed.keys().any(|id| seems_to_lead_to(&module.id, specifier, id));
                is_plausible && self.leads_here(graph, module, *request)
            })
            .collect()
    }

    /// Whether a request leads to one of our packages, or to a module that passes something on.
    fn leads_here(&self, graph: &Graph<'_>, module: &Module, request: usize) -> bool {
        let specifier = &module.facts.requests[request].specifier;
        match graph.our_package(&module.id, specifier) {
            Some(Some(_)) => true,
            Some(None) => matches!(graph.resolve(&module.id, specifier),
                Some(Target::Module(id)) if self.passed.contains_key(&id)),
            None => false,
        }
    }

    /// The entrances of our packages: the root's own core, whoever imports it, and all that texts name.
    fn sources(&mut self, graph: &Graph<'_>, modules: &[Rc<Module>]) -> Vec<(String, bool)> {
        let mut sources = BTreeMap::new();
        let mut add = |target: Option<Target>| {
            if let Some(Target::Module(id) | Target::External(id)) = target {
                sources.insert(id, ());
            }
        };
        add(graph.resolve(&graph.entrance(), CORE));
        for module in modules {
            for request in &module.facts.requests {
                if request.specifier.starts_with("@agent-surface/") {
                    add(graph.resolve(&module.id, &request.specifier));
                }
            }
        }
        let mut found = Vec::new();
        for id in sources.into_keys() {
            match our_package(graph, &id) {
                Some(package) if &*package == "core" => {
                    self.note_core(graph, &id);
                    found.extend(rooms_of(graph, id).into_iter().map(|id| (id, true)));
                }
                Some(_) => {
                    // Our other packages bring the core they were installed with.
                    if let Some(Target::Module(core)) = graph.resolve(&id, CORE) {
                        self.note_core(graph, &core);
                    }
                    found.push((id, false));
                }
                None => {}
            }
        }
        found
    }

    fn note_core(&mut self, graph: &Graph<'_>, id: &str) {
        if let Some(Some(package)) = graph.package(id)
            && package.name == CORE
        {
            self.cores.insert(graph.origin(&package.dir), package.version.clone());
        }
    }

    fn passed_by(&self, graph: &Graph<'_>, module: &Rc<Module>) -> Passed {
        let facts = &module.facts;
        let mut passed = Passed::new();
        for request in &facts.stars {
            let specifier = &facts.requests[*request].specifier;
            match graph.our_package(&module.id, specifier) {
                Some(Some(package)) => {
                    passed.extend(followed(&package).map(|(name, is_macro)| (name.to_owned(), is_macro)));
                }
                Some(None) => {
                    if let Some(Target::Module(id)) = graph.resolve(&module.id, specifier) {
                        let theirs = self.passed.get(&id).into_iter().flatten();
                        passed.extend(
                            theirs
                                .filter(|(name, _)| name.as_str() != "default")
                                .map(|(name, is_macro)| (name.clone(), *is_macro)),
                        );
                    }
                }
                None => {}
            }
        }
        // An own export hides one that a star would pass on.
        passed.retain(|name, _| !facts.exports.contains_key(name));
        for (name, requests) in &module.passing.get_or_init(|| Passing::of(facts)).0 {
            let requests = self.asked_about(graph, module, requests.iter().copied());
            if requests.iter().any(|request| self.leads_here(graph, module, *request)) {
                let node =
                    Evaluator::for_refusal(graph).export(&module.id, name, place(module, Span::default()));
                passed.extend(self.passed_in(&node.value, 0).map(|is_macro| (name.clone(), is_macro)));
            }
        }
        passed
    }

    /// Whether a value gives access to something of ours, and then whether to a macro.
    fn passed_in(&self, value: &Value, depth: usize) -> Option<bool> {
        match value {
            Value::Ours { package, name } => {
                let is_macro = &**package == "core" && Macro::named(name).is_some();
                (is_macro || Guard::on(package, name).is_some() || makes_registry(package, name))
                    .then_some(is_macro)
            }
            Value::OurNamespace(package) => Some(&**package == "core"),
            Value::Namespace(id) => {
                self.passed.get(&**id).map(|passed| passed.values().any(|is_macro| *is_macro))
            }
            Value::Registry | Value::Register => Some(false),
            // The host's answer may turn out to be a macro; the graph has a question then.
            Value::Unknown(Unknown::Waiting) => Some(true),
            Value::Unknown(unknown) if unknown.is_given_up() => Some(true),
            Value::Object(object) if depth < MAX_DEPTH => object
                .iter()
                .filter_map(|(_, value)| self.passed_in(&value.value, depth + 1))
                .reduce(|a, b| a || b),
            _ => None,
        }
    }
}

/// A module of the core package and those behind it that what we follow comes from: a path into the package leads to
/// the same macros as its name.
fn rooms_of(graph: &Graph<'_>, entrance: String) -> BTreeSet<String> {
    let mut rooms = BTreeSet::from([entrance.clone()]);
    let mut queue = vec![entrance];
    while let Some(id) = queue.pop() {
        let Some(Some(room)) = graph.shipped(&id) else { continue };
        let mut requests: BTreeSet<usize> = room.facts.stars.iter().copied().collect();
        for (name, _) in followed("core") {
            if let Some(Export::From { request, .. }) = room.facts.exports.get(name) {
                requests.insert(*request);
            }
        }
        for request in requests {
            let target = graph.resolve(&room.id, &room.facts.requests[request].specifier);
            if let Some(Target::Module(id)) = target
                && rooms.insert(id.clone())
            {
                queue.push(id);
            }
        }
    }
    rooms
}

pub(super) fn our_package(graph: &Graph<'_>, id: &str) -> Option<Rc<str>> {
    // What is left out of the bundle goes by its name.
    crate::link::our_package_of_specifier(id).or_else(|| graph.our_package_of_module(id).flatten())
}

/// The requests that a call, an escape or a registration of the module begins with.
fn wanted_requests(facts: &Facts) -> BTreeSet<usize> {
    let mut requests = BTreeSet::new();
    requests.extend(facts.calls.iter().filter_map(|call| facts.root_request(&call.callee)));
    requests.extend(facts.strays.iter().filter_map(|stray| facts.root_request(&stray.subject)));
    for registration in &facts.registrations {
        collect_requests(facts, &registration.callee, &mut requests, 0);
    }
    requests
}

fn collect_requests_of_export(facts: &Facts, export: &Export, requests: &mut BTreeSet<usize>) {
    match export {
        Export::From { request, .. } => drop(requests.insert(*request)),
        Export::Default(expr) => collect_requests(facts, expr, requests, 0),
        Export::Binding(id) => {
            collect_requests_of_binding(facts, *id, requests, 0);
            // Of a module's own constants only what its calls reach is lowered.
            for call in &facts.calls {
                if call.fate.as_ref().is_some_and(|fate| fate.names.contains(id))
                    && !is_helper(facts, &call.callee)
                {
                    requests.extend(facts.root_request(&call.callee));
                }
            }
        }
    }
}

/// The requests behind whatever an expression may hold.
pub(super) fn collect_requests(facts: &Facts, expr: &Expr, requests: &mut BTreeSet<usize>, depth: usize) {
    if depth > MAX_DEPTH * 2 {
        return;
    }
    match &expr.kind {
        ExprKind::Binding(id) => collect_requests_of_binding(facts, *id, requests, depth),
        ExprKind::Member { object, .. } => collect_requests(facts, object, requests, depth + 1),
        ExprKind::Chain(inner) => collect_requests(facts, inner, requests, depth + 1),
        ExprKind::Call { callee, .. } if !is_helper(facts, callee) => {
            collect_requests(facts, callee, requests, depth + 1);
        }
        ExprKind::Object(members) => {
            for member in members {
                if let Member::Property { value, .. } | Member::Spread(value) = member {
                    collect_requests(facts, value, requests, depth + 1);
                }
            }
        }
        _ => {}
    }
}

fn collect_requests_of_binding(facts: &Facts, id: BindingId, requests: &mut BTreeSet<usize>, depth: usize) {
    match facts.bindings.get(&id).map(|binding| &binding.kind) {
        Some(BindingKind::Import { request, .. }) => drop(requests.insert(*request)),
        Some(BindingKind::Constant(init) | BindingKind::Reassignable { only: Some(init), .. }) => {
            collect_requests(facts, init, requests, depth + 1);
        }
        _ => {}
    }
}

/// Whether a callee, by its name, is a macro or helper: what it returns passes nothing on.
fn is_helper(facts: &Facts, callee: &Expr) -> bool {
    const HELPERS: [&str; 4] =
        ["fromJsonSchema", "fromStandardSchema", "observationContract", "actionContract"];
    let is_from_core = |expr: &Expr| match &expr.kind {
        ExprKind::Binding(id) => match facts.bindings.get(id).map(|binding| &binding.kind) {
            Some(BindingKind::Import { request, name: ImportedName::Named(_) }) => {
                facts.requests[*request].specifier == CORE
            }
            _ => false,
        },
        _ => false,
    };
    is_from_core(callee)
        && facts
            .written_name(callee)
            .is_some_and(|name| HELPERS.contains(&name) || Macro::named(name).is_some())
}
