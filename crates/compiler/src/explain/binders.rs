//! What uses a contract. The walk is that of the warning about contracts that nothing binds, and as generous: a use
//! that it cannot name is told by the import that it needs.

use std::collections::BTreeSet;
use std::rc::Rc;

use oxc_span::Span;

use super::{NamedPosition, settle};
use crate::evaluate::place;
use crate::facts::{BindingId, Call, Expr, ExprKind, ImportedName, Placement};
use crate::graph::{Graph, Target};
use crate::id::seems_to_lead_to;
use crate::module::Module;

/// How many characters of a callee are told.
const MAX_NAME: usize = 60;

/// What uses the contract that a macro call declares. None while the host must answer first.
pub(super) fn of_call(graph: &Graph<'_>, module: &Rc<Module>, call: usize) -> Option<Vec<NamedPosition>> {
    let call = &module.facts.calls[call];
    let mut found = Vec::new();
    let mut exported: BTreeSet<String> = BTreeSet::new();
    if let Some(fate) = &call.fate {
        let is_it = |id: BindingId| fate.names.contains(&id);
        found.extend(calls_with(module, &is_it));
        if fate.used && found.is_empty() {
            found.push(NamedPosition::new("its own module", &place(module, call.callee.span)));
        }
        exported.extend(fate.names.iter().flat_map(|id| module.facts.names_of(*id)).map(str::to_owned));
    }
    let is_default = call.fate.as_ref().is_none_or(|fate| fate.is_default);
    if is_default || call.placement == Placement::Default {
        exported.insert("default".to_owned());
    }
    let mut walk = Walk { graph, found, seen: BTreeSet::new() };
    for name in exported {
        walk.follow(&module.id, &name)?;
    }
    Some(settle(walk.found))
}

struct Walk<'g, 'm> {
    graph: &'g Graph<'m>,
    found: Vec<NamedPosition>,
    /// Exports that were followed, by module and name.
    seen: BTreeSet<(String, String)>,
}

impl Walk<'_, '_> {
    /// Notes what is done with an export of a module, by whatever imports it.
    fn follow(&mut self, id: &str, name: &str) -> Option<()> {
        if !self.seen.insert((id.to_owned(), name.to_owned())) {
            return Some(());
        }
        let Some(known) = self.graph.known(id)? else { return Some(()) };
        for importer in &known.importers {
            if let Some(importer) = self.graph.module(importer)? {
                self.look_at(&importer, id, name)?;
            }
        }
        Some(())
    }

    fn look_at(&mut self, importer: &Rc<Module>, id: &str, name: &str) -> Option<()> {
        for (index, request) in importer.facts.requests.iter().enumerate() {
            let leads = seems_to_lead_to(&importer.id, &request.specifier, id)
                || self.graph.resolve(&importer.id, &request.specifier)? == Target::Module(id.to_owned());
            if !leads {
                continue;
            }
            let is_it = |binding: BindingId| {
                importer.facts.import_behind(binding).is_some_and(|(from, imported)| {
                    from == index && matches!(imported, ImportedName::Named(imported) if imported == name)
                })
            };
            let calls = calls_with(importer, &is_it);
            if calls.is_empty() && is_used(importer, index, name) {
                self.found.push(NamedPosition::new(name, &place(importer, request.statement)));
            }
            self.found.extend(calls);
            for exported in importer.facts.names_passed_on(index, name) {
                self.follow(&importer.id, &exported)?;
            }
        }
        Some(())
    }
}

fn is_used(importer: &Module, request: usize, name: &str) -> bool {
    importer.facts.uses_of(request).any(|import| match &import.name {
        ImportedName::Named(imported) => imported == name && import.used.is_anything(),
        ImportedName::Namespace => import.used.reaches(name),
    })
}

/// The calls of a module that have a contract as an argument, or are of a method of it.
fn calls_with(module: &Rc<Module>, is_it: &dyn Fn(BindingId) -> bool) -> Vec<NamedPosition> {
    let has = |call: &Call| {
        call.arguments.iter().any(|argument| root(&argument.expr).is_some_and(is_it))
            || matches!(call.callee.kind, ExprKind::Member { .. }) && root(&call.callee).is_some_and(is_it)
    };
    let calls = module.facts.calls.iter().filter(|call| has(call));
    calls.map(|call| NamedPosition::new(text(module, call.callee.span), &place(module, call.span))).collect()
}

/// The name that an expression begins with.
fn root(expr: &Expr) -> Option<BindingId> {
    match &expr.kind {
        ExprKind::Binding(id) => Some(*id),
        ExprKind::Member { object, .. } => root(object),
        _ => None,
    }
}

fn text(module: &Module, span: Span) -> String {
    let text = module.source.get(span.start as usize..span.end as usize).unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(MAX_NAME).collect()
}
