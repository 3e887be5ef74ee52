//! Contracts: what a program is judged by.

use super::scope::{Shape, quoted};
use super::{Class, Generator};

/// Where a macro call that has no name of its own may stand; `CALL` is the call.
const MISPLACED: [&str; 12] = [
    "export const lateMaker = () => CALL;",
    "console.log(CALL);",
    "export class Holder { static c = CALL; }",
    "export const listed = [CALL];",
    "export const chosen = env(\"flag\") ? CALL : null;",
    "if (env(\"flag\")) { const inner = CALL; void inner; }",
    "CALL;",
    "export const spreadIn = { ...CALL };",
    "export const [x = CALL] = [];",
    "export let changing = CALL;",
    "export const under = { [\"k\" + 1]: CALL };",
    "(() => { return CALL; })();",
];

/// Macro calls that are not plain; `MACRO` is the macro and `ARG` its argument.
const FORMS: [&str; 10] = [
    "MACRO(ARG, { manifestHash: \"0\", declarationId: \"src/main.ts#x\", contracts: {} } as any)",
    "MACRO.call(null, ARG)",
    "MACRO?.(ARG)",
    "MACRO(...[ARG])",
    "MACRO.bind(null)(ARG)",
    "((x: any) => x)(MACRO)(ARG)",
    "(0, MACRO)(ARG)",
    "(env(\"flag\") ? MACRO : MACRO)(ARG)",
    "[MACRO][0](ARG)",
    "MACRO.apply(null, [ARG])",
];

impl Generator {
    /// A contract, and now and then what stands before it.
    pub(super) fn contract(&mut self) {
        let number = self.unique();
        let (name, argument) = match self.random.below(6) {
            0 => ("defineAgentProcedureContract", self.procedure(number, true)),
            1 => ("defineExternalAgentToolContract", self.procedure(number, false)),
            _ => ("defineAgentComponentContract", self.component(number)),
        };
        let argument = self.set_apart(argument, "definition");
        let mut called = self.core(name);
        if self.random.once_in(8) {
            let alias = format!("alias{number}");
            self.push(format!("const {alias} = {called};"));
            called = alias;
            if self.random.once_in(2) {
                self.push(format!("const again{number} = {called};"));
                called = format!("again{number}");
            }
        }
        if self.class == Class::Any && self.random.once_in(12) {
            let form = self.random.pick(&FORMS).replace("MACRO", &called).replace("ARG", &argument);
            return self.push(format!("export const c{number} = {form};"));
        }
        let types = if self.random.once_in(8) { "<{}, {}>" } else { "" };
        let comma = if self.random.once_in(6) { ", /* the end */" } else { "" };
        let call = format!("{called}{types}({argument}{comma})");
        if self.class == Class::Any && self.random.once_in(15) {
            let statement = self.random.pick(&MISPLACED).replace("CALL", &call);
            return self.push(statement);
        }
        let has_default = self.is_exported("default")
            || self.drafts[self.at].body.iter().any(|line| line.starts_with("export default"));
        let statement = match self.random.below(10) {
            0 if !has_default => format!("export default {call};"),
            1 => format!("export const all{number} = {{ panels: {{ first: {call} }}, \"other\": 1 }};"),
            2 => format!("const c{number} = {call};"),
            3 => format!("const c{number} = {call};\nexport {{ c{number} as contract{number} }};"),
            4 => format!("export const n{number} = 1, c{number} = ({call} as unknown) satisfies unknown;"),
            _ => format!("export const c{number} = {call};"),
        };
        if statement.starts_with("export default") {
            // Known as taken; what it leads to is no value.
            let shape = Shape::Members(Vec::new());
            self.drafts[self.at].exports.push(super::scope::Export { name: "default".to_owned(), shape });
        }
        self.push(statement);
    }

    fn component(&mut self, number: usize) -> String {
        let kind = match self.random.below(5) {
            0 => format!("`t${{{number}}}`"),
            1 => format!("\"t\" + {number}"),
            2 => {
                let name = format!("typeOf{number}");
                self.push(format!("const {name} = \"t{number}\";"));
                name
            }
            3 => {
                let name = format!("Types{number}");
                self.push(format!("enum {name} {{ One = \"t{number}\" }}"));
                format!("{name}.One")
            }
            _ => format!("\"t{number}\""),
        };
        let mut fields = vec![format!("type: {kind}"), format!("description: {}", self.text(2).0)];
        let observations = self.group(number, "observationContract", "o");
        let actions = self.group(number, "actionContract", "a");
        fields.extend(observations.map(|group| format!("observations: {group}")));
        fields.extend(actions.map(|group| format!("actions: {group}")));
        fields.extend(self.labels());
        if self.random.once_in(5) {
            let (value, _) = self.json(1);
            fields.push(format!("meta: {{ m: {value} }}"));
        }
        if self.random.once_in(5) {
            fields.push(format!("priority: {}", self.number(1)));
        }
        self.shuffle(&mut fields);
        self.object_of(fields)
    }

    /// The observations or actions of a component, if it has any.
    fn group(&mut self, number: usize, helper: &str, letter: &str) -> Option<String> {
        let count = self.random.below(3);
        if count == 0 && letter == "a" {
            return None;
        }
        let mut members = Vec::new();
        for index in 0..count.max(1) {
            let mut fields = vec![format!("description: {}", self.text(2).0)];
            if letter == "a" {
                let effect = self.random.pick(&["\"local-state\"", "\"navigation\"", "`local-${\"state\"}`"]);
                fields.push(format!("effect: {effect}"));
                fields.push(format!("input: {}", self.schema(true)));
                if self.random.once_in(3) {
                    fields.push(format!("output: {}", self.schema(false)));
                }
                if self.random.once_in(4) {
                    fields.push("confirmation: \"required\" as const".to_owned());
                }
                if self.random.once_in(4) {
                    fields.push(format!("idempotent: {}", self.bool(1)));
                }
            } else {
                fields.push(format!("output: {}", self.schema(false)));
            }
            fields.extend(self.labels());
            self.shuffle(&mut fields);
            let mut capability = self.object_of(fields);
            if !self.random.once_in(3) {
                capability = format!("{}({capability})", self.core(helper));
            }
            let capability = self.set_apart(capability, "capability");
            let key = match self.random.below(5) {
                0 => format!("[\"{letter}\" + {index}]"),
                1 => format!("\"{letter}{index}\""),
                2 => format!("[`{letter}${{{index}}}`]"),
                _ => format!("{letter}{index}"),
            };
            members.push(format!("{key}: {capability}"));
        }
        let group = format!("{{ {} }}", members.join(", "));
        let _ = number;
        Some(self.set_apart(group, "group"))
    }

    fn procedure(&mut self, number: usize, is_domain: bool) -> String {
        let id = if is_domain {
            format!("\"domain:p.\" + \"q{number}\"")
        } else {
            format!("`external:${{\"tool\"}}{number}`")
        };
        let effect = if is_domain { "\"server-query\"" } else { "\"read\"" };
        let mut fields = vec![
            format!("id: {id}"),
            format!("description: {}", self.text(2).0),
            format!("input: {}", self.schema(true)),
            format!("effect: {effect}"),
        ];
        if self.random.once_in(2) {
            fields.push(format!("output: {}", self.schema(false)));
        }
        fields.extend(self.labels());
        self.shuffle(&mut fields);
        self.object_of(fields)
    }

    fn labels(&mut self) -> Vec<String> {
        let mut fields = Vec::new();
        if self.random.once_in(4) {
            let (one, other) = (self.text(1).0, self.text(1).0);
            fields.push(format!("tags: [{one}, {other}, ...[\"fixed\"]]"));
        }
        if self.random.once_in(5) {
            let name = self.text(1).0;
            fields.push(format!(
                "policies: [{{ name: {name} }}, {{ name: \"p\", phase: \"invoke\" as const }}]"
            ));
        }
        fields
    }

    fn schema(&mut self, is_input: bool) -> String {
        let name = self.core("fromJsonSchema");
        match self.random.below(10) {
            0 if is_input => return self.core("emptyObjectSchema"),
            1 => {
                let document = self.document(is_input);
                let standard = self.core("fromStandardSchema");
                return format!("{standard}((() => env(\"text\")) as any, {{ jsonSchema: {document} }})");
            }
            _ => {}
        }
        let document = self.document(is_input);
        let document = self.set_apart(document, "document");
        let schema = format!("{name}({document})");
        self.set_apart(schema, "schema")
    }

    fn document(&mut self, is_input: bool) -> String {
        let value = self.carried();
        if is_input || self.random.once_in(3) {
            let title = self.text(1).0;
            let property = match self.random.below(3) {
                0 => format!("{{ const: {value} }}"),
                1 => format!("{{ default: {value}, title: {title} }}"),
                _ => format!("{{ type: \"number\", minimum: {}, examples: [{value}] }}", self.number(2)),
            };
            return format!(
                "{{ type: \"object\", properties: {{ p: {property} }}, additionalProperties: false, required: [\"p\"] }}"
            );
        }
        match self.random.below(4) {
            0 => format!("{{ enum: [{value}] }}"),
            1 => format!("{{ type: \"string\", maxLength: 2 * 8, default: {value} }}"),
            2 => format!("{{ type: \"array\", items: {{ const: {value} }}, maxItems: [1, 2].length }}"),
            _ => format!("{{ const: {value} }}"),
        }
    }

    /// The value that a schema carries: what has been changed somewhere, for preference.
    fn carried(&mut self) -> String {
        let at = self.at;
        let hot: Vec<String> =
            self.hot.iter().filter(|(module, _)| *module == at).map(|(_, text)| text.clone()).collect();
        if !hot.is_empty() && !self.random.once_in(4) {
            let text = hot[self.random.below(hot.len())].clone();
            return match self.random.below(6) {
                0 => format!("[{text}]"),
                1 => format!("{{ inner: {text} }}"),
                2 => format!("{{ ...({text} as any) }}"),
                _ => text,
            };
        }
        self.json(3).0
    }

    /// A part of a contract, perhaps as a constant of its own before the contract.
    fn set_apart(&mut self, text: String, what: &str) -> String {
        if !self.random.once_in(7) {
            return text;
        }
        let name = format!("{what}{}", self.unique());
        self.push(format!("const {name} = {text};"));
        if self.class == Class::Any && self.random.once_in(5) {
            self.change_part(&name, what);
        }
        name
    }

    /// Fields as an object literal, some of them perhaps spread from another.
    fn object_of(&mut self, mut fields: Vec<String>) -> String {
        if fields.len() > 1 && self.random.once_in(6) {
            let apart: Vec<String> = fields.drain(..1).collect();
            fields.push(format!("...{{ {} }}", apart.join(", ")));
        }
        format!("{{ {} }}", fields.join(", "))
    }

    fn shuffle(&mut self, fields: &mut [String]) {
        for index in (1..fields.len()).rev() {
            fields.swap(index, self.random.below(index + 1));
        }
    }

    /// A string literal.
    pub(super) fn literal(&mut self) -> String {
        let number = self.unique();
        quoted(&format!("changed {number}"))
    }
}
