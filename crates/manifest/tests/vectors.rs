//! A contract file that the reference compiler made: every hash in it recomputes, and every byte comes back.

use std::{env, fs, path::PathBuf};

use agent_surface_manifest::{Manifest, format};

/// The text of the reference's file; without one, the test says that it had nothing to test.
fn reference() -> Option<String> {
    let folder = env::var_os("AGENT_SURFACE_TEST_DATA");
    if folder.is_none() {
        eprintln!("skipped: AGENT_SURFACE_TEST_DATA is not set");
    }
    let file = PathBuf::from(folder?).join("reference-contract-v5.json");
    Some(fs::read_to_string(file).expect("the folder has the reference's file"))
}

#[test]
fn every_contract_hash_and_the_manifest_hash_of_the_reference_recompute() {
    let Some(text) = reference() else { return };
    let manifest = Manifest::parse(&text).unwrap();
    assert!(!manifest.capabilities().is_empty());
    for entry in manifest.capabilities() {
        assert_eq!(entry.contract.hash(), entry.contract_hash, "{}", entry.contract.capability_id);
    }
    assert_eq!(manifest.verify(), Ok(()));
}

#[test]
fn the_reference_file_comes_back_byte_for_byte() {
    let Some(text) = reference() else { return };
    assert_eq!(Manifest::parse(&text).unwrap().to_file_text(), text);
}

#[test]
fn assembling_the_reference_entries_anew_makes_the_same_file() {
    let Some(text) = reference() else { return };
    let manifest = Manifest::parse(&text).unwrap();
    let sealed_anew = manifest.capabilities().iter().rev().map(|entry| {
        assert_eq!(entry.targets, [format::DEFAULT_TARGET]);
        entry.contract.clone().seal(format::DEFAULT_TARGET)
    });
    let assembled =
        Manifest::assemble(sealed_anew.collect(), manifest.external_contracts().to_vec()).unwrap();
    assert_eq!(assembled.to_file_text(), text);
}
