//! What an expression evaluates to.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::facts::BindingId;
use crate::library::Code;
use crate::module::Module;
use crate::problem::{Place, Problem};

/// The code of a problem that only says that it was too much to find out.
pub(super) const TOO_LARGE: &str = "too-large";

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) place: Place,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    String(Rc<str>),
    Array(Rc<Vec<Node>>),
    Object(Rc<Object>),
    /// An `AgentSchema`: its JSON Schema, and whether its validator is code of the app.
    Schema {
        document: Rc<Node>,
        validator: bool,
    },
    /// An enum, whose members are evaluated one by one.
    Enum {
        module: Rc<Module>,
        binding: BindingId,
    },
    /// `import * as name`.
    Namespace(Rc<str>),
    /// The namespace of one of our own packages, by the package's short name.
    OurNamespace(Rc<str>),
    /// An export of one of our own packages: a macro, a helper, a hook.
    Ours {
        package: Rc<str>,
        name: Rc<str>,
    },
    /// A standard function that has a static meaning.
    Builtin(Builtin),
    /// A closed expression over a schema library.
    Library(Rc<Code>),
    /// A contract that a macro made.
    Contract,
    /// A registry that our core made.
    Registry,
    /// A registry's `register`.
    Register,
    /// Not a static value. It is a problem only where the contract needs it.
    Unknown(Unknown),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    /// `Object`, `JSON`: only their members below mean anything.
    ObjectConstructor,
    JsonObject,
    ObjectFreeze,
    JsonParse,
}

#[derive(Clone, Debug)]
pub(crate) enum Unknown {
    /// The host must answer first.
    Waiting,
    /// Why it can't be known.
    Because(Rc<Problem>),
    /// No value that a contract can have, but something that a schema library may be given.
    Opaque { problem: Rc<Problem>, what: Opaque },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opaque {
    Function,
    Pattern { source: String, flags: String },
}

impl Unknown {
    /// Why it is unknown; none while the host must answer first.
    pub(crate) fn problem(&self) -> Option<&Rc<Problem>> {
        match self {
            Self::Waiting => None,
            Self::Because(problem) | Self::Opaque { problem, .. } => Some(problem),
        }
    }

    /// Whether it may be anything, and was only too much to find out.
    pub(crate) fn is_given_up(&self) -> bool {
        self.problem().is_some_and(|problem| problem.code == TOO_LARGE)
    }
}

/// An object literal's own properties. Order is not kept: a contract has none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object {
    properties: Vec<(Rc<str>, Node)>,
    /// Where each stands, once they are more than [`FEW`].
    places: FxHashMap<Rc<str>, usize>,
}

/// How many properties are looked through one by one.
const FEW: usize = 16;

impl Object {
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.position(key).map(|at| &self.properties[at].1)
    }

    pub(crate) fn insert(&mut self, key: Rc<str>, value: Node) {
        if let Some(at) = self.position(&key) {
            self.properties[at].1 = value;
            return;
        }
        self.properties.push((key, value));
        if self.properties.len() > FEW {
            // All of them, when they have just become many.
            let known = self.places.len();
            let new = self.properties.iter().enumerate().skip(known);
            self.places.extend(new.map(|(at, (key, _))| (Rc::clone(key), at)));
        }
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.properties.len() > FEW {
            self.places.get(key).copied()
        } else {
            self.properties.iter().position(|(name, _)| &**name == key)
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Rc<str>, &Node)> {
        self.properties.iter().map(|(name, value)| (name, value))
    }
}

impl Node {
    pub(crate) fn new(value: Value, place: Place) -> Self {
        Self { value, place }
    }

    pub(crate) fn unknown(problem: Problem, place: Place) -> Self {
        Self::new(Value::Unknown(Unknown::Because(Rc::new(problem))), place)
    }

    /// The same unknown, as something that a schema library may be given.
    pub(super) fn into_opaque(self, what: Opaque) -> Self {
        match self.value {
            Value::Unknown(Unknown::Because(problem)) => {
                Self::new(Value::Unknown(Unknown::Opaque { problem, what }), self.place)
            }
            _ => self,
        }
    }

    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.value, Value::Unknown(_))
    }

    /// Whether it is `null` or `undefined`, if that is known: an enum is `undefined` before its declaration is run.
    pub(crate) fn is_nullish(&self) -> Option<bool> {
        match self.value {
            Value::Undefined | Value::Null => Some(true),
            Value::Unknown(_) | Value::Enum { .. } => None,
            _ => Some(false),
        }
    }

    /// Whether a change inside it would be seen through every reference to it.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(self.value, Value::Array(_) | Value::Object(_) | Value::Schema { .. } | Value::Library(_))
    }

    /// What a person would call the value.
    pub(crate) fn describe(&self) -> &'static str {
        match &self.value {
            Value::Undefined => "undefined",
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::Array(_) => "an array",
            Value::Object(_) => "an object",
            Value::Schema { .. } => "a schema",
            Value::Enum { .. } => "an enum",
            Value::Namespace(_) | Value::OurNamespace(_) => "a module namespace",
            Value::Ours { .. } | Value::Builtin(_) | Value::Register => "a function",
            Value::Library(_) => "a value of a schema library",
            Value::Contract => "a contract",
            Value::Registry => "a registry",
            Value::Unknown(_) => "a value that is not static",
        }
    }
}
