//! Input that no person writes: an error each, and a session that lives on.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use std::collections::BTreeMap;

use agent_surface_compiler::Report;
use agent_surface_host::{Host, ROOT};
use support::{Project, with_imports};

/// How deep the deepest nests.
const DEPTH: usize = 10_000;

/// Proves a build of one module, and parses nothing itself: on a test's stack it could not.
fn report_on(text: &str) -> Report {
    let files = BTreeMap::from([(format!("{ROOT}/src/main.ts"), text.to_owned())]);
    match Host::new(&files, false).build() {
        Err(report) => report,
        Ok(proof) => panic!("proven: {}", proof.manifest),
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
