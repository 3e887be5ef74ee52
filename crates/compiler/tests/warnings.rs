//! What is worth a look and no reason to fail: and that it is never said of what is in order.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use agent_surface_compiler::Severity;
use support::{Project, carrying, describing, with_imports};

/// A module that declares the contract `c`, of one observation.
fn contract() -> String {
    with_imports(&describing("\"o\""))
}

/// The warnings of an app whose entry has this text, beside `src/contract.ts` with [`contract`] in it.
fn warnings(main: &str) -> Vec<String> {
    app(main).build().warnings()
}

fn app(main: &str) -> Project {
    Project::new([("src/main.ts", main), ("src/contract.ts", contract().as_str())])
        .with("src/named.ts", "export { c as renamed } from \"./contract\";")
        .with("src/all.ts", "export * from \"./contract\";")
        .with("src/deep.ts", "export * from \"./all\";")
        .with("src/alias.ts", "import { c } from \"./contract\";\nconst other = c;\nexport { other };")
        .with("src/default.ts", "import { c } from \"./contract\";\nexport default c;")
        .with("src/space.ts", "export * as space from \"./contract\";")
}

#[test]
fn a_contract_that_nothing_binds_is_in_the_manifest_and_marked() {
    for main in [
        "import \"./contract\";",
        "import { c } from \"./contract\";",
        "import * as all from \"./contract\";",
        "import * as all from \"./contract\";\nall.other;",
        "import \"./named\";",
        "import { renamed } from \"./named\";",
        "import { c } from \"./deep\";",
        "import { other } from \"./alias\";",
        "import c from \"./default\";",
        "import { c } from \"./contract\";\nexport type T = typeof c;",
        "import \"./contract\";\nconst c = 1;\nconsole.log(c);",
        "import \"./contract\";\nimport(\"./other\");",
    ] {
        let build = app(main).with("src/other.ts", "export const c = 1;").build();
        assert_eq!(build.warnings(), ["unbound-contract src/contract.ts:2:18"], "{main}");
        assert_eq!(build.manifest()["capabilities"][0]["declarationId"], "src/contract.ts#c", "{main}");
    }
    let proof = app("import \"./contract\";").build().outcome.unwrap();
    let warning = &proof.warnings[0];
    assert_eq!(warning.severity, Severity::Warning);
    assert!(warning.frame.contains("src/contract.ts#c") && warning.help.is_some(), "{}", warning.frame);
}

#[test]
fn a_contract_that_anything_is_done_with_counts_as_bound() {
    for main in [
        "import { c } from \"./contract\";\nuse(c);\ndeclare const use: any;",
        "import { c } from \"./contract\";\nc.bind({});",
        "import { c } from \"./contract\";\nexport const bound = () => c.bind({});",
        "import { c as other } from \"./contract\";\nconst list = [other];",
        "import { c } from \"./contract\";\nconst again = c;\nconst third = again;\nconsole.log(third);",
        "import { c } from \"./contract\";\nlet later; later = c;",
        "import { c } from \"./contract\";\nconst { bind } = c as any;",
        "import { c } from \"./contract\";\nexport default { c };",
        "import { c } from \"./contract\";\nexport { c };",
        "export { c } from \"./contract\";",
        "export * from \"./deep\";",
        "import { renamed } from \"./named\";\nconsole.log(renamed);",
        "import { c } from \"./deep\";\nconsole.log(c);",
        "import { other } from \"./alias\";\nconsole.log(other);",
        "import c from \"./default\";\nconsole.log(c);",
        "import * as all from \"./contract\";\nconsole.log(all.c);",
        "import * as all from \"./deep\";\nconsole.log(all);",
        "import * as all from \"./contract\";\nconst { c } = all;",
        "import * as all from \"./contract\";\nconsole.log(all[String(1)]);",
        "import { space } from \"./space\";\nconsole.log(space.c);",
        "import \"./space\";",
        "import(\"./contract\");",
        "const { c } = await import(\"./contract\");",
        "import \"./contract\";\nimport(\"./contract\");",
        "declare const require: any;\nrequire(\"./contract\");",
        "import { c } from \"@/contract\";\nconsole.log(c);",
    ] {
        assert_eq!(warnings(main), [""; 0], "{main}");
    }
}

#[test]
fn a_contract_that_its_own_module_binds_is_bound() {
    for (text, is_bound) in [
        ("console.log(c);", true),
        ("export const bound = () => c.bind({});", true),
        ("const again = c;\nconsole.log(again);", true),
        ("export function View() { return use(c); }\ndeclare const use: any;", true),
        ("const again = c;\nexport { again };", false),
        ("export type T = typeof c;", false),
        ("export function f(c: unknown) { return c; }", false),
        ("{ const c = 1; console.log(c); }", false),
    ] {
        let module = format!("{}\n{text}", contract());
        let project =
            Project::new([("src/main.ts", "import \"./contract\";"), ("src/contract.ts", module.as_str())]);
        assert_eq!(project.build().warnings().is_empty(), is_bound, "{text}");
    }
    for (declaration, is_bound) in [
        ("export default define;", false),
        ("export const all = { first: define, second: define };", false),
        ("export const all = { first: define };\nconsole.log(all.first);", true),
        ("const c = define;", false),
        ("export default { first: define };", false),
    ] {
        let define = describing("\"o\"").replace("export const c = ", "").replace(';', "");
        let text = with_imports(&declaration.replace("define", &define));
        let project =
            Project::new([("src/main.ts", "import \"./contract\";"), ("src/contract.ts", text.as_str())]);
        assert_eq!(
            project.build().warnings().iter().all(|it| !it.starts_with("unbound")),
            is_bound,
            "{declaration}"
        );
    }
}

#[test]
fn a_use_that_only_one_view_of_a_module_shows_is_a_use() {
    let view = "import { c } from \"./contract\";\n// observations:\n";
    let with_use = format!("{view}console.log(c);");
    // As a component's template is compiled into it.
    let later =
        app("import \"./view\";").with("src/view.ts", view).transformed_later("src/view.ts", &with_use);
    assert_eq!(later.build().warnings(), [""; 0]);
    // As another plugin takes it away again, with the import.
    let gone = app("import \"./view\";\nimport \"./contract\";")
        .with("src/view.ts", &with_use)
        .transformed_later("src/view.ts", "export {};");
    assert_eq!(gone.build().warnings(), ["unbound-contract src/contract.ts:2:18"]);
    // In the contract's own module.
    let own =
        format!("{}\nconsole.log(c);", app("import \"./contract\";").build().transformed["src/contract.ts"]);
    let own = app("import \"./contract\";").transformed_later("src/contract.ts", &own);
    assert_eq!(own.build().warnings(), [""; 0]);
}

#[test]
fn two_declarations_of_one_capability_are_both_kept_and_warned_of() {
    let main = "import { c } from \"./a\";\nimport { c as d } from \"./b\";\nimport { c as e } from \"./e\";\nconsole.log(c, d, e);";
    let project = Project::new([("src/main.ts", main)])
        .with("src/a.ts", &contract())
        .with("src/b.ts", &contract())
        .with("src/e.ts", &contract().replace("\"t\"", "\"other\""));
    let build = project.build();
    let ids: Vec<_> = build.manifest()["capabilities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["declarationId"].clone())
        .collect();
    assert_eq!(ids, ["src/a.ts#c", "src/b.ts#c", "src/e.ts#c"]);
    assert_eq!(build.warnings(), ["duplicate-capability src/b.ts:2:117"]);
    let proof = build.outcome.unwrap();
    assert!(proof.warnings[0].frame.contains("src/a.ts#c") && proof.warnings[0].frame.contains("src/b.ts#c"));
}

#[test]
fn two_copies_of_the_core_are_both_found_and_named_with_their_versions() {
    let main = "import { c } from \"./first\";\nimport { c as d } from \"../packages/other/second\";\nconsole.log(c, d);";
    let project = Project::new([("src/main.ts", main)])
        .with("src/first.ts", &with_imports(&carrying("1")))
        .with("packages/other/second.ts", &with_imports(&carrying("2").replace("\"t\"", "\"u\"")))
        .with_core_of("packages/other/second.ts", "node_modules/linked");
    let build = project.build();
    assert_eq!(build.manifest()["capabilities"].as_array().unwrap().len(), 2);
    assert_eq!(build.warnings(), ["several-cores :0:0"]);
    let message = &build.outcome.unwrap().warnings[0].message;
    assert!(message.contains("0.1.0 in node_modules/@agent-surface/core"), "{message}");
    assert!(message.contains("0.2.0 in node_modules/linked"), "{message}");
}

#[test]
fn warnings_have_an_order_of_their_own() {
    let modules: Vec<_> = (0..6).map(|n| format!("src/m{n}.ts")).collect();
    let imports: String = (0..6).map(|n| format!("import \"./m{n}\";\n")).collect();
    let mut project = Project::new([("src/main.ts", imports.as_str())]);
    for path in &modules {
        project = project.with(path, &contract());
    }
    let forwards = project.build().warnings();
    project.reversed = true;
    assert_eq!(project.build().warnings(), forwards);
    assert_eq!(forwards.len(), 6 + 5);
    assert!(forwards.is_sorted_by_key(|warning| warning.split([' ', ':']).nth(1).unwrap().to_owned()));
}
