//! The registry: everything that is true of one surface, and the getters for it.

use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

use agent_surface_schema::Patterns;

use crate::admission::{Groups, Observations};
use crate::confirmation::{Confirmation, Confirmations, Evidence};
use crate::identity::Identities;
use crate::invocation::{Invocation, Stage};
use crate::sorted::SortedMap;
use crate::tokens::Tokens;
use crate::tombstone::Tombstones;
use crate::{
    Authority, Consumer, InvocationKey, Limits, Output, Policy, Question, Registration, RegistrationKey,
    Target, Time,
};

/// What happens when a component comes where another one stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDuplicate {
    /// The first one stays.
    #[default]
    Reject,
    /// The first one goes.
    Replace,
}

/// What happens when a capability of the view has the name of a procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnSameName {
    /// Nothing.
    Ignore,
    /// Listeners and audit are told.
    #[default]
    Warn,
    /// It is not admitted.
    Refuse,
}

/// How a registry is to be.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Its bounds.
    pub limits: Limits,
    /// The policies of every capability.
    pub policies: Vec<Policy>,
    /// What happens when a component comes where another one stands.
    pub on_duplicate: OnDuplicate,
    /// What happens when a capability of the view has the name of a procedure.
    pub on_same_name: OnSameName,
}

/// The registry is closed. Who still calls it has a mistake in its own life cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disposed;

impl fmt::Display for Disposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("The registry was disposed. Create another one, and use that.")
    }
}

impl std::error::Error for Disposed {}

/// The kernel of one surface. The crate's documentation tells how it is driven.
pub struct Registry {
    pub(crate) authority: Rc<Authority>,
    pub(crate) config: Config,
    pub(crate) patterns: Box<dyn Patterns>,
    pub(crate) surface_id: String,
    pub(crate) version: u64,
    pub(crate) tokens: Tokens,

    pub(crate) registrations: SortedMap<RegistrationKey, Box<Registration>>,
    pub(crate) last_registration: u32,
    /// The live registrations by type and instance.
    pub(crate) by_place: SortedMap<String, SortedMap<String, RegistrationKey>>,
    pub(crate) by_id: SortedMap<String, RegistrationKey>,
    /// The live registrations that refer to a procedure, by its path.
    pub(crate) by_path: SortedMap<String, Vec<RegistrationKey>>,
    /// The live registrations in the order of a snapshot.
    pub(crate) order: Vec<RegistrationKey>,
    pub(crate) tombstones: Tombstones,
    /// The paths of the procedures that can be executed, in order, once somebody can.
    pub(crate) procedures: Option<Vec<String>>,

    pub(crate) invocations: SortedMap<InvocationKey, Box<Invocation>>,
    pub(crate) last_invocation: u32,
    /// The invocations that ended before their handlers did.
    pub(crate) overdue: SortedMap<InvocationKey, Overdue>,
    pub(crate) identities: Identities,
    pub(crate) groups: Groups,
    pub(crate) observations: Observations,
    pub(crate) confirmations: Confirmations,
    pub(crate) deadlines: SortedMap<(Time, Due), ()>,

    pub(crate) outputs: VecDeque<Output>,
    pub(crate) tells_events: bool,
    pub(crate) tells_records: bool,
    pub(crate) awaits_turn: bool,
    pub(crate) disposed: bool,
}

/// What is kept of an invocation whose handler may still return.
pub(crate) struct Overdue {
    pub(crate) invocation_id: String,
    pub(crate) capability_id: String,
    pub(crate) registration_id: String,
}

/// What is due at a deadline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Due {
    Execution(InvocationKey),
    Confirmation(String),
}

/// How much a registry holds: what its limits bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Live registrations.
    pub registrations: usize,
    /// Registrations that ended lately.
    pub tombstones: usize,
    /// Invocations that have no answer yet.
    pub in_flight: usize,
    /// Invocations that ended before their handlers did.
    pub overdue: usize,
    /// Answers that are kept for repetitions.
    pub answered: usize,
    /// Groups in which somebody runs or waits.
    pub groups: usize,
    /// Who waits in the longest queue of a group.
    pub longest_queue: usize,
    /// Observations that run.
    pub running_observations: usize,
    /// Observations that wait.
    pub waiting_observations: usize,
    /// Confirmations that are not decided.
    pub pending_confirmations: usize,
    /// Confirmations in all.
    pub confirmations: usize,
    /// Deadlines that were not reached.
    pub deadlines: usize,
}

/// An invocation, as the host needs it to answer a question.
#[derive(Clone, Copy, Debug)]
pub struct InvocationView<'a> {
    /// Its id.
    pub id: &'a str,
    /// Who asks.
    pub consumer: &'a Consumer,
    /// What is used, once that is known.
    pub target: Option<Target>,
    /// What the agent supplied, as JSON text.
    pub agent_input: Option<&'a str>,
    /// What it is called with, as JSON text, once that is known.
    pub effective_input: Option<&'a str>,
    /// The user's approval, where there is one.
    pub evidence: Option<&'a Evidence>,
}

/// A question, with what the host needs to answer it.
#[derive(Clone, Copy, Debug)]
pub struct Inquiry<'a> {
    /// What is used.
    pub target: Target,
    /// What the host is shown, as JSON text: the agent's input to be parsed, the effective input for whoever decides or
    /// acts by it, and nothing where no input is to be looked at.
    pub input: Option<&'a str>,
    /// The user's approval, for the handler.
    pub evidence: Option<&'a Evidence>,
}

impl Registry {
    /// Opens a registry. `entropy` is 32 bytes that nobody can guess: all ids come from it.
    #[must_use]
    pub fn new(
        authority: Rc<Authority>,
        config: Config,
        patterns: Box<dyn Patterns>,
        entropy: [u8; 32],
    ) -> Self {
        let mut tokens = Tokens::new(entropy);
        Self {
            surface_id: ["srf_", &tokens.text(22)].concat(),
            authority,
            config,
            patterns,
            version: 0,
            tokens,
            registrations: SortedMap::default(),
            last_registration: 0,
            by_place: SortedMap::default(),
            by_id: SortedMap::default(),
            by_path: SortedMap::default(),
            order: Vec::new(),
            tombstones: Tombstones::default(),
            procedures: None,
            invocations: SortedMap::default(),
            last_invocation: 0,
            overdue: SortedMap::default(),
            identities: Identities::default(),
            groups: Groups::default(),
            observations: Observations::default(),
            confirmations: Confirmations::default(),
            deadlines: SortedMap::default(),
            outputs: VecDeque::new(),
            tells_events: true,
            tells_records: true,
            awaits_turn: false,
            disposed: false,
        }
    }

    /// Its id: no two page loads share one.
    #[must_use]
    pub fn surface_id(&self) -> &str {
        &self.surface_id
    }

    /// How often the surface changed. Agents compare it, as text, for equality only.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// What it lets in.
    #[must_use]
    pub fn authority(&self) -> &Rc<Authority> {
        &self.authority
    }

    /// Its bounds.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.config.limits
    }

    /// Whether it is closed.
    #[must_use]
    pub const fn is_disposed(&self) -> bool {
        self.disposed
    }

    /// A live registration.
    #[must_use]
    pub fn registration(&self, key: RegistrationKey) -> Option<&Registration> {
        self.registrations.get(&key).map(|registration| &**registration)
    }

    /// An invocation that has no answer yet.
    #[must_use]
    pub fn invocation(&mut self, key: InvocationKey) -> Option<InvocationView<'_>> {
        self.invocations.get_mut(&key).map(|invocation| invocation.view())
    }

    /// The id of an invocation, answered or not, until other calls have been made.
    #[must_use]
    pub fn invocation_id(&self, key: InvocationKey) -> Option<&str> {
        let settled = || {
            self.outputs.iter().find_map(|output| match output {
                Output::Settle { invocation, settlement } if *invocation == key => {
                    Some(&*settlement.invocation_id)
                }
                _ => None,
            })
        };
        self.invocations.get(&key).map(|invocation| &*invocation.id).or_else(settled)
    }

    /// What the host needs to answer a question, while somebody waits for the answer.
    #[must_use]
    pub fn inquiry(&mut self, key: InvocationKey, question: Question) -> Option<Inquiry<'_>> {
        let view = self.invocation(key)?;
        let input = match question {
            Question::Availability | Question::Discovery | Question::Authorization | Question::Binding => {
                None
            }
            Question::Parsing => view.agent_input,
            Question::InvokePolicies
            | Question::Escalation
            | Question::Precondition
            | Question::Execution => view.effective_input,
        };
        let evidence = view.evidence.filter(|_| question == Question::Execution);
        Some(Inquiry { target: view.target?, input, evidence })
    }

    /// The confirmations that the user has not decided, oldest first.
    pub fn pending_confirmations(&self) -> impl Iterator<Item = &Confirmation> {
        self.confirmations.pending()
    }

    /// A confirmation that is pending, or was decided lately.
    #[must_use]
    pub fn confirmation(&self, id: &str) -> Option<&Confirmation> {
        self.confirmations.get(id)
    }

    /// When [`Registry::handle_timeout`] is to be called next.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        self.deadlines.first().map(|(at, _)| *at)
    }

    /// How much it holds.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage {
            registrations: self.registrations.len(),
            tombstones: self.tombstones.len(),
            in_flight: self.invocations.len(),
            overdue: self.overdue.len(),
            answered: self.identities.answered(),
            groups: self.groups.len(),
            longest_queue: self.groups.longest_queue(),
            running_observations: self.observations.running(),
            waiting_observations: self.observations.waiting(),
            pending_confirmations: self.confirmations.pending().count(),
            confirmations: self.confirmations.len(),
            deadlines: self.deadlines.len(),
        }
    }

    /// The next thing that the host has to do. To be called after every other call, until there is none.
    ///
    /// A question that has lost its point since it was put, because the invocation has ended meanwhile, is not asked: no
    /// handler is called for an invocation that has its answer.
    pub fn poll_output(&mut self) -> Option<Output> {
        loop {
            match self.outputs.pop_front()? {
                Output::Ask { invocation, question } if !self.still_asks(invocation, question) => {}
                output => return Some(output),
            }
        }
    }

    /// Whether somebody waits for the answer to a question that the host was given, but has done nothing about yet: a
    /// host that takes several outputs at a time asks this before it calls anything.
    pub fn still_asks(&mut self, key: InvocationKey, question: Question) -> bool {
        let waits = self.invocations.get(&key).is_some_and(|invocation| match &invocation.stage {
            Stage::Asking(asked) => *asked == question,
            Stage::Executing(_) => question == Question::Execution,
            Stage::Queued | Stage::Unwinding(_) => false,
        });
        if !waits && question == Question::Execution {
            // Its handler will not be called, so that nothing will come of it late.
            self.overdue.remove(&key);
        }
        waits
    }

    /// Says whether anybody listens to events, and whether there is an audit sink. Both is taken for true; where it is
    /// not, no [`Output::Emit`] or [`Output::Record`] is made.
    pub fn listen(&mut self, events: bool, records: bool) {
        self.tells_events = events;
        self.tells_records = records;
    }

    pub(crate) fn push(&mut self, output: Output) {
        let is_told = match output {
            Output::Emit(_) => self.tells_events,
            Output::Record(_) => self.tells_records,
            _ => true,
        };
        if is_told {
            self.outputs.push_back(output);
        }
    }

    pub(crate) fn push_all(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            self.push(output);
        }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("surface_id", &self.surface_id)
            .field("usage", &self.usage())
            .finish()
    }
}
