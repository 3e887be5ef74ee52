//! Changes that other modules make to what a module holds.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::facts::{Binding, BindingId, BindingKind, Change, Expr, ExprKind, Handed, ImportedName, Key};
use crate::graph::{Graph, Target};
use crate::id::Id;
use crate::link::Denotation;
use crate::module::Module;
use crate::waiting::find_first;

impl Graph<'_> {
    /// A change that another module makes to what a module exports under one of these names, with the binding
    /// it makes it through. The outer none while the host must answer first.
    pub(crate) fn foreign_change(
        &self,
        module: &Module,
        names: &[&str],
    ) -> Option<Option<(Rc<Module>, Binding, Change)>> {
        // While the graph is still loading nobody can know all importers; the last look does.
        if self.is_loading() {
            return Some(None);
        }
        let mut seen = FxHashSet::default();
        find_first(names, |name| self.change_through(&module.id, name, &mut seen))
    }

    /// A change that a function of another module makes to what a binding holds, which is handed to it.
    pub(crate) fn change_by_function(
        &self,
        module: &Rc<Module>,
        binding: &Binding,
    ) -> Option<Option<(Rc<Module>, Change)>> {
        if self.is_loading() {
            return Some(None);
        }
        self.change_by(module, &binding.handed, &mut FxHashSet::default())
    }

    fn change_by(
        &self,
        module: &Rc<Module>,
        handed: &[Handed],
        seen: &mut FxHashSet<(String, BindingId, usize)>,
    ) -> Option<Option<(Rc<Module>, Change)>> {
        find_first(handed, |Handed { function, argument }| {
            let Some((other, id)) = self.function(module, function)? else { return Some(None) };
            if !seen.insert((other.id.clone(), id, *argument)) {
                return Some(None);
            }
            let parameters = other.facts.bindings.get(&id).map(|binding| binding.parameters.as_slice());
            let Some(parameter) = parameters.and_then(|parameters| parameters.get(*argument)) else {
                return Some(None);
            };
            if let Some(change) = parameter.changes.first() {
                return Some(Some((other.clone(), change.clone())));
            }
            self.change_by(&other, &parameter.handed, seen)
        })
    }

    /// The function of another module that an expression names. An installed package's are not looked into.
    fn function(&self, module: &Rc<Module>, function: &Expr) -> Option<Option<(Rc<Module>, BindingId)>> {
        let (id, member) = match &function.kind {
            ExprKind::Binding(id) => (id, None),
            ExprKind::Member { object, key, .. } => match (&object.kind, &**key) {
                (ExprKind::Binding(id), Key::Static { name, .. }) => (id, Some(name)),
                _ => return Some(None),
            },
            _ => return Some(None),
        };
        let Some(BindingKind::Import { request, name }) = module.facts.bindings.get(id).map(|it| &it.kind)
        else {
            return Some(None);
        };
        let name = match (name, member) {
            (ImportedName::Namespace, Some(member)) => &ImportedName::Named(member.clone()),
            (ImportedName::Named(_), None) => name,
            _ => return Some(None),
        };
        let specifier = &module.facts.requests[*request].specifier;
        match self.resolve(&module.id, specifier)? {
            Target::Module(id) if !Id::parse(&id).is_installed() => self.ask_for_module(&id),
            _ => return Some(None),
        }
        Some(match self.import(module, specifier, name)? {
            Denotation::Binding(module, id) => Some((module, id)),
            _ => None,
        })
    }

    fn change_through(
        &self,
        id: &str,
        name: &str,
        seen: &mut FxHashSet<(String, String)>,
    ) -> Option<Option<(Rc<Module>, Binding, Change)>> {
        if !seen.insert((id.to_owned(), name.to_owned())) {
            return Some(None);
        }
        let Some(known) = self.known(id)? else { return Some(None) };
        for importer in &known.importers {
            self.ask_for_module(importer);
        }
        find_first(&known.importers, |importer| {
            let Some(importer) = self.module(importer)? else { return Some(None) };
            find_first(0..importer.facts.requests.len(), |request| {
                self.change_by_importer(&importer, request, id, name, seen)
            })
        })
    }

    /// The change that a module makes to what one of its requests leads to, if it leads to the module in question.
    fn change_by_importer(
        &self,
        importer: &Rc<Module>,
        request: usize,
        id: &str,
        name: &str,
        seen: &mut FxHashSet<(String, String)>,
    ) -> Option<Option<(Rc<Module>, Binding, Change)>> {
        let facts = &importer.facts;
        let change = facts.change_of_import(request, name);
        let passed_on = facts.names_passed_on(request, name);
        // Only what matters is worth a question to the host.
        let is_handed = facts.imports_of(request, name).any(|binding| !binding.handed.is_empty());
        if change.is_none() && passed_on.is_empty() && !is_handed
            || self.resolve(&importer.id, &facts.requests[request].specifier)?
                != Target::Module(id.to_owned())
        {
            return Some(None);
        }
        if let Some((binding, change)) = change {
            return Some(Some((Rc::clone(importer), binding.clone(), change.clone())));
        }
        let by_function = find_first(facts.imports_of(request, name), |binding| {
            let found = self.change_by_function(importer, binding)?;
            Some(found.map(|(module, change)| (module, binding.clone(), change)))
        });
        match by_function {
            Some(Some(found)) => return Some(Some(found)),
            Some(None) => {}
            // What lies behind the names it is passed on under is asked for in the same round.
            None => {
                find_first(passed_on, |exported| self.change_through(&importer.id, &exported, seen));
                return None;
            }
        }
        find_first(passed_on, |exported| self.change_through(&importer.id, &exported, seen))
    }
}
