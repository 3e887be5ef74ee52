//! Whether the entries of a contract file are such as the compiler makes them.
//!
//! Hashes tell that a file is whole, and not that it is right: anybody can compute them. What the build would refuse in
//! the app's own source, it refuses here.

use agent_surface_manifest::format::MAX_CAPABILITY_DESCRIPTION;
use agent_surface_manifest::ids::{CapabilityId, Plane};
use agent_surface_manifest::{Contract, Kind, Manifest};
use agent_surface_schema::{Limits, NativePatterns, check as check_schema};

use super::refusal::Refusal;

/// The first thing that is wrong with an entry.
pub(super) fn check(manifest: &Manifest, text: &str) -> Result<(), Refusal> {
    let patterns = NativePatterns::default();
    for entry in manifest.capabilities() {
        let Contract { capability_id, .. } = &entry.contract;
        if let Some(fault) = find_fault(&entry.contract, &patterns) {
            let refusal =
                Refusal::new(format!("has a capability that no build makes: `{capability_id}` {fault}"));
            return Err(refusal.at_string(text, capability_id));
        }
    }
    Ok(())
}

fn find_fault(contract: &Contract, patterns: &NativePatterns) -> Option<String> {
    let Contract { capability_id, kind, description, effect, confirmation, .. } = contract;
    // An external tool's id is its provider's.
    if *kind != Kind::External {
        let plane = if *kind == Kind::Procedure { Plane::Domain } else { Plane::View };
        match CapabilityId::parse(capability_id) {
            Err(error) => return Some(format!("is no id. {}", error.message())),
            Ok(id) if id.plane() != plane => {
                return Some(format!("is not the id of {}", article(*kind)));
            }
            Ok(_) => {}
        }
    }
    if !kind.allows(*effect) {
        return Some(format!("has the effect `{}`, which {} can't have", effect.as_str(), article(*kind)));
    }
    let least = effect.defaults().minimum_confirmation;
    if matches!(kind, Kind::Procedure | Kind::External)
        && confirmation.is_some_and(|confirmation| confirmation < least)
    {
        return Some(format!("asks less than `{}`, the least for its effect", least.as_str()));
    }
    let length = description.encode_utf16().count();
    if description.trim().is_empty() || length > MAX_CAPABILITY_DESCRIPTION {
        return Some(format!(
            "has a description of {length} characters; 1 to {MAX_CAPABILITY_DESCRIPTION} are allowed"
        ));
    }
    [("input", &contract.input_schema), ("output", &contract.output_schema)].into_iter().find_map(
        |(name, schema)| {
            let refusals = check_schema(schema.as_ref()?, Limits::default(), patterns).err()?;
            refusals
                .first()
                .map(|refusal| format!("has an {name} schema outside the JSON Schema subset: {refusal}"))
        },
    )
}

fn article(kind: Kind) -> &'static str {
    match kind {
        Kind::Observation => "an observation",
        Kind::Action => "an action",
        Kind::Procedure => "a procedure",
        Kind::External => "an external tool",
    }
}

#[cfg(test)]
mod tests {
    use agent_surface_json::parse;
    use agent_surface_manifest::{Confirmation, Effect};

    use super::*;

    fn action() -> Contract {
        Contract {
            declaration_id: "src/chart.ts#chart".into(),
            capability_id: "view:chart.zoom".into(),
            kind: Kind::Action,
            description: "Zoom in".into(),
            effect: Effect::LocalState,
            input_schema: Some(parse(r#"{"type":"object","properties":{}}"#).unwrap()),
            output_schema: None,
            confirmation: None,
            policies: None,
            tags: None,
            origin: "src/chart.ts".into(),
        }
    }

    fn fault(change: impl FnOnce(&mut Contract)) -> Option<String> {
        let mut contract = action();
        change(&mut contract);
        let manifest = Manifest::assemble(vec![contract.seal("web")], Vec::new()).unwrap();
        check(&manifest, &manifest.to_file_text()).err().map(|refusal| {
            assert!(refusal.offset.is_some(), "{}", refusal.message);
            refusal.message
        })
    }

    #[test]
    fn what_the_compiler_makes_is_in_order() {
        assert_eq!(fault(|_| {}), None);
        assert_eq!(
            fault(|it| {
                it.kind = Kind::External;
                it.capability_id = "Search the web".into();
                it.effect = Effect::ServerQuery;
            }),
            None
        );
    }

    #[test]
    fn what_it_would_refuse_in_a_source_is_refused_in_a_contract_file() {
        type Change = fn(&mut Contract);
        let changes: [(Change, &str); 8] = [
            (|it| it.capability_id = "view:Chart.zoom".into(), "is no id"),
            (|it| it.capability_id = "domain:chart.zoom".into(), "is not the id of an action"),
            (|it| it.kind = Kind::Procedure, "is not the id of a procedure"),
            (|it| it.effect = Effect::Destructive, "`destructive`, which an action can't have"),
            (
                |it| {
                    it.kind = Kind::Procedure;
                    it.capability_id = "domain:chart.drop".into();
                    it.effect = Effect::Destructive;
                    it.confirmation = Some(Confirmation::Never);
                },
                "asks less than `optional`",
            ),
            (|it| it.description = " ".into(), "has a description of 1 characters"),
            (|it| it.description = "x".repeat(301), "has a description of 301 characters"),
            (
                |it| it.input_schema = Some(parse(r#"{"$ref":"http://x"}"#).unwrap()),
                "has an input schema outside the JSON Schema subset",
            ),
        ];
        for (change, expected) in changes {
            let said = fault(change).unwrap_or_default();
            assert!(said.contains(expected), "{expected}: {said}");
        }
    }
}
