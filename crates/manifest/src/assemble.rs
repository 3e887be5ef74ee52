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
            hash: Digest::of(""),
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
