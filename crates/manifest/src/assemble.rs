//! Assembling: entries in, in any order; one manifest out.

use std::cmp::Ordering;

use agent_surface_json::cmp_utf16;

use crate::{
    Digest, Entry, ExternalContract, ManifestError,
    error::{Conflict, Occurrence},
    format::COMPILER_VERSION,
    manifest::Manifest,
};

impl Manifest {
    /// The manifest of `entries`, whatever their order, and of the dependencies that contributed some of them.
    ///
    /// An entry that occurs for several targets becomes one with the union of its targets. Entries are ordered
    /// by declaration and capability id, targets by name, external contracts by package, all by UTF-16 code
    /// unit. The manifest has the targets of its entries: a build without a capability leaves no trace.
    ///
    /// # Errors
    /// One declaration with two contents, or an entry whose hash is not its contract's. What is returned
    /// verifies.
    pub fn assemble(
        entries: Vec<Entry>,
        mut external_contracts: Vec<ExternalContract>,
    ) -> Result<Self, ManifestError> {
        let capabilities = unite(entries)?;
        let mut targets: Vec<String> =
            capabilities.iter().flat_map(|entry| &entry.targets).cloned().collect();
        normalize(&mut targets);
        external_contracts.sort_by(cmp_external);
        external_contracts.dedup();
        let mut manifest = Self {
            compiler_version: COMPILER_VERSION.to_owned(),
            targets,
            capabilities,
            external_contracts,
            hash: Digest::BLANK,
        };
        manifest.hash = manifest.compute_hash()?;
        Ok(manifest)
    }

    /// The manifest of several builds of one app, one for each target.
    ///
    /// Each is verified first: what was forged in one must not come out sealed in the other.
    ///
    /// # Errors
    /// A manifest that does not verify or was made by other rules than [`COMPILER_VERSION`], or one declaration
    /// with two contents.
    pub fn merge(manifests: impl IntoIterator<Item = Self>) -> Result<Self, ManifestError> {
        let (mut entries, mut external_contracts) = (Vec::new(), Vec::new());
        for manifest in manifests {
            manifest.verify()?;
            if manifest.compiler_version != COMPILER_VERSION {
                return Err(ManifestError::CompilerVersion { found: manifest.compiler_version });
            }
            entries.extend(manifest.capabilities);
            external_contracts.extend(manifest.external_contracts);
        }
        Self::assemble(entries, external_contracts)
    }
}

impl Entry {
    /// Orders by declaration, then capability, by UTF-16 code unit: as the two joined by U+0000 are ordered.
    pub(crate) fn cmp_key(&self, other: &Self) -> Ordering {
        cmp_utf16(&self.contract.declaration_id, &other.contract.declaration_id)
            .then_with(|| cmp_utf16(&self.contract.capability_id, &other.contract.capability_id))
    }
}

/// Sorts entries, and makes one of those that differ in their targets only.
fn unite(mut entries: Vec<Entry>) -> Result<Vec<Entry>, ManifestError> {
    entries.sort_by(Entry::cmp_key);
    let mut united: Vec<Entry> = Vec::with_capacity(entries.len());
    for entry in entries {
        match united.last_mut().filter(|last| last.cmp_key(&entry).is_eq()) {
            None => united.push(entry),
            // The contents are compared, and not only the stated hashes, which nobody has checked yet.
            Some(last) if last.contract == entry.contract && last.contract_hash == entry.contract_hash => {
                last.targets.extend(entry.targets);
            }
            Some(last) => return Err(conflict(last, &entry)),
        }
    }
    for entry in &mut united {
        normalize(&mut entry.targets);
    }
    Ok(united)
}

/// The error of two contents of one declaration, which reads the same whichever came first.
fn conflict(a: &Entry, b: &Entry) -> ManifestError {
    let mut occurrences = [a, b].map(|entry| {
        let mut targets = entry.targets.clone();
        normalize(&mut targets);
        Occurrence { targets, contract_hash: entry.contract_hash }
    });
    occurrences.sort();
    ManifestError::Conflict(Box::new(Conflict {
        declaration_id: a.contract.declaration_id.clone(),
        capability_id: a.contract.capability_id.clone(),
        occurrences,
    }))
}

fn normalize(targets: &mut Vec<String>) {
    targets.sort_by(|a, b| cmp_utf16(a, b));
    targets.dedup();
}

fn cmp_external(a: &ExternalContract, b: &ExternalContract) -> Ordering {
    // Beyond package and source, any total order will do, as long as it is one.
    cmp_utf16(&a.package, &b.package).then_with(|| cmp_utf16(&a.source, &b.source)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Route, sample};

    fn value(target: &str) -> Entry {
        sample::observation("src/counter.ts#counter", "value").seal(target)
    }

    fn contribution(package: &str) -> ExternalContract {
        ExternalContract {
            package: package.into(),
            source: "src".into(),
            route: Route::Source,
            contract_digest: Digest::of(package),
            expected_digest: Digest::of(package),
        }
    }

    fn keys(manifest: &Manifest) -> Vec<(&str, &str)> {
        let contracts = manifest.capabilities().iter().map(|entry| &entry.contract);
        contracts.map(|it| (it.declaration_id.as_str(), it.capability_id.as_str())).collect()
    }

    #[test]
    fn an_entry_of_several_targets_is_one_with_all_of_them() {
        let entries = ["web", "\u{FB33}", "desktop", "\u{1F600}", "web"].map(value);
        let manifest = Manifest::assemble(entries.into(), Vec::new()).unwrap();
        assert_eq!(manifest.capabilities().len(), 1);
        assert_eq!(manifest.capabilities()[0].targets, ["desktop", "web", "\u{1F600}", "\u{FB33}"]);
        assert_eq!(manifest.targets(), manifest.capabilities()[0].targets);
    }

    #[test]
    fn entries_are_ordered_by_declaration_then_capability_by_utf16_code_unit() {
        let entries =
            [("\u{FB33}", "a"), ("ab", "a"), ("\u{1F600}", "a"), ("a", "z"), ("a", "b"), ("B", "c")]
                .map(|(declaration, name)| sample::observation(declaration, name).seal("web"));
        let manifest = Manifest::assemble(entries.into(), Vec::new()).unwrap();
        assert_eq!(
            keys(&manifest),
            [
                ("B", "view:counter.c"),
                ("a", "view:counter.b"),
                ("a", "view:counter.z"),
                ("ab", "view:counter.a"),
                ("\u{1F600}", "view:counter.a"),
                ("\u{FB33}", "view:counter.a"),
            ]
        );
    }

    #[test]
    fn external_contracts_are_ordered_by_package_each_once() {
        let contributions = ["zebra", "@acme/charts", "zebra", "Charts"].map(contribution);
        let manifest = Manifest::assemble(Vec::new(), contributions.into()).unwrap();
        let packages: Vec<_> = manifest.external_contracts().iter().map(|it| &*it.package).collect();
        assert_eq!(packages, ["@acme/charts", "Charts", "zebra"]);
    }

    #[test]
    fn one_declaration_with_two_contents_is_refused_naming_both() {
        let mut other = sample::observation("src/counter.ts#counter", "value");
        other.description = "Another value".into();
        let (web, desktop) = (value("web"), other.seal("desktop"));
        let error = Manifest::assemble(vec![web.clone(), desktop.clone()], Vec::new()).unwrap_err();
        let ManifestError::Conflict(conflict) = error else { panic!("{error}") };
        assert_eq!(conflict.declaration_id, "src/counter.ts#counter");
        assert_eq!(conflict.capability_id, "view:counter.value");
        assert_eq!(
            conflict.occurrences,
            [desktop, web]
                .map(|entry| Occurrence { targets: entry.targets, contract_hash: entry.contract_hash })
        );
    }

    #[test]
    fn an_entry_under_a_forged_hash_is_never_assembled() {
        let mut forged = value("web");
        forged.contract.description = "Another value".into();
        let alone = Manifest::assemble(vec![forged.clone()], Vec::new());
        assert!(matches!(alone, Err(ManifestError::ContractHash { .. })));
        // Nor hidden behind the true one, whose hash it states.
        for entries in [vec![value("web"), forged.clone()], vec![forged, value("web")]] {
            assert!(matches!(Manifest::assemble(entries, Vec::new()), Err(ManifestError::Conflict(_))));
        }
    }

    #[test]
    fn merging_unites_the_targets_of_several_builds() {
        let of = |target| Manifest::assemble(vec![value(target)], vec![contribution(target)]).unwrap();
        let merged = Manifest::merge([of("web"), of("desktop")]).unwrap();
        assert_eq!(merged.verify(), Ok(()));
        assert_eq!(merged.targets(), ["desktop", "web"]);
        assert_eq!(merged.capabilities().len(), 1);
        assert_eq!(merged.external_contracts(), ["desktop", "web"].map(contribution));
    }

    #[test]
    fn merging_seals_nothing_that_did_not_verify() {
        let mut forged = Manifest::assemble(vec![value("web")], Vec::new()).unwrap();
        forged.capabilities[0].targets.push("desktop".into());
        assert!(matches!(Manifest::merge([forged]), Err(ManifestError::ManifestHash { .. })));
    }

    #[test]
    fn manifests_made_by_other_rules_are_not_merged() {
        let mut older = Manifest::assemble(vec![value("web")], Vec::new()).unwrap();
        older.compiler_version = "0.16.0".into();
        older.hash = older.compute_hash().unwrap();
        assert_eq!(Manifest::merge([older]), Err(ManifestError::CompilerVersion { found: "0.16.0".into() }));
    }
}
