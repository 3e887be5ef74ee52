//! Input that no person writes: an error each, and a session that lives on.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use agent_surface_compiler::{
    Answer, Close, ContractFile, Failure, Known, Options, Package, Question, Report, SchemaOutcome, Session,
    Severity, Transform,
};
use support::{Project, ROOT, with_imports};

const MODULE: &str = "/app/src/main.ts";
const CORE: &str = "/app/node_modules/@agent-surface/core/index.js";

/// How deep the deepest nests.
const DEPTH: usize = 10_000;

/// Proves a build of one module, and parses nothing itself: on a test's stack it could not.
fn report_on(text: &str) -> Report {
    let mut session = Session::new(Options {
        root: ROOT.to_owned(),
        real_root: None,
        target: "web-production".to_owned(),
        source_maps: true,
        defines: Vec::new(),
        approvals: Vec::new(),
        raw_tools: Severity::Error,
    });
    let code = loop {
        match session.transform(MODULE, text) {
            Transform::Ask(questions) => answer(&mut session, questions, text),
            Transform::Changed(output) => break output.code,
            Transform::Unchanged => break text.to_owned(),
            Transform::Refused(report) => return report,
        }
    };
    loop {
        match session.close() {
            Close::Ask(questions) => answer(&mut session, questions, &code),
            Close::Refused(report) => return report,
            Close::Proven(proof) => panic!("proven: {}", proof.manifest),
        }
    }
}

fn answer(session: &mut Session, questions: Vec<Question>, code: &str) {
    for question in questions {
        session.answer(match question {
            Question::Resolve { specifier, importer } => {
                Answer::Resolved { specifier, importer, id: Some(CORE.to_owned()), external: false }
            }
            Question::Module { id } => {
                Answer::Module { id, known: Some(Known { importers: Vec::new(), is_entry: true }) }
            }
            Question::Code { id } => {
                let text = (id == MODULE).then(|| code.to_owned());
                Answer::Code { id, text }
            }
            Question::Source { id } => Answer::Source { id, text: None },
            Question::Map { id } => Answer::Map { id, map: None },
            // No schema library is installed.
            Question::Schema { key, .. } => Answer::Schema {
                key,
                outcome: SchemaOutcome::Failed(Failure {
                    message: "no library is installed here".to_owned(),
                    site: None,
                    stand_in: None,
                }),
                libraries: Vec::new(),
            },
            Question::Package { id } => {
                let (name, dir) = if id == CORE {
                    ("@agent-surface/core", "/app/node_modules/@agent-surface/core")
                } else {
                    ("app", ROOT)
                };
                let package = Package {
                    name: name.to_owned(),
                    version: None,
                    dir: dir.to_owned(),
                    installed: id == CORE,
                    declares_contract: false,
                };
                Answer::Package { id, package: Some(package) }
            }
            Question::Installed => Answer::Installed { ids: Vec::new() },
            Question::ContractFile { folder, path } => {
                let file = ContractFile::Unreadable { reason: "there is none".to_owned() };
                Answer::ContractFile { folder, path, file }
            }
        });
    }
}

/// A contract whose one tag is `value`.
fn tagged(value: &str) -> String {
    with_imports(&format!(
        "const value = {value};\n\
         export const c = defineAgentComponentContract({{ type: \"t\", description: \"d\", tags: [value] }});"
    ))
}

/// `open` as often as it nests, `inner`, and as many `close`.
fn nested(open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(DEPTH), close.repeat(DEPTH))
}

#[test]
fn a_value_that_nests_ten_thousand_deep_is_an_error_whatever_it_nests_in() {
    for (shape, value) in [
        ("arrays", nested("[", "", "]")),
        ("objects", nested("{ a: ", "1", " }")),
        ("parentheses", nested("(", "1", ")")),
        ("calls", nested("f(", "1", ")")),
        ("functions", nested("() => ", "1", "")),
        ("templates", nested("`${", "1", "}`")),
        ("minus signs", nested("- ", "1", "")),
        ("sums", nested("1 + ", "1", "")),
        ("conditions", nested("1 ? ", "1", " : 0")),
        ("members", nested("", "value", ".a")),
        ("awaits", nested("await ", "1", "")),
        ("types", nested("", "1", " as unknown")),
        ("elements", nested("<a>", "", "</a>")),
    ] {
        let report = report_on(&tagged(&value));
        assert!(report.text.contains("src/main.ts"), "{shape}: {}", report.text);
        assert!(report.text.len() < 20_000, "{shape}: a report is for people to read");
    }
}

#[test]
fn statements_that_nest_ten_thousand_deep_are_no_reason_to_crash() {
    for (shape, statement) in [
        ("blocks", nested("{", "", "}")),
        ("conditions", nested("if (globalThis.a) {} else ", "{}", "")),
        ("functions", nested("function f() {", "", "}")),
        ("labels", nested("a: ", ";", "")),
    ] {
        let text = format!("{statement}\n{}", tagged("1"));
        assert!(report_on(&text).text.contains("src/main.ts"), "{shape}");
    }
}

#[test]
fn a_text_that_stops_anywhere_is_an_error() {
    let text = tagged("`a${{ b: [1] }.b}`");
    for end in (text.find("const value").unwrap()..text.len() - 3).filter(|end| text.is_char_boundary(*end)) {
        // What happens to be a whole module is one without a contract.
        let cut = format!("{}\nexport const other = defineAgentComponentContract(missing);", &text[..end]);
        assert!(!report_on(&cut).diagnostics.is_empty(), "{end}");
    }
}

#[test]
fn a_contract_in_a_module_of_five_megabytes_is_an_error() {
    let text = tagged(&format!("[{}]", "0,".repeat(2_500_000)));
    let report = report_on(&text);
    assert!(report.text.contains("bytes"), "{}", report.text);
    assert!(report.text.len() < 2000, "the module is not in the report");
}

#[test]
fn constants_that_need_each_other_are_an_error_within_a_module_and_across_modules() {
    assert!(!report_on(&tagged("[...value]")).diagnostics.is_empty());
    let main = "import { there } from \"./there\";\nexport const here = there;\nexport const c = \
                defineAgentComponentContract({ type: \"t\", description: here });";
    let build = Project::of(main)
        .with("src/there.ts", "import { here } from \"./main\";\nexport const there = `${here}!`;\n")
        .build();
    assert_eq!(build.problems().len(), 1, "{}", build.report().text);
}

#[test]
fn constants_that_nest_deeply_in_each_other_are_an_error() {
    for (open, close) in
        [("[", "]"), ("{ a: ", " }"), ("- ", ""), ("(1 ? ", " : 0)"), ("`${", "}`"), ("", "?.[0]")]
    {
        let nested = |inner: &str| format!("{}{inner}{}", open.repeat(200), close.repeat(200));
        let mut text = format!("const value0 = {};\n", nested("1"));
        for index in 1..190 {
            text += &format!("const value{index} = {};\n", nested(&format!("value{}", index - 1)));
        }
        let contract = "export const c = defineAgentComponentContract({ type: \"t\", description: \"d\", meta: { m: value189 } });";
        assert!(!report_on(&with_imports(&format!("{text}{contract}"))).diagnostics.is_empty(), "{open}");
    }
}

#[test]
fn constants_that_double_again_and_again_are_an_error() {
    let mut text = String::from("const v0 = [\"a\", \"a\"];\n");
    for index in 1..64 {
        text += &format!("const v{index} = [...v{}, ...v{}];\n", index - 1, index - 1);
    }
    let contract =
        "export const c = defineAgentComponentContract({ type: \"t\", description: \"d\", tags: v63 });";
    assert!(!report_on(&with_imports(&format!("{text}{contract}"))).diagnostics.is_empty());
    let text = text
        .replace("[\"a\", \"a\"]", "\"aa\"")
        .replace("[...", "`${")
        .replace(", ...", "}${")
        .replace("];", "}`;");
    let contract = "export const c = defineAgentComponentContract({ type: \"t\", description: v63 });";
    assert!(!report_on(&with_imports(&format!("{text}{contract}"))).diagnostics.is_empty());
}
