//! Every reference to a macro that is no understood call is an error: whatever the module does with it, whichever way
//! it came by it, and whoever put the call there.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use support::{Project, describing, with_imports};

/// The definition of a contract that needs no helper.
const DEFINITION: &str = "{ type: \"t\", description: \"d\" }";

const IMPORT: &str = "import { defineAgentComponentContract as d } from \"@agent-surface/core\";\n\
                      import * as S from \"@agent-surface/core\";\n";

/// What is wrong with a module that begins with [`IMPORT`]; all of it an escape or an unsupported call.
fn escapes(main: &str) -> Vec<String> {
    let main = format!("{IMPORT}{}", main.replace("DEFINITION", DEFINITION));
    refused(&Project::new([("src/main.ts", main.as_str())]))
}

/// What a project is refused for.
fn refused(project: &Project) -> Vec<String> {
    let build = project.build();
    let found = build.problems();
    let codes = ["escaped-macro", "unsupported-call", "not-analysed"];
    assert!(
        !found.is_empty() && found.iter().all(|problem| codes.iter().any(|code| problem.starts_with(code))),
        "{}",
        build.report().text
    );
    for diagnostic in &build.report().diagnostics {
        assert!(diagnostic.help.is_some(), "says what to write instead: {}", diagnostic.message);
    }
    found
}

#[test]
fn a_macro_that_is_used_as_a_value_is_refused_where_it_gets_away() {
    for (main, place) in [
        ("export const made = [1].map(d);", "3:29"),
        ("export const made = Reflect.apply(d, null, [DEFINITION]);", "3:35"),
        ("export const list = [d];", "3:22"),
        ("export const made = [d][0](DEFINITION);", "3:22"),
        ("export const box = { d };", "3:22"),
        ("export const box = { make: d };\nexport const c = box.make(DEFINITION);", "3:28"),
        ("export function make(define = d) { return define(DEFINITION); }", "3:31"),
        ("export const make = (define = d) => define(DEFINITION);", "3:31"),
        ("export const { make = d } = {} as any;", "3:23"),
        ("export class Maker { make = d; }", "3:29"),
        ("export class Maker { static make = d; }", "3:36"),
        ("export class Maker extends (d as any) {}", "3:28"),
        ("export const make = () => d;", "3:27"),
        ("export function make() { return d; }", "3:33"),
        ("export function* make() { yield d; }", "3:33"),
        ("export const make = async () => await d;", "3:39"),
        ("export const made = d`x`;", "3:21"),
        ("export const make = Math.random() > 0.5 ? d : null;", "3:43"),
        ("export const make = d ?? null;", "3:21"),
        ("export const make = d && d;", "3:21"),
        ("const make = (0, d);\nexport const c = make(DEFINITION);", "3:14"),
        ("const make = (0, S).defineAgentComponentContract;\nexport const c = make(DEFINITION);", "3:14"),
        ("export let make = d;", "3:19"),
        ("let make: any; make = d; export { make };", "3:23"),
        ("(globalThis as any).make = d;", "3:28"),
        ("export default { make: d };", "3:24"),
        ("throw d;", "3:7"),
        ("export const made = new Proxy(d, {});", "3:31"),
        ("export const name = `${d}`;", "3:24"),
        ("export const [make] = [d];", "3:24"),
        ("export const { length } = d;", "3:27"),
        ("@d class C {}\nexport { C };", "3:2"),
        ("export const view = <d.x />;", "3:22"),
        ("export = d;", "3:10"),
    ] {
        let file = if main.contains("/>") { "src/main.tsx" } else { "src/main.ts" };
        let text = format!("{IMPORT}{}", main.replace("DEFINITION", DEFINITION));
        let entry = format!("import \"./{}\";", if file.ends_with('x') { "main.tsx" } else { "main.ts" });
        let project = match file {
            "src/main.ts" => Project::new([(file, text.as_str())]),
            _ => Project::new([("src/main.ts", entry.as_str()), (file, text.as_str())]),
        };
        let found = refused(&project);
        assert!(found[0].ends_with(place), "{main}: {found:?}");
    }
}

#[test]
fn a_macro_is_called_plainly_or_not_at_all() {
    for main in [
        "export const c = d(DEFINITION, {});",
        "export const c = d(DEFINITION, JSON.parse(\"{}\"));",
        "export const c = d(...[DEFINITION]);",
        "export const c = d(DEFINITION, ...[]);",
        "export const c = d?.(DEFINITION);",
        "export const c = new (d as any)(DEFINITION);",
        "export const c = d.call(null, DEFINITION);",
        "export const c = d.apply(null, [DEFINITION]);",
        "export const c = d.bind(null)(DEFINITION);",
        "export const make = d.bind(null);\nexport const c = make(DEFINITION);",
        "export const c = d[\"call\"](null, DEFINITION);",
        "export const c = S.defineAgentComponentContract?.(DEFINITION);",
        "export const c = S?.defineAgentComponentContract.call(null, DEFINITION);",
        "export const c = S[\"define\" + \"AgentComponentContract\"](DEFINITION);",
        "const key = \"defineAgentComponentContract\";\nexport const c = S[key](DEFINITION);",
        "export const c = S[String(Math.random())](DEFINITION);",
        "export const c = d();",
    ] {
        escapes(main);
    }
}

#[test]
fn a_namespace_with_a_macro_in_it_does_not_get_away() {
    for main in [
        "const { defineAgentComponentContract } = S;\nexport const c = defineAgentComponentContract(DEFINITION);",
        "const { defineAgentComponentContract: make } = S;\nexport const c = make(DEFINITION);",
        "const { [\"defineAgentComponentContract\"]: make } = S;\nexport const c = make(DEFINITION);",
        "const { ...all } = S;\nexport const c = all.defineAgentComponentContract(DEFINITION);",
        "let { defineAgentComponentContract: make } = S;\nexport const c = make(DEFINITION);",
        "let make: any; ({ defineAgentComponentContract: make } = S);\nexport const c = make(DEFINITION);",
        "export const all = { ...S };",
        "export const all = Object.assign({}, S);",
        "export const all = Object.values(S);",
        "for (const key in S) console.log(key);",
        "export const all = { S };",
        "console.log(S);",
        "export const has = \"x\" in S;",
    ] {
        escapes(main);
    }
    // What is taken is no macro, and nothing else can be.
    let harmless = "import * as S from \"@agent-surface/core\";\nconst { emptyObjectSchema } = S;\nexport { emptyObjectSchema };";
    Project::new([("src/main.ts", harmless)]).build().manifest();
}

#[test]
fn a_macro_that_is_reached_through_more_members_than_anyone_writes_is_refused() {
    // A module can be a member of its own namespace.
    let barrel = "export * as self from \"./barrel\";\nexport * from \"@agent-surface/core\";";
    for end in ["(DEFINITION)", ";\nexport const d = c(DEFINITION)"] {
        for depth in [255, 256, 300, 5000] {
            let main = format!(
                "import * as kit from \"./barrel\";\nexport const c = kit{}.defineAgentComponentContract{end};",
                ".self".repeat(depth)
            );
            let main = main.replace("DEFINITION", DEFINITION);
            refused(&Project::new([("src/main.ts", main.as_str()), ("src/barrel.ts", barrel)]));
        }
    }
}

#[test]
fn a_macro_that_goes_by_more_names_than_anyone_gives_is_refused() {
    // A name for the name before it, `count` times.
    let names = |first: &str, count: usize| {
        let lines = (0..count).map(|index| format!("export const {first}{} = {first}{index};\n", index + 1));
        lines.collect::<String>()
    };
    for count in [99, 100, 101, 150, 250, 1000] {
        let main = format!("const a0 = d;\n{}export const c = a{count}(DEFINITION);", names("a", count));
        let main = format!("{IMPORT}{}", main.replace("DEFINITION", DEFINITION));
        let project = Project::new([("src/main.ts", main.as_str())]);
        if count < 100 { drop(project.build().manifest()) } else { drop(refused(&project)) }
    }
    // In several modules, each with fewer.
    for ends in ["export const c = c90(DEFINITION);", "export const all = [c90];"] {
        let first = format!("{IMPORT}export const a0 = d;\n{}", names("a", 90));
        let second = format!("import {{ a90 as b0 }} from \"./first\";\n{}", names("b", 90));
        let main = format!("import {{ b90 as c0 }} from \"./second\";\n{}{ends}", names("c", 90));
        refused(&Project::new([
            ("src/first.ts", first.as_str()),
            ("src/second.ts", second.as_str()),
            ("src/main.ts", main.replace("DEFINITION", DEFINITION).as_str()),
        ]));
    }
}

#[test]
fn a_macro_in_as_many_parentheses_as_one_likes_is_the_macro() {
    for (open, close) in [("(", ")"), ("", " as any"), ("", "!")] {
        let value = format!("({}d{})", open.repeat(600), close.repeat(600));
        for main in [
            format!("export const c = {value}(DEFINITION);"),
            format!("const e = {value};\nexport const c = e(DEFINITION);"),
        ] {
            let main = format!("{IMPORT}{}", main.replace("DEFINITION", DEFINITION));
            let build = Project::new([("src/main.ts", main.as_str())]).build();
            assert!(build.transformed["src/main.ts"].contains("JSON.parse"), "{open}{close}");
        }
    }
}

#[test]
fn a_namespace_of_a_barrel_is_no_better() {
    let barrels = [
        ("export * from \"@agent-surface/core\";", "defineAgentComponentContract"),
        ("export * from \"./deeper\";", "defineAgentComponentContract"),
        ("export { defineAgentComponentContract as make } from \"@agent-surface/core\";", "make"),
        (
            "import { defineAgentComponentContract } from \"@agent-surface/core\";\nexport default defineAgentComponentContract;",
            "default",
        ),
    ];
    for (barrel, name) in barrels {
        for main in [
            "import * as kit from \"./barrel\";\nconst { NAME: make } = kit;\nexport const c = make(DEFINITION);",
            "import * as kit from \"./barrel\";\nexport const c = Object.values(kit)[0](DEFINITION);",
            "import * as kit from \"./barrel\";\nexport const all = { ...kit };",
            "const { NAME: make } = await import(\"./barrel\");\nexport const c = make(DEFINITION);",
            "const kit = await import(\"./barrel\");\nexport const c = kit.NAME(DEFINITION);",
            "export const c = (await import(\"./barrel\")).NAME(DEFINITION);",
            "export const c = import(\"./barrel\").then(({ NAME: make }) => make(DEFINITION));",
            "export const c = import(\"./barrel\").then((kit) => kit.NAME(DEFINITION));",
            "export const c = import(\"./barrel\").then(function () { return arguments[0].NAME(DEFINITION); });",
            "declare const require: any;\nexport const c = require(\"./barrel\").NAME(DEFINITION);",
        ] {
            let main = main.replace("NAME", name).replace("DEFINITION", DEFINITION);
            let project = Project::new([("src/main.ts", main.as_str()), ("src/barrel.ts", barrel)])
                .with("src/deeper.ts", "export * from \"./deepest\";")
                .with("src/deepest.ts", "export * from \"@agent-surface/core\";");
            let found = refused(&project);
            assert!(
                found.iter().all(|problem| problem.contains(" src/main.ts:")),
                "{barrel} {main}: {found:?}"
            );
        }
    }
}

#[test]
fn what_is_taken_of_a_barrel_and_is_no_macro_is_harmless() {
    for main in [
        "import * as kit from \"./barrel\";\nconst { other } = kit;\nexport { other };",
        "const { other } = await import(\"./barrel\");\nexport { other };",
        "export const other = (await import(\"./barrel\")).other;",
        "export const other = import(\"./barrel\").then(({ other }) => other);",
        "await import(\"./barrel\");",
        "import(\"./barrel\");",
        "export const ready = import(\"./barrel\").then(() => 1);",
        "export const lazy = () => import(\"./page\");",
    ] {
        let barrel = "export * from \"@agent-surface/core\";\nexport const other = 1;";
        let page = "import { emptyObjectSchema } from \"./barrel\";\nexport const page = emptyObjectSchema;";
        let project = Project::new([("src/main.ts", main), ("src/barrel.ts", barrel), ("src/page.ts", page)]);
        project.build().manifest();
    }
}

#[test]
fn the_core_that_is_reached_while_the_program_runs_is_refused() {
    for main in [
        "export const c = (await import(\"@agent-surface/core\")).defineAgentComponentContract(DEFINITION);",
        "const { defineAgentComponentContract: make } = await import(\"@agent-surface/core\");\nexport const c = make(DEFINITION);",
        "export const c = import(\"@agent-surface/core\").then(({ defineAgentComponentContract: make }) => make(DEFINITION));",
        "export const c = import(`@agent-surface/core`).then((core) => core);",
        "const name = \"@agent-surface/core\";\nexport const c = import(name);",
        "export const c = import(\"@agent-surface/\" + \"core\");",
        "export const c = import(\"surface-alias\").then((core) => core);",
        "export const all = Promise.all([import(\"@agent-surface/core\")]);",
        "declare const require: any;\nexport const c = require(\"@agent-surface/core\").defineAgentComponentContract(DEFINITION);",
        "declare const require: any;\nconst { defineAgentComponentContract: make } = require(\"@agent-surface/core\");\nexport const c = make(DEFINITION);",
        "import { createRequire } from \"node:module\";\nconst load = createRequire(import.meta.url);\nexport const c = load(\"@agent-surface/core\").defineAgentComponentContract(DEFINITION);",
        "import { createRequire as make } from \"module\";\nexport const c = make(import.meta.url)(\"@agent-surface/core\");",
        "import module from \"node:module\";\nconst load = module.createRequire(import.meta.url);\nexport const c = load(\"@agent-surface/core\");",
        "import core = require(\"@agent-surface/core\");\nexport const c = core.defineAgentComponentContract(DEFINITION);",
        "import make = S.defineAgentComponentContract;\nexport const c = make(DEFINITION);",
    ] {
        escapes(main);
    }
    let harmless = "const { createAgentSurfaceRegistry } = await import(\"@agent-surface/core\");\nexport const make = createAgentSurfaceRegistry;";
    Project::new([("src/main.ts", harmless)]).build().manifest();
    let own =
        "const require = (name: string) => name;\nexport const core = require(\"@agent-surface/core\");";
    Project::new([("src/main.ts", own)]).build().manifest();
}

#[test]
fn a_macro_under_a_name_of_the_app_is_found_or_refused_however_deep_it_comes_from() {
    for (first, imported) in [
        ("export { defineAgentComponentContract as make } from \"@agent-surface/core\";", "make"),
        (
            "import { defineAgentComponentContract } from \"@agent-surface/core\";\nexport const make = defineAgentComponentContract;",
            "make",
        ),
        (
            "import * as core from \"@agent-surface/core\";\nexport const make = core.defineAgentComponentContract;",
            "make",
        ),
        (
            "import { defineAgentComponentContract as x } from \"@agent-surface/core\";\nconst y = x;\nexport { y as make };",
            "make",
        ),
        (
            "import * as core from \"@agent-surface/core\";\nexport { core as make };",
            "make.defineAgentComponentContract",
        ),
        ("export * as make from \"@agent-surface/core\";", "make.defineAgentComponentContract"),
    ] {
        for (second, third) in [
            ("export * from \"./first\";", "export * from \"./second\";"),
            ("export { make } from \"./first\";", "import { make } from \"./second\";\nexport { make };"),
            (
                "import * as all from \"./first\";\nexport const { make } = all;",
                "export * from \"./second\";",
            ),
            (
                "import * as all from \"./first\";\nexport const make = all.make;",
                "export * from \"./second\";",
            ),
        ] {
            let main = format!(
                "import {{ make }} from \"./third\";\nimport {{ output }} from \"./output\";\nexport const c = {imported}({{ type: \"t\", description: \"d\", observations: {{ o: {{ description: \"o\", output }} }} }});"
            );
            let project = Project::new([("src/main.ts", main.as_str())])
                .with("src/first.ts", first)
                .with("src/second.ts", second)
                .with("src/third.ts", third)
                .with("src/output.ts", "import { emptyObjectSchema } from \"@agent-surface/core\";\nexport const output = emptyObjectSchema;");
            let build = project.build();
            match &build.outcome {
                Ok(proof) => assert!(proof.manifest.contains("src/main.ts#c"), "{first} {second} {third}"),
                Err(_) => assert!(!refused(&project).is_empty()),
            }
        }
    }
}

#[test]
fn a_call_that_another_plugin_adds_later_is_refused() {
    let author = with_imports(&describing("\"o\""));
    let added = "import { defineAgentComponentContract as d } from \"@agent-surface/core\";\nexport const added = d({ type: \"x\", description: \"x\" });";
    // Into a module of its own.
    let project = Project::new([("src/main.ts", "import \"./late\";"), ("src/late.ts", "export {};")])
        .transformed_later("src/late.ts", added);
    assert_eq!(refused(&project), ["not-analysed src/late.ts:2:22"]);
    // Into a module that declares one itself, once its text has been read.
    let mut build = Project::new([("src/main.ts", author.as_str())]).build();
    let proven = build.transformed["src/main.ts"].clone();
    build.manifest();
    for (what, text) in [
        (
            "another call",
            format!("{proven}\nexport const added = defineAgentComponentContract({DEFINITION});"),
        ),
        (
            "a call in a function",
            format!("{proven}\nexport const late = () => defineAgentComponentContract({DEFINITION});"),
        ),
        ("the macro passed on", format!("{proven}\nglobalThis.make = defineAgentComponentContract;")),
        ("a dynamic import", format!("{proven}\nexport const late = import(\"@agent-surface/core\");")),
        ("the call without its proof", proven.replacen("JSON.parse(", "({}) || JSON.parse(", 1)),
        ("the author's text", author.clone()),
        ("another definition", proven.replacen(":definition", ":proof", 1)),
        ("another JSON", format!("{proven}\nconst JSON = {{ parse: () => ({{}}) }};")),
        ("a text that is no module", format!("{proven}\nexport const = 1;")),
    ] {
        build =
            Project::new([("src/main.ts", author.as_str())]).transformed_later("src/main.ts", &text).build();
        let found = build.problems();
        assert!(!found.is_empty(), "{what}");
        assert!(found.iter().all(|problem| problem.contains(" src/main.ts:")), "{what}: {found:?}");
    }
    // What does not touch the call is none of our business.
    for text in [
        proven.replace("JSON.parse(\"", "JSON.parse( '").replace("\")", "' )"),
        format!("const x = 1;\n{proven}\nconsole.log(x);"),
        proven
            .replace("export const c = ", "export const c = (0, globalThis.count = 1, ")
            .replace("));", ")));"),
    ] {
        Project::new([("src/main.ts", author.as_str())])
            .transformed_later("src/main.ts", &text)
            .build()
            .manifest();
    }
}

#[test]
fn a_path_into_the_core_package_is_no_way_round() {
    let late = "import { make } from \"../node_modules/@agent-surface/core/dist/deep/make.js\";\nexport const added = make({ type: \"x\" });";
    for path in ["make", "deep/make"] {
        let late =
            late.replace("deep/make", path).replace("make }", "defineAgentComponentContract as make }");
        let project = Project::new([
            ("src/main.ts", "import \"./late\";\nimport \"@agent-surface/core\";"),
            ("src/late.ts", "export {};"),
        ])
        .with(
            "node_modules/@agent-surface/core/dist/index.js",
            "export { defineAgentComponentContract } from \"./make.js\";",
        )
        .with("node_modules/@agent-surface/core/dist/make.js", "export * from \"./deep/make.js\";")
        .with(
            "node_modules/@agent-surface/core/dist/deep/make.js",
            "export const defineAgentComponentContract = (x) => x;",
        )
        .transformed_later("src/late.ts", &late);
        assert_eq!(refused(&project), ["not-analysed src/late.ts:2:22"], "{path}");
    }
}

#[test]
fn a_module_with_a_json_of_its_own_cannot_read_what_was_proven() {
    for own in [
        "const JSON = { parse: () => ({ type: \"evil\" }) };",
        "function JSON() {}",
        "class JSON {}",
        "import { JSON } from \"./own\";",
        "var JSON: any;",
        "enum JSON { parse }",
    ] {
        let build = Project::of(&format!("{own}\n{}", describing("\"o\"")))
            .with("src/own.ts", "export const JSON = { parse: () => 1 };")
            .build();
        let found = build.problems();
        assert_eq!(found.len(), 1, "{own}: {found:?}");
        assert!(found[0].starts_with("own-json src/main.ts:3:"), "{own}: {found:?}");
    }
    let elsewhere = format!("export function f(JSON: any) {{ return JSON; }}\n{}", describing("\"o\""));
    Project::of(&elsewhere).build().manifest();
}

#[test]
fn a_module_that_no_one_could_read_is_refused_if_it_can_get_at_a_macro() {
    let project = Project::new([
        ("src/main.ts", "import \"virtual:late\";"),
        ("src/barrel.ts", "export * from \"@agent-surface/core\";"),
    ])
    .with_virtual(
        "virtual:late",
        "import { x as y } from \"surface-alias\";\nexport const c = y({});\nexport const = 1;",
    );
    let build = project.build();
    assert!(build.report().text.contains("virtual:late"), "{}", build.report().text);
}
