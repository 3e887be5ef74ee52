//! Every deceit once, each in the smallest program that has it: what chance may take long to put together.

use super::deceits::{STATEMENTS, SUFFIXES, WILD};
use super::graphs::GRAPHS;
use super::hazards::numbered_with_name;
use super::kinds;
use super::mutations::{FRAMES, LIST_CHANGES, RECORD_CHANGES, ROUTES, rename};
use crate::program::{Bundler, Module, Program};

const IMPORT: &str =
    "import { defineExternalAgentToolContract, fromJsonSchema } from \"@agent-surface/core\";";

/// The object that is changed.
const TARGET: &str = "{ a: { b: 1 }, count: 1, list: [3, 1] }";

/// All of them, each with a word on what it is.
#[must_use]
pub fn catalogue() -> Vec<(String, Program)> {
    let mut entries = Vec::new();
    for wild in WILD.iter().chain(kinds::VALUES) {
        entries.push((format!("value {wild}"), one_module(&[&contract(&format!("({wild})"))])));
        let constant = format!("const value: any = ({wild});");
        entries.push((format!("constant {wild}"), one_module(&[&constant, &contract("value")])));
    }
    for statement in STATEMENTS.iter().chain(kinds::STATEMENTS) {
        let text = numbered_with_name(statement, "value", "1");
        let mut suffixes = SUFFIXES.to_vec();
        suffixes.sort_unstable();
        suffixes.dedup();
        for suffix in suffixes {
            let expression = format!("value{suffix}");
            let program = one_module(&[&text, &contract(&expression)]);
            entries.push((format!("{expression} of {statement}"), program));
        }
        entries.push((format!("imported {statement}"), imported(&text)));
    }
    for change in changes() {
        for when in ["before", "after"] {
            for where_to in ["here", "there"] {
                entries.push((format!("{change} {when} {where_to}"), changed(&change, when, where_to)));
            }
        }
    }
    for graph in GRAPHS {
        for bundler in [Bundler::Compiled, Bundler::AsWritten] {
            let mut program = Program { bundler, ..Program::parse(graph) };
            if let Some(main) = program.modules.first_mut() {
                main.statements.insert(0, IMPORT.to_owned());
                main.statements.push(contract("value"));
            }
            entries.push((format!("{graph}\n{bundler:?}"), program));
        }
    }
    entries
}

/// Statements that change `target`.
fn changes() -> Vec<String> {
    let one_change = "P.a = \"changed\";";
    let mut found = Vec::new();
    for (before, expression) in ROUTES {
        for inside in ["", ".a", ".list"] {
            let target = format!("target{inside}");
            let (before, expression) = (
                before.replace('N', "1").replace("TARGET", &target),
                expression.replace('N', "1").replace("TARGET", &target),
            );
            found.push(format!("{before} ({expression}).b = \"changed\";"));
        }
    }
    for frame in FRAMES {
        found.push(rename(&frame.replace("CHANGE", one_change), "1").replace("TARGET", "target"));
        found.push(rename(&frame.replace("CHANGE", one_change), "1").replace("TARGET", "target.a"));
    }
    let spell = |change: &str, object: &str, name: &str| {
        let text = change.replace(" KEY", &format!(".{name}")).replace("NAME", &format!("\"{name}\""));
        let text =
            text.replace("NEW", "\"changed\"").replace("Proxy", "Pro_xy").replace("Promise", "Pro_mise");
        rename(&text, "1").replace("p1", object).replace("Pro_xy", "Proxy").replace("Pro_mise", "Promise")
    };
    for change in RECORD_CHANGES {
        found.push(format!("{{ {} }}", spell(change, "target", "count")));
        found.push(format!("{{ {} }}", spell(change, "target.a", "b")));
    }
    for change in LIST_CHANGES {
        found.push(format!("{{ {} }}", spell(change, "target.list", "0")));
        found.push(format!("{{ const alias = target.list; {} }}", spell(change, "alias", "0")));
    }
    found
}

fn contract(expression: &str) -> String {
    format!(
        "export const c = defineExternalAgentToolContract({{ id: \"external:t\", description: \"d\", effect: \"read\", \
         input: fromJsonSchema({{ properties: {{ p: {{ const: {expression} }} }} }}) }});"
    )
}

fn one_module(statements: &[&str]) -> Program {
    let lines = std::iter::once(IMPORT).chain(statements.iter().copied());
    program(vec![module("src/main.ts", lines)])
}

/// The constant in a module of its own, used through an import.
fn imported(statement: &str) -> Program {
    program(vec![
        module("src/main.ts", [IMPORT, "import { value } from \"./m1\";", &contract("value")]),
        module("src/m1.ts", [statement, "export { value };"]),
    ])
}

fn changed(change: &str, when: &str, where_to: &str) -> Program {
    let declaration = format!("const target: any = {TARGET};");
    let contract = contract("target");
    if where_to == "here" {
        return if when == "before" {
            one_module(&[&declaration, change, &contract])
        } else {
            one_module(&[&declaration, &contract, change])
        };
    }
    let import = "import { target } from \"./m1\";";
    let main = if when == "before" {
        module("src/main.ts", ["import \"./change\";", IMPORT, import, &contract])
    } else {
        module("src/main.ts", [IMPORT, "import \"./own\";", "import \"./change\";", import, "void target;"])
    };
    let own = module("src/own.ts", [IMPORT, import, &contract]);
    let mut modules = vec![
        main,
        module("src/m1.ts", [declaration.as_str(), "export { target };"]),
        module("src/change.ts", [import, change]),
    ];
    if when == "after" {
        modules.push(own);
    }
    program(modules)
}

fn module<'t>(path: &str, lines: impl IntoIterator<Item = &'t str>) -> Module {
    Module { path: path.to_owned(), statements: lines.into_iter().map(str::to_owned).collect() }
}

fn program(modules: Vec<Module>) -> Program {
    Program { bundler: Bundler::Compiled, modules }
}
