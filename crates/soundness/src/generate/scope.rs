//! What a generated module can refer to, and what is known of it.

/// What is known of a value: enough to refer to it where a value of its kind is needed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// A text of at most so many UTF-16 code units, with something to read in it.
    Text(usize),
    Number,
    Bool,
    Null,
    List(Vec<Shape>),
    Record(Vec<(String, Shape)>),
    /// Something whose members are values and that is none itself: an enum, a namespace.
    Members(Vec<(String, Shape)>),
    /// A function that changes something of its module's.
    Change,
}

impl Shape {
    /// Roughly how large the value is, so that constants built of constants stay small.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Text(length) => 2 + length,
            Self::Number => 8,
            Self::Bool | Self::Null | Self::Change => 4,
            Self::List(items) => 2 + items.iter().map(|item| 1 + item.size()).sum::<usize>(),
            Self::Record(members) | Self::Members(members) => {
                2 + members.iter().map(|(key, value)| 4 + key.len() + value.size()).sum::<usize>()
            }
        }
    }

    pub(super) fn is_value(&self) -> bool {
        !matches!(self, Self::Members(_) | Self::Change)
    }

    /// Whether a change inside it shows through every reference.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self, Self::List(_) | Self::Record(_))
    }
}

/// Puts a member into a record's shape, in the place of one of that name.
pub(super) fn put(members: &mut Vec<(String, Shape)>, key: String, shape: Shape) {
    match members.iter_mut().find(|(name, _)| *name == key) {
        Some(member) => member.1 = shape,
        None => members.push((key, shape)),
    }
}

/// An expression that leads to a value, `table.rows[0]`.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) text: String,
    pub(super) shape: Shape,
}

/// An exported name and what it leads to.
#[derive(Clone, Debug)]
pub(super) struct Export {
    pub(super) name: String,
    pub(super) shape: Shape,
}

/// A module in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// The specifier other modules import it by, `./ids`.
    pub(super) specifier: String,
    pub(super) path: String,
    pub(super) imports: Vec<String>,
    pub(super) body: Vec<String>,
    pub(super) paths: Vec<Path>,
    pub(super) exports: Vec<Export>,
    /// Names that are bound at the top of the module.
    pub(super) names: Vec<String>,
    /// How the module calls what the core package exports.
    pub(super) core: Option<Core>,
    /// Whether it does.
    pub(super) uses_core: bool,
}

/// How a module reaches the core package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Core {
    Named,
    Renamed,
    Namespace,
    NamespaceByText,
}

impl Draft {
    /// Makes a value, and the values inside it, known under an expression.
    pub(super) fn learn(&mut self, text: &str, shape: &Shape) {
        self.learn_deep(text, shape, 0);
    }

    fn learn_deep(&mut self, text: &str, shape: &Shape, depth: usize) {
        self.paths.push(Path { text: text.to_owned(), shape: shape.clone() });
        if depth == 3 {
            return;
        }
        match shape {
            Shape::Record(members) | Shape::Members(members) => {
                for (key, value) in members {
                    self.learn_deep(&format!("{text}{}", access(key)), value, depth + 1);
                }
            }
            Shape::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.learn_deep(&format!("{text}[{index}]"), item, depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// `.key`, or `["key"]` where the key is no name.
pub(super) fn access(key: &str) -> String {
    if is_name(key) { format!(".{key}") } else { format!("[{}]", quoted(key)) }
}

/// An exported name as an import or export writes it.
pub(super) fn written(name: &str) -> String {
    if is_name(name) { name.to_owned() } else { quoted(name) }
}

pub(super) fn is_name(key: &str) -> bool {
    key.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && key.chars().all(|letter| letter.is_ascii_alphanumeric())
}

pub(super) fn quoted(text: &str) -> String {
    agent_surface_json::Json::from(text).to_canonical()
}
