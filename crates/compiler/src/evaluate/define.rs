//! Constants that the bundler puts in the place of names: `define` of a config, `import.meta.env`.
//!
//! They stand for what no scope of a module binds, so a name of the module's own always wins.

use std::rc::Rc;

use agent_surface_json::parse;
use rustc_hash::FxHashMap;

use super::value::{Node, Object, Value};
use super::{Evaluator, place};
use crate::facts::{Expr, ExprKind, Key, json_expr};
use crate::message::Define;
use crate::module::Module;
use crate::problem::{Place, Problem};

/// How much of a constant's text is shown in a message.
const SHOWN: usize = 60;

/// The constants of a build, by the names and paths they replace.
#[derive(Debug, Default)]
pub(crate) struct Defines(FxHashMap<String, Define>);

impl Defines {
    pub(crate) fn new(defines: Vec<Define>) -> Self {
        Self(defines.into_iter().map(|define| (define.name.clone(), define)).collect())
    }

    /// What replaces a path: a constant of exactly this name, or else one of `its.parent.*`.
    fn find(&self, path: &str) -> Option<&Define> {
        self.0.get(path).or_else(|| {
            let (parent, _) = path.rsplit_once('.')?;
            self.0.get(&format!("{parent}.*"))
        })
    }

    /// Takes away those members of an object that are not the same in every environment.
    fn mark_varying(&self, path: &str, members: &mut Object, here: &Place) {
        let names: Vec<Rc<str>> = members.iter().map(|(name, _)| Rc::clone(name)).collect();
        for name in names {
            let member = format!("{path}.{name}");
            if let Some(environment) = self.0.get(&member).and_then(|define| define.differs_in.as_ref()) {
                members.insert(name, varying(&member, environment, here));
            }
        }
    }
}

impl Evaluator<'_, '_> {
    /// The constant that the bundler puts in the place of an expression, if it puts one there. A function of its own
    /// in the machine's code too: evaluation recurses, and this would take room in each of its frames.
    #[inline(never)]
    pub(super) fn defined(&mut self, module: &Rc<Module>, expr: &Expr) -> Option<Node> {
        let defines = self.graph.defines();
        if defines.0.is_empty() {
            return None;
        }
        let path = path_of(expr)?;
        let here = &place(module, expr.span);
        // On a server some names are replaced by themselves: they are known only there.
        let define = defines.find(&path).filter(|define| define.text != path)?;
        if let Some(environment) = &define.differs_in {
            return Some(varying(&path, environment, here));
        }
        if define.text == "undefined" {
            return Some(Node::new(Value::Undefined, here.clone()));
        }
        Some(match parse(&define.text) {
            Ok(value) => {
                let mut node = self.evaluate(module, &json_expr(&value, here.span));
                if let Value::Object(members) = &mut node.value {
                    defines.mark_varying(&path, Rc::make_mut(members), here);
                }
                node
            }
            Err(_) => {
                let text = shorten(&define.text);
                let message = format!("`{path}` is replaced by `{text}`, which is no JSON");
                let problem =
                    Problem::at(here.clone(), "dynamic-value", message).label("not a static value").help(
                        "Define it as JSON, by `JSON.stringify(value)` for example, or write the value here.",
                    );
                Node::unknown(problem, here.clone())
            }
        })
    }
}

fn varying(path: &str, environment: &str, here: &Place) -> Node {
    let message = format!("`{path}` has another value in the environment `{environment}`");
    let problem = Problem::at(here.clone(), "varying-value", message)
        .label("not the same everywhere")
        .help("A contract is the same in every environment of a build: write a value that is.");
    Node::unknown(problem, here.clone())
}

/// `a.b.c` of a chain of members that begins with a name no scope binds, or with `import.meta`.
fn path_of(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Global(name) => Some(name.clone()),
        ExprKind::ImportMeta => Some("import.meta".to_owned()),
        ExprKind::Chain(inner) => path_of(inner),
        ExprKind::Member { object, key, .. } => match &**key {
            Key::Static { name, .. } if !name.contains('.') => Some(path_of(object)? + "." + name),
            _ => None,
        },
        _ => None,
    }
}

fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
