//! What the host says of a program, held against what may enter a contract.

use std::collections::BTreeSet;
use std::rc::Rc;

use agent_surface_json::{Json, parse};
use agent_surface_schema::normalize;

use super::Side;
use super::code::{Code, CodeKind, is_function};
use super::convert::Conversion;
use super::document::document;
use super::program::{Printed, STAND_IN};
use crate::evaluate::{Node, Value};
use crate::graph::Graph;
use crate::message::{Failure, Library, SchemaOutcome};
use crate::problem::Problem;

/// Functions of the libraries that change a value by a function of the app.
const TRANSFORMS: [&str; 12] = [
    "transform",
    "transformAsync",
    "rawTransform",
    "rawTransformAsync",
    "preprocess",
    "overwrite",
    "codec",
    "pipe",
    "Decode",
    "Encode",
    "Transform",
    "Codec",
];

const WRITE_OUT: &str = "Say it with what JSON Schema has, or write the document out: fromStandardSchema(schema, { jsonSchema: { … } }).";

/// Functions of the libraries that take a schema by way of a function of the app.
const DEFERRED: [&str; 3] = ["lazy", "lazyAsync", "Recursive"];

const WRITE_VALUE: &str = "Write the value that it returns, if it is always the same. Of an app's functions only checks may be in a schema.";

const WRITE_REFERENCE: &str = "Name the schema itself, if it does not contain itself. If it does, write the document out: \
     fromStandardSchema(schema, { jsonSchema: { $ref: \"#/$defs/Node\", $defs: { Node: { type: \"object\", properties: { children: \
     { type: \"array\", items: { $ref: \"#/$defs/Node\" } } } } } } }). A scope of ArkType needs no function.";

/// The JSON Schema of a closed expression, for one side. None while the host must answer first.
pub(crate) fn outcome(
    graph: &Graph<'_>,
    code: &Rc<Code>,
    side: Side,
) -> Option<Result<(Node, Json), Box<Problem>>> {
    if let Some(problem) = refuse(code, side) {
        return Some(Err(Box::new(problem)));
    }
    let printed = Printed::new(code, side);
    let (outcome, libraries) = graph.schema(&printed)?;
    Some(match outcome {
        SchemaOutcome::Failed(failure) => Err(Box::new(failed(failure, &printed, code, libraries))),
        SchemaOutcome::Document(text) => read(text, &printed, code).map(|json| {
            let subject = Conversion::of(code).subject().unwrap_or(code);
            let mut node = document(&json, subject);
            node.place = code.place.clone();
            (node, json)
        }),
    })
}

/// What is wrong whatever the library says.
fn refuse(code: &Rc<Code>, side: Side) -> Option<Problem> {
    if let Some(contradiction) = Conversion::of(code).contradiction(side) {
        return Some(contradiction);
    }
    let mut found = None;
    if side == Side::Input {
        code.for_each_operand(&mut |owner, node| {
            let CodeKind::Call { callee, .. } = &owner.kind else { return };
            if let Some(name) = callee.name().filter(|name| TRANSFORMS.contains(name) && is_function(node)) {
                found.get_or_insert_with(|| transformed(name, node));
            }
        });
    }
    found
}

fn transformed(name: &str, function: &Node) -> Problem {
    let message = format!(
        "`{name}` turns what an agent sends into something else, and its JSON Schema cannot say what"
    );
    Problem::at(function.place.clone(), "schema", message).label("a function in the way of an input").help(
        "An input is what its JSON Schema says. Let the handler do this, and describe what the agent sends.",
    )
}

fn read(text: &str, printed: &Printed, code: &Rc<Code>) -> Result<Json, Box<Problem>> {
    if let Some(at) = text.find(STAND_IN) {
        let digits: String = text[at + STAND_IN.len()..].chars().take_while(char::is_ascii_digit).collect();
        if let Some(stand_in) = digits.parse().ok().and_then(|at: usize| printed.stand_ins.get(at)) {
            return Err(Box::new(Problem::clone(&stand_in.problem)));
        }
    }
    let subject = Conversion::of(code).subject().unwrap_or(code);
    let vendor = subject.entry().map_or("", |entry| &entry.package);
    parse(text).map(|document| normalize(document, vendor)).map_err(|error| {
        let message = format!("What the library says of `{}` is no JSON: {error}", code.text());
        Box::new(Problem::at(code.place.clone(), "schema", message).label("no JSON").help(WRITE_OUT))
    })
}

fn failed(failure: &Failure, printed: &Printed, code: &Code, libraries: &[Library]) -> Problem {
    let names: Vec<String> = libraries.iter().map(Library::describe).collect();
    let library = if names.is_empty() { "The schema library".to_owned() } else { names.join(" with ") };
    let stand_in = failure.stand_in.and_then(|at| printed.stand_ins.get(at as usize));
    if let Some(stand_in) = stand_in.filter(|it| it.function) {
        let message = format!("{library} needs the function {} for the JSON Schema", stand_in.describe());
        let makes_a_schema = stand_in.given_to.as_deref().is_some_and(|name| DEFERRED.contains(&name));
        return Problem::at(stand_in.place.clone(), "schema", message)
            .label("would have to run while the app is built")
            .help(if makes_a_schema { WRITE_REFERENCE } else { WRITE_VALUE });
    }
    let site = failure.site.and_then(|at| printed.sites.get(at as usize));
    let (place, what) = match site {
        Some(site) => (site.place.clone(), site.describe()),
        None => (code.place.clone(), format!("`{}`", code.text())),
    };
    // A text of the app that stands where none may is the more likely reason than what the library makes of it.
    if let Some(open) = printed.stand_ins.iter().find(|it| !it.function && place.contains(&it.place)) {
        return Problem::clone(&open.problem);
    }
    let message = format!("{library} makes no JSON Schema of {what}: {}", failure.message);
    Problem::at(place, "schema", message).label("not representable").help(WRITE_OUT)
}

/// The libraries that the values inside a value were made with.
pub(crate) fn libraries_in(graph: &Graph<'_>, node: &Node, found: &mut BTreeSet<Library>) {
    match &node.value {
        Value::Library(code) => {
            for entry in &Printed::new(code, Side::AsWritten).imports {
                let version = entry.version.clone().or_else(|| graph.version_of(&entry.package));
                found.insert(Library { name: entry.package.clone(), version });
            }
        }
        Value::Schema { document, .. } => libraries_in(graph, document, found),
        Value::Array(items) => items.iter().for_each(|item| libraries_in(graph, item, found)),
        Value::Object(object) => object.iter().for_each(|(_, value)| libraries_in(graph, value, found)),
        _ => {}
    }
}
