//! The end of a proof: proven declarations become the manifest, and the values of the placeholders.

use agent_surface_json::{Json, Object};
use agent_surface_manifest::{Contract, Entry, Manifest};
use rustc_hash::FxHashMap;

use crate::message::Located;
use crate::problem::{Place, Problem};
use crate::prove::Proven;

/// The manifest of what a pass proved, where each capability is declared, and the value of each placeholder.
pub(crate) struct Sealed {
    pub(crate) manifest: Manifest,
    pub(crate) located: Vec<Located>,
    pub(crate) values: FxHashMap<String, String>,
}

/// Seals proven declarations for a target.
pub(crate) fn seal(proven: Vec<Proven>, target: &str) -> Result<Sealed, Box<Problem>> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut places: FxHashMap<(String, String), Place> = FxHashMap::default();
    let mut values = FxHashMap::default();
    let mut proofs = Vec::new();
    for Proven { expansion, declaration_id, assembled, .. } in proven {
        let mut hashes = Object::new();
        for (contract, place) in assembled.contracts {
            let id = contract.capability_id.clone();
            let entry = contract.seal(target);
            hashes.insert(id.as_str(), entry.contract_hash.to_hex());
            places.insert((declaration_id.clone(), id), place);
            entries.push(entry);
        }
        let mut proof: Object =
            [("declarationId", Json::from(declaration_id)), ("contracts", Json::from(hashes))]
                .into_iter()
                .collect();
        if !assembled.validators.is_empty() {
            proof.insert("validators", assembled.validators);
        }
        values.insert(expansion.definition(), assembled.definition.to_canonical());
        proofs.push((expansion.proof(), proof));
    }
    let manifest = Manifest::assemble(entries, Vec::new())
        .map_err(|error| Box::new(Problem::without_place("conflict", error.message())))?;
    let hash = manifest.hash().to_hex();
    for (name, mut proof) in proofs {
        proof.insert("manifestHash", hash.as_str());
        values.insert(name, Json::from(proof).to_canonical());
    }
    let located = manifest
        .capabilities()
        .iter()
        .filter_map(|entry| {
            let Contract { declaration_id, capability_id, .. } = &entry.contract;
            let place = places.get(&(declaration_id.clone(), capability_id.clone()))?;
            let (line, column) = place.position();
            Some(Located {
                capability_id: capability_id.clone(),
                declaration_id: declaration_id.clone(),
                file: place.module.origin.clone(),
                line,
                column,
            })
        })
        .collect();
    Ok(Sealed { manifest, located, values })
}
