//! Ways from one module to another, each as a program of a few: what an import leads to, and who else has a hand on it.
//!
//! `src/main.ts` gets what its own lines say, the import of the core and, at the end, a contract that carries `value`.

/// Programs as [`crate::Program`] prints them, without the core and without the contract.
pub(super) const GRAPHS: &[&str] = &[
    // Stars: names that come by several ways, or by one that leads back.
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.ts
export * from \"./m2\"; export * from \"./m3\";
//// src/m2.ts
export * from \"./m4\";
//// src/m3.ts
export * from \"./m4\";
//// src/m4.ts
export const value = { a: 1 };",
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.ts
export * from \"./m2\"; export * from \"./m3\";
//// src/m2.ts
export { value } from \"./m4\";
//// src/m3.ts
export { value } from \"./m4\";
//// src/m4.ts
export const value = { a: 1 };",
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.ts
export * from \"./m2\"; export * from \"./m3\";
//// src/m2.ts
export * from \"./m1\";
//// src/m3.ts
export const value = { a: 1 };",
    "//// src/main.ts
import { value } from \"./m2\";
//// src/m1.ts
export * from \"./m2\"; export const value = { a: 1 };
//// src/m2.ts
export * from \"./m1\"; export const other = 2;",
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.ts
export * from \"./m2\"; export * from \"./m3\"; export const value = \"own\";
//// src/m2.ts
export const value = 2;
//// src/m3.ts
export const value = 3;",
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.ts
export * from \"./m2\"; export { other as value } from \"./m3\";
//// src/m2.ts
export const value = 2, other = 22;
//// src/m3.ts
export const value = 3, other = 33;",
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.ts
export * from \"./m2\"; export * from \"./m3\";
//// src/m2.ts
export const value = 2;
//// src/m3.ts
export const value = 3;",
    "//// src/main.ts
import * as all from \"./m1\";
const value: any = (all as any).value ?? \"ambiguous\";
//// src/m1.ts
export * from \"./m2\"; export * from \"./m3\";
//// src/m2.ts
export const value = 2;
//// src/m3.ts
export const value = 3;",
    "//// src/main.ts
import * as all from \"./m1\";
const value: any = (all as any).default ?? \"no default\";
//// src/m1.ts
export * from \"./m2\";
//// src/m2.ts
export default 1; export const other = 2;",
    // Namespaces as values.
    "//// src/main.ts
import { value as all } from \"./m1\";
const value = [all.a, all.default];
//// src/m1.ts
export * as value from \"./m2\";
//// src/m2.ts
export const a = { b: 1 }; export default 2;",
    "//// src/main.ts
import * as all from \"./m1\";
const { value, ...rest } = all as any; void rest;
//// src/m1.ts
export const value = { a: 1 }, other = 2;",
    "//// src/main.ts
import * as all from \"./m1\";
const { value } = { ...all };
//// src/m1.ts
export const value = { a: 1 };",
    "//// src/main.ts
import * as all from \"./m1\";
const name = \"value\"; const value = all[name];
try { (all as any).value = 2; } catch {}
//// src/m1.ts
export const value = { a: 1 };",
    "//// src/main.ts
import * as all from \"./m1\";
const { value } = all; const held: any = { all }; held.all.value.a = 2;
//// src/m1.ts
export const value = { a: 1 };",
    "//// src/main.ts
import { value } from \"./main\";
const kept = { a: 1 };
export { kept as value };",
    // Defaults, and what becomes of them.
    "//// src/main.ts
import value from \"./m1\";
//// src/m1.ts
let x = { a: 1 }; export default x; x = { a: 2 };",
    "//// src/main.ts
import value from \"./m1\";
//// src/m1.ts
let x = { a: 1 }; export { x as default }; x = { a: 2 };",
    "//// src/main.ts
import value from \"./m1\";
//// src/m1.ts
const x: any = { a: 1 }; export default x; x.a = 2;",
    "//// src/main.ts
import value from \"./m1\";
//// src/m1.ts
const x: any = { a: 1 }; export default { x }; x.a = 2;",
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.ts
export { default as value } from \"./m2\";
//// src/m2.ts
const x = { a: 1 }; export { x as default };",
    "//// src/main.ts
import value from \"./m1\";
//// src/m1.ts
export default (1, { a: 1 });",
    "//// src/main.ts
import { \"a b\" as value } from \"./m1\";
//// src/m1.ts
const x = { a: 1 }; export { x as \"a b\" };",
    "//// src/main.ts
import value from \"./data.json\" with { type: \"json\" };
//// src/data.json
{ \"a\": 1, \"list\": [1] }",
    "//// src/main.ts
import data, { list as value } from \"./data.json\";
(data as any).list.push(2);
//// src/data.json
{ \"a\": 1, \"list\": [1] }",
    // Live bindings and modules that are not evaluated yet.
    "//// src/main.ts
import { value, set } from \"./m1\"; set(2);
//// src/m1.ts
export let value = 1; export const set = (x: any) => { value = x; };",
    "//// src/main.ts
import { value } from \"./m1\"; export const base = 1;
//// src/m1.ts
import { base } from \"./main\"; export const value = (() => { try { return [base]; } catch { return [\"early\"]; } })();",
    "//// src/main.ts
import { value } from \"./m1\"; export const base: any = { a: 1 };
//// src/m1.ts
import { base } from \"./main\"; export const value = { get a() { return base; } };",
    "//// src/main.ts
import { value } from \"./m1\"; export var base = \"late\";
//// src/m1.ts
import { base } from \"./main\"; export const value = { a: base ?? \"early\" };",
    "//// src/main.ts
import { value } from \"./m1\"; export enum Base { A = \"late\" }
//// src/m1.ts
import { Base } from \"./main\"; export const value = { a: Base?.A ?? \"early\" };",
    // Another module changes what this one has, by every way to it.
    "//// src/main.ts
import \"./m3\"; import { value } from \"./m1\";
//// src/m1.ts
export const value: any = { a: 1 };
//// src/m3.ts
import { value } from \"./m1\"; value.a = 2;",
    "//// src/main.ts
import \"./m3\"; import { value } from \"./m1\";
//// src/m1.ts
export const value: any = { a: 1 };
//// src/m3.ts
import * as all from \"./m1\"; all.value.a = 2;",
    "//// src/main.ts
import \"./m3\"; import { value } from \"./m1\";
//// src/m1.ts
export const value: any = { a: 1 }; export default { value };
//// src/m3.ts
import all from \"./m1\"; all.value.a = 2;",
    "//// src/main.ts
import \"./m3\"; import { value } from \"./m1\";
//// src/m1.ts
export const value: any = { a: 1 };
//// src/m2.ts
export * from \"./m1\";
//// src/m3.ts
import { value as other } from \"./m2\"; other.a = 2;",
    "//// src/main.ts
import \"./m3\"; import { value } from \"./m1\";
//// src/m1.ts
export const value: any = { a: 1 };
//// src/m2.ts
export * as all from \"./m1\";
//// src/m3.ts
import { all } from \"./m2\"; all.value.a = 2;",
    "//// src/main.ts
import \"./m3\"; import { value } from \"./m1\";
//// src/m1.ts
export const value: any = { a: 1 };
//// src/m3.ts
const all = await import(\"./m1\"); all.value.a = 2;",
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.ts
import { value } from \"./m2\"; value.a = 2; export { value };
//// src/m2.ts
export const value: any = { a: 1 };",
    "//// src/main.ts
import { value, inner } from \"./m1\"; (inner as any).push(2);
//// src/m1.ts
export const inner = [1]; export const value = { inner };",
    "//// src/main.ts
import { touch } from \"./m1\"; const value: any = { a: 1 }; touch(value);
//// src/m1.ts
export const touch = (x: any) => { x.a = 2; };",
    "//// src/main.ts
import * as tools from \"./m1\"; const value: any = { a: 1 }; tools.touch(value);
//// src/m1.ts
export { touch } from \"./m2\";
//// src/m2.ts
export function touch(x: any) { x.a = 2; }",
    "//// src/main.ts
import touch from \"./m1\"; const value: any = { a: 1 }; touch(value);
//// src/m1.ts
export default function (x: any) { x.a = 2; }",
    "//// src/main.ts
import { touch } from \"./m1\"; const value: any = { a: 1 }; const again = touch; again(value);
//// src/m1.ts
export const touch = (x: any) => { x.a = 2; };",
    "//// src/main.ts
import { touch } from \"./m1\"; const value: any = { a: 1 }; [value].forEach(touch);
//// src/m1.ts
export const touch = (x: any) => { x.a = 2; };",
    "//// src/main.ts
import { tools } from \"./m1\"; const value: any = { a: 1 }; tools.touch(value);
//// src/m1.ts
export const tools = { touch(x: any) { x.a = 2; } };",
    "//// src/main.ts
import { Box } from \"./m1\"; const value: any = { a: 1 }; new Box(value);
//// src/m1.ts
export class Box { constructor(x: any) { x.a = 2; } }",
    "//// src/main.ts
import { touch } from \"./m1\"; const value: any = { a: 1 }; touch`${value}`;
//// src/m1.ts
export const touch = (_: any, x: any) => { x.a = 2; };",
    "//// src/main.ts
import { value } from \"./m1\";
//// src/m1.tsx
/** @jsxRuntime classic @jsx h */ const h = (_: any, props: any) => { props.v.a = 2; };
export const value: any = { a: 1 }; void <div v={value} />;",
];
