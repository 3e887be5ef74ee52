//! What may deceive an analyser: values known only at run time, and code that changes what a name means.

use super::deceits::{REMOTE, STATEMENTS, SUFFIXES, WILD};
use super::kinds;
use super::scope::{Export, Shape};
use super::{Class, Generator};

impl Generator {
    /// Something instead of a value, where the program has a liking for it.
    pub(super) fn wild_value(&mut self) -> Option<String> {
        if self.wildness == 0 || !self.random.once_in(self.wildness) {
            return None;
        }
        let text = self.wild();
        Some(if text.starts_with('(') || text.starts_with('[') || text.starts_with('`') {
            text.to_owned()
        } else {
            format!("({text})")
        })
    }

    fn wild(&mut self) -> &'static str {
        let values = if self.random.once_in(3) { kinds::VALUES } else { WILD };
        self.random.pick(values)
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
                let (wild, number) = (self.wild(), self.unique());
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
        let statements = if self.random.once_in(3) { kinds::STATEMENTS } else { STATEMENTS };
        let template = self.random.pick(statements);
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
