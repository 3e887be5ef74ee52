//! Macro calls that another build has expanded: a library's, in the code that it ships.
//!
//! Such a call carries its definition and its proof as JSON. The proof is of the library's manifest, so no authority of
//! the app takes it; the definition is nobody's word before it is held against the package's contract file. Where the
//! two agree, the call is given a proof of the app's own manifest.

use std::rc::Rc;

use agent_surface_json::{Json, Pointer, parse};

use super::Sidecar;
use crate::assemble::{Assembled, Declaration, Findings, assemble};
use crate::evaluate::{Evaluator, Node, Object, Value, place};
use crate::facts::{Argument, Call, ExprKind, Key};
use crate::graph::Graph;
use crate::macros::Macro;
use crate::module::Module;
use crate::problem::Problem;

/// A call whose definition is that of its package's contract file.
pub(crate) struct Reopened {
    pub(crate) declaration_id: String,
    pub(crate) assembled: Assembled,
}

/// What the library's build wrote beside a definition.
struct Seal {
    declaration_id: String,
    /// JSON Pointers of the schemas whose validators are code.
    validators: Vec<String>,
}

/// Whether a macro call is one that a build has expanded.
pub(crate) fn is_sealed(call: &Call) -> bool {
    read_seal(call).is_some()
}

/// What tells an expanded call from every other of a build: its declaration is of another project, so the module that
/// has it now belongs to its name.
pub(crate) fn sealed_name(module: &Module, call: &Call) -> Option<String> {
    let Seal { declaration_id, .. } = read_seal(call)?;
    Some(format!("{}\0{declaration_id}", module.origin))
}

/// Proves an expanded call by the contract file of its package. None where there are findings.
pub(crate) fn reopen(
    graph: &Graph<'_>,
    module: &Rc<Module>,
    (call, kind): (&Call, Macro),
    sidecar: &Sidecar,
    findings: &mut Findings,
) -> Option<Reopened> {
    let Seal { declaration_id, validators } = read_seal(call)?;
    let definition = Evaluator::new(graph).evaluate(module, &call.arguments.first()?.expr);
    let origin = declaration_id.rsplit_once('#').map_or(&*declaration_id, |(origin, _)| origin).to_owned();
    let declaration = Declaration {
        id: declaration_id.clone(),
        origin,
        kind,
        argument: with_schemas(kind, &definition, &validators),
    };
    let assembled = assemble(&declaration, findings)?;
    let stranger = assembled.contracts.iter().find(|(contract, _)| {
        sidecar
            .entry(&declaration_id, &contract.capability_id)
            .is_none_or(|entry| entry.contract_hash != contract.hash())
    });
    if let Some((contract, _)) = stranger {
        let message = format!(
            "`{}` of {declaration_id}, as `{}` ships it, is not what its contract file {} says",
            contract.capability_id, sidecar.package, sidecar.source
        );
        let problem = Problem::at(place(module, call.callee.span), "stale-contract", message)
            .label("declared otherwise")
            .related(sidecar.declared.clone(), "its contract file")
            .help("Code and contract file are of one build. Report it to the package's authors.");
        findings.push(problem);
        return None;
    }
    if !assembled.validators.is_empty() && call.arguments.len() < 3 {
        let message =
            format!("The contract {declaration_id} of `{}` has lost its validators", sidecar.package);
        let problem = Problem::at(place(module, call.callee.span), "stale-contract", message)
            .label("no third argument")
            .help("What the library's build wrote must be published as it is.");
        findings.push(problem);
        return None;
    }
    Some(Reopened { declaration_id, assembled })
}

fn read_seal(call: &Call) -> Option<Seal> {
    let is_plain =
        !call.optional && !call.constructed && call.arguments.iter().all(|argument| !argument.spread);
    let ([definition, proof] | [definition, proof, _]) = &*call.arguments else { return None };
    if !is_plain || parsed_text(definition).is_none() {
        return None;
    }
    let proof = parse(parsed_text(proof)?).ok()?;
    proof.get("manifestHash").and_then(Json::as_str)?;
    let validators = match proof.get("validators") {
        None => Vec::new(),
        Some(pointers) => {
            pointers.as_array()?.iter().map(|it| it.as_str().map(str::to_owned)).collect::<Option<_>>()?
        }
    };
    Some(Seal { declaration_id: proof.get("declarationId").and_then(Json::as_str)?.to_owned(), validators })
}

/// The text in `JSON.parse("…")`, whatever its quotes.
fn parsed_text(argument: &Argument) -> Option<&str> {
    let ExprKind::Call { callee, arguments, optional: false } = &argument.expr.kind else { return None };
    let ExprKind::Member { object, key, optional: false } = &callee.kind else { return None };
    let is_parse = matches!(&object.kind, ExprKind::Global(name) if name == "JSON")
        && matches!(&**key, Key::Static { name, .. } if name == "parse");
    let [Argument { expr, spread: false, .. }] = &**arguments else { return None };
    match &expr.kind {
        ExprKind::String(text) if is_parse => Some(text),
        ExprKind::Template(template) if is_parse => match template.quasis.as_slice() {
            [text] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

/// A definition with schemas where a build has left their documents.
fn with_schemas(kind: Macro, definition: &Node, validators: &[String]) -> Node {
    let root = Pointer::root();
    if kind != Macro::Component {
        return schemas_of(definition, &root, validators);
    }
    let in_group = |group: &Node, at: &Pointer| {
        map_members(group, |name, member| schemas_of(member, &at.member(name), validators))
    };
    map_members(definition, |name, member| match name {
        "observations" | "actions" => in_group(member, &root.member(name)),
        _ => member.clone(),
    })
}

fn schemas_of(capability: &Node, at: &Pointer, validators: &[String]) -> Node {
    map_members(capability, |name, member| match name {
        "input" | "output" => {
            let validator = validators.iter().any(|pointer| pointer == at.member(name).as_str());
            let schema = Value::Schema { document: Rc::new(member.clone()), validator };
            Node::new(schema, member.place.clone())
        }
        _ => member.clone(),
    })
}

fn map_members(node: &Node, map: impl Fn(&str, &Node) -> Node) -> Node {
    let Value::Object(object) = &node.value else { return node.clone() };
    let mut mapped = Object::default();
    for (name, member) in object.iter() {
        mapped.insert(Rc::clone(name), map(name, member));
    }
    Node::new(Value::Object(Rc::new(mapped)), node.place.clone())
}
