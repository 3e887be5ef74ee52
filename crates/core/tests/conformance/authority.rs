use std::rc::Rc;

use agent_surface_core::definition::Proof;
use agent_surface_core::{
    Authority, CapabilityDefinition, Config, Definition, DefinitionCode, DefinitionError, Field, Phases,
    Policy, Registry,
};
use agent_surface_json::Json;
use agent_surface_manifest::{
    Confirmation, Contract, Digest, Effect, Kind, Manifest, ManifestError, Phase, PolicyAttachment,
};
use agent_surface_schema::NativePatterns;

use crate::support::{action, component, contracts_of, json, observation, policy, procedure, prove, with};

fn screen() -> Definition {
    with(component("screen"), [action("run"), observation("state"), procedure("a.b", Effect::ServerMutation)])
}

fn registry(manifest: Manifest) -> Registry {
    let authority = Rc::new(Authority::new(manifest).unwrap());
    Registry::new(authority, Config::default(), Box::new(NativePatterns::default()), [1; 32])
}

fn seal(contracts: Vec<Contract>) -> Manifest {
    Manifest::assemble(contracts.into_iter().map(|it| it.seal("web")).collect(), Vec::new()).unwrap()
}

/// Whether a screen is admitted whose live definition was changed after it was compiled.
fn admit_changed(change: impl FnOnce(&mut Definition)) -> Result<(), DefinitionError> {
    let mut definition = screen();
    let manifest = seal(contracts_of(&definition));
    prove(&mut definition, &manifest);
    change(&mut definition);
    registry(manifest).admit(definition).map(drop)
}

fn refused(change: impl FnOnce(&mut Definition)) -> (DefinitionCode, Field) {
    let error = admit_changed(change).unwrap_err();
    (error.code, error.field)
}

fn capability(definition: &mut Definition, name: &str) -> usize {
    definition.capabilities.iter().position(|it| it.name == name).unwrap()
}

#[test]
fn as_contract_001_what_is_bound_from_a_compiled_contract_is_admitted_and_nothing_else() {
    assert_eq!(admit_changed(|_| {}), Ok(()));
    let raw = admit_changed(|it| it.proof = None).unwrap_err();
    assert_eq!((raw.code, raw.field), (DefinitionCode::InvalidDefinition, Field::Proof));
    assert!(raw.message.contains("\"screen\" was not bound from a compiled contract"), "{raw}");
}

#[test]
fn as_contract_002_the_proof_is_of_this_manifest_this_declaration_and_this_contract() {
    let proof = |change: fn(&mut Proof)| refused(|it| change(it.proof.as_mut().unwrap()));
    let other = (DefinitionCode::InvalidDefinition, Field::Proof);
    assert_eq!(proof(|it| it.manifest_hash = Digest::of("other")), other);
    assert_eq!(proof(|it| it.declaration_id = "src/other.ts#contract".into()), other);
    assert_eq!(proof(|it| it.contracts[0].1 = Digest::of("other")), other);
    assert_eq!(proof(|it| it.contracts.clear()), other);
}

#[test]
fn as_contract_003_a_capability_that_was_not_declared_is_refused() {
    assert_eq!(
        refused(|it| it.capabilities.push(action("jump"))),
        (DefinitionCode::InvalidDefinition, Field::Proof)
    );
    // Not even where the proof says so: the manifest decides.
    let forged = refused(|it| {
        let jump = with(component("screen"), [action("jump")]);
        let contract = contracts_of(&jump).remove(0);
        it.proof.as_mut().unwrap().contracts.push((contract.capability_id.clone(), contract.hash()));
        it.capabilities.extend(jump.capabilities);
    });
    assert_eq!(forged, (DefinitionCode::InvalidDefinition, Field::Proof));
}

#[test]
fn as_contract_004_an_incomplete_binding_is_refused_whether_or_not_its_proof_is_cut_too() {
    let incomplete = (DefinitionCode::InvalidDefinition, Field::Capabilities);
    assert_eq!(refused(|it| drop(it.capabilities.pop())), incomplete);
    let cut = refused(|it| {
        it.capabilities.pop();
        it.proof.as_mut().unwrap().contracts.pop();
    });
    assert_eq!(cut, incomplete);
}

#[test]
fn as_authority_001_a_manifest_that_was_touched_is_no_authority() {
    let text = seal(contracts_of(&screen())).to_file_text();
    let touched = Manifest::parse(&text.replace("Does run", "Does more")).unwrap();
    assert!(matches!(Authority::new(touched), Err(ManifestError::ContractHash { .. })));
}

#[test]
fn as_authority_003_the_live_semantics_are_those_of_the_contract() {
    let change = |name: &'static str, change: fn(&mut CapabilityDefinition)| {
        refused(move |it| {
            let at = capability(it, name);
            change(&mut it.capabilities[at]);
        })
    };
    let differs = |field| (DefinitionCode::InvalidDefinition, field);
    assert_eq!(change("run", |it| it.description = "Does more".into()), differs(Field::Description));
    assert_eq!(change("run", |it| it.effect = Effect::Navigation), differs(Field::Effect));
    assert_eq!(change("run", |it| it.input_schema = Some(json("{}"))), differs(Field::InputSchema));
    assert_eq!(change("run", |it| it.output_schema = Some(json("{}"))), differs(Field::OutputSchema));
    assert_eq!(change("state", |it| it.output_schema = Some(json("{}"))), differs(Field::OutputSchema));
    assert_eq!(
        change("run", |it| {
            it.kind = Kind::Observation;
            it.effect = Effect::Read;
            it.output_schema = Some(json("{}"));
        }),
        differs(Field::Kind)
    );
    let message =
        admit_changed(|it| it.capabilities[0].description = "Does more".into()).unwrap_err().message;
    assert_eq!(
        message,
        "The description of \"view:screen.run\" is not the one that was proven for src/screen.ts#contract. A binding \
         may add code, but not change the contract."
    );
}

#[test]
fn as_authority_003_a_binding_may_ask_for_more_confirmation_and_not_for_less() {
    let admit = |declared, live| {
        let of = |confirmation| {
            let run = CapabilityDefinition { confirmation, ..action("run") };
            with(component("screen"), [run])
        };
        let manifest = seal(contracts_of(&of(declared)));
        let mut definition = of(declared);
        prove(&mut definition, &manifest);
        definition.capabilities[0].confirmation = live;
        registry(manifest).admit(definition).map(drop).map_err(|error| error.field)
    };
    use Confirmation::{Never, Optional, Required};
    assert_eq!(admit(None, None), Ok(()));
    assert_eq!(admit(None, Some(Required)), Ok(()));
    assert_eq!(admit(Some(Required), Some(Required)), Ok(()));
    assert_eq!(admit(Some(Optional), Some(Never)), Err(Field::Confirmation));
    assert_eq!(admit(Some(Required), None), Err(Field::Confirmation));
}

#[test]
fn as_authority_003_the_policies_of_the_contract_are_there_at_their_phase() {
    let admit = |phase, component_policies: Vec<Policy>, own: Vec<Policy>| {
        let mut definition = with(component("screen"), [action("run")]);
        let mut contract = contracts_of(&definition).remove(0);
        contract.policies = Some(vec![PolicyAttachment { name: "tenant".into(), phase }]);
        let hash = contract.hash();
        let manifest = seal(vec![contract]);
        prove(&mut definition, &manifest);
        definition.proof.as_mut().unwrap().contracts[0].1 = hash;
        definition.policies = component_policies;
        definition.capabilities[0].policies = own;
        registry(manifest).admit(definition).map(drop).map_err(|error| error.field)
    };
    let authorizes =
        || Policy { phases: Phases { authorize: true, ..Phases::default() }, ..policy("tenant") };
    assert_eq!(admit(None, vec![authorizes()], vec![]), Ok(()));
    assert_eq!(admit(Some(Phase::Authorize), vec![], vec![authorizes()]), Ok(()));
    assert_eq!(admit(Some(Phase::Discovery), vec![authorizes()], vec![]), Err(Field::Policies));
    assert_eq!(admit(None, vec![policy("other")], vec![]), Err(Field::Policies));
}

#[test]
fn as_exposure_001_a_providers_tool_is_exposed_as_it_was_compiled_or_not_at_all() {
    let contract = |kind: Kind| Contract {
        declaration_id: "src/tools.ts#export".into(),
        capability_id: "external:reports.export".into(),
        kind,
        description: "Export the report".into(),
        effect: Effect::ExternalSideEffect,
        input_schema: Some(json(r#"{"type":"object"}"#)),
        output_schema: None,
        confirmation: None,
        policies: None,
        tags: None,
        origin: "src/tools.ts".into(),
    };
    let external = contract(Kind::External);
    let hash = external.hash();
    let manifest = seal(vec![external]);
    let proof = Proof {
        manifest_hash: manifest.hash(),
        declaration_id: "src/tools.ts#export".into(),
        contracts: vec![("external:reports.export".into(), hash)],
    };
    let authority = Authority::new(manifest).unwrap();
    let schema = json(r#"{"type":"object"}"#);
    let check = |id: &str, description: &str, schema: Option<&Json>, proof: Option<&Proof>| {
        authority.check_tool(id, description, schema, proof).map(drop).map_err(|error| error.field)
    };
    let id = "external:reports.export";
    assert_eq!(check(id, "Export the report", Some(&schema), Some(&proof)), Ok(()));
    assert_eq!(check(id, "Export the report", Some(&schema), None), Err(Field::Proof));
    assert_eq!(check("external:other", "Export the report", Some(&schema), Some(&proof)), Err(Field::Proof));
    assert_eq!(check(id, "Export it all", Some(&schema), Some(&proof)), Err(Field::Description));
    assert_eq!(check(id, "Export the report", None, Some(&proof)), Err(Field::InputSchema));
    let elsewhere = Proof { manifest_hash: Digest::of("other"), ..proof };
    assert_eq!(check(id, "Export the report", Some(&schema), Some(&elsewhere)), Err(Field::Proof));
}

#[test]
fn as_id_001_and_as_schema_001_a_definition_keeps_to_grammar_subset_planes_and_limits() {
    let refuse = |definition: Definition| {
        let mut definition = definition;
        let manifest = seal(contracts_of(&definition));
        prove(&mut definition, &manifest);
        let error = registry(manifest).admit(definition).map(drop).unwrap_err();
        (error.code, error.field)
    };
    let of = |capability: CapabilityDefinition| refuse(with(component("screen"), [capability]));
    use DefinitionCode::{
        DuplicateCapability, InvalidDefinition, InvalidId, LimitExceeded, PlaneViolation, UnsupportedSchema,
    };

    assert_eq!(refuse(with(component("Screen"), [action("run")])), (InvalidId, Field::Type));
    assert_eq!(of(action("Run")), (InvalidId, Field::Name));
    assert_eq!(of(action(&"r".repeat(120))), (InvalidId, Field::Name));
    assert_eq!(refuse(with(component("screen"), [action("run"), action("run")])).0, DuplicateCapability);
    let described = |text: &str| CapabilityDefinition { description: text.into(), ..action("run") };
    assert_eq!(of(described("  ")), (InvalidDefinition, Field::Description));
    assert_eq!(of(described(&"x".repeat(301))), (LimitExceeded, Field::Description));
    let schema = |text: &str| CapabilityDefinition { input_schema: Some(json(text)), ..action("run") };
    assert_eq!(of(schema(r#"{"oneOf":[]}"#)), (UnsupportedSchema, Field::InputSchema));
    assert_eq!(
        of(schema(&format!(r#"{{"title":"{}"}}"#, "x".repeat(16_384)))),
        (UnsupportedSchema, Field::InputSchema)
    );
    assert_eq!(
        of(CapabilityDefinition { input_schema: None, ..action("run") }),
        (InvalidDefinition, Field::InputSchema)
    );
    assert_eq!(
        of(CapabilityDefinition { output_schema: None, ..observation("run") }),
        (InvalidDefinition, Field::OutputSchema)
    );
    assert_eq!(
        of(CapabilityDefinition { effect: Effect::Destructive, ..action("run") }),
        (PlaneViolation, Field::Effect)
    );
    assert_eq!(
        of(CapabilityDefinition { meta: Some(json("1")), ..action("run") }),
        (InvalidDefinition, Field::Meta)
    );
    let heavy = json(&format!(r#"{{"a":"{}"}}"#, "x".repeat(2048)));
    assert_eq!(of(CapabilityDefinition { meta: Some(heavy), ..action("run") }), (LimitExceeded, Field::Meta));
    use agent_surface_core::definition::{Concurrency, Mode};
    for mode in [Mode::Parallel(0), Mode::Key(String::new())] {
        let concurrency = Some(Concurrency { mode, queue_depth: None });
        assert_eq!(
            of(CapabilityDefinition { concurrency, ..action("run") }),
            (InvalidDefinition, Field::Concurrency)
        );
    }
    let mut unbound = procedure("a.b", Effect::ServerQuery);
    unbound.binding.as_mut().unwrap().bound.clear();
    assert_eq!(of(unbound), (InvalidDefinition, Field::Binding));
    assert_eq!(
        of(CapabilityDefinition { binding: None, ..procedure("a.b", Effect::ServerQuery) }),
        (InvalidDefinition, Field::Binding)
    );
}

#[test]
fn a_procedure_asks_for_what_its_effect_its_binding_and_its_server_demand() {
    let of = |effect, confirmation, requires_approval| {
        let mut procedure = CapabilityDefinition { confirmation, ..procedure("a.b", effect) };
        procedure.binding.as_mut().unwrap().requires_approval = requires_approval;
        procedure.effective_confirmation()
    };
    use Confirmation::{Never, Optional, Required};
    assert_eq!(of(Effect::ServerQuery, None, false), Never);
    assert_eq!(of(Effect::ServerMutation, None, false), Optional);
    assert_eq!(of(Effect::ServerMutation, Some(Required), false), Required);
    assert_eq!(of(Effect::ServerQuery, None, true), Required);
    assert_eq!(of(Effect::Destructive, Some(Optional), false), Required);
}
