//! One invocation on its way through the phases.

use std::rc::Rc;

use agent_surface_json::Json;

use crate::component::GroupKey;
use crate::confirmation::Evidence;
use crate::registry::{InvocationView, Overdue};
use crate::{
    Capability, Component, Consumer, InvocationKey, InvokeOptions, Outcome, Question, RegistrationKey,
    Target, Time,
};

/// An invocation that has no answer yet.
pub(crate) struct Invocation {
    pub(crate) key: InvocationKey,
    pub(crate) id: String,
    pub(crate) capability_id: String,
    pub(crate) consumer: Consumer,
    pub(crate) consumer_key: String,
    /// Under which it is known to [`Identities`](crate::identity::Identities).
    pub(crate) name: String,
    pub(crate) options: InvokeOptions,
    pub(crate) confirmation_id: Option<String>,
    pub(crate) started: Time,
    /// The surface's version when it started.
    pub(crate) version: u64,
    pub(crate) stage: Stage,
    pub(crate) target: Option<Resolved>,
    pub(crate) agent_input: Option<Json>,
    /// Why the agent's input could not be read.
    pub(crate) flaw: Option<String>,
    pub(crate) effective_input: Option<Json>,
    pub(crate) texts: Texts,
    pub(crate) evidence: Option<Evidence>,
    /// Whether policies have let it pass that want to see what comes of it.
    pub(crate) guarded: bool,
    pub(crate) slot: Option<Slot>,
    pub(crate) queued: Option<Time>,
    pub(crate) queue_wait: Option<u64>,
    pub(crate) execution: Option<u64>,
}

/// What an invocation is waiting for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stage {
    /// An answer of the host.
    Asking(Question),
    /// Its turn.
    Queued,
    /// Its handler.
    Executing(Execution),
    /// The policies that it passed.
    Unwinding(Outcome),
}

/// A handler that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Execution {
    pub(crate) since: Time,
    pub(crate) timeout: u32,
    pub(crate) deadline: Time,
    /// Whether the component that began this navigation is gone.
    pub(crate) abandoned: bool,
}

/// The place that an invocation takes up, running or waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Group(RegistrationKey, GroupKey),
    Observation,
}

/// What an invocation uses.
pub(crate) struct Resolved {
    pub(crate) registration: RegistrationKey,
    pub(crate) registration_id: String,
    pub(crate) component: Rc<Component>,
    pub(crate) capability: usize,
}

impl Resolved {
    pub(crate) fn capability(&self) -> &Capability {
        &self.component.capabilities[self.capability]
    }
}

/// Inputs as text, printed when somebody wants to read them.
#[derive(Default)]
pub(crate) struct Texts {
    agent: Option<String>,
    effective: Option<String>,
}

impl Invocation {
    pub(crate) fn view(&mut self) -> InvocationView<'_> {
        print_once(&mut self.texts.agent, self.agent_input.as_ref());
        print_once(&mut self.texts.effective, self.effective_input.as_ref());
        InvocationView {
            id: &self.id,
            consumer: &self.consumer,
            target: self.target.as_ref().map(|target| Target {
                registration: target.registration,
                capability: u32::try_from(target.capability).unwrap_or(u32::MAX),
            }),
            agent_input: self.texts.agent.as_deref(),
            effective_input: self.texts.effective.as_deref(),
            evidence: self.evidence.as_ref(),
        }
    }

    /// The effective input as text.
    pub(crate) fn effective_text(&mut self) -> Option<&str> {
        print_once(&mut self.texts.effective, self.effective_input.as_ref());
        self.texts.effective.as_deref()
    }

    pub(crate) fn is_of(&self, registration: RegistrationKey) -> bool {
        self.target.as_ref().is_some_and(|target| target.registration == registration)
    }

    /// What is kept of it while its handler goes on.
    pub(crate) fn overdue(&self) -> Overdue {
        Overdue {
            invocation_id: self.id.clone(),
            capability_id: self.capability_id.clone(),
            registration_id: self.target.as_ref().map(|it| it.registration_id.clone()).unwrap_or_default(),
        }
    }
}

fn print_once(text: &mut Option<String>, value: Option<&Json>) {
    if let (None, Some(value)) = (&*text, value) {
        *text = Some(value.to_canonical());
    }
}
