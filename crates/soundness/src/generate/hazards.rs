//! What may deceive an analyser: values known only at run time, and code that changes what a name means.

use super::scope::{Export, Shape};
use super::{Class, Generator};

/// Expressions that are not static, or are so by rules that are easily got wrong.
pub(super) const WILD: &[&str] = &[
    "env(\"text\")",
    "env(\"number\")",
    "env(\"object\").a",
    "env(\"nothing\")?.length",
    "(env(\"flag\") ? \"one\" : \"other\")",
    "(env(\"flag\") && \"x\")",
    "(env(\"nothing\") ?? \"x\")",
    "(env(\"nothing\") || \"x\")",
    "(\"x\" || env(\"text\"))",
    "(null ?? env(\"text\"))",
    "(false && env(\"text\"))",
    "(true ? \"x\" : env(\"text\"))",
    "(env(\"flag\") === true ? 1 : 2)",
    "`${env(\"text\")}`",
    "(\"a\" + env(\"text\"))",
    "[...env(\"list\")].length",
    "{ ...env(\"object\") }.a",
    "({ a: 1, ...env(\"object\") }).a",
    "({ ...env(\"object\"), a: 1 }).a",
    "({ a: 1, [env(\"text\")]: 2 }).a",
    "({ one: 1, [env(\"text\")]: 2 }).one",
    "({ a: \"x\" })[env(\"text\")]",
    "[1, 2][env(\"number\")]",
    "Date.now()",
    "Math.random()",
    "(Math.random() < 2 ? \"x\" : \"y\")",
    "new Date(0)",
    "new String(\"x\")",
    "Symbol.iterator",
    "10n",
    "/x/",
    "NaN",
    "Infinity",
    "1e400",
    "-1e400",
    "(0 / 0)",
    "undefined",
    "[1, , 2]",
    "[undefined]",
    "[1, void 0]",
    "(() => \"x\")",
    "(() => \"x\")()",
    "{ get a() { return env(\"text\"); } }.a",
    "({ get a() { return env(\"text\"); } }).a",
    "({ m() {} })",
    "({ __proto__: { a: 1 } }).a",
    "({ __proto__: null, a: 1 })",
    "({ \"__proto__\": { a: 1 } })",
    "({ [\"__proto__\"]: { a: 1 } }).a",
    "({ __proto__: { a: 1 }, a: 2 }).a",
    "({ ...{ [\"__proto__\"]: { a: 1 } } }).a",
    "({}).toString",
    "({}).constructor",
    "({}).hasOwnProperty",
    "[].length",
    "[].map",
    "[1][\"0\"]",
    "[1][\"00\"]",
    "[1][-1]",
    "[1][1.5]",
    "[1][\"length\"]",
    "[1, 2].at(-1)",
    "[1, 2].concat([3])",
    "[3, 1, 2].sort()",
    "[\"a\", \"b\"].join(\"-\")",
    "\"abc\".length",
    "\"😀\".length",
    "\"abc\"[1]",
    "\"abc\"[\"length\"]",
    "\"abc\".toUpperCase()",
    "\"abc\".slice(1)",
    "[...\"ab\"]",
    "({ ...\"ab\" })",
    "({ ...[1, 2] })",
    "({ ...null, ...undefined, ...1, ...false })",
    "\"\\ud800\"",
    "\"\\ude00\\ud83d\"",
    "(\"\\ud83d\" + \"\\ude00\")",
    "`\\ud800`",
    "({ \"\\ud800\": 1 })",
    "(\"1\" == 1 as any)",
    "(null == undefined)",
    "(2 ** 3)",
    "(2 ** -1074)",
    "(\"b\" > \"a\")",
    "(\"10\" < \"9\")",
    "(\"a\" in { a: 1 })",
    "(1, \"x\")",
    "(({} as any) instanceof Object)",
    "typeof (() => 1)",
    "typeof undeclared",
    "typeof null",
    "typeof [1]",
    "void 0",
    "+\"5\"",
    "+\"\"",
    "+\" 7 \"",
    "+[]",
    "+{}",
    "+true",
    "+null",
    "-\"3\"",
    "~\"3\"",
    "!\"\"",
    "(\"3\" * \"4\" as any)",
    "(\"3\" - 1 as any)",
    "(1 + undefined as any)",
    "(true + true as any)",
    "([] + [] as any)",
    "([1, 2] + \"\" as any)",
    "({} + \"\" as any)",
    "(null + \"x\")",
    "`${[1, 2]}`",
    "`${{}}`",
    "`${null}${undefined}${true}${1.0}${-0}${1e21}${1e-7}`",
    "(-0 + \"\")",
    "(1 / -0 < 0)",
    "(0.1 + 0.2 === 0.3)",
    "(5 % 0)",
    "(-5 % 5)",
    "(5.5 % -2)",
    "(1 << 32)",
    "(1 << -1)",
    "(2147483648 | 0)",
    "(4294967296.5 >>> 0)",
    "(-1 >>> 31)",
    "~~3.7",
    "String.raw`a\\n`",
    "String(1)",
    "Number(\"1\")",
    "Boolean(0)",
    "parseInt(\"0x1f\")",
    "JSON.parse(\"1\")",
    "JSON.parse('{\"__proto__\": {\"a\": 1}}').a",
    "JSON.parse('{\"a\": 1, \"a\": 2}').a",
    "JSON.parse('[1e400]')",
    "JSON.parse(\"[1]\", () => \"revived\")",
    "JSON.parse(\"{\\\"a\\\":-0}\")",
    "JSON.stringify({ b: 1, a: 2 })",
    "Object.freeze(\"x\")",
    "Object.freeze([1, 2])",
    "Object.freeze()",
    "Object.keys({ b: 1, a: 2 })",
    "Object.assign({ a: 1 }, { a: 2 })",
    "Object.entries({ a: 1 })",
    "Object.fromEntries([[\"a\", 1]])",
    "structuredClone({ a: 1 })",
    "Array.from(\"ab\")",
    "Array.isArray([])",
    "Number.MAX_SAFE_INTEGER",
    "Math.PI",
    "globalThis.undefined",
    "(this as any)",
    "import.meta.url",
    "((x: any) => x)(\"x\")",
    "function () {}",
    "class {}",
    "(class { static a = \"x\" }).a",
    "(async () => 1)()",
    "await 1",
    "(null as any)?.a.b.c",
    "(undefined as any)?.a[env(\"text\")].b",
    "({ a: null } as any).a?.b.c",
    "(({ a: null } as any).a?.b).c",
    "(({ a: null } as any)?.b)?.c",
    "({ a: { b: 1 } } as any)?.a!.b",
    "(null as any)?.a()",
    "({ f: undefined } as any).f?.(1)",
    "({ 1: \"a\", \"1\": \"b\" })[1]",
    "({ 1e3: \"a\" } as any)[\"1000\"]",
    "({ 0x10: \"a\" } as any)[16]",
    "({ .5: \"a\" } as any)[\"0.5\"]",
    "({ 1n: \"a\" } as any)[\"1\"]",
    "({ [1.0]: \"a\" } as any)[\"1\"]",
    "({ [-0]: \"a\" } as any)[\"0\"]",
    "({ [`${1}`]: \"a\" } as any)[1]",
    "({ [[\"k\"] as any]: \"a\" } as any).k",
    "({ [null as any]: \"a\" } as any)[\"null\"]",
    "({ async: 1, await: 2, get: 3, set: 4, static: 5 })",
    "({ a: 1, ...{ a: undefined } })",
    "({ a: 1, a: undefined, b: 2 })",
    "({ \"10\": 1, \"9\": 2, b: 3, a: 4 })",
    "({ a: 1 }.b ?? \"none\")",
    "((\"\" as any) ?? \"none\")",
    "(0 || null || \"\" || \"last\")",
    "(1 && 0 && \"x\")",
    "((null ?? false) || \"y\")",
    "[[1, 2], ...[[3], 4], ...[...[5]]]",
    "[...[1, , 2]]",
    "[...[undefined]]",
    "[...new Set([1])]",
    "[...new Map([[1, 2]]).keys()]",
    "({ ...[] as any, ...{} })",
    "[,].length",
    "[1, ].length",
    "({ a: 1 } as any)?.[\"a\"]",
    "({ a: [1] } as any).a?.[0]",
    "({ a: { b: [[1]] } } as any)?.a.b[0][0]",
    "({ [`a${1}`]: 1, a1: 2 })",
    "({ a: 1, [\"a\"]: 2, b: 3 })",
    "({ [\"a\"]: 1, a: 2 })",
    "({ ...{ a: 1, b: 1 }, ...{ a: 2, c: 3 } })",
    "({ a: 1, get a() { return 2; } })",
    "({ get a() { return 2; }, a: 1 })",
    "({ set a(x: any) {} })",
    "({ ...{ get a() { return env(\"text\"); } } })",
    "({ ...{ __proto__: { a: 1 } } })",
    "({ __proto__: [1] })",
    "({ __proto__: 1, a: 2 })",
    "({ [`__proto__`]: 1 })",
    "new Array(3)",
    "Array(2).fill(1)",
    "Array.of(1, 2)",
    "Object.create(null)",
    "`a${`b${\"c\"}`}`",
    "[[[]]]",
    "[...[[1]], [[2]]]",
    "(() => { return { a: 1 }; })()",
    "(class { static [\"a\"] = 1; } as any).a",
    "1_0.0_1",
    "1e-400",
    "(void 0 ?? null)",
    "(null || undefined || 0)",
    "import.meta.env?.MODE",
    "typeof import.meta",
];

/// Statements that change what something means. `N` is a number of its own; `NAME` is bound to a value that a
/// contract may use.
pub(super) const STATEMENTS: &[&str] = &[
    "let NAME: any = \"first\";",
    "let NAME: any = \"first\"; NAME = \"second\";",
    "var NAME: any = \"first\"; var NAME: any = \"second\";",
    "var NAME: any = \"first\"; { var NAME: any = \"second\"; }",
    "let NAME: any; NAME = [1];",
    "let NAME: any = 1; NAME++;",
    "let NAME: any = 1; export const lateN = () => { NAME = 2; };",
    "let [NAME]: any = [1]; [NAME] = [2];",
    "const NAME: any = env(\"text\");",
    "const NAME: any = { fixed: \"f\", moving: env(\"text\") };",
    "const NAME: any = [env(\"number\"), 2][1];",
    "const NAME: any = env(\"flag\") ? { a: 1 } : { a: 2 };",
    "const NAME: any = { a: env(\"flag\") ? 1 : 2 };",
    "function NAME() { return 1; }",
    "class NAME { static a = 1; }",
    "const NAME: any = new (class { a = 1; })();",
    "const NAME: any = [1, 2, 3].filter((x) => x > 1);",
    "const { NAME = \"fallback\" } = env(\"object\") as any;",
    "const { a: NAME } = env(\"object\") as any;",
    "const { a: NAME = \"fallback\" } = { a: undefined } as any;",
    "const { a: NAME = \"fallback\" } = { a: null } as any;",
    "const { [env(\"text\")]: takenN, ...NAME } = { one: 1, other: 2, a: 3 } as any;",
    "const { length: NAME } = \"abc\";",
    "const { length: NAME } = [1, 2];",
    "const { 0: NAME } = \"abc\" as any;",
    "const { 0: NAME } = [\"first\"];",
    "const { toString: NAME } = {} as any;",
    "const [NAME] = \"abc\";",
    "const [NAME] = new Set([\"a\"]);",
    "const [NAME = \"d\"] = [undefined] as any[];",
    "const [, NAME] = [1];",
    "const [...NAME] = \"ab\";",
    "const [firstN, ...[NAME]] = [1, 2, 3];",
    "const [firstN, ...{ length: NAME }] = [1, 2, 3];",
    "const { a: { b: NAME = 5 } = {} as any } = {} as any;",
    "const { a: [NAME] = [\"x\"] } = { a: undefined } as any;",
    "const { ...NAME } = { a: 1, get b() { return env(\"text\"); } };",
    "const { ...NAME } = [1, 2] as any;",
    "const { __proto__: NAME } = { a: 1 } as any;",
    "const { __proto__: NAME } = { [\"__proto__\"]: \"own\" } as any;",
    "const { a: firstN, a: NAME } = { a: 1 };",
    "const { a: firstN, b: NAME = firstN } = { a: 1 } as any;",
    "const NAME: any = laterValueN; const laterValueN = 1;",
    "const NAME: any = (() => laterValueN); const laterValueN = 1;",
    "const NAME: any = hoistedN; var hoistedN = 1;",
    "const NAME: any = { a: hoistedN() }; function hoistedN() { return env(\"text\"); }",
    "const NAME: any = (sideN.a = 2, { a: 1 }); var sideN: any = {};",
    "let swapN = 1; const NAME: any = swapN; swapN = 2;",
    "let swapN = 1; swapN = 2; const NAME: any = swapN;",
    "let cellN: any = { a: 1 }; const NAME: any = cellN; cellN.a = 2;",
    "const cellN: any = { a: 1 }; let NAME: any = cellN; NAME = { a: 3 };",
    "const cellN: any = { a: { b: 1 } }; const NAME: any = { ...cellN }; cellN.a.b = 2;",
    "const cellN: any = [{ b: 1 }]; const NAME: any = [...cellN]; NAME[0].b = 2;",
    "const cellN: any = { a: { b: 1 } }; const { ...NAME } = cellN; (NAME as any).a.b = 2;",
    "const cellN: any = [[1]]; const [...NAME] = cellN; (NAME as any)[0].push(2);",
    "const cellN: any = { a: 1 }; const NAME: any = Object.freeze(cellN); try { cellN.a = 2; } catch {}",
    "const cellN: any = { a: { b: 1 } }; const NAME: any = Object.freeze(cellN); cellN.a.b = 2;",
    "const NAME: any = Object.freeze({ a: [1] }); NAME.a.push(2);",
    "const NAME: any = JSON.parse('{\"a\":1}'); NAME.a = 2;",
    "const NAME: any = [1, 2].reverse();",
    "const NAME: any = ((a) => { a.push(3); return a; })([1, 2]);",
    "const cellN: any = { a: 1 }; const NAME: any = { c: cellN }; NAME.c.a = 2;",
    "const cellN: any = { a: 1 }; const NAME: any = { c: cellN }; const otherN: any = { d: NAME }; otherN.d.c.a = 2;",
    "const cellN: any = { a: 1 }; const NAME: any = true ? cellN : null; cellN.a = 2;",
    "const cellN: any = { a: 1 }; const NAME: any = cellN ?? 1; cellN.a = 2;",
    "const cellN: any = { a: 1 }; const NAME: any = (cellN as any)!; const aliasN: any = NAME; aliasN.a = 2;",
    "const cellN: any = { get a() { return env(\"text\"); } }; const NAME: any = { ...cellN };",
    "const cellN: any = { a: 1, b: 2 }; delete cellN.a; const NAME: any = { ...cellN };",
    "const NAME: any = { a: 1 }; export const lateN = () => Object.assign(NAME, { a: 2 });",
    "const NAME: any = { a: 1 }; (globalThis as any).leakN = NAME; (globalThis as any).leakN.a = 2;",
    "const NAME: any = { a: 1 }; (function (this: any) { this.a = 2; }).call(NAME);",
    "const NAME: any = { a: 1, m() { this.a = 2; } }; NAME.m();",
    "const NAME: any = { a: 1 }; const boundN = function (this: any) { this.a = 2; }.bind(NAME); boundN();",
    "const NAME: any = { a: 1 }; Promise.resolve(NAME).then((x) => { x.a = 2; });",
    "const NAME: any = { a: 1 }; await Promise.resolve(NAME).then((x) => { x.a = 2; });",
    "const NAME: any = { a: 1 }; queueLikeN(NAME); function queueLikeN(x: any) { const y = x; y.a = 2; }",
    "const NAME: any = { a: 1 }; const wrapN = { ...{ inner: NAME } }; wrapN.inner.a = 2;",
    "const NAME: any = [1]; const wrapN = { inner: NAME }; const { inner: pulledN } = wrapN; pulledN.push(2);",
    "const NAME: any = [3, 1, 2]; const sortedN = NAME.sort(); void sortedN;",
    "const NAME: any = [3, 1]; NAME[\"length\"] = 1;",
    "const NAME: any = { list: [1] }; NAME.list.push(2);",
    "const NAME: any = { list: [1] }; const { list: pulledN } = NAME; pulledN.push(2);",
    "const NAME: any = { list: [1] }; for (const x of Object.values(NAME) as any[]) x.push(2);",
    "const NAME: any = { list: [{ a: 1 }] }; for (const x of NAME.list) x.a = 2;",
    "const NAME: any = { list: [{ a: 1 }] }; NAME.list.forEach((x: any) => { x.a = 2; });",
    "const NAME: any = { list: [{ a: 1 }] }; NAME.list.map((x: any) => x).at(0).a = 2;",
    "const NAME: any = { list: [{ a: 1 }] }; NAME.list.find(() => true).a = 2;",
    "const NAME: any = { list: [{ a: 1 }] }; NAME.list[0].a = 2;",
    "const NAME: any = { list: [{ a: 1 }] }; const [x0N] = NAME.list; x0N.a = 2;",
    "const NAME: any = { list: [{ a: 1 }] }; const { list: [x0N] } = NAME; x0N.a = 2;",
    "enum NAME { A = 1, B = A + 1, C = \"x\".length as any }",
    "enum NAME { A = env(\"number\") as any, B }",
    "enum NAME { A = 1 } enum NAME { B = 2 }",
    "enum NAME { A = 1 } (NAME as any).A = 5;",
    "enum NAME { A = 1 } namespace NAME { export const B = 7; }",
    "enum NAME { A = 1, B = 1 }",
    "enum NAME { A = -1, B }",
    "enum NAME { A = 1.5, B }",
    "enum NAME { A = \"a\", B = \"b\" }",
    "enum NAME { A, \"x-y\", B = NAME[\"x-y\"] + 2, C }",
    "enum NAME { A, B = A, C = B + 0.5, D }",
    "const aN = 7; enum NAME { A = aN, B }",
    "const A = 9; enum NAME { B = A, C }",
    "enum NAME { A = 3, B = NAME.A << 2, C = ~B, D = `t`.length as any }",
    "const enum NAME { A = 2, B = A * 3, C = \"c\" as any }",
    "enum NAME { toString = 1 as any, constructor = 2 as any }",
    "enum NAME { A = 0, B = A || 5 as any }",
    "declare enum NAME { A = 1 }",
    "enum NAME { A = 1 / 0, B = NaN, C = -0 }",
    "namespace NAME { export const A = \"ns\"; }",
    "namespace NAME { export let A = \"ns\"; A = \"changed\"; }",
    "const NAME: any = (E => { E[\"A\"] = \"x\"; return E; })({} as any);",
    "var NAME: any = ((E) => { E[\"A\"] = \"x\"; return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[E[\"A\"] = 0] = \"A\"; return E; })(NAME || {}); NAME.A = 5;",
    "var NAME: any = { A: \"early\" }; var NAME: any = ((E: any) => { E[\"B\"] = \"x\"; return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[\"A\"] = \"x\"; E[\"A\"] = env(\"text\"); return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[\"A\"] = \"x\"; E[\"B\"] = E.A + 1; return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[\"A\"] = \"x\"; E[\"B\"] = E[\"A\"]; return E; })(NAME || {});",
    "const undefined = \"shadowed\" as any; const NAME: any = undefined;",
    "const NaN = 5; const NAME: any = NaN;",
    "const Infinity = 6; const NAME: any = [Infinity];",
    "const Object: any = { freeze: () => \"not frozen\" }; const NAME: any = Object.freeze({ a: 1 });",
    "const JSON: any = { parse: () => \"not parsed\" }; const NAME: any = JSON.parse(\"1\");",
    "function scopeN(undefined: any) { return undefined; } const NAME: any = scopeN(4);",
    "const outerN = 1; const NAME: any = (() => { const outerN = 2; return outerN; })();",
    "const NAME: any = { a: 1 }; { const NAME: any = { a: 5 }; NAME.a = 6; }",
    "label: for (const NAME of [1]) { break label; } const NAME: any = \"after\";",
    "if (env(\"flag\")) { var NAME: any = 1; } else { var NAME: any = 2; }",
    "try { throw 1; } catch (e) { var NAME: any = e; }",
    "for (var NAME: any = 0; NAME < 3; NAME++);",
    "const objN: any = { n: { a: 1 } }; const NAME: any = objN.n; objN.n = { a: 2 };",
    "const objN: any = { n: { a: 1 } }; objN.n = { a: 2 }; const NAME: any = objN.n;",
    "const objN: any = { n: 1 }; const NAME: any = { copy: objN.n }; objN.n = 2;",
    "const objN: any = { n: 1 }; objN.n = 2; const NAME: any = { copy: objN.n };",
    "const objN: any = { n: 1 }; const keepN: any = [objN]; keepN[0].n = 2; const NAME: any = objN.n;",
    "const objN: any = { n: 1 }; const keepN: any = { objN }; keepN.objN.n = 2; const NAME: any = objN;",
    "const listN: any = [1, 2]; const NAME: any = listN.length; listN.push(3);",
    "const listN: any = [1, 2]; listN.push(3); const NAME: any = listN.length;",
    "const listN: any = [1, 2]; const sameN = [listN].flat(); const NAME: any = [...listN]; void sameN;",
    "const selfN: any = { a: 1 }; selfN.self = selfN; const NAME: any = selfN.a;",
    "const NAME: any = { a: 1 }; with_N(); function with_N() { NAME.a++; }",
    "const NAME: any = { a: 1 }; export const lateN = async () => { NAME.a = 2; };",
    "const NAME: any = { a: 1 }; Object.defineProperty(NAME, \"a\", { get: () => env(\"text\") });",
    "const NAME: any = { a: { b: 1 } }; Object.values(NAME).forEach((x: any) => x.b = 2);",
    "const NAME: any = { a: { b: 1 } }; const mN = new Map(Object.entries(NAME)); (mN.get(\"a\") as any).b = 2;",
    "const NAME: any = { a: { b: 1 } }; (NAME[\"a\" as string] as any).b = 2;",
    "const NAME: any = { a: { b: 1 } }; const keyN = \"a\"; NAME[keyN].b = 2;",
    "const NAME: any = { a: { b: 1 } }; JSON.stringify(NAME, (k, v) => { if (k === \"a\") v.b = 2; return v; });",
    "const NAME: any = { a: 1, toJSON() { return \"json\"; } };",
    "const NAME: any = { a: 1, [Symbol.toPrimitive]: () => \"prim\" };",
    "let NAME: any = { a: 1 }; ({ NAME } = { NAME: { a: 2 } });",
    "let NAME: any = 1; for (NAME of [2, 3]) {}",
    "let NAME: any = 1; for (NAME in { k: 1 }) {}",
    "let NAME: any = 1; (() => { NAME = 2; })();",
    "let NAME: any; NAME ??= \"x\";",
    "let NAME: any = { a: 1 }; NAME = NAME;",
    "let chainN: any; const NAME: any = chainN = { a: 1 }; chainN.a = 2;",
    "const NAME: any = [1, 2]; [NAME[0], NAME[1]] = [NAME[1], NAME[0]];",
    "const NAME: any = { a: 1 }; ((NAME)).a = 2;",
    "const NAME: any = { a: 1 }; label: { if (env(\"flag\")) break label; NAME.a = 2; }",
    "const NAME: any = { a: 1 }; const refN = new WeakRef(NAME); (refN.deref() as any).a = 2;",
    "const NAME: any = { a: 1 }; new Promise((resolve) => { NAME.a = 2; resolve(1); });",
    "const NAME: any = { a: 1 }; (async () => { NAME.a = 2; })();",
    "const NAME: any = { a: 1 }; function* genN(): any { NAME.a = 2; yield 1; } void [...genN()];",
    "const NAME: any = { a: 1 }; const tagN = (s: any) => { NAME.a = 2; return s; }; void tagN`x`;",
    "const NAME: any = { a: 1 }; class SubN extends Array { constructor() { super(); NAME.a = 2; } } new SubN();",
    "const NAME: any = { a: 1 }; void { [(() => { NAME.a = 2; return \"k\"; })()]: 1 };",
    "const NAME: any = { a: 1 }; void `${(NAME.a = 2)}`;",
    "const NAME: any = { a: 1 }; NAME.a = NAME.a;",
    "const NAME: any = { a: { b: 1 } }; structuredClone(NAME).a.b = 2;",
    "const NAME: any = [[1], [2]]; NAME.slice(0, 1)[0].push(9);",
    "const NAME: any = { a: 1 }; Object.setPrototypeOf(NAME, { c: 2 });",
    "const NAME: any = [1]; Object.setPrototypeOf(NAME, { extra: 1 });",
    "const NAME: any = Object.create({ a: 1 });",
    "const NAME: any = Object.create(null, { a: { value: 1, enumerable: true } });",
    "const NAME: any = { a: 1, get [\"b\"]() { return this.a; } };",
    "const keyN = env(\"text\"); const NAME: any = { a: 1, [keyN]: 2 };",
    "class NAME { static get a() { return env(\"text\"); } }",
    "enum NAME { A = 1 } Object.assign(NAME, { A: 2 });",
    "enum NAME { A = 1 } delete (NAME as any).A;",
    "const enum NAME { A = \"x\".length as any, B = 2 }",
    "const holderN = { a: 1 } as const; enum NAME { A = holderN.a, B = 2 }",
    "namespace NAME { export const a = { b: 1 }; } (NAME as any).a.b = 2;",
    "namespace NAME { export namespace A { export const b = 1; } }",
    "namespace NAME { export const a = 1; } namespace NAME { export const B = a + 1; }",
    "namespace NAME { export enum A { a = 1 } }",
    "enum NAME { B = A, A = 1 }",
    "enum NAME { B = NAME.A ?? 3 as any, A = \"x\" }",
    "enum NAME { A = 1, B = C ?? 2 as any, C = 3, D }",
    "const NAME: any = enumN?.A ?? \"early\"; enum enumN { A = 1 }",
    "const NAME: any = (enumN as any) ? { a: 1 } : { a: 2 }; enum enumN { A = 1 }",
    "const { a: NAME = \"early\" } = { a: enumN as any }; enum enumN { A = 1 }",
    "const NAME: any = { a: 1, ...(enumN as any) }; enum enumN { a = 2 }",
    "const NAME: any = [enumN as any]; enum enumN { A = 1 }",
    "var NAME: any = ((E: any) => { E[\"A\"] = \"x\"; E[\"B\"] = (E.A = \"y\"); return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[\"B\"] = E[\"A\"] ?? 1; E[\"A\"] = \"x\"; return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[\"A\"] = \"x\"; E[\"B\"] = E[\"A\"]; E[\"A\"] = \"y\"; return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[\"A\"] = 1; E[\"B\"] = E.A++; return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[\"A\"] = 1; E[\"B\"] = delete E.A; return E; })(NAME || {});",
    "var NAME: any = ((E: any) => { E[\"A\"] = 1; E[\"B\"] = Object.assign(E, { A: 2 }).A; return E; })(NAME || {});",
];

/// Values that a function changes which other modules may call: `NAME` is the value, `CHANGE` the function's name and
/// `NEW` something else.
const REMOTE: &[&str] = &[
    "let NAME: any = \"first\";\nexport function CHANGE() { NAME = NEW; }",
    "let NAME: any = { a: 1 };\nexport const CHANGE = () => { NAME = { a: NEW }; };",
    "var NAME: any = { a: 1 };\nexport function CHANGE() { NAME.a = NEW; }",
    "const NAME: any = { a: 1 };\nexport function CHANGE() { NAME.a = NEW; }",
    "const NAME: any = { a: 1 };\nexport const CHANGE = () => { delete NAME.a; };",
    "const NAME: any = { a: { b: 1 } };\nexport const CHANGE = (it: any = NAME) => { it.a.b = NEW; };",
    "const NAME: any = { a: 1 };\nexport const CHANGE = () => Object.assign(NAME, { a: NEW });",
    "const NAME: any = [1];\nexport const CHANGE = () => { NAME.push(NEW); };",
    "const NAME: any = { a: [1] };\nexport async function CHANGE() { NAME.a.push(NEW); }",
    "const NAME: any = { a: 1 };\nexport const CHANGE = function () { NAME.a = NEW; }.bind(null);",
    "const NAME: any = { a: 1 };\nconst inner_CHANGE = () => { NAME.a = NEW; };\nexport { inner_CHANGE as CHANGE };",
];

/// Members that the values of [`STATEMENTS`] may have.
pub(super) const SUFFIXES: &[&str] = &[
    "",
    "",
    "",
    "",
    ".a",
    ".A",
    "[\"A\"]",
    ".B",
    ".C",
    "[0]",
    "[1]",
    ".a.b",
    ".list",
    ".fixed",
    ".moving",
    ".D",
    "?.a",
    ".c",
    "[\"x-y\"]",
    ".c?.a",
];

impl Generator {
    /// Something instead of a value, where the program has a liking for it.
    pub(super) fn wild_value(&mut self) -> Option<String> {
        if self.wildness == 0 || !self.random.once_in(self.wildness) {
            return None;
        }
        let text = self.random.pick(WILD);
        Some(if text.starts_with('(') || text.starts_with('[') || text.starts_with('`') {
            text.to_owned()
        } else {
            format!("({text})")
        })
    }

    /// A statement that may deceive, and a value for a contract to be deceived with.
    pub(super) fn hazard(&mut self) {
        debug_assert_eq!(self.class, Class::Any, "a supported program deceives nobody");
        match self.random.below(11) {
            0..=3 => {
                let shared = self.find(|path| path.shape.is_shared());
                if let Some(path) = shared {
                    self.mutate(&path.text, &path.shape);
                }
            }
            4 | 5 => self.mutate_fresh(),
            6 => {
                let name = self.fresh_name();
                let (wild, number) = (self.random.pick(WILD), self.unique());
                self.push(format!("const {name}: any = ({wild});"));
                if self.random.once_in(3) {
                    self.drafts[self.at]
                        .exports
                        .push(Export { name: format!("x{number}"), shape: Shape::Null });
                    self.push(format!("export {{ {name} as x{number} }};"));
                }
                self.drafts[self.at].learn(&name, &Shape::Null);
                self.heat(&name);
            }
            7 => self.look_alike(),
            8 => self.change_from_afar(),
            _ => self.deceive(),
        }
    }

    /// A value with a function that changes it, both exported: whoever imports the function calls it.
    fn change_from_afar(&mut self) {
        let (name, number, new) = (self.fresh_name(), self.unique(), self.literal());
        let change = format!("change{number}");
        let text = self.random.pick(REMOTE).replace("NAME", &name).replace("NEW", &new);
        self.push(text.replace("CHANGE", &change));
        self.push(format!("export {{ {name} as x{number} }};"));
        let shape = Shape::Record(vec![("a".to_owned(), Shape::Number)]);
        self.drafts[self.at].exports.push(Export { name: format!("x{number}"), shape });
        self.drafts[self.at].exports.push(Export { name: change, shape: Shape::Change });
        self.heat(&name);
    }

    fn deceive(&mut self) {
        let (name, number) = (self.fresh_name(), self.unique().to_string());
        let template = self.random.pick(STATEMENTS);
        self.push(numbered_with_name(template, &name, &number));
        let suffix = self.random.pick(SUFFIXES);
        let text = format!("{name}{suffix}");
        if !self.is_exported(&name) && self.random.once_in(2) {
            let exported = format!("x{}", self.unique());
            self.push(format!("export {{ {name} as {exported} }};"));
            // Only its members can be used as texts elsewhere; a list of one is no worse than any guess.
            self.drafts[self.at]
                .exports
                .push(Export { name: exported, shape: Shape::Record(vec![("a".to_owned(), Shape::Number)]) });
        }
        self.heat(&text);
        self.heat(&name);
        if self.random.once_in(2) {
            let copy = self.fresh_name();
            self.push(format!("const {copy}: any = {text};"));
            self.heat(&copy);
        }
    }

    /// A constant that exists to be changed, exported or not.
    fn mutate_fresh(&mut self) {
        let name = self.fresh_name();
        let (value, shape) = if self.random.once_in(2) { self.record(2) } else { self.list(2) };
        self.push(format!("const {name}: any = {value};"));
        self.drafts[self.at].learn(&name, &shape);
        if self.random.once_in(2) {
            let exported = format!("x{}", self.unique());
            self.push(format!("export {{ {name} as {exported} }};"));
            self.drafts[self.at].exports.push(Export { name: exported, shape: shape.clone() });
        }
        self.mutate(&name, &shape);
    }

    /// A function of the program's that has a helper's name, or stands where a helper is looked for.
    fn look_alike(&mut self) {
        let number = self.unique();
        let line = match self.random.below(6) {
            0 => format!("const wrap{number} = (x: any) => ({{ ...x, description: \"wrapped\" }});"),
            1 => "{ const fromJsonSchema = (x: any) => x; void fromJsonSchema({}); }".to_owned(),
            2 => format!(
                "function build{number}(defineAgentComponentContract: any) {{ return defineAgentComponentContract({{ type: env(\"text\") }}); }}\nbuild{number}((x: any) => x);"
            ),
            3 => format!(
                "const store{number} = {{ register(x: any) {{ return x; }} }};\nstore{number}.register({{ type: \"x\" }});"
            ),
            4 => {
                // The helper under a name of the program's that does something else first.
                let helper = self.core("fromJsonSchema");
                let at = self.at;
                self.hot.push((at, format!("titled{number}({{ type: \"string\" }}).jsonSchema")));
                format!("const titled{number} = (x: any): any => {helper}({{ ...x, title: env(\"text\") }});")
            }
            _ => {
                let (helper, new) = (self.core("fromJsonSchema"), self.literal());
                let at = self.at;
                self.hot.push((at, format!("made{number}.jsonSchema")));
                format!(
                    "const made{number}: any = {helper}({{ type: \"string\", title: \"before\" }});\nmade{number}.jsonSchema.title = {new};"
                )
            }
        };
        self.push(line);
    }
}

/// A statement of [`STATEMENTS`] about `name`.
pub(super) fn numbered_with_name(template: &str, name: &str, number: &str) -> String {
    let parts: Vec<String> = template.split("NAME").map(|part| numbered(part, number)).collect();
    parts.join(name)
}

/// Gives the names that end with `N` their number.
fn numbered(template: &str, number: &str) -> String {
    let letters: Vec<char> = template.chars().collect();
    let mut out = String::with_capacity(template.len() + 8);
    for (index, &letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(index + 1).copied();
        let is_word = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric());
        let ends_a_name = before
            .is_some_and(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
        if letter == 'N' && ends_a_name && !is_word(after) && !out.ends_with("Na") {
            out.push_str(number);
        } else {
            out.push(letter);
        }
    }
    out
}
