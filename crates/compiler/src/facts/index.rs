//! Imports and exports of a module by what is asked about them. Each is asked about for every request of every importer, and
//! a barrel has as many of the one as of the other.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{
    Binding, BindingId, BindingKind, Change, Export, Expr, ExprKind, Facts, ImportUse, ImportedName,
};

/// Where to look.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The names under which a binding is exported, in order.
    names: FxHashMap<BindingId, Vec<String>>,
    requests: FxHashMap<usize, OfRequest>,
}

/// What a module has of another.
#[derive(Debug, Default)]
struct OfRequest {
    /// The imports.
    bindings: Vec<BindingId>,
    /// What is passed on, under which names each.
    passed_on: BTreeMap<String, Vec<String>>,
    /// Whether all of it is passed on, each under its own name.
    is_star: bool,
    /// Whether the whole module is passed on as one value.
    passes_namespace: bool,
    /// What is used, by its place among all that is.
    uses: Vec<usize>,
}

impl Index {
    fn of(facts: &Facts) -> Self {
        let mut index = Self::default();
        for (id, binding) in &facts.bindings {
            if let BindingKind::Import { request, .. } = &binding.kind {
                index.requests.entry(*request).or_default().bindings.push(*id);
            }
        }
        for request in &facts.stars {
            index.requests.entry(*request).or_default().is_star = true;
        }
        for (at, used) in facts.uses.iter().enumerate() {
            index.requests.entry(used.request).or_default().uses.push(at);
        }
        for (exported, export) in &facts.exports {
            if let Export::Binding(id) = export {
                index.names.entry(*id).or_default().push(exported.clone());
            }
            let imported = match export {
                Export::From { request, name } => Some((*request, name)),
                Export::Binding(id) | Export::Default(Expr { kind: ExprKind::Binding(id), .. }) => {
                    facts.import_behind(*id)
                }
                Export::Default(_) => None,
            };
            let Some((request, imported)) = imported else { continue };
            let of_request = index.requests.entry(request).or_default();
            match imported {
                ImportedName::Namespace => of_request.passes_namespace = true,
                ImportedName::Named(name) => {
                    of_request.passed_on.entry(name.clone()).or_default().push(exported.clone());
                }
            }
        }
        index.names.values_mut().for_each(|names| names.sort_unstable());
        index
    }
}

impl Facts {
    fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(self))
    }

    /// The imports of a module that is imported.
    fn bindings_of(&self, request: usize) -> impl Iterator<Item = &Binding> {
        let of_request = self.index().requests.get(&request);
        of_request.into_iter().flat_map(|it| &it.bindings).filter_map(|id| self.bindings.get(id))
    }

    /// The imports by which this module knows `name` of a module it imports.
    pub(crate) fn imports_of<'f>(
        &'f self,
        request: usize,
        name: &'f str,
    ) -> impl Iterator<Item = &'f Binding> + 'f {
        self.bindings_of(request).filter(move |binding| {
            matches!(&binding.kind, BindingKind::Import { name: ImportedName::Named(imported), .. }
                if imported == name)
        })
    }

    /// A change that this module makes to `name` of a module it imports.
    pub(crate) fn change_of_import(&self, request: usize, name: &str) -> Option<(&Binding, &Change)> {
        let changes = self.bindings_of(request).filter_map(|binding| {
            let BindingKind::Import { name: imported, .. } = &binding.kind else { return None };
            let change = match imported {
                ImportedName::Named(imported) if imported == name => binding.changes.first(),
                ImportedName::Named(_) => None,
                ImportedName::Namespace => {
                    binding.changes.iter().find(|change| change.member.as_deref() == Some(name))
                }
            };
            change.map(|change| (binding, change))
        });
        changes.min_by_key(|(_, change)| change.span.start)
    }

    /// What this module uses of a module it imports.
    pub(crate) fn uses_of(&self, request: usize) -> impl Iterator<Item = &ImportUse> {
        let of_request = self.index().requests.get(&request);
        of_request.into_iter().flat_map(|it| &it.uses).map(|at| &self.uses[*at])
    }

    /// The names under which this module exports a binding.
    pub(crate) fn names_of(&self, id: BindingId) -> Vec<&str> {
        self.index().names.get(&id).into_iter().flatten().map(String::as_str).collect()
    }

    /// The names under which this module passes on `name` of a module it imports.
    pub(crate) fn names_passed_on(&self, request: usize, name: &str) -> Vec<String> {
        let Some(of_request) = self.index().requests.get(&request) else { return Vec::new() };
        let mut names = of_request.passed_on.get(name).cloned().unwrap_or_default();
        if of_request.is_star && name != "default" {
            names.push(name.to_owned());
        }
        names.sort_unstable();
        names
    }

    /// Whether this module passes on a whole module that it imports, as one value.
    pub(crate) fn hands_on_namespace(&self, request: usize) -> bool {
        self.index().requests.get(&request).is_some_and(|it| it.passes_namespace)
    }
}
