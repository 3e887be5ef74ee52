//! Component contracts: one contract for each observation and action.

use agent_surface_manifest::format::{MAX_CAPABILITY_DESCRIPTION, MAX_COMPONENT_DESCRIPTION};
use agent_surface_manifest::{Contract, Effect, Kind, PolicyAttachment, ids, inherit_policies, inherit_tags};

use super::fields::Fields;
use super::{Declaration, Findings, expect_object};
use crate::evaluate::Node;
use crate::problem::{Place, Problem};

const COMPONENT: &[&str] =
    &["type", "description", "meta", "origin", "priority", "policies", "tags", "observations", "actions"];
const OBSERVATION: &[&str] = &["description", "output", "meta", "timeoutMs", "policies", "tags"];
const ACTION: &[&str] = &[
    "description",
    "input",
    "output",
    "effect",
    "idempotent",
    "reversible",
    "confirmation",
    "audit",
    "meta",
    "timeoutMs",
    "concurrency",
    "policies",
    "tags",
];

/// What every capability of a component takes from it.
struct Component<'d> {
    declaration: &'d Declaration,
    kind: &'d str,
    policies: Vec<PolicyAttachment>,
    tags: Vec<String>,
}

/// The contracts of a component; those that could be read, where there are findings.
pub(super) fn contracts(declaration: &Declaration, findings: &mut Findings) -> Vec<(Contract, Place)> {
    let argument = &declaration.argument;
    let Some(mut fields) = Fields::of(argument, "a component contract", COMPONENT, findings) else {
        return Vec::new();
    };
    let kind = fields.required_text("type", None);
    fields.required_text("description", Some(MAX_COMPONENT_DESCRIPTION));
    fields.meta();
    fields.optional_text("origin");
    fields.number("priority", f64::is_finite, "a number");
    let policies = fields.policies().unwrap_or_default();
    let tags = fields.tags().unwrap_or_default();
    if let (Some(kind), Some(node)) = (kind, fields.get("type"))
        && let Err(error) = ids::check_component_type(kind)
    {
        fields.findings().push(bad_id(node, &error));
    }
    let groups = [(Kind::Observation, fields.get("observations")), (Kind::Action, fields.get("actions"))];
    let component = Component { declaration, kind: kind.unwrap_or_default(), policies, tags };
    let mut contracts = Vec::new();
    for (kind, group) in groups {
        if let Some(group) = group {
            component.read_group(kind, group, &mut contracts, findings);
        }
    }
    refuse_twice(&contracts, findings);
    contracts
}

impl Component<'_> {
    fn read_group(
        &self,
        kind: Kind,
        group: &Node,
        contracts: &mut Vec<(Contract, Place)>,
        findings: &mut Findings,
    ) {
        let what = if kind == Kind::Observation { "`observations`" } else { "`actions`" };
        let Some(members) = expect_object(group, what, findings) else { return };
        for (name, member) in members.iter() {
            if let Err(error) = ids::check_capability_name(name) {
                findings.push(bad_id(member, &error));
            }
            let contract = match kind {
                Kind::Observation => self.observation(name, member, findings),
                _ => self.action(name, member, findings),
            };
            if let Some(contract) = contract {
                if !self.kind.is_empty() && contract.capability_id.len() > ids::MAX_ID_LENGTH {
                    let message = format!(
                        "The capability id \"{}\" has more than {} characters",
                        contract.capability_id,
                        ids::MAX_ID_LENGTH
                    );
                    findings.push(Problem::at(member.place.clone(), "bad-id", message));
                }
                contracts.push((contract, member.place.clone()));
            }
        }
    }

    fn observation(&self, name: &str, member: &Node, findings: &mut Findings) -> Option<Contract> {
        let mut fields = Fields::of(member, "an observation", OBSERVATION, findings)?;
        fields.meta();
        fields.timeout();
        let description = fields.required_text("description", Some(MAX_CAPABILITY_DESCRIPTION));
        let output = fields.schema("output", true);
        let contract = self.contract(name, Kind::Observation, &mut fields);
        Some(Contract {
            description: description?.to_owned(),
            effect: Effect::Read,
            output_schema: Some(output?),
            ..contract
        })
    }

    fn action(&self, name: &str, member: &Node, findings: &mut Findings) -> Option<Contract> {
        let mut fields = Fields::of(member, "an action", ACTION, findings)?;
        fields.meta();
        fields.timeout();
        fields.concurrency();
        fields.flag("idempotent");
        fields.flag("reversible");
        fields.audit();
        let description = fields.required_text("description", Some(MAX_CAPABILITY_DESCRIPTION));
        let effect = fields.effect(Kind::Action);
        let confirmation = fields.confirmation();
        let input = fields.schema("input", true);
        let output_schema = fields.schema("output", false);
        let contract = self.contract(name, Kind::Action, &mut fields);
        Some(Contract {
            description: description?.to_owned(),
            effect: effect?,
            input_schema: Some(input?),
            output_schema,
            confirmation,
            ..contract
        })
    }

    /// What both kinds of capability have in common; the rest is the caller's to fill in.
    fn contract(&self, name: &str, kind: Kind, fields: &mut Fields<'_, '_>) -> Contract {
        let policies = fields.policies().unwrap_or_default();
        let tags = fields.tags().unwrap_or_default();
        Contract {
            declaration_id: self.declaration.id.clone(),
            capability_id: ids::view_id(self.kind, name),
            kind,
            description: String::new(),
            effect: Effect::Read,
            input_schema: None,
            output_schema: None,
            confirmation: None,
            policies: inherit_policies(&self.policies, &policies),
            tags: inherit_tags(&self.tags, &tags),
            origin: self.declaration.origin.clone(),
        }
    }
}

/// An observation and an action of one name would be one capability with two meanings.
fn refuse_twice(contracts: &[(Contract, Place)], findings: &mut Findings) {
    for (index, (contract, place)) in contracts.iter().enumerate() {
        let earlier =
            contracts[..index].iter().find(|(other, _)| other.capability_id == contract.capability_id);
        if let Some((other, first)) = earlier {
            let message = format!("`{}` is declared twice by one component", other.capability_id);
            let problem = Problem::at(place.clone(), "duplicate-capability", message)
                .label("declared again")
                .related(first.clone(), "first declared here")
                .help("Give the observation and the action different names.");
            findings.push(problem);
        }
    }
}

pub(super) fn bad_id(node: &Node, error: &ids::IdError) -> Problem {
    Problem::at(node.place.clone(), "bad-id", error.message()).label("not a valid id")
}
