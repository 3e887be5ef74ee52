//! Modules that have very much of one thing. What is read of them must not take the square of it: as long as they are, nobody
//! would see the end of that.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![allow(clippy::print_stdout, reason = "what never ends leaves no other word of what was tried")]

use std::collections::BTreeMap;

use agent_surface_compiler::{Proof, Report};
use agent_surface_host::{Host, ROOT};

const IMPORTS: &str =
    "import { defineAgentComponentContract, fromJsonSchema } from \"@agent-surface/core\";\n";

const CONTRACT: &str =
    "export const c = defineAgentComponentContract({ type: \"t\", description: \"d\", tags: value });\n";

/// The length of a module, in bytes.
const BYTES: usize = 200_000;

/// `text` with `#` for the number of each, as often as there is room.
fn many(text: &str) -> String {
    let mut all = String::with_capacity(BYTES);
    let mut number = 0;
    while all.len() < BYTES {
        all += &text.replace('#', &number.to_string());
        number += 1;
    }
    all
}

fn build(modules: impl IntoIterator<Item = (&'static str, String)>) -> Result<Proof, Report> {
    let files = modules.into_iter().map(|(name, text)| (format!("{ROOT}/src/{name}"), text));
    let files: BTreeMap<String, String> = files.collect();
    Host::new(&files, false).build()
}

#[test]
fn a_module_may_have_as_much_of_anything_as_fits() {
    for (before, each, after) in [
        // Values.
        ("const all = {", "a#:0,", "}; const value = [all.a7 + ''];"),
        ("const all = {", "a#:0,", "}; const value = [{ ...all }.a7 + ''];"),
        ("const {", "a#,", "} = f; const value = ['a'];"),
        ("enum E {", "a#='',", "} const value = [E.a7];"),
        // Uses of a value: as arguments, in patterns, under one name after the other.
        ("const value = ['a']; f(", "value,", ");"),
        ("const value = ['a']; f(", "value||", "0);"),
        ("const value = ['a'];", "f(value);", ""),
        ("const value = ['a']; const a0 = [];", "const a#=a0;", ""),
        ("const value = ['a']; f(", "fromJsonSchema,", ");"),
        // Imports, exports, and what goes round a contract.
        ("const value = ['a'];", "import './i#';", ""),
        ("const value = ['a'];", "import { a# } from './i'; f(a#);", ""),
        ("const value = ['a'];", "export { a as a# } from './i#';", ""),
        ("const value = ['a'];", "export const b# = [];", ""),
        ("const value = ['a']; class A { x = f(); a() {", "this.x.register({});", "} }"),
        ("const value = ['a'];", "class A# { x = f(); a() { this.x = 1; this.x.register({}); } }", ""),
        ("const value = ['a'];", "f(document || document.modelContext);", ""),
        ("const value = ['a']; f(", "document||", "document.modelContext);"),
        ("const value = ['a'];", "a#.modelContext;f(document);", ""),
    ] {
        println!("{before} {each} {after}");
        // Whatever is said of it.
        drop(build([("main.ts", format!("{IMPORTS}{before}{}{after}\n{CONTRACT}", many(each)))]));
    }
}

#[test]
fn a_value_may_go_by_one_name_after_the_other() {
    let mut row = String::from("const a0 = ['a'];");
    for index in 1..10_000 {
        row += &format!("const a{index}=a{};", index - 1);
    }
    for value in ["a0", "a9999"] {
        let main = format!("{IMPORTS}{row}export {{ a9999 as b }}; const value = {value};\n{CONTRACT}");
        assert_eq!(build([("main.ts", main)]).is_ok(), value == "a0");
    }
}

#[test]
fn a_barrel_may_pass_on_as_many_values_as_it_likes() {
    let mut files = BTreeMap::new();
    let (mut barrel, mut main) = (String::new(), String::from("import './barrel';"));
    for index in 0..300 {
        barrel += &format!("export {{ list as list{index} }} from \"./m{index}\";");
        main += &format!("import './c{index}';");
        let contract = CONTRACT.replace("\"t\"", &format!("\"t{index}\"")).replace("value", "list");
        files.insert(format!("{ROOT}/src/m{index}.ts"), "export const list = ['a'];".to_owned());
        files.insert(
            format!("{ROOT}/src/c{index}.ts"),
            format!("{IMPORTS}import {{ list }} from \"./m{index}\";\n{contract}"),
        );
    }
    files.insert(format!("{ROOT}/src/barrel.ts"), barrel);
    files.insert(format!("{ROOT}/src/main.ts"), main);
    assert_eq!(
        Host::new(&files, false).build().map(|proof| proof.capabilities.len()).map_err(|it| it.text),
        Ok(0)
    );
}

#[test]
fn a_report_tells_of_so_many_problems_and_how_many_there_are() {
    let contracts =
        many("export const c# = defineAgentComponentContract({ type: here, description: 'd' });\n");
    let count = contracts.lines().count();
    let report = build([("main.ts", format!("{IMPORTS}{contracts}"))]).unwrap_err();
    assert!(report.text.starts_with(&format!("agent-surface found {count} contract problems")));
    assert!(
        report.text.ends_with(&format!("{} more are not shown\n", count - 500)),
        "{}",
        report.diagnostics.len()
    );
    assert_eq!(report.diagnostics.len(), 501);
}
