//! Verification: recomputing every hash that a manifest states.

use agent_surface_json::{push_canonical_string, push_integer};

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
            let computed = entry.push_and_hash(&mut buffer);
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
        self.push_up_to_hash(&mut buffer);
        self.push_after_hash(&mut buffer);
        buffer.push('\n');
        hasher.push(&buffer);
        Ok(hasher.finish())
    }

    /// The canonical text. Nothing in it is checked.
    pub(crate) fn to_canonical(&self) -> String {
        let mut text = String::from("{");
        push_key(field::CAPABILITIES, &mut text);
        push_list(&self.capabilities, Entry::push_canonical, &mut text);
        self.push_up_to_hash(&mut text);
        push_next_key(field::HASH, &mut text);
        text.push('"');
        self.hash.push_hex(&mut text);
        text.push('"');
        self.push_after_hash(&mut text);
        text
    }

    /// Appends the canonical members between `capabilities` and `hash`.
    fn push_up_to_hash(&self, out: &mut String) {
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
        push_integer(FORMAT_VERSION.into(), out);
    }

    /// Appends the canonical members after `hash`, and the closing brace.
    fn push_after_hash(&self, out: &mut String) {
        push_next_key(field::TARGETS, out);
        push_list(&self.targets, |target, out| push_canonical_string(target, out), out);
        out.push('}');
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn manifest() -> Manifest {
        let entries =
            ["value", "max"].map(|name| sample::observation("src/counter.ts#counter", name).seal("web"));
        Manifest::assemble(entries.into(), Vec::new()).unwrap()
    }

    #[test]
    fn an_assembled_manifest_verifies() {
        assert_eq!(manifest().verify(), Ok(()));
    }

    #[test]
    fn a_changed_entry_is_named_with_both_hashes() {
        let mut manifest = manifest();
        let stated = manifest.capabilities[1].contract_hash;
        manifest.capabilities[1].contract.description = "Another value".into();
        let computed = manifest.capabilities[1].contract.hash();
        assert_eq!(
            manifest.verify(),
            Err(ManifestError::ContractHash {
                declaration_id: "src/counter.ts#counter".into(),
                capability_id: "view:counter.value".into(),
                stated,
                computed,
            })
        );
    }

    #[test]
    fn sealing_a_changed_entry_anew_still_breaks_the_manifest() {
        let mut manifest = manifest();
        manifest.capabilities[0].contract.description = "Another value".into();
        manifest.capabilities[0].contract_hash = manifest.capabilities[0].contract.hash();
        assert!(matches!(manifest.verify(), Err(ManifestError::ManifestHash { .. })));
    }

    #[test]
    fn an_entry_that_stands_twice_is_refused_even_where_every_hash_is_right() {
        let mut manifest = manifest();
        let again = manifest.capabilities[0].clone();
        manifest.capabilities.push(again);
        manifest.hash = manifest.compute_hash().unwrap();
        assert_eq!(
            manifest.verify(),
            Err(ManifestError::Duplicate {
                declaration_id: "src/counter.ts#counter".into(),
                capability_id: "view:counter.max".into(),
            })
        );
    }

    #[test]
    fn one_capability_of_two_declarations_is_no_repetition() {
        let entries = ["a", "b"].map(|variable| sample::observation(variable, "value").seal("web"));
        let manifest = Manifest::assemble(entries.into(), Vec::new()).unwrap();
        assert_eq!(manifest.verify(), Ok(()));
    }

    #[test]
    fn targets_are_part_of_the_manifests_hash() {
        for change in [
            |it: &mut Manifest| it.targets.push("desktop".into()),
            |it: &mut Manifest| it.capabilities[0].targets.push("desktop".into()),
        ] {
            let mut manifest = manifest();
            change(&mut manifest);
            assert!(matches!(manifest.verify(), Err(ManifestError::ManifestHash { .. })));
        }
    }

    #[test]
    fn the_order_of_another_compiler_is_accepted_with_its_hash() {
        let mut manifest = manifest();
        manifest.capabilities.reverse();
        manifest.compiler_version = "0.16.0".into();
        manifest.hash = manifest.compute_hash().unwrap();
        assert_eq!(manifest.verify(), Ok(()));
    }
}
