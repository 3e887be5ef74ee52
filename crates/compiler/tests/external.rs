//! What dependencies contribute: nothing but what the project's authors have agreed to, by package and digest.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use agent_surface_compiler::{ContractFile, Diagnostic, MAX_CONTRACT_FILE, Stage, Transform};
use agent_surface_json::{Json, parse};
use agent_surface_manifest::{Contract, Digest, Effect, Kind, Manifest};
use support::{Build, Project, ROOT, Spelling, describing, with_imports};

const CHARTS: &str = "node_modules/@acme/charts";

/// A capability of a library, as its own build saw it.
fn zoom(declaration: &str) -> Contract {
    Contract {
        declaration_id: declaration.into(),
        capability_id: "view:chart.zoom".into(),
        kind: Kind::Action,
        description: "Zoom in".into(),
        effect: Effect::LocalState,
        input_schema: Some(
            parse(r#"{"type":"object","properties":{},"additionalProperties":false}"#).unwrap(),
        ),
        output_schema: None,
        confirmation: None,
        policies: None,
        tags: None,
        origin: declaration.split('#').next().unwrap().into(),
    }
}

/// The contract file of a library with one capability.
fn contract_file(contract: Contract) -> String {
    Manifest::assemble(vec![contract.seal("web-production")], Vec::new()).unwrap().to_file_text()
}

fn charts() -> String {
    contract_file(zoom("src/chart.ts#chart"))
}

fn package_json(name: &str) -> String {
    format!("{{\n  \"name\": \"{name}\",\n  \"agentSurface\": {{ \"contract\": \"./contract.json\" }}\n}}\n")
}

/// A project that imports `@acme/charts`, which ships a contract file.
fn app() -> Project {
    app_with(&charts())
}

fn app_with(contract: &str) -> Project {
    let main = with_imports(&describing("\"o\"")) + "\nimport \"@acme/charts\";\nc.bind({});";
    Project::new([("src/main.ts", main.as_str())])
        .with(&format!("{CHARTS}/index.js"), "export const chart = 1;")
        .with(&format!("{CHARTS}/package.json"), &package_json("@acme/charts"))
        .with(&format!("{CHARTS}/contract.json"), contract)
}

fn digest(text: &str) -> String {
    Digest::of(text).to_hex()
}

/// The one problem of a build.
fn problem(build: &Build) -> &Diagnostic {
    match build.report().diagnostics.as_slice() {
        [problem] => problem,
        problems => panic!("{} problems: {}", problems.len(), build.report().text),
    }
}

fn code(diagnostic: &Diagnostic) -> &str {
    diagnostic.code.trim_start_matches("agent-surface(").trim_end_matches(')')
}

/// The entry that a report says to add.
fn printed_entry(diagnostic: &Diagnostic) -> Json {
    let help = diagnostic.help.as_deref().unwrap();
    parse(&help[help.rfind("\n{").unwrap()..]).unwrap()
}

fn approved_as_printed(project: Project, build: &Build) -> Project {
    build.report().diagnostics.iter().fold(project, |project, diagnostic| {
        let entry = printed_entry(diagnostic);
        let text = |name| entry.get(name).and_then(Json::as_str);
        project.allowing(text("package").unwrap(), text("digest").unwrap(), text("path"))
    })
}

#[test]
fn a_contract_file_in_the_graph_is_not_admitted_by_itself() {
    let build = app().build();
    insta::assert_snapshot!("unapproved", build.report().text);
    let problem = problem(&build);
    assert_eq!(code(problem), "unapproved-contract");
    assert_eq!(
        (problem.id.as_deref(), problem.line),
        (Some("/app/node_modules/@acme/charts/package.json"), 3)
    );
}

#[test]
fn the_entry_that_a_report_prints_lets_the_contribution_pass() {
    let build = approved_as_printed(app(), &app().build()).build();
    let manifest = build.manifest();
    let digest = digest(&charts());
    assert_eq!(
        manifest["externalContracts"],
        serde_json::json!([{
            "package": "@acme/charts",
            "source": "node_modules/@acme/charts/contract.json",
            "route": "sidecar",
            "contractDigest": digest,
            "authorization": { "mode": "pinned", "expectedDigest": digest },
        }])
    );
    // The entries are the file's, to the last member.
    let charts: serde_json::Value = serde_json::from_str(&charts()).unwrap();
    assert_eq!(manifest["capabilities"][0], charts["capabilities"][0]);
    assert_eq!(manifest["capabilities"][1]["declarationId"], "src/main.ts#c");
    Manifest::parse(&build.outcome.as_ref().unwrap().manifest).unwrap().verify().unwrap();
    let located = &build.outcome.as_ref().unwrap().capabilities[0];
    assert_eq!((located.file.as_str(), located.line), ("node_modules/@acme/charts/contract.json", 4));
}

#[test]
fn a_contract_file_that_changed_is_told_with_both_digests() {
    let build = app().allowing("@acme/charts", &digest("before"), None).build();
    insta::assert_snapshot!("changed", build.report().text);
    let problem = problem(&build);
    assert_eq!(code(problem), "changed-contract");
    let help = problem.help.as_deref().unwrap();
    assert!(help.contains(&digest("before")) && help.contains(&digest(&charts())), "{help}");
}

#[test]
fn an_approval_is_of_one_package_and_one_digest() {
    for (package, digest) in
        [("@acme/chart", digest(&charts())), ("charts", digest(&charts())), ("@acme/charts", digest(""))]
    {
        assert!(app().allowing(package, &digest, None).build().outcome.is_err(), "{package} {digest}");
    }
}

#[test]
fn macros_in_a_dependencys_source_are_admitted_by_the_digest_of_what_they_declare() {
    let project = Project::new([("src/main.ts", "import \"widget\";")])
        .with("node_modules/widget/index.js", &with_imports(&describing("\"o\"")));
    let refused = project.build();
    assert_eq!(code(problem(&refused)), "unapproved-contract");
    assert_eq!(problem(&refused).id.as_deref(), Some("/app/node_modules/widget/index.js"));
    let build = approved_as_printed(project.clone(), &refused).build();
    let manifest = build.manifest();
    let entries = &manifest["capabilities"];
    assert_eq!(entries[0]["declarationId"], "node_modules/widget/index.js#c");
    // serde_json prints the members in their order, as the manifest has them: canonical.
    let digest = digest(&format!("{entries}\n"));
    assert_eq!(
        manifest["externalContracts"],
        serde_json::json!([{
            "package": "widget",
            "source": "node_modules/widget/index.js",
            "route": "source",
            "contractDigest": digest,
            "authorization": { "mode": "pinned", "expectedDigest": digest },
        }])
    );
    // Nothing binds it, and that is no matter of this project's.
    assert!(build.warnings().is_empty());
    // What it ships is what was proven of it.
    assert!(build.transformed["node_modules/widget/index.js"].contains("@agent-surface/placeholder:"));
    // Another declaration is another contribution.
    let more = project.clone().with("node_modules/widget/index.js", &with_imports(&describing("\"p\"")));
    let problem_now = approved_as_printed(more, &refused).build();
    assert_eq!(code(problem(&problem_now)), "changed-contract");
}

#[test]
fn a_dependency_may_pass_the_macros_on_to_itself() {
    let text = with_imports(&describing("\"o\"")).replace("@agent-surface/core", "./barrel.js");
    let project = Project::new([("src/main.ts", "import \"widget\";")])
        .with("node_modules/widget/index.js", &text)
        .with("node_modules/widget/barrel.js", "export * from \"@agent-surface/core\";");
    let build = approved_as_printed(project.clone(), &project.build()).build();
    assert_eq!(build.manifest()["capabilities"][0]["declarationId"], "node_modules/widget/index.js#c");
}

#[test]
fn what_is_wrong_in_a_dependencys_source_is_told_before_it_is_approved() {
    let project = Project::new([("src/main.ts", "import \"widget\";")])
        .with("node_modules/widget/index.js", &with_imports(&describing("location.href")));
    assert_eq!(code(problem(&project.build())), "dynamic-value");
}

#[test]
fn code_that_no_package_owns_contributes_nothing() {
    let project = Project::new([("src/main.ts", "import \"widget\";")])
        .with("node_modules/widget/package.json", "{}")
        .with("node_modules/widget/index.js", &with_imports(&describing("\"o\"")));
    assert_eq!(code(problem(&project.build())), "dependency");
    let project = Project::new([("src/main.ts", "import \"widget\";")])
        .with("node_modules/widget/package.json", &package_json("").replace("\"name\": \"\",", ""))
        .with("node_modules/widget/contract.json", &charts())
        .with("node_modules/widget/index.js", "");
    assert_eq!(code(problem(&project.build())), "bad-contract-file");
}

#[test]
fn code_in_an_archive_of_yarns_is_to_be_unpacked() {
    // Of what lies in there the disk knows nothing.
    let project = Project::new([(
        "src/main.ts",
        "import \"../node_modules/.store/kit.zip/node_modules/kit/index.js\";",
    )])
    .with("node_modules/.store/kit.zip/node_modules/kit/package.json", "{}")
    .with("node_modules/.store/kit.zip/node_modules/kit/index.js", &with_imports(&describing("\"o\"")));
    let build = project.build();
    let problem = problem(&build);
    assert_eq!(code(problem), "dependency");
    assert_eq!(
        problem.message,
        "`kit` calls `defineAgentComponentContract`, and lies in an archive of Yarn's"
    );
    assert!(
        problem.help.as_deref().unwrap().ends_with(r#""dependenciesMeta": { "kit": { "unplugged": true } }"#)
    );
}

#[test]
fn a_package_that_is_only_installed_contributes_nothing() {
    let project = app().with("src/main.ts", "export {};");
    assert!(project.build().manifest()["externalContracts"].as_array().unwrap().is_empty());
}

#[test]
fn a_contract_file_that_is_not_to_be_believed_is_refused_where_it_is_wrong() {
    let tampered = charts().replace("Zoom in", "Zoom out");
    let resealed = |change: fn(&mut Contract)| {
        let mut contract = zoom("src/chart.ts#chart");
        change(&mut contract);
        contract_file(contract)
    };
    for (text, message, place) in [
        (tampered.as_str(), "was changed since it was compiled: `view:chart.zoom`", ("contract.json", 5)),
        ("{", "is not JSON", ("contract.json", 1)),
        ("not json", "is not JSON", ("contract.json", 1)),
        ("{}", "does not have the shape of its format", ("package.json", 3)),
        (
            &charts().replace("\"formatVersion\": 5", "\"formatVersion\": 7"),
            "has format version 7",
            ("contract.json", 26),
        ),
        (
            &resealed(|it| it.effect = Effect::Destructive),
            "`view:chart.zoom` has the effect `destructive`, which an action can't have",
            ("contract.json", 4),
        ),
        (&resealed(|it| it.capability_id = "zoom".into()), "`zoom` is no id", ("contract.json", 4)),
    ] {
        // An approval is no reason to believe it.
        let build = app_with(text).allowing("@acme/charts", &digest(text), None).build();
        let problem = problem(&build);
        assert_eq!(code(problem), "bad-contract-file", "{text}");
        assert!(problem.message.contains(message), "{}", problem.message);
        let (file, line) = place;
        assert_eq!(problem.id.as_deref(), Some(format!("/app/{CHARTS}/{file}").as_str()), "{message}");
        assert_eq!(problem.line, line, "{message}");
    }
}

#[test]
fn what_is_no_file_of_the_package_is_refused_where_it_is_named() {
    let outside = || ContractFile::Outside { path: "/etc/contract.json".into() };
    for (project, message) in [
        (
            app().with_contract_file(&format!("{CHARTS}/contract.json"), outside()),
            "is a link out of its package, to /etc/contract.json",
        ),
        (
            app().with_contract_file(
                &format!("{CHARTS}/contract.json"),
                ContractFile::TooLarge { bytes: MAX_CONTRACT_FILE + 1 },
            ),
            "has 8388609 bytes, and 8388608 are allowed",
        ),
        (
            app().with(
                &format!("{CHARTS}/package.json"),
                &package_json("@acme/charts").replace("contract.json", "missing.json"),
            ),
            "cannot be read: No such file",
        ),
        (
            app().with(
                &format!("{CHARTS}/package.json"),
                &package_json("@acme/charts").replace("./contract.json", "../../x.json"),
            ),
            "is \"../../x.json\", which names no file in its folder",
        ),
        (
            app().with(
                &format!("{CHARTS}/package.json"),
                &package_json("@acme/charts").replace("\"./contract.json\"", "17"),
            ),
            "is 17, which names no file in its folder",
        ),
    ] {
        let build = project.build();
        let problem = problem(&build);
        assert_eq!(code(problem), "bad-contract-file", "{message}");
        assert!(problem.message.contains(message), "{}", problem.message);
        assert_eq!(
            (problem.id.as_deref(), problem.line),
            (Some("/app/node_modules/@acme/charts/package.json"), 3)
        );
    }
}

#[test]
fn a_contract_file_that_nothing_leads_to_is_named_by_its_path() {
    let main = with_imports(&describing("\"o\"")) + "\nc.bind({});";
    let project = app().with("src/main.ts", &main);
    let path = format!("{CHARTS}/contract.json");
    let approved =
        |path: &str| project.clone().allowing("@acme/charts", &digest(&charts()), Some(path)).build();
    assert_eq!(approved(&path).manifest()["externalContracts"][0]["source"], path.as_str());
    // As it is written: the file is the project's own. Of a path of the machine nothing is left.
    let written = format!("./{CHARTS}/../charts/contract.json");
    assert_eq!(approved(&format!("/app/{path}")).manifest()["externalContracts"][0]["source"], path.as_str());
    assert!(approved(&written).outcome.is_err(), "this host has no file by that name");
    // In the graph as well, it counts once.
    let both = app().allowing("@acme/charts", &digest(&charts()), Some(&path)).build().manifest();
    assert_eq!(both["externalContracts"].as_array().unwrap().len(), 1);
}

#[test]
fn a_path_that_leads_to_no_file_is_to_be_corrected_where_it_stands() {
    let path = format!("{CHARTS}/contrct.json");
    let build = app().allowing("@acme/charts", &digest(&charts()), Some(&path)).build();
    let unread = build.report().diagnostics.iter().find(|it| code(it) == "bad-contract-file").unwrap();
    assert!(unread.message.ends_with("contrct.json, cannot be read: No such file"), "{}", unread.message);
    assert!(unread.help.as_deref().unwrap().contains("Correct the `path` of its entry"));
}

#[test]
fn a_path_does_not_say_whose_file_it_is() {
    let path = format!("{CHARTS}/contract.json");
    for (package, owner) in [("@acme/other", "`@acme/charts`"), ("app", "`@acme/charts`")] {
        let build = app()
            .with("src/main.ts", "export {};")
            .allowing(package, &digest(&charts()), Some(&path))
            .build();
        let problem = problem(&build);
        assert_eq!(code(problem), "bad-approval");
        assert!(problem.message.contains(owner) && problem.message.contains(package), "{}", problem.message);
    }
}

#[test]
fn an_entry_that_is_named_by_path_and_changed_is_printed_with_its_path() {
    let path = format!("{CHARTS}/contract.json");
    let project = app().with("src/main.ts", "export {};");
    let build = project.clone().allowing("@acme/charts", &digest("before"), Some(&path)).build();
    assert_eq!(code(problem(&build)), "changed-contract");
    assert_eq!(printed_entry(problem(&build)).get("path").and_then(Json::as_str), Some(path.as_str()));
    assert!(approved_as_printed(project, &build).build().outcome.is_ok());
}

#[test]
fn an_entry_of_the_allow_list_that_can_never_match_is_an_error() {
    let build = app().with("src/main.ts", "export {};").allowing("@acme/charts", "latest", None).build();
    assert_eq!(code(problem(&build)), "bad-approval");
}

#[test]
fn what_a_contract_file_says_of_the_projects_own_declaration_is_refused() {
    let own = Project::of(&(describing("\"o\"") + "\nc.bind({});")).build().manifest();
    let text = contract_file(Contract {
        declaration_id: "src/main.ts#c".into(),
        capability_id: own["capabilities"][0]["capabilityId"].as_str().unwrap().into(),
        ..zoom("src/main.ts#c")
    });
    // A wholly equal copy is no better: whose it is could not be told.
    let mut copy = own.clone();
    copy["externalContracts"] = serde_json::json!([]);
    for text in [text, serde_json::to_string_pretty(&copy).unwrap()] {
        let build = app_with(&text).allowing("@acme/charts", &digest(&text), None).build();
        let problem = problem(&build);
        assert_eq!(code(problem), "duplicate-declaration", "{}", build.report().text);
        assert!(problem.message.contains("src/main.ts#c, and so does this project"), "{}", problem.message);
    }
}

/// Adds a second version of `@acme/charts`, nested in another package.
fn with_second_version(project: Project, contract: &str) -> Project {
    let inner = "node_modules/report/node_modules/@acme/charts";
    let main =
        with_imports(&describing("\"o\"")) + "\nimport \"@acme/charts\";\nimport \"report\";\nc.bind({});";
    project
        .with("src/main.ts", &main)
        .with("node_modules/report/index.js", "import \"./node_modules/@acme/charts/index.js\";")
        .with(&format!("{inner}/index.js"), "")
        .with(&format!("{inner}/package.json"), &package_json("@acme/charts"))
        .with(&format!("{inner}/contract.json"), contract)
}

#[test]
fn two_versions_of_a_package_are_two_contributions() {
    let second = contract_file(zoom("src/second.ts#chart"));
    let project = with_second_version(app(), &second);
    let refused = project.build();
    assert_eq!(refused.report().diagnostics.len(), 2, "{}", refused.report().text);
    let one = project.clone().allowing("@acme/charts", &digest(&charts()), None).build();
    assert_eq!(code(problem(&one)), "changed-contract");
    let manifest = approved_as_printed(project, &refused).build().manifest();
    let sources: Vec<_> =
        manifest["externalContracts"].as_array().unwrap().iter().map(|it| it["source"].clone()).collect();
    assert_eq!(
        sources,
        [
            "node_modules/@acme/charts/contract.json",
            "node_modules/report/node_modules/@acme/charts/contract.json"
        ]
    );
    assert_eq!(manifest["capabilities"].as_array().unwrap().len(), 3);
}

#[test]
fn two_versions_that_contradict_each_other_are_refused() {
    let second = contract_file(Contract { description: "Zoom far in".into(), ..zoom("src/chart.ts#chart") });
    let project = with_second_version(app(), &second)
        .allowing("@acme/charts", &digest(&charts()), None)
        .allowing("@acme/charts", &digest(&second), None);
    let build = project.build();
    assert_eq!(code(problem(&build)), "duplicate-declaration");
    assert!(problem(&build).message.contains("another contract file, of `@acme/charts`"));
    // The same twice is one.
    let same = with_second_version(app(), &charts()).allowing("@acme/charts", &digest(&charts()), None);
    assert_eq!(same.build().manifest()["capabilities"].as_array().unwrap().len(), 2);
}

#[test]
fn contributions_are_the_same_under_every_spelling_of_paths() {
    let project = approved_as_printed(app(), &app().build());
    let expected = project.build().outcome.unwrap().manifest;
    let plain = Spelling::default();
    for spelling in [
        Spelling { root: "C:\\code\\app", ids: "C:/code/app", ..plain },
        Spelling { root: "c:/code/app", ids: "C:/code/app", backslashes: true, ..plain },
        Spelling { root: "\\\\server\\share\\app", ids: "//server/share/app", ..plain },
        Spelling { root: "/app", ids: "/@fs/app", ..plain },
    ] {
        let build = project.clone().spelled(spelling).build();
        assert_eq!(build.outcome.unwrap().manifest, expected, "{}", spelling.ids);
        // Nothing is admitted for a path that is written otherwise.
        let refused = app().spelled(spelling).build();
        assert_eq!(code(problem(&refused)), "unapproved-contract", "{}", spelling.ids);
    }
}

/// The code that a library's own build makes of a contract, and its contract file.
fn library() -> (String, String) {
    let chart = "import { actionContract, defineAgentComponentContract, emptyObjectSchema } from \"@agent-surface/core\";\n\
                 export const chart = defineAgentComponentContract({ type: \"chart\", description: \"A chart\", \
                 actions: { zoom: actionContract({ description: \"Zoom in\", input: emptyObjectSchema, effect: \"local-state\" }) } });";
    let build =
        Project::new([("src/main.ts", "export * from \"./chart\";"), ("src/chart.ts", chart)]).build();
    let code = build.session.render(&build.transformed["src/chart.ts"]).unwrap().code;
    (code, build.outcome.unwrap().manifest)
}

fn app_with_library(code: &str, contract: &str) -> Project {
    app_with(contract)
        .with(&format!("{CHARTS}/index.js"), code)
        .with("src/main.ts", "import { chart } from \"@acme/charts\";\nchart.bind({});")
}

#[test]
fn a_contract_that_a_librarys_build_proved_is_given_a_proof_of_this_build() {
    let (shipped, contract) = library();
    let project = app_with_library(&shipped, &contract);
    let refused = project.build();
    assert_eq!(code(problem(&refused)), "unapproved-contract", "{}", refused.report().text);
    let build = approved_as_printed(project, &refused).build();
    let manifest = build.manifest();
    // It is the contract file's, and nothing else's.
    assert_eq!(manifest["externalContracts"].as_array().unwrap().len(), 1);
    assert_eq!(manifest["capabilities"].as_array().unwrap().len(), 1);
    assert_eq!(manifest["capabilities"][0]["declarationId"], "src/chart.ts#chart");
    let library: serde_json::Value = serde_json::from_str(&contract).unwrap();
    assert_eq!(manifest["capabilities"], library["capabilities"]);
    // The definition is the library's to the letter, the proof is this build's.
    let rendered = build.session.render(&build.transformed[&format!("{CHARTS}/index.js")]).unwrap().code;
    let hash = |manifest: &serde_json::Value| manifest["hash"].as_str().unwrap().to_owned();
    assert_ne!(hash(&manifest), hash(&library));
    assert_eq!(
        rendered.replace("/* @__PURE__ */ /* @__PURE__ */", "/* @__PURE__ */"),
        shipped.replace(&hash(&library), &hash(&manifest))
    );
}

#[test]
fn what_a_library_ships_is_held_against_its_contract_file() {
    let (shipped, contract) = library();
    for tampered in [
        shipped.replace("Zoom in", "Zoom out"),
        shipped.replace("local-state", "navigation"),
        shipped.replace("\"type\":\"chart\"", "\"type\":\"other\""),
        shipped.replace("src/chart.ts#chart", "src/other.ts#chart"),
    ] {
        assert_ne!(tampered, shipped);
        let build =
            app_with_library(&tampered, &contract).allowing("@acme/charts", &digest(&contract), None).build();
        assert_eq!(code(problem(&build)), "stale-contract", "{}", build.report().text);
    }
    // A definition that no build would have let pass is refused as in any source.
    let wrong = shipped.replace("local-state", "destructive");
    let build =
        app_with_library(&wrong, &contract).allowing("@acme/charts", &digest(&contract), None).build();
    assert_eq!(code(problem(&build)), "wrong-value");
}

#[test]
fn a_library_that_ships_no_contract_file_is_told_so() {
    let (shipped, _) = library();
    let project =
        Project::new([("src/main.ts", "import \"widget\";")]).with("node_modules/widget/index.js", &shipped);
    assert_eq!(code(problem(&project.build())), "no-contract-file");
    // Of a file that is there and wrong one hears once.
    let build = app_with_library(&shipped, "{").build();
    assert_eq!(code(problem(&build)), "bad-contract-file");
}

#[test]
fn in_the_projects_own_code_a_proof_of_another_build_is_a_forged_one() {
    let (shipped, contract) = library();
    let project = Project::new([("src/main.ts", "import \"../packages/other/index.js\";")])
        .with("packages/other/index.js", &shipped)
        .with("packages/other/contract.json", &contract);
    let refused = project.build();
    assert_eq!(code(problem(&refused)), "unsupported-call");
    assert!(problem(&refused).help.as_deref().unwrap().contains("by `path`"));
    // A built package of the workspace has its contract file named.
    let path = "packages/other/contract.json";
    let build = project.allowing("other", &digest(&contract), Some(path)).build();
    assert_eq!(build.manifest()["externalContracts"][0]["source"], path);
}

#[test]
fn a_server_hands_out_each_of_two_declarations_of_one_name() {
    let (shipped, contract) = library();
    // The library's own root has a `src/chart.ts`, and so has the app's.
    let own = with_imports(&describing("\"o\"").replace("const c ", "const chart "));
    let project = app_with_library(&shipped, &contract)
        .with("src/main.ts", "import { chart } from \"@acme/charts\";\nimport { chart as own } from \"./chart\";\nchart.bind({});\nown.bind({});")
        .with("src/chart.ts", &own)
        .allowing("@acme/charts", &digest(&contract), None);
    let build = project.build();
    let hash = build.manifest()["hash"].as_str().unwrap().to_owned();
    for (path, source, word) in
        [(format!("{CHARTS}/index.js"), &shipped, "Zoom in"), ("src/chart.ts".to_owned(), &own, "\"number\"")]
    {
        let id = format!("{ROOT}/{path}");
        let Transform::Changed(output) = build.session.serve(&id, source, Stage::Written) else {
            panic!("{path} is not served with a proof")
        };
        assert!(output.code.contains(&hash) && output.code.contains(word), "{}", output.code);
    }
}

#[test]
fn a_watcher_sees_that_a_dependency_was_updated() {
    let project = app().allowing("@acme/charts", &digest(&charts()), None);
    let mut build = project.build();
    assert!(build.outcome.is_ok());
    build.session.restart();
    let updated = contract_file(Contract { description: "Zoom far in".into(), ..zoom("src/chart.ts#chart") });
    let mut build =
        project.clone().with(&format!("{CHARTS}/contract.json"), &updated).build_with(build.session);
    assert_eq!(code(problem(&build)), "changed-contract");
    build.session.restart();
    let gone = project.clone().with(&format!("{CHARTS}/package.json"), "{ \"name\": \"@acme/charts\" }");
    let mut build = gone.build_with(build.session);
    assert_eq!(build.manifest()["externalContracts"].as_array().unwrap().len(), 0);
    build.session.restart();
    let again = project.build_with(build.session);
    assert_eq!(again.outcome.unwrap().manifest, project.build().outcome.unwrap().manifest);
}

#[test]
fn a_capability_that_a_contract_file_declares_too_is_warned_of() {
    let main = "export const c = defineAgentComponentContract({ type: \"chart\", description: \"d\", actions: { \
                zoom: actionContract({ description: \"z\", input: emptyObjectSchema, effect: \"local-state\" }) } });\n\
                import \"@acme/charts\";\nc.bind({});";
    let build = app()
        .with("src/main.ts", &with_imports(main))
        .allowing("@acme/charts", &digest(&charts()), None)
        .build();
    assert_eq!(build.warnings(), ["duplicate-capability node_modules/@acme/charts/contract.json:4:23"]);
    let warning = &build.outcome.as_ref().unwrap().warnings[0];
    assert!(
        warning.frame.contains("src/chart.ts#chart") && warning.frame.contains("src/main.ts#c"),
        "{}",
        warning.frame
    );
}
