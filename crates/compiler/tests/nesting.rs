//! Modules that nest deeply, each in its own way, on less stack than any thread has: whoever walks one must not need
//! more than there is, and neither must whoever drops what was read of it.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
#![allow(clippy::print_stdout, reason = "a stack that overflows leaves no other word of what was tried")]

use std::collections::BTreeMap;
use std::thread;

use agent_surface_compiler::{Proof, Report};
use agent_surface_host::{Host, Nested, ROOT, nested};

/// What a thread that a test runs on has. Node's workers and main threads have more.
const STACK: usize = 512 * 1024;

const IMPORTS: &str =
    "import { defineAgentComponentContract, fromJsonSchema } from \"@agent-surface/core\";\n";

const CONTRACT: &str =
    "export const c = defineAgentComponentContract({ type: \"t\", description: \"d\", tags: [value] });\n";

/// Builds on a small stack, and drops the session there.
fn build(files: &BTreeMap<String, String>) -> Result<Proof, Report> {
    thread::scope(|scope| {
        let build = || Host::new(files, false).build();
        thread::Builder::new().stack_size(STACK).spawn_scoped(scope, build).unwrap().join().unwrap()
    })
}

fn module(name: &str, text: String) -> (String, String) {
    (format!("{ROOT}/src/{name}"), text)
}

/// Builds a contract of a value that nests, and holds the report to what a report is.
fn hold(what: &str, modules: impl IntoIterator<Item = (String, String)>) {
    // A stack that overflows ends the process: this is the last that is heard of it.
    println!("{what}");
    if let Err(report) = build(&modules.into_iter().collect()) {
        assert!(report.text.len() < 20_000, "{what}: {}", report.text);
        for diagnostic in &report.diagnostics {
            let has_place = diagnostic.id.is_some() && diagnostic.line > 0 && diagnostic.column > 0
                || diagnostic.message.contains("`src/input.");
            assert!(has_place, "{what}: {}", report.text);
        }
    }
}

#[test]
fn a_contract_in_a_module_that_nests_is_proven_or_refused_with_its_place() {
    for bytes in [500, 4000, 60_000] {
        for Nested { ending, what, text } in nested(bytes) {
            hold(&what, [module(&format!("main.{ending}"), format!("{IMPORTS}{text}{CONTRACT}"))]);
        }
    }
}

#[test]
fn a_contract_of_a_value_from_a_module_that_nests_is_proven_or_refused_with_its_place() {
    for bytes in [500, 4000, 60_000] {
        for Nested { ending, what, text } in nested(bytes) {
            let input = format!("{IMPORTS}{text}export {{ value }};");
            let main = format!("{IMPORTS}import {{ value }} from \"./input\";\n{CONTRACT}");
            hold(&what, [module("main.ts", main), module(&format!("input.{ending}"), input)]);
        }
    }
}

#[test]
fn a_name_deep_in_a_pattern_is_not_a_static_value() {
    let main = format!("{IMPORTS}const {}value{} = [];\n{CONTRACT}", "[".repeat(300), "]".repeat(300));
    let report = build(&BTreeMap::from([module("main.ts", main)])).unwrap_err();
    assert!(report.text.contains("`value` is a part of a pattern that nests too deep"), "{}", report.text);
    assert!(report.text.contains("src/main.ts:3:"), "{}", report.text);
}

#[test]
fn data_components_and_pages_may_nest_too() {
    for (name, before, open, close, after) in [
        ("input.json", "", "[", "]", ""),
        ("input.json", "", "{\"a\":", "}", ""),
        ("input.vue", "<script setup lang=\"ts\">\nexport default ", "[", "]", ";\n</script>"),
        ("input.vue", "<template><form toolname=\"a\">", "<div>", "</div>", "</form></template>"),
        ("input.svelte", "<script lang=\"ts\">\nconst value = a", ".a", "", ";\n</script><form {toolname}>"),
        ("input.svelte", "<form a={", "{", "}", "} {toolname}>"),
        ("input.html", "<form toolname=a>", "<template>", "</template>", ""),
    ] {
        for bytes in [500, 4000, 60_000] {
            let depth = bytes / (open.len() + close.len());
            let text = format!("{before}{}{}{after}", open.repeat(depth), close.repeat(depth));
            let main = format!("{IMPORTS}import value from \"./{name}\";\n{CONTRACT}");
            hold(&format!("{name}: {open}, {depth} deep"), [module("main.ts", main), module(name, text)]);
        }
    }
}

#[test]
fn modules_that_pass_a_value_on_to_each_other_may_be_as_many_as_they_like() {
    for export in ["export * from", "export { value } from", "export { value, default } from"] {
        let mut files = BTreeMap::from([
            module("main.ts", format!("{IMPORTS}import {{ value }} from \"./m0.js\";\n{CONTRACT}")),
            module("m2000.js", "export const value = \"a\"; export default value;".to_owned()),
        ]);
        for index in 0..2000 {
            files.extend([module(&format!("m{index}.js"), format!("{export} \"./m{}.js\";", index + 1))]);
        }
        println!("{export}");
        drop(build(&files));
    }
}
