//! Procedure and external tool contracts: one contract each.

use agent_surface_manifest::format::MAX_CAPABILITY_DESCRIPTION;
use agent_surface_manifest::ids::CapabilityId;
use agent_surface_manifest::{Contract, Kind};

use super::component::bad_id;
use super::fields::Fields;
use super::{Declaration, Findings};
use crate::macros::Macro;
use crate::problem::Place;

const FIELDS: &[&str] =
    &["id", "description", "input", "output", "effect", "confirmation", "policies", "tags"];

/// The contract of a procedure or an external tool; none where there are findings.
pub(super) fn contracts(declaration: &Declaration, findings: &mut Findings) -> Vec<(Contract, Place)> {
    contract(declaration, findings)
        .into_iter()
        .map(|contract| (contract, declaration.argument.place.clone()))
        .collect()
}

fn contract(declaration: &Declaration, findings: &mut Findings) -> Option<Contract> {
    let (kind, what) = match declaration.kind {
        Macro::External => (Kind::External, "an external tool contract"),
        _ => (Kind::Procedure, "a procedure contract"),
    };
    let mut fields = Fields::of(&declaration.argument, what, FIELDS, findings)?;
    let id = fields.required_text("id", None);
    if let (Some(id), Some(node), Kind::Procedure) = (id, fields.get("id"), kind) {
        let error = match CapabilityId::parse(id) {
            Ok(CapabilityId::Domain { .. }) => None,
            Ok(_) => {
                fields.refuse(
                    node,
                    "bad-id",
                    format!("\"{id}\" is not the id of a procedure"),
                    "A procedure's id is `domain:` and its path on the server, as in `domain:devices.disable`.",
                );
                None
            }
            Err(error) => Some(error),
        };
        if let Some(error) = error {
            fields.findings().push(bad_id(node, &error));
        }
    }
    let description = fields.required_text("description", Some(MAX_CAPABILITY_DESCRIPTION));
    let effect = fields.effect(kind);
    let confirmation = fields.confirmation();
    if let (Some(effect), Some(stated), Some(node)) = (effect, confirmation, fields.get("confirmation")) {
        let least = effect.defaults().minimum_confirmation;
        if stated < least {
            let message = format!("A `{}` capability asks at least `{}`", effect.as_str(), least.as_str());
            fields.refuse(
                node,
                "wrong-value",
                message,
                "Declare a stronger confirmation, or leave it out for `required`.",
            );
        }
    }
    let input_schema = fields.schema("input", true);
    let output_schema = fields.schema("output", false);
    let policies = fields.policies();
    let tags = fields.tags();
    Some(Contract {
        declaration_id: declaration.id.clone(),
        capability_id: id?.to_owned(),
        kind,
        description: description?.to_owned(),
        effect: effect?,
        input_schema: Some(input_schema?),
        output_schema,
        confirmation,
        policies,
        tags,
        origin: declaration.origin.clone(),
    })
}
