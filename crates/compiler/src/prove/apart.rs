//! What the list of a module's imports shows. A bundler tells which modules each one imports, but not by which
//! specifier; where that can be told by their names, the paths that lead to nothing we follow need not be asked about
//! one by one.
//!
//! Names decide nothing by themselves. A module that imports as many modules as it has specifiers has no two that lead
//! to the same one: whatever a name that the bundler has resolved leads to, no path does. That the paths look like
//! the other modules guards the count against what a bundler leaves out of its list, or adds to it.

use std::collections::BTreeSet;

use super::reach::Reach;
use crate::graph::{Graph, Target};
use crate::id::{Id, Path};
use crate::link::our_package_of_specifier;
use crate::message::Known;
use crate::module::Module;
use crate::waiting::is_any;

/// Of how many imports the names are compared, each with each.
const MAX_IMPORTS: usize = 32;

impl Reach {
    /// Those of a module's requests that somebody has to be asked about, or was.
    pub(super) fn asked_about(
        &self,
        graph: &Graph<'_>,
        module: &Module,
        requests: impl IntoIterator<Item = usize>,
    ) -> Vec<usize> {
        let specifier_of = |request: usize| module.facts.requests[request].specifier.as_str();
        let is_open = |request: usize| {
            let specifier = specifier_of(request);
            specifier.starts_with('.') && !graph.is_resolved(&module.id, specifier)
        };
        let (open, mut asked): (Vec<usize>, Vec<usize>) =
            requests.into_iter().partition(|request| is_open(*request));
        let paths: Vec<&str> = open.iter().map(|request| specifier_of(*request)).collect();
        // While the host must answer first, nothing that is found means anything.
        let are_apart = || self.lead_apart(graph, module, &paths).unwrap_or(true);
        if !open.is_empty() && (graph.is_loading() || !are_apart()) {
            asked.extend(open);
        }
        asked
    }

    /// Whether it shows that these paths of a module lead neither to one of our packages nor to a module that passes
    /// something on. None while the host must answer first.
    fn lead_apart(&self, graph: &Graph<'_>, module: &Module, paths: &[&str]) -> Option<bool> {
        let (known, shipped) = (graph.known(&module.id), graph.ships_as_expanded_from(module));
        let Some(Known { imports: Some(imports), .. }) = known? else { return Some(false) };
        let other = if shipped? { None } else { Some(graph.shipped(&module.id)?) };
        let facts = match &other {
            None => &module.facts,
            Some(Some(shipped)) => &shipped.facts,
            Some(None) => return Some(false),
        };
        let specifiers: BTreeSet<&str> =
            facts.requests.iter().map(|request| request.specifier.as_str()).collect();
        let can_be_told = facts.refusal.is_none()
            && facts.dynamic_requests.is_empty()
            && specifiers.len() == imports.len()
            && specifiers.len() <= MAX_IMPORTS
            && paths.iter().all(|path| specifiers.contains(path));
        if !can_be_told {
            return Some(false);
        }
        let (own, names): (Vec<&str>, Vec<&str>) =
            specifiers.into_iter().partition(|specifier| specifier.starts_with('.'));
        let mut others: BTreeSet<&str> = imports.iter().map(String::as_str).collect();
        let targets: Vec<_> = names.into_iter().map(|name| graph.resolve(&module.id, name)).collect();
        for target in targets {
            let (Target::Module(id) | Target::External(id)) = target? else { return Some(false) };
            if !others.remove(id.as_str()) {
                return Some(false);
            }
        }
        let are_told = *self
            .told
            .borrow_mut()
            .entry(module.id.clone())
            .or_insert_with(|| pair_up(&module.id, &own, &others));
        if !are_told {
            return Some(false);
        }
        let is_followed = is_any(others, |id| {
            if self.passed.contains_key(id) || our_package_of_specifier(id).is_some() {
                return Some(true);
            }
            graph.our_package_of_module(id).map(|package| package.is_some())
        });
        Some(!is_followed?)
    }
}

/// Whether each path looks as if it led to one of these modules, and each of them as if one did.
fn pair_up(importer: &str, paths: &[&str], modules: &BTreeSet<&str>) -> bool {
    let files = modules.iter().map(|module| match Id::parse(module) {
        Id::Path(file) => Some(file),
        _ => None,
    });
    let written = paths.iter().map(|path| Path::written(importer, path));
    let (Some(files), Some(written)) =
        (files.collect::<Option<Vec<_>>>(), written.collect::<Option<Vec<_>>>())
    else {
        return false;
    };
    written.len() == files.len()
        && written.iter().all(|path| files.iter().any(|file| path.seems_to_be(file)))
        && files.iter().all(|file| written.iter().any(|path| path.seems_to_be(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(paths: &[&str], modules: &[&str]) -> bool {
        pair_up("/app/src/m.ts", paths, &modules.iter().copied().collect())
    }

    #[test]
    fn each_path_is_told_by_its_name() {
        assert!(pairs(
            &["./a", "../lib", "./b.js"],
            &["/app/src/a.ts", "/app/lib/index.ts", "/app/src/b.ts"]
        ));
        assert!(pairs(&[], &[]));
    }

    #[test]
    fn a_module_that_no_path_looks_like_can_not_be_told() {
        assert!(!pairs(&["./a"], &["/app/src/b.ts"]));
        assert!(!pairs(&["./a", "./b"], &["/app/src/a.ts", "/app/node_modules/react/jsx-runtime.js"]));
        assert!(!pairs(&["./a", "./a.js"], &["/app/src/a.ts", "/app/src/b.ts"]));
        assert!(!pairs(&["./a", "./b"], &["/app/src/a.ts"]));
    }
}
