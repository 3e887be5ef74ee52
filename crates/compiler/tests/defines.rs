//! Constants that a build puts in the place of names.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use serde_json::{Value, json};
use support::{Project, carrying};

/// A project with a contract that carries `expression`, in a build with constants like Vite's.
fn project(prelude: &str, expression: &str) -> Project {
    let defines = [
        ("__NAME__", "\"app\"", None),
        ("__LIMITS__", "{\"max\": 5, \"list\": [1, 2]}", None),
        ("__CALL__", "window.name()", None),
        ("__SIDE__", "\"page\"", Some("ssr")),
        ("process.env", "{}", None),
        ("process.env.NODE_ENV", "\"production\"", None),
        ("import.meta.env.MODE", "\"staging\"", None),
        ("import.meta.env.DEV", "false", None),
        ("import.meta.env.SSR", "false", Some("ssr")),
        ("import.meta.env", "{\"DEV\": false, \"MODE\": \"staging\", \"SSR\": false}", None),
        ("import.meta.env.*", "undefined", None),
    ];
    let project = Project::of(&format!("{prelude}\n{}", carrying(expression)));
    defines
        .into_iter()
        .fold(project, |project, (name, text, differs_in)| project.with_define(name, text, differs_in))
}

fn value(prelude: &str, expression: &str) -> Value {
    project(prelude, expression).build().manifest()["capabilities"][0]["outputSchema"]["enum"][0].clone()
}

#[test]
fn a_name_that_no_scope_binds_is_the_constant_that_ships() {
    for (expression, expected) in [
        ("__NAME__", json!("app")),
        ("`the ${__NAME__}`", json!("the app")),
        ("__LIMITS__.max", json!(5)),
        ("__LIMITS__[\"list\"][1]", json!(2)),
        ("[...__LIMITS__.list]", json!([1, 2])),
        ("{ __NAME__ }", json!({ "__NAME__": "app" })),
        ("typeof __NAME__", json!("string")),
        ("process.env.NODE_ENV", json!("production")),
        ("process.env[\"NODE_ENV\"]", json!("production")),
        ("process?.env?.NODE_ENV", json!("production")),
        ("process.env.OTHER ?? \"none\"", json!("none")),
        ("import.meta.env.MODE", json!("staging")),
        ("import.meta.env?.MODE", json!("staging")),
        ("import.meta.env[\"MODE\"]", json!("staging")),
        ("import.meta.env[\"MO\" + \"DE\"]", json!("staging")),
        ("(import.meta as any).env!.MODE", json!("staging")),
        ("import.meta.env.DEV ? 1 : 2", json!(2)),
        ("import.meta.env.NOPE ?? \"none\"", json!("none")),
        ("{ ...import.meta.env, SSR: 0 }", json!({ "DEV": false, "MODE": "staging", "SSR": 0 })),
    ] {
        assert_eq!(value("", expression), expected, "{expression}");
    }
    assert_eq!(
        value("const { MODE, NOPE = \"none\" } = import.meta.env;", "MODE + NOPE"),
        json!("stagingnone")
    );
    assert_eq!(value("const env = import.meta.env;", "env.MODE"), json!("staging"));
}

#[test]
fn a_name_of_the_module_wins_over_a_constant_of_the_build() {
    assert_eq!(value("const __NAME__ = \"own\";", "__NAME__"), json!("own"));
    assert_eq!(
        value("const process = { env: { NODE_ENV: \"own\" } };", "process.env.NODE_ENV"),
        json!("own")
    );
    assert_eq!(value("const a = { __NAME__: \"own\" };", "a.__NAME__"), json!("own"));
}

#[test]
fn a_constant_of_another_module_may_be_one_of_the_build() {
    let project = project("import { mode } from \"./mode\";", "mode")
        .with("src/mode.ts", "export const mode = `in ${import.meta.env.MODE}`;");
    assert_eq!(project.build().manifest()["capabilities"][0]["outputSchema"]["enum"][0], "in staging");
}

#[test]
fn what_is_no_json_or_not_the_same_everywhere_is_an_error() {
    for (expression, code) in [
        ("__CALL__", "dynamic-value"),
        ("__OTHER__", "dynamic-value"),
        ("import.meta", "dynamic-value"),
        ("import.meta.url", "dynamic-value"),
        // No bundler replaces these alike.
        ("import.meta[\"env\"].MODE", "dynamic-value"),
        ("import.meta.env.NOPE.deep", "dynamic-value"),
        ("import.meta.env.SSR", "varying-value"),
        ("import.meta.env", "varying-value"),
        ("import.meta.env[\"S\" + \"SR\"]", "varying-value"),
        ("__SIDE__", "varying-value"),
    ] {
        let found = project("", expression).build().problems();
        assert_eq!(found.len(), 1, "{expression}: {found:?}");
        assert!(found[0].starts_with(code), "{expression}: {found:?}");
    }
}

#[test]
fn the_refusal_of_a_constant_says_what_it_is_and_what_to_write() {
    let text = |expression| project("", expression).build().report().text.clone();
    insta::assert_snapshot!("no_json", text("__CALL__"));
    insta::assert_snapshot!("not_the_same", text("import.meta.env.SSR"));
}

#[test]
fn constants_that_no_contract_uses_leave_no_trace() {
    let with = project("", "1").build().outcome.unwrap().manifest;
    let without = Project::of(&format!("\n{}", carrying("1"))).build().outcome.unwrap().manifest;
    assert_eq!(with, without);
}
