//! How a capability came about: where it is declared, what it was evaluated from, who binds it.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use agent_surface_compiler::{Explanation, NamedPosition};
use support::Project;

const CONTRACT: &str = r#"import { defineAgentComponentContract, actionContract, fromJsonSchema } from "@agent-surface/core";
import { range, Unit } from "./values";
const unused = "not read";
const title = "Dim";
export const lamp = defineAgentComponentContract({
  type: "home.lamp",
  description: "A lamp",
  actions: {
    dim: actionContract({ description: `${title} in ${Unit.Percent}`, input: fromJsonSchema(range), effect: "local-state" }),
    name: actionContract({ description: "Name it " + unused, input: fromJsonSchema({}), effect: "local-state" }),
  },
});
"#;

const VALUES: &str = r#"const top = 100;
export const range = { type: "integer", maximum: top };
export enum Unit { Percent = "percent" }
"#;

fn project() -> Project {
    Project::new([
        ("src/contract.ts", CONTRACT),
        ("src/values.ts", VALUES),
        ("src/barrel.ts", "export { lamp as reading } from \"./contract\";\n"),
        (
            "src/other.ts",
            "import { lamp } from \"./contract\";\nexport const bound = lamp.bind({});\nconsole.log(lamp);\n",
        ),
    ])
    .with("src/main.ts", "import { useAgentComponent } from \"@agent-surface/react\";\nimport { reading } from \"./barrel\";\nimport { bound } from \"./other\";\nexport function Lamp() {\n  useAgentComponent(reading, { bound });\n}\n")
}

fn explain(project: &Project, capability: &str) -> Vec<Explanation> {
    let build = project.build();
    build.outcome.as_ref().unwrap_or_else(|report| panic!("{}", report.text));
    project.explain(build, capability)
}

fn places(positions: &[NamedPosition]) -> Vec<String> {
    positions
        .iter()
        .map(|it| format!("{} {}:{}:{}", it.name, it.position.file, it.position.line, it.position.column))
        .collect()
}

#[test]
fn a_capability_is_told_by_its_constants_and_their_files() {
    let found = explain(&project(), "view:home.lamp.dim");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].declaration_id, "src/contract.ts#lamp");
    assert_eq!((found[0].position.file.as_str(), found[0].position.line), ("src/contract.ts", 9));
    assert_eq!(
        places(&found[0].constants),
        [
            "title src/contract.ts:4:7",
            "top src/values.ts:1:7",
            "range src/values.ts:2:14",
            "Unit src/values.ts:3:13"
        ]
    );
}

#[test]
fn another_capability_of_the_same_declaration_has_its_own_constants() {
    let found = explain(&project(), "view:home.lamp.name");
    assert_eq!(places(&found[0].constants), ["unused src/contract.ts:3:7"]);
}

#[test]
fn whoever_uses_the_contract_binds_it_whatever_it_is_called_there() {
    let found = explain(&project(), "view:home.lamp.dim");
    assert_eq!(
        places(&found[0].binders),
        ["useAgentComponent src/main.ts:5:3", "lamp.bind src/other.ts:2:22"]
    );
}

#[test]
fn a_contract_that_nothing_binds_has_no_binder() {
    let project = project().with("src/main.ts", "import \"./contract\";\n");
    assert!(explain(&project, "view:home.lamp.dim")[0].binders.is_empty());
}

#[test]
fn what_no_declaration_has_is_not_explained() {
    assert!(explain(&project(), "view:home.lamp.burn").is_empty());
}
