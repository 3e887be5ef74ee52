//! `docs/compiler-cases.md` names a test for every case, and every test that it names exists.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the page, each with its case and the tests it names.
fn rows() -> Vec<(String, Vec<(String, String)>)> {
    let page = fs::read_to_string(root().join("docs/compiler-cases.md")).unwrap();
    page.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| case |"))
        .map(|line| {
            let case = line.split(" | ").next().unwrap().trim_start_matches("| ").to_owned();
            let tests = line
                .split('`')
                .filter_map(|code| code.split_once("::"))
                .filter(|(path, _)| path.ends_with(".rs") || path.ends_with(".ts"))
                .map(|(path, name)| (path.to_owned(), name.to_owned()))
                .collect();
            (case, tests)
        })
        .collect()
}

/// Whether a file has a test of this name.
fn has_test(file: &Path, name: &str) -> bool {
    let Ok(text) = fs::read_to_string(file) else { return false };
    if file.extension().is_some_and(|ending| ending == "rs") {
        return text.contains(&format!("#[test]\nfn {name}()"))
            || text.contains(&format!("#[test]\n    fn {name}()"));
    }
    text.lines().any(|line| line.contains(name) && !line.trim_start().starts_with("//"))
}

#[test]
fn every_case_has_a_test_that_exists() {
    let rows = rows();
    assert!(rows.len() > 60, "the page has {} rows", rows.len());
    for (case, tests) in rows {
        assert!(!tests.is_empty(), "nothing proves: {case}");
        for (path, name) in tests {
            let file = match path.contains('/') {
                true => root().join(&path),
                false => root().join("crates/compiler/tests").join(&path),
            };
            assert!(has_test(&file, &name), "{path} has no test `{name}`, which is to prove: {case}");
        }
    }
}
