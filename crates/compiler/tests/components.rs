//! Contracts in component files, and in whatever else is a script only once another plugin has made it one.
//!
//! The compiled texts have the shape of what `@vitejs/plugin-vue` and Svelte's compiler make; `tests/fixtures`
//! builds real components with the real plugins.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use support::{Build, Project};

const IMPORTS: &str = "import { defineAgentComponentContract as define, observationContract, fromJsonSchema } from \"@agent-surface/core\";\n";

/// A declaration of `type` whose observation has this description.
fn declare(kind: &str, description: &str) -> String {
    format!(
        "define({{ type: \"{kind}\", description: \"d\", observations: {{ o: observationContract({{ description: \
         {description}, output: fromJsonSchema({{ type: \"number\" }}) }}) }} }})"
    )
}

/// A build of one component, as it was written and as its plugin compiled it.
fn build(file: &str, written: &str, compiled: &str) -> Build {
    Project::new([("src/main.ts", format!("import \"./{file}\";").as_str())])
        .with(&format!("src/{file}"), written)
        .compiled_as(&format!("src/{file}"), compiled)
        .build()
}

/// What `<script setup>` becomes, with these statements in it.
fn vue_setup(statements: &str) -> String {
    format!(
        "import {{ defineComponent as _defineComponent }} from \"vue\";\n{IMPORTS}\
         export default /*@__PURE__*/ _defineComponent({{\n  __name: \"Panel\",\n  setup(__props, {{ expose }}) {{\n{statements}\n\
         return (_ctx, _cache) => null;\n}}\n}});\n"
    )
}

fn declarations(build: &Build) -> Vec<(String, String, u32, u32)> {
    let proof = build.outcome.as_ref().unwrap_or_else(|report| panic!("{}", report.text));
    let located = |it: &agent_surface_compiler::Located| {
        (it.declaration_id.clone(), it.file.clone(), it.line, it.column)
    };
    proof.capabilities.iter().map(located).collect()
}

#[test]
fn a_contract_of_a_setup_script_is_found_in_the_function_that_was_made_of_it() {
    let written =
        format!("<script setup lang=\"ts\">\n{IMPORTS}const inner = {};\n</script>\n", declare("t", "\"o\""));
    let column =
        u32::try_from(written.lines().nth(2).unwrap().find("{ description: \"o\"").unwrap()).unwrap() + 1;
    let script = format!("const inner = {};", declare("t", "\"o\""));
    for compiled in [
        vue_setup(&script),
        vue_setup(&script).replace("_defineComponent({", "Object.assign(__default__, {"),
        vue_setup(&script).replace("export default", "const _sfc_main =") + "export default _sfc_main;",
        vue_setup(&script).replace("setup(", "async setup("),
    ] {
        let build = build("Panel.vue", &written, &compiled);
        let place = ("src/Panel.vue#inner".to_owned(), "src/Panel.vue".to_owned(), 3, column);
        assert_eq!(declarations(&build), [place], "{compiled}");
        assert!(
            build.transformed["src/Panel.vue"].contains("define(/* @__PURE__ */ JSON.parse"),
            "{compiled}"
        );
    }
}

#[test]
fn a_block_in_a_module_of_its_own_has_the_name_and_the_places_of_its_file() {
    let script = format!("const inner = {};", declare("t", "\"o\""));
    let block = "src/Panel.vue?vue&type=script&setup=true&lang.ts";
    let build = Project::new([("src/main.ts", "import \"./Panel.vue\";")])
        .with("src/Panel.vue", &format!("<script setup lang=\"ts\">\n{IMPORTS}{script}\n</script>"))
        .compiled_as("src/Panel.vue", "export * from \"./Panel.vue?vue&type=script&setup=true&lang.ts\";")
        .with(block, &vue_setup(&script))
        .build();
    let [(id, file, line, _)] = declarations(&build).try_into().unwrap();
    assert_eq!((id.as_str(), file.as_str(), line), ("src/Panel.vue#inner", "src/Panel.vue", 3));
}

#[test]
fn a_contract_of_an_instance_script_is_found_on_the_page_and_on_the_server() {
    let outer = format!("export const outer = {};", declare("a", "\"o\""));
    let inner = format!("const inner = {};", declare("b", "\"o\""));
    let written = format!("<script module>\n{IMPORTS}{outer}\n</script>\n<script>\n{inner}\n</script>");
    let page = format!("{IMPORTS}{outer}\nexport default function Panel($$anchor, $$props) {{\n{inner}\n}}");
    let server = format!(
        "{IMPORTS}{outer}\nexport default function Panel($$renderer, $$props) {{\n\
         $$renderer.component(($$renderer) => {{\n{inner}\n}});\n}}"
    );
    let in_development = server
        .replace("export default function", "function")
        .replace("\n});\n}", "\n}, Panel);\n}\nexport default Panel;");
    let [page, server, in_development] =
        [page, server, in_development].map(|compiled| build("Panel.svelte", &written, &compiled));
    let ids: Vec<_> = declarations(&page).into_iter().map(|(id, _, line, _)| (id, line)).collect();
    assert_eq!(ids, [("src/Panel.svelte#inner".to_owned(), 6), ("src/Panel.svelte#outer".to_owned(), 3)]);
    let manifest = page.outcome.unwrap().manifest;
    assert_eq!(server.outcome.unwrap().manifest, manifest);
    assert_eq!(in_development.outcome.unwrap().manifest, manifest);
}

#[test]
fn a_declaration_in_any_other_function_stays_an_error_at_its_authors_place() {
    let declaration = declare("t", "\"o\"");
    for (written, compiled) in [
        (
            format!("<script setup>\n{IMPORTS}function late() {{ const c = {declaration}; }}\n</script>"),
            vue_setup(&format!("function late() {{ const c = {declaration}; }}")),
        ),
        (
            format!("<script setup>\n{IMPORTS}if (1) {{ const c = {declaration}; }}\n</script>"),
            vue_setup(&format!("if (1) {{ const c = {declaration}; }}")),
        ),
        (
            format!(
                "<script>\n{IMPORTS}export default {{ setup() {{ const c = {declaration}; }} }};\n</script>"
            ),
            format!(
                "{IMPORTS}const _sfc_main = {{ setup(props) {{ const c = {declaration}; }} }};\nexport default _sfc_main;"
            ),
        ),
    ] {
        let found = build("Panel.vue", &written, &compiled).problems();
        let line = written.lines().nth(2).unwrap();
        let place = format!("unsupported-call src/Panel.vue:3:{}", line.find("define(").unwrap() + 1);
        assert_eq!(found, [place], "{compiled}");
    }
    // A snippet, which has such a parameter too.
    let snippet = format!(
        "{IMPORTS}function row($$renderer) {{ const c = {declaration}; }}\nexport default function P($$renderer) {{}}"
    );
    let found = build("Panel.svelte", "<p></p>", &snippet).problems();
    assert_eq!(found, ["unsupported-call src/Panel.svelte:2:38"], "{snippet}");
}

#[test]
fn the_same_function_in_a_plain_script_is_a_function_like_any_other() {
    let main = vue_setup(&format!("const inner = {};", declare("t", "\"o\""))).replace(
        "import { defineComponent as _defineComponent } from \"vue\";",
        "const _defineComponent = (it: object) => it;",
    );
    let found = Project::new([("src/main.ts", main.as_str())]).build().problems();
    assert_eq!(found, ["unsupported-call src/main.ts:6:15"]);
}

#[test]
fn two_scripts_of_a_component_may_not_declare_by_one_name() {
    let (one, two) = (declare("a", "\"o\""), declare("b", "\"o\""));
    let compiled = vue_setup(&format!("const c = {two};"))
        .replace("export default", &format!("const c = {one};\nexport default"));
    let found = build("Panel.vue", "<template />", &compiled).problems();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("duplicate-declaration src/Panel.vue"), "{found:?}");
}

#[test]
fn an_error_is_shown_in_the_component_as_it_was_written() {
    let script = format!("const inner = {};", declare("t", "document.title"));
    let written =
        format!("<template>\n  <p>é</p>\n</template>\n\n<script setup>\n{IMPORTS}{script}\n</script>\n");
    insta::assert_snapshot!(build("Panel.vue", &written, &vue_setup(&script)).report().text);
}

#[test]
fn a_macro_that_a_template_could_reach_is_an_error_where_the_template_names_it() {
    let script = format!("const c = {};", declare("t", "\"o\""));
    let compiled = vue_setup(&format!(
        "{script}\nconst __returned__ = {{ c, get define() {{ return define }} }};\nreturn __returned__;"
    ));
    let component = |markup: &str| format!("<script setup>\n{IMPORTS}{script}\n</script>\n{markup}");
    for markup in ["<template><p>undefined, redefine {{ c }}</p></template>", ""] {
        assert_eq!(declarations(&build("Panel.vue", &component(markup), &compiled)).len(), 1, "{markup}");
    }
    for markup in ["<template><p>{{ define({}) }}</p></template>", "<template src=\"./panel.html\" />"] {
        let found = build("Panel.vue", &component(markup), &compiled).problems();
        assert_eq!(found.len(), 1, "{markup}: {found:?}");
        assert!(found[0].starts_with("escaped-macro src/Panel.vue"), "{markup}: {found:?}");
    }
}

#[test]
fn constants_of_components_are_read_from_what_was_made_of_them() {
    let main = format!(
        "{IMPORTS}import {{ LABEL }} from \"./Label.vue\";\nexport const c = {};",
        declare("t", "LABEL")
    );
    let build = Project::new([("src/main.ts", main.as_str())])
        .with("src/Label.vue", "<script lang=\"ts\">export const LABEL: string = \"l\";</script>")
        .compiled_as("src/Label.vue", "export const LABEL = \"l\"; export default {};")
        .build();
    assert_eq!(build.manifest()["capabilities"][0]["description"], "l");
}

/// A module that another plugin makes of a page: a script with a contract.
fn page(description: &str) -> Project {
    let compiled = format!("{IMPORTS}export const page = {};", declare("t", description));
    Project::new([("src/main.ts", "import \"./home.page\";")])
        .with("src/home.page", "# Home\n{ title }")
        .compiled_as("src/home.page", &compiled)
}

#[test]
fn a_contract_that_another_plugin_generates_is_proven_and_located_along_its_map() {
    let located = |project: Project| declarations(&project.build());
    let id = || "src/home.page#page".to_owned();
    let without = [(id(), "src/home.page".to_owned(), 0, 0)];
    assert_eq!(located(page("\"o\"")), without, "there is no map");
    // The second line begins at the first column of the second line of the page.
    let map = r##"{"version":3,"names":[],"sources":["home.page"],"sourcesContent":["# Home\n{ title }"],"mappings":";AACA"}"##;
    assert_eq!(
        located(page("\"o\"").with_map("src/home.page", map)),
        [(id(), "src/home.page".to_owned(), 2, 1)]
    );
    let elsewhere = map.replace("# Home", "# Away");
    assert_eq!(located(page("\"o\"").with_map("src/home.page", &elsewhere)), without);
}

#[test]
fn an_error_in_generated_code_says_that_nothing_leads_back_from_it() {
    let build = page("location.hash").build();
    let help = build.report().diagnostics[0].help.clone().unwrap();
    assert!(help.contains("no source map leads back from there"), "{help}");
    assert_eq!(build.problems(), ["dynamic-value src/home.page:2:113"]);
}

#[test]
fn a_contract_that_a_plugin_adds_to_a_script_is_proven_beside_the_authors() {
    let main = format!("{IMPORTS}export const own = {};", declare("own", "\"o\""));
    let project = Project::new([("src/main.ts", main.as_str())]);
    let transformed = project.build().transformed["src/main.ts"].clone();
    let added = format!("{transformed}\nexport const added = {};", declare("added", "\"o\""));
    let build = project.clone().compiled_as("src/main.ts", &added).build();
    let ids: Vec<_> = declarations(&build).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids, ["src/main.ts#added", "src/main.ts#own"]);

    let broken = added.replace("\"o\", output", "location.hash, output");
    let report = project.compiled_as("src/main.ts", &broken).build();
    assert_eq!(report.report().diagnostics.len(), 1);
}
