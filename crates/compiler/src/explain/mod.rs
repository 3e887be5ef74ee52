//! How a proven capability came about: for a person who asks, not for the proof.

mod binders;
mod constants;

use crate::graph::{Graph, View};
use crate::message::{Library, Question};
use crate::problem::Place;
use crate::prove::{Subjects, prove};
use crate::session::Session;

/// What [`Session::explain`] came to.
#[derive(Clone, Debug)]
pub enum Explain {
    /// One for each declaration of the capability; none where no declaration of the build has it.
    Explained(Vec<Explanation>),
    /// Answer these, then call again.
    Ask(Vec<Question>),
}

/// How one declaration came to have a capability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// For example `view:devices.table.sort`.
    pub capability_id: String,
    /// For example `src/contracts.ts#deviceTable`.
    pub declaration_id: String,
    /// Where the capability is declared.
    pub position: Position,
    /// The constants that were read to evaluate it, by place.
    pub constants: Vec<NamedPosition>,
    /// What uses the contract, by place.
    pub binders: Vec<NamedPosition>,
    /// The schema libraries that made its JSON Schemas, by name.
    pub libraries: Vec<Library>,
}

/// A place in a file of the project.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The file, relative to the root.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// 1-based, in UTF-16 code units.
    pub column: u32,
}

/// Something with a name, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPosition {
    /// As it is written there.
    pub name: String,
    /// Where it is.
    pub position: Position,
}

impl Session {
    /// How a capability of the graph came about. It says something once [`Session::close`] has proven the build.
    pub fn explain(&self, capability_id: &str) -> Explain {
        // The author's files first, for their positions; a module that only the bundler has is in its own view.
        for view in [View::Author, View::Bundle] {
            let graph = Graph::new(&self.memory, view);
            let subjects = match view {
                View::Author => self.subjects_as_written(&graph),
                _ => self.subjects(),
            };
            let explanations = explain_in(&graph, &subjects, capability_id);
            let questions = graph.into_questions();
            if !questions.is_empty() {
                return Explain::Ask(questions);
            }
            if !explanations.is_empty() {
                return Explain::Explained(explanations);
            }
        }
        Explain::Explained(Vec::new())
    }
}

/// How the declarations of a view came to have a capability.
fn explain_in(graph: &Graph<'_>, subjects: &Subjects<'_>, capability_id: &str) -> Vec<Explanation> {
    let mut explanations = Vec::new();
    for proven in prove(graph, subjects).proven {
        let (module, call) = &proven.call;
        let Some((_, place)) =
            proven.assembled.contracts.iter().find(|(contract, _)| contract.capability_id == capability_id)
        else {
            continue;
        };
        let (constants, libraries) = constants::of_capability(graph, module, *call, capability_id);
        explanations.push(Explanation {
            capability_id: capability_id.to_owned(),
            declaration_id: proven.declaration_id.clone(),
            position: Position::of(place),
            constants,
            // What is missing is among the questions.
            binders: binders::of_call(graph, module, *call).unwrap_or_default(),
            libraries,
        });
    }
    explanations
}

impl Position {
    fn of(place: &Place) -> Self {
        let (line, column) = place.position();
        Self { file: place.module.origin.clone(), line, column }
    }
}

impl NamedPosition {
    fn new(name: impl Into<String>, place: &Place) -> Self {
        Self { name: name.into(), position: Position::of(place) }
    }
}

/// Sorts by place, each once.
fn settle(mut positions: Vec<NamedPosition>) -> Vec<NamedPosition> {
    positions.sort_by(|a, b| (&a.position, &a.name).cmp(&(&b.position, &b.name)));
    positions.dedup();
    positions
}
