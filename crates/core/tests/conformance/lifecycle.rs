use std::collections::BTreeSet;

use agent_surface_core::definition::Link;
use agent_surface_core::{
    AuditKind, CapabilityDefinition, Code, Config, DefinitionCode, Event, Invoked, Mount, OnDuplicate,
    OnSameName, Output, Patch, Pushed, Question, RegisterError, Rejection, Request, Retry, Warning,
};
use agent_surface_manifest::Effect;

use crate::support::{DONE, Surface, action, component, detail, json, observation, procedure, request, with};

fn screen() -> agent_surface_core::Definition {
    with(component("screen"), [action("run"), observation("state")])
}

fn version(surface: &Surface) -> u64 {
    surface.registry.version()
}

#[test]
fn as_life_001_a_component_is_there_at_once_and_gone_at_once() {
    let mut surface = Surface::open([screen()]);
    let key = surface.mount("screen");
    assert_eq!(surface.snapshot().components.len(), 1);
    let running = surface.call("view:screen.run", "{}");
    surface.unmount(key);
    assert!(surface.snapshot().components.is_empty());
    assert!(surface.is_aborted(running));
    assert_eq!(surface.code(running), Some(Code::ComponentUnmounted));
    surface.unmount(key);
    assert_eq!(version(&surface), 2);
}

#[test]
fn as_life_002_only_availability_changes_after_registration() {
    let mut surface = Surface::open([screen()]);
    let key = surface.mount("screen");
    let id = surface.id_of(key);
    let pushed = |available, reason: Option<&str>| {
        let pushed = Pushed { available, reason: reason.map(str::to_owned) };
        Patch { enabled: None, availability: vec![("run".into(), pushed)] }
    };
    surface.registry.update(key, "screen", pushed(false, Some("busy")));
    surface.pump();
    assert_eq!(detail(&surface.error(request("view:screen.run", "{}")), "reason"), "busy");
    let told = Event::AvailabilityChanged {
        registration_id: id.clone(),
        capability_id: "view:screen.run".into(),
        available: false,
    };
    assert!(surface.events().contains(&told));
    surface.registry.update(key, "screen", pushed(false, None));
    assert_eq!(detail(&surface.error(request("view:screen.run", "{}")), "reason"), "unavailable");
    surface.registry.update(key, "screen", Patch { enabled: Some(false), ..pushed(true, None) });
    assert_eq!(detail(&surface.error(request("view:screen.run", "{}")), "reason"), "component-disabled");
    assert_eq!(surface.id_of(key), id);
}

#[test]
fn an_update_that_speaks_of_nothing_known_warns() {
    let mut surface = Surface::open([screen()]);
    let key = surface.mount("screen");
    let pushed = Pushed { available: false, reason: None };
    let patch = Patch { enabled: None, availability: vec![("jump".into(), pushed)] };
    surface.registry.update(key, "screen", patch.clone());
    surface.unmount(key);
    let before = version(&surface);
    surface.registry.update(key, "screen", patch);
    surface.pump();
    let component_type = || "screen".to_owned();
    assert_eq!(
        surface.warnings(),
        [
            Warning::UnknownCapability { component_type: component_type(), name: "jump".into() },
            Warning::UpdateAfterEnd { component_type: component_type() },
        ]
    );
    assert_eq!(version(&surface), before);
}

#[test]
fn as_life_003_the_first_of_two_stays_or_makes_way() {
    let mut surface = Surface::open([screen()]);
    let first = surface.mount("screen");
    let second = surface.register("screen", Mount::default());
    assert_eq!(second.outcome, Err(Rejection::Duplicate));
    assert!(second.registration_id.starts_with("reg_"));
    let rejected = Event::ComponentRejected {
        component_type: "screen".into(),
        instance_id: "default".into(),
        reason: Rejection::Duplicate,
    };
    assert!(surface.events().contains(&rejected));
    assert!(surface.registry.registration(first).is_some());
    assert!(surface.record(AuditKind::RegistrationRejected).is_some());

    let config = Config { on_duplicate: OnDuplicate::Replace, ..Config::default() };
    let mut surface = Surface::with_config([screen()], config);
    let first = surface.mount("screen");
    let running = surface.call("view:screen.run", "{}");
    let second = surface.mount("screen");
    assert!(
        surface.registry.registration(first).is_none() && surface.registry.registration(second).is_some()
    );
    assert_eq!(surface.code(running), Some(Code::ComponentUnmounted));
    assert_eq!(version(&surface), 3);
}

#[test]
fn the_apps_guard_may_reject_a_component() {
    let mut surface = Surface::open([screen()]);
    let rejected = surface.register("screen", Mount { accepted: false, ..Mount::default() });
    assert_eq!(rejected.outcome, Err(Rejection::Guard));
    assert_eq!(version(&surface), 0);
}

#[test]
fn as_life_004_versions_only_grow_and_ids_are_given_once() {
    let mut surface = Surface::open([screen()]);
    let mut ids = BTreeSet::new();
    for round in 1..=50 {
        let key = surface.mount("screen");
        assert!(ids.insert(surface.id_of(key)));
        assert_eq!(version(&surface), 2 * round - 1);
        surface.unmount(key);
        assert_eq!(version(&surface), 2 * round);
    }
}

#[test]
fn as_life_005_a_component_that_comes_again_is_another_registration() {
    let mut surface = Surface::open([screen()]);
    let first = surface.mount("screen");
    let first_id = surface.id_of(first);
    surface.unmount(first);
    let second = surface.mount("screen");
    let second_id = surface.id_of(second);
    assert_ne!(first_id, second_id);
    let stale = Request { registration_id: Some(first_id), ..request("view:screen.run", "{}") };
    let error = surface.error(stale);
    assert_eq!(
        (error.code, detail(&error, "reason").as_str()),
        (Code::StaleCapability, "registration-replaced")
    );
    assert_eq!(detail(&error, "liveRegistrationId"), second_id);
}

#[test]
fn as_ver_001_the_version_grows_with_what_is_published_and_with_nothing_else() {
    let mut surface = Surface::open([screen()]);
    let key = surface.mount("screen");
    assert_eq!(version(&surface), 1);
    surface.registry.update(key, "screen", Patch { enabled: Some(true), ..Patch::default() });
    assert_eq!(version(&surface), 1);
    surface.registry.update(key, "screen", Patch { enabled: Some(false), ..Patch::default() });
    assert_eq!(version(&surface), 2);
    let pushed = Pushed { available: true, reason: None };
    let patch = Patch { enabled: None, availability: vec![("run".into(), pushed)] };
    surface.registry.update(key, "screen", patch.clone());
    surface.registry.update(key, "screen", patch);
    assert_eq!(version(&surface), 3);
    surface.registry.invalidate(key);
    assert_eq!(version(&surface), 4);
    surface.snapshot();
    surface.reply(Question::Execution, DONE());
    surface.error(request("view:screen.run", "{}"));
    assert_eq!(version(&surface), 4);
}

#[test]
fn as_evt_001_events_come_in_the_order_of_what_they_tell_of() {
    let mut surface = Surface::open([screen()]);
    let first = surface.mount("screen");
    surface.unmount(first);
    surface.mount("screen");
    let key = surface.call("view:screen.run", "{}");
    surface.finish_well(key);
    surface.end_turn();
    let kinds: Vec<_> = surface
        .events()
        .iter()
        .map(|event| {
            let mut text = String::new();
            event.push_json(&mut text);
            json(&text).get("type").unwrap().as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "component-registered",
            "component-unregistered",
            "component-registered",
            "invocation-started",
            "invocation-settled",
            "surface-changed",
        ]
    );
    // The surface changed three times in that turn; it is told once, with the last version.
    assert_eq!(surface.events().last(), Some(&Event::SurfaceChanged { surface_version: 3 }));
    let turns = surface.outputs.iter().filter(|output| **output == Output::AwaitTurn).count();
    assert_eq!(turns, 1);
    surface.end_turn();
    assert_eq!(surface.events().len(), 6);
}

#[test]
fn what_is_settled_is_told_before_it_is_answered() {
    let mut surface = Surface::open([screen()]);
    surface.mount("screen");
    let key = surface.call("view:screen.run", "{}");
    surface.finish_well(key);
    let place = |wanted: fn(&Output) -> bool| surface.outputs.iter().position(wanted).unwrap();
    let started = place(|it| matches!(it, Output::Emit(Event::InvocationStarted { .. })));
    let asked = place(|it| matches!(it, Output::Ask { question: Question::Execution, .. }));
    let settled = place(|it| matches!(it, Output::Emit(Event::InvocationSettled { .. })));
    let answered = place(|it| matches!(it, Output::Settle { .. }));
    assert!(started < asked && asked < settled && settled < answered);
}

#[test]
fn as_stale_001_a_request_says_what_it_was_planned_by_and_learns_what_became_of_that() {
    let mut surface = Surface::open([screen()]);
    let of = |registration: &str| Request {
        registration_id: Some(registration.to_owned()),
        ..request("view:screen.run", "{}")
    };
    let first = surface.mount("screen");
    let first_id = surface.id_of(first);
    surface.unmount(first);
    let error = surface.error(of(&first_id));
    assert_eq!((error.code, detail(&error, "phase").as_str()), (Code::ComponentUnmounted, "resolve"));
    assert_eq!(surface.error(request("view:screen.run", "{}")).code, Code::ComponentUnmounted);
    assert_eq!(surface.error(of("reg_from_another_page")).code, Code::CapabilityNotFound);

    let left = surface.mount_as("screen", "left");
    let error = surface.error(of("reg_from_another_page"));
    assert_eq!((error.code, detail(&error, "reason").as_str()), (Code::StaleCapability, "surface-reloaded"));
    assert_eq!(detail(&surface.error(of(&first_id)), "reason"), "registration-replaced");

    surface.mount_as("screen", "right");
    let error = surface.error(request("view:screen.run", "{}"));
    assert_eq!((error.code, error.retry), (Code::AmbiguousInstance, Retry::WithChanges));
    let instances = error.details.unwrap().get("instances").unwrap().clone();
    let names: Vec<_> =
        instances.as_array().unwrap().iter().filter_map(|it| it.get("instanceId")?.as_str()).collect();
    assert_eq!(names, ["left", "right"]);

    surface.reply(Question::Execution, DONE());
    let left_id = surface.id_of(left);
    assert!(surface.answer(of(&left_id)).error().is_none());
    let at_right = Request { instance_id: Some("right".into()), ..request("view:screen.run", "{}") };
    assert!(surface.answer(at_right.clone()).error().is_none());
    // What was discovered of one instance does not serve for another.
    let crossed = Request { registration_id: Some(left_id), ..at_right };
    assert_eq!(surface.error(crossed).code, Code::StaleCapability);
}

#[test]
fn as_stale_002_only_what_cannot_be_undone_minds_that_the_surface_changed() {
    let capabilities = [
        action("run"),
        procedure("devices.rename", Effect::ServerMutation),
        procedure("devices.disable", Effect::Destructive),
        procedure("mail.send", Effect::ExternalSideEffect),
    ];
    let mut surface = Surface::open([with(component("screen"), capabilities)]);
    surface.mount("screen");
    surface.reply(Question::Execution, DONE());
    let at =
        |id: &str, version: &str| Request { surface_version: Some(version.to_owned()), ..request(id, "{}") };
    for id in ["view:screen.run", "domain:devices.rename"] {
        assert!(surface.answer(at(id, "0")).error().is_none(), "{id}");
    }
    for id in ["domain:devices.disable", "domain:mail.send"] {
        let error = surface.error(at(id, "0"));
        assert_eq!(
            (error.code, detail(&error, "reason").as_str()),
            (Code::StaleCapability, "surface-version-mismatch")
        );
        assert_eq!(surface.error(at(id, "1")).code, Code::ConfirmationRequired);
    }
}

#[test]
fn as_bound_001_what_is_gone_is_remembered_for_a_time_and_only_so_much_of_it() {
    let mut surface = Surface::open([screen()]);
    let key = surface.mount("screen");
    surface.unmount(key);
    surface.pass(299_999);
    assert_eq!(surface.error(request("view:screen.run", "{}")).code, Code::ComponentUnmounted);
    surface.pass(1);
    assert_eq!(surface.error(request("view:screen.run", "{}")).code, Code::CapabilityNotFound);

    let mut ids = Vec::new();
    for _ in 0..101 {
        let key = surface.mount("screen");
        ids.push(surface.id_of(key));
        surface.unmount(key);
    }
    assert_eq!(surface.registry.usage().tombstones, 100);
    let of = |id: &String| Request { registration_id: Some(id.clone()), ..request("view:screen.run", "{}") };
    assert_eq!(surface.error(of(&ids[0])).code, Code::CapabilityNotFound);
    assert_eq!(surface.error(of(&ids[1])).code, Code::ComponentUnmounted);
}

#[test]
fn a_procedure_needs_somebody_who_executes_it() {
    let mut surface = Surface::open([with(component("bar"), [procedure("a.b", Effect::ServerQuery)])]);
    surface.registry.set_procedures(None);
    let component = surface.component("bar");
    let error = surface.registry.register(surface.now, &component, Mount::default()).unwrap_err();
    let RegisterError::Definition(error) = error else { panic!() };
    assert_eq!(error.code, DefinitionCode::PlaneViolation);
}

#[test]
fn a_capability_with_the_name_of_a_procedure_is_suspected_or_refused() {
    let config = |on_same_name| Config { on_same_name, ..Config::default() };
    let paths = || Some(vec!["screen.run".to_owned()]);
    let mut surface = Surface::with_config([screen()], config(OnSameName::Warn));
    surface.registry.set_procedures(paths());
    surface.mount("screen");
    let suspected = Event::CollisionSuspected {
        view_capability_id: "view:screen.run".into(),
        domain_procedure_id: "domain:screen.run".into(),
    };
    assert!(surface.events().contains(&suspected));

    let mut surface = Surface::with_config([screen()], config(OnSameName::Refuse));
    surface.registry.set_procedures(paths());
    let component = surface.component("screen");
    assert!(surface.registry.register(surface.now, &component, Mount::default()).is_err());
}

#[test]
fn a_mount_is_named_by_the_grammar() {
    let mut surface = Surface::open([screen()]);
    let component = surface.component("screen");
    let wrong_instance = Mount { instance_id: Some("a b".into()), ..Mount::default() };
    let parent = Link { component_type: "A".into(), instance_id: "x".into() };
    let wrong_parent = Mount { parent: Some(parent), ..Mount::default() };
    for (mount, code) in
        [(wrong_instance, DefinitionCode::InvalidId), (wrong_parent, DefinitionCode::InvalidDefinition)]
    {
        let error = surface.registry.register(surface.now, &component, mount).unwrap_err();
        let RegisterError::Definition(error) = error else { panic!() };
        assert_eq!(error.code, code);
    }
}

#[test]
fn disposal_answers_everything_and_ends_everything() {
    let confirmed = procedure("devices.disable", Effect::Destructive);
    let asked = CapabilityDefinition { has_when: true, ..action("asked") };
    let mut surface = Surface::open([with(screen(), [confirmed, asked])]);
    surface.mount("screen");
    let running = surface.call("view:screen.run", "{}");
    let queued = surface.call("view:screen.run", "{}");
    surface.error(request("domain:devices.disable", "{}"));
    surface.dispose();
    for key in [running, queued] {
        let settlement = surface.settlement(key).unwrap();
        assert_eq!(settlement.error().map(|it| (it.code, it.retry)), Some((Code::Cancelled, Retry::No)));
    }
    assert!(surface.is_aborted(running) && !surface.is_aborted(queued));
    let expired = surface.events().iter().any(|event| matches!(event, Event::ConfirmationResolved { .. }));
    assert!(expired);
    let usage = surface.registry.usage();
    assert_eq!((usage.registrations, usage.in_flight, usage.groups, usage.deadlines), (0, 0, 0, 0));
    assert!(surface.registry.survey(&Default::default()).is_err());
    let consumer = surface.consumer.clone();
    let request = request("view:screen.run", "{}");
    assert!(surface.registry.invoke(surface.now, request, consumer, Default::default()).is_err());
    let component = surface.component("screen");
    let again = surface.registry.register(surface.now, &component, Mount::default());
    assert_eq!(again, Err(RegisterError::Disposed));
    surface.dispose();
    surface.end_turn();
    assert!(!surface.events().iter().any(|event| matches!(event, Event::SurfaceChanged { .. })));
}

#[test]
fn a_join_is_told_the_invocation_that_it_joins() {
    let mut surface = Surface::open([screen()]);
    surface.mount("screen");
    let named = Request { invocation_id: Some("a".into()), ..request("view:screen.run", "{}") };
    let key = surface.start(named.clone());
    assert_eq!(surface.request(named), Invoked::Joined(key));
    let started = surface.events().iter().filter(|it| matches!(it, Event::InvocationStarted { .. })).count();
    assert_eq!(started, 1);
}
