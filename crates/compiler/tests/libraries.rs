//! Expressions over schema libraries: which of them are run, and what of it enters a contract.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

mod support;

use serde_json::{Value, json};
use support::{Build, Project};

/// A project with every library installed, whose `src/main.ts` takes one input described by `schema`.
fn taking(schema: &str) -> Project {
    project(&format!(
        "export const c = defineAgentProcedureContract({{ id: \"domain:a.b\", description: \"d\", \
         effect: \"server-query\", input: {schema} }});"
    ))
}

fn project(main: &str) -> Project {
    let main = format!(
        "import {{ z }} from \"zod\";\nimport * as v from \"valibot\";\nimport {{ type }} from \"arktype\";\n\
         import {{ toJsonSchema }} from \"@valibot/to-json-schema\";\nimport Type from \"typebox\";\n{main}"
    );
    ["zod", "valibot", "arktype", "typebox", "@valibot/to-json-schema"]
        .into_iter()
        .fold(Project::of(&main), Project::with_library)
}

/// The programs of a build, in the order in which they were asked for.
fn programs(build: &Build) -> Vec<String> {
    build.programs.concat()
}

fn input(build: &Build) -> Value {
    build.manifest()["capabilities"][0]["inputSchema"].clone()
}

const ANY: &str = r#"{"type":"object"}"#;

#[test]
fn a_closed_expression_is_printed_as_a_tree_over_its_imports() {
    for (schema, program) in [
        (
            "fromStandardSchema(z.object({ a: z.string().min(1) }), { jsonSchema: z.toJSONSchema(z.object({ a: z.string().min(1) })) })",
            r#"[[],["convert","call",["member",["member",["import",0],"z"],"toJSONSchema"],["call",["member",["member",["import",0],"z"],"object"],[[["object",[["a",["call",["member",["call",["member",["member",["import",0],"z"],"string"],[],0],"min"],[[1]],1]]]]]],2],["object",[["io","input"]]],"input",3]]"#,
        ),
        (
            "fromStandardSchema(z.object({}))",
            r#"[[],["convert","standard",null,["call",["member",["member",["import",0],"z"],"object"],[[["object",[]]]],0],["object",[]],"input",1]]"#,
        ),
        (
            "fromStandardSchema(v.object({}), { jsonSchema: toJsonSchema(v.object({}), { errorMode: \"throw\" }) })",
            r#"[[],["convert","call",["member",["import",0],"toJsonSchema"],["call",["member",["import",1],"object"],[[["object",[]]]],0],["object",[["errorMode","throw"],["typeMode","input"]]],"input",1]]"#,
        ),
        (
            "fromStandardSchema(type(\"string[]\"), { jsonSchema: type(\"string[]\").toJsonSchema() })",
            r#"[[],["convert","sides",null,["call",["member",["import",0],"type"],[["string[]"]],0],["object",[]],"input",1]]"#,
        ),
        (
            "fromJsonSchema(Type.String())",
            r#"[[],["call",["member",["member",["import",0],"default"],"String"],[],0]]"#,
        ),
    ] {
        let build = taking(schema).saying(ANY).build();
        assert_eq!(input(&build), json!({ "type": "object" }), "{schema}");
        assert_eq!(programs(&build)[0], program, "{schema}");
    }
}

#[test]
fn a_constant_of_the_app_is_evaluated_once_however_often_it_is_named() {
    let main = "import { Id } from \"./ids\";\nconst Both = z.object({ ...z.object({ a: Id }).shape, b: Id });\n\
        export const c = defineAgentProcedureContract({ id: \"domain:a.b\", description: \"d\", effect: \"server-query\", \
        input: fromStandardSchema(Both, { jsonSchema: z.toJSONSchema(Both) }) });";
    let ids = "import { z as zed } from \"./barrel\";\nexport const Id = zed.string();";
    let build = project(main)
        .with("src/ids.ts", ids)
        .with("src/barrel.ts", "export * from \"zod\";")
        .saying(ANY)
        .build();
    let program = &programs(&build)[0];
    assert_eq!(program.matches("\"string\"").count(), 1, "{program}");
    assert!(program.contains(r#"["object",[[["member",["call""#), "a spread has no key: {program}");
}

#[test]
fn schemas_of_schemas_may_double_with_each_of_them() {
    let mut main = String::from("const s0 = z.string();\n");
    for index in 1..64 {
        main += &format!("const s{index} = z.record(s{0}, z.object({{ a: s{0}, b: s{0} }}));\n", index - 1);
    }
    main += "export const c = defineAgentProcedureContract({ id: \"domain:a.b\", description: \"d\", effect: \
             \"server-query\", input: fromStandardSchema(s63) });";
    let said =
        r#"{"properties":{"a":{"properties":{"no":{}}},"z":{"anyOf":[{},{"items":{}}]}},"type":"object"}"#;
    let build = project(&main).saying(said).build();
    assert_eq!(input(&build), serde_json::from_str::<Value>(said).unwrap());
}

#[test]
fn schemas_that_lead_into_each_other_one_after_the_other_are_an_error_however_they_are_reached() {
    let (mut main, mut fields) = (String::from("const s0 = z.string();\n"), String::new());
    for index in 1..400 {
        main += &format!("const s{index} = z.array(s{});\n", index - 1);
        fields += &format!("o{index}: {{ description: \"d\", output: fromStandardSchema(s{index}) }},\n");
    }
    main += &format!(
        "export const c = defineAgentComponentContract({{ type: \"t\", description: \"d\", observations: {{ {fields} }} }});"
    );
    let build = (1..400).fold(project(&main), |project, _| project.saying(ANY)).build();
    assert!(build.problems().iter().all(|problem| problem.starts_with("schema src/main.ts:")));
}

#[test]
fn an_input_is_described_as_it_is_sent_and_an_output_as_it_comes() {
    let main = "const S = fromStandardSchema(z.object({}), { jsonSchema: z.toJSONSchema(z.object({})) });\n\
        export const c = defineAgentProcedureContract({ id: \"domain:a.b\", description: \"d\", effect: \"server-query\", \
        input: S, output: S });";
    let build = project(main).saying(ANY).saying(r#"{"type":"string"}"#).build();
    let capability = &build.manifest()["capabilities"][0];
    assert_eq!(capability["inputSchema"], json!({ "type": "object" }));
    assert_eq!(capability["outputSchema"], json!({ "type": "string" }));
    let asked: Vec<_> =
        programs(&build).iter().map(|program| program.contains(r#"["io","output"]"#)).collect();
    assert_eq!(asked, [false, true]);
}

#[test]
fn all_schemas_of_a_build_are_asked_for_at_once_and_none_where_there_are_none() {
    let part = |name: &str| {
        format!(
            "export const {name} = defineAgentProcedureContract({{ id: \"domain:{name}.go\", description: \"d\", \
             effect: \"server-query\", input: fromStandardSchema(z.object({{ {name}: z.string() }})) }});"
        )
    };
    let build = project(&["a", "b", "c"].map(part).join("\n")).saying(ANY).build();
    assert_eq!(build.programs.iter().map(Vec::len).collect::<Vec<_>>(), [3]);
    let build = taking("fromStandardSchema(z.object({}), { jsonSchema: { type: \"object\" } })").build();
    assert_eq!(input(&build), json!({ "type": "object" }));
    assert!(build.programs.is_empty());
}

#[test]
fn a_host_is_told_what_a_module_will_need_before_the_graph_is_complete() {
    let mut build = taking("fromStandardSchema(v.object({}), { jsonSchema: toJsonSchema(v.object({})) })")
        .saying(ANY)
        .build();
    let told: Vec<_> = build.session.take_libraries().into_iter().map(|it| it.specifier).collect();
    assert_eq!(told, ["@valibot/to-json-schema", "valibot"]);
    assert!(build.session.take_libraries().is_empty(), "what was told is not told again");
    let mut without = taking("fromStandardSchema(z.object({}), { jsonSchema: {} })").build();
    assert!(without.session.take_libraries().is_empty());
}

#[test]
fn what_a_library_said_is_kept_across_rebuilds() {
    let project = taking("fromStandardSchema(z.object({}))").saying(ANY);
    let first = project.build();
    let mut session = first.session;
    session.restart();
    let again = project.build_with(session);
    assert_eq!(again.manifest()["hash"].as_str(), Some(first.outcome.unwrap().hash.as_str()));
    assert!(again.programs.is_empty());
}

#[test]
fn a_library_that_is_left_out_of_the_bundle_is_one_all_the_same() {
    let project = taking("fromStandardSchema(z.object({}))").with_external("zod").saying(ANY);
    assert_eq!(input(&project.build()), json!({ "type": "object" }));
}

#[test]
fn what_the_library_says_is_normalised_where_its_meaning_is_kept() {
    let said =
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","oneOf":[{"const":1},{"const":2}]}"#;
    let build = taking("fromStandardSchema(z.object({}))").saying(said).build();
    assert_eq!(input(&build), json!({ "anyOf": [{ "const": 1 }, { "const": 2 }] }));
}

#[test]
fn what_lies_outside_the_subset_is_an_error_at_the_call_that_says_it() {
    let schema = "fromStandardSchema(z.object({ list: z.array(z.tuple([])) }))";
    let said = r#"{"type":"object","properties":{"list":{"type":"array","items":{"type":"array","prefixItems":[]}}}}"#;
    let build = taking(schema).saying(said).build();
    let text = &build.report().text;
    assert!(build.report().diagnostics[0].message.contains("/properties/list/items/prefixItems"), "{text}");
    let line = text.lines().find(|line| line.contains("z.tuple")).unwrap();
    let (_, source) = line.split_once(" │ ").unwrap();
    assert_eq!(build.report().diagnostics[0].column as usize, source.find("z.tuple").unwrap() + 1, "{text}");
}

#[test]
fn what_the_library_refuses_is_an_error_at_the_call_and_names_it() {
    let schema = "fromStandardSchema(z.object({ when: z.date() }))";
    let build = taking(schema).failing("Date cannot be represented in JSON Schema", Some(0), None).build();
    let message = &build.report().diagnostics[0].message;
    assert_eq!(
        message,
        "zod 0.1.0 makes no JSON Schema of `z.date()` at `when`: Date cannot be represented in JSON Schema"
    );
}

#[test]
fn functions_that_only_check_and_texts_that_people_read_do_not_open_an_expression() {
    for schema in [
        "z.object({}).refine((it) => it.a < it.b, { message: translate(\"no\") })",
        "z.string().min(1, translate(\"too short\"))",
        "z.string({ error: (issue) => translate(issue) })",
        "z.string().regex(/^a$/u, translate(\"no\"))",
        "v.pipe(v.string(translate(\"text\")), v.check((it) => it !== \"\", translate(\"no\")))",
    ] {
        let build = taking(&format!("fromStandardSchema({schema})")).saying(ANY).build();
        assert_eq!(input(&build), json!({ "type": "object" }), "{schema}");
    }
}

#[test]
fn what_is_not_static_opens_an_expression_and_is_an_error_where_it_stands() {
    for (schema, code) in [
        ("z.string().min(limit())", "dynamic-value"),
        ("z.enum(values)", "dynamic-value"),
        ("z.object({ a: schemaOf(1) })", "dynamic-value"),
        ("wrap(z.object({}))", "schema"),
        ("z.object({ a: condition ? z.string() : z.number() })", "dynamic-value"),
        ("z.object({ a: z.literal(new Date()) })", "dynamic-value"),
        ("z.object({ a: c })", "dynamic-value"),
    ] {
        let build = taking(&format!("fromStandardSchema({schema})")).saying(ANY).build();
        assert_eq!(build.report().diagnostics[0].code, format!("agent-surface({code})"), "{schema}");
        assert!(build.report().diagnostics[0].help.is_some(), "{schema}");
        assert!(build.programs.is_empty(), "{schema}");
    }
}

#[test]
fn what_leads_out_of_a_library_or_changes_it_is_an_error() {
    for (schema, says) in [
        ("z.string.constructor(\"return process\")()", "`constructor` is no part of a schema library"),
        ("z.object({ [\"a\"]: z.string().__proto__ })", "`__proto__` is no part of a schema library"),
        ("z.object({ a: z.config({}) })", "`config` changes zod for every schema"),
        ("v.object({ a: v.setGlobalConfig({}) })", "`setGlobalConfig` changes valibot"),
    ] {
        let build = taking(&format!("fromStandardSchema({schema})")).saying(ANY).build();
        assert!(build.report().diagnostics[0].message.contains(says), "{}", build.report().text);
        assert!(build.programs.is_empty(), "{schema}");
    }
    let named = taking("fromStandardSchema(z.object({ constructor: z.string() }))").saying(ANY).build();
    assert_eq!(input(&named), json!({ "type": "object" }), "a property may have that name");
}

#[test]
fn a_text_that_reaches_the_document_after_all_is_an_error_where_it_stands() {
    let schema = "fromStandardSchema(z.object({}).meta({ message: translate(\"x\") }))";
    let build = taking(schema).saying(r#"{"message":"@agent-surface/stand-in:0"}"#).build();
    assert_eq!(build.report().diagnostics[0].code, "agent-surface(dynamic-value)");
}

#[test]
fn a_function_that_reaches_the_document_is_an_error_that_says_so() {
    let schema = "fromStandardSchema(z.object({ a: z.string().default(() => \"x\") }))";
    let build = taking(schema).failing("a function of the app is called", None, Some(0)).build();
    assert_eq!(
        build.report().diagnostics[0].message,
        "zod 0.1.0 needs the function `() => \"x\"` at `a` for the JSON Schema"
    );
}

#[test]
fn a_schema_that_a_function_makes_is_an_error_that_says_how_to_write_one_that_contains_itself() {
    let schema = "fromStandardSchema(z.object({ children: z.array(z.lazy(() => Node)) }))";
    let build = taking(schema).failing("a function of the app is called", None, Some(0)).build();
    let help = build.report().diagnostics[0].help.clone().unwrap();
    assert!(help.contains("$ref: \"#/$defs/Node\""), "{help}");
    assert!(help.contains("fromStandardSchema(schema, { jsonSchema:"), "{help}");
}

#[test]
fn a_getter_or_an_object_made_by_new_opens_an_expression_and_the_error_says_what_to_write() {
    for schema in [
        "z.object({ get children() { return z.array(z.string()) } })",
        "z.object({ a: new z.ZodString({}) })",
    ] {
        let build = taking(&format!("fromStandardSchema({schema})")).saying(ANY).build();
        let help = build.report().diagnostics[0].help.clone().unwrap_or_default();
        assert!(help.contains("write the JSON Schema out"), "{}", build.report().text);
    }
}

#[test]
fn a_function_that_transforms_an_input_is_an_error_that_says_so_and_none_on_an_output() {
    for transform in
        ["z.string().transform(Number.parseInt).pipe(z.number())", "z.preprocess((it) => it, z.string())"]
    {
        let transform = transform.replace("Number.parseInt", "(it) => it.length");
        let build =
            taking(&format!("fromStandardSchema(z.object({{ a: {transform} }}))")).saying(ANY).build();
        assert!(build.report().diagnostics[0].message.contains("turns what an agent sends"), "{transform}");
        assert!(build.programs.is_empty());
        let main = format!(
            "export const c = defineAgentProcedureContract({{ id: \"domain:a.b\", description: \"d\", \
             effect: \"server-query\", input: emptyObjectSchema, output: fromStandardSchema({transform}) }});"
        );
        assert!(project(&main).saying(ANY).build().outcome.is_ok(), "{transform}");
    }
}

#[test]
fn a_side_that_contradicts_the_place_in_the_contract_is_an_error() {
    let schema =
        "fromStandardSchema(z.object({}), { jsonSchema: z.toJSONSchema(z.object({}), { io: \"output\" }) })";
    let build = taking(schema).saying(ANY).build();
    assert!(build.report().diagnostics[0].message.contains("`io` asks for another side"));
    let schema = schema.replace("\"output\"", "\"input\"");
    assert_eq!(input(&taking(&schema).saying(ANY).build()), json!({ "type": "object" }));
}

#[test]
fn the_converter_and_its_call_are_gone_from_what_ships_and_the_validator_stays() {
    let main = "const S = fromStandardSchema(z.object({}), { jsonSchema: z.toJSONSchema(z.object({})) });\n\
        const jsonSchema = z.toJSONSchema(z.object({}));\n\
        export const c = defineAgentProcedureContract({ id: \"domain:a.b\", description: \"d\", effect: \"server-query\", \
        input: S, output: fromStandardSchema(z.object({}), { jsonSchema }) });\n\
        export const d = defineAgentProcedureContract({ id: \"domain:a.d\", description: \"d\", effect: \"server-query\", \
        input: fromStandardSchema(z.object({ d: z.string() })) });\n\
        export const e = defineAgentProcedureContract({ id: \"domain:a.e\", description: \"d\", effect: \"server-query\", \
        input: fromJsonSchema(Type.Object({})) });";
    let build = project(main).saying(ANY).build();
    build.manifest();
    let shipped = build.session.render(&build.transformed["src/main.ts"]).unwrap().code;
    assert!(shipped.contains("fromStandardSchema(z.object({}), { jsonSchema: /* @__PURE__ */ JSON.parse('{\"type\":\"object\"}') })"), "{shipped}");
    assert!(
        shipped.contains(
            "fromStandardSchema(z.object({ d: z.string() }), { jsonSchema: /* @__PURE__ */ JSON.parse("
        ),
        "{shipped}"
    );
    assert_eq!(shipped.matches("toJSONSchema").count(), 1, "only the constant that the app keeps: {shipped}");
    assert!(!shipped.contains("Type.Object"), "{shipped}");
    assert!(!shipped.contains("placeholder"), "{shipped}");
}

#[test]
fn an_explanation_names_the_libraries_with_their_versions() {
    let project = taking("fromStandardSchema(z.object({}))").saying(ANY);
    let explanations = project.explain(project.build(), "domain:a.b");
    let libraries: Vec<_> =
        explanations[0].libraries.iter().map(|it| (it.name.as_str(), it.version.as_deref())).collect();
    assert_eq!(libraries, [("zod", Some("0.1.0"))]);
}
