//! Contracts for the unit tests.

use agent_surface_json::parse;

use crate::{Confirmation, Contract, Effect, Kind, Phase, PolicyAttachment};

/// A contract with every field that the format has.
pub(crate) fn full() -> Contract {
    Contract {
        declaration_id: "src/reports.ts#exportReport".into(),
        capability_id: "domain:reports.export".into(),
        kind: Kind::Procedure,
        description: "Export the \"report\"".into(),
        effect: Effect::ExternalSideEffect,
        input_schema: Some(parse(r#"{"type":"object","maxProperties":1e2}"#).unwrap()),
        output_schema: Some(parse(r#"{"type":"null"}"#).unwrap()),
        confirmation: Some(Confirmation::Required),
        policies: Some(vec![PolicyAttachment { name: "tenant".into(), phase: Some(Phase::Authorize) }]),
        tags: Some(vec!["reports".into()]),
        origin: "src/reports.ts".into(),
    }
}

/// A contract with the required fields only: the observation `name` of a counter.
pub(crate) fn observation(declaration_id: &str, name: &str) -> Contract {
    Contract {
        declaration_id: declaration_id.into(),
        capability_id: crate::ids::view_id("counter", name),
        kind: Kind::Observation,
        description: "A value".into(),
        effect: Effect::Read,
        input_schema: None,
        output_schema: None,
        confirmation: None,
        policies: None,
        tags: None,
        origin: "src/counter.ts".into(),
    }
}
