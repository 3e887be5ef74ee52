//! Verification: recomputing every hash that a manifest states.

use agent_surface_json::push_canonical_string;

use crate::{
    Digest, Entry, ManifestError,
    digest::Hasher,
    entry::{push_key, push_list, push_next_key},
    format::{COMPLETENESS_PROVEN, FORMAT_VERSION, field},
    manifest::Manifest,
};

impl Manifest {
    /// Recomputes every contract's hash and the manifest's, and looks for entries that occur twice.
    ///
    /// The format version and the completeness are not looked at again: no [`Manifest`] exists without them.
    /// The order of entries is not judged either. It is part of the hashed bytes, and the reference compiler
    /// orders by its host's locale.
    ///
    /// # Errors
    /// The first of: a contract's hash, in the order of the file; an entry that occurs twice; the manifest's
    /// hash.
    pub fn verify(&self) -> Result<(), ManifestError> {
        let computed = self.compute_hash()?;
        self.check_uniqueness()?;
        if computed != self.hash {
            return Err(ManifestError::ManifestHash { stated: self.hash, computed });
        }
        Ok(())
    }

    /// The hash of the canonical form without `hash`, and a newline; on the way there, every contract's hash
    /// is checked. Each entry is printed once, into one buffer.
    pub(crate) fn compute_hash(&self) -> Result<Digest, ManifestError> {
        let mut hasher = Hasher::default();
        let mut buffer = String::from("{");
        push_key(field::CAPABILITIES, &mut buffer);
        buffer.push('[');
        for (index, entry) in self.capabilities.iter().enumerate() {
            if index > 0 {
                buffer.push(',');
            }
            let computed = entry.push_canonical(&mut buffer);
            if computed != entry.contract_hash {
                return Err(ManifestError::ContractHash {
                    declaration_id: entry.contract.declaration_id.clone(),
                    capability_id: entry.contract.capability_id.clone(),
                    stated: entry.contract_hash,
                    computed,
                });
            }
            hasher.push(&buffer);
            buffer.clear();
        }
        buffer.push(']');
        self.push_after_capabilities(&mut buffer);
        hasher.push(&buffer);
        Ok(hasher.finish())
    }

    /// Appends the canonical members after `capabilities`, without `hash`, and the newline.
    fn push_after_capabilities(&self, out: &mut String) {
        push_next_key(field::COMPILER_VERSION, out);
        push_canonical_string(&self.compiler_version, out);
        push_next_key(field::COMPLETENESS, out);
        out.push('{');
        push_key(field::STATUS, out);
        push_canonical_string(COMPLETENESS_PROVEN, out);
        out.push('}');
        push_next_key(field::EXTERNAL_CONTRACTS, out);
        push_list(&self.external_contracts, |contract, out| contract.to_json().push_canonical(out), out);
        push_next_key(field::FORMAT_VERSION, out);
        out.push_str(&FORMAT_VERSION.to_string());
        push_next_key(field::TARGETS, out);
        push_list(&self.targets, |target, out| push_canonical_string(target, out), out);
        out.push_str("}\n");
    }

    fn check_uniqueness(&self) -> Result<(), ManifestError> {
        let mut sorted: Vec<&Entry> = self.capabilities.iter().collect();
        sorted.sort_unstable_by(|a, b| a.cmp_key(b));
        match sorted.windows(2).find(|pair| pair[0].cmp_key(pair[1]).is_eq()) {
            None => Ok(()),
            Some(pair) => Err(ManifestError::Duplicate {
                declaration_id: pair[0].contract.declaration_id.clone(),
                capability_id: pair[0].contract.capability_id.clone(),
            }),
        }
    }
}
