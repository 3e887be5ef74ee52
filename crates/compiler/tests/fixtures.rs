//! The apps in `fixtures/`, by the session alone. `tests/fixtures` builds the same apps with real bundlers and
//! holds their contracts and reports against the snapshots of this file, byte for byte.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod bundler;

use std::fmt::Write as _;

use agent_surface_compiler::{Close, Proof};
use bundler::{App, Build};

fn panels() -> App {
    App::fixture("panels")
        .alias("@/", "/app/src/")
        .virtual_module("virtual:announcements", "plugins/announcements.module.txt")
}

/// The apps whose contracts are proven, by their names.
fn proven() -> [(&'static str, App); 3] {
    [("counter", App::fixture("counter")), ("panels", panels()), ("devices", App::fixture("devices"))]
}

fn build(app: &App) -> Build {
    app.build("src/main.ts")
}

fn proof(build: &Build) -> &Proof {
    match &build.close {
        Close::Proven(proof) => proof,
        Close::Refused(report) => panic!("{}", report.text),
        Close::Ask(questions) => panic!("still asking {questions:?}"),
    }
}

/// The modules that a build changed, one after the other.
fn code(build: &Build) -> String {
    let mut text = String::new();
    for (id, output) in &build.changed {
        let name = id.replace('\0', "").replace("/app/", "");
        write!(text, "// ---- {name}\n{}\n", output.code).unwrap();
    }
    text
}

#[test]
fn a_contract_file_is_its_snapshot_and_ends_with_a_newline() {
    for (name, app) in proven() {
        let build = build(&app);
        let manifest = &proof(&build).manifest;
        assert!(manifest.ends_with("}\n"), "a snapshot would not show it");
        insta::assert_snapshot!(format!("{name}_contract"), manifest);
    }
}

#[test]
fn a_macro_call_ships_what_was_proven_in_the_place_of_what_was_written() {
    for (name, app) in proven() {
        insta::assert_snapshot!(format!("{name}_code"), code(&build(&app)));
    }
}

#[test]
fn a_chunk_holds_the_values_of_its_placeholders() {
    let build = build(&App::fixture("counter"));
    insta::assert_snapshot!("counter_shipped", build.ship(&code(&build)));
}

#[test]
fn every_capability_has_the_place_of_its_declaration() {
    let mut places = String::new();
    for (name, app) in proven() {
        for it in &proof(&build(&app)).capabilities {
            writeln!(
                places,
                "{} is declared at {name}/{}:{}:{}",
                it.capability_id, it.file, it.line, it.column
            )
            .unwrap();
        }
    }
    insta::assert_snapshot!("places", places);
}

#[test]
fn two_declarations_of_one_capability_are_proven_with_a_warning() {
    let build = build(&panels());
    let frames: Vec<_> = proof(&build).warnings.iter().map(|warning| warning.frame.as_str()).collect();
    insta::assert_snapshot!("panels_warnings", frames.join("\n\n"));
}

#[test]
fn everything_that_cannot_be_proven_is_in_one_report() {
    let app = App::fixture("broken").install("foreign-panels", "foreign-panels/index.js");
    match build(&app).close {
        Close::Refused(report) => insta::assert_snapshot!("broken_report", report.text),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_order_in_which_modules_are_loaded_changes_nothing() {
    let (one, other) = (build(&panels()), build(&panels().depth_first()));
    assert_eq!(proof(&one).manifest, proof(&other).manifest);
    assert_eq!(code(&one), code(&other));
}
