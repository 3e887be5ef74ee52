//! The apps in `fixtures/`, by the session alone. `tests/fixtures` builds the same apps with real bundlers and
//! holds their contracts and reports against the snapshots of this file, byte for byte.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use agent_surface_compiler::Proof;
use support::{Build, Project};

/// The folder of a fixture.
fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// The modules of a fixture.
fn fixture(name: &str) -> Project {
    let root = folder(name);
    let mut project = Project::default();
    for file in scripts_in(&root.join("src")) {
        let path = file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        project = project.with(&path, &fs::read_to_string(&file).unwrap());
    }
    project
}

/// The scripts in a folder and those below it.
fn scripts_in(folder: &Path) -> Vec<PathBuf> {
    let (folders, files): (Vec<_>, Vec<_>) =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).partition(|path| path.is_dir());
    let is_script = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ["ts", "tsx", "js"].iter().any(|it| ending == *it))
    };
    let below = folders.iter().flat_map(|folder| scripts_in(folder));
    files.into_iter().filter(is_script).chain(below).collect()
}

fn panels() -> Project {
    let text = fs::read_to_string(folder("panels").join("plugins/announcements.module.txt")).unwrap();
    fixture("panels").with_virtual("virtual:announcements", &text)
}

fn broken() -> Project {
    let text = fs::read_to_string(folder("broken").join("foreign-panels/index.js")).unwrap();
    fixture("broken").with("node_modules/foreign-panels/index.js", &text)
}

/// The apps whose contracts are proven, by their names.
fn proven() -> [(&'static str, Project); 3] {
    [("counter", fixture("counter")), ("panels", panels()), ("devices", fixture("devices"))]
}

fn proof(build: &Build) -> &Proof {
    build.outcome.as_ref().unwrap_or_else(|report| panic!("{}", report.text))
}

/// The modules that a build changed, one after the other.
fn code(build: &Build) -> String {
    let mut text = String::new();
    for name in &build.changed {
        write!(text, "// ---- {name}\n{}\n", build.transformed[name]).unwrap();
    }
    text
}

#[test]
fn a_contract_file_is_its_snapshot_and_ends_with_a_newline() {
    for (name, project) in proven() {
        let build = project.build();
        let manifest = &proof(&build).manifest;
        assert!(manifest.ends_with("}\n"), "a snapshot would not show it");
        insta::assert_snapshot!(format!("{name}_contract"), manifest);
    }
}

#[test]
fn a_macro_call_ships_what_was_proven_in_the_place_of_what_was_written() {
    for (name, project) in proven() {
        insta::assert_snapshot!(format!("{name}_code"), code(&project.build()));
    }
}

#[test]
fn a_chunk_holds_the_values_of_its_placeholders() {
    let build = fixture("counter").build();
    let chunk = build.session.render(&code(&build)).unwrap();
    insta::assert_snapshot!("counter_shipped", chunk.code);
}

#[test]
fn every_capability_has_the_place_of_its_declaration() {
    let mut places = String::new();
    for (name, project) in proven() {
        for it in &proof(&project.build()).capabilities {
            let place = format!("{name}/{}:{}:{}", it.file, it.line, it.column);
            writeln!(places, "{} is declared at {place}", it.capability_id).unwrap();
        }
    }
    insta::assert_snapshot!("places", places);
}

#[test]
fn two_declarations_of_one_capability_are_proven_with_a_warning() {
    let build = panels().build();
    let frames: Vec<_> = proof(&build).warnings.iter().map(|warning| warning.frame.as_str()).collect();
    insta::assert_snapshot!("panels_warnings", frames.join("\n\n"));
}

#[test]
fn everything_that_cannot_be_proven_is_in_one_report() {
    insta::assert_snapshot!("broken_report", broken().build().report().text);
}

#[test]
fn the_order_in_which_modules_are_loaded_changes_nothing() {
    for (_, project) in proven() {
        let mut reversed = project.clone();
        reversed.reversed = true;
        let (one, other) = (project.build(), reversed.build());
        assert_eq!(proof(&one).manifest, proof(&other).manifest);
        assert_eq!(one.transformed, other.transformed);
    }
}
