//! Which expressions have a static value, and which value it is.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use serde_json::{Value, json};
use support::{Project, carrying, describing};

/// The value that `expression` has in a contract of a module that begins with `prelude`.
fn value(prelude: &str, expression: &str) -> Value {
    let build = Project::of(&format!("{prelude}\n{}", carrying(expression))).build();
    build.manifest()["capabilities"][0]["outputSchema"]["enum"][0].clone()
}

/// The problems of a contract of a module that begins with `prelude`.
fn problems(prelude: &str, expression: &str) -> Vec<String> {
    Project::of(&format!("{prelude}\n{}", carrying(expression))).build().problems()
}

#[test]
fn literals_are_what_they_say() {
    for (expression, expected) in [
        ("\"a\"", json!("a")),
        ("'it\\'s'", json!("it's")),
        ("-1", json!(-1)),
        ("+5", json!(5)),
        ("1e3", json!(1000)),
        ("0x10", json!(16)),
        ("1_000", json!(1000)),
        ("-0", json!(0)),
        ("true", json!(true)),
        ("!0", json!(true)),
        ("null", Value::Null),
        ("[[\"a\",\"b\"],[\"c\"]]", json!([["a", "b"], ["c"]])),
        ("{ a: 1, \"b-c\": 2, [\"d\"]: 3, 4: 5 }", json!({ "a": 1, "b-c": 2, "d": 3, "4": 5 })),
        ("{ a: 1, a: 2 }", json!({ "a": 2 })),
        ("{ a: undefined, b: 1 }", json!({ "b": 1 })),
        ("{ [\"__proto__\"]: 1 }", json!({ "__proto__": 1 })),
    ] {
        assert_eq!(value("", expression), expected, "{expression}");
    }
}

#[test]
fn what_only_types_see_leaves_no_trace() {
    for expression in [
        "\"a\" as const",
        "(\"a\" satisfies string)",
        "<string>\"a\"",
        "\"a\"!",
        "((\"a\"))",
        "/* x */ \"a\"",
    ] {
        assert_eq!(value("", expression), json!("a"), "{expression}");
    }
}

#[test]
fn operators_over_constants_are_folded() {
    for (expression, expected) in [
        ("\"a\" + \"b\"", json!("ab")),
        ("\"n\" + 1.50 + true + null", json!("n1.5truenull")),
        ("`${1 + 2}-${\"x\"}`", json!("3-x")),
        ("60 * 1000", json!(60000)),
        ("7 % 4 - 1", json!(2)),
        ("1 << 4 | 1", json!(17)),
        ("1 < 2 ? \"yes\" : \"no\"", json!("yes")),
        ("\"\" || \"b\"", json!("b")),
        ("null ?? \"c\"", json!("c")),
        ("\"a\" && \"d\"", json!("d")),
        ("typeof 1", json!("number")),
        ("\"abc\".length", json!(3)),
    ] {
        assert_eq!(value("", expression), expected, "{expression}");
    }
}

#[test]
fn constants_members_and_spreads_are_followed() {
    let prelude = "const ids = { table: { type: \"x\", tags: [\"a\", \"b\"] }, n: 1 } as const;\n\
                   const { table: { type: kind, missing = \"m\" }, ...others } = ids;\n\
                   const [first, ...rest] = ids.table.tags;\n\
                   const more = { ...ids.table, type: \"y\" };\n\
                   const list = [0, ...ids.table.tags, 3];\n\
                   const maybe: { a?: { b: string } } | undefined = undefined;";
    for (expression, expected) in [
        ("ids.table.type", json!("x")),
        ("ids[\"table\"][`type`]", json!("x")),
        ("kind", json!("x")),
        ("missing", json!("m")),
        ("others", json!({ "n": 1 })),
        ("first", json!("a")),
        ("rest", json!(["b"])),
        ("more", json!({ "type": "y", "tags": ["a", "b"] })),
        ("list", json!([0, "a", "b", 3])),
        ("ids.table.tags[1]", json!("b")),
        ("ids.table.tags.length", json!(2)),
        ("maybe?.a.b ?? \"none\"", json!("none")),
        ("Object.freeze({ a: 1 })", json!({ "a": 1 })),
        ("JSON.parse('{\"a\":[1]}')", json!({ "a": [1] })),
    ] {
        assert_eq!(value(prelude, expression), expected, "{expression}");
    }
}

#[test]
fn enums_are_folded_as_written_and_as_compiled() {
    let written = "enum E { A, B, C = 10, D, S = \"s\", T = `t${1}`, F = A | 4, G = C + 1 }\nconst enum K { X = \"x\" }";
    let compiled = "var E = /* @__PURE__ */ ((E2) => { E2[E2[\"A\"] = 0] = \"A\"; E2[E2[\"B\"] = 1] = \"B\"; \
                    E2[E2[\"C\"] = 10] = \"C\"; E2[E2[\"D\"] = 11] = \"D\"; E2[\"S\"] = \"s\"; E2[\"T\"] = \"t1\"; \
                    E2[E2[\"F\"] = 4] = \"F\"; E2[E2[\"G\"] = 11] = \"G\"; return E2; })(E || {});\n\
                    var K = function(K2) { K2[\"X\"] = \"x\"; return K2; }(K || {});";
    let seedless =
        compiled.replace("var E =", "export let E =").replace("E || {}", "{}").replace("K || {}", "{}");
    for prelude in [written, compiled, &seedless] {
        for (expression, expected) in [
            ("E.A", json!(0)),
            ("E.B", json!(1)),
            ("E.D", json!(11)),
            ("E[\"S\"]", json!("s")),
            ("E.T", json!("t1")),
            ("E.F", json!(4)),
            ("E.G", json!(11)),
            ("K.X", json!("x")),
        ] {
            assert_eq!(value(prelude, expression), expected, "{expression} of {prelude}");
        }
    }
}

#[test]
fn an_enum_member_that_cannot_be_folded_is_an_error_and_never_zero() {
    let prelude = "const now = Date.now();\nenum E { A = now, B, S = \"s\", C }";
    for member in ["E.A", "E.B", "E.C", "E.Z"] {
        assert_eq!(problems(prelude, member).len(), 1, "{member}");
    }
}

#[test]
fn an_enum_has_its_members_one_after_the_other_and_is_nothing_before() {
    let compiled = "var E = /* @__PURE__ */ ((E2) => { E2[E2[\"A\"] = 1] = \"A\"; E2[\"B\"] = E2.A + 1; E2[\"C\"] = E2[\"B\"]; return E2; })(E || {});";
    for prelude in ["enum E { A = 1, B = A + 1, C = E.B }", compiled] {
        assert_eq!(value(prelude, "[E.A, E.B, E.C]"), json!([1, 2, 2]), "{prelude}");
    }
    for prelude in [
        "enum E { B = A, A = 1 }",
        "enum E { B = E.A ?? 3, A = 1 }",
        "var E = ((E2) => { E2[\"B\"] = E2[\"A\"] ?? 3; E2[\"A\"] = 1; return E2; })(E || {});",
        "var E = ((E2) => { E2[\"B\"] = \"x\"; E2[\"A\"] = (E2.B = \"y\"); return E2; })(E || {});",
    ] {
        assert_eq!(problems(prelude, "E.B").len(), 1, "{prelude}");
    }
    for early in ["E?.A ?? 2", "E ? 1 : 2", "E || 2", "E ?? 2", "E && 2", "!E", "[E] && { ...E }"] {
        let prelude = format!("const early: any = {early};\nenum E {{ A = 1 }}");
        assert_eq!(problems(&prelude, "early").len(), 1, "{early}");
    }
    assert_eq!(problems("const { a = 2 } = { a: E };\nenum E { A = 1 }", "a").len(), 1);
}

#[test]
fn a_name_is_the_binding_in_its_scope() {
    let prelude = "const kind = \"outer\";\nfunction f(kind: string) { const undefined = 1; return kind + undefined; }\n{ const kind = \"inner\"; void kind; }";
    assert_eq!(value(prelude, "kind"), json!("outer"));
    assert_eq!(problems("const undefined = Date.now();", "undefined"), ["dynamic-value src/main.ts:2:19"]);
    assert_eq!(problems("const Object = { freeze: (x: number) => x };", "Object.freeze(1)").len(), 1);
}

#[test]
fn what_is_not_static_is_an_error() {
    for expression in [
        "10n",
        "NaN",
        "Infinity",
        "1e400",
        "1 / 0",
        "[1, , 2]",
        "[undefined]",
        "() => 1",
        "/x/",
        "new Date()",
        "tag`x`",
        "Date.now()",
        "process.env.X",
        "import.meta.env.MODE",
        "window.name",
        "String(1)",
        "[1].map(String)",
        "\"a\".toUpperCase()",
        "{ get a() { return 1; } }",
        "{ __proto__: null }",
        "{ m() {} }",
        "Math.random() > 0.5 ? 1 : 2",
        "x => x",
        "this",
        "(globalThis as any).a || 1",
        "\"\\ud800\"",
        "`\\ud800`",
        "null.a",
        "{}.toString",
        "2 ** 3",
        "JSON.parse('[1]', (k, v) => v)",
        "[...\"ab\"]",
        "void 0 + 1",
    ] {
        let found = problems("", expression);
        assert_eq!(found.len(), 1, "{expression}: {found:?}");
    }
}

#[test]
fn a_binding_that_may_change_is_an_error() {
    for (prelude, code) in [
        ("let kind = \"a\";", "reassignable"),
        ("var kind = \"a\";", "reassignable"),
        ("let kind = \"a\"; kind = \"b\";", "reassignable"),
        ("const box = { a: 1 }; box.a = 2; const kind = box;", "mutated-value"),
        ("const kind = { a: 1 }; delete (kind as any).a;", "mutated-value"),
        ("const kind = [1]; kind.push(2);", "mutated-value"),
        ("const kind = { a: { b: 1 } }; function late() { kind.a.b += 1; }", "mutated-value"),
        ("const kind = { a: 1 }; Object.assign(kind, { a: 2 });", "mutated-value"),
        ("const kind = { a: 1 }; const alias = kind; alias.a = 2;", "mutated-value"),
        ("const kind = { a: { b: 1 } }; const { a } = kind; a.b = 2;", "mutated-value"),
        ("const kind = { a: 1 }; function bump(x: any) { x.a++; } bump(kind);", "mutated-value"),
        ("const kind = { a: 1 }; [kind.a] = [2];", "mutated-value"),
        ("const kind = { a: 1 }; ({ x: kind.a } = { x: 2 });", "mutated-value"),
        ("const kind = { a: 1 }; for (kind.a of [1]) {}", "mutated-value"),
        ("const kind = { a: 1 }; ((x: any) => { x.a = 2; })(kind);", "mutated-value"),
        ("const kind = { a: 1 }; const held = { it: kind }; held.it.a = 2;", "mutated-value"),
        ("const kind = { a: 1 }; [kind][0].a = 2;", "mutated-value"),
        ("const kind = { a: 1 }; (1 < 2 ? kind : { a: 0 }).a = 2;", "mutated-value"),
        ("const kind = { a: 1 }; (kind ?? {}).a = 2;", "mutated-value"),
        ("const kind = { a: 1 }; let q; let r; r = q = kind; r.a = 2;", "mutated-value"),
        ("const kind = { list: [{ a: 1 }] }; for (const x of kind.list) x.a = 2;", "mutated-value"),
        ("const kind = { list: [{ a: 1 }] }; kind.list.forEach((x) => { x.a = 2; });", "mutated-value"),
        ("const kind = { a: 1 }; const [x] = [kind]; x.a = 2;", "mutated-value"),
    ] {
        let found = problems(prelude, "kind");
        assert_eq!(found.len(), 1, "{prelude}: {found:?}");
        assert!(found[0].starts_with(code), "{prelude}: {found:?}");
    }
}

#[test]
fn reading_copying_and_passing_on_a_constant_is_no_change() {
    let prelude = "const kind = [\"a\", \"b\"];\nkind.map(String); kind.includes(\"a\"); console.log(kind, [...kind]);\n\
                   const copy = [...kind]; copy.push(\"c\");\nconst held = { it: kind, n: 1 }; held.n = 2; const all = [kind]; all.push([]);\nfor (const k of kind) void k;\nfunction show(x: string[]) { return x[0]; } show(kind);";
    assert_eq!(value(prelude, "kind"), json!(["a", "b"]));
}

#[test]
fn circles_and_explosions_end_in_an_error() {
    assert_eq!(problems("const a = b; const b = a;", "a"), ["cyclic-value src/main.ts:2:24"]);
    assert_eq!(problems("const a = { b: [a] };", "a").len(), 1);
    let mut doubling = "const x0 = [1, 2, 3, 4, 5, 6, 7, 8];\n".to_owned();
    for step in 1..40 {
        doubling += &format!("const x{step} = [...x{0}, ...x{0}];\n", step - 1);
    }
    let found = problems(&doubling, "x39");
    assert!(found.iter().all(|problem| problem.starts_with("too-large")), "{found:?}");
    let chain: String = (0..1000).rev().map(|n| format!("const c{n} = c{};\n", n + 1)).collect();
    assert_eq!(problems(&format!("{chain}const c1000 = 1;"), "c0").len(), 1);
}

#[test]
fn the_author_may_keep_what_the_contract_does_not_use_as_dynamic_as_he_likes() {
    let prelude = "const mixed = { fixed: \"a\", moving: Date.now() };";
    assert_eq!(value(prelude, "mixed.fixed"), json!("a"));
    assert_eq!(value(prelude, "false && Date.now() || 1"), json!(1));
}

#[test]
fn every_problem_of_a_build_is_reported_at_once() {
    let main = format!("{}\n{}", describing("Date.now()"), carrying("NaN").replace("const c ", "const d "));
    assert_eq!(
        Project::of(&main).build().problems(),
        ["dynamic-value src/main.ts:2:132", "unsupported-value src/main.ts:3:169"]
    );
}

#[test]
fn a_schema_is_an_object_that_may_be_changed_and_needs_a_document() {
    let contract = "export const c = defineAgentComponentContract({ type: \"t\", description: \"d\", observations: { o: { description: \"o\", output: s } } });";
    for (schema, code) in [
        (
            "const s = fromJsonSchema({ type: \"string\" }); (s as any).jsonSchema.title = \"x\";",
            "mutated-value",
        ),
        ("const s = fromJsonSchema();", "schema"),
    ] {
        let found = Project::of(&format!("{schema}\n{contract}")).build().problems();
        assert_eq!(found.len(), 1, "{schema}: {found:?}");
        assert!(found[0].starts_with(code), "{schema}: {found:?}");
    }
}
