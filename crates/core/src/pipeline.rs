//! The way of an invocation through its phases, from request to admission: each step either goes on, asks the host, or
//! ends it.

use std::rc::Rc;

use agent_surface_json::{Json, Object};
use agent_surface_manifest::{Audit, Confirmation as Asked, Kind};
use agent_surface_schema::{Issue, validate};

use crate::audit::{AuditKind, AuditRecord};
use crate::confirmation::{Confirmation, ConfirmationState, Subject, Use};
use crate::definition::Check;
use crate::event::Event;
use crate::failure;
use crate::identity::{Identities, Seen};
use crate::invocation::{Invocation, Resolved, Stage, Texts};
use crate::output::Warning;
use crate::policy::{Verdict, Vote, When, compose_votes};
use crate::registration::obstacle_of;
use crate::registry::Due;
use crate::request::Fingerprint;
use crate::{
    Consumer, Disposed, ErrorPayload, InvocationKey, InvokeOptions, Outcome, Output, Question, Registry,
    Request, Settlement, Time,
};

/// What came of a request at once.
#[derive(Clone, Debug, PartialEq)]
pub enum Invoked {
    /// It is on its way. Its [`Output::Settle`] will come.
    Started(InvocationKey),
    /// The same request is on its way already; its answer is the answer to this one too.
    Joined(InvocationKey),
    /// It is answered: as it was the first time, or because its id belongs to another request.
    Settled(Rc<Settlement>),
}

/// What policies, or the last of them, did with an invocation.
#[derive(Clone, Debug, PartialEq)]
pub enum Passage {
    /// They let it pass; afterwards: they left the outcome as it was.
    Passed,
    /// One of them refused it with an error of its own.
    Refused(ErrorPayload),
    /// One of them answered in the capability's stead.
    Returned(Outcome),
    /// One of them failed.
    Threw,
}

/// What policies say to a confirmation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Escalation {
    /// Whether one of them asks for it. One that fails while it decides does.
    pub required: bool,
    /// How it is put to the user, where one of them words it.
    pub summary: Option<String>,
}

/// How a step ends.
enum Step {
    Next,
    Ask,
    Fail(ErrorPayload),
}

impl From<Result<(), ErrorPayload>> for Step {
    fn from(result: Result<(), ErrorPayload>) -> Self {
        result.map_or_else(Self::Fail, |()| Self::Next)
    }
}

impl Registry {
    /// Starts an invocation, or finds that it is no new one.
    ///
    /// # Errors
    /// The registry is closed.
    pub fn invoke(
        &mut self,
        now: Time,
        request: Request,
        consumer: Consumer,
        options: InvokeOptions,
    ) -> Result<Invoked, Disposed> {
        self.check_open()?;
        let fingerprint = Fingerprint::of(&request);
        let consumer_key = consumer.key();
        let id = match &request.invocation_id {
            Some(id) => id.clone(),
            None => ["inv_", &self.tokens.text(12)].concat(),
        };
        let name = Identities::name(&consumer_key, &id);
        match self.identities.look_up(now, &name, &fingerprint) {
            Seen::UnderWay(invocation) => return Ok(Invoked::Joined(invocation)),
            Seen::Answered(settlement) => return Ok(Invoked::Settled(settlement)),
            Seen::Differently => return Ok(Invoked::Settled(self.refuse_reuse(now, id, request, &consumer))),
            Seen::Never => {}
        }
        self.last_invocation += 1;
        let key = InvocationKey(self.last_invocation);
        self.identities.begin(name.clone(), fingerprint, key);
        self.emit_started(&id, &request.capability_id, &consumer);
        let resolved = self.resolve(now, &request);
        let mut invocation = Box::new(Invocation {
            key,
            id,
            capability_id: request.capability_id,
            consumer,
            consumer_key,
            name,
            options,
            confirmation_id: request.confirmation_id,
            started: now,
            version: self.version,
            stage: Stage::Queued,
            target: None,
            agent_input: request.input,
            flaw: request.flaw,
            effective_input: None,
            texts: Texts::default(),
            evidence: None,
            guarded: false,
            slot: None,
            queued: None,
            queue_wait: None,
            execution: None,
        });
        match resolved {
            Err(payload) => self.conclude(now, invocation, Outcome::Error(payload)),
            Ok(resolved) => {
                self.record_started(now, &invocation, &resolved);
                invocation.target = Some(resolved);
                self.run(now, invocation, Question::Availability);
            }
        }
        Ok(Invoked::Started(key))
    }

    /// Answers [`Question::Availability`].
    pub fn handle_availability(&mut self, now: Time, key: InvocationKey, when: &When) {
        let Some(invocation) = self.take(now, key, Question::Availability) else { return };
        match obstacle_of(when) {
            None => self.run(now, invocation, Question::Discovery),
            Some(reason) => self.fail(now, invocation, failure::not_available(reason)),
        }
    }

    /// Answers [`Question::Discovery`]: the votes of the policies that do nothing but vote, outermost first.
    pub fn handle_votes(&mut self, now: Time, key: InvocationKey, votes: &[Vote]) {
        let Some(invocation) = self.take(now, key, Question::Discovery) else { return };
        let expected = invocation.target.as_ref().map_or(0, |it| it.capability().chain.only_discovery);
        match compose_votes(votes, expected) {
            Verdict::Exposed => self.run(now, invocation, Question::Authorization),
            Verdict::Disabled { reason } => self.fail(now, invocation, failure::not_available(&reason)),
            Verdict::Hidden => self.fail(now, invocation, failure::not_found()),
        }
    }

    /// Answers [`Question::Authorization`].
    pub fn handle_authorized(&mut self, now: Time, key: InvocationKey, passage: Passage) {
        self.pass(now, key, Question::Authorization, Question::Parsing, passage);
    }

    /// Answers [`Question::Parsing`]: what the host's validator made of the agent's input.
    pub fn handle_parsed(&mut self, now: Time, key: InvocationKey, parsed: Result<Json, Vec<Issue>>) {
        let Some(mut invocation) = self.take(now, key, Question::Parsing) else { return };
        match parsed {
            Ok(input) => {
                invocation.effective_input = Some(input);
                self.run(now, invocation, Question::Binding);
            }
            Err(issues) => self.fail(now, invocation, failure::invalid_input(issues)),
        }
    }

    /// Answers [`Question::Binding`]: what the view supplies, or `None` where it could not say.
    pub fn handle_bound(&mut self, now: Time, key: InvocationKey, bound: Option<Object>) {
        let Some(mut invocation) = self.take(now, key, Question::Binding) else { return };
        let merged = match bound {
            Some(bound) => self.merge(&mut invocation, &bound),
            None => Err(failure::binding_failed()),
        };
        match merged {
            Ok(()) => self.run(now, invocation, Question::InvokePolicies),
            Err(payload) => self.fail(now, invocation, payload),
        }
    }

    /// Answers [`Question::InvokePolicies`].
    pub fn handle_invoke_policies(&mut self, now: Time, key: InvocationKey, passage: Passage) {
        self.pass(now, key, Question::InvokePolicies, Question::Escalation, passage);
    }

    /// Answers [`Question::Escalation`].
    pub fn handle_escalation(&mut self, now: Time, key: InvocationKey, escalation: Escalation) {
        let Some(mut invocation) = self.take(now, key, Question::Escalation) else { return };
        match self.confirm(now, &mut invocation, escalation) {
            Ok(()) => self.run(now, invocation, Question::Precondition),
            Err(payload) => self.fail(now, invocation, payload),
        }
    }

    /// Answers [`Question::Precondition`]: nothing, or why the state does not allow the input. What failed without
    /// saying why is [`Passage::Threw`]; a message and details of the author's are put by
    /// [`precondition_failed`](Registry::precondition_failed).
    pub fn handle_precondition(&mut self, now: Time, key: InvocationKey, passage: Passage) {
        self.pass(now, key, Question::Precondition, Question::Execution, passage);
    }

    /// The error that an author's refusal of a precondition becomes.
    #[must_use]
    pub fn precondition_failed(message: &str, details: Option<Object>) -> ErrorPayload {
        failure::precondition_failed(message, details)
    }

    /// Leads an invocation on, from the step that would ask `from`.
    pub(crate) fn run(&mut self, now: Time, mut invocation: Box<Invocation>, from: Question) {
        for question in Question::ALL.iter().copied().filter(|question| *question >= from) {
            if question == Question::Execution {
                return self.admit_invocation(now, invocation);
            }
            match self.step(now, &mut invocation, question) {
                Step::Next => {}
                Step::Ask => return self.ask(invocation, question),
                Step::Fail(payload) => return self.fail(now, invocation, payload),
            }
        }
    }

    pub(crate) fn fail(&mut self, now: Time, invocation: Box<Invocation>, payload: ErrorPayload) {
        self.conclude(now, invocation, Outcome::Error(payload));
    }

    fn ask(&mut self, mut invocation: Box<Invocation>, question: Question) {
        let key = invocation.key;
        invocation.stage = Stage::Asking(question);
        self.invocations.insert(key, invocation);
        self.push(Output::Ask { invocation: key, question });
    }

    /// The invocation, if it waits for the answer to this question. An answer that nobody waits for is none.
    ///
    /// An invocation whose component is gone ends here, whatever the answer: nothing is decided for it any more, and no
    /// user is asked.
    fn take(&mut self, now: Time, key: InvocationKey, question: Question) -> Option<Box<Invocation>> {
        let waits = self.invocations.get(&key).is_some_and(|it| it.stage == Stage::Asking(question));
        let invocation = if waits { self.invocations.remove(&key) } else { None }?;
        let live =
            invocation.target.as_ref().is_some_and(|it| self.registrations.contains_key(&it.registration));
        if live {
            return Some(invocation);
        }
        self.fail(now, invocation, failure::unmounted_meanwhile());
        None
    }

    /// Takes the answer of guards, whether policies or a precondition.
    fn pass(&mut self, now: Time, key: InvocationKey, asked: Question, next: Question, passage: Passage) {
        let Some(mut invocation) = self.take(now, key, asked) else { return };
        match passage {
            Passage::Passed => {
                invocation.guarded |= asked != Question::Precondition;
                self.run(now, invocation, next);
            }
            Passage::Refused(payload) => self.fail(now, invocation, payload),
            Passage::Returned(outcome) => {
                let outcome = self.check_outcome(&invocation, outcome);
                self.conclude(now, invocation, outcome);
            }
            Passage::Threw => {
                self.fail(now, invocation, failure::execution_failed(failure::Failed::Handler));
            }
        }
    }

    fn step(&mut self, now: Time, invocation: &mut Invocation, question: Question) -> Step {
        let Some(target) = &invocation.target else { return Step::Fail(failure::not_found()) };
        let Some(registration) = self.registrations.get(&target.registration) else {
            // None of a component's code runs after its end.
            return Step::Fail(failure::unmounted_meanwhile());
        };
        let capability = target.capability();
        let ask_if = |condition: bool| if condition { Step::Ask } else { Step::Next };
        match question {
            Question::Availability => match registration.obstacle(target.capability) {
                Some(reason) => Step::Fail(failure::not_available(reason)),
                None => ask_if(capability.has_when),
            },
            Question::Discovery => ask_if(capability.chain.only_discovery > 0),
            Question::Authorization => ask_if(capability.chain.authorize > 0),
            Question::Parsing => self.parse(invocation),
            Question::Binding if capability.kind != Kind::Procedure => Step::Next,
            Question::Binding if capability.binding.as_ref().is_some_and(|it| it.has_bind) => Step::Ask,
            Question::Binding => self.merge(invocation, &Object::new()).into(),
            Question::InvokePolicies => ask_if(capability.chain.invoke > 0),
            Question::Escalation if capability.kind == Kind::Observation => Step::Next,
            Question::Escalation if capability.chain.escalating > 0 => Step::Ask,
            Question::Escalation => self.confirm(now, invocation, Escalation::default()).into(),
            Question::Precondition => ask_if(capability.has_precondition),
            Question::Execution => Step::Next,
        }
    }

    /// Takes the agent's input, as far as the kernel judges it.
    fn parse(&self, invocation: &mut Invocation) -> Step {
        let Some(target) = &invocation.target else { return Step::Next };
        let capability = target.capability();
        if let Some(flaw) = &invocation.flaw {
            return Step::Fail(failure::invalid_input(vec![issue(flaw)]));
        }
        match (capability.kind, &capability.binding, &capability.input_schema) {
            (Kind::Procedure, Some(binding), _) => {
                let input = &*invocation.agent_input.get_or_insert_with(|| Object::new().into());
                let Json::Object(members) = input else {
                    return Step::Fail(failure::invalid_input(vec![issue("must be an object")]));
                };
                let locked: Vec<&str> =
                    members.keys().filter(|key| binding.locked.iter().any(|locked| locked == key)).collect();
                if !locked.is_empty() {
                    return Step::Fail(failure::locked_fields(locked));
                }
                let issues = validate(&binding.agent_schema, input, &*self.patterns);
                if issues.is_empty() { Step::Next } else { Step::Fail(failure::invalid_input(issues)) }
            }
            (Kind::Action, _, Some(_)) if capability.input_check == Check::Host => Step::Ask,
            (Kind::Action, _, Some(schema)) => {
                let Some(input) = &invocation.agent_input else {
                    return Step::Fail(failure::invalid_input(vec![issue("is required, but missing")]));
                };
                let issues = validate(schema, input, &*self.patterns);
                if !issues.is_empty() {
                    return Step::Fail(failure::invalid_input(issues));
                }
                invocation.effective_input = Some(input.clone());
                Step::Next
            }
            _ => {
                invocation.effective_input = Some(Object::new().into());
                Step::Next
            }
        }
    }

    /// Puts together what the agent and the view supply, and holds it against the whole schema. The agent's part is
    /// valid by then, so that what is wrong is the view's.
    fn merge(&mut self, invocation: &mut Invocation, bound: &Object) -> Result<(), ErrorPayload> {
        let Some(target) = &invocation.target else { return Ok(()) };
        let capability = target.capability();
        let mut input = match &invocation.agent_input {
            Some(Json::Object(input)) => input.clone(),
            _ => Object::new(),
        };
        for name in capability.binding.iter().flat_map(|binding| &binding.bound) {
            if let (false, Some(value)) = (input.contains_key(name), bound.get(name)) {
                input.insert(name.as_str(), value.clone());
            }
        }
        let input = Json::Object(input);
        let valid = capability
            .input_schema
            .as_ref()
            .is_some_and(|schema| validate(schema, &input, &*self.patterns).is_empty());
        if !valid {
            let capability_id = capability.id.clone();
            self.push(Output::Warn(Warning::BoundInputInvalid { capability_id }));
            return Err(failure::binding_failed());
        }
        invocation.effective_input = Some(input);
        Ok(())
    }

    /// Decides whether the user has to confirm, and whether the user did.
    fn confirm(
        &mut self,
        now: Time,
        invocation: &mut Invocation,
        escalation: Escalation,
    ) -> Result<(), ErrorPayload> {
        let (Some(target), Some(input)) = (&invocation.target, &invocation.effective_input) else {
            return Ok(());
        };
        let capability = target.capability();
        if capability.confirmation != Asked::Required && !escalation.required {
            return Ok(());
        }
        let subject = Subject {
            surface_id: &self.surface_id,
            registration_id: &target.registration_id,
            capability_id: &capability.id,
            consumer_key: &invocation.consumer_key,
            effective_input: input,
            effect: capability.effect,
        };
        let digest = subject.digest();
        if let Some(id) = &invocation.confirmation_id {
            return match self.confirmations.consume(now, id, &subject, digest) {
                Use::Pending(confirmation) => Err(required(confirmation)),
                Use::Invalid(invalid) => Err(failure::confirmation_invalid(invalid)),
                Use::Consumed(evidence) => {
                    invocation.evidence = Some(evidence);
                    let record = AuditRecord {
                        capability_id: Some(capability.id.clone()),
                        registration_id: Some(target.registration_id.clone()),
                        invocation_id: Some(invocation.id.clone()),
                        consumer_id: Some(invocation.consumer_key.clone()),
                        ..AuditRecord::new(now, AuditKind::ConfirmationConsumed)
                    };
                    self.record(record);
                    Ok(())
                }
            };
        }
        if let Some(pending) = self.confirmations.pending_about(&subject, digest) {
            return Err(required(pending));
        }
        if self.confirmations.is_full(&self.config.limits) {
            return Err(failure::too_many_confirmations());
        }
        let summary = match escalation.summary {
            Some(summary) => crate::text::truncate(&summary, crate::error::MAX_MESSAGE),
            None => failure::summary(&capability.description, &input.to_canonical()),
        };
        let confirmation = Confirmation {
            id: ["cnf_", &self.tokens.text(12)].concat(),
            capability_id: capability.id.clone(),
            registration_id: target.registration_id.clone(),
            consumer_key: invocation.consumer_key.clone(),
            effect: capability.effect,
            summary,
            input: input.clone(),
            requested_at: now,
            expires_at: now.after(self.config.limits.confirmation_ttl),
            state: ConfirmationState::Pending,
            audit: capability.audit,
            digest,
            approved_at: None,
        };
        let payload = required(&confirmation);
        self.request_confirmation(now, confirmation);
        Err(payload)
    }

    fn request_confirmation(&mut self, now: Time, confirmation: Confirmation) {
        self.deadlines.insert((confirmation.expires_at, Due::Confirmation(confirmation.id.clone())), ());
        self.push(Output::Emit(Event::ConfirmationRequested {
            confirmation_id: confirmation.id.clone(),
            capability_id: confirmation.capability_id.clone(),
            expires_at: confirmation.expires_at,
        }));
        self.record(crate::decision::record_of(now, AuditKind::ConfirmationRequested, &confirmation));
        self.confirmations.add(confirmation);
    }

    fn emit_started(&mut self, invocation_id: &str, capability_id: &str, consumer: &Consumer) {
        if !self.tells_events {
            return;
        }
        self.push(Output::Emit(Event::InvocationStarted {
            invocation_id: invocation_id.to_owned(),
            capability_id: capability_id.to_owned(),
            consumer_id: consumer.id.clone(),
        }));
    }

    fn record_started(&mut self, now: Time, invocation: &Invocation, target: &Resolved) {
        if !self.tells_records || target.capability().audit == Audit::None {
            return;
        }
        self.record(AuditRecord {
            capability_id: Some(invocation.capability_id.clone()),
            registration_id: Some(target.registration_id.clone()),
            invocation_id: Some(invocation.id.clone()),
            consumer_id: Some(invocation.consumer_key.clone()),
            ..AuditRecord::new(now, AuditKind::InvocationStarted)
        });
    }

    /// Answers a request whose id belongs to another one. That other one is left as it is.
    fn refuse_reuse(
        &mut self,
        now: Time,
        id: String,
        request: Request,
        consumer: &Consumer,
    ) -> Rc<Settlement> {
        self.emit_started(&id, &request.capability_id, consumer);
        let settlement = Rc::new(Settlement {
            invocation_id: id,
            capability_id: request.capability_id,
            outcome: Outcome::Error(failure::conflict()),
            surface_version: self.version,
            surface_changed: false,
        });
        self.emit_settled(now, &settlement, &consumer.key(), 0);
        settlement
    }
}

fn required(confirmation: &Confirmation) -> ErrorPayload {
    failure::confirmation_required(
        &confirmation.id,
        &confirmation.summary,
        confirmation.expires_at.to_iso8601(),
        confirmation.effect.as_str(),
    )
}

/// An issue with the input as a whole.
fn issue(message: &str) -> Issue {
    Issue { path: String::new(), message: message.to_owned() }
}
