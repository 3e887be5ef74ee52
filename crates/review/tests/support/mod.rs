//! Contracts for the tests, and shorter words for what they look at.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use agent_surface_json::{Json, parse};
use agent_surface_manifest::{Confirmation, Contract, Effect, Kind, Manifest, Phase, PolicyAttachment};
use agent_surface_review::{Change, Class, Place, Places, Subject, compare};

/// The action `view:counter.<name>`, declared by `src/counter.ts#counter`.
pub(crate) fn action(name: &str) -> Contract {
    Contract {
        declaration_id: "src/counter.ts#counter".into(),
        capability_id: format!("view:counter.{name}"),
        kind: Kind::Action,
        description: format!("What {name} does"),
        effect: Effect::LocalState,
        input_schema: Some(json(r#"{"type":"object","properties":{},"additionalProperties":false}"#)),
        output_schema: None,
        confirmation: None,
        policies: None,
        tags: None,
        origin: "src/counter.ts".into(),
    }
}

/// The procedure `domain:devices.disable`, which asks first.
pub(crate) fn procedure() -> Contract {
    Contract {
        declaration_id: "src/agent/contracts.ts#devicesDisableContract".into(),
        capability_id: "domain:devices.disable".into(),
        kind: Kind::Procedure,
        description: "Disable devices".into(),
        effect: Effect::Destructive,
        input_schema: Some(json(
            r#"{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"},"maxItems":10}},"required":["ids"],"additionalProperties":false}"#,
        )),
        output_schema: Some(json(r#"{"type":"object","properties":{"disabled":{"type":"integer"}}}"#)),
        confirmation: Some(Confirmation::Required),
        policies: Some(vec![PolicyAttachment { name: "tenant".into(), phase: Some(Phase::Authorize) }]),
        tags: Some(vec!["devices".into()]),
        origin: "src/agent/contracts.ts".into(),
    }
}

/// The contract of a build that has these.
pub(crate) fn manifest(contracts: impl IntoIterator<Item = Contract>) -> Manifest {
    let entries = contracts.into_iter().map(|contract| contract.seal("web-production"));
    Manifest::assemble(entries.collect(), Vec::new()).unwrap()
}

/// Every capability of a contract, on lines 10, 20, ….
pub(crate) fn places(manifest: &Manifest) -> Places {
    let mut places = Places::default();
    for (index, entry) in manifest.capabilities().iter().enumerate() {
        let contract = entry.contract.clone();
        let line = 10 * (u32::try_from(index).unwrap() + 1);
        let place = Place { file: contract.origin, line, column: 3 };
        places.insert(contract.declaration_id, contract.capability_id, place);
    }
    places
}

/// What became of one contract.
pub(crate) fn changes(before: Contract, after: Contract) -> Vec<Change> {
    compare(Some(&manifest([before])), &manifest([after]))
}

/// `widening changed effect`, one for each row.
pub(crate) fn rows(changes: &[Change]) -> Vec<String> {
    changes.iter().map(|it| format!("{} {} {}", it.class, it.kind, it.field)).collect()
}

/// What the change of an input schema means.
pub(crate) fn class_of_schemas(before: &Json, after: &Json) -> Class {
    let with = |schema: &Json| Contract { input_schema: Some(schema.clone()), ..action("set") };
    let changes = changes(with(before), with(after));
    let change = changes.iter().find(|change| change.field == "inputSchema");
    change.map_or(Class::Neutral, |change| change.class)
}

pub(crate) fn capability_of(change: &Change) -> Option<&str> {
    match &change.subject {
        Subject::Capability { capability_id, .. } => Some(capability_id),
        _ => None,
    }
}

pub(crate) fn json(text: &str) -> Json {
    parse(text).unwrap()
}
