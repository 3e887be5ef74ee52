//! Contracts that nothing binds.
//!
//! A contract counts as bound as soon as any module does anything with it but hand it on: the warning never tells
//! of a contract that is bound, and may miss one that is not. Both what an author wrote and what the bundler has of a
//! module are looked at: the one may have a use that a plugin makes of it, the other one that a plugin made.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Contributor, Prover, glance};
use crate::evaluate::place;
use crate::facts::{Call, ImportedName, Placement};
use crate::graph::{Target, View};
use crate::id::seems_to_lead_to;
use crate::module::Module;
use crate::problem::Problem;
use crate::stack::with_more;
use crate::waiting::is_any;

impl Prover<'_, '_> {
    /// The declarations that no module of the graph does anything with.
    pub(super) fn unbound(&mut self) -> Vec<Problem> {
        let proven = std::mem::take(&mut self.proven);
        let mut warnings = Vec::new();
        // What a dependency leaves unbound, nobody here can bind.
        for declaration in proven.iter().filter(|it| it.contributor == Contributor::Project) {
            let (module, call) = &declaration.call;
            match self.is_bound_as_ever(module, *call) {
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

    /// [`Prover::is_bound`], from memory where nothing that matters has changed.
    fn is_bound_as_ever(&self, module: &Rc<Module>, call: usize) -> Option<bool> {
        let about = (module.id.clone(), call);
        let memo = self.graph.memo();
        if let Some(known) = memo.borrow_mut().of(self.graph.view()).bound.recall(&about, &module.hash) {
            return Some(known);
        }
        let (is_bound, grounds) = self.graph.trace(|| self.is_bound(module, call));
        if let (Some(is_bound), Some(grounds)) = (is_bound, grounds) {
            memo.borrow_mut().of(self.graph.view()).bound.keep(about, module.hash, grounds, is_bound);
        }
        is_bound
    }

    /// Whether anything is done with what a call declares. None while the host must answer first.
    fn is_bound(&self, module: &Rc<Module>, call: usize) -> Option<bool> {
        let call = &module.facts.calls[call];
        if call.fate.as_ref().is_some_and(|fate| fate.used) {
            return Some(true);
        }
        let is_used_elsewhere = is_any(names_of(module, call), |name| {
            self.is_used_through(&module.id, name, &mut BTreeSet::new())
        });
        // The author's text may lack the use that a plugin adds, as a component's template does.
        let is_used_in_bundle = match self.graph.ships_as_expanded_from(module) {
            Some(true) => Some(false),
            Some(false) => self.graph.shipped(&module.id).map(|shipped| {
                shipped.is_some_and(|shipped| {
                    shipped.facts.calls.iter().any(|other| {
                        other.placement == call.placement && other.fate.as_ref().is_some_and(|fate| fate.used)
                    })
                })
            }),
            None => None,
        };
        is_any([is_used_elsewhere, is_used_in_bundle], |is_used| is_used)
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
        is_any(&known.importers, |importer| self.is_used_by(importer, id, name, seen))
    }

    /// Whether an importer does anything with what a module exports under a name, or hands it on to one that does.
    fn is_used_by(
        &self,
        importer: &str,
        id: &str,
        name: &str,
        seen: &mut BTreeSet<(String, String)>,
    ) -> Option<bool> {
        let has_one_text = self.graph.view() == View::Bundle && !self.graph.is_hooked(importer);
        if has_one_text
            && let Some(text) = self.graph.shipped_text(importer)?
            && glance::shows_no_use(importer, text, id, name)
        {
            return Some(false);
        }
        let written = self.graph.module(importer);
        let shipped = if has_one_text { Some(None) } else { self.graph.shipped(importer) };
        let (written, shipped) = (written?, shipped?);
        let mut passed_on = BTreeSet::new();
        let mut is_understood = false;
        let is_used = is_any(written.into_iter().chain(shipped), |text| {
            self.uses(&text, id, name, &mut passed_on, &mut is_understood)
        });
        // It has no import of the module that could be understood: it reaches it while it runs.
        if is_used? || !is_understood {
            return Some(true);
        }
        is_any(passed_on, |exported| with_more(|| self.is_used_through(importer, &exported, seen)))
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
        let seems_to_lead: Vec<bool> = facts
            .requests
            .iter()
            .map(|request| seems_to_lead_to(&importer.id, &request.specifier, id))
            .collect();
        *is_understood |= seems_to_lead.contains(&true);
        let must_ask_all = !*is_understood;
        let is_used = is_any(facts.requests.iter().enumerate(), |(index, request)| {
            let is_used = facts.hands_on_namespace(index)
                || facts.uses_of(index).any(|import| match &import.name {
                    ImportedName::Named(imported) => imported == name && import.used.is_anything(),
                    ImportedName::Namespace => import.used.reaches(name),
                });
            let names = facts.names_passed_on(index, name);
            // Only what matters is worth a question to the host.
            if !must_ask_all && !is_used && names.is_empty() {
                return Some(false);
            }
            let leads = seems_to_lead[index]
                || self.graph.resolve(&importer.id, &request.specifier)? == Target::Module(id.to_owned());
            if leads {
                *is_understood = true;
                passed_on.extend(names);
            }
            Some(leads && is_used)
        });
        // `import()` beside an import declaration.
        Some(is_used? || !facts.dynamic_requests.is_empty() && self.may_reach(importer, id))
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

/// The names under which a module exports what one of its calls declares.
fn names_of<'m>(module: &'m Module, call: &'m Call) -> BTreeSet<&'m str> {
    match (&call.placement, &call.fate) {
        (Placement::Default, _) | (_, None) => BTreeSet::from(["default"]),
        // A member of the default export has no fate.
        (_, Some(fate)) => {
            let names = fate.names.iter().flat_map(|id| module.facts.names_of(*id));
            names.chain(fate.is_default.then_some("default")).collect()
        }
    }
}
