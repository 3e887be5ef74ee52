//! How much is asked and judged again: a build asks in a few rounds however large it is, and a rebuild comes to what a
//! clean build comes to, however little of it is looked at anew.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::fmt::Write as _;

use support::{Build, Project, carrying, describing, with_imports};

/// An app in which contracts take values from other modules, through a barrel, and are bound by others again.
fn app(panels: usize) -> Project {
    let mut main = String::new();
    let mut barrel = String::new();
    let mut project = Project::default();
    for panel in 0..panels {
        writeln!(main, "import {{ view{panel} }} from \"./view{panel}\"; view{panel}();").unwrap();
        writeln!(barrel, "export {{ text as text{panel} }} from \"./text{panel}\";").unwrap();
        let contract = describing(&format!("text{panel}.long")).replace("\"t\"", &format!("\"t{panel}\""));
        project = project
            .with(&format!("src/text{panel}.ts"), "export const text = { long: \"d\" };")
            .with(
                &format!("src/contract{panel}.ts"),
                &with_imports(&format!("import {{ text{panel} }} from \"./barrel\";\n{contract}")),
            )
            .with(
                &format!("src/view{panel}.ts"),
                &format!(
                    "import {{ c }} from \"./contract{panel}\";\nimport {{ show }} from \"./show\";\n\
                     import {{ text{panel} }} from \"./barrel\";\n\
                     export const view{panel} = () => show(c, text{panel});"
                ),
            );
    }
    project
        .with("src/main.ts", &main)
        .with("src/barrel.ts", &barrel)
        .with(
            "src/show.ts",
            "import { note } from \"./note\";\nexport function show(contract, text) { note(text); }",
        )
        .with("src/note.ts", "export function note(text) { return text.long; }")
}

#[test]
fn a_large_graph_takes_no_more_rounds_than_a_small_one() {
    let rounds = [2, 12, 40].map(|panels| {
        let build = app(panels).build();
        assert!(build.outcome.is_ok(), "{}", build.report().text);
        build.rounds
    });
    assert_eq!(rounds, [rounds[0]; 3]);
    // One for each thing that must be known before the next can be asked: `text.ts` through the barrel, and who changes it.
    assert!(rounds[0] <= 16, "{rounds:?}");
}

#[test]
fn an_edit_takes_a_round_to_hear_what_still_holds_and_one_for_what_is_new() {
    let before = app(6);
    let after = before.clone().with("src/text3.ts", "export const text = { long: \"another\" };");
    let build = after.rebuild(before.build(), &before);
    assert_eq!(build.manifest(), after.build().manifest());
    assert!(build.rounds <= 2, "{}", build.rounds);
}

#[test]
fn a_host_that_stands_by_what_it_said_is_asked_only_of_what_changed() {
    let rounds_and_questions = [6, 24].map(|panels| {
        let before = app(panels);
        let after = before.clone().with("src/text3.ts", "export const text = { long: \"another\" };");
        let build = after.rebuild_about(before.build(), &before);
        assert_eq!(build.manifest(), after.build().manifest());
        (build.rounds, build.questions)
    });
    // However large the graph is.
    assert_eq!(rounds_and_questions[0], rounds_and_questions[1]);
}

/// The paths that a build asks about in which a module with a contract calls what it imports by these.
fn paths_asked_about(imports: &str, calls: &str) -> Vec<String> {
    let main = with_imports(&format!("{imports}\n{}\nshow(c); {calls}", carrying("7")));
    let build = Project::of(&main)
        .with("src/show.ts", "export function show(contract) {}")
        .with("src/lib/index.ts", "export { show } from \"../show\";")
        .with(
            "src/barrel.ts",
            "export { defineAgentComponentContract } from \"@agent-surface/core\"; export const show = 1;",
        )
        .build();
    build.paths.into_iter().collect()
}

#[test]
fn a_path_that_leads_to_nothing_of_ours_is_not_asked_about() {
    assert_eq!(paths_asked_about("import { show } from \"./show\";", ""), [""; 0]);
    let two = "import { show } from \"./lib\"; import * as others from \"./show.ts\";";
    assert_eq!(paths_asked_about(two, "others.show(1);"), [""; 0]);
}

#[test]
fn where_names_cannot_tell_every_path_is_asked_about() {
    // Two names of one module: another path may lead to what the bundler's list has besides.
    let twice = "import { show } from \"./show\"; import { show as again } from \"./show.ts\";";
    assert_eq!(paths_asked_about(twice, "again(1);"), ["./show", "./show.ts"]);
    let beside_a_barrel = "import { show } from \"./show\"; import { show as other } from \"./barrel\";";
    assert_eq!(paths_asked_about(beside_a_barrel, "other(1);"), ["./barrel", "./show"]);
    let beside_a_request = paths_asked_about("import { show } from \"./show\";", "import(\"./lib\");");
    assert_eq!(beside_a_request, ["./show"]);
}

/// What a build came to, as people see it.
fn verdict(build: &Build) -> String {
    match &build.outcome {
        Ok(proof) => {
            let warnings: Vec<_> = proof.warnings.iter().map(|warning| warning.frame.as_str()).collect();
            format!("{}\n{:?}\n{}", proof.manifest, proof.capabilities, warnings.join("\n"))
        }
        Err(report) => report.text.clone(),
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn of<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        &items[usize::try_from((z ^ (z >> 31)) % items.len() as u64).unwrap()]
    }
}

/// The texts that each module may have. Most of them go together, and some break what others say.
fn choices() -> Vec<(&'static str, Vec<String>)> {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let contract = |expression: &str| {
        with_imports(&format!("import {{ text, list }} from \"./barrel\";\n{}", describing(expression)))
    };
    vec![
        (
            "src/text.ts",
            texts(&[
                "export const text = { long: \"d\" }; export const list = [1];",
                "export const text = { long: \"e\" }; export const list = [1, 2];",
                "export let text = { long: \"d\" }; export const list = [1];",
                "export const text = { long: Date() }; export const list = [1];",
                "export const text = { long: \"d\" };",
                "export const text = {",
            ]),
        ),
        (
            "src/barrel.ts",
            texts(&[
                "export * from \"./text\";",
                "export { text, list } from \"./text\";",
                "export * from \"./text\"; export { defineAgentComponentContract as other } from \"@agent-surface/core\";",
                "export * from \"./text\"; export * from \"./other\";",
                "import { text, list } from \"./text\"; list.push(3); export { text, list };",
            ]),
        ),
        ("src/other.ts", texts(&["export const text = { long: \"o\" };", "export const unrelated = 1;"])),
        (
            "src/a.ts",
            vec![
                contract("text.long"),
                contract("\"plain\""),
                contract("text.long + list.length"),
                contract("Date()"),
                "export const c = 1;".to_owned(),
                with_imports("import { list } from \"./barrel\"; export const { c } = { c: list };"),
            ],
        ),
        (
            "src/b.ts",
            vec![
                with_imports(&format!("import {{ list }} from \"./barrel\";\n{}", carrying("list[0]"))),
                with_imports(&format!("import {{ list }} from \"./barrel\";\n{}", carrying("list[1]"))),
                with_imports(&carrying("7").replace("\"t\"", "\"b\"")),
                with_imports(&format!("{} c.bind({{}});", carrying("7").replace("\"t\"", "\"b\""))),
                "export const c = 2;".to_owned(),
            ],
        ),
        (
            "src/view.ts",
            texts(&[
                "import { c } from \"./a\"; export const view = c.bind({});",
                "import { c } from \"./a\"; export { c as view };",
                "import { list } from \"./barrel\"; import { change } from \"./change\"; change(list); export const view = 1;",
                "import * as all from \"./b\"; export const view = all.c;",
                "import { other } from \"./barrel\"; export const view = [other];",
                "export const view = 1;",
            ]),
        ),
        (
            "src/change.ts",
            texts(&[
                "export function change(list) { list.push(1); }",
                "export function change(list) { return list.length; }",
            ]),
        ),
        (
            "src/main.ts",
            texts(&[
                "import \"./a\"; import \"./b\"; import { view } from \"./view\"; console.log(view);",
                "import \"./a\"; import { view } from \"./view\"; console.log(view);",
                "import \"./b\"; import \"./view\"; import \"./a\";",
            ]),
        ),
    ]
}

#[test]
fn a_rebuild_comes_to_what_a_clean_build_comes_to() {
    let choices = choices();
    let mut random = Random(6);
    let mut verdicts = std::collections::BTreeSet::new();
    for _ in 0..12 {
        let mut project =
            choices.iter().fold(Project::default(), |project, (path, texts)| project.with(path, &texts[0]));
        let mut build = project.build();
        let mut followed = project.build();
        for _ in 0..25 {
            let (path, texts) = random.of(&choices);
            let edited = project.clone().with(path, random.of::<String>(texts));
            build = edited.rebuild(build, &project);
            let clean = verdict(&edited.build());
            assert_eq!(verdict(&build), clean, "after an edit of {path}");
            followed = edited.rebuild_about(followed, &project);
            assert_eq!(verdict(&followed), clean, "after an edit of {path} that was followed");
            verdicts.insert(clean);
            project = edited;
        }
    }
    // What is compared is worth comparing.
    assert!(verdicts.len() > 30, "{}", verdicts.len());
}
