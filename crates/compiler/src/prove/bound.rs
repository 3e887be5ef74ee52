//! Contracts that nothing binds.
//!
//! A contract counts as bound as soon as any module does anything with it but hand it on: the warning never tells
//! of a contract that is bound, and may miss one that is not. Both what an author wrote and what the bundler has of a
//! module are looked at: the one may have a use that a plugin makes of it, the other one that a plugin made.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Contributor, Prover};
use crate::evaluate::place;
use crate::facts::{ImportedName, Placement};
use crate::graph::{Module, Target};
use crate::id::seems_to_lead_to;
use crate::problem::Problem;

impl Prover<'_, '_> {
    /// The declarations that no module of the graph does anything with.
    pub(super) fn unbound(&mut self) -> Vec<Problem> {
        let proven = std::mem::take(&mut self.proven);
        let mut warnings = Vec::new();
        // What a dependency leaves unbound, nobody here can bind.
        for declaration in proven.iter().filter(|it| it.contributor == Contributor::Project) {
            let (module, call) = &declaration.call;
            match self.is_bound(module, *call) {
                None => self.findings.waiting += 1,
                Some(true) => {}
                Some(false) => {
                    let span = module.facts.calls[*call].callee.span;
                    let message = format!("Nothing binds `{}`", declaration.declaration_id);
                    let problem = Problem::at(place(module, span), "unbound-contract", message)
                        .label("declared, and used nowhere in this build")
                        .help("Bind it, with useAgentComponent(contract, …) or contract.bind(…), or remove it: the manifest promises what no agent will find.");
                    warnings.push(problem.warning());
                }
            }
        }
        self.proven = proven;
        warnings
    }

    /// Whether anything is done with what a call declares. None while the host must answer first.
    fn is_bound(&self, module: &Rc<Module>, call: usize) -> Option<bool> {
        let call = &module.facts.calls[call];
        let mut names: BTreeSet<&str> = BTreeSet::new();
        match (&call.placement, &call.fate) {
            (Placement::Default, _) => drop(names.insert("default")),
            (_, Some(fate)) => {
                if fate.used {
                    return Some(true);
                }
                names.extend(fate.names.iter().flat_map(|id| module.facts.names_of(*id)));
                names.extend(fate.is_default.then_some("default"));
            }
            // A member of the default export.
            (_, None) => drop(names.insert("default")),
        }
        for name in names {
            if self.is_used_through(&module.id, name, &mut BTreeSet::new())? {
                return Some(true);
            }
        }
        // The author's text may lack the use that a plugin adds, as a component's template does.
        match self.graph.shipped(&module.id)? {
            Some(shipped) => Some(shipped.facts.calls.iter().any(|other| {
                other.placement == call.placement && other.fate.as_ref().is_some_and(|fate| fate.used)
            })),
            None => Some(false),
        }
    }

    /// Whether some importer of a module does anything with what it exports under a name.
    fn is_used_through(&self, id: &str, name: &str, seen: &mut BTreeSet<(String, String)>) -> Option<bool> {
        if !seen.insert((id.to_owned(), name.to_owned())) {
            return Some(false);
        }
        let Some(known) = self.graph.known(id)? else { return Some(false) };
        // What an entry exports is for others to use.
        if known.is_entry || known.importers.is_empty() {
            return Some(true);
        }
        for importer in &known.importers {
            let mut passed_on = BTreeSet::new();
            let mut is_understood = false;
            let written = self.graph.module(importer)?;
            if let Some(written) = &written
                && self.uses(written, id, name, &mut passed_on, &mut is_understood)?
            {
                return Some(true);
            }
            if let Some(shipped) = self.graph.shipped(importer)?
                && self.uses(&shipped, id, name, &mut passed_on, &mut is_understood)?
            {
                return Some(true);
            }
            // It has no import of the module that could be understood: it reaches it while it runs.
            if !is_understood {
                return Some(true);
            }
            for exported in passed_on {
                if self.is_used_through(importer, &exported, seen)? {
                    return Some(true);
                }
            }
        }
        Some(false)
    }

    /// Whether a module does anything with `name` of another; also notes the names it passes that on under, and
    /// whether it imports the other at all.
    fn uses(
        &self,
        importer: &Module,
        id: &str,
        name: &str,
        passed_on: &mut BTreeSet<String>,
        is_understood: &mut bool,
    ) -> Option<bool> {
        let facts = &importer.facts;
        if facts.refusal.is_some() {
            return Some(true);
        }
        for (index, request) in facts.requests.iter().enumerate() {
            let leads = seems_to_lead_to(&importer.id, &request.specifier, id)
                || self.graph.resolve(&importer.id, &request.specifier)? == Target::Module(id.to_owned());
            if !leads {
                continue;
            }
            *is_understood = true;
            let is_used =
                facts.uses.iter().filter(|import| import.request == index).any(|import| match &import.name {
                    ImportedName::Named(imported) => imported == name && import.used.is_anything(),
                    ImportedName::Namespace => import.used.reaches(name),
                });
            if is_used || facts.hands_on_namespace(index) {
                return Some(true);
            }
            passed_on.extend(facts.names_passed_on(index, name));
        }
        // `import()` beside an import declaration.
        Some(!facts.dynamic_requests.is_empty() && self.may_reach(importer, id))
    }

    /// Whether a dynamic request of a module may lead to another.
    fn may_reach(&self, importer: &Module, id: &str) -> bool {
        importer.facts.dynamic_requests.iter().any(|request| match &request.specifier.kind {
            crate::facts::ExprKind::String(specifier) => {
                !specifier.starts_with('.') || seems_to_lead_to(&importer.id, specifier, id)
            }
            _ => true,
        })
    }
}
