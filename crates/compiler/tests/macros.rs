//! Which calls are contract macros, by symbol, and which uses of one are refused.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use support::{Project, describing, with_imports};

const BODY: &str = "({ type: \"t\", description: \"d\", observations: { o: { description: \"o\", output: fromJsonSchema({ type: \"number\" }) } } })";

/// The declaration ids of a project that must be proven.
fn declarations(project: &Project) -> Vec<String> {
    let manifest = project.build().manifest();
    let capabilities = manifest["capabilities"].as_array().unwrap();
    capabilities.iter().map(|entry| entry["declarationId"].as_str().unwrap().to_owned()).collect()
}

/// The problems of a project of one module with its own imports.
fn problems_of(main: &str) -> Vec<String> {
    Project::new([("src/main.ts", main)]).build().problems()
}

#[test]
fn a_macro_is_found_under_any_local_name() {
    for main in [
        format!(
            "import {{ defineAgentComponentContract as d, fromJsonSchema }} from \"@agent-surface/core\";\nexport const c = d{BODY};"
        ),
        format!(
            "import {{ defineAgentComponentContract as d, fromJsonSchema }} from \"@agent-surface/core\";\nconst d2 = d;\nconst d3 = d2;\nexport const c = d3{BODY};"
        ),
        format!(
            "import * as S from \"@agent-surface/core\";\nconst fromJsonSchema = S.fromJsonSchema;\nexport const c = S.defineAgentComponentContract{BODY};"
        ),
        format!(
            "import * as S from \"@agent-surface/core\";\nimport {{ fromJsonSchema as f }} from \"@agent-surface/core\";\nconst fromJsonSchema = f;\nexport const c = S[\"defineAgentComponentContract\"]{BODY};"
        ),
        format!(
            "import {{ defineAgentComponentContract, fromJsonSchema }} from \"surface-alias\";\nexport const c = defineAgentComponentContract{BODY};"
        ),
        format!(
            "import {{ defineAgentComponentContract, fromJsonSchema }} from \"@agent-surface/core\";\nexport const c = (defineAgentComponentContract{BODY} as unknown) satisfies unknown;"
        ),
        format!(
            "import {{ defineAgentComponentContract, fromJsonSchema }} from \"@agent-surface/core\";\nconst c = defineAgentComponentContract<{{}}, {{}}>{BODY};\nexport {{ c as other }};"
        ),
    ] {
        assert_eq!(
            declarations(&Project::new([("src/main.ts", main.as_str())])),
            ["src/main.ts#c"],
            "{main}"
        );
    }
}

#[test]
fn a_macro_is_found_through_barrels() {
    for barrel in [
        "export * from \"@agent-surface/core\";",
        "export { defineAgentComponentContract, fromJsonSchema } from \"@agent-surface/core\";",
        "import { defineAgentComponentContract, fromJsonSchema } from \"@agent-surface/core\";\nexport { defineAgentComponentContract, fromJsonSchema };",
        "export * from \"./deeper\";",
    ] {
        let main = format!(
            "import {{ defineAgentComponentContract, fromJsonSchema }} from \"./barrel\";\nexport const c = defineAgentComponentContract{BODY};"
        );
        let project = Project::new([("src/main.ts", main.as_str()), ("src/barrel.ts", barrel)])
            .with("src/deeper.ts", "export * from \"@agent-surface/core\";");
        assert_eq!(declarations(&project), ["src/main.ts#c"], "{barrel}");
        let build = project.build();
        assert!(build.transformed["src/main.ts"].contains("placeholder"), "{barrel}");
    }
    let main = format!(
        "import * as S from \"./barrel\";\nconst {{ fromJsonSchema }} = {{ fromJsonSchema: S.core.fromJsonSchema }};\nexport const c = S.core.defineAgentComponentContract{};",
        BODY.replace("fromJsonSchema", "S.core.fromJsonSchema")
    );
    let project = Project::new([
        ("src/main.ts", main.as_str()),
        ("src/barrel.ts", "export * as core from \"@agent-surface/core\";"),
    ]);
    assert_eq!(declarations(&project), ["src/main.ts#c"]);
}

#[test]
fn a_name_that_only_looks_like_a_macro_is_none() {
    for main in [
        "const defineAgentComponentContract = (x: unknown) => x;\nexport const c = defineAgentComponentContract({ anything: Date.now() });",
        "export function f(defineAgentComponentContract: (x: unknown) => unknown) { return defineAgentComponentContract({}); }",
        "import { defineAgentComponentContract } from \"./own\";\nexport const c = defineAgentComponentContract({ anything: Date.now() });",
        "// defineAgentComponent({})\nexport const text = 'registry.register({ useAgentComponent({';",
        "const store = { register(x: unknown) { return x; }, defineAgentComponent(x: unknown) { return x; } };\nstore.register({}); store.defineAgentComponent({});",
    ] {
        let project = Project::new([("src/main.ts", main)])
            .with("src/own.ts", "export const defineAgentComponentContract = (x: unknown) => x;");
        let build = project.build();
        assert_eq!(build.manifest()["capabilities"].as_array().unwrap().len(), 0, "{main}");
        assert_eq!(build.transformed["src/main.ts"], main);
    }
}

#[test]
fn a_helper_that_only_shares_its_name_is_no_helper() {
    let main = format!(
        "import {{ defineAgentComponentContract }} from \"@agent-surface/core\";\nconst fromJsonSchema = (x: unknown) => x as never;\nexport const c = defineAgentComponentContract{BODY};"
    );
    assert_eq!(problems_of(&main).len(), 1);
}

#[test]
fn every_placement_with_a_name_of_its_own_is_a_declaration() {
    for (main, id) in [
        (format!("export default defineAgentComponentContract{BODY};"), "src/main.ts#default"),
        (
            format!("export const all = {{ panels: {{ first: defineAgentComponentContract{BODY} }} }};"),
            "src/main.ts#all.panels.first",
        ),
        (format!("const c = defineAgentComponentContract{BODY}; export {{ c as other }};"), "src/main.ts#c"),
        (format!("export const a = 1, c = defineAgentComponentContract{BODY};"), "src/main.ts#c"),
    ] {
        assert_eq!(declarations(&Project::of(&main)), [id], "{main}");
    }
}

#[test]
fn every_other_placement_is_refused() {
    for main in [
        format!("export function f() {{ return defineAgentComponentContract{BODY}; }}"),
        format!("export const f = () => {{ const c = defineAgentComponentContract{BODY}; return c; }};"),
        format!("export class C {{ static c = defineAgentComponentContract{BODY}; }}"),
        format!("console.log(defineAgentComponentContract{BODY});"),
        format!("export const c = [defineAgentComponentContract{BODY}];"),
        format!("export const c = Math.random() > 0.5 ? defineAgentComponentContract{BODY} : null;"),
        format!("if (1 < 2) {{ const c = defineAgentComponentContract{BODY}; }}"),
        format!("export const {{ bind }} = defineAgentComponentContract{BODY};"),
        format!("export const t = defineAgentComponentContract{BODY}.type;"),
        format!("defineAgentComponentContract{BODY};"),
        format!("export const c = {{ [\"k\" + 1]: defineAgentComponentContract{BODY} }};"),
    ] {
        let found = Project::of(&main).build().problems();
        assert_eq!(found.len(), 1, "{main}: {found:?}");
        assert!(found[0].starts_with("unsupported-call"), "{main}: {found:?}");
    }
}

#[test]
fn a_macro_that_a_barrel_renames_is_not_lost() {
    for barrel in [
        "export { defineAgentComponentContract as contract } from \"@agent-surface/core\";",
        "import { defineAgentComponentContract } from \"@agent-surface/core\";\nexport const contract = defineAgentComponentContract;",
    ] {
        let project = Project::new([
            (
                "src/main.ts",
                "import { contract } from \"./pass\";\nexport const c = contract({ type: \"t\", description: \"d\" });",
            ),
            ("src/pass.ts", "export * from \"./barrel\";"),
            ("src/barrel.ts", barrel),
        ]);
        let found = project.build().problems();
        assert_eq!(found, ["not-analysed src/main.ts:2:18"], "{barrel}");
        // Where the module writes a contract's fields, it is read before the bundler transforms it.
        let main = "import { contract } from \"./pass\";\nimport { schema } from \"./schema\";\nexport const c = contract({ type: \"t\", description: \"d\", observations: { o: { description: \"o\", output: schema } } });";
        let schema = "import { fromJsonSchema } from \"@agent-surface/core\";\nexport const schema = fromJsonSchema({ type: \"number\" });";
        let project = project.with("src/schema.ts", schema);
        assert_eq!(declarations(&project.with("src/main.ts", main)), ["src/main.ts#c"], "{barrel}");
    }
}

#[test]
fn a_module_that_became_a_script_after_it_was_read_is_not_lost() {
    let script = format!(
        "import {{ defineAgentComponentContract, fromJsonSchema }} from \"@agent-surface/core\";\nexport const c = defineAgentComponentContract{BODY};"
    );
    for raw in ["<template />", script.as_str()] {
        let project = Project::new([("src/main.ts", "import \"./Panel.vue\";"), ("src/Panel.vue", raw)])
            .with("node_modules/@agent-surface/core/dist/index.js", "")
            .transformed_later("src/Panel.vue", &script);
        assert_eq!(project.build().problems(), ["not-analysed src/Panel.vue:2:18"], "{raw}");
    }
}

#[test]
fn a_declaration_in_an_installed_package_is_not_admitted_by_itself() {
    let project = Project::new([("src/main.ts", "import \"widget\";")])
        .with("node_modules/widget/index.js", &with_imports(&describing("\"o\"")));
    let found = project.build().problems();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("unapproved-contract node_modules/widget/index.js:2:"), "{found:?}");
}

#[test]
fn only_what_is_in_the_graph_is_in_the_manifest() {
    let project =
        Project::new([("src/main.ts", "import type { c } from \"./contract\";\nexport type T = typeof c;")])
            .with("src/contract.ts", &with_imports(&describing("\"o\"")));
    assert_eq!(project.build().manifest()["capabilities"].as_array().unwrap().len(), 0);
}

#[test]
fn a_module_that_cannot_be_read_and_may_declare_a_contract_is_an_error() {
    let huge =
        format!("{}\nexport const pad = \"{}\";", with_imports(&describing("\"o\"")), "x".repeat(5 << 20));
    let deep = format!(
        "{}\nexport const pad = {}{};",
        with_imports(&describing("\"o\"")),
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    for text in [huge.as_str(), deep.as_str(), "export const c = defineAgentComponentContract({;"] {
        let found = Project::new([("src/main.ts", text)]).build().problems();
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("unreadable src/main.ts"), "{found:?}");
    }
}

#[test]
fn deep_code_without_brackets_is_read_all_the_same() {
    let chain = (0..5_000).map(|n| format!("if (x === {n}) void 0; else ")).collect::<String>();
    let sum = vec!["1"; 20_000].join(" + ");
    let main = format!(
        "declare const x: number;\n{chain}void 1;\nexport const sum = {sum};\n{}",
        describing("\"o\"")
    );
    assert_eq!(declarations(&Project::of(&main)), ["src/main.ts#c"]);
}

#[test]
fn a_core_that_is_not_installed_is_told_with_what_to_install() {
    let mut project = Project::of(&describing("\"o\""));
    project.lacks_core = true;
    let build = project.build();
    assert_eq!(build.problems(), ["missing-package src/main.ts:1:201"], "{}", build.report().text);
    let problem = &build.report().diagnostics[0];
    assert!(problem.message.contains("`@agent-surface/core` is not installed"), "{}", problem.message);
    assert!(problem.help.as_deref().unwrap().contains("npm install @agent-surface/core"));
}
