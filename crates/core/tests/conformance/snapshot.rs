use agent_surface_core::definition::Link;
use agent_surface_core::{
    Answer, Budget, CapabilityDefinition, Mount, Patch, Question, Registry, Scope, Snapshot, Vote, When,
};
use agent_surface_json::{Json, Number};
use agent_surface_manifest::Effect;

use crate::support::{Surface, action, component, json, observation, procedure, with};

fn printed(registry: &Registry, snapshot: &Snapshot) -> Json {
    let mut text = String::new();
    registry.push_snapshot(snapshot, &mut text);
    json(&text)
}

fn types(surface: &mut Surface) -> Vec<(String, String)> {
    let snapshot = surface.snapshot();
    let of = |text: &Json, name: &str| text.get(name).and_then(Json::as_str).unwrap().to_owned();
    let json = printed(&surface.registry, &snapshot);
    let components = json.get("components").and_then(Json::as_array).unwrap();
    components.iter().map(|it| (of(it, "type"), of(it, "instanceId"))).collect()
}

#[test]
fn as_snap_001_a_snapshot_asks_what_it_needs_and_changes_nothing() {
    let sometimes = CapabilityDefinition { has_when: true, ..action("run") };
    let mut surface = Surface::open([with(component("screen"), [sometimes, observation("state")])]);
    surface.mount("screen");
    let before = surface.outputs.len();
    let survey = surface.registry.survey(&Scope::default()).unwrap();
    let questions: Vec<_> = survey.questions().collect();
    assert!(questions.len() == 1 && questions[0].asks_when && questions[0].votes == 0);
    let answers = [Answer { when: When::Fails { reason: Some("busy".into()) }, votes: vec![] }];
    let snapshot = surface.registry.compose(surface.now, &survey, &answers, true, Budget::default());
    assert_eq!(snapshot.components[0].capabilities[0].unavailable.as_deref(), Some("busy"));
    let available = surface.registry.compose(surface.now, &survey, &answers, false, Budget::default());
    assert_eq!(available.components[0].capabilities.len(), 1);
    assert_eq!(snapshot, surface.registry.compose(surface.now, &survey, &answers, true, Budget::default()));
    surface.pump();
    assert_eq!(surface.outputs.len(), before);
    assert!(surface.asked(Question::Execution).is_empty());
}

#[test]
fn what_is_not_answered_is_not_shown_and_what_went_meanwhile_neither() {
    let sometimes = CapabilityDefinition { has_when: true, ..action("run") };
    let mut surface =
        Surface::open([with(component("screen"), [sometimes]), with(component("table"), [action("select")])]);
    surface.mount("screen");
    let table = surface.mount("table");
    let survey = surface.registry.survey(&Scope::default()).unwrap();
    surface.unmount(table);
    let snapshot = surface.registry.compose(surface.now, &survey, &[], true, Budget::default());
    assert!(snapshot.components.is_empty());
}

#[test]
fn as_snap_002_a_snapshot_says_what_an_agent_needs_and_no_more() {
    let mut definition = with(
        component("screen"),
        [
            observation("state"),
            CapabilityDefinition { meta: Some(json(r#"{"hint":1}"#)), ..action("run") },
            procedure("devices.disable", Effect::Destructive),
        ],
    );
    definition.meta = Some(json(r#"{"section":"main"}"#));
    definition.origin = Some("plugin".into());
    let mut surface = Surface::open([definition]);
    let parent = Link { component_type: "app".into(), instance_id: "default".into() };
    let key = surface.register("screen", Mount { parent: Some(parent), ..Mount::default() }).outcome.unwrap();
    let id = surface.id_of(key);
    let snapshot = surface.snapshot();
    let text = printed(&surface.registry, &snapshot).to_canonical();
    let surface_id = surface.registry.surface_id();
    let expected = json(&format!(
        r#"{{
        "surfaceId": "{surface_id}", "surfaceVersion": "1", "capturedAt": "1970-01-01T00:16:40.000Z",
        "components": [{{
            "type": "screen", "instanceId": "default", "registrationId": "{id}", "description": "The screen",
            "meta": {{"section": "main"}}, "parent": {{"type": "app", "instanceId": "default"}},
            "observations": [{{"capabilityId": "view:screen.state", "name": "state", "description": "Reads state",
                "outputSchema": {{"type": "number"}}, "available": true}}],
            "actions": [{{"capabilityId": "view:screen.run", "name": "run", "description": "Does run",
                "inputSchema": {{"type": "object"}}, "effect": "local-state", "idempotent": false, "reversible": true,
                "confirmation": "never", "available": true, "meta": {{"hint": 1}}}}]
        }}],
        "procedures": [{{"procedureId": "domain:devices.disable", "description": "Calls devices.disable",
            "inputSchema": {{"type": "object", "properties": {{"reason": {{"type": "string"}}}}, "additionalProperties": false}},
            "effect": "destructive", "confirmation": "required", "available": true,
            "boundFields": [{{"path": "ids", "locked": true, "source": "ui-state"}}],
            "registrationId": "{id}", "context": {{"type": "screen", "instanceId": "default"}}}}]
    }}"#
    ));
    assert_eq!(text, expected.to_canonical());
}

#[test]
fn as_snap_003_components_are_ordered_by_priority_type_and_instance_and_dropped_from_the_end() {
    let mut surface = Surface::open(["b", "a", "c"].map(|it| with(component(it), [action("run")])));
    surface.mount_as("b", "z");
    surface.mount_as("b", "a");
    surface.mount("a");
    let urgent = Mount { priority: Number::from(5), ..Mount::default() };
    surface.register("c", urgent).outcome.unwrap();
    let names = |pairs: &[(&str, &str)]| -> Vec<_> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    };
    let order = names(&[("c", "default"), ("a", "default"), ("b", "a"), ("b", "z")]);
    assert_eq!(types(&mut surface), order);

    let survey = surface.registry.survey(&Scope::default()).unwrap();
    let compose = |budget| surface.registry.compose(surface.now, &survey, &[], true, budget);
    let all = compose(Budget::default());
    let cut = compose(Budget { max_components: Some(3), max_bytes: None });
    assert_eq!((cut.components.as_slice(), cut.dropped_components), (&all.components[..3], 1));
    let json = printed(&surface.registry, &cut);
    assert_eq!(json.get("truncated").unwrap().to_canonical(), r#"{"droppedComponents":1}"#);

    let two = compose(Budget { max_components: Some(2), max_bytes: None });
    let bytes = printed(&surface.registry, &two).get("components").unwrap().to_canonical().len();
    let exact = u32::try_from(bytes).unwrap();
    for (max_bytes, kept) in [(exact, 2), (exact - 1, 1), (2, 0)] {
        let snapshot = compose(Budget { max_components: None, max_bytes: Some(max_bytes) });
        assert_eq!(snapshot.components.len(), kept);
    }
}

#[test]
fn a_scope_leaves_out_what_lies_beside_it() {
    let mut surface = Surface::open([
        with(component("devices.table"), [action("select")]),
        with(component("admin"), [action("run")]),
        with(component("refs"), [procedure("devices.list", Effect::ServerQuery)]),
    ]);
    for component_type in ["devices.table", "admin", "refs"] {
        surface.mount(component_type);
    }
    let snapshot = surface.snapshot_of(&Scope(vec!["devices".into()]), |_| vec![Vote::Expose]);
    assert_eq!((snapshot.components.len(), snapshot.procedures.len()), (1, 1));
    let all = surface.snapshot();
    // What only refers to procedures has no place among the components.
    assert_eq!((all.components.len(), all.procedures.len()), (2, 1));
}

#[test]
fn a_disabled_component_is_shown_with_its_reason() {
    let mut surface = Surface::open([with(component("screen"), [action("run")])]);
    let key = surface.mount("screen");
    surface.registry.update(key, "screen", Patch { enabled: Some(false), ..Patch::default() });
    let snapshot = surface.snapshot();
    assert_eq!(snapshot.components[0].capabilities[0].unavailable.as_deref(), Some("component-disabled"));
}
