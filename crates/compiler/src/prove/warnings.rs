//! What is worth a look and no reason to fail.

use std::collections::BTreeMap;

use agent_surface_manifest::Contract;

use super::Prover;
use crate::problem::{Place, Problem};

impl Prover<'_, '_> {
    /// Two declarations of one capability: allowed, since a build may hold several apps, and rarely meant.
    pub(super) fn duplicates(&self) -> Vec<Problem> {
        let proven = self.proven.iter().flat_map(|proven| &proven.assembled.contracts);
        let proven = proven.map(|(contract, place)| (contract, place.clone()));
        let sidecars = self.sidecars.found.iter().flat_map(|sidecar| {
            let contracts = sidecar.entries.iter().map(|entry| &entry.contract);
            contracts.map(|contract| (contract, sidecar.place_of(&contract.capability_id)))
        });
        let mut first: BTreeMap<&str, (&Contract, Place)> = BTreeMap::new();
        let mut warnings = Vec::new();
        for (contract, place) in proven.chain(sidecars) {
            match first.get(contract.capability_id.as_str()) {
                Some((earlier, other)) if earlier.declaration_id != contract.declaration_id => {
                    let message = format!("`{}` is declared twice", contract.capability_id);
                    let problem = Problem::at(place, "duplicate-capability", message)
                        .label(format!("by `{}`", contract.declaration_id))
                        .related(other.clone(), format!("and by `{}`", earlier.declaration_id))
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

    /// Several copies of the core package: an authority of one means nothing to another.
    pub(super) fn several_cores(&self) -> Option<Problem> {
        let cores: Vec<String> = self
            .reach
            .cores
            .iter()
            .map(|(dir, version)| match version {
                Some(version) => format!("{version} in {dir}"),
                None => dir.clone(),
            })
            .collect();
        (cores.len() > 1).then(|| {
            let message = format!(
                "{} copies of @agent-surface/core are in the build: {}",
                cores.len(),
                cores.join(", ")
            );
            Problem::without_place("several-cores", message)
                .help("Each copy has its own authority. Let the package manager install one.")
                .warning()
        })
    }
}
