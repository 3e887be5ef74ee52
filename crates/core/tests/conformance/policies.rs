use agent_surface_core::{
    CapabilityDefinition, Code, Config, Phases, Policy, Question, Retry, Scope, Verdict, Vote,
};

use crate::support::{
    Reply, Surface, action, component, detail, observation, policy, refusal, request, with,
};
use agent_surface_core::Passage;

fn votes(name: &str) -> Policy {
    Policy { phases: Phases { discovery: true, ..Phases::default() }, ..policy(name) }
}

/// A registry, a component and a capability with a voting policy each.
fn three_layers() -> Surface {
    let mut screen = component("screen");
    screen.policies = vec![votes("component")];
    let run = CapabilityDefinition { policies: vec![votes("capability")], ..action("run") };
    let config = Config { policies: vec![votes("registry")], ..Config::default() };
    let mut surface = Surface::with_config([with(screen, [run])], config);
    surface.mount("screen");
    surface
}

fn disable(reason: &str) -> Vote {
    Vote::Disable { reason: reason.into() }
}

#[test]
fn as_policy_002_the_most_restrictive_vote_of_all_layers_wins() {
    let mut surface = three_layers();
    for (given, shown, unavailable) in [
        (vec![Vote::Expose, Vote::Expose, Vote::Expose], true, None),
        (vec![Vote::Expose, disable("outer"), disable("inner")], true, Some("outer")),
        (vec![disable("outer"), Vote::Expose, Vote::Hide], false, None),
        (vec![Vote::Threw, Vote::Expose, Vote::Expose], false, None),
    ] {
        let snapshot = surface.snapshot_of(&Scope::default(), |it| {
            assert_eq!(it.votes, 3);
            given.clone()
        });
        assert_eq!(snapshot.components.len(), usize::from(shown), "{given:?}");
        for component in &snapshot.components {
            assert_eq!(component.capabilities[0].unavailable.as_deref(), unavailable);
        }
    }
}

#[test]
fn as_policy_003_what_is_hidden_from_a_consumer_is_not_there_when_it_calls() {
    let mut surface = three_layers();
    surface.reply(Question::Discovery, Reply::Votes(vec![Vote::Expose, Vote::Hide, Vote::Expose]));
    let hidden = surface.error(request("view:screen.run", "{}"));
    let missing = surface.error(request("view:screen.nothing", "{}"));
    assert_eq!(hidden, missing);
    assert_eq!(hidden.code, Code::CapabilityNotFound);
}

#[test]
fn as_avail_002_rights_hide_without_a_trace_and_state_tells_its_reason() {
    let mut surface = three_layers();
    surface.reply(
        Question::Discovery,
        Reply::Votes(vec![Vote::Expose, disable("nothing selected"), Vote::Expose]),
    );
    let error = surface.error(request("view:screen.run", "{}"));
    assert_eq!(
        (error.code, detail(&error, "reason").as_str()),
        (Code::CapabilityNotAvailable, "nothing selected")
    );
    surface.reply(Question::Discovery, Reply::Votes(vec![]));
    assert_eq!(surface.error(request("view:screen.run", "{}")).details, None);
}

#[test]
fn as_policy_004_a_policy_that_guards_the_call_answers_in_its_own_words() {
    // As `authenticated` is: it hides what it refuses, and refuses with its own code.
    let both = Policy {
        phases: Phases { discovery: true, authorize: true, invoke: false },
        ..policy("authenticated")
    };
    let config = Config { policies: vec![both], ..Config::default() };
    let mut surface = Surface::with_config([with(component("screen"), [action("run")])], config);
    surface.mount("screen");
    let snapshot = surface.snapshot_of(&Scope::default(), |_| vec![Vote::Hide]);
    assert!(snapshot.components.is_empty());
    let refused = Passage::Refused(refusal(Code::NotAuthenticated, Retry::No));
    surface.reply(Question::Authorization, Reply::Passage(refused));
    let error = surface.error(request("view:screen.run", "{}"));
    assert_eq!(error.code, Code::NotAuthenticated);
    assert!(surface.asked(Question::Discovery).is_empty());
}

#[test]
fn as_explain_003_an_explanation_agrees_with_the_snapshot() {
    let guarded = |name: &str| CapabilityDefinition { policies: vec![votes("own")], ..action(name) };
    let mut surface = Surface::open([with(
        component("screen"),
        [guarded("a"), guarded("b"), guarded("c"), observation("d")],
    )]);
    surface.mount("screen");
    let survey = surface.registry.survey(&Scope::default()).unwrap();
    let vote = |index: u32| match index {
        0 => Vote::Expose,
        1 => disable("not now"),
        _ => Vote::Hide,
    };
    let answers: Vec<_> = survey
        .questions()
        .map(|it| agent_surface_core::Answer {
            when: agent_surface_core::When::Holds,
            votes: vec![vote(it.target.capability)],
        })
        .collect();
    let explained = surface.registry.explain(&survey, &answers);
    let verdicts: Vec<_> = explained.iter().map(|it| it.verdict.clone()).collect();
    let disabled = Verdict::Disabled { reason: "not now".into() };
    assert_eq!(verdicts, [Verdict::Exposed, disabled, Verdict::Hidden, Verdict::Exposed]);
    let snapshot =
        surface.registry.compose(surface.now, &survey, &answers, true, agent_surface_core::Budget::default());
    let shown: Vec<_> =
        snapshot.components[0].capabilities.iter().map(|it| (it.target, it.unavailable.clone())).collect();
    let expected: Vec<_> = explained
        .into_iter()
        .filter_map(|it| match it.verdict {
            Verdict::Hidden => None,
            Verdict::Exposed => Some((it.target, None)),
            Verdict::Disabled { reason } => Some((it.target, Some(reason))),
        })
        .collect();
    assert_eq!(shown, expected);
}
