//! Expressions with a static value, over all of the grammar that must be accepted.

use super::Generator;
use super::scope::{Path, Shape, put, quoted};

/// Texts as they may be written, with their length.
const TEXTS: &[(&str, usize)] = &[
    ("\"a\"", 1),
    ("'b c'", 3),
    ("\"é\"", 1),
    ("'it\\'s'", 4),
    ("\"\\u0041\"", 1),
    ("\"\\x62\\n\"", 2),
    ("`plain`", 5),
    ("\"日本\"", 2),
    ("\"😀\"", 2),
    ("\"\\u{1F600}x\"", 3),
    ("\"10\"", 2),
    ("\"__proto__\"", 9),
    ("'say \"hi\"'", 8),
    ("\"tab\\there\"", 8),
    ("`line\nbreak`", 10),
    ("\"\\\\back\"", 5),
    ("\"a\\\nb\"", 2),
    ("\"</script>\"", 9),
    ("\"\\u2028x\"", 2),
    ("\"$&\"", 2),
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "+5",
    "1e3",
    "0x10",
    "1_000",
    "-0",
    ".5",
    "0b101",
    "0o17",
    "1e21",
    "1e-7",
    "0.1",
    "2.50",
    "9007199254740993",
    "123456789012345680000",
    "5e-324",
    "1e300",
    "0.1 + 0.2",
    "7 % 3",
    "-7 % 3",
    "1 / 3",
    "3 * -0",
    "~5",
    "5 & 3",
    "1 << 31",
    "-1 >>> 0",
    "-9 >> 1",
    "5 ^ 1",
    "4294967297 | 0",
];

/// Keys as they may be written, with the key that they are.
const KEYS: &[(&str, &str)] = &[
    ("a", "a"),
    ("b", "b"),
    ("name", "name"),
    ("kind", "kind"),
    ("\"b-c\"", "b-c"),
    ("\"é\"", "é"),
    ("日", "日"),
    ("10", "10"),
    ("\"9\"", "9"),
    ("0x10", "16"),
    ("1e3", "1000"),
    (".5", "0.5"),
    ("1_0", "10"),
    ("[\"k\"]", "k"),
    ("[\"k\" + 1]", "k1"),
    ("[`t${1 + 1}`]", "t2"),
    ("[-1]", "-1"),
    ("[1e21]", "1e+21"),
    ("[true]", "true"),
    ("[null]", "null"),
    ("[\"__proto__\"]", "__proto__"),
    ("\"constructor\"", "constructor"),
    ("toString", "toString"),
    ("\"\\u0061b\"", "ab"),
    ("\"\"", ""),
    ("\"a/b~c\"", "a/b~c"),
    ("\"😀\"", "😀"),
    ("\"\\uFFFF\"", "\u{ffff}"),
    ("\"length\"", "length"),
    ("if", "if"),
];

/// Conditions and what they come to.
const CONDITIONS: &[(&str, bool)] = &[
    ("true", true),
    ("false", false),
    ("!0", true),
    ("1 < 2", true),
    ("\"a\" === \"b\"", false),
    ("null", false),
    ("\"\"", false),
    ("\"0\"", true),
    ("undefined", false),
    ("-0", false),
    ("(1 && \"x\")", true),
    ("typeof \"a\" === \"string\"", true),
    ("2 >= 3", false),
    ("({})", true),
    ("[]", true),
    ("NaN", false),
    ("NaN === NaN", false),
    ("0 === -0", true),
    ("\"1\" !== \"1\"", false),
    ("void 0", false),
];

/// The largest value that is used inside another.
const MAX_PART: usize = 400;

/// The longest text that is used inside another.
const MAX_TEXT_PART: usize = 30;

impl Generator {
    /// A text with something to read in it.
    pub(super) fn text(&mut self, depth: usize) -> (String, usize) {
        if let Some(wild) = self.wild_value() {
            return (wild, 8);
        }
        let leaf = depth == 0 || self.random.once_in(3);
        if leaf {
            let known =
                self.find(|path| matches!(path.shape, Shape::Text(length) if length <= MAX_TEXT_PART));
            return match known {
                Some(Path { text, shape: Shape::Text(length) }) if !self.random.once_in(3) => (text, length),
                _ => {
                    let (text, length) = TEXTS[self.random.below(TEXTS.len())];
                    (text.to_owned(), length)
                }
            };
        }
        let (one, length) = self.text(depth - 1);
        match self.random.below(20) {
            0 | 1 => {
                let (other, more) = self.text(depth - 1);
                (format!("({one} + {other})"), length + more)
            }
            2 => {
                let number = self.number(depth - 1);
                (format!("({number} + {one})"), length + 25)
            }
            3 => {
                let number = self.number(depth - 1);
                (format!("`${{{one}}}-${{{number}}}`"), length + 26)
            }
            4 => {
                let (other, more) = self.text(depth - 1);
                (format!("`a${{{one}}} \\${{x}} ${{{other}}}`"), length + more + 7)
            }
            5 => {
                let flag = self.bool(depth - 1);
                (format!("({one} + {flag})"), length + 5)
            }
            6 => (format!("({one} + null)"), length + 4),
            7 => (format!("`${{undefined}}${{{one}}}`"), length + 9),
            8 => {
                let flag = self.bool(depth - 1);
                let (other, more) = self.text(depth - 1);
                (format!("({flag} ? {one} : {other})"), length.max(more))
            }
            9 => {
                let nothing = self.random.pick(&["\"\"", "null", "undefined", "0", "false", "void 0", "NaN"]);
                (format!("({nothing} || {one})"), length)
            }
            10 => {
                let nothing = self.random.pick(&[
                    "null",
                    "undefined",
                    "({}).none",
                    "[][0]",
                    "null?.a.b",
                    "undefined?.[0]",
                ]);
                (format!("({nothing} ?? {one})"), length)
            }
            11 => {
                let something = self.random.pick(&["1", "true", "\"y\"", "{}", "[]"]);
                (format!("({something} && {one})"), length)
            }
            12 => (format!("({one} as string)"), length),
            13 => (format!("{one}!"), length),
            14 => (format!("({one} satisfies string)"), length),
            15 => (format!("(/* c */ <string>{one} // d\n)"), length),
            16 => (format!("({{ a: 0, b: {one} }}).b"), length),
            17 => (format!("[1, {one}, 2][1]!"), length),
            18 => (format!("({{ [\"x\" + 1]: {one} }} as const)[\"x1\"]"), length),
            _ => (format!("Object.freeze({{ deep: [{one}] }}).deep[0]"), length),
        }
    }

    /// A finite number.
    pub(super) fn number(&mut self, depth: usize) -> String {
        if let Some(wild) = self.wild_value() {
            return wild;
        }
        if depth == 0 || self.random.once_in(3) {
            let known = self.find(|path| path.shape == Shape::Number);
            return match known {
                Some(path) if !self.random.once_in(3) => path.text,
                _ => {
                    let number = self.random.pick(NUMBERS);
                    if number.chars().all(|letter| letter.is_ascii_digit()) {
                        number.to_owned()
                    } else {
                        format!("({number})")
                    }
                }
            };
        }
        let one = self.number(depth - 1);
        match self.random.below(10) {
            0 => format!("({one} + {})", self.number(depth - 1)),
            1 => format!("({one} - {})", self.number(depth - 1)),
            2 => format!("({one} % 7)"),
            3 => format!("({one} / 3)"),
            4 => format!("({one} | 0)"),
            5 => format!("-{one}").replace("--", "- -"),
            6 => {
                let (text, _) = self.text(depth - 1);
                format!("({text}).length")
            }
            7 => {
                let flag = self.bool(depth - 1);
                format!("({flag} ? {one} : {})", self.number(depth - 1))
            }
            8 => format!("(null ?? {one})"),
            _ => format!("({one} as number)"),
        }
    }

    /// A truth value that nobody here knows.
    pub(super) fn bool(&mut self, depth: usize) -> String {
        if let Some(wild) = self.wild_value() {
            return wild;
        }
        match self.random.below(8) {
            0 | 1 => {
                if let Some(path) = self.find(|path| path.shape == Shape::Bool) {
                    return path.text;
                }
                "true".to_owned()
            }
            2 if depth > 0 => format!("({} < {})", self.number(depth - 1), self.number(depth - 1)),
            3 if depth > 0 => format!("({} === {})", self.text(depth - 1).0, self.text(depth - 1).0),
            4 if depth > 0 => format!("!{}", self.bool(depth - 1)),
            5 if depth > 0 => format!("({} !== {})", self.number(depth - 1), self.number(depth - 1)),
            6 if depth > 0 => format!("!({})", self.text(depth - 1).0),
            _ => format!("!({})", self.condition().0),
        }
    }

    /// A condition, and what it comes to.
    pub(super) fn condition(&mut self) -> (&'static str, bool) {
        CONDITIONS[self.random.below(CONDITIONS.len())]
    }

    /// Any value that JSON can carry.
    pub(super) fn json(&mut self, depth: usize) -> (String, Shape) {
        if let Some(wild) = self.wild_value() {
            return (wild, Shape::Null);
        }
        if self.random.below(5) < 2
            && let Some(path) = self.find(|path| path.shape.is_value() && path.shape.size() < MAX_PART)
        {
            return self.reached(path);
        }
        match self.random.below(if depth == 0 { 5 } else { 12 }) {
            0 => ("null".to_owned(), Shape::Null),
            1 => {
                let (flag, _) = self.condition();
                (format!("!({flag})"), Shape::Bool)
            }
            2 => (self.number(depth), Shape::Number),
            3 | 4 => {
                let (text, length) = self.text(depth);
                (text, Shape::Text(length))
            }
            5 | 6 => self.list(depth - 1),
            7 => {
                let (condition, holds) = self.condition();
                let (one, other) = (self.json(depth - 1), self.json(depth - 1));
                let text = format!("({condition} ? {} : {})", one.0, other.0);
                (text, if holds { one.1 } else { other.1 })
            }
            8 => {
                let (value, shape) = self.json(depth - 1);
                (format!("({value} as unknown as any)"), shape)
            }
            9 => self.parsed(),
            _ => self.record(depth - 1),
        }
    }

    /// A known value, or a member of it by a way that might have ended early.
    fn reached(&mut self, path: Path) -> (String, Shape) {
        if !self.random.once_in(6) {
            return (path.text, path.shape);
        }
        match &path.shape {
            Shape::Record(members) if !members.is_empty() => {
                let (key, shape) = &members[self.random.below(members.len())];
                (format!("{}?.[{}]", path.text, quoted(key)), shape.clone())
            }
            Shape::List(items) if !items.is_empty() => {
                let index = self.random.below(items.len());
                (format!("{}?.[{index}]", path.text), items[index].clone())
            }
            _ => (path.text, path.shape),
        }
    }

    fn parsed(&mut self) -> (String, Shape) {
        let members =
            vec![("a".to_owned(), Shape::Number), ("b".to_owned(), Shape::List(vec![Shape::Text(1)]))];
        ("(JSON.parse('{\"a\": 1.50, \"b\": [\"x\"]}') as any)".to_owned(), Shape::Record(members))
    }

    pub(super) fn list(&mut self, depth: usize) -> (String, Shape) {
        let mut items = Vec::new();
        let mut shapes = Vec::new();
        for _ in 0..self.random.below(4) {
            if self.random.once_in(4) {
                let known =
                    self.find(|path| matches!(path.shape, Shape::List(_)) && path.shape.size() < MAX_PART);
                if let Some(Path { text, shape: Shape::List(spread) }) = known {
                    items.push(format!("...{text}"));
                    shapes.extend(spread);
                    continue;
                }
            }
            if self.random.once_in(8) {
                let (condition, holds) = self.condition();
                let (value, shape) = self.json(depth.saturating_sub(1));
                items.push(format!("...({condition} ? [{value}] : [])"));
                shapes.extend(holds.then_some(shape));
                continue;
            }
            let (value, shape) = self.json(depth.saturating_sub(1));
            items.push(value);
            shapes.push(shape);
        }
        let comma = if !items.is_empty() && self.random.once_in(3) { "," } else { "" };
        (format!("[{}{comma}]", items.join(", ")), Shape::List(shapes))
    }

    pub(super) fn record(&mut self, depth: usize) -> (String, Shape) {
        let mut members = Vec::new();
        let mut shapes = Vec::new();
        for _ in 0..self.random.below(5) {
            match self.random.below(12) {
                0 | 1 => {
                    let known = self
                        .find(|path| matches!(path.shape, Shape::Record(_)) && path.shape.size() < MAX_PART);
                    if let Some(Path { text, shape: Shape::Record(spread) }) = known {
                        members.push(format!("...{text}"));
                        for (key, shape) in spread {
                            put(&mut shapes, key, shape);
                        }
                    }
                }
                2 => {
                    let (condition, holds) = self.condition();
                    // `null && {…}` and the like spread nothing; a text would spread its characters.
                    if condition.contains('"') {
                        continue;
                    }
                    let (key, name) = KEYS[self.random.below(KEYS.len())];
                    let (value, shape) = self.json(depth.saturating_sub(1));
                    members.push(format!("...(({condition}) && {{ {key}: {value} }})"));
                    if holds {
                        put(&mut shapes, name.to_owned(), shape);
                    }
                }
                3 => {
                    if let Some(path) = self.find(|path| {
                        path.shape.is_value()
                            && path.shape.size() < MAX_PART
                            && super::scope::is_name(&path.text)
                    }) {
                        members.push(path.text.clone());
                        put(&mut shapes, path.text, path.shape);
                    }
                }
                4 => members.push("gone: undefined".to_owned()),
                5 => {
                    if let Some(path) = self.key_constant() {
                        let (value, shape) = self.json(depth.saturating_sub(1));
                        members.push(format!("[{}]: {value}", path.0));
                        put(&mut shapes, path.1, shape);
                    }
                }
                _ => {
                    let (key, name) = KEYS[self.random.below(KEYS.len())];
                    let (value, shape) = self.json(depth.saturating_sub(1));
                    members.push(format!("{key}: {value}"));
                    put(&mut shapes, name.to_owned(), shape);
                }
            }
        }
        if members.iter().any(|member| member == "gone: undefined") {
            // What is undefined is no member of the JSON, whatever stood there before.
            shapes.retain(|(key, _)| key != "gone");
        }
        let comma = if !members.is_empty() && self.random.once_in(3) { "," } else { "" };
        (format!("{{ {}{comma} }}", members.join(", ")), Shape::Record(shapes))
    }

    /// A constant whose text is known, to be a computed key.
    fn key_constant(&mut self) -> Option<(String, String)> {
        let module = self.at;
        let index = self.random.below(self.keys.len());
        self.keys
            .get(index)
            .filter(|(at, ..)| *at == module)
            .map(|(_, name, value)| (name.clone(), value.clone()))
    }

    /// A known value that suits.
    pub(super) fn find(&mut self, suits: impl Fn(&Path) -> bool) -> Option<Path> {
        let paths = &self.drafts[self.at].paths;
        let fitting: Vec<usize> = (0..paths.len()).filter(|&index| suits(&paths[index])).collect();
        if fitting.is_empty() {
            return None;
        }
        Some(paths[fitting[self.random.below(fitting.len())]].clone())
    }

    /// A constant with a written text, which later keys may use.
    pub(super) fn declare_key(&mut self) {
        let value = self.random.pick(&["k1", "é", "10", "a", "b-c", "constructor"]).to_owned();
        let name = self.fresh_name();
        let line = format!("const {name} = {};", quoted(&value));
        self.keys.push((self.at, name.clone(), value.clone()));
        self.drafts[self.at].body.push(line);
        self.drafts[self.at].learn(&name, &Shape::Text(value.len()));
    }
}
