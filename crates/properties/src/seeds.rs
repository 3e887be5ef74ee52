//! Inputs to begin with: what the checkout has of fixtures, tests, regressions and recorded manifests.

use std::fs;
use std::path::{Path, PathBuf};

use agent_surface_soundness::generate;

use crate::tokens::{Token, tokens};

/// How many generated programs are among the seeds.
const PROGRAMS: u64 = 60;

/// Endings of what an app is written in.
const SOURCES: [&str; 7] = ["ts", "tsx", "js", "mts", "vue", "svelte", "json"];

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed {
    /// The property that it is for.
    pub property: &'static str,
    /// The input.
    pub bytes: Vec<u8>,
}

/// Every seed of this checkout. A folder that is not there has none.
#[must_use]
pub fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |property, text: &str| seeds.push(Seed { property, bytes: text.as_bytes().to_vec() });
    for text in program_texts() {
        add("analyse_fixtures", &text);
        // In TypeScript: alone, and used by another module.
        for choice in ["B", "N"] {
            add("analyse_bytes", &format!("{choice}{text}"));
        }
    }
    for seed in 0..PROGRAMS {
        add("analyse_fixtures", &generate(seed).to_string());
    }
    for text in texts("crates/soundness/regressions", &["txt"]) {
        add("analyse_fixtures", &text);
    }
    for text in texts("crates/compiler/tests/snapshots", &["snap"]) {
        // A snapshot begins with a head of its own.
        if let Some((_, manifest)) = text.split_once("\n---\n") {
            add("manifest_reader", manifest);
            add("json", manifest);
        }
    }
    for (property, folder) in [("schema_checker", "fuzz/seeds/schema_checker"), ("json", "fuzz/seeds/json")] {
        for text in texts(folder, &["txt"]) {
            add(property, &text);
        }
    }
    seeds
}

/// Texts of modules: the fixtures' sources, and what the compiler's tests compile.
pub(crate) fn program_texts() -> Vec<String> {
    let mut found = texts("fixtures", &SOURCES);
    for test in texts("crates/compiler/tests", &["rs"]) {
        for (token, range) in tokens(&test) {
            let text = test[range].trim_matches('"');
            if token == Token::Text && text.len() > 8 && !text.contains("{}") {
                found.push(
                    text.replace("\\\"", "\"").replace("\\n", "\n").replace("{{", "{").replace("}}", "}"),
                );
            }
        }
    }
    found
}

/// The files below a folder of the checkout, in the order of their paths.
fn texts(folder: &str, endings: &[&str]) -> Vec<String> {
    let mut paths = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder), endings, &mut paths);
    paths.sort();
    paths.into_iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

fn collect(folder: &Path, endings: &[&str], paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !path.ends_with("node_modules") && !path.ends_with("dist") {
                collect(&path, endings, paths);
            }
        } else if path.extension().is_some_and(|ending| endings.iter().any(|it| ending == *it)) {
            paths.push(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ALL;

    /// The fuzz targets run all of them first; here every so many must do.
    const EACH: usize = 10;

    #[test]
    fn every_property_has_seeds_and_holds_for_a_part_of_them() {
        let seeds = seeds();
        for (name, property) in ALL {
            let own: Vec<_> = seeds.iter().filter(|seed| seed.property == name).collect();
            assert!(!own.is_empty(), "{name}");
            for seed in own.iter().step_by(EACH) {
                property(&seed.bytes);
            }
        }
    }
}
