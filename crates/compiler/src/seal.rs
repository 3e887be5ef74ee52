//! The end of a proof: proven declarations become the manifest, and the values of the placeholders.

use std::rc::Rc;

use agent_surface_json::{Json, Object};
use agent_surface_manifest::{Contract, Entry, Manifest};
use rustc_hash::FxHashMap;

use crate::expand::Expansion;
use crate::external::{Admission, sealed_name};
use crate::message::Located;
use crate::problem::{Place, Problem};
use crate::prove::Proven;

/// The manifest of what a pass proved, where each capability is declared, and what each placeholder stands for.
pub(crate) struct Sealed {
    pub(crate) manifest: Manifest,
    pub(crate) located: Vec<Located>,
    /// The definitions.
    pub(crate) values: FxHashMap<String, String>,
    /// The proofs by their placeholders, but for the hash of the manifest: see [`value_of_proof`].
    pub(crate) proofs: Vec<(String, Object)>,
    /// Whose placeholders hold the values of each declaration, by its id.
    pub(crate) declared: FxHashMap<String, Expansion>,
}

/// The places of capabilities, by declaration and capability; none for what no author's text is known of.
pub(crate) type Places = FxHashMap<(String, String), Place>;

/// What is the same of a declaration in every manifest of a target.
#[derive(Debug)]
pub(crate) struct SealedDeclaration {
    entries: Vec<Entry>,
    /// Its definition, canonical.
    definition: String,
    /// Its proof, but for the hash of the manifest.
    proof: Object,
}

impl SealedDeclaration {
    fn new(Proven { declaration_id, assembled, .. }: &Proven, target: &str) -> Self {
        let entries: Vec<Entry> =
            assembled.contracts.iter().map(|(contract, _)| contract.clone().seal(target)).collect();
        let mut hashes = Object::new();
        for Entry { contract, contract_hash, .. } in &entries {
            hashes.insert(contract.capability_id.as_str(), contract_hash.to_hex());
        }
        let mut proof: Object =
            [("declarationId", Json::from(declaration_id.as_str())), ("contracts", Json::from(hashes))]
                .into_iter()
                .collect();
        if !assembled.validators.is_empty() {
            proof.insert("validators", assembled.validators.clone());
        }
        Self { entries, definition: assembled.definition.to_canonical(), proof }
    }
}

/// Seals proven declarations, and what dependencies add to them, for a target. `written` are the places that their
/// author knows them by.
pub(crate) fn seal(
    proven: &[Rc<Proven>],
    admission: Admission,
    target: &str,
    written: &mut Places,
) -> Result<Sealed, Box<Problem>> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut values = FxHashMap::default();
    let mut declared = FxHashMap::default();
    let mut proofs = Vec::new();
    for (entry, place) in admission.entries {
        let Contract { declaration_id, capability_id, .. } = &entry.contract;
        written.insert((declaration_id.clone(), capability_id.clone()), place);
        entries.push(entry);
    }
    for proven in proven {
        let Proven { expansion, declaration_id, contributor, call: (module, call), .. } = &**proven;
        let sealed = proven.sealed.get_or_init(|| SealedDeclaration::new(proven, target));
        // Those of a contract file are in it, with the targets of the build that made it.
        if !contributor.is_sealed() {
            entries.extend_from_slice(&sealed.entries);
        }
        let name = sealed_name(module, &module.facts.calls[*call]).filter(|_| contributor.is_sealed());
        declared.insert(name.unwrap_or_else(|| declaration_id.clone()), expansion.clone());
        values.insert(expansion.definition(), sealed.definition.clone());
        proofs.push((expansion.proof(), sealed.proof.clone()));
    }
    let manifest = Manifest::assemble(entries, admission.contracts)
        .map_err(|error| Box::new(Problem::without_place("conflict", error.message())))?;
    let located = manifest
        .capabilities()
        .iter()
        .map(|entry| {
            let Contract { declaration_id, capability_id, origin, .. } = &entry.contract;
            let place = written.get(&(declaration_id.clone(), capability_id.clone()));
            let (line, column) = place.map_or((0, 0), Place::position);
            Located {
                capability_id: capability_id.clone(),
                declaration_id: declaration_id.clone(),
                file: place.map_or(origin, |place| &place.module.origin).clone(),
                line,
                column,
            }
        })
        .collect();
    Ok(Sealed { manifest, located, values, proofs, declared })
}

/// What the placeholder of a proof stands for, in a build whose manifest has this hash.
pub(crate) fn value_of_proof(mut proof: Object, manifest_hash: &str) -> String {
    proof.insert("manifestHash", manifest_hash);
    Json::from(proof).to_canonical()
}
