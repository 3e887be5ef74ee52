//! The authority: a verified manifest, and the questions it answers.

use agent_surface_json::{Json, cmp_utf16};
use agent_surface_manifest::{Confirmation, Contract, Digest, Entry, Kind, Manifest, ManifestError};

use crate::definition::{CapabilityDefinition, Definition, Proof};
use crate::refusal::{DefinitionCode, DefinitionError, Field};

/// A manifest whose every hash was recomputed. Nothing that is not in it is ever executed or exposed.
#[derive(Debug)]
pub struct Authority {
    manifest: Manifest,
    /// The entries' places, by declaration and capability.
    index: Vec<usize>,
}

impl Authority {
    /// Verifies a manifest and indexes it.
    ///
    /// # Errors
    /// As [`Manifest::verify`].
    pub fn new(manifest: Manifest) -> Result<Self, ManifestError> {
        manifest.verify()?;
        let entries = manifest.capabilities();
        let mut index: Vec<usize> = (0..entries.len()).collect();
        index.sort_by(|a, b| {
            let (a, b) = (&entries[*a].contract, &entries[*b].contract);
            cmp_utf16(&a.declaration_id, &b.declaration_id)
                .then_with(|| cmp_utf16(&a.capability_id, &b.capability_id))
        });
        Ok(Self { manifest, index })
    }

    /// The manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The entry of one capability of one declaration.
    #[must_use]
    pub fn entry(&self, declaration_id: &str, capability_id: &str) -> Option<&Entry> {
        let at = self.index.binary_search_by(|at| {
            let contract = &self.manifest.capabilities()[*at].contract;
            cmp_utf16(&contract.declaration_id, declaration_id)
                .then_with(|| cmp_utf16(&contract.capability_id, capability_id))
        });
        at.ok().map(|at| &self.manifest.capabilities()[self.index[at]])
    }

    /// The entries of one declaration.
    pub fn declaration(&self, declaration_id: &str) -> impl Iterator<Item = &Entry> {
        let entry = |at: &usize| &self.manifest.capabilities()[*at];
        let start = self
            .index
            .partition_point(|at| cmp_utf16(&entry(at).contract.declaration_id, declaration_id).is_lt());
        self.index[start..]
            .iter()
            .map(entry)
            .take_while(move |entry| entry.contract.declaration_id == declaration_id)
    }

    /// The proof of a bound component, which must be of this manifest.
    ///
    /// # Errors
    /// There is none, or it is of another manifest.
    pub(crate) fn check_proof<'a>(&self, definition: &'a Definition) -> Result<&'a Proof, DefinitionError> {
        let Some(proof) = &definition.proof else {
            return Err(refuse(
                Field::Proof,
                &[
                    "The component \"",
                    &definition.component_type,
                    "\" was not bound from a compiled contract. Declare it with defineAgentComponentContract, build with \
                 the compiler's plugin, and register what `bind` returns.",
                ],
            ));
        };
        self.check_manifest(proof)?;
        Ok(proof)
    }

    /// Holds a bound component against what was proven of its declaration.
    ///
    /// # Errors
    /// The first thing that is raw, stale, unknown, missing or different.
    pub(crate) fn check(&self, definition: &Definition) -> Result<(), DefinitionError> {
        let component_type = &definition.component_type;
        let proof = self.check_proof(definition)?;
        for capability in &definition.capabilities {
            let id = capability.id(component_type);
            let contract = self.contract(proof, &id)?;
            check_semantics(contract, capability)?;
            check_policies(contract, definition, capability)?;
        }
        let bound = |id: &str| definition.capabilities.iter().any(|it| it.id(component_type) == id);
        let proven = proof.contracts.iter().map(|(id, _)| id.as_str());
        let declared = self.declaration(&proof.declaration_id).map(|it| it.contract.capability_id.as_str());
        match proven.chain(declared).find(|id| !bound(id)) {
            None => Ok(()),
            Some(missing) => Err(refuse(
                Field::Capabilities,
                &[
                    "The binding of ",
                    &proof.declaration_id,
                    " leaves out \"",
                    missing,
                    "\". Bind every capability that the contract declares.",
                ],
            )),
        }
    }

    /// Holds a provider's tool against its declaration.
    ///
    /// # Errors
    /// As [`Registry::admit`](crate::Registry::admit), for what a tool has.
    pub fn check_tool(
        &self,
        id: &str,
        description: &str,
        input_schema: Option<&Json>,
        proof: Option<&Proof>,
    ) -> Result<&Entry, DefinitionError> {
        let Some(proof) = proof else {
            return Err(refuse(
                Field::Proof,
                &[
                    "The tool \"",
                    id,
                    "\" was not bound from a compiled contract. Declare it with defineExternalAgentToolContract and \
                 expose what `bind` returns.",
                ],
            ));
        };
        self.check_manifest(proof)?;
        let contract = self.contract(proof, id)?;
        if contract.kind != Kind::External {
            return Err(differs(contract, Field::Kind));
        }
        if contract.description != description {
            return Err(differs(contract, Field::Description));
        }
        if contract.input_schema.as_ref() != input_schema {
            return Err(differs(contract, Field::InputSchema));
        }
        self.entry(&proof.declaration_id, id).ok_or_else(|| unknown(proof, id))
    }

    fn check_manifest(&self, proof: &Proof) -> Result<(), DefinitionError> {
        if proof.manifest_hash == self.manifest.hash() {
            return Ok(());
        }
        Err(refuse(
            Field::Proof,
            &[
                "The contract of ",
                &proof.declaration_id,
                " was compiled into manifest ",
                &proof.manifest_hash.to_hex(),
                ", but the authority has ",
                &self.manifest.hash().to_hex(),
                ". Build the app as one.",
            ],
        ))
    }

    /// The contract that `proof` gives for `capability_id`, as the manifest has it.
    fn contract(&self, proof: &Proof, capability_id: &str) -> Result<&Contract, DefinitionError> {
        let stated: Option<Digest> =
            proof.contracts.iter().find(|(id, _)| id == capability_id).map(|(_, hash)| *hash);
        let Some(stated) = stated else { return Err(unknown(proof, capability_id)) };
        let entry =
            self.entry(&proof.declaration_id, capability_id).ok_or_else(|| unknown(proof, capability_id))?;
        if entry.contract_hash == stated {
            return Ok(&entry.contract);
        }
        Err(refuse(
            Field::Proof,
            &[
                "The contract of \"",
                capability_id,
                "\" has hash ",
                &stated.to_hex(),
                ", but the manifest has ",
                &entry.contract_hash.to_hex(),
                " for it. Build the app as one.",
            ],
        ))
    }
}

fn check_semantics(contract: &Contract, live: &CapabilityDefinition) -> Result<(), DefinitionError> {
    let differs = |field| Err(differs(contract, field));
    if contract.kind != live.kind {
        return differs(Field::Kind);
    }
    if contract.description != live.description {
        return differs(Field::Description);
    }
    if contract.effect != live.effect {
        return differs(Field::Effect);
    }
    if contract.input_schema != live.input_schema {
        return differs(Field::InputSchema);
    }
    if contract.output_schema != live.output_schema {
        return differs(Field::OutputSchema);
    }
    let declared = contract.confirmation.unwrap_or(Confirmation::Never);
    if live.effective_confirmation() < declared {
        return Err(refuse(
            Field::Confirmation,
            &[
                "\"",
                &contract.capability_id,
                "\" asks for confirmation less than its contract: confirmation is \"",
                live.effective_confirmation().as_str(),
                "\", but \"",
                declared.as_str(),
                "\" was proven. A binding may only ask for more.",
            ],
        ));
    }
    Ok(())
}

fn check_policies(
    contract: &Contract,
    definition: &Definition,
    live: &CapabilityDefinition,
) -> Result<(), DefinitionError> {
    for attachment in contract.policies.iter().flatten() {
        let mut policies = definition.policies.iter().chain(&live.policies);
        if !policies.any(|policy| policy.covers(attachment)) {
            let phase = attachment.phase.map_or("any", |phase| phase.as_str());
            return Err(refuse(
                Field::Policies,
                &[
                    "\"",
                    &contract.capability_id,
                    "\" lacks the policy \"",
                    &attachment.name,
                    "\" (phase: ",
                    phase,
                    "), which its contract requires. Bind the policy to the capability or to its component.",
                ],
            ));
        }
    }
    Ok(())
}

fn refuse(field: Field, parts: &[&str]) -> DefinitionError {
    DefinitionError::new(DefinitionCode::InvalidDefinition, field, parts)
}

fn unknown(proof: &Proof, capability_id: &str) -> DefinitionError {
    refuse(
        Field::Proof,
        &[
            "The contract of ",
            &proof.declaration_id,
            " does not have \"",
            capability_id,
            "\". Declare it there and build the app again.",
        ],
    )
}

fn differs(contract: &Contract, field: Field) -> DefinitionError {
    refuse(
        field,
        &[
            "The ",
            field.as_str(),
            " of \"",
            &contract.capability_id,
            "\" is not the one that was proven for ",
            &contract.declaration_id,
            ". A binding may add code, but not change the contract.",
        ],
    )
}
