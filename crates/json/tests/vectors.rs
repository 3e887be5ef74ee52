//! The test vectors of RFC 8785, from the folder of reference data.

use std::{env, fs, path::PathBuf};

use agent_surface_json::parse;

/// The folder of the vectors; without one, the test says that it had nothing to test.
fn vectors() -> Option<PathBuf> {
    let folder = env::var_os("AGENT_SURFACE_TEST_DATA");
    if folder.is_none() {
        eprintln!("skipped: AGENT_SURFACE_TEST_DATA is not set");
    }
    Some(PathBuf::from(folder?).join("rfc8785/testdata"))
}

#[test]
fn every_vector_of_rfc_8785_prints_as_its_output() {
    let Some(folder) = vectors() else { return };
    let mut names: Vec<_> =
        fs::read_dir(folder.join("input")).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(
        names,
        ["arrays.json", "french.json", "structures.json", "unicode.json", "values.json", "weird.json"]
    );
    for name in names {
        let input = fs::read_to_string(folder.join("input").join(&name)).unwrap();
        let output = fs::read_to_string(folder.join("output").join(&name)).unwrap();
        assert_eq!(parse(&input).unwrap().to_canonical(), output, "{}", name.display());
    }
}
