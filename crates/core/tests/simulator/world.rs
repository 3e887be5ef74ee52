//! A surface under simulation: the host and its agents, who do what the schedule says.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use agent_surface_core::definition::{Concurrency, Mode};
use agent_surface_core::{
    Answer, Budget, CapabilityDefinition, Code, Component, Config, Consumer, ConsumerKind, Definition,
    Escalation, Executed, InvocationKey, InvokeOptions, Limits, Mount, OnDuplicate, Outcome, Output, Passage,
    Patch, Phases, Policy, Pushed, Question, RegistrationKey, Registry, Request, Retry, Scope, Time, Vote,
    When,
};
use agent_surface_json::{Json, Number};
use agent_surface_manifest::{Confirmation, Effect};
use agent_surface_schema::NativePatterns;

use crate::script::Op;
use crate::support::{
    action, compile, component, json, navigation, object, observation, policy, procedure, refusal, with,
};
use crate::watcher::{Outcomes, Totals, Watcher};

/// An invariant that does not hold.
#[derive(Clone, Debug)]
pub(crate) struct Violation {
    /// Which.
    pub(crate) rule: &'static str,
    /// What broke it.
    pub(crate) what: String,
    /// After how many steps.
    pub(crate) step: usize,
}

/// How many requests an agent remembers, to send them again.
const MEMORY: usize = 24;

pub(crate) struct World {
    seed: u64,
    config: Config,
    surfaces: u64,
    steps: usize,
    pub(crate) now: Time,
    registry: Registry,
    components: Vec<Rc<Component>>,
    live: Vec<RegistrationKey>,
    /// Questions that the host has not answered.
    questions: Vec<(InvocationKey, Question)>,
    unwinding: Vec<InvocationKey>,
    /// Handlers that run though nobody waits for them.
    late: Vec<InvocationKey>,
    sent: Vec<(Request, u32)>,
    registration_ids: Vec<String>,
    watcher: Watcher,
    trace: Option<String>,
}

pub(crate) fn limits() -> Limits {
    Limits {
        observation_timeout: 500,
        action_timeout: 1000,
        procedure_timeout: 1500,
        action_queue_depth: 2,
        max_concurrent_observations_per_consumer: 2,
        max_concurrent_observations_total: 3,
        max_queued_observations_per_consumer: 2,
        dedupe_cache_size: 8,
        dedupe_cache_ttl: 5000,
        tombstone_size: 4,
        tombstone_ttl: 3000,
        confirmation_ttl: 4000,
        max_pending_confirmations: 3,
        ..Limits::default()
    }
}

fn definitions() -> Vec<Definition> {
    let grouped = |name: &str, mode: Mode, queue_depth| CapabilityDefinition {
        concurrency: Some(Concurrency { mode, queue_depth }),
        ..action(name)
    };
    let votes = Policy { phases: Phases { discovery: true, ..Phases::default() }, ..policy("vote") };
    let asks = Policy { escalates: true, ..policy("ask") };
    let list = [
        observation("state"),
        action("run"),
        navigation("leave"),
        grouped("open", Mode::Key("drawer".into()), None),
        grouped("close", Mode::Key("drawer".into()), None),
        grouped("load", Mode::Parallel(2), Some(1)),
    ];
    let panel = [
        observation("value"),
        CapabilityDefinition {
            has_when: true,
            has_precondition: true,
            idempotent: Some(true),
            policies: vec![votes],
            ..action("edit")
        },
        CapabilityDefinition { policies: vec![asks], ..action("maybe") },
        CapabilityDefinition { confirmation: Some(Confirmation::Required), ..action("wipe") },
    ];
    let admin = [
        procedure("devices.list", Effect::ServerQuery),
        procedure("devices.disable", Effect::Destructive),
        procedure("mail.send", Effect::ExternalSideEffect),
    ];
    vec![with(component("list"), list), with(component("panel"), panel), with(component("admin"), admin)]
}

impl World {
    pub(crate) fn open(seed: u64) -> Self {
        let mut definitions = definitions();
        let authority = Rc::new(compile(&mut definitions));
        // Half of the surfaces have policies around everything, and every third replaces what stands in the way.
        let guard =
            Policy { phases: Phases { discovery: false, authorize: true, invoke: true }, ..policy("guard") };
        let config = Config {
            limits: limits(),
            policies: if one_in(seed, 2) { vec![guard] } else { Vec::new() },
            on_duplicate: if one_in(seed, 3) { OnDuplicate::Replace } else { OnDuplicate::Reject },
            ..Config::default()
        };
        let registry = open_registry(&authority, config.clone(), seed);
        let components: Vec<_> = definitions.into_iter().map(|it| registry.admit(it).unwrap()).collect();
        Self {
            seed,
            config,
            surfaces: 0,
            steps: 0,
            now: Time::from_millis(1_000_000),
            registry,
            components,
            live: Vec::new(),
            questions: Vec::new(),
            unwinding: Vec::new(),
            late: Vec::new(),
            sent: Vec::new(),
            registration_ids: Vec::new(),
            watcher: Watcher::default(),
            trace: None,
        }
    }

    pub(crate) fn tracing(seed: u64) -> Self {
        Self { trace: Some(String::new()), ..Self::open(seed) }
    }

    pub(crate) fn into_trace(self) -> String {
        self.trace.unwrap_or_default()
    }

    pub(crate) fn totals(&self) -> &Totals {
        &self.watcher.totals
    }

    /// One thing happens, and everything that follows from it at once.
    pub(crate) fn step(&mut self, op: Op) -> Result<(), Violation> {
        if let Some(trace) = &mut self.trace {
            writeln!(trace, "{op:?}").unwrap();
        }
        self.perform(op)
            .and_then(|()| self.drain())
            .and_then(|()| self.watcher.look(&mut self.registry, self.now))
            .map_err(|(rule, what)| Violation { rule, what, step: self.steps })?;
        self.steps += 1;
        Ok(())
    }

    /// The surface is closed: nothing may be left.
    pub(crate) fn close(&mut self) -> Result<(), Violation> {
        self.step(Op::Dispose)
    }

    fn perform(&mut self, op: Op) -> Outcomes {
        match op {
            Op::Register { component, instance, priority } => self.register(component, instance, priority),
            Op::Unregister { which } => {
                if let Some(at) = index(which, self.live.len()) {
                    let key = self.live.swap_remove(at);
                    self.registry.unregister(self.now, key);
                }
            }
            Op::Update { which, capability, how } => self.update(which, capability, how),
            Op::Invoke { consumer, capability, how } => return self.invoke(consumer, capability, how),
            Op::Repeat { which, how } => return self.repeat(which, how),
            Op::Answer { which, how } => self.answer(which, how),
            Op::Cancel { which } => {
                let keys = self.watcher.in_flight();
                if let Some(at) = index(which, keys.len()) {
                    self.registry.cancel(self.now, keys[at]);
                }
            }
            Op::Decide { which, approved } => {
                let pending: Vec<_> = self.registry.pending_confirmations().map(|it| it.id.clone()).collect();
                if let Some(at) = index(which, pending.len()) {
                    self.registry.resolve_confirmation(self.now, &pending[at], approved);
                }
            }
            Op::ReturnLate { which } => {
                if let Some(at) = index(which, self.late.len()) {
                    let key = self.late.swap_remove(at);
                    self.registry.handle_executed(self.now, key, Executed::Returned(None));
                }
            }
            Op::Advance { millis } => {
                self.now = self.now.after(millis);
                self.registry.handle_timeout(self.now);
            }
            Op::EndTurn => self.registry.handle_turn(),
            Op::Look { scope, how } => return self.look(scope, how),
            Op::Dispose => self.registry.dispose(self.now),
        }
        Ok(())
    }

    fn register(&mut self, component: u32, instance: u32, priority: u32) {
        let component = Rc::clone(&self.components[index(component, self.components.len()).unwrap()]);
        let mount = Mount {
            instance_id: Some(["a", "b", "c"][index(instance, 3).unwrap()].to_owned()),
            priority: Number::from(priority % 3),
            enabled: !one_in(priority, 16),
            accepted: !one_in(instance, 32),
            parent: None,
        };
        let registered = self.registry.register(self.now, &component, mount).unwrap();
        self.registration_ids.push(registered.registration_id);
        if self.registration_ids.len() > MEMORY {
            self.registration_ids.remove(0);
        }
        if let Ok(key) = registered.outcome {
            self.live.push(key);
        }
        // One that was replaced is gone.
        self.live.retain(|key| self.registry.registration(*key).is_some());
    }

    fn update(&mut self, which: u32, capability: u32, how: u32) {
        let Some(at) = index(which, self.live.len()) else { return };
        let key = self.live[at];
        let registration = self.registry.registration(key).unwrap();
        let capabilities = registration.component().capabilities();
        let name = capabilities[index(capability, capabilities.len()).unwrap()].name().to_owned();
        let component_type = registration.component().component_type().to_owned();
        let pushed = Pushed { available: !one_in(how, 4), reason: one_in(how, 8).then(|| "busy".to_owned()) };
        let patch = Patch { enabled: Some(how % 16 != 3), availability: vec![(name, pushed)] };
        match how % 5 {
            0 => self.registry.invalidate(key),
            _ => self.registry.update(key, &component_type, patch),
        }
    }

    fn invoke(&mut self, consumer: u32, capability: u32, how: u32) -> Outcomes {
        let ids: Vec<&str> = self
            .components
            .iter()
            .flat_map(|it| it.capabilities())
            .map(|capability| capability.id())
            .collect();
        // Some ask for what nobody has ever heard of.
        let at = index(capability, ids.len() + 1).unwrap();
        let capability_id = ids.get(at).copied().unwrap_or("view:list.nothing").to_owned();
        let request = Request {
            invocation_id: one_in(how, 2).then(|| format!("call_{}", how / 2 % 40)),
            instance_id: (!one_in(how, 3)).then(|| ["a", "b", "c"][index(how / 3, 3).unwrap()].to_owned()),
            registration_id: if one_in(how, 11) {
                index(how, self.registration_ids.len()).map(|at| self.registration_ids[at].clone())
            } else {
                None
            },
            // The version by now, or the one before.
            surface_version: one_in(how, 13)
                .then(|| self.registry.version().saturating_sub(u64::from(how % 2)).to_string()),
            input: (!one_in(how, 17)).then(|| input(how)),
            flaw: one_in(how, 29).then(|| "nested too deep".to_owned()),
            confirmation_id: None,
            capability_id,
        };
        self.send(request, consumer, how)
    }

    fn repeat(&mut self, which: u32, how: u32) -> Outcomes {
        let Some(at) = index(which, self.sent.len()) else { return Ok(()) };
        let (mut request, consumer) = self.sent[at].clone();
        match how % 4 {
            0 => {}
            1 => request.input = Some(input(how)),
            _ => {
                let known = self.watcher.confirmations();
                request.confirmation_id = index(how / 4, known.len()).map(|at| known[at].clone());
                request.surface_version = None;
            }
        }
        self.send(request, consumer, how)
    }

    fn send(&mut self, request: Request, consumer: u32, how: u32) -> Outcomes {
        let from = Consumer { id: format!("agent-{}", consumer % 4), kind: ConsumerKind::Test };
        self.sent.push((request.clone(), consumer));
        if self.sent.len() > MEMORY {
            self.sent.remove(0);
        }
        let options =
            InvokeOptions { timeout: one_in(how, 19).then_some(how % 300), cancelled: one_in(how, 29) };
        let invoked = self.registry.invoke(self.now, request, from.clone(), options).unwrap();
        if let Some(trace) = &mut self.trace {
            writeln!(trace, "{invoked:?}").unwrap();
        }
        self.watcher.sent(&from, &invoked)
    }

    fn answer(&mut self, which: u32, how: u32) {
        let count = self.questions.len() + self.unwinding.len();
        let Some(at) = index(which, count) else { return };
        if let Some(at) = at.checked_sub(self.questions.len()) {
            let key = self.unwinding.swap_remove(at);
            return self.registry.handle_unwound(self.now, key, passage(how));
        }
        let (key, question) = self.questions.swap_remove(at);
        self.watcher.answered(key);
        let now = self.now;
        match question {
            Question::Availability => {
                let when = match how % 10 {
                    0 => When::Fails { reason: Some("nothing selected".into()) },
                    1 => When::Threw,
                    _ => When::Holds,
                };
                self.registry.handle_availability(now, key, &when);
            }
            Question::Discovery => self.registry.handle_votes(now, key, &[vote(how)]),
            Question::Authorization => self.registry.handle_authorized(now, key, passage(how)),
            Question::Parsing => self.registry.handle_parsed(now, key, Ok(json("{}"))),
            Question::Binding => {
                let bound = match how % 8 {
                    0 => None,
                    1 => Some(object(r#"{"ids":["d1","d2"]}"#)),
                    2 => Some(object(r#"{"ids":[]}"#)),
                    _ => Some(object(r#"{"ids":["d1"]}"#)),
                };
                self.registry.handle_bound(now, key, bound);
            }
            Question::InvokePolicies => self.registry.handle_invoke_policies(now, key, passage(how)),
            Question::Escalation => {
                let escalation = Escalation { required: one_in(how, 2), summary: None };
                self.registry.handle_escalation(now, key, escalation);
            }
            Question::Precondition => self.registry.handle_precondition(now, key, passage(how)),
            Question::Execution => {
                let executed = match how % 12 {
                    0 => Executed::Threw { transient: one_in(how, 24) },
                    1 => Executed::Invalid,
                    2 => Executed::Refused(refusal(Code::NotAuthorized, Retry::No)),
                    3 => Executed::Returned(None),
                    _ => Executed::Returned(Some((how % 10).to_string())),
                };
                self.registry.handle_executed(now, key, executed);
            }
        }
    }

    fn look(&mut self, scope: u32, how: u32) -> Outcomes {
        let scope = match scope % 3 {
            0 => Scope::default(),
            1 => Scope(vec!["list".into()]),
            _ => Scope(vec!["panel".into(), "devices".into()]),
        };
        let survey = self.registry.survey(&scope).unwrap();
        let answers: Vec<_> = survey
            .questions()
            .map(|it| Answer { when: When::Holds, votes: vec![vote(how); it.votes] })
            .collect();
        let budget =
            Budget { max_components: one_in(how, 5).then_some(2), max_bytes: one_in(how, 7).then_some(900) };
        let snapshot = self.registry.compose(self.now, &survey, &answers, one_in(how, 2), budget);
        let tools = self.registry.direct_tools(&snapshot);
        self.watcher.looked(&self.registry, &snapshot, &tools)
    }

    /// Takes everything that the registry has to say.
    fn drain(&mut self) -> Outcomes {
        while let Some(output) = self.registry.poll_output() {
            if let Some(trace) = &mut self.trace {
                writeln!(trace, "  {output:?}").unwrap();
            }
            self.watcher.saw(&mut self.registry, self.now, &output)?;
            match output {
                Output::Ask { invocation, question } => self.questions.push((invocation, question)),
                Output::Unwind { invocation, .. } => {
                    self.forget(invocation);
                    self.unwinding.push(invocation);
                }
                Output::Settle { invocation, .. } => {
                    self.forget(invocation);
                    self.unwinding.retain(|it| *it != invocation);
                }
                _ => {}
            }
        }
        if self.registry.is_disposed() {
            self.reopen()?;
        }
        Ok(())
    }

    /// Nobody waits for an answer about this invocation any more; its handler goes on, if it runs.
    fn forget(&mut self, invocation: InvocationKey) {
        if self.questions.contains(&(invocation, Question::Execution)) {
            self.late.push(invocation);
        }
        self.questions.retain(|(it, _)| *it != invocation);
    }

    /// Another surface of the same app.
    fn reopen(&mut self) -> Outcomes {
        self.watcher.closed(&self.registry)?;
        self.surfaces += 1;
        let authority = Rc::clone(self.registry.authority());
        self.registry = open_registry(&authority, self.config.clone(), self.seed ^ (self.surfaces << 32));
        self.live.clear();
        self.questions.clear();
        self.unwinding.clear();
        self.late.clear();
        self.registration_ids.clear();
        Ok(())
    }
}

fn open_registry(authority: &Rc<agent_surface_core::Authority>, config: Config, seed: u64) -> Registry {
    let mut entropy = [0; 32];
    entropy[..8].copy_from_slice(&seed.to_le_bytes());
    let mut registry =
        Registry::new(Rc::clone(authority), config, Box::new(NativePatterns::default()), entropy);
    registry.set_procedures(Some(Vec::new()));
    registry
}

/// Something that happens once in a while.
fn one_in(number: impl Into<u64>, count: u64) -> bool {
    number.into().is_multiple_of(count)
}

fn index(number: u32, count: usize) -> Option<usize> {
    (count > 0).then(|| number as usize % count)
}

fn input(how: u32) -> Json {
    let mut members: BTreeMap<&str, Json> = BTreeMap::new();
    if one_in(how, 23) {
        return Json::from("no object");
    }
    if one_in(how, 5) {
        members.insert("reason", Json::from(["x", "y"][index(how / 5, 2).unwrap()]));
    }
    members.into_iter().collect::<agent_surface_json::Object>().into()
}

fn passage(how: u32) -> Passage {
    match how % 20 {
        0 => Passage::Refused(refusal(Code::NotAuthenticated, Retry::No)),
        1 => Passage::Refused(refusal(Code::RateLimited, Retry::AfterDelay)),
        2 => Passage::Returned(Outcome::Ok(Some("7".into()))),
        3 => Passage::Threw,
        _ => Passage::Passed,
    }
}

fn vote(how: u32) -> Vote {
    match how % 12 {
        0 => Vote::Hide,
        1 => Vote::Disable { reason: "not now".into() },
        2 => Vote::Threw,
        _ => Vote::Expose,
    }
}
