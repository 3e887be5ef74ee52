use agent_surface_core::definition::{Concurrency, Mode};
use agent_surface_core::{
    AuditKind, CapabilityDefinition, Code, Config, Consumer, ConsumerKind, Escalation, Event, Executed,
    InvocationKey, InvokeOptions, Invoked, Limits, Mount, Output, Policy, Question, Retry, Warning,
};
use agent_surface_json::Number;
use agent_surface_manifest::{Audit, Effect};

use crate::support::{
    DONE, Reply, Surface, action, component, detail, json, navigation, observation, policy, procedure,
    refusal, request, with,
};

fn screen() -> Surface {
    let capabilities = [action("slow"), action("fast"), navigation("leave"), observation("state")];
    let mut surface = Surface::open([with(component("screen"), capabilities)]);
    surface.mount("screen");
    surface
}

fn concurrency(name: &str, mode: Mode, queue_depth: Option<u32>) -> CapabilityDefinition {
    CapabilityDefinition { concurrency: Some(Concurrency { mode, queue_depth }), ..action(name) }
}

fn grouped(capabilities: impl IntoIterator<Item = CapabilityDefinition>) -> Surface {
    let mut surface = Surface::open([with(component("screen"), capabilities)]);
    surface.mount("screen");
    surface
}

fn registration(surface: &mut Surface) -> agent_surface_core::RegistrationKey {
    surface.snapshot().components[0].registration
}

#[test]
fn as_nav_001_a_navigation_that_is_through_goes_well_though_its_component_is_gone() {
    let mut surface = screen();
    let key = surface.call("view:screen.leave", "{}");
    let registration = registration(&mut surface);
    surface.unmount(registration);
    assert!(surface.is_aborted(key) && surface.settlement(key).is_none());
    surface.finish_well(key);
    assert!(surface.went_well(key));
}

#[test]
fn as_nav_002_a_navigation_that_is_refused_fails_and_one_that_is_given_up_is_cancelled() {
    let mut surface = screen();
    let refused = surface.call("view:screen.leave", "{}");
    surface.finish(refused, Executed::Threw { transient: false });
    assert_eq!(surface.code(refused), Some(Code::ExecutionFailed));
    let given_up = surface.call("view:screen.leave", "{}");
    let registration = registration(&mut surface);
    surface.unmount(registration);
    surface.finish(given_up, Executed::Threw { transient: false });
    assert_eq!(surface.code(given_up), Some(Code::Cancelled));
}

#[test]
fn as_nav_003_a_navigation_that_has_not_begun_is_unmounted_with_its_component() {
    let mut surface = screen();
    surface.call("view:screen.slow", "{}");
    let queued = surface.call("view:screen.leave", "{}");
    let registration = registration(&mut surface);
    surface.unmount(registration);
    assert_eq!(surface.code(queued), Some(Code::ComponentUnmounted));
    assert_eq!(surface.error(request("view:screen.leave", "{}")).code, Code::ComponentUnmounted);
}

#[test]
fn as_nav_004_time_does_not_undo_a_navigation_that_is_through() {
    let mut surface = screen();
    let key = surface.call("view:screen.leave", "{}");
    surface.finish_well(key);
    surface.pass(60_000);
    assert!(surface.went_well(key));
    let endless = surface.call("view:screen.leave", "{}");
    let registration = registration(&mut surface);
    surface.unmount(registration);
    surface.pass(10_000);
    assert_eq!(surface.code(endless), Some(Code::Timeout));
}

#[test]
fn as_conc_001_groups_are_per_instance_capability_key_or_bounded() {
    let start = |surface: &mut Surface, names: &[&str]| -> Vec<InvocationKey> {
        names.iter().map(|name| surface.call(&format!("view:screen.{name}"), "{}")).collect()
    };
    let mut instance = grouped([action("a"), action("b")]);
    let keys = start(&mut instance, &["a", "b"]);
    assert_eq!(instance.executions(), keys[..1]);

    let mut capability =
        grouped([concurrency("a", Mode::Capability, None), concurrency("b", Mode::Capability, None)]);
    let keys = start(&mut capability, &["a", "b", "a"]);
    assert_eq!(capability.executions(), keys[..2]);

    let key = || Mode::Key("drawer".into());
    let mut shared = grouped([concurrency("a", key(), None), concurrency("b", key(), None), action("c")]);
    let keys = start(&mut shared, &["a", "b", "c"]);
    assert_eq!(shared.executions(), [keys[0], keys[2]]);

    let mut parallel = grouped([concurrency("a", Mode::Parallel(2), None)]);
    let keys = start(&mut parallel, &["a", "a", "a"]);
    assert_eq!(parallel.executions(), keys[..2]);
    parallel.finish_well(keys[1]);
    assert_eq!(parallel.executions(), keys);
}

#[test]
fn as_conc_001_a_procedure_waits_only_for_itself() {
    let capabilities = [
        procedure("devices.list", Effect::ServerQuery),
        procedure("devices.count", Effect::ServerQuery),
        action("open"),
    ];
    let mut surface = Surface::open([with(component("screen"), capabilities)]);
    surface.mount("screen");
    let list = surface.call("domain:devices.list", "{}");
    let again = surface.call("domain:devices.list", "{}");
    let count = surface.call("domain:devices.count", "{}");
    let open = surface.call("view:screen.open", "{}");
    assert_eq!(surface.executions(), [list, count, open]);
    surface.finish(list, Executed::Returned(None));
    assert_eq!(surface.executions(), [list, count, open, again]);
}

#[test]
fn as_conc_002_actions_of_an_instance_run_in_order_and_only_so_many_wait() {
    let mut surface = screen();
    let names = ["slow", "fast", "slow"];
    let keys: Vec<_> = names.iter().map(|name| surface.call(&format!("view:screen.{name}"), "{}")).collect();
    let error = surface.error(request("view:screen.fast", "{}"));
    assert_eq!((error.code, detail(&error, "reason").as_str()), (Code::RateLimited, "queue-full"));
    for key in &keys {
        assert_eq!(surface.executions().last(), Some(key));
        surface.finish_well(*key);
    }
    assert_eq!(surface.executions(), keys);
    assert_eq!(surface.registry.usage().groups, 0);
}

#[test]
fn as_conc_010_an_unmount_before_the_handler_is_called_keeps_it_from_being_called() {
    let mut surface = screen();
    surface.reply(Question::Availability, Reply::Hold);
    let registration = registration(&mut surface);
    surface.unmount(registration);
    assert_eq!(surface.error(request("view:screen.slow", "{}")).code, Code::ComponentUnmounted);
    assert!(surface.executions().is_empty());
}

#[test]
fn as_conc_010_whichever_comes_first_wins_the_handler_or_the_unmount() {
    let mut surface = screen();
    let handler_wins = surface.call("view:screen.slow", "{}");
    surface.finish_well(handler_wins);
    let unmount_wins = surface.call("view:screen.slow", "{}");
    let registration = registration(&mut surface);
    surface.unmount(registration);
    assert!(surface.went_well(handler_wins) && !surface.is_aborted(handler_wins));
    assert!(surface.is_aborted(unmount_wins));
    let settlement = surface.settlement(unmount_wins).unwrap();
    assert_eq!(detail(settlement.error().unwrap(), "phase"), "mid-flight");
    assert!(settlement.surface_changed);
    assert!(surface.record(AuditKind::LateSettlement).is_none());
    surface.finish_well(unmount_wins);
    assert!(surface.record(AuditKind::LateSettlement).is_some());
    assert_eq!(surface.code(unmount_wins), Some(Code::ComponentUnmounted));
}

#[test]
fn as_conc_011_a_handler_that_is_too_late_changes_nothing() {
    let mut surface = screen();
    let key = surface.call("view:screen.slow", "{}");
    surface.pass(9_999);
    assert!(surface.settlement(key).is_none());
    surface.pass(1);
    let error = surface.settlement(key).unwrap().error().unwrap().clone();
    assert_eq!((error.code, error.retry), (Code::Timeout, Retry::No));
    assert_eq!((detail(&error, "timeoutMs"), detail(&error, "idempotent")), ("10000".into(), "false".into()));
    assert!(surface.is_aborted(key));
    surface.finish_well(key);
    let settled = surface.events().iter().filter(|it| matches!(it, Event::InvocationSettled { .. })).count();
    assert_eq!(settled, 1);
    assert_eq!(surface.record(AuditKind::LateSettlement).unwrap().capability_id.unwrap(), "view:screen.slow");
}

#[test]
fn a_timeout_is_the_hosts_or_the_capabilitys_or_the_limits() {
    let quick = CapabilityDefinition { timeout: Some(100), idempotent: Some(true), ..action("quick") };
    let mut surface = grouped([quick, observation("state")]);
    let own = surface.call("view:screen.quick", "{}");
    surface.pass(100);
    let error = surface.settlement(own).unwrap().error().unwrap().clone();
    assert_eq!((error.code, error.retry), (Code::Timeout, Retry::Yes));
    let options = InvokeOptions { timeout: Some(7), ..InvokeOptions::default() };
    let Invoked::Started(hosts) = surface.request_with(request("view:screen.quick", "{}"), options) else {
        panic!()
    };
    surface.pass(7);
    assert_eq!(surface.code(hosts), Some(Code::Timeout));
    let observation = surface.call("view:screen.state", "{}");
    surface.pass(5000);
    assert_eq!(surface.code(observation), Some(Code::Timeout));
}

#[test]
fn as_conc_012_what_was_given_up_before_it_ran_does_not_run() {
    let mut surface = screen();
    let options = InvokeOptions { cancelled: true, ..InvokeOptions::default() };
    let Invoked::Started(before) = surface.request_with(request("view:screen.slow", "{}"), options) else {
        panic!()
    };
    assert_eq!(surface.code(before), Some(Code::Cancelled));
    let running = surface.call("view:screen.slow", "{}");
    let queued = surface.call("view:screen.fast", "{}");
    let last = surface.call("view:screen.fast", "{}");
    surface.cancel(queued);
    assert_eq!(surface.code(queued), Some(Code::Cancelled));
    surface.cancel(running);
    assert_eq!(surface.code(running), Some(Code::Cancelled));
    assert_eq!(surface.executions(), [running, last]);
}

fn watched(per_consumer: u32, total: u32, queued: u32) -> Surface {
    let limits = Limits {
        max_concurrent_observations_per_consumer: per_consumer,
        max_concurrent_observations_total: total,
        max_queued_observations_per_consumer: queued,
        ..Limits::default()
    };
    let config = Config { limits, ..Config::default() };
    let mut surface = Surface::with_config([with(component("screen"), [observation("state")])], config);
    surface.mount("screen");
    surface
}

fn watch(surface: &mut Surface, consumer: &str) -> InvocationKey {
    surface.consumer = Consumer { id: consumer.into(), kind: ConsumerKind::Test };
    surface.call("view:screen.state", "{}")
}

fn see(surface: &mut Surface, key: InvocationKey) {
    surface.finish(key, Executed::Returned(Some("1".into())));
}

#[test]
fn as_obs_001_observations_are_bounded_for_each_consumer_and_for_all() {
    let mut surface = watched(2, 3, 1);
    let a: Vec<_> = (0..4).map(|_| watch(&mut surface, "a")).collect();
    assert_eq!(surface.executions(), a[..2]);
    assert_eq!(surface.code(a[3]), Some(Code::RateLimited));
    let b: Vec<_> = (0..2).map(|_| watch(&mut surface, "b")).collect();
    assert_eq!(surface.executions().last(), Some(&b[0]));
    assert_eq!(surface.registry.usage().running_observations, 3);
    assert_eq!(surface.registry.usage().waiting_observations, 2);
}

#[test]
fn as_obs_002_a_consumer_that_takes_all_its_places_does_not_hold_up_another() {
    let mut surface = watched(1, 2, 4);
    let a: Vec<_> = (0..3).map(|_| watch(&mut surface, "a")).collect();
    let b: Vec<_> = (0..2).map(|_| watch(&mut surface, "b")).collect();
    see(&mut surface, b[0]);
    assert_eq!(surface.executions(), [a[0], b[0], b[1]]);
}

#[test]
fn as_obs_003_a_place_is_free_again_however_an_observation_ends() {
    let mut surface = watched(1, 1, 8);
    let keys: Vec<_> = (0..5).map(|_| watch(&mut surface, "a")).collect();
    see(&mut surface, keys[0]);
    surface.cancel(keys[1]);
    surface.pass(5000);
    assert_eq!(surface.executions(), keys[..4]);
    surface.dispose();
    for key in &keys[3..] {
        assert_eq!(surface.code(*key), Some(Code::Cancelled));
    }
    assert_eq!(surface.registry.usage().waiting_observations, 0);
}

#[test]
fn as_ser_001_only_json_that_fits_the_schema_and_the_limit_comes_out() {
    let sized = CapabilityDefinition { output_schema: None, ..action("sized") };
    let checked =
        CapabilityDefinition { output_schema: Some(json(r#"{"type":"number"}"#)), ..action("checked") };
    let mut surface = grouped([sized, checked]);
    for (name, executed, reason) in [
        ("checked", Executed::Returned(Some(r#""text""#.into())), "output-invalid"),
        ("checked", Executed::Invalid, "output-invalid"),
        ("sized", Executed::Returned(Some("no json".into())), "output-invalid"),
        ("sized", Executed::Returned(Some(format!("\"{}\"", "x".repeat(32_767)))), "output-too-large"),
    ] {
        let key = surface.call(&format!("view:screen.{name}"), "{}");
        surface.finish(key, executed);
        let settlement = surface.settlement(key).unwrap();
        let error = settlement.error().unwrap();
        assert_eq!((error.code, detail(error, "reason").as_str()), (Code::ExecutionFailed, reason));
    }
    assert!(
        surface.warnings().contains(&Warning::OutputInvalid { capability_id: "view:screen.checked".into() })
    );
    let largest = surface.call("view:screen.sized", "{}");
    surface.finish(largest, Executed::Returned(Some(format!("\"{}\"", "x".repeat(32_766)))));
    assert!(surface.went_well(largest));
}

#[test]
fn a_handlers_own_error_is_told_and_any_other_is_not() {
    let capabilities = [action("run"), procedure("devices.list", Effect::ServerQuery)];
    let mut surface = grouped(capabilities);
    let refused = surface.call("view:screen.run", "{}");
    surface.finish(refused, Executed::Refused(refusal(Code::NotAuthorized, Retry::No)));
    assert_eq!(surface.settlement(refused).unwrap().error().unwrap().message, "No.");
    for (id, transient, reason, retry) in [
        ("view:screen.run", true, "handler-error", Retry::No),
        ("domain:devices.list", false, "transport", Retry::No),
        ("domain:devices.list", true, "transport", Retry::AfterDelay),
    ] {
        let key = surface.call(id, "{}");
        surface.finish(key, Executed::Threw { transient });
        let settlement = surface.settlement(key).unwrap();
        let error = settlement.error().unwrap();
        assert_eq!((detail(error, "reason").as_str(), error.retry), (reason, retry));
    }
}

#[test]
fn as_obsv_001_audit_tells_waiting_from_running() {
    let mut surface = screen();
    let first = surface.call("view:screen.slow", "{}");
    let second = surface.call("view:screen.slow", "{}");
    surface.pass(30);
    surface.finish_well(first);
    surface.pass(12);
    surface.finish_well(second);
    let ends: Vec<_> = surface.records().into_iter().filter_map(|record| record.end).collect();
    let spans: Vec<_> = ends.iter().map(|end| (end.duration, end.queue_wait, end.execution)).collect();
    assert_eq!(spans, [(30, Some(0), Some(30)), (42, Some(30), Some(12))]);
}

#[test]
fn audit_keeps_what_its_level_says() {
    let of = |name: &str, audit| CapabilityDefinition { audit: Some(audit), ..action(name) };
    let mut surface =
        grouped([of("none", Audit::None), of("metadata", Audit::Metadata), of("full", Audit::Full)]);
    surface.reply(Question::Execution, Reply::Executed(Executed::Returned(Some("[1]".into()))));
    for name in ["none", "metadata", "full"] {
        surface.call(&format!("view:screen.{name}"), r#"{"a":1}"#);
    }
    let of = |name: &str| -> Vec<_> {
        let id = format!("view:screen.{name}");
        surface.records().into_iter().filter(|it| it.capability_id.as_ref() == Some(&id)).collect()
    };
    assert!(of("none").is_empty());
    assert!(of("metadata").len() == 2 && of("metadata").iter().all(|it| it.payload.is_none()));
    let payload = of("full")[1].payload.clone().unwrap();
    assert_eq!((payload.input.as_deref(), payload.output.as_deref()), (Some(r#"{"a":1}"#), Some("[1]")));
}

#[test]
fn a_component_of_another_instance_has_queues_of_its_own() {
    let mut surface = Surface::open([with(component("screen"), [action("run")])]);
    surface.mount_as("screen", "left");
    let right = Mount { instance_id: Some("right".into()), priority: Number::from(1), ..Mount::default() };
    surface.register("screen", right).outcome.unwrap();
    let at = |instance: &str| agent_surface_core::Request {
        instance_id: Some(instance.into()),
        ..request("view:screen.run", "{}")
    };
    let left = surface.start(at("left"));
    let right = surface.start(at("right"));
    assert_eq!(surface.executions(), [left, right]);
    surface.reply(Question::Execution, DONE());
    surface.finish_well(left);
}

#[test]
fn no_handler_is_asked_for_an_invocation_that_ended_before_the_host_came_to_it() {
    let mut surface = Surface::open([with(component("screen"), [action("run")])]);
    let registration = surface.mount("screen");
    let consumer = surface.consumer.clone();
    let invoked =
        surface.registry.invoke(surface.now, request("view:screen.run", "{}"), consumer, Default::default());
    // A listener that is told of the start, before the handler is called, ends the component.
    surface.registry.unregister(surface.now, registration);
    surface.pump();
    let Ok(Invoked::Started(key)) = invoked else { panic!("{invoked:?}") };
    assert_eq!(surface.executions(), []);
    assert_eq!(surface.code(key), Some(Code::ComponentUnmounted));
    assert_eq!(surface.registry.usage().overdue, 0);
}

#[test]
fn a_host_that_takes_several_outputs_at_a_time_can_tell_which_questions_still_stand() {
    let mut surface = Surface::open([with(component("screen"), [action("run")])]);
    let registration = surface.mount("screen");
    let consumer = surface.consumer.clone();
    let invoked =
        surface.registry.invoke(surface.now, request("view:screen.run", "{}"), consumer, Default::default());
    let Ok(Invoked::Started(key)) = invoked else { panic!("{invoked:?}") };
    let taken: Vec<_> = std::iter::from_fn(|| surface.registry.poll_output()).collect();
    assert!(taken.contains(&Output::Ask { invocation: key, question: Question::Execution }));
    assert!(surface.registry.still_asks(key, Question::Execution));
    surface.registry.unregister(surface.now, registration);
    assert!(!surface.registry.still_asks(key, Question::Execution));
    assert_eq!(surface.registry.usage().overdue, 0);
}

#[test]
fn an_answer_about_a_component_that_is_gone_decides_nothing_but_that_it_is_gone() {
    let asks = Policy { escalates: true, ..policy("ask") };
    let asked = CapabilityDefinition { policies: vec![asks], ..action("run") };
    let mut surface = Surface::open([with(component("screen"), [asked])]);
    let registration = surface.mount("screen");
    surface.reply(Question::Escalation, Reply::Hold);
    let key = surface.call("view:screen.run", "{}");
    surface.unmount(registration);
    let required = Escalation { required: true, summary: None };
    surface.give_now(key, Question::Escalation, Reply::Escalation(required));
    assert_eq!(surface.code(key), Some(Code::ComponentUnmounted));
    assert_eq!(surface.registry.usage().confirmations, 0);
}
