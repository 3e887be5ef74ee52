//! Stage 4: a declaration's value to contracts, and to the literal that will stand in its place.

mod component;
mod fields;
mod literal;
mod procedure;

use std::rc::Rc;

use agent_surface_json::Json;
use agent_surface_manifest::Contract;
use agent_surface_schema::NativePatterns;
use rustc_hash::FxHashMap;

use crate::evaluate::{Node, Unknown, Value};
use crate::macros::Macro;
use crate::problem::{Place, Problem};

/// A macro call of the graph, with its argument evaluated.
#[derive(Debug)]
pub(crate) struct Declaration {
    /// `<origin>#<variable>`.
    pub(crate) id: String,
    /// The module's name in the manifest.
    pub(crate) origin: String,
    pub(crate) kind: Macro,
    pub(crate) argument: Node,
}

/// What a declaration proves.
#[derive(Debug)]
pub(crate) struct Assembled {
    /// Its contracts, each with the place that declares it.
    pub(crate) contracts: Vec<(Contract, Place)>,
    /// The definition as plain JSON, a JSON Schema where an `AgentSchema` stood.
    pub(crate) definition: Json,
    /// JSON Pointers into the definition of the schemas whose validators are code of the app.
    pub(crate) validators: Vec<String>,
}

/// What stands in the way of a proof.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) problems: Vec<Problem>,
    /// How many values can't be judged before the host has answered.
    pub(crate) waiting: usize,
    /// Compiled once for all declarations.
    patterns: NativePatterns,
    /// The JSON of the schemas of the declaration in hand, for the definition that they are part of.
    documents: FxHashMap<*const Node, Json>,
}

impl Findings {
    pub(crate) fn push(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn push_unknown(&mut self, unknown: &Unknown) {
        match unknown {
            Unknown::Waiting => self.waiting += 1,
            Unknown::Because(problem) | Unknown::Opaque { problem, .. } => {
                self.problems.push(Problem::clone(problem));
            }
        }
    }

    fn count(&self) -> usize {
        self.problems.len() + self.waiting
    }
}

/// Assembles a declaration. None where there are findings.
pub(crate) fn assemble(declaration: &Declaration, findings: &mut Findings) -> Option<Assembled> {
    let before = findings.count();
    // Another declaration's values may have lain in the same place.
    findings.documents.clear();
    let contracts = match declaration.kind {
        Macro::Component => component::contracts(declaration, findings),
        Macro::Procedure | Macro::External => procedure::contracts(declaration, findings),
    };
    if findings.count() > before {
        return None;
    }
    let mut literal = literal::Literal::default();
    let definition = literal.convert(&declaration.argument, findings)?;
    (findings.count() == before).then_some(Assembled {
        contracts,
        definition,
        validators: literal.validators,
    })
}

/// The object that a contract or a part of it must be.
fn expect_object<'n>(
    node: &'n Node,
    what: &str,
    findings: &mut Findings,
) -> Option<&'n Rc<crate::evaluate::Object>> {
    match &node.value {
        Value::Object(object) => Some(object),
        Value::Unknown(unknown) => {
            findings.push_unknown(unknown);
            None
        }
        _ => {
            let message = format!("{what} must be an object, and this is {}", node.describe());
            findings.push(Problem::at(node.place.clone(), "wrong-shape", message).label("not an object"));
            None
        }
    }
}
