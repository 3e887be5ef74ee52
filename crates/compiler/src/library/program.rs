//! A closed expression as the host gets it: a list of imports, and a tree over them in JSON.
//!
//! Every node of the tree is an array that begins with its kind, or a plain string, finite number, boolean or null:
//!
//! | node | meaning |
//! |---|---|
//! | `["import", n]` | the namespace of import `n` |
//! | `["constant", n]` | the value of constant `n`, which stands before whatever uses it |
//! | `["member", object, key]` | a member |
//! | `["call", callee, arguments, site]` | a call, of a method where the callee is a member |
//! | `["object", parts]` | parts are `[key, value]`, or `[value]` to be spread |
//! | `["array", items]` | items are `[value]`, or `["...", value]` to be spread |
//! | `["pattern", source, flags]` | a regular expression |
//! | `["number", text]` | a number that JSON cannot carry |
//! | `["undefined"]` | |
//! | `["function", n]`, `["text", n]` | what stands in for a function or a text of the app |
//! | `["convert", how, converter, subject, options, side, site]` | the JSON Schema of a schema |
//!
//! There is no source code in it, so whatever an app writes into a string stays a string.

use std::rc::Rc;

use agent_surface_json::{Json, Number};
use rustc_hash::FxHashMap;

use super::Side;
use super::code::{Code, CodeKind, Entry, Operand, Part, shown};
use super::convert::Conversion;
use crate::evaluate::{Node, Object, Opaque, Unknown, Value};
use crate::facts::{BindingId, ImportedName};
use crate::number;
use crate::problem::{Place, Problem};

/// What a text begins with that stands in for one of the app's.
pub(super) const STAND_IN: &str = "@agent-surface/stand-in:";

/// A program for the host.
#[derive(Debug, Default)]
pub(crate) struct Printed {
    pub(crate) imports: Vec<Rc<Entry>>,
    /// `[constants, result]`.
    pub(crate) program: String,
    /// The calls, by their number.
    pub(super) sites: Vec<Site>,
    /// What others stand in for, by its number.
    pub(super) stand_ins: Vec<StandIn>,
}

/// A call of the library.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) place: Place,
    /// The properties on the way to it: `rows.id`.
    pub(super) path: String,
}

/// Something of the app that the JSON Schema must not depend on.
#[derive(Debug)]
pub(super) struct StandIn {
    pub(super) place: Place,
    pub(super) path: String,
    /// Why it has no static value.
    pub(super) problem: Rc<Problem>,
    pub(super) function: bool,
    /// The library's function that it is given to.
    pub(super) given_to: Option<String>,
}

impl Printed {
    /// The program of an expression for one side.
    pub(crate) fn new(code: &Rc<Code>, side: Side) -> Self {
        let mut printer = Printer::default();
        let result = printer.conversion(code, side);
        let constants = Json::Array(std::mem::take(&mut printer.values));
        printer.printed.program = Json::Array(vec![constants, result]).to_canonical();
        printer.printed
    }

    /// The name under which the answer is kept: a hash of the program and the libraries that it is run with.
    pub(crate) fn key(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for entry in &self.imports {
            let importer = if entry.id.is_none() { entry.importer.as_str() } else { "" };
            let id = entry.id.as_deref().unwrap_or(&entry.specifier);
            for part in [entry.package.as_str(), entry.version.as_deref().unwrap_or_default(), id, importer] {
                hasher.update(part.as_bytes()).update(&[0]);
            }
        }
        hasher.update(self.program.as_bytes());
        hasher.finalize().to_hex().to_string()
    }
}

#[derive(Default)]
struct Printer {
    printed: Printed,
    constants: FxHashMap<(String, BindingId), usize>,
    values: Vec<Json>,
    path: Vec<Rc<str>>,
    /// The library's functions whose arguments are being printed, the innermost last.
    callees: Vec<Option<String>>,
}

impl Printer {
    fn conversion(&mut self, code: &Rc<Code>, side: Side) -> Json {
        let word = side.word();
        let (how, converter, subject, options) = match Conversion::of(code) {
            Conversion::None => return self.code(code),
            // What the author wrote is what is meant.
            Conversion::Call { .. } | Conversion::Method { .. } | Conversion::Sides { .. }
                if word.is_none() =>
            {
                return self.code(code);
            }
            Conversion::Call { converter, subject, options, member } => {
                ("call", self.code(converter), self.node(subject), self.options(options, Some(member), word))
            }
            Conversion::Method { subject, options } => {
                ("method", Json::Null, self.code(subject), self.options(options, Some("io"), word))
            }
            Conversion::Sides { subject, options } => {
                ("sides", Json::Null, self.code(subject), self.options(options, None, word))
            }
            Conversion::Standard { subject } => {
                ("standard", Json::Null, self.code(subject), self.options(None, None, word))
            }
        };
        let site = self.site(&code.value().place);
        let side = Json::from(word.unwrap_or("input"));
        Json::Array(vec!["convert".into(), how.into(), converter, subject, options, side, site])
    }

    /// The author's options, with the side among them.
    fn options(&mut self, options: Option<&Node>, member: Option<&str>, side: Option<&str>) -> Json {
        let mut parts = Vec::new();
        if let Some(Node { value: Value::Object(object), .. }) = options {
            self.properties(object, &mut parts);
        }
        if let (Some(member), Some(side)) = (member, side) {
            parts.retain(|part| part.as_array().and_then(|part| part[0].as_str()) != Some(member));
            parts.push(Json::Array(vec![member.into(), side.into()]));
        }
        Json::Array(vec!["object".into(), Json::Array(parts)])
    }

    fn code(&mut self, code: &Rc<Code>) -> Json {
        match &code.kind {
            CodeKind::Import { entry, name } => {
                let at = self.import(entry);
                let namespace = Json::Array(vec!["import".into(), index(at)]);
                match name {
                    ImportedName::Namespace => namespace,
                    ImportedName::Named(name) => {
                        Json::Array(vec!["member".into(), namespace, name.as_str().into()])
                    }
                }
            }
            CodeKind::Member { object, key } => {
                let object = self.code(object);
                Json::Array(vec!["member".into(), object, (&**key).into()])
            }
            CodeKind::Call { callee, arguments } => {
                self.callees.push(callee.name().map(str::to_owned));
                let callee = self.code(callee);
                let arguments = self.operands(arguments);
                self.callees.pop();
                let site = self.site(&code.place);
                Json::Array(vec!["call".into(), callee, arguments, site])
            }
            CodeKind::Object(parts) => {
                let mut printed = Vec::new();
                for part in parts {
                    match part {
                        Part::Property(key, value) => self.property(key, value, &mut printed),
                        Part::Spread(value) => {
                            let value = self.node(value);
                            printed.push(Json::Array(vec![value]));
                        }
                    }
                }
                Json::Array(vec!["object".into(), Json::Array(printed)])
            }
            CodeKind::Array(items) => Json::Array(vec!["array".into(), self.operands(items)]),
            CodeKind::Constant { key, value } => {
                let at = match self.constants.get(key) {
                    Some(at) => *at,
                    None => {
                        let value = self.code(value);
                        self.values.push(value);
                        self.constants.insert(key.clone(), self.values.len() - 1);
                        self.values.len() - 1
                    }
                };
                Json::Array(vec!["constant".into(), index(at)])
            }
            CodeKind::Standard(_) => self.conversion(code, Side::AsWritten),
        }
    }

    fn operands(&mut self, operands: &[Operand]) -> Json {
        let printed = operands.iter().map(|operand| match operand {
            Operand::Item(node) => Json::Array(vec![self.node(node)]),
            Operand::Spread(node) => Json::Array(vec!["...".into(), self.node(node)]),
        });
        Json::Array(printed.collect())
    }

    fn properties(&mut self, object: &Object, printed: &mut Vec<Json>) {
        for (key, value) in object.iter() {
            self.property(key, value, printed);
        }
    }

    fn property(&mut self, key: &Rc<str>, value: &Node, printed: &mut Vec<Json>) {
        self.path.push(Rc::clone(key));
        let value = self.node(value);
        self.path.pop();
        printed.push(Json::Array(vec![(&**key).into(), value]));
    }

    fn node(&mut self, node: &Node) -> Json {
        match &node.value {
            Value::Null => Json::Null,
            Value::Bool(value) => Json::Bool(*value),
            Value::Number(value) => {
                match Number::new(*value).filter(|_| *value != 0.0 || value.is_sign_positive()) {
                    Some(number) => Json::Number(number),
                    None if *value == 0.0 => Json::Array(vec!["number".into(), "-0".into()]),
                    None => Json::Array(vec!["number".into(), number::to_string(*value).into()]),
                }
            }
            Value::String(text) => Json::from(&**text),
            Value::Array(items) => {
                let items = items.iter().map(|item| Json::Array(vec![self.node(item)])).collect();
                Json::Array(vec!["array".into(), Json::Array(items)])
            }
            Value::Object(object) => {
                let mut parts = Vec::new();
                self.properties(object, &mut parts);
                Json::Array(vec!["object".into(), Json::Array(parts)])
            }
            Value::Library(code) => self.code(code),
            Value::Unknown(Unknown::Opaque { what: Opaque::Pattern { source, flags }, .. }) => {
                Json::Array(vec!["pattern".into(), source.as_str().into(), flags.as_str().into()])
            }
            Value::Unknown(Unknown::Opaque { what: Opaque::Function, problem }) => {
                self.stand_in(node, problem, true)
            }
            Value::Unknown(Unknown::Because(problem)) => self.stand_in(node, problem, false),
            // The evaluator lets nothing else into a closed expression.
            _ => Json::Array(vec!["undefined".into()]),
        }
    }

    fn stand_in(&mut self, node: &Node, problem: &Rc<Problem>, function: bool) -> Json {
        let at = self.printed.stand_ins.len();
        let (place, path) = (node.place.clone(), self.path.join("."));
        let given_to = self.callees.last().cloned().flatten();
        self.printed.stand_ins.push(StandIn { place, path, problem: Rc::clone(problem), function, given_to });
        Json::Array(vec![if function { "function" } else { "text" }.into(), index(at)])
    }

    fn import(&mut self, entry: &Rc<Entry>) -> usize {
        let is_same = |other: &Rc<Entry>| match (&other.id, &entry.id) {
            (Some(a), Some(b)) => a == b,
            (None, None) => other.specifier == entry.specifier && other.importer == entry.importer,
            _ => false,
        };
        self.printed.imports.iter().position(is_same).unwrap_or_else(|| {
            self.printed.imports.push(Rc::clone(entry));
            self.printed.imports.len() - 1
        })
    }

    fn site(&mut self, place: &Place) -> Json {
        let path = self.path.join(".");
        self.printed.sites.push(Site { place: place.clone(), path });
        index(self.printed.sites.len() - 1)
    }
}

impl Site {
    /// What was written there, and of which part of the schema it is.
    pub(super) fn describe(&self) -> String {
        described(&self.place, &self.path)
    }
}

impl StandIn {
    pub(super) fn describe(&self) -> String {
        described(&self.place, &self.path)
    }
}

fn described(place: &Place, path: &str) -> String {
    let text = shown(place);
    if path.is_empty() { format!("`{text}`") } else { format!("`{text}` at `{path}`") }
}

#[expect(clippy::cast_precision_loss, reason = "an expression has far fewer than 2^53 parts")]
fn index(at: usize) -> Json {
    Number::new(at as f64).map_or(Json::Null, Json::Number)
}
