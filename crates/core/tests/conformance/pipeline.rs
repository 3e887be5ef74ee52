use agent_surface_core::definition::Check;
use agent_surface_core::{
    CapabilityDefinition, Code, Config, Executed, Invoked, Limits, Outcome, Passage, Phases, Policy,
    Question, Registry, Request, Retry, When,
};
use agent_surface_manifest::Effect;
use agent_surface_schema::Issue;

use crate::support::{
    DONE, Reply, Surface, action, component, detail, json, object, observation, policy, procedure, refusal,
    request, with,
};

const RUN: &str = "view:screen.run";

fn guard(name: &str) -> Policy {
    Policy { phases: Phases { discovery: false, authorize: true, invoke: true }, ..policy(name) }
}

fn guarded(capabilities: impl IntoIterator<Item = CapabilityDefinition>) -> Surface {
    let config = Config { policies: vec![guard("guard")], ..Config::default() };
    let mut surface = Surface::with_config([with(component("screen"), capabilities)], config);
    surface.mount("screen");
    surface
}

fn full() -> CapabilityDefinition {
    let asks = Policy { escalates: true, ..policy("ask") };
    let votes = Policy { phases: Phases { discovery: true, ..Phases::default() }, ..policy("vote") };
    CapabilityDefinition {
        has_when: true,
        policies: vec![asks, votes],
        ..procedure("devices.list", Effect::ServerQuery)
    }
}

#[test]
fn as_invoke_001_nothing_of_the_input_is_known_when_policies_authorize() {
    let mut surface = guarded([full()]);
    surface.reply(Question::Authorization, Reply::Hold);
    let key = surface.call("domain:devices.list", r#"{"reason":"x"}"#);
    assert_eq!(surface.effective_input(key), None);
    assert_eq!(
        surface.questions(key),
        [Question::Availability, Question::Discovery, Question::Authorization]
    );
    surface.give_now(key, Question::Authorization, Reply::Passage(Passage::Passed));
    assert_eq!(
        surface.questions(key)[3..],
        [Question::Binding, Question::InvokePolicies, Question::Escalation, Question::Execution]
    );
}

#[test]
fn an_action_asks_for_its_validator_and_its_precondition_in_their_phases() {
    let checked = CapabilityDefinition { input_check: Check::Host, has_precondition: true, ..action("run") };
    let mut surface = guarded([checked]);
    let key = surface.call(RUN, "{}");
    assert_eq!(
        surface.questions(key),
        [
            Question::Authorization,
            Question::Parsing,
            Question::InvokePolicies,
            Question::Precondition,
            Question::Execution
        ]
    );
}

#[test]
fn what_nobody_has_to_answer_is_not_asked() {
    let mut surface = Surface::open([with(component("screen"), [action("run"), observation("state")])]);
    surface.mount("screen");
    for id in [RUN, "view:screen.state"] {
        let key = surface.call(id, "{}");
        assert_eq!(surface.questions(key), [Question::Execution]);
    }
}

#[test]
fn as_invoke_002_policies_see_the_effective_input_and_nothing_else() {
    let mut surface = guarded([procedure("devices.list", Effect::ServerQuery)]);
    surface.reply(Question::InvokePolicies, Reply::Hold);
    surface.reply(Question::Binding, Reply::Bound(Some(object(r#"{"ids":["d1"],"other":1}"#))));
    let key = surface.call("domain:devices.list", r#"{"reason":"x"}"#);
    assert_eq!(surface.effective_input(key).unwrap(), r#"{"ids":["d1"],"reason":"x"}"#);

    let defaulted = CapabilityDefinition { input_check: Check::Host, ..action("run") };
    let mut surface = guarded([defaulted]);
    surface.reply(Question::InvokePolicies, Reply::Hold);
    surface.reply(Question::Parsing, Reply::Parsed(Ok(json(r#"{"mode":"replace"}"#))));
    let key = surface.call(RUN, "{}");
    assert_eq!(surface.effective_input(key).unwrap(), r#"{"mode":"replace"}"#);
}

#[test]
fn an_input_that_does_not_fit_is_told_by_its_issues() {
    let limited = CapabilityDefinition {
        input_schema: Some(json(
            r#"{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}"#,
        )),
        ..action("run")
    };
    let mut surface = Surface::open([with(component("screen"), [limited])]);
    surface.mount("screen");
    let error = surface.error(request(RUN, r#"{"n":"1"}"#));
    assert_eq!((error.code, error.retry), (Code::InvalidInput, Retry::WithChanges));
    assert_eq!(detail(&error, "issues"), r#"[{"message":"expected number, found string","path":"n"}]"#);
    let error = surface.error(Request { capability_id: RUN.into(), ..Request::default() });
    assert_eq!(error.code, Code::InvalidInput);
}

#[test]
fn a_validator_of_the_hosts_refuses_with_its_own_issues() {
    let checked = CapabilityDefinition { input_check: Check::Host, ..action("run") };
    let mut surface = Surface::open([with(component("screen"), [checked])]);
    surface.mount("screen");
    let issue = Issue { path: "n".into(), message: "too odd".into() };
    surface.reply(Question::Parsing, Reply::Parsed(Err(vec![issue])));
    let error = surface.error(request(RUN, "{}"));
    assert_eq!(detail(&error, "issues"), r#"[{"message":"too odd","path":"n"}]"#);
}

#[test]
fn the_first_phase_that_fails_answers() {
    let checked = CapabilityDefinition { has_when: true, has_precondition: true, ..action("run") };
    let failing = [
        (Question::Availability, Reply::When(When::Fails { reason: None }), Code::CapabilityNotAvailable),
        (
            Question::Authorization,
            Reply::Passage(Passage::Refused(refusal(Code::NotAuthenticated, Retry::No))),
            Code::NotAuthenticated,
        ),
        (
            Question::InvokePolicies,
            Reply::Passage(Passage::Refused(refusal(Code::RateLimited, Retry::AfterDelay))),
            Code::RateLimited,
        ),
        (
            Question::Precondition,
            Reply::Passage(Passage::Refused(Registry::precondition_failed("Select a row first.", None))),
            Code::PreconditionFailed,
        ),
    ];
    for first in 0..failing.len() {
        let mut surface = guarded([checked.clone()]);
        for (question, reply, _) in &failing[first..] {
            surface.reply(*question, reply.clone());
        }
        assert_eq!(surface.error(request(RUN, "{}")).code, failing[first].2);
        assert!(surface.executions().is_empty());
    }
}

#[test]
fn as_avail_001_availability_is_judged_again_when_it_is_called() {
    let sometimes = CapabilityDefinition { has_when: true, ..action("run") };
    let mut surface = Surface::open([with(component("screen"), [sometimes])]);
    surface.mount("screen");
    assert_eq!(surface.snapshot().components[0].capabilities[0].unavailable, None);
    for (when, told) in [
        (When::Fails { reason: Some("Select a row first".into()) }, "Select a row first"),
        (When::Fails { reason: None }, "Currently unavailable"),
        (When::Threw, "when-error"),
    ] {
        surface.reply(Question::Availability, Reply::When(when));
        let error = surface.error(request(RUN, "{}"));
        assert_eq!((error.code, error.retry), (Code::CapabilityNotAvailable, Retry::AfterRefresh));
        assert_eq!(detail(&error, "reason"), told);
    }
}

#[test]
fn policies_that_let_it_pass_see_what_came_of_it_and_may_change_that() {
    let mut surface = guarded([action("run")]);
    surface.reply(Question::Execution, DONE());
    for (passage, outcome) in [
        (Passage::Passed, Outcome::Ok(None)),
        (Passage::Returned(Outcome::Ok(Some("1".into()))), Outcome::Ok(Some("1".into()))),
    ] {
        surface.reply_to_unwinding(passage);
        assert_eq!(surface.answer(request(RUN, "{}")).outcome, outcome);
    }
    surface.reply_to_unwinding(Passage::Refused(refusal(Code::NotAuthorized, Retry::No)));
    assert_eq!(surface.error(request(RUN, "{}")).code, Code::NotAuthorized);
    surface.reply_to_unwinding(Passage::Threw);
    assert_eq!(surface.error(request(RUN, "{}")).code, Code::ExecutionFailed);
}

#[test]
fn a_policy_may_answer_in_the_capabilitys_stead() {
    let mut surface = guarded([action("run")]);
    surface.reply(Question::Authorization, Reply::Passage(Passage::Returned(Outcome::Ok(Some("7".into())))));
    assert_eq!(surface.answer(request(RUN, "{}")).outcome, Outcome::Ok(Some("7".into())));
    assert!(surface.executions().is_empty());
    surface.reply(
        Question::Authorization,
        Reply::Passage(Passage::Returned(Outcome::Ok(Some("no json".into())))),
    );
    assert_eq!(surface.error(request(RUN, "{}")).code, Code::ExecutionFailed);
}

#[test]
fn an_answer_that_nobody_waits_for_changes_nothing() {
    let mut surface = guarded([action("run")]);
    surface.reply(Question::Authorization, Reply::Hold);
    let key = surface.call(RUN, "{}");
    surface.give_now(key, Question::Execution, Reply::Executed(Executed::Returned(None)));
    surface.give_now(key, Question::Precondition, Reply::Passage(Passage::Passed));
    surface.registry.handle_unwound(surface.now, key, Passage::Passed);
    assert!(surface.settlement(key).is_none());
    surface.give_now(key, Question::Authorization, Reply::Passage(Passage::Passed));
    surface.give_now(key, Question::Authorization, Reply::Passage(Passage::Passed));
    assert_eq!(surface.executions(), [key]);
}

#[test]
fn none_of_a_components_code_runs_after_its_end() {
    let mut surface = guarded([CapabilityDefinition { has_precondition: true, ..action("run") }]);
    surface.reply(Question::InvokePolicies, Reply::Hold);
    let key = surface.call(RUN, "{}");
    let registration = surface.snapshot().components[0].registration;
    surface.unmount(registration);
    assert!(surface.settlement(key).is_none());
    surface.give_now(key, Question::InvokePolicies, Reply::Passage(Passage::Passed));
    assert_eq!(surface.code(key), Some(Code::ComponentUnmounted));
    assert!(surface.asked(Question::Precondition).is_empty());
}

#[test]
fn giving_up_does_not_wait_for_a_policy_but_does_not_undo_what_is_done() {
    let mut surface = guarded([action("run")]);
    surface.reply(Question::Authorization, Reply::Hold);
    let asking = surface.call(RUN, "{}");
    surface.cancel(asking);
    assert_eq!(surface.code(asking), Some(Code::Cancelled));
    surface.reply(Question::Authorization, Reply::Passage(Passage::Passed));
    let Invoked::Started(done) = surface
        .registry
        .invoke(surface.now, request(RUN, "{}"), surface.consumer.clone(), Default::default())
        .unwrap()
    else {
        panic!()
    };
    surface.registry.handle_authorized(surface.now, done, Passage::Passed);
    surface.registry.handle_invoke_policies(surface.now, done, Passage::Passed);
    surface.registry.handle_executed(surface.now, done, Executed::Returned(None));
    surface.registry.cancel(surface.now, done);
    surface.registry.handle_unwound(surface.now, done, Passage::Passed);
    surface.pump();
    assert!(surface.went_well(done));
}

#[test]
fn disposal_answers_what_waits_for_policies_too() {
    let mut surface = guarded([action("run")]);
    surface.reply(Question::InvokePolicies, Reply::Hold);
    let asking = surface.call(RUN, "{}");
    surface.dispose();
    let settlement = surface.settlement(asking).unwrap();
    assert_eq!(
        (settlement.error().unwrap().code, settlement.error().unwrap().retry),
        (Code::Cancelled, Retry::No)
    );
    assert_eq!(surface.registry.usage().in_flight, 0);
}

#[test]
fn a_settlement_prints_as_json() {
    let limits = Limits::default();
    let config = Config { limits, ..Config::default() };
    let mut surface = Surface::with_config([with(component("screen"), [action("run")])], config);
    surface.mount("screen");
    surface.reply(Question::Execution, Reply::Executed(Executed::Returned(Some(r#"{"b":1,"a":2}"#.into()))));
    let named = Request { invocation_id: Some("call_1".into()), ..request(RUN, "{}") };
    let mut text = String::new();
    surface.answer(named).push_json(&mut text);
    assert_eq!(
        text,
        r#"{"invocationId":"call_1","capabilityId":"view:screen.run","surfaceVersion":"1","status":"ok","output":{"b":1,"a":2}}"#
    );
    let mut text = String::new();
    surface.answer(request("view:screen.none", "{}")).push_json(&mut text);
    assert!(text.contains(r#""status":"error","error":{"code":"CAPABILITY_NOT_FOUND","message":"#), "{text}");
}

#[test]
fn an_input_that_could_not_be_read_is_an_invalid_one_of_whatever_is_there() {
    let mut surface = guarded([action("run")]);
    let flawed = |id: &str| Request { flaw: Some("nested too deep".into()), ..request(id, "{}") };
    assert_eq!(surface.error(flawed("view:nothing.here")).code, Code::CapabilityNotFound);
    let payload = surface.error(flawed(RUN));
    assert_eq!(payload.code, Code::InvalidInput);
    assert!(detail(&payload, "issues").contains("nested too deep"));
}
