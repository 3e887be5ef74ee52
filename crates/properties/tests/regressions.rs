//! Inputs that once broke a property, by fuzzing or by hand.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::fs;
use std::path::{Path, PathBuf};

use agent_surface_properties::ALL;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn what_once_broke_a_property_holds_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/regressions");
    for kind in files(&folder) {
        let name = kind.file_name().unwrap().to_str().unwrap();
        let (_, property) = ALL.iter().find(|(known, _)| *known == name).unwrap();
        let inputs = files(&kind);
        assert!(!inputs.is_empty(), "{name}");
        for input in inputs {
            // A panic's own words don't say which input it was.
            println!("{}", input.display());
            property(&fs::read(&input).unwrap());
        }
    }
}
