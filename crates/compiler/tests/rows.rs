//! Variants of the rows of `docs/compiler-cases.md` about values: each with what ECMAScript makes of it.

#![allow(clippy::unwrap_used, reason = "what fails in a test's set-up should fail loudly")]

mod support;

use serde_json::{Value, json};
use support::{Project, carrying, with_imports};

/// The value that `expression` has in a contract of a module that begins with `prelude`.
fn value(prelude: &str, expression: &str) -> Value {
    let build = Project::of(&format!("{prelude}\n{}", carrying(expression))).build();
    build.manifest()["capabilities"][0]["outputSchema"]["enum"][0].clone()
}

/// The one problem of a contract of a module that begins with `prelude`: its code, and the text of its frame.
fn problem(prelude: &str, expression: &str) -> (String, String) {
    let build = Project::of(&format!("{prelude}\n{}", carrying(expression))).build();
    let report = build.report();
    assert_eq!(report.diagnostics.len(), 1, "{prelude} {expression}: {}", report.text);
    let diagnostic = &report.diagnostics[0];
    assert!(diagnostic.line > 0 && diagnostic.column > 0, "{}", diagnostic.frame);
    assert!(diagnostic.frame.contains("╭─[src/main.ts:"), "{}", diagnostic.frame);
    (
        diagnostic.code.trim_start_matches("agent-surface(").trim_end_matches(')').to_owned(),
        diagnostic.frame.clone(),
    )
}

#[test]
fn a_name_that_hides_another_counts_only_where_it_is_bound() {
    for (prelude, expression, expected) in [
        ("const Math = { PI: 3 };", "Math.PI", json!(3)),
        ("const NaN = 1;", "NaN", json!(1)),
        ("const Infinity = 2;", "Infinity", json!(2)),
        ("try {} catch (kind) { void kind; } const kind = 1;", "kind", json!(1)),
        ("const f = (kind = 2) => kind; const kind = 1; void f;", "kind", json!(1)),
        ("for (const kind of [1]) void kind;\nconst kind = 3;", "kind", json!(3)),
        ("enum Color { Red = 1 } { enum Color { Red = 2 } }", "Color.Red", json!(1)),
        ("class C { kind = 2; static kind = 3; }\nconst kind = 1; void C;", "kind", json!(1)),
        ("const kind = 1; type kind = 2; interface other {}", "kind", json!(1)),
    ] {
        assert_eq!(value(prelude, expression), expected, "{prelude}");
    }
    for prelude in
        ["class kind { static x = 1 }", "function kind() {}\nnamespace kind { export const x = 1; }"]
    {
        assert_eq!(problem(prelude, "kind.x").0, "dynamic-value", "{prelude}");
    }
}

#[test]
fn a_write_after_the_initialiser_is_named_with_its_place() {
    for (prelude, expression, code, what) in [
        ("let k = 1;\n[k] = [2];", "k", "reassignable", "assigned here"),
        ("let k = 1;\n({ k } = { k: 2 });", "k", "reassignable", "assigned here"),
        ("let k = 1;\nfor (k of [2]);", "k", "reassignable", "assigned here"),
        ("let k = 1;\nk++;", "k", "reassignable", "assigned here"),
        ("let k = 1;\nexport const f = () => { k = 2; };", "k", "reassignable", "assigned here"),
        ("let k = 1;", "k", "reassignable", "declared here"),
        ("var k = 1;\nvar k = 2;", "k", "reassignable", "here"),
        ("const k = 1;\nk = 2;", "k", "mutated-value", "assigned here"),
        ("const k = 1;\n{ k ||= 2; }", "k", "mutated-value", "assigned here"),
        ("const k = [3, 1];\nk.sort();", "k", "mutated-value", "sort()"),
        ("const k = [3, 1];\nk.length = 0;", "k", "mutated-value", "assigned here"),
        ("const k: any = { a: 1 };\nk['a'] ??= 2;", "k", "mutated-value", "assigned here"),
        ("const k: any = { a: 1 };\n--k.a;", "k", "mutated-value", "updated here"),
        ("const k: any = { a: 1 };\ndelete k['a'];", "k", "mutated-value", "deleted here"),
        ("const k: any = { a: 1 };\nfor (k.a in { z: 1 }) {}", "k", "mutated-value", "a loop"),
        ("const k: any = { a: 1 };\nconst key = 'a';\nk[key] = 2;", "k", "mutated-value", "assigned here"),
        ("const k: any = { a: 1 };\nReflect.set(k, 'a', 2);", "k", "mutated-value", "Reflect.set()"),
        (
            "const k: any = { a: 1 };\nObject.defineProperty(k, 'a', { value: 2 });",
            "k",
            "mutated-value",
            "defineProperty()",
        ),
        ("const k: any = { a: { b: [1] } };\nk.a.b.push(2);", "k.a", "mutated-value", "push()"),
        ("const k: any = { a: 1 };\nk.a = 2;", "k.a", "mutated-value", "assigned here"),
        ("const k: any = { a: 1 };\nk.a = 2;", "{ ...k }", "mutated-value", "assigned here"),
        ("const k: any = { a: 1 };\nk.a = 2;", "`${k.a}`", "mutated-value", "assigned here"),
        ("const k: any = { a: 1 };\nconst { a } = k;\nk.a = 2;", "a", "mutated-value", "assigned here"),
        ("const k: any = Object.freeze({ a: 1 });\nk.a = 2;", "k", "mutated-value", "assigned here"),
        ("const k: any = [[1]];\nconst [first] = k;\nfirst.push(2);", "k", "mutated-value", "push()"),
        (
            "const k: any = { a: 1 };\nfunction m({ x }: any) { x.a = 2; }\nm({ x: k });",
            "k",
            "mutated-value",
            "assigned here",
        ),
        (
            "const k: any = { a: 1 };\nfunction m(...xs: any[]) { xs[0].a = 2; }\nm(k);",
            "k",
            "mutated-value",
            "assigned here",
        ),
        ("const k: any = [1];\n[].push.apply(k, [2]);", "k", "mutated-value", "push()"),
        ("const k: any = [1];\nArray.prototype.push.call(k, 2);", "k", "mutated-value", "push()"),
        (
            "const k: any = { a: 1 };\nglobalThis.Object.assign(k, { a: 2 });",
            "k",
            "mutated-value",
            "Object.assign()",
        ),
        (
            "const k: any = { a: 1 };\nconst { assign } = Object;\nassign(k, { a: 2 });",
            "k",
            "mutated-value",
            "Object.assign()",
        ),
        (
            "const k: any = { a: 1 };\nconst assign = Object.assign;\nassign(k, { a: 2 });",
            "k",
            "mutated-value",
            "Object.assign()",
        ),
        ("const k: any = [{ a: 1 }];\nk.at(0).a = 2;", "k", "mutated-value", "assigned here"),
        ("enum E { A }\n(E as any).A = 5;", "E.A", "mutated-value", "assigned here"),
    ] {
        let (found, frame) = problem(prelude, expression);
        assert_eq!(found, code, "{prelude}: {frame}");
        assert!(frame.contains(what), "{prelude}: {frame}");
    }
}

#[test]
fn a_copy_may_be_changed() {
    for (prelude, expression, expected) in [
        ("const k: any = { a: 1 };\n({ ...k }).a = 2;", "k", json!({ "a": 1 })),
        ("const k: any = { a: 1 };\nstructuredClone(k).a = 2;", "k", json!({ "a": 1 })),
        ("const k: any = [2, 1];\n[...k].sort();", "k", json!([2, 1])),
        ("const k: any = [2, 1];\nk.map((x: any) => x + 1).push(3);", "k", json!([2, 1])),
        ("const k: any = { a: 1 };\nconst copy = Object.assign({}, k);\ncopy.a = 2;", "k", json!({ "a": 1 })),
        ("const k: any = [1];\nconst other: any = [];\nother.push(k);\nother.length = 0;", "k", json!([1])),
        (
            "const Object = { assign(x: any) { return x; } };\nconst k = { a: 1 };\nObject.assign(k);",
            "k",
            json!({ "a": 1 }),
        ),
    ] {
        assert_eq!(value(prelude, expression), expected, "{prelude}");
    }
}

#[test]
fn strings_are_put_together_as_the_language_does() {
    for (expression, expected) in [
        ("`a${`b${1}`}`", "ab1"),
        ("1 + 2 + 'a'", "3a"),
        ("'a' + 1 + 2", "a12"),
        ("`${true} ${null} ${undefined}`", "true null undefined"),
        ("`${-0}`", "0"),
        ("`${1e21}`", "1e+21"),
        ("`${0.1 + 0.2}`", "0.30000000000000004"),
        ("`\\u0041\\x42\\n`", "AB\n"),
        ("\"\\ud83d\\ude00\"", "😀"),
        ("'a\\\nb'", "ab"),
    ] {
        assert_eq!(value("", expression), json!(expected), "{expression}");
    }
}

#[test]
fn numbers_are_exact() {
    for (expression, expected) in [
        ("0b11", json!(3)),
        ("0o17", json!(15)),
        (".5", json!(0.5)),
        ("0.1e-6", json!(1e-7)),
        ("9007199254740993", json!(9_007_199_254_740_992_u64)),
        ("5e-324", json!(5e-324)),
        ("1e-400", json!(0)),
        ("0x1F_FF", json!(8191)),
        ("-(-5)", json!(5)),
        ("~5", json!(-6)),
        ("-1 >>> 0", json!(4_294_967_295_u32)),
        ("-0 + 0", json!(0)),
        ("+true", json!(1)),
    ] {
        assert_eq!(value("", expression), expected, "{expression}");
    }
    for expression in ["0 / 0", "5 % 0", "-1e999", "[1, -Infinity]", "{ a: NaN }", "0n", "-1n", "1n + 2n"] {
        let code = problem("", expression).0;
        assert!(code == "unsupported-value" || code == "dynamic-value", "{expression}: {code}");
    }
}

#[test]
fn enums_count_on_from_what_they_are_given() {
    for (prelude, expression, expected) in [
        (
            "enum E { A = 1 << 2, B, C = A | B, D = \"x\".length }",
            "[E.A, E.B, E.C, E.D]",
            json!([4, 5, 5, 1]),
        ),
        ("const base = 5; enum E { A = base, B }", "[E.A, E.B]", json!([5, 6])),
        ("enum E { A = \"a\", B = `${A}b` }", "E.B", json!("ab")),
        ("enum E { A = -1, B, C }", "[E.A, E.B, E.C]", json!([-1, 0, 1])),
        ("enum E { A, B = A, C }", "[E.A, E.B, E.C]", json!([0, 0, 1])),
        ("enum E { 'a-b' = 3 }", "E['a-b']", json!(3)),
        ("enum E { A = \"x\" } const Again = E;", "Again.A", json!("x")),
        ("enum Other { X = 3 } enum E { A = Other.X, B }", "E.B", json!(4)),
        ("enum E { toString = 1 }", "E.toString", json!(1)),
    ] {
        assert_eq!(value(prelude, expression), expected, "{prelude}");
    }
    for (prelude, expression) in [
        ("enum E { A = f() } function f() { return 1; }", "E.A"),
        ("enum E { A = Math.random(), B }", "E.B"),
        ("enum E { A = NaN, B }", "E.B"),
        ("declare enum E { A = 1 }", "E.A"),
        ("enum E { A } enum E { B = 1 }", "E.B"),
        ("enum E { A, B }", "E"),
        ("enum E { A }", "E.toString"),
    ] {
        problem(prelude, expression);
    }
}

#[test]
fn an_enum_of_another_module_is_folded_under_any_name() {
    let ids = "const base = 2;\nexport enum Plane { View = \"view\", Second = base, Third }\nexport const enum Inner { X = \"x\" }\nexport const Kinds = { Table: \"table\" } as const;\nenum Hidden { H = 7 }\nexport { Hidden as Shown };\nexport default Plane;";
    for (imports, expression, expected) in [
        ("import { Plane } from \"./ids\";", "[Plane.View, Plane.Third]", json!(["view", 3])),
        ("import { Plane as P } from \"./barrel\";", "P.Second", json!(2)),
        ("import * as ids from \"./barrel\";", "ids.Inner.X", json!("x")),
        ("import { Kinds } from \"./barrel\";", "Kinds.Table", json!("table")),
        ("import { Shown } from \"./barrel\";", "Shown.H", json!(7)),
        ("import Default from \"./ids\";", "Default.View", json!("view")),
        ("import { Plane } from \"./ids\";\nconst { View } = Plane;", "View", json!("view")),
    ] {
        let main = with_imports(&format!("{imports}\n{}", carrying(expression)));
        let project = Project::new([("src/main.ts", main.as_str()), ("src/ids.ts", ids)])
            .with("src/barrel.ts", "export * from \"./ids\";");
        let found = project.build().manifest()["capabilities"][0]["outputSchema"]["enum"][0].clone();
        assert_eq!(found, expected, "{imports} {expression}");
    }
}

#[test]
fn spreads_and_patterns_give_what_they_give_in_javascript() {
    for (prelude, expression, expected) in [
        ("", "[...[...[1, [2]], 3]]", json!([1, [2], 3])),
        ("", "{ ...{ a: 1, b: 2 }, b: 3, ...{ a: 4 } }", json!({ "a": 4, "b": 3 })),
        ("", "{ ...null, ...undefined, ...false, a: 1 }", json!({ "a": 1 })),
        ("", "[[], [[]], [[[1]]]]", json!([[], [[]], [[[1]]]])),
        ("const c = true;", "[...(c ? [1] : [])]", json!([1])),
        ("const c = false;", "{ a: 1, ...(c && { b: 2 }) }", json!({ "a": 1 })),
        (
            "const { a = 1, b: { c = 2 } = {} as any, ...r } = { d: 4 } as any;",
            "[a, c, r]",
            json!([1, 2, { "d": 4 }]),
        ),
        ("const { a = 1 } = { a: null } as any;", "a", Value::Null),
        ("const { a = 1 } = { a: undefined } as any;", "a", json!(1)),
        ("const [a, , b = 3, ...r] = [1, 2, undefined, 4, 5] as any;", "[a, b, r]", json!([1, 3, [4, 5]])),
        ("const { [\"x\" + \"y\"]: a } = { xy: 1 };", "a", json!(1)),
        ("const key = \"k\"; const { [key]: a, ...r } = { k: 1, l: 2 };", "[a, r]", json!([1, { "l": 2 }])),
        ("const { length } = \"abc\";", "length", json!(3)),
        ("const { 0: a } = [9];", "a", json!(9)),
        ("const [{ a }] = [{ a: 3 }];", "a", json!(3)),
        ("const { a = Date.now() } = { a: 1 };", "a", json!(1)),
    ] {
        assert_eq!(value(prelude, expression), expected, "{prelude} {expression}");
    }
    for (prelude, expression) in [
        ("", "[...{ length: 1 } as any]"),
        ("function f() { return [1]; }", "[...f()]"),
        ("const it = new Set([1]);", "[...it]"),
        ("const { a = Date.now() } = {} as any;", "a"),
        ("const { a } = null as any;", "a"),
        ("const { toString } = {};", "toString"),
    ] {
        problem(prelude, expression);
    }
}

#[test]
fn keys_are_what_javascript_makes_of_them() {
    for (expression, expected) in [
        ("{ \"10\": 1, \"9\": 2, a: 3 }", json!({ "10": 1, "9": 2, "a": 3 })),
        ("{ 1e3: 1, 0x10: 2, .5: 3 }", json!({ "1000": 1, "16": 2, "0.5": 3 })),
        ("{ [1 + 1]: 1, [`t${1}`]: 2 }", json!({ "2": 1, "t1": 2 })),
        ("{ a: 1, \"a\": 2, [\"a\"]: 3 }", json!({ "a": 3 })),
        ("{ ['__proto__']: 2, b: 1 }", json!({ "__proto__": 2, "b": 1 })),
        (
            "{ constructor: 1, toString: 2, hasOwnProperty: 3 }",
            json!({ "constructor": 1, "toString": 2, "hasOwnProperty": 3 }),
        ),
        ("{ '': 1, \"\\0\": 2 }", json!({ "": 1, "\0": 2 })),
        ("{ async: 1, get: 2, set: 3, static: 4 }", json!({ "async": 1, "get": 2, "set": 3, "static": 4 })),
    ] {
        assert_eq!(value("", expression), expected, "{expression}");
    }
    assert_eq!(value("const __proto__ = 3;", "{ __proto__ }"), json!({ "__proto__": 3 }));
    for expression in [
        "{ \"\\ud800\": 1 }",
        "{ \"__proto__\": { a: 1 } }",
        "{ [Symbol.iterator]: 1 } as any",
        "{ [Date.now()]: 1 } as any",
    ] {
        problem("", expression);
    }
}

#[test]
fn canonical_order_is_by_utf16_code_units() {
    let build = Project::of(&carrying(
        "{ \"\\uFFFF\": 1, \"\\u{1F600}\": 2, \"é\": 3, b: 4, B: 5, \"10\": 6, \"9\": 7 }",
    ))
    .build();
    let manifest = build.outcome.unwrap().manifest;
    let at =
        |key: &str| manifest.find(&format!("\"{key}\": ")).unwrap_or_else(|| panic!("{key} in {manifest}"));
    let keys = ["10", "9", "B", "b", "é", "😀", "\u{ffff}"];
    assert!(keys.is_sorted_by_key(|key| at(key)), "{manifest}");
}

#[test]
fn one_branch_is_taken_only_where_the_test_is_known() {
    for (prelude, expression, expected) in [
        ("", "true ? 1 : Date.now()", json!(1)),
        ("", "false || 0 || \"x\"", json!("x")),
        ("", "0 ?? 1", json!(0)),
        ("", "undefined?.a ?? 3", json!(3)),
        ("const o = { a: { b: 1 } };", "o?.a?.b", json!(1)),
        ("const o: any = { a: null };", "o.a?.b.c.d ?? 2", json!(2)),
        ("const o: any = null;", "o?.[Date.now()] ?? 2", json!(2)),
        ("const o: any = { f: null };", "o.f?.() ?? 2", json!(2)),
        ("", "NaN ? 1 : 2", json!(2)),
        ("", "({ a: 1 }) && 2", json!(2)),
    ] {
        assert_eq!(value(prelude, expression), expected, "{prelude} {expression}");
    }
    for (prelude, expression) in [
        ("const c = Date.now() > 0;", "c ? 1 : 1"),
        ("", "typeof window === \"undefined\" ? 1 : 2"),
        ("", "(globalThis as any).flag || \"x\""),
        ("", "(globalThis as any).flag ?? \"x\""),
        ("", "(globalThis as any).flag && \"x\""),
        ("", "(globalThis as any).flag?.x"),
        ("const o = { get a() { return 1; } };", "o.a ? 1 : 2"),
    ] {
        assert_eq!(problem(prelude, expression).0, "dynamic-value", "{prelude} {expression}");
    }
}

#[test]
fn what_stands_around_an_argument_is_left_in_order() {
    let definition = "{ type: \"t\", description: \"d\", observations: { o: { description: \"o\", output: fromJsonSchema({ type: \"number\" }) } } }";
    for argument in [
        "(ARGUMENT,)",
        "(\n  ARGUMENT, // why\n)",
        "(/* before */ ARGUMENT /* after */)",
        "((ARGUMENT))",
        "(ARGUMENT as const)",
        "(<const>(ARGUMENT))",
        "(ARGUMENT satisfies object)",
        "((ARGUMENT)!)",
        "<{}, {}>(ARGUMENT)",
    ] {
        let main = format!(
            "export const c = defineAgentComponentContract{};\nexport const after = 1;",
            argument.replace("ARGUMENT", definition)
        );
        let build = Project::of(&main).build();
        assert_eq!(build.manifest()["capabilities"].as_array().unwrap().len(), 1, "{argument}");
        let text = &build.transformed["src/main.ts"];
        let allocator = oxc_allocator::Allocator::default();
        let parsed = oxc_parser::Parser::new(&allocator, text, oxc_span::SourceType::ts()).parse();
        assert!(parsed.diagnostics.is_empty(), "{text}");
    }
}
