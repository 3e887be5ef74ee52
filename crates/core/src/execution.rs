//! Phases 8 to 10: admission, execution, settlement.

use std::rc::Rc;

use agent_surface_json::parse;
use agent_surface_manifest::{Audit, Effect, Kind};
use agent_surface_schema::validate;

use crate::admission::Place;
use crate::audit::{AuditKind, AuditRecord, End, Payload};
use crate::confirmation::Resolution;
use crate::definition::Check;
use crate::event::Event;
use crate::failure::{self, Failed};
use crate::invocation::{Execution, Invocation, Slot, Stage};
use crate::output::Warning;
use crate::pipeline::Passage;
use crate::registry::Due;
use crate::{
    ErrorPayload, InvocationKey, Outcome, Output, Question, RegistrationKey, Registry, Settlement, Time,
};

/// How many invocations are remembered that ended before their handlers did. A handler that never returns is not
/// remembered for ever.
pub(crate) const MAX_OVERDUE: usize = 1024;

/// How a handler ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Executed {
    /// It returned this JSON text, or nothing. What the host's own validator checks was checked by it.
    Returned(Option<String>),
    /// It returned what is no JSON, or what the host's validator refuses.
    Invalid,
    /// It refused with an error of its own.
    Refused(ErrorPayload),
    /// It failed.
    Threw {
        /// Whether it may go well the next time, as far as a procedure's transport knows.
        transient: bool,
    },
}

impl Registry {
    /// Answers [`Question::Execution`].
    pub fn handle_executed(&mut self, now: Time, key: InvocationKey, executed: Executed) {
        if let Some(overdue) = self.overdue.remove(&key) {
            return self.record(AuditRecord {
                capability_id: Some(overdue.capability_id),
                registration_id: Some(overdue.registration_id),
                invocation_id: Some(overdue.invocation_id),
                ..AuditRecord::new(now, AuditKind::LateSettlement)
            });
        }
        let Some(execution) = self.execution(key) else { return };
        let Some(mut invocation) = self.invocations.remove(&key) else { return };
        self.end_execution(now, &mut invocation, execution);
        let outcome = match executed {
            Executed::Returned(output) => self.check_outcome(&invocation, Outcome::Ok(output)),
            Executed::Invalid => Outcome::Error(self.refuse_output(&invocation)),
            Executed::Refused(payload) => Outcome::Error(payload),
            Executed::Threw { .. } if execution.abandoned => Outcome::Error(failure::abandoned()),
            Executed::Threw { transient } => {
                let remote =
                    invocation.target.as_ref().is_some_and(|it| it.capability().kind == Kind::Procedure);
                let failed = if remote { Failed::Transport { transient } } else { Failed::Handler };
                Outcome::Error(failure::execution_failed(failed))
            }
        };
        self.conclude(now, invocation, outcome);
    }

    /// Answers [`Output::Unwind`]: what the policies made of the outcome.
    pub fn handle_unwound(&mut self, now: Time, key: InvocationKey, passage: Passage) {
        let unwinds = self.invocations.get(&key).is_some_and(|it| matches!(it.stage, Stage::Unwinding(_)));
        if !unwinds {
            return;
        }
        let Some(invocation) = self.invocations.remove(&key) else { return };
        let outcome = match (passage, &invocation.stage) {
            (Passage::Refused(payload), _) => Outcome::Error(payload),
            (Passage::Returned(outcome), _) => self.check_outcome(&invocation, outcome),
            (Passage::Passed, Stage::Unwinding(outcome)) => outcome.clone(),
            (Passage::Passed | Passage::Threw, _) => {
                Outcome::Error(failure::execution_failed(Failed::Handler))
            }
        };
        self.settle(now, invocation, outcome);
    }

    /// Gives an invocation up for the host. What has come of it already stays.
    pub fn cancel(&mut self, now: Time, key: InvocationKey) {
        let unwinds = |it: &Invocation| matches!(it.stage, Stage::Unwinding(_));
        if self.invocations.get(&key).is_some_and(|invocation| !unwinds(invocation)) {
            self.interrupt(now, key, failure::cancelled());
        }
    }

    /// Ends everything whose deadline is reached. A host whose clock stands still while its timers run passes the
    /// deadline itself.
    pub fn handle_timeout(&mut self, now: Time) {
        while let Some((at, _)) = self.deadlines.first()
            && *at <= now
            && let Some((_, due)) = self.deadlines.remove_first()
        {
            match due {
                Due::Confirmation(id) => self.decide(now, &id, Resolution::Expired),
                Due::Execution(key) => {
                    let Some(execution) = self.execution(key) else { continue };
                    let idempotent = self
                        .invocations
                        .get(&key)
                        .and_then(|it| it.target.as_ref())
                        .is_some_and(|target| target.capability().idempotent);
                    self.interrupt(now, key, failure::timeout(execution.timeout, idempotent));
                }
            }
        }
    }

    /// Phase 8.
    pub(crate) fn admit_invocation(&mut self, now: Time, mut invocation: Box<Invocation>) {
        if invocation.options.cancelled {
            return self.fail(now, invocation, failure::cancelled());
        }
        let Some(target) = &invocation.target else {
            return self.fail(now, invocation, failure::not_found());
        };
        if !self.registrations.contains_key(&target.registration) {
            return self.fail(now, invocation, failure::unmounted_meanwhile());
        }
        let (registration, capability) = (target.registration, target.capability());
        let (place, slot) = if capability.kind == Kind::Observation {
            let limits = &self.config.limits;
            (self.observations.enter(limits, &invocation.consumer_key, invocation.key), Slot::Observation)
        } else {
            let group = capability.group(target.capability, &self.config.limits);
            let place = self.groups.enter(registration, &group, invocation.key);
            (place, Slot::Group(registration, group.key))
        };
        invocation.queued = Some(now);
        match place {
            Place::Full => {
                invocation.queue_wait = Some(0);
                self.fail(now, invocation, failure::queue_full());
            }
            Place::Runs => {
                invocation.slot = Some(slot);
                self.start(now, invocation);
            }
            Place::Waits => {
                invocation.slot = Some(slot);
                invocation.stage = Stage::Queued;
                self.invocations.insert(invocation.key, invocation);
            }
        }
    }

    /// Phase 9.
    fn start(&mut self, now: Time, mut invocation: Box<Invocation>) {
        let key = invocation.key;
        let own = invocation.target.as_ref().map_or(0, |target| target.capability().timeout);
        let timeout = invocation.options.timeout.unwrap_or(own);
        let deadline = now.after(timeout);
        invocation.queue_wait = invocation.queued.map(|queued| now.millis_since(queued));
        invocation.stage = Stage::Executing(Execution { since: now, timeout, deadline, abandoned: false });
        self.deadlines.insert((deadline, Due::Execution(key)), ());
        self.invocations.insert(key, invocation);
        self.push(Output::Ask { invocation: key, question: Question::Execution });
    }

    /// Ends an invocation whatever it is waiting for, and signals its handler.
    fn interrupt(&mut self, now: Time, key: InvocationKey, payload: ErrorPayload) {
        let Some(mut invocation) = self.invocations.remove(&key) else { return };
        match &invocation.stage {
            Stage::Executing(execution) => {
                let execution = *execution;
                self.end_execution(now, &mut invocation, execution);
                self.push(Output::Abort { invocation: key });
                self.overdue.insert(key, invocation.overdue());
                if self.overdue.len() > MAX_OVERDUE {
                    self.overdue.remove_first();
                }
            }
            Stage::Queued => {
                self.leave_queue(&mut invocation);
                invocation.queue_wait = invocation.queued.map(|queued| now.millis_since(queued));
            }
            Stage::Asking(_) | Stage::Unwinding(_) => {}
        }
        self.fail(now, invocation, payload);
    }

    fn execution(&self, key: InvocationKey) -> Option<Execution> {
        match self.invocations.get(&key)?.stage {
            Stage::Executing(execution) => Some(execution),
            _ => None,
        }
    }

    fn end_execution(&mut self, now: Time, invocation: &mut Invocation, execution: Execution) {
        self.deadlines.remove(&(execution.deadline, Due::Execution(invocation.key)));
        invocation.execution = Some(now.millis_since(execution.since));
    }

    fn leave_queue(&mut self, invocation: &mut Invocation) {
        match invocation.slot.take() {
            Some(Slot::Observation) => self.observations.give_up(&invocation.consumer_key, invocation.key),
            Some(Slot::Group(registration, key)) => self.groups.give_up(registration, &key, invocation.key),
            None => {}
        }
    }

    /// Holds an output against size and schema.
    pub(crate) fn check_outcome(&mut self, invocation: &Invocation, outcome: Outcome) -> Outcome {
        let Outcome::Ok(Some(output)) = outcome else { return outcome };
        if output.len() > self.config.limits.max_output_bytes as usize {
            return Outcome::Error(failure::execution_failed(Failed::OutputTooLarge));
        }
        let capability = invocation.target.as_ref().map(|target| target.capability());
        let schema =
            capability.filter(|it| it.output_check == Check::Schema).and_then(|it| it.output_schema.as_ref());
        let valid = parse(&output).is_ok_and(|value| {
            schema.is_none_or(|schema| validate(schema, &value, &*self.patterns).is_empty())
        });
        if valid { Outcome::Ok(Some(output)) } else { Outcome::Error(self.refuse_output(invocation)) }
    }

    fn refuse_output(&mut self, invocation: &Invocation) -> ErrorPayload {
        let capability_id = invocation.capability_id.clone();
        self.push(Output::Warn(Warning::OutputInvalid { capability_id }));
        failure::execution_failed(Failed::OutputInvalid)
    }

    /// Ends an invocation: its place is given to the next one, and the policies that it passed see what came of it.
    pub(crate) fn conclude(&mut self, now: Time, mut invocation: Box<Invocation>, outcome: Outcome) {
        let next = match invocation.slot.take() {
            Some(Slot::Observation) => self.observations.leave(&self.config.limits, &invocation.consumer_key),
            Some(Slot::Group(registration, key)) => self.groups.leave(registration, &key),
            None => None,
        };
        if invocation.guarded {
            let key = invocation.key;
            self.push(Output::Unwind { invocation: key, outcome: outcome.clone() });
            invocation.stage = Stage::Unwinding(outcome);
            self.invocations.insert(key, invocation);
        } else {
            self.settle(now, invocation, outcome);
        }
        if let Some(next) = next.and_then(|next| self.invocations.remove(&next)) {
            self.start(now, next);
        }
    }

    /// Phase 10.
    fn settle(&mut self, now: Time, mut invocation: Box<Invocation>, outcome: Outcome) {
        let settlement = Rc::new(Settlement {
            invocation_id: invocation.id.clone(),
            capability_id: invocation.capability_id.clone(),
            outcome,
            surface_version: self.version,
            surface_changed: self.version != invocation.version,
        });
        let code = settlement.error().map(|payload| payload.code);
        if code.is_none_or(|code| code.rule().cacheable) {
            self.identities.answer(now, &self.config.limits, &invocation.name, &settlement);
        } else {
            self.identities.forget(&invocation.name);
        }
        let duration = now.millis_since(invocation.started);
        let audit = invocation.target.as_ref().map_or(Audit::Metadata, |target| target.capability().audit);
        self.emit_end(&settlement, duration);
        if self.tells_records && audit != Audit::None {
            let payload = (audit == Audit::Full).then(|| self.payload_of(&mut invocation, &settlement));
            let end =
                End { code, duration, queue_wait: invocation.queue_wait, execution: invocation.execution };
            let registration_id = invocation.target.as_ref().map(|target| target.registration_id.clone());
            self.record(AuditRecord {
                registration_id,
                payload,
                ..record_of(now, &settlement, &invocation.consumer_key, end)
            });
        }
        self.push(Output::Settle { invocation: invocation.key, settlement });
    }

    /// Tells listeners and audit of an answer to a request that never became an invocation.
    pub(crate) fn emit_settled(
        &mut self,
        now: Time,
        settlement: &Settlement,
        consumer_key: &str,
        duration: u64,
    ) {
        self.emit_end(settlement, duration);
        let code = settlement.error().map(|payload| payload.code);
        let end = End { code, duration, queue_wait: None, execution: None };
        self.record(record_of(now, settlement, consumer_key, end));
    }

    fn emit_end(&mut self, settlement: &Settlement, duration: u64) {
        if !self.tells_events {
            return;
        }
        self.push(Output::Emit(Event::InvocationSettled {
            invocation_id: settlement.invocation_id.clone(),
            capability_id: settlement.capability_id.clone(),
            code: settlement.error().map(|payload| payload.code),
            duration,
        }));
    }

    fn payload_of(&self, invocation: &mut Invocation, settlement: &Settlement) -> Payload {
        let max = self.config.limits.max_output_bytes as usize;
        let fits = |text: &&str| text.len() <= max;
        let input = invocation.effective_text().filter(fits).map(str::to_owned);
        let output = match &settlement.outcome {
            Outcome::Ok(Some(output)) => Some(output.as_str()).filter(fits).map(str::to_owned),
            _ => None,
        };
        Payload { input, output }
    }

    /// Ends what runs and waits for a registration that is gone. A navigation goes on: that its component goes away is
    /// what it is for. What still asks is ended where it would go on.
    pub(crate) fn unmount_invocations(&mut self, now: Time, registration: RegistrationKey) {
        let keys: Vec<InvocationKey> =
            self.invocations.iter().filter(|(_, it)| it.is_of(registration)).map(|(key, _)| *key).collect();
        // Nobody is to move up in the queues of a component that is gone.
        for key in &keys {
            if let Some(mut invocation) = self.invocations.remove(key) {
                if invocation.stage == Stage::Queued {
                    self.leave_queue(&mut invocation);
                }
                self.invocations.insert(*key, invocation);
            }
        }
        for key in keys {
            let Some(invocation) = self.invocations.get_mut(&key) else { continue };
            let navigates =
                invocation.target.as_ref().is_some_and(|it| it.capability().effect == Effect::Navigation);
            match &mut invocation.stage {
                Stage::Executing(execution) if navigates => {
                    execution.abandoned = true;
                    self.push(Output::Abort { invocation: key });
                }
                Stage::Executing(_) | Stage::Queued => {
                    self.interrupt(now, key, failure::unmounted_meanwhile());
                }
                Stage::Asking(_) | Stage::Unwinding(_) => {}
            }
        }
    }

    /// Answers everything at once. What has come of an invocation already stays.
    pub(crate) fn dispose_invocations(&mut self, now: Time) {
        self.groups.clear();
        self.observations.clear();
        for key in self.invocations.iter().map(|(key, _)| *key).collect::<Vec<_>>() {
            let Some(mut invocation) = self.invocations.remove(&key) else { continue };
            invocation.slot = None;
            if let Stage::Unwinding(outcome) = &invocation.stage {
                let outcome = outcome.clone();
                self.settle(now, invocation, outcome);
                continue;
            }
            // Whoever disposes of the registry does not wait for policies.
            invocation.guarded = false;
            self.invocations.insert(key, invocation);
            self.interrupt(now, key, failure::disposed());
        }
    }
}

fn record_of(now: Time, settlement: &Settlement, consumer_key: &str, end: End) -> AuditRecord {
    AuditRecord {
        capability_id: Some(settlement.capability_id.clone()),
        invocation_id: Some(settlement.invocation_id.clone()),
        consumer_id: Some(consumer_key.to_owned()),
        end: Some(end),
        ..AuditRecord::new(now, AuditKind::InvocationSettled)
    }
}
