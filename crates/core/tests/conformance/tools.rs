use std::collections::BTreeSet;

use agent_surface_core::{
    CapabilityDefinition, Code, Patch, Pushed, Registry, Scope, Verb, assign_wire_names, decode_wire_name,
    encode_wire_name,
};
use agent_surface_json::Json;
use agent_surface_manifest::Effect;
use agent_surface_schema::{Limits, NativePatterns, check};

use crate::support::{Surface, action, component, detail, json, observation, procedure, with};

fn devices() -> Surface {
    let mut surface = Surface::open([
        with(component("devices.table"), [observation("state"), action("select")]),
        with(component("toolbar"), [procedure("devices.disable", Effect::Destructive)]),
        with(
            component("texts"),
            [CapabilityDefinition { input_schema: Some(json(r#"{"type":"string"}"#)), ..action("say") }],
        ),
    ]);
    surface.mount("toolbar");
    surface.mount("texts");
    surface
}

fn names(surface: &mut Surface) -> Vec<String> {
    let snapshot = surface.snapshot();
    surface.registry.direct_tools(&snapshot).into_iter().map(|it| it.name).collect()
}

#[test]
fn as_adapter_001_a_tool_knows_what_it_stands_for() {
    let mut surface = devices();
    let table = surface.mount("devices.table");
    let snapshot = surface.snapshot();
    let tools = surface.registry.direct_tools(&snapshot);
    let select = tools.iter().find(|it| it.name == "view_devices__table__select").unwrap();
    assert_eq!((select.target.registration, select.registration_id.clone()), (table, surface.id_of(table)));
    assert_eq!((select.capability_id.as_str(), &select.instance_id), ("view:devices.table.select", &None));
    assert_eq!(select.description, "[view · local-state] Does select");
    let disable = tools.iter().find(|it| it.name == "domain_devices__disable").unwrap();
    assert_eq!(disable.description, "[domain · destructive · requires confirmation] Calls devices.disable");
    let unique: BTreeSet<_> = tools.iter().map(|it| &it.name).collect();
    assert_eq!(unique.len(), tools.len());
}

#[test]
fn as_id_002_tools_of_several_instances_are_told_apart() {
    let mut surface = devices();
    surface.mount_as("devices.table", "left");
    surface.mount_as("devices.table", "right");
    let names = names(&mut surface);
    for name in ["view_devices__table__select_at_left", "view_devices__table__select_at_right"] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
        assert_eq!(decode_wire_name(name), None);
    }
    // A procedure that two components refer to is told apart by the registrations.
    surface.mount_as("toolbar", "second");
    let snapshot = surface.snapshot();
    let tools = surface.registry.direct_tools(&snapshot);
    let disables: Vec<_> = tools.iter().filter(|it| it.capability_id == "domain:devices.disable").collect();
    assert_eq!(disables.len(), 2);
    for tool in disables {
        assert_eq!(tool.name, format!("domain_devices__disable_at_{}", tool.registration_id));
        assert_eq!(tool.instance_id, None);
    }
}

#[test]
fn as_cache_001_and_002_a_tools_definition_does_not_change_with_the_state() {
    let mut surface = devices();
    let table = surface.mount("devices.table");
    let before = surface.snapshot();
    let before = surface.registry.direct_tools(&before);
    let pushed = Pushed { available: false, reason: Some("nothing there".into()) };
    let patch = Patch { enabled: None, availability: vec![("select".into(), pushed)] };
    surface.registry.update(table, "devices.table", patch);
    let after = surface.snapshot();
    let after = surface.registry.direct_tools(&after);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((&before.name, &before.description), (&after.name, &after.description));
    }
    let select = after.iter().find(|it| it.capability_id == "view:devices.table.select").unwrap();
    assert_eq!(select.unavailable.as_deref(), Some("nothing there"));
}

#[test]
fn as_wire_004_to_007_and_as_id_004_names_fit_are_unique_and_are_read_back_only_where_that_is_safe() {
    use agent_surface_core::Named;
    let long = format!("view:{}.run", "segment.".repeat(12) + "end");
    let ids = ["view:a.b", "domain:a.b", "domain:a_b", "domain:a__b", "domain:a.0.b", &long];
    let entries: Vec<_> = ids
        .iter()
        .flat_map(|id| [None, Some("x")].map(|instance_id| Named { capability_id: id, instance_id }))
        .collect();
    let names = assign_wire_names(&entries);
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for (entry, name) in entries.iter().zip(&names) {
        assert!(name.len() <= 64, "{name}");
        match decode_wire_name(name) {
            Some(id) => assert_eq!((id.as_str(), encode_wire_name(&id)), (entry.capability_id, name.clone())),
            None => assert!(
                entry.instance_id.is_some()
                    || entry.capability_id.contains('_')
                    || entry.capability_id.len() > 50
            ),
        }
    }
}

#[test]
fn an_observations_tool_takes_nothing() {
    let surface = devices();
    let component = surface.component("devices.table");
    let [state, select] = component.capabilities() else { panic!() };
    assert_eq!(
        state.tool_schema().to_canonical(),
        r#"{"additionalProperties":false,"properties":{},"type":"object"}"#
    );
    assert_eq!(select.tool_schema().to_canonical(), r#"{"type":"object"}"#);
}

fn envelope(registry: &Registry, verb: Verb, text: &str) -> Result<agent_surface_core::Envelope, String> {
    registry.read_envelope(verb, json(text)).map_err(|payload| {
        assert_eq!(payload.code, Code::InvalidInput);
        assert!(payload.message.contains(verb.as_str()));
        detail(&payload, "issues")
    })
}

#[test]
fn as_meta_001_002_and_006_a_floor_is_narrowed_and_what_it_refuses_is_named() {
    let floor = Scope(vec!["devices".into()]);
    let surface = devices();
    let asked =
        envelope(&surface.registry, Verb::Discover, r#"{"scope":["devices.table","admin"]}"#).unwrap();
    let narrowed = floor.narrow(&asked.scope);
    assert_eq!(narrowed.scope, Some(Scope(vec!["devices.table".into()])));
    assert_eq!(narrowed.rejected, ["admin"]);
    let beside = floor.narrow(&Scope(vec!["admin".into()]));
    assert_eq!((beside.scope, beside.rejected), (None, vec!["admin".to_owned()]));
}

#[test]
fn as_meta_004_and_as_adapter_004_a_target_is_found_only_where_it_is_the_one() {
    let mut surface = devices();
    let left = surface.mount_as("devices.table", "left");
    surface.mount_as("devices.table", "right");
    let snapshot = surface.snapshot();
    let find = |text: &str| {
        let envelope = envelope(&surface.registry, Verb::Act, text).unwrap();
        surface.registry.find_target(&snapshot, &envelope).map(|it| it.registration)
    };
    assert_eq!(find(r#"{"capabilityId":"view:devices.table.select"}"#), None);
    assert_eq!(find(r#"{"capabilityId":"view:devices.table.select","instanceId":"left"}"#), Some(left));
    assert_eq!(find(r#"{"capabilityId":"view:devices.table.jump"}"#), None);
    assert!(find(r#"{"capabilityId":"domain:devices.disable"}"#).is_some());
}

#[test]
fn as_meta_005_the_three_tools_are_the_same_for_every_surface() {
    for verb in Verb::ALL {
        let schema = json(verb.schema());
        assert_eq!(check(&schema, Limits::default(), &NativePatterns::default()), Ok(()));
        assert_eq!(schema.get("additionalProperties"), Some(&Json::from(false)));
        assert!(verb.description().starts_with("[meta] "));
    }
}

#[test]
fn as_meta_007_arguments_are_held_against_the_tools_own_schema() {
    let surface = devices();
    let registry = &surface.registry;
    assert_eq!(envelope(registry, Verb::Discover, "null"), Ok(Default::default()));
    for (verb, text, issue) in [
        (Verb::Read, "{}", "capabilityId"),
        (Verb::Read, r#"{"capabilityId":""}"#, "capabilityId"),
        (Verb::Act, r#"{"capabilityId":"view:a.b","ids":[]}"#, "ids"),
        (Verb::Act, "[]", "must be an object"),
        (Verb::Discover, r#"{"scope":"devices"}"#, "scope"),
        (Verb::Discover, r#"{"scope":[1]}"#, "scope[0]"),
    ] {
        let issues = envelope(registry, verb, text).unwrap_err();
        assert!(issues.contains(issue), "{issues}");
    }
    let full = r#"{"capabilityId":"view:a.b","instanceId":"i","input":"text","invocationId":"n","confirmationId":"c","surfaceVersion":"7"}"#;
    let envelope = envelope(registry, Verb::Act, full).unwrap();
    assert_eq!(envelope.input, Some(Json::from("text")));
    assert_eq!(
        (envelope.invocation_id.as_deref(), envelope.confirmation_id.as_deref()),
        (Some("n"), Some("c"))
    );
    assert_eq!(
        (envelope.instance_id.as_deref(), envelope.surface_version.as_deref()),
        (Some("i"), Some("7"))
    );
}

#[test]
fn as_meta_008_an_input_that_is_text_is_read_only_where_an_object_is_wanted() {
    let mut surface = devices();
    surface.mount("devices.table");
    let snapshot = surface.snapshot();
    let target = |id: &str| {
        let envelope =
            envelope(&surface.registry, Verb::Act, &format!(r#"{{"capabilityId":"{id}"}}"#)).unwrap();
        surface.registry.find_target(&snapshot, &envelope).unwrap()
    };
    let repair = |id: &str, input: Json| surface.registry.repair_input(target(id), &input);
    let select = "view:devices.table.select";
    assert_eq!(repair(select, Json::from(r#"{"a":1}"#)), Some(json(r#"{"a":1}"#)));
    assert_eq!(repair(select, Json::from("[1]")), None);
    assert_eq!(repair(select, Json::from("no json")), None);
    assert_eq!(repair(select, json(r#"{"a":1}"#)), None);
    assert_eq!(repair("view:texts.say", Json::from(r#"{"a":1}"#)), None);
}
