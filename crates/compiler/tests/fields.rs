//! Fields of a contract that are not as they must be: each is an error where it stands, with the limit or the values
//! that are allowed.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use support::Project;

/// The one problem of a module with this declaration, as `code line:column`, with its frame.
fn problem(declaration: &str) -> (String, String) {
    let build = Project::of(declaration).build();
    let report = build.report();
    assert_eq!(report.diagnostics.len(), 1, "{declaration}: {}", report.text);
    let diagnostic = &report.diagnostics[0];
    let code = diagnostic.code.trim_start_matches("agent-surface(").trim_end_matches(')');
    // The first line of the module is its import.
    (format!("{code} {}:{}", diagnostic.line - 1, diagnostic.column), diagnostic.frame.replace("\n  │ ", " "))
}

/// A component with these fields beside its type and description.
fn component(fields: &str) -> String {
    format!(
        "export const c = defineAgentComponentContract({{ type: \"t\", description: \"d\",\n{fields} }});"
    )
}

fn action(fields: &str) -> String {
    component(&format!("actions: {{ a: actionContract({{ input: emptyObjectSchema,\n{fields} }}) }}"))
}

fn procedure(fields: &str) -> String {
    format!("export const c = defineAgentProcedureContract({{ input: emptyObjectSchema,\n{fields} }});")
}

#[test]
fn a_wrong_field_is_located_and_told_what_is_allowed() {
    let long = "x".repeat(301);
    let longer = "x".repeat(501);
    let pad = "x".repeat(2100);
    for (declaration, place, says) in [
        (
            "export const c = defineAgentComponentContract({\ntype: \"Bad.Type\", description: \"d\" });"
                .to_owned(),
            "bad-id 2:7",
            "a-z",
        ),
        (
            "export const c = defineAgentComponentContract({\ntype: \"\", description: \"d\" });".to_owned(),
            "wrong-value 2:7",
            "empty",
        ),
        (
            "export const c = defineAgentComponentContract({\ntype: 5, description: \"d\" });".to_owned(),
            "wrong-value 2:7",
            "a number",
        ),
        (
            "export const c = defineAgentComponentContract({ type: \"t\" });".to_owned(),
            "missing-field 1:47",
            "`description`",
        ),
        (
            format!(
                "export const c = defineAgentComponentContract({{ type: \"t\",\ndescription: \"{longer}\" }});"
            ),
            "too-long 2:14",
            "500",
        ),
        (
            component(
                "observations: { \"bad-name\": observationContract({ description: \"o\", output: emptyObjectSchema }) }",
            ),
            "bad-id 2:49",
            "bad-name",
        ),
        (
            component(
                "observations: { Bad: observationContract({ description: \"o\", output: emptyObjectSchema }) }",
            ),
            "bad-id 2:42",
            "Bad",
        ),
        (
            component("observations: { o: observationContract({ description: \"o\" }) }"),
            "missing-field 2:40",
            "`output`",
        ),
        (
            component("observations: { o: observationContract({ output: emptyObjectSchema }) }"),
            "missing-field 2:40",
            "`description`",
        ),
        (component("observations: []"), "wrong-shape 2:15", "an array"),
        (component("colour: \"red\""), "unknown-field 2:9", "`observations`"),
        (component("priority: \"high\""), "wrong-value 2:11", "a number"),
        (component("tags: \"a\""), "wrong-value 2:7", "an array"),
        (component("tags: [\"a\", 5]"), "wrong-value 2:13", "a string"),
        (component("policies: [{ name: \"p\", phase: \"never\" }]"), "wrong-value 2:32", "is one of"),
        (component(&format!("meta: {{ text: \"{pad}\" }}")), "too-long 2:7", "2048"),
        (
            action("description: \"a\", effect: \"destructive\""),
            "wrong-value 3:27",
            "`local-state` and `navigation`",
        ),
        (action("description: \"a\""), "missing-field 2:30", "`effect`"),
        (action("effect: \"local-state\""), "missing-field 2:30", "`description`"),
        (action(&format!("effect: \"local-state\", description: \"{long}\"")), "too-long 3:37", "300"),
        (
            action("description: \"a\", effect: \"local-state\", confirmation: \"maybe\""),
            "wrong-value 3:56",
            "`required`",
        ),
        (
            action("description: \"a\", effect: \"local-state\", idempotent: \"yes\""),
            "wrong-value 3:54",
            "true or false",
        ),
        (action("description: \"a\", effect: \"local-state\", timeoutMs: 0"), "wrong-value 3:53", "above 0"),
        (
            action("description: \"a\", effect: \"local-state\", audit: \"all\""),
            "wrong-value 3:49",
            "`metadata`",
        ),
        (
            action("description: \"a\", effect: \"local-state\", concurrency: { mode: \"key\" }"),
            "missing-field 3:55",
            "`key`",
        ),
        (
            action("description: \"a\", effect: \"local-state\", output: { type: \"string\" }"),
            "schema 3:50",
            "fromJsonSchema",
        ),
        (
            action("description: \"a\", effect: \"local-state\", output: fromJsonSchema({ oneOf: [] })"),
            "schema 3:74",
            "oneOf",
        ),
        (
            action("description: \"a\", effect: \"local-state\", output: fromJsonSchema({ type: \"text\" })"),
            "schema 3:73",
            "text",
        ),
        (
            action("description: \"a\", effect: \"local-state\", output: fromStandardSchema({} as any)"),
            "schema 3:50",
            "jsonSchema",
        ),
        (
            procedure("id: \"devices.list\", description: \"p\", effect: \"server-query\""),
            "bad-id 2:5",
            "domain:",
        ),
        (
            procedure("id: \"view:devices.list\", description: \"p\", effect: \"server-query\""),
            "bad-id 2:5",
            "domain:",
        ),
        (
            procedure("id: \"domain:devices.list\", description: \"p\", effect: \"local-state\""),
            "wrong-value 2:54",
            "`server-query`",
        ),
        (
            procedure(
                "id: \"domain:d.x\", description: \"p\", effect: \"destructive\", confirmation: \"never\"",
            ),
            "wrong-value 2:74",
            "at least",
        ),
        ("export const c = defineAgentComponentContract(\"x\");".to_owned(), "wrong-shape 1:47", "an object"),
        (
            "export const c = defineAgentComponentContract(undefined as any);".to_owned(),
            "wrong-shape 1:47",
            "an object",
        ),
    ] {
        let (found, frame) = problem(&declaration);
        assert_eq!(found, place, "{frame}");
        assert!(frame.contains(says), "{says}: {frame}");
    }
}

#[test]
fn a_field_is_judged_where_it_was_written_also_in_another_module() {
    let main = "import { words } from \"./words\";\nexport const c = defineAgentComponentContract({ type: \"t\", description: words.long, observations: words.none });";
    let long = "x".repeat(501);
    let words = format!("export const words = {{\n  long: \"{long}\",\n  none: 5,\n}};");
    let found = Project::of(main).with("src/words.ts", &words).build().problems();
    assert_eq!(found, ["too-long src/words.ts:2:9", "wrong-shape src/words.ts:3:9"]);
}
