//! Closed expressions over a schema library.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::evaluate::{Node, Opaque, Unknown, Value};
use crate::facts::{BindingId, ImportedName};
use crate::message::LibraryImport;
use crate::problem::Place;

/// A closed expression and where it stands.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) kind: CodeKind,
    pub(crate) place: Place,
}

#[derive(Debug)]
pub(crate) enum CodeKind {
    /// What a library exports.
    Import {
        entry: Rc<Entry>,
        name: ImportedName,
    },
    Member {
        object: Rc<Code>,
        key: Rc<str>,
    },
    Call {
        callee: Rc<Code>,
        arguments: Vec<Operand>,
    },
    /// An object literal with something of the library spread into it.
    Object(Vec<Part>),
    /// The same with an array.
    Array(Vec<Operand>),
    /// A constant of the app: evaluated once, however often it is named.
    Constant {
        key: (String, BindingId),
        value: Rc<Code>,
    },
    /// The JSON Schema that a schema says of itself, by the Standard JSON Schema interface.
    Standard(Rc<Code>),
}

/// An item or an argument.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Item(Node),
    Spread(Node),
}

/// A property, or an object whose properties are spread.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Property(Rc<str>, Node),
    Spread(Node),
}

/// A module of a schema library.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The library's package.
    pub(crate) package: String,
    /// Its version, if the module is part of the build and the package states one.
    pub(crate) version: Option<String>,
    /// The module's id; none where the bundler leaves the library out of the bundle.
    pub(crate) id: Option<String>,
    /// As it was written, and by which module.
    pub(crate) specifier: String,
    pub(crate) importer: String,
}

impl Entry {
    /// What a host needs to load it.
    pub(crate) fn to_import(&self) -> LibraryImport {
        LibraryImport {
            specifier: self.specifier.clone(),
            importer: self.importer.clone(),
            id: self.id.clone(),
        }
    }
}

/// The longest text of a call that a message repeats, in characters.
const MAX_SHOWN: usize = 60;

impl Code {
    /// The expression behind the names of constants.
    pub(crate) fn value(self: &Rc<Self>) -> &Rc<Self> {
        let mut code = self;
        while let CodeKind::Constant { value, .. } = &code.kind {
            code = value;
        }
        code
    }

    /// The module of a library that the expression begins with.
    pub(crate) fn entry(&self) -> Option<&Rc<Entry>> {
        let mut code = self;
        loop {
            code = match &code.kind {
                CodeKind::Import { entry, .. } => return Some(entry),
                CodeKind::Member { object: inner, .. }
                | CodeKind::Call { callee: inner, .. }
                | CodeKind::Constant { value: inner, .. }
                | CodeKind::Standard(inner) => inner,
                CodeKind::Object(_) | CodeKind::Array(_) => return None,
            };
        }
    }

    /// The last name on the way: `min` of `z.string().min`.
    pub(crate) fn name(&self) -> Option<&str> {
        match &self.kind {
            CodeKind::Import { name: ImportedName::Named(name), .. } => Some(name),
            CodeKind::Member { key, .. } => Some(key),
            _ => None,
        }
    }

    /// Visits every node that the expression is made of, its own arguments first, and each constant's once.
    pub(crate) fn for_each_operand(&self, visit: &mut dyn FnMut(&Code, &Node)) {
        Operands { visit, seen: FxHashSet::default() }.of_code(self);
    }

    /// Its text as it was written, for a message.
    pub(crate) fn text(&self) -> String {
        shown(&self.place)
    }
}

/// A visit of operands. Constants of constants double with each of them, and are looked at once.
struct Operands<'v, 'c> {
    visit: &'v mut dyn FnMut(&Code, &Node),
    seen: FxHashSet<&'c (String, BindingId)>,
}

impl<'c> Operands<'_, 'c> {
    fn of_code(&mut self, code: &'c Code) {
        match &code.kind {
            CodeKind::Import { .. } => {}
            CodeKind::Constant { key, value } => {
                if self.seen.insert(key) {
                    self.of_code(value);
                }
            }
            CodeKind::Member { object: inner, .. } | CodeKind::Standard(inner) => self.of_code(inner),
            CodeKind::Call { callee, arguments } => {
                self.of_code(callee);
                self.of_operands(code, arguments);
            }
            CodeKind::Array(items) => self.of_operands(code, items),
            CodeKind::Object(parts) => {
                for part in parts {
                    let (Part::Property(_, node) | Part::Spread(node)) = part;
                    self.of_node(code, node);
                }
            }
        }
    }

    fn of_operands(&mut self, owner: &'c Code, operands: &'c [Operand]) {
        for operand in operands {
            let (Operand::Item(node) | Operand::Spread(node)) = operand;
            self.of_node(owner, node);
        }
    }

    fn of_node(&mut self, owner: &'c Code, node: &'c Node) {
        (self.visit)(owner, node);
        match &node.value {
            Value::Library(code) => self.of_code(code),
            Value::Array(items) => items.iter().for_each(|item| self.of_node(owner, item)),
            Value::Object(object) => object.iter().for_each(|(_, value)| self.of_node(owner, value)),
            _ => {}
        }
    }
}

/// The text at a place on one line, cut where it gets long.
pub(crate) fn shown(place: &Place) -> String {
    let range = place.span.start as usize..place.span.end as usize;
    let text = place.module.source.get(range).unwrap_or_default();
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Whether a node is a function of the app.
pub(crate) fn is_function(node: &Node) -> bool {
    matches!(node.value, Value::Unknown(Unknown::Opaque { what: Opaque::Function, .. }))
}

/// Whether a property of a library's options is what people read where a value is refused.
pub(crate) fn is_message_property(name: &str) -> bool {
    matches!(name, "message" | "error" | "errorMap" | "required_error" | "invalid_type_error" | "abort")
}

/// Whether an argument of a library's function is such a text: what stands behind the bound of a check, or alone where there
/// is no bound.
pub(crate) fn is_message_of(callee: &Code, index: usize) -> bool {
    const BEHIND_A_BOUND: [&str; 32] = [
        "array",
        "check",
        "endsWith",
        "enum",
        "gt",
        "gte",
        "includes",
        "length",
        "lt",
        "lte",
        "max",
        "maximum",
        "maxLength",
        "maxSize",
        "maxValue",
        "min",
        "minimum",
        "minLength",
        "minSize",
        "minValue",
        "multipleOf",
        "nonEmpty",
        "object",
        "partialCheck",
        "picklist",
        "refine",
        "regex",
        "size",
        "startsWith",
        "step",
        "strictObject",
        "value",
    ];
    const ALONE: [&str; 10] = [
        "boolean",
        "negative",
        "nonempty",
        "nonnegative",
        "nonpositive",
        "null",
        "number",
        "positive",
        "string",
        "unknown",
    ];
    // In Zod these take options that the JSON Schema depends on.
    const ALONE_IN_VALIBOT: [&str; 12] = [
        "email",
        "finite",
        "integer",
        "ip",
        "isoDate",
        "isoDateTime",
        "isoTimestamp",
        "nonEmpty",
        "safeInteger",
        "url",
        "uuid",
        "nanoid",
    ];
    let Some(name) = callee.name() else { return false };
    let is_valibot = callee.entry().is_some_and(|entry| entry.package == "valibot");
    match index {
        0 => ALONE.contains(&name) || is_valibot && ALONE_IN_VALIBOT.contains(&name),
        1 => BEHIND_A_BOUND.contains(&name),
        _ => false,
    }
}
