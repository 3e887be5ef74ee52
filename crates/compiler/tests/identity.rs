//! A contract has the same bytes wherever its checkout lies, and however the host spells the ids of its modules.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use support::{Project, Spelling, describing, with_imports};

/// An app whose contract takes a constant from another folder and passes a macro through a barrel.
fn app() -> Project {
    let main = "import { kind } from \"./words/kinds\";\nimport { defineAgentComponentContract, fromJsonSchema } from \"./barrel\";\nimport \"./late\";\nexport const c = defineAgentComponentContract({ type: kind, description: \"d\", observations: { o: { description: \"o\", output: fromJsonSchema({ type: \"number\" }) } } });";
    Project::new([("src/main.ts", main)])
        .with("src/words/kinds.ts", "export { kind } from \"../../shared/kinds\";")
        .with("shared/kinds.ts", "export const kind = \"panel\";")
        .with("src/barrel.ts", "export * from \"@agent-surface/core\";")
        .with("src/late.ts", &with_imports(&describing("\"o\"")))
}

#[test]
fn ids_of_every_system_and_server_give_the_same_bytes() {
    let expected = app().build().outcome.unwrap();
    assert!(expected.manifest.contains("\"src/main.ts#c\""), "{}", expected.manifest);
    let plain = Spelling::default();
    for spelling in [
        Spelling { root: "/home/ä b/C#/app", ids: "/home/ä b/C#/app", ..plain },
        Spelling { root: "/app", ids: "/@fs/app", ..plain },
        Spelling { suffix: "?v=3f2a", ..plain },
        Spelling { suffix: "?import&t=1#x", ..plain },
        Spelling { root: "C:\\code\\app", ids: "C:/code/app", ..plain },
        Spelling { root: "c:/code/app", ids: "C:/code/app", ..plain },
        Spelling { root: "C:\\code\\app", ids: "c:/code/app", backslashes: true, ..plain },
        Spelling { root: "C:/code/app", ids: "/@fs/C:/code/app", ..plain },
        Spelling { root: "C:/code/app", ids: "//?/C:/code/app", backslashes: true, suffix: "" },
        Spelling { root: "\\\\server\\share\\app", ids: "//server/share/app", ..plain },
        Spelling { root: "/srv/%41", ids: "/srv/%41", ..plain },
    ] {
        let proof =
            app().spelled(spelling).build().outcome.unwrap_or_else(|report| panic!("{}", report.text));
        assert_eq!(proof.manifest, expected.manifest, "{} {}", spelling.root, spelling.ids);
        let files: Vec<_> = proof.capabilities.iter().map(|it| it.file.as_str()).collect();
        assert_eq!(files, ["src/late.ts", "src/main.ts"]);
    }
}

#[test]
fn a_dependency_is_one_under_any_spelling_of_its_path() {
    let project = Project::new([("src/main.ts", "import \"widget\";")])
        .with("node_modules/widget/index.js", &with_imports(&describing("\"o\"")));
    let plain = Spelling::default();
    for spelling in [
        plain,
        Spelling { root: "C:\\app", ids: "c:/app", backslashes: true, ..plain },
        Spelling { root: "/app", ids: "/@fs/app", ..plain },
        Spelling { root: "\\\\server\\share\\app", ids: "//server/share/app", backslashes: true, ..plain },
    ] {
        let build = project.clone().spelled(spelling).build();
        let codes: Vec<_> = build.report().diagnostics.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(codes, ["agent-surface(unapproved-contract)"], "{}", spelling.ids);
    }
}

#[test]
fn code_of_the_app_is_analysed_whatever_its_folder_is_called() {
    for path in [
        "packages/core/src/x.ts",
        "packages/react/src/x.tsx",
        "src/agent-surface/core/x.mts",
        "@agent-surface/core/x.ts",
        "src/node_modules.ts",
        "src/dist/x.js",
        "src/x.test.ts",
        "src/.hidden/x.ts",
        "src/x y (1).ts",
        "src/[id].ts",
        "src/é.ts",
        "src/C#/x.ts",
        "src/a#b.ts",
        "src/100%.ts",
        "vendor/x.cjs",
        "src/x.jsx",
    ] {
        let main = format!("import \"../{path}\";");
        let project =
            Project::new([("src/main.ts", main.as_str())]).with(path, &with_imports(&describing("\"o\"")));
        let manifest = project.build().manifest();
        assert_eq!(manifest["capabilities"][0]["declarationId"], format!("{path}#c"), "{path}");
        assert_eq!(manifest["capabilities"][0]["origin"], path);
    }
}

#[test]
fn names_that_only_a_file_system_would_call_equal_stay_two() {
    let (composed, decomposed) = ("src/caf\u{e9}.ts", "src/cafe\u{301}.ts");
    let main = format!("import \"../{composed}\";\nimport \"../{decomposed}\";");
    let project = Project::new([("src/main.ts", main.as_str())])
        .with(composed, &with_imports(&describing("\"o\"")))
        .with(decomposed, &with_imports(&describing("\"o\"").replace("\"t\"", "\"u\"")));
    let manifest = project.build().manifest();
    let ids: Vec<_> =
        manifest["capabilities"].as_array().unwrap().iter().map(|it| it["declarationId"].clone()).collect();
    assert_eq!(ids, [format!("{decomposed}#c"), format!("{composed}#c")]);
}

#[test]
fn one_file_that_is_loaded_twice_declares_its_contract_once() {
    let text = with_imports(&describing("\"o\""));
    let project = Project::new([
        ("src/main.ts", "import \"./c.ts\";\nimport \"./c.ts?again\";"),
        ("src/c.ts", text.as_str()),
    ])
    .with("src/c.ts?again", &text);
    assert_eq!(project.build().manifest()["capabilities"].as_array().unwrap().len(), 1);
    let other = text.replace("\"o\"", "\"other\"");
    let project = project.with("src/c.ts?again", &other);
    assert!(!project.build().report().diagnostics.is_empty(), "two contracts of one name");
}

#[test]
fn a_virtual_module_names_the_file_it_was_made_from_and_not_the_machine() {
    let text = with_imports(&describing("\"o\""));
    let ids: Vec<_> = ["/app", "/home/b/app"]
        .into_iter()
        .map(|root| {
            let specifier = format!("page:{root}/src/page.md");
            let main = format!("import \"{specifier}\";");
            let project = Project::new([("src/main.ts", main.as_str())]).with_virtual(&specifier, &text);
            let spelling = Spelling { root, ids: root, ..Spelling::default() };
            project.spelled(spelling).build().manifest()["capabilities"][0]["declarationId"].clone()
        })
        .collect();
    assert_eq!(ids, ["virtual:page:src/page.md#c", "virtual:page:src/page.md#c"]);
}
