//! Constants of other modules, and what reaches the runtime.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use serde_json::json;
use support::{Project, carrying, with_imports};

fn value(project: &Project) -> serde_json::Value {
    project.build().manifest()["capabilities"][0]["outputSchema"]["enum"][0].clone()
}

fn project(imports: &str, expression: &str) -> Project {
    Project::new([("src/main.ts", format!("{imports}\n{}", with_imports(&carrying(expression))).as_str())])
}

#[test]
fn a_constant_is_followed_through_every_kind_of_export() {
    let ids = "export const kind = \"x\";\nexport const table = { name: \"t\" } as const;\nexport enum Plane { View = \"view\", Count = 1 }\nconst hidden = [kind];\nexport { hidden as shown };\nexport default { deep: { down: table.name } };";
    let project = |imports: &str, expression: &str| {
        project(imports, expression)
            .with("src/ids.ts", ids)
            .with("src/barrel.ts", "export * from \"./ids\";\nexport { kind as renamed, default as all } from \"./ids\";\nexport * as ids from \"./ids\";")
            .with("src/data.json", "{ \"name\": \"j\", \"list\": [1, 2] }")
            .with("src/cycle.ts", "import { seed } from \"./main-cycle\";\nexport const end = seed + \"!\";")
            .with("src/main-cycle.ts", "import { end } from \"./cycle\";\nexport const seed = \"s\";\nexport const later = () => end;")
    };
    for (imports, expression, expected) in [
        ("import { kind } from \"./ids\";", "kind", json!("x")),
        ("import { kind as k } from \"./barrel\";", "k", json!("x")),
        ("import { renamed } from \"./barrel\";", "renamed", json!("x")),
        ("import * as all from \"./ids\";", "all.table.name", json!("t")),
        ("import * as all from \"./barrel\";", "all.ids.shown[0]", json!("x")),
        ("import { ids } from \"@/barrel\";", "ids.Plane.View", json!("view")),
        ("import { Plane } from \"./barrel\";", "Plane.Count", json!(1)),
        ("import all from \"./ids\";", "all.deep.down", json!("t")),
        ("import { all } from \"./barrel\";", "all.deep", json!({ "down": "t" })),
        ("import data from \"./data.json\";", "data.list", json!([1, 2])),
        ("import { name } from \"./data.json\";", "name", json!("j")),
        ("import { end } from \"./cycle\";", "end", json!("s!")),
        ("import { seed } from \"./main-cycle\";", "seed", json!("s")),
    ] {
        assert_eq!(value(&project(imports, expression)), expected, "{imports} {expression}");
    }
}

#[test]
fn a_name_that_comes_by_two_stars_or_by_one_that_leads_back_is_the_one_that_it_is() {
    let ids = "export const kind = \"x\";";
    for modules in [
        vec![
            ("src/a.ts", "export * from \"./b\";\nexport * from \"./c\";"),
            ("src/b.ts", "export * from \"./ids\";"),
            ("src/c.ts", "export * from \"./ids\";"),
        ],
        vec![
            ("src/a.ts", "export * from \"./b\";\nexport * from \"./c\";"),
            ("src/b.ts", "export { kind } from \"./ids\";"),
            ("src/c.ts", "export { kind } from \"./ids\";"),
        ],
        vec![
            ("src/a.ts", "export * from \"./b\";\nexport * from \"./ids\";"),
            ("src/b.ts", "export * from \"./a\";"),
        ],
        vec![
            ("src/a.ts", "export * from \"./a\";\nexport * from \"./b\";"),
            ("src/b.ts", "export * from \"./c\";"),
            ("src/c.ts", "export * from \"./b\";\nexport * from \"./ids\";"),
        ],
    ] {
        let project = project("import { kind } from \"./a\";", "kind").with("src/ids.ts", ids);
        let project = modules.iter().fold(project, |project, (path, text)| project.with(path, text));
        assert_eq!(value(&project), json!("x"), "{modules:?}");
    }
}

#[test]
fn what_another_module_cannot_provide_is_an_error_where_it_is_used_or_made() {
    let others = |project: Project| {
        project
            .with(
                "src/ids.ts",
                "export let moving = 1;\nexport const now = Date.now();\nexport const kind = \"a\";",
            )
            .with("src/a.ts", "export * from \"./ids\";")
            .with("src/b.ts", "export const kind = \"b\";")
            .with("src/both.ts", "export * from \"./a\";\nexport * from \"./b\";")
            .with("src/loop.ts", "export { x } from \"./pool\";")
            .with("src/pool.ts", "export { x } from \"./loop\";")
    };
    for (imports, expression, place) in [
        ("import { moving } from \"./ids\";", "moving", "reassignable src/main.ts:3:"),
        ("import { now } from \"./ids\";", "now", "dynamic-value src/ids.ts:2:20"),
        ("import { missing } from \"./ids\";", "missing", "dynamic-value src/main.ts:3:"),
        ("import { kind } from \"./both\";", "kind", "dynamic-value src/main.ts:3:"),
        ("import { x } from \"./loop\";", "x", "dynamic-value src/main.ts:3:"),
        ("import { x } from \"./nowhere\";", "x", "dynamic-value src/main.ts:3:"),
    ] {
        let found = others(project(imports, expression)).build().problems();
        assert_eq!(found.len(), 1, "{imports} {found:?}");
        assert!(found[0].starts_with(place), "{imports} {found:?}");
    }
}

#[test]
fn a_change_in_another_module_is_found() {
    for (change, imports) in [
        ("import { table } from \"./ids\";\ntable.name = \"y\";", "import { table } from \"./ids\";"),
        ("import * as ids from \"./ids\";\nids.table.name = \"y\";", "import { table } from \"./ids\";"),
        (
            "import { table } from \"./barrel\";\nObject.assign(table, {});",
            "import { table } from \"./ids\";",
        ),
        (
            "import { table } from \"./ids\";\nexport function late() { delete (table as any).name; }",
            "import { table } from \"./barrel\";",
        ),
    ] {
        let project = project(&format!("{imports}\nimport \"./change\";"), "table")
            .with(
                "src/ids.ts",
                "export const table = { name: \"t\" };\nexport const other = { name: \"o\" };",
            )
            .with("src/barrel.ts", "export * from \"./ids\";")
            .with("src/change.ts", change);
        let build = project.build();
        assert_eq!(build.problems().len(), 1, "{change}");
        assert!(build.report().text.contains("src/change.ts:2:"), "{}", build.report().text);
    }
    let project_of_default = project("import all from \"./ids\";\nimport \"./change\";", "all.name")
        .with("src/ids.ts", "export default { name: \"t\" };")
        .with("src/change.ts", "import { default as all } from \"./ids\";\nall.name = \"y\";");
    assert_eq!(project_of_default.build().problems().len(), 1);
    let harmless = project("import { table } from \"./ids\";\nimport \"./change\";", "table")
        .with("src/ids.ts", "export const table = { name: \"t\" };\nexport const other = { name: \"o\" };")
        .with("src/change.ts", "import * as ids from \"./ids\";\nids.other.name = \"y\";");
    assert_eq!(value(&harmless), json!({ "name": "t" }));
}

#[test]
fn a_change_by_a_function_of_another_module_is_found() {
    let functions = "export function bump(x: any) { x.name = \"y\"; }\nexport const late = (_: number, x: any) => { x.name += \"y\"; };\nexport function passes(x: any) { bump(x); }\nexport function takes({ inner }: any) { inner.name = 1; }\nexport function looks(x: any) { x = { ...x }; x.name = 1; return x.name; }\nexport default function (x: any) { return x; }";
    let far = "import { bump } from \"./functions\";\nexport function through(x: any) { bump(x); }\nexport function round(x: any) { round(x); through(x); }";
    let app = |text: &str| {
        project(&format!("import \"./barrel\";\n{text}"), "table")
            .with("src/functions.ts", functions)
            .with("src/far.ts", far)
            .with(
                "src/barrel.ts",
                "export * from \"./functions\";\nexport { through as renamed } from \"./far\";",
            )
            .with("src/ids.ts", "export const table = { name: \"t\", inner: { name: \"i\" } };")
            .with(
                "src/other.ts",
                "import { table } from \"./ids\";\nimport { bump } from \"./functions\";\nbump(table);",
            )
    };
    let own = "const table = { name: \"t\", inner: { name: \"i\" } };";
    for (text, place) in [
        (format!("import {{ bump }} from \"./functions\";\n{own}\nbump(table);"), "src/functions.ts:1:32"),
        (
            format!("import {{ late }} from \"./barrel\";\n{own}\nexport const f = () => late(1, table);"),
            "src/functions.ts:2:",
        ),
        (
            format!("import {{ passes }} from \"./functions\";\n{own}\npasses(table);"),
            "src/functions.ts:1:32",
        ),
        (format!("import {{ takes }} from \"./functions\";\n{own}\ntakes(table);"), "src/functions.ts:4:"),
        (format!("import {{ renamed }} from \"./barrel\";\n{own}\nrenamed(table);"), "src/functions.ts:1:32"),
        (format!("import {{ round }} from \"./far\";\n{own}\nround(table);"), "src/functions.ts:1:32"),
        (format!("import * as all from \"./barrel\";\n{own}\nall.bump(table);"), "src/functions.ts:1:32"),
        (
            format!("import {{ bump }} from \"./functions\";\n{own}\nbump(table.inner);"),
            "src/functions.ts:1:32",
        ),
        (
            "import { table } from \"./ids\";\nimport { bump } from \"./functions\";\nbump(table);"
                .to_owned(),
            "src/functions.ts:1:32",
        ),
        ("import { table } from \"./ids\";\nimport \"./other\";".to_owned(), "src/functions.ts:1:32"),
    ] {
        let build = app(&text).build();
        assert_eq!(build.problems().len(), 1, "{text}");
        assert!(build.problems()[0].starts_with("mutated-value"), "{text}");
        assert!(build.report().text.contains(place), "{text}: {}", build.report().text);
    }
    for text in [
        format!("import {{ looks }} from \"./functions\";\n{own}\nlooks(table);"),
        format!("import {{ bump }} from \"./functions\";\n{own}\nbump({{ ...table }});"),
        format!("import {{ late }} from \"./functions\";\n{own}\nlate(table as any, {{}});"),
        format!("import same from \"./functions\";\n{own}\nsame(table);"),
    ] {
        assert_eq!(value(&app(&text))["name"], "t", "{text}");
    }
}

#[test]
fn what_the_bundler_has_outranks_the_file_and_the_file_has_the_better_positions() {
    let ids = "type T = string;\nexport const kind: T = \"from the file\";\nexport const now: T = build();\n";
    let project = |expression: &str| {
        project("import { kind, now } from \"./ids\";", expression).with("src/ids.ts", ids)
    };
    let replaced = "export const kind = \"from a plugin\"; export const now = \"replaced\";";
    assert_eq!(value(&project("kind").bundled_as("src/ids.ts", replaced)), json!("from a plugin"));
    assert_eq!(value(&project("now").bundled_as("src/ids.ts", replaced)), json!("replaced"));
    let compiled = "export const kind = \"from the file\"; export const now = build();";
    let found = project("now").bundled_as("src/ids.ts", compiled).build().problems();
    assert_eq!(found, ["dynamic-value src/ids.ts:3:23"]);
}

#[test]
fn the_order_of_modules_leaves_no_trace() {
    let mut project = project("import { kind } from \"./ids\";\nimport \"./b\";\nimport \"./a\";", "kind")
        .with("src/ids.ts", "export const kind = \"x\";")
        .with("src/a.ts", &with_imports(&carrying("\"a\"").replace("\"t\"", "\"ta\"")))
        .with("src/b.ts", &with_imports(&carrying("\"b\"").replace("\"t\"", "\"tb\"")));
    let forwards = project.build().outcome.unwrap().manifest;
    project.reversed = true;
    assert_eq!(project.build().outcome.unwrap().manifest, forwards);
}

#[test]
fn what_ships_is_the_proven_literal() {
    let main = with_imports(&format!("import {{ kind }} from \"./ids\";\n{}", carrying("kind")));
    let build =
        Project::new([("src/main.ts", main.as_str()), ("src/ids.ts", "export const kind = \"x\";")]).build();
    let transformed = &build.transformed["src/main.ts"];
    assert!(!transformed.contains("enum: [kind]"), "{transformed}");
    assert!(
        transformed.contains("import \"./ids\";"),
        "the module behind a constant stays in the graph: {transformed}"
    );
    let shipped = build.session.render(transformed).unwrap();
    assert!(shipped.code.contains(r#"{"description":"d","observations":{"o":{"description":"o","output":{"enum":["x"]}}},"type":"t"}"#), "{}", shipped.code);
    let proof = build.outcome.unwrap();
    assert!(shipped.code.contains(&format!(r#""manifestHash":"{}""#, proof.hash)), "{}", shipped.code);
    assert!(!shipped.code.contains("@agent-surface/placeholder:"), "{}", shipped.code);
}

#[test]
fn a_validator_of_a_schema_library_stays_code() {
    let main = "import { z } from \"zod\";\nconst Rows = z.object({});\nexport const c = defineAgentComponentContract({ type: \"t\", description: \"d\", actions: { a: actionContract({ description: \"a\", effect: \"local-state\", input: fromStandardSchema(Rows, { jsonSchema: { type: \"object\" } }) }) } });";
    let build = Project::new([
        ("src/main.ts", with_imports(main).as_str()),
        ("node_modules/zod/index.js", "export const z = {};"),
    ])
    .build();
    assert_eq!(build.manifest()["capabilities"][0]["inputSchema"], json!({ "type": "object" }));
    let shipped = build.session.render(&build.transformed["src/main.ts"]).unwrap().code;
    assert!(shipped.contains(r#""validators":["/actions/a/input"]"#), "{shipped}");
    assert!(shipped.contains("), { type: \"t\""), "the author's object follows the literals: {shipped}");
}

#[test]
fn a_watcher_that_changes_a_module_gets_what_a_clean_build_gets() {
    let first =
        project("import { kind } from \"./ids\";", "kind").with("src/ids.ts", "export const kind = \"x\";");
    let mut build = first.build();
    let second = first.clone().with("src/ids.ts", "export const kind = \"y\";");
    build.session.restart();
    build.session.forget_module("/app/src/ids.ts");
    let again = second.build_with(build.session);
    assert_eq!(again.outcome.unwrap().manifest, second.build().outcome.unwrap().manifest);
}

#[test]
fn a_session_that_let_go_of_its_modules_renders_what_it_proved_and_proves_the_next_build() {
    let app = project("const kind = \"x\";", "kind");
    let mut build = app.build();
    let text = build.transformed["src/main.ts"].clone();
    let rendered = build.session.render(&text).unwrap().code;
    build.session.release();
    assert_eq!(build.session.render(&text).unwrap().code, rendered);
    build.session.restart();
    let again = app.build_with(build.session);
    assert_eq!(again.outcome.unwrap().manifest, build.outcome.unwrap().manifest);
    assert_eq!(again.session.render(&text).unwrap().code, rendered);
}

#[test]
fn a_module_that_is_not_handed_over_again_once_it_was_let_go_of_is_refused() {
    let app = project("const kind = \"x\";", "kind");
    let mut build = app.build();
    build.session.release();
    let report = app.rebuild(build, &app).outcome.unwrap_err();
    assert!(report.text.contains("agent-surface(not-analysed)"), "{}", report.text);
}
