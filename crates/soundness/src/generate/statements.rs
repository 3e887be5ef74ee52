//! Declarations, and code that has nothing to do with contracts.

use super::Generator;
use super::scope::{Export, Path, Shape, access, put};

impl Generator {
    /// One statement that any analyser must be able to read past, or to follow.
    pub(super) fn statement(&mut self) {
        match self.random.below(18) {
            0..=6 => self.constant(),
            7 | 8 => self.enumeration(),
            9 => self.object_pattern(),
            10 => self.array_pattern(),
            11 => self.shadowing(),
            12 => self.declare_key(),
            13 => self.several(),
            14 => self.types(),
            15 => self.copies(),
            _ => self.uses(),
        }
    }

    fn constant(&mut self) {
        let (value, shape) = match self.random.below(6) {
            0 => self.record(3),
            1 => self.list(3),
            2 => {
                let (text, length) = self.text(2);
                (text, Shape::Text(length))
            }
            _ => self.json(3),
        };
        let name = self.fresh_name();
        let value = match self.random.below(10) {
            0 => format!("{value} as const"),
            1 => format!("Object.freeze({value})"),
            2 => format!("({value})"),
            3 => format!("<any>{value}"),
            4 => format!("{value} satisfies unknown"),
            _ => value,
        };
        self.declare(&name, "", &value, &shape);
    }

    fn declare(&mut self, name: &str, annotation: &str, value: &str, shape: &Shape) {
        let has_star = self.drafts[self.at].imports.iter().any(|line| line.starts_with("export *"));
        let exported = self.random.once_in(2) && !has_star && !self.is_exported(name);
        if exported {
            self.push(format!("export const {name}{annotation} = {value};"));
            self.drafts[self.at].exports.push(Export { name: name.to_owned(), shape: shape.clone() });
        } else {
            self.push(format!("const {name}{annotation} = {value};"));
        }
        self.drafts[self.at].learn(name, shape);
    }

    pub(super) fn is_exported(&self, name: &str) -> bool {
        self.drafts[self.at].exports.iter().any(|export| export.name == name)
    }

    fn several(&mut self) {
        let (first, second) = (self.fresh_name(), self.fresh_name());
        let (text, length) = self.text(1);
        let number = self.number(1);
        self.push(format!("const {first} = {text}, {second}: number = {number};"));
        self.drafts[self.at].learn(&first, &Shape::Text(length));
        self.drafts[self.at].learn(&second, &Shape::Number);
    }

    fn enumeration(&mut self) {
        let number = self.unique();
        let name = format!("E{number}");
        let mut members = Vec::new();
        let mut shapes: Vec<(String, Shape)> = Vec::new();
        let mut counts = true;
        for index in 0..1 + self.random.below(5) {
            let key = ["A", "B", "C", "kind", "\"x-y\""][index];
            let key_name = key.trim_matches('"').to_owned();
            let choice = self.random.below(9);
            let known = self.find(|path| {
                super::scope::is_name(&path.text)
                    && path.text != "kind"
                    && matches!(path.shape, Shape::Number | Shape::Text(..30))
            });
            let (value, shape, counts_on) = match choice {
                0 | 1 if counts => (String::new(), Shape::Number, true),
                2 => (
                    format!(" = {}", self.random.pick(&["10", "-3", "1 << 2", "0x10 | 1", "7 % 4", "1.5"])),
                    Shape::Number,
                    true,
                ),
                3 => (" = `t-${1 + 1}`".to_owned(), Shape::Text(3), false),
                4 if index > 0 && shapes[0].1 == Shape::Number => {
                    (" = A + 1".to_owned(), Shape::Number, true)
                }
                5 if index > 0 && matches!(shapes[0].1, Shape::Text(_)) => {
                    (" = A + \"!\"".to_owned(), Shape::Text(12), false)
                }
                6 if index > 0 => {
                    let shape = shapes[0].1.clone();
                    let counts = shape == Shape::Number;
                    (format!(" = {name}.A"), shape, counts)
                }
                7 | 8 if let Some(Path { text, shape }) = known => match shape {
                    Shape::Text(length) => (format!(" = `${{{text}}}!`"), Shape::Text(length + 1), false),
                    shape => (format!(" = {text}"), shape, false),
                },
                _ => (format!(" = \"{}\"", self.random.pick(&["view", "é", "a b"])), Shape::Text(4), false),
            };
            counts = counts_on;
            members.push(format!("{key}{value}"));
            put(&mut shapes, key_name, shape);
        }
        let constant = if self.random.once_in(4) { "const " } else { "" };
        let has_star = self.drafts[self.at].imports.iter().any(|line| line.starts_with("export *"));
        let export = if self.random.once_in(2) && !has_star { "export " } else { "" };
        self.push(format!("{export}{constant}enum {name} {{ {} }}", members.join(", ")));
        let shape = Shape::Members(shapes);
        if !export.is_empty() {
            self.drafts[self.at].exports.push(Export { name: name.clone(), shape: shape.clone() });
        }
        self.drafts[self.at].names.push(name.clone());
        self.drafts[self.at].learn(&name, &shape);
    }

    fn object_pattern(&mut self) {
        let known = self.find(|path| matches!(&path.shape, Shape::Record(members) if !members.is_empty()));
        let Some(Path { text, shape: Shape::Record(members) }) = known else { return self.constant() };
        let mut parts = Vec::new();
        let mut bound = Vec::new();
        let mut rest = members.clone();
        for (key, shape) in members.iter().take(3) {
            let local = self.fresh_name();
            let fallback = if self.random.once_in(3) { " = \"fallback\"" } else { "" };
            // A null stays null: a default is for what is undefined.
            let written = super::scope::quoted(key);
            let written = if self.random.once_in(3) { format!("[{written}]") } else { written };
            rest.retain(|(name, _)| name != key);
            match shape {
                Shape::List(items) if !items.is_empty() && self.random.once_in(2) => {
                    parts.push(format!("{written}: [{local}]"));
                    bound.push((local, items[0].clone()));
                }
                Shape::Record(inner) if !inner.is_empty() && self.random.once_in(2) => {
                    let (name, shape) = &inner[0];
                    let name = super::scope::quoted(name);
                    parts.push(format!("{written}: {{ {name}: {local}{fallback} }}"));
                    bound.push((local, shape.clone()));
                }
                _ => {
                    parts.push(format!("{written}: {local}{fallback}"));
                    bound.push((local, shape.clone()));
                }
            }
        }
        if self.random.once_in(2) {
            let local = self.fresh_name();
            let (fallback, length) = self.text(1);
            parts.push(format!("absent: {local} = {fallback}"));
            if members.iter().all(|(key, _)| key != "absent") {
                bound.push((local, Shape::Text(length)));
            }
        }
        if self.random.once_in(2) {
            let local = self.fresh_name();
            parts.push(format!("...{local}"));
            bound.push((local, Shape::Record(rest)));
        }
        self.push(format!("const {{ {} }} = {text};", parts.join(", ")));
        for (local, shape) in bound {
            self.drafts[self.at].learn(&local, &shape);
        }
    }

    fn array_pattern(&mut self) {
        let known = self.find(|path| matches!(&path.shape, Shape::List(items) if !items.is_empty()));
        let Some(Path { text, shape: Shape::List(items) }) = known else { return self.constant() };
        let mut parts = Vec::new();
        let mut bound = Vec::new();
        let take = 1 + self.random.below(items.len());
        for shape in items.iter().take(take) {
            if self.random.once_in(4) {
                parts.push(String::new());
                continue;
            }
            let local = self.fresh_name();
            let fallback = if self.random.once_in(3) { " = 0" } else { "" };
            parts.push(format!("{local}{fallback}"));
            bound.push((local, shape.clone()));
        }
        let local = self.fresh_name();
        if self.random.once_in(2) {
            parts.push(format!("...{local}"));
            bound.push((local, Shape::List(items[take..].to_vec())));
        } else if take == items.len() {
            let (fallback, length) = self.text(1);
            parts.push(format!("{local} = {fallback}"));
            bound.push((local, Shape::Text(length)));
        }
        self.push(format!("const [{}] = {text};", parts.join(", ")));
        for (local, shape) in bound {
            self.drafts[self.at].learn(&local, &shape);
        }
    }

    /// Inner scopes that use the names of outer ones for something else.
    fn shadowing(&mut self) {
        let Some(path) = self.find(|path| super::scope::is_name(&path.text)) else { return self.constant() };
        let (name, number) = (path.text, self.unique());
        let line = match self.random.below(8) {
            0 => format!("function f{number}({name}: any) {{ {name} = 1; return {name}; }}\nf{number}(2);"),
            1 => format!("{{ let {name} = \"inner\"; {name} += \"!\"; }}"),
            2 => format!(
                "export const later{number} = ({name}: any = {{}}) => {{ {name}.x = 1; return {name}; }};"
            ),
            3 => format!("for (let {name} = 0; {name} < 2; {name}++) {{ void {name}; }}"),
            4 => format!("try {{ throw {{ a: 1 }}; }} catch ({name}: any) {{ {name}.a = 2; }}"),
            5 => format!(
                "function g{number}() {{ const {name}: any = [1]; {name}.push(2); return {name}; }}\ng{number}();"
            ),
            6 => format!(
                "class C{number} {{ {name} = 1; static {{ const {name}: any = {{}}; {name}.a = 1; }} }}\nvoid C{number};"
            ),
            _ => format!(
                "(function (undefined: any) {{ undefined = {{}}; (undefined as any).a = 1; const {name} = 3; return {name}; }})(4);"
            ),
        };
        self.push(line);
    }

    /// What only types see.
    fn types(&mut self) {
        let number = self.unique();
        let line = match self.random.below(5) {
            0 => format!("type T{number} = {{ a: string }} | typeof undefined;"),
            1 => format!("interface I{number} {{ kind: \"a\"; rows: number[] }}"),
            2 => format!("declare const declared{number}: {{ kind: string }};"),
            3 => format!("declare function declaredFunction{number}(x: string): void;"),
            _ => format!("export type {{ T as X{number} }};\ntype T = 1;"),
        };
        if line.contains("type T = 1")
            && self.drafts[self.at].body.iter().any(|other| other.contains("type T = 1"))
        {
            return;
        }
        self.push(line);
    }

    /// Copies that are changed where the original is not.
    fn copies(&mut self) {
        let number = self.unique();
        if let Some(path) = self.find(|path| matches!(path.shape, Shape::List(_))) {
            self.push(format!("const copy{number}: any[] = [...{}];\ncopy{number}.push(1);", path.text));
        }
        if let Some(path) = self.find(|path| matches!(path.shape, Shape::Record(_))) {
            self.push(format!("const own{number}: any = {{ ...{} }};\nown{number}.added = 1;", path.text));
        }
        self.push(format!("let counter{number} = 0;\ncounter{number}++;"));
    }

    /// Reading is no change.
    fn uses(&mut self) {
        let Some(path) = self.find(|path| path.shape.is_value()) else { return };
        let number = self.unique();
        let text = &path.text;
        let line = match (&path.shape, self.random.below(4)) {
            (Shape::List(_), 0) => format!("for (const x{number} of {text}) void x{number};"),
            (Shape::List(_), 1) => {
                format!("const mapped{number} = {text}.map((x: any) => typeof x);\nvoid mapped{number};")
            }
            (Shape::Record(members), 0 | 1) if !members.is_empty() => {
                format!("const read{number} = {text}{};\nvoid read{number};", access(&members[0].0))
            }
            (Shape::Record(_), 2) => format!("console.log({text}, {{ ...{text} }});"),
            (_, 3) => format!("export function later{number}() {{ return {text}; }}"),
            _ => format!("console.log({text});"),
        };
        self.push(line);
    }
}
