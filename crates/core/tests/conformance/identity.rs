use agent_surface_core::CapabilityDefinition;
use agent_surface_core::definition::{Concurrency, Mode};
use agent_surface_core::{
    Code, Config, Consumer, ConsumerKind, Executed, Invoked, Limits, Outcome, Question, Request,
};
use agent_surface_manifest::Effect;

use crate::support::{DONE, Surface, action, component, confirmed, detail, named, procedure, request, with};

const SET: &str = "view:counter.set";

fn counter() -> Surface {
    let mut surface = Surface::open([with(component("counter"), [action("set"), action("reset")])]);
    surface.mount("counter");
    surface
}

fn call_1(input: &str) -> Request {
    named("call_1", request(SET, input))
}

#[test]
fn as_ident_001_a_repeated_request_joins_the_one_under_way_and_then_gets_its_answer() {
    let mut surface = counter();
    let key = surface.start(call_1(r#"{"to":1,"by":2}"#));
    assert_eq!(surface.request(call_1(r#"{"by":2.0,"to":1}"#)), Invoked::Joined(key));
    surface.finish_well(key);
    let settlement = surface.settlement(key).unwrap();
    assert_eq!(surface.request(call_1(r#"{"to":1,"by":2}"#)), Invoked::Settled(settlement));
    assert_eq!(surface.executions(), [key]);
}

#[test]
fn as_ident_002_an_id_belongs_to_the_input_it_came_with() {
    let mut surface = counter();
    let key = surface.start(call_1(r#"{"to":1}"#));
    for _ in ["under way", "answered"] {
        let Invoked::Settled(settlement) = surface.request(call_1(r#"{"to":2}"#)) else { panic!() };
        let error = settlement.error().unwrap();
        assert_eq!(error.code, Code::InvocationConflict);
        assert_eq!(detail(error, "reason"), "id-reused-with-different-request");
        surface.finish_well(key);
    }
    // The request that the id belongs to is untouched.
    assert!(matches!(surface.request(call_1(r#"{"to":1}"#)), Invoked::Settled(it) if it.error().is_none()));
    assert_eq!(surface.executions(), [key]);
}

#[test]
fn as_ident_003_an_id_belongs_to_the_capability_it_came_with() {
    let mut surface = counter();
    surface.start(call_1("{}"));
    let other = named("call_1", request("view:counter.reset", "{}"));
    let Invoked::Settled(settlement) = surface.request(other) else { panic!() };
    assert_eq!(settlement.error().unwrap().code, Code::InvocationConflict);
}

#[test]
fn as_ident_004_every_consumer_has_ids_of_its_own() {
    let mut surface = counter();
    let first = surface.start(call_1(r#"{"to":1}"#));
    surface.consumer = Consumer { id: "tester".into(), kind: ConsumerKind::WebMcp };
    let second = surface.start(call_1(r#"{"to":2}"#));
    surface.finish_well(first);
    surface.finish_well(second);
    assert!(surface.went_well(first) && surface.went_well(second));
}

#[test]
fn as_ident_005_an_answer_is_kept_for_a_time_and_then_its_id_is_free() {
    let mut surface = counter();
    surface.reply(Question::Execution, DONE());
    surface.start(call_1("{}"));
    surface.pass(599_999);
    assert!(matches!(surface.request(call_1("{}")), Invoked::Settled(_)));
    surface.pass(1);
    surface.start(call_1(r#"{"another":"request"}"#));
}

#[test]
fn as_bound_002_the_oldest_answer_goes_when_there_are_too_many() {
    let limits = Limits { dedupe_cache_size: 2, ..Limits::default() };
    let config = Config { limits, ..Config::default() };
    let mut surface = Surface::with_config([with(component("counter"), [action("set")])], config);
    surface.mount("counter");
    surface.reply(Question::Execution, DONE());
    for id in ["a", "b", "c"] {
        surface.start(named(id, request(SET, "{}")));
    }
    assert_eq!(surface.registry.usage().answered, 2);
    assert!(matches!(surface.request(named("b", request(SET, "{}"))), Invoked::Settled(_)));
    assert!(matches!(surface.request(named("c", request(SET, "{}"))), Invoked::Settled(_)));
    surface.start(named("a", request(SET, "{}")));
}

#[test]
fn as_ident_006_what_asks_for_a_repetition_is_not_kept() {
    let serial = CapabilityDefinition {
        concurrency: Some(Concurrency { mode: Mode::Capability, queue_depth: Some(0) }),
        ..action("set")
    };
    let disable = procedure("devices.disable", Effect::Destructive);
    let mut surface = Surface::open([with(component("counter"), [serial, disable])]);
    surface.mount("counter");
    // RATE_LIMITED
    let running = surface.call(SET, "{}");
    assert_eq!(surface.error(call_1("{}")).code, Code::RateLimited);
    surface.finish_well(running);
    let repeated = surface.start(call_1("{}"));
    surface.finish_well(repeated);
    assert!(surface.went_well(repeated));
    // CONFIRMATION_REQUIRED: the repetition carries the confirmation, and runs once.
    let disable = named("call_2", request("domain:devices.disable", "{}"));
    let error = surface.error(disable.clone());
    assert_eq!(error.code, Code::ConfirmationRequired);
    let confirmation = detail(&error, "confirmationId");
    surface.decide(&confirmation, true);
    let retry = surface.start(confirmed(&confirmation, disable.clone()));
    surface.finish(retry, Executed::Returned(Some("1".into())));
    let again = surface.request(confirmed(&confirmation, disable));
    assert!(matches!(again, Invoked::Settled(it) if it.outcome == Outcome::Ok(Some("1".into()))));
    assert_eq!(surface.executions(), [running, repeated, retry]);
}
