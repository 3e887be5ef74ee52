use agent_surface_core::{
    AuditKind, Code, Config, ConfirmationState, Consumer, ConsumerKind, Escalation, Event, Executed, Limits,
    Question, Request, Resolution, Retry,
};
use agent_surface_json::Object;
use agent_surface_manifest::Effect;

use crate::support::{
    Reply, Surface, action, component, confirmed, detail, json, object, policy, procedure, request, with,
};

const DISABLE: &str = "domain:devices.disable";

fn toolbar(config: Config) -> Surface {
    let capabilities = [
        procedure("devices.disable", Effect::Destructive),
        procedure("devices.enable", Effect::ExternalSideEffect),
        action("open"),
    ];
    let mut surface = Surface::with_config([with(component("toolbar"), capabilities)], config);
    surface.mount("toolbar");
    surface
}

fn disable() -> Request {
    request(DISABLE, r#"{"reason":"test"}"#)
}

/// Asks for a confirmation, and returns its id.
fn ask(surface: &mut Surface, request: Request) -> String {
    let error = surface.error(request);
    assert_eq!((error.code, error.retry), (Code::ConfirmationRequired, Retry::WithConfirmation));
    detail(&error, "confirmationId")
}

fn bind(surface: &mut Surface, bound: Option<Object>) {
    surface.reply(Question::Binding, Reply::Bound(bound));
}

fn assert_invalid(surface: &mut Surface, request: Request, reason: &str) {
    let error = surface.error(request);
    assert_eq!((error.code, detail(&error, "reason").as_str()), (Code::ConfirmationInvalid, reason));
}

#[test]
fn as_invoke_003_a_binding_that_fails_leaves_no_confirmation() {
    let mut surface = toolbar(Config::default());
    for bound in [None, Some(object(r#"{"ids":[]}"#))] {
        bind(&mut surface, bound);
        let error = surface.error(disable());
        assert_eq!((error.code, error.retry), (Code::PreconditionFailed, Retry::AfterRefresh));
        assert_eq!(detail(&error, "reason"), "binding-failed");
    }
    assert_eq!(surface.registry.usage().confirmations, 0);
}

#[test]
fn as_invoke_004_a_locked_field_from_the_agent_leaves_no_confirmation() {
    let mut surface = toolbar(Config::default());
    let error = surface.error(request(DISABLE, r#"{"ids":["another"]}"#));
    assert_eq!(error.code, Code::InvalidInput);
    assert_eq!(detail(&error, "lockedFields"), r#"["ids"]"#);
    assert_eq!(surface.registry.usage().confirmations, 0);
    assert!(surface.asked(Question::Binding).is_empty());
}

#[test]
fn as_invoke_005_the_user_sees_what_is_bound_now() {
    let mut surface = toolbar(Config::default());
    surface.snapshot();
    bind(&mut surface, Some(object(r#"{"ids":["selected-since"]}"#)));
    ask(&mut surface, disable());
    let pending = surface.registry.pending_confirmations().next().unwrap();
    assert_eq!(pending.input, json(r#"{"ids":["selected-since"],"reason":"test"}"#));
    assert_eq!(pending.summary, r#"Calls devices.disable: {"ids":["selected-since"],"reason":"test"}"#);
    assert_eq!(pending.effect, Effect::Destructive);
}

#[test]
fn as_confirm_001_an_approval_is_for_the_very_input_that_was_shown() {
    let mut surface = toolbar(Config::default());
    let id = ask(&mut surface, disable());
    surface.decide(&id, true);
    bind(&mut surface, Some(object(r#"{"ids":["d1","d2"]}"#)));
    assert_invalid(&mut surface, confirmed(&id, disable()), "mismatch");
    assert!(surface.executions().is_empty());
    // It is still good for what was shown.
    bind(&mut surface, Some(object(r#"{"ids":["d1"]}"#)));
    let key = surface.start(confirmed(&id, disable()));
    assert_eq!(surface.executions(), [key]);
}

#[test]
fn as_confirm_002_how_the_input_is_written_does_not_matter_but_its_value_does() {
    let mut surface = toolbar(Config::default());
    let escalation = Escalation { required: true, summary: Some("Open it?".into()) };
    let mut asking = policy("ask");
    asking.escalates = true;
    let config = Config { policies: vec![asking], ..Config::default() };
    let mut opened = toolbar(config);
    opened.reply(Question::Escalation, Reply::Escalation(escalation));
    let open = |input: &str| request("view:toolbar.open", input);
    let id = ask(&mut opened, open(r#"{"a":-0,"b":[1,2]}"#));
    opened.decide(&id, true);
    assert_invalid(&mut opened, confirmed(&id, open(r#"{"a":0,"b":[2,1]}"#)), "mismatch");
    let key = opened.start(confirmed(&id, open(r#"{ "b": [1.0, 2e0], "a": 0 }"#)));
    assert_eq!(opened.executions(), [key]);
    // And two requests with one meaning ask the user once.
    let first = ask(&mut surface, disable());
    assert_eq!(ask(&mut surface, disable()), first);
    assert_eq!(surface.registry.usage().pending_confirmations, 1);
}

#[test]
fn as_confirm_003_an_approval_is_used_up_by_one_call() {
    let mut surface = toolbar(Config::default());
    let id = ask(&mut surface, disable());
    surface.decide(&id, true);
    let key = surface.start(confirmed(&id, disable()));
    let evidence = surface.registry.invocation(key).unwrap().evidence.cloned().unwrap();
    assert_eq!((evidence.confirmation_id, evidence.approved_at), (id.clone(), surface.now));
    surface.finish_well(key);
    assert_invalid(&mut surface, confirmed(&id, disable()), "consumed");
    assert_eq!(surface.executions(), [key]);
    let consumed = surface.record(AuditKind::ConfirmationConsumed).unwrap();
    assert_eq!(consumed.capability_id.as_deref(), Some(DISABLE));
}

#[test]
fn as_confirm_004_an_approval_is_for_one_consumer_registration_and_capability() {
    let mut surface = toolbar(Config::default());
    let id = ask(&mut surface, disable());
    surface.decide(&id, true);
    assert_invalid(
        &mut surface,
        confirmed(&id, request("domain:devices.enable", r#"{"reason":"test"}"#)),
        "mismatch",
    );
    let consumer =
        std::mem::replace(&mut surface.consumer, Consumer { id: "other".into(), kind: ConsumerKind::Test });
    assert_invalid(&mut surface, confirmed(&id, disable()), "mismatch");
    surface.consumer = consumer;
    let standing = surface.registry.confirmation(&id).unwrap().registration_id.clone();
    let key = surface.snapshot().procedures[0].target.registration;
    assert_eq!(surface.id_of(key), standing);
    surface.unmount(key);
    surface.mount("toolbar");
    assert_invalid(&mut surface, confirmed(&id, disable()), "mismatch");
    assert!(surface.executions().is_empty());
}

#[test]
fn as_confirm_005_only_so_many_confirmations_are_pending() {
    let limits = Limits { max_pending_confirmations: 2, ..Limits::default() };
    let mut surface = toolbar(Config { limits, ..Config::default() });
    let with_reason = |reason: &str| request(DISABLE, &format!(r#"{{"reason":"{reason}"}}"#));
    let first = ask(&mut surface, with_reason("a"));
    ask(&mut surface, with_reason("b"));
    let error = surface.error(with_reason("c"));
    assert_eq!((error.code, detail(&error, "reason").as_str()), (Code::RateLimited, "queue-full"));
    assert_eq!(surface.registry.usage().confirmations, 2);
    surface.decide(&first, false);
    ask(&mut surface, with_reason("c"));
}

#[test]
fn a_retry_before_the_user_decides_asks_for_the_same_confirmation() {
    let mut surface = toolbar(Config::default());
    let id = ask(&mut surface, disable());
    assert_eq!(ask(&mut surface, confirmed(&id, disable())), id);
    let requests =
        surface.events().iter().filter(|it| matches!(it, Event::ConfirmationRequested { .. })).count();
    assert_eq!(requests, 1);
}

#[test]
fn a_denial_is_final() {
    let mut surface = toolbar(Config::default());
    let id = ask(&mut surface, disable());
    surface.decide(&id, false);
    surface.decide(&id, true);
    let error = surface.error(confirmed(&id, disable()));
    assert_eq!((detail(&error, "reason").as_str(), error.retry), ("denied", Retry::No));
}

#[test]
fn a_confirmation_and_an_approval_last_no_longer_than_their_time() {
    let mut surface = toolbar(Config::default());
    let id = ask(&mut surface, disable());
    surface.pass(120_000);
    let resolved = Event::ConfirmationResolved { confirmation_id: id.clone(), outcome: Resolution::Expired };
    assert!(surface.events().contains(&resolved));
    let error = surface.error(confirmed(&id, disable()));
    assert_eq!((detail(&error, "reason").as_str(), error.retry), ("expired", Retry::WithConfirmation));

    let id = ask(&mut surface, request(DISABLE, r#"{"reason":"later"}"#));
    surface.decide(&id, true);
    surface.pass(120_001);
    assert_invalid(&mut surface, confirmed(&id, request(DISABLE, r#"{"reason":"later"}"#)), "expired");
    assert_eq!(surface.registry.confirmation(&id).unwrap().state, ConfirmationState::Expired);
}

#[test]
fn an_approval_does_not_bring_a_component_back() {
    let mut surface = toolbar(Config::default());
    let id = ask(&mut surface, disable());
    surface.decide(&id, true);
    let key = surface.snapshot().components[0].registration;
    surface.unmount(key);
    assert_eq!(surface.error(confirmed(&id, disable())).code, Code::ComponentUnmounted);
}

#[test]
fn a_full_audit_of_a_confirmation_has_the_input() {
    let mut surface = toolbar(Config::default());
    ask(&mut surface, disable());
    let record = surface.record(AuditKind::ConfirmationRequested).unwrap();
    assert_eq!(record.payload.unwrap().input.as_deref(), Some(r#"{"ids":["d1"],"reason":"test"}"#));
}

#[test]
fn a_policy_asks_for_what_its_effect_does_not() {
    let mut asking = policy("ask");
    asking.escalates = true;
    let mut surface = toolbar(Config { policies: vec![asking], ..Config::default() });
    let key = surface.call("view:toolbar.open", "{}");
    surface.finish(key, Executed::Returned(None));
    assert!(surface.went_well(key));
    let escalation = Escalation { required: true, summary: Some("Open it?".into()) };
    surface.reply(Question::Escalation, Reply::Escalation(escalation));
    let error = surface.error(request("view:toolbar.open", "{}"));
    assert_eq!((error.code, detail(&error, "summary").as_str()), (Code::ConfirmationRequired, "Open it?"));
}
