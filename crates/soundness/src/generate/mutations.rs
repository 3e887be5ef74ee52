//! Changes of a value: by every syntax, along every way to the object, at every time.

use super::Generator;
use super::scope::{Shape, access};

/// Ways to an object, each an expression that comes to `TARGET`, with what must stand before it. `N` is a number
/// of its own.
pub(super) const ROUTES: &[(&str, &str)] = &[
    ("", "TARGET"),
    ("", "(TARGET as any)"),
    ("const aliasN: any = TARGET;", "aliasN"),
    ("let aliasN: any = TARGET;", "aliasN"),
    ("let aliasN: any; aliasN = TARGET;", "aliasN"),
    ("let aliasN: any; (aliasN) = TARGET;", "aliasN"),
    ("var aliasN: any = TARGET, otherN = aliasN;", "otherN"),
    ("const holderN: any = { h: TARGET };", "holderN.h"),
    ("const holderN: any = { deep: [TARGET] };", "holderN.deep[0]"),
    ("const holderN: any = {}; holderN.h = TARGET;", "holderN.h"),
    ("const listN: any[] = []; listN.push(TARGET);", "listN[0]"),
    ("", "([TARGET] as any)[0]"),
    ("", "({ x: TARGET } as any).x"),
    ("", "(() => TARGET as any)()"),
    ("", "(function () { return TARGET as any; })()"),
    ("function makeN(): any { return TARGET; }", "makeN()"),
    ("const makeN = (): any => TARGET;", "makeN()"),
    ("const identityN = (x: any) => x;", "identityN(TARGET)"),
    ("", "(true ? (TARGET as any) : {})"),
    ("", "(env(\"flag\") ? (TARGET as any) : {})"),
    ("", "((TARGET as any) || {})"),
    ("", "((TARGET as any) ?? {})"),
    ("", "(0, TARGET as any)"),
    ("const { x: partN } = { x: TARGET as any };", "partN"),
    ("const [partN] = [TARGET as any];", "partN"),
    ("const { x: partN = TARGET as any } = {} as any;", "partN"),
    ("let partN: any; ({ x: partN } = { x: TARGET });", "partN"),
    ("let partN: any; [partN] = [TARGET];", "partN"),
    ("const mapN = new Map<string, any>([[\"k\", TARGET]]);", "mapN.get(\"k\")"),
    ("", "Object.values({ x: TARGET } as any)[0] as any"),
    ("", "Object.freeze([TARGET as any])[0]"),
    ("", "({ ...{ x: TARGET as any } }).x"),
    ("", "[...[TARGET as any]][0]"),
    ("class BoxN { static held: any = TARGET; }", "BoxN.held"),
    ("const boxN = new (class { held: any = TARGET; })();", "boxN.held"),
    ("const getN = { get held(): any { return TARGET; } };", "getN.held"),
    ("(globalThis as any).shareN = TARGET;", "(globalThis as any).shareN"),
    ("const setN: any[] = [1].map(() => TARGET);", "setN[0]"),
    ("function* eachN(): any { yield TARGET; } const [onlyN] = eachN();", "onlyN"),
    ("const tagN = (_: any, x: any) => x;", "(tagN`${TARGET}` as any)"),
    ("", "Object(TARGET)"),
    ("", "(TARGET satisfies unknown as any)!"),
    ("", "(<any>TARGET)"),
];

/// Code around the change, which is `CHANGE` of the object `P`; `TARGET` is where the object comes from.
pub(super) const FRAMES: &[&str] = &[
    "((P: any) => { CHANGE })(TARGET);",
    "((P: any = TARGET) => { CHANGE })();",
    "((...rest: any[]) => { const P = rest[0]; CHANGE })(TARGET);",
    "((_: any, P: any) => { CHANGE })(1, TARGET);",
    "(({ x: P }: any) => { CHANGE })({ x: TARGET });",
    "(([P]: any) => { CHANGE })([TARGET]);",
    "(function (...args: any[]) { const P = arguments[0]; CHANGE })(TARGET);",
    "function bumpN(P: any) { CHANGE }\nbumpN(TARGET);",
    "function bumpN(P: any) { CHANGE }\nbumpN.call(null, TARGET);",
    "function bumpN(P: any) { CHANGE }\nbumpN(...([TARGET] as [any]));",
    "const bumpN = (P: any) => { CHANGE };\nconst againN = bumpN;\nagainN(TARGET);",
    "let bumpN = (P: any) => { CHANGE };\nbumpN(TARGET);",
    "const toolsN = { bump(P: any) { CHANGE } };\ntoolsN.bump(TARGET);",
    "const toolsN = { bump: (P: any) => { CHANGE } };\ntoolsN[\"bump\"](TARGET);",
    "class ToolsN { static bump(P: any) { CHANGE } }\nToolsN.bump(TARGET);",
    "class MakeN { constructor(P: any) { CHANGE } }\nnew MakeN(TARGET);",
    "for (const P of [TARGET as any]) { CHANGE }",
    "for (let P: any = TARGET, once = true; once; once = false) { CHANGE }",
    "[TARGET as any].forEach((P) => { CHANGE });",
    "new Set<any>([TARGET]).forEach((P) => { CHANGE });",
    "try { throw TARGET; } catch (P: any) { CHANGE }",
    "switch (1) { default: { const P: any = TARGET; CHANGE } }",
    "{ const P: any = TARGET; CHANGE }",
    "if (true) { var P: any = TARGET; CHANGE }",
    "export const lateN = () => { const P: any = TARGET; CHANGE };",
    "export function lateN() { const P: any = TARGET; CHANGE }",
    "const laterN = () => { const P: any = TARGET; CHANGE };\nlaterN();",
    "export class HolderN { static { const P: any = TARGET; CHANGE } }",
    "const pairN = { set it(P: any) { CHANGE } };\npairN.it = TARGET;",
    "JSON.stringify(1, () => { const P: any = TARGET; CHANGE return 1; });",
    "(TARGET as any)?.constructor === Object || (TARGET as any)?.length !== undefined ? ((P: any) => { CHANGE })(TARGET) : 0;",
];

/// Changes of a record `P` at its member `KEY` (`.key` or `["key"]`, and the key alone as a text, `NAME`).
pub(super) const RECORD_CHANGES: &[&str] = &[
    "P KEY = NEW;",
    "P[NAME] = NEW;",
    "P KEY += NEW;",
    "P KEY ||= NEW; P.added = NEW;",
    "P.added ??= NEW;",
    "P.added &&= NEW; P.more = NEW;",
    "P.count++; ",
    "--P.count;",
    "delete P KEY;",
    "Object.assign(P, { [NAME]: NEW });",
    "Object[\"assign\"](P, { [NAME]: NEW });",
    "const { assign } = Object; assign(P, { [NAME]: NEW });",
    "Object.assign.call(Object, P, { [NAME]: NEW });",
    "Object.defineProperty(P, NAME, { value: NEW, enumerable: true });",
    "Object.defineProperties(P, { [NAME]: { value: NEW, enumerable: true } });",
    "Reflect.set(P, NAME, NEW);",
    "Reflect.deleteProperty(P, NAME);",
    "Reflect.defineProperty(P, NAME, { value: NEW, enumerable: true });",
    "[P KEY] = [NEW];",
    "({ x: P KEY } = { x: NEW });",
    "({ ...P KEY } = { x: NEW });",
    "[...P KEY] = [NEW];",
    "[P KEY = NEW] = [];",
    "({ x: P KEY = NEW } = {} as any);",
    "for (P KEY of [NEW]) {}",
    "for (P KEY in { x: 1 }) {}",
    "(P KEY) = NEW;",
    "(P as any) KEY = NEW;",
    "P! KEY = NEW;",
    "const key = NAME; P[key] = NEW;",
    "for (const key of Object.keys(P)) P[key] = NEW;",
    "for (const key in P) P[key] = NEW;",
    "Object.keys(P).forEach((key) => { P[key] = NEW; });",
    "P.__defineGetter__(NAME, () => NEW);",
    "(({ set: (x: any) => { x[NAME] = NEW; } }).set)(P);",
    "const q = P; q[NAME] = NEW;",
    "let q: any = {}; q = P; q[NAME] = NEW;",
    "let q: any; const r: any = (q = P); r[NAME] = NEW;",
    "const self = { p: P }; self.p[NAME] = NEW;",
    "Object.setPrototypeOf(P, { inherited: NEW });",
    "P.__proto__ = { inherited: NEW };",
    "try { (P as any)[NAME] = NEW; } finally {}",
    "void (P[NAME] = NEW);",
    "P[`${NAME}`] = NEW;",
    "(P[NAME] as any) = NEW;",
    "Object.entries({ P }).forEach(([, it]: any) => { it[NAME] = NEW; });",
    "new Proxy(P, {})[NAME] = NEW;",
];

/// Changes of a list `P`.
pub(super) const LIST_CHANGES: &[&str] = &[
    "P.push(NEW);",
    "P[\"push\"](NEW);",
    "P[\"pu\" + \"sh\"](NEW);",
    "P?.push(NEW);",
    "P.push?.(NEW);",
    "P.unshift(NEW);",
    "P.splice(0, 1, NEW);",
    "P.fill(NEW);",
    "P.push(NEW); P.reverse();",
    "P.push(NEW, NEW); P.sort();",
    "P[0] = NEW;",
    "P[P.length] = NEW;",
    "P.length = 0; P.push(NEW);",
    "P.length++;",
    "Array.prototype.push.call(P, NEW);",
    "[].push.apply(P, [NEW] as any);",
    "Reflect.apply(Array.prototype.push, P, [NEW]);",
    "Object.assign(P, { 0: NEW });",
    "P.forEach((_: any, index: number, all: any) => { all[index] = NEW; }); P.push(NEW);",
    "P.concat(1).length; P.push(NEW);",
    "const { push } = P; push.call(P, NEW);",
    "const push = P.push.bind(P); push(NEW);",
    "[P[0]] = [NEW];",
    "for (P[0] of [NEW]) {}",
    "P.copyWithin(0, 1); P.push(NEW);",
    "P.at(0); P.with; P.push(NEW);",
    "P.map((_: any, index: number) => { P[index] = NEW; }); P.push(NEW);",
    "P.reduce((all: any) => { all.push(NEW); return all; }, P);",
    "P.entries().next(); P.push(NEW);",
    "P.flat().length; P.unshift(NEW);",
];

impl Generator {
    /// Changes what `text` leads to, which has the given shape, and remembers it for the contracts.
    pub(super) fn mutate(&mut self, text: &str, shape: &Shape) {
        let number = self.unique().to_string();
        let new = self.literal();
        let (inner, changed) = self.target_inside(text, shape);
        let change = |random: &mut crate::random::Random| match &changed {
            Shape::Record(members) => {
                let key = if members.is_empty() {
                    "added".to_owned()
                } else {
                    members[random.below(members.len())].0.clone()
                };
                let name = super::scope::quoted(&key);
                let access = if key == "__proto__" { format!("[{name}]") } else { access(&key) };
                random.pick(RECORD_CHANGES).replace(" KEY", &access).replace("NAME", &name)
            }
            _ => random.pick(LIST_CHANGES).to_owned(),
        };
        let change = change(&mut self.random).replace("NEW", &new);
        let statement = if self.random.once_in(2) {
            let (before, expression) = ROUTES[self.random.below(ROUTES.len())];
            let before = before.replace('N', &number).replace("TARGET", &inner);
            let before = if before.is_empty() { before } else { format!("{before}\n") };
            let expression = expression.replace('N', &number).replace("TARGET", &inner);
            let in_place = change.matches('P').count() == 1 && !change.starts_with('[');
            if in_place && change.starts_with('P') {
                format!("{before};{}", change.replacen('P', &format!("({expression})"), 1))
            } else {
                format!("{before}{{ const p{number}: any = {expression}; {} }}", rename(&change, &number))
            }
        } else {
            let frame = self.random.pick(FRAMES).replace("CHANGE", &change);
            rename(&frame, &number).replace("TARGET", &inner)
        };
        let statement = if self.random.once_in(6) {
            format!("export const later{number}0 = () => {{ {} }};", statement.replace("export ", ""))
        } else {
            statement
        };
        self.push(statement);
        self.heat(text);
        let root: String = text.chars().take_while(|letter| letter.is_alphanumeric()).collect();
        self.heat(&root);
    }

    /// The value, or an object or list inside it.
    fn target_inside(&mut self, text: &str, shape: &Shape) -> (String, Shape) {
        let members: Vec<(String, Shape)> = match shape {
            Shape::Record(members) => {
                members.iter().map(|(key, shape)| (format!("{text}{}", access(key)), shape.clone())).collect()
            }
            Shape::List(items) => {
                items.iter().enumerate().map(|(at, shape)| (format!("{text}[{at}]"), shape.clone())).collect()
            }
            _ => Vec::new(),
        };
        let shared: Vec<_> = members.into_iter().filter(|(_, shape)| shape.is_shared()).collect();
        if shared.is_empty() || self.random.once_in(2) {
            return (text.to_owned(), shape.clone());
        }
        shared[self.random.below(shared.len())].clone()
    }

    /// Changes a part of a contract that is a constant of its own.
    pub(super) fn change_part(&mut self, name: &str, what: &str) {
        let new = self.literal();
        let key = match what {
            "definition" | "capability" => "description",
            "document" => "title",
            "schema" => "jsonSchema.title",
            _ => return self.push(format!("({name} as any).added = {{ description: {new} }};")),
        };
        let number = self.unique();
        let line = match self.random.below(5) {
            0 => format!("const view{number}: any = {name}; view{number}.{key} = {new};"),
            1 => format!("const keep{number}: any = {{ it: {name} }}; keep{number}.it.{key} = {new};"),
            2 => format!("((x: any) => {{ x.{key} = {new}; }})({name});"),
            3 => format!("export function late{number}() {{ ({name} as any).{key} = {new}; }}"),
            _ => format!("({name} as any).{key} = {new};"),
        };
        self.push(line);
    }
}

/// Gives the names of a template their number: `P` and the names that end with `N`.
pub(super) fn rename(template: &str, number: &str) -> String {
    let mut out = String::with_capacity(template.len() + 16);
    let letters: Vec<char> = template.chars().collect();
    for (index, &letter) in letters.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(index + 1).copied();
        let is_word =
            |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        if letter == 'P' && !is_word(before) && !is_word(after) {
            out.push('p');
            out.push_str(number);
        } else if letter == 'N' && before.is_some_and(|letter| letter.is_ascii_lowercase()) && !is_word(after)
        {
            out.push_str(number);
        } else {
            out.push(letter);
        }
    }
    out
}
