//! The tables that JavaScript needs as well are written for it from the ones that live in Rust.
//!
//! `npm/core/src/kernel/tables.ts` is what this test makes of them. `INSTA_UPDATE=always`, which `cargo xtask fixtures`
//! sets, writes it anew.

use std::{env, fs};

use agent_surface_core::{Code, Limits};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../npm/core/src/kernel/tables.ts");

fn tables() -> String {
    let limits: String =
        Limits::TABLE.iter().map(|limit| format!("  {}: {},\n", limit.name, limit.default)).collect();
    let retries: String = Code::ALL
        .iter()
        .map(|code| {
            let words: Vec<_> = code.rule().retries.iter().map(|it| format!("\"{}\"", it.as_str())).collect();
            format!("  {}: [{}],\n", code.as_str(), words.join(", "))
        })
        .collect();
    format!(
        "// Made by `cargo xtask fixtures` from crates/core, where the tables live.\n\n\
         /** The bounds of a registry with their defaults, by the names that options give them. */\n\
         export const LIMITS = {{\n{limits}}} as const;\n\n\
         /** What an agent can do about each error, the first being the usual advice. */\n\
         export const RETRIES = {{\n{retries}}} as const;\n"
    )
}

#[test]
fn the_tables_of_javascript_are_those_of_the_kernel() {
    let tables = tables();
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(FILE, &tables).unwrap();
    }
    assert_eq!(fs::read_to_string(FILE).unwrap(), tables);
}
