//! What comes out of the kernel: questions for the host, answers for agents, events, audit records.

use std::rc::Rc;

use crate::audit::AuditRecord;
use crate::event::Event;
use crate::{InvocationKey, Outcome, Settlement};

/// One thing that the host has to do, in the order in which it has to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Find out what only the host can, and answer with the `handle_*` method of the question.
    Ask {
        /// For which invocation.
        invocation: InvocationKey,
        /// What.
        question: Question,
    },
    /// Signal the handler that nobody waits for it any more.
    Abort {
        /// The invocation it runs for.
        invocation: InvocationKey,
    },
    /// Let the policies that let the invocation pass see what came of it, the innermost first. The answer goes to
    /// [`Registry::handle_unwound`](crate::Registry::handle_unwound).
    Unwind {
        /// The invocation.
        invocation: InvocationKey,
        /// What came of it.
        outcome: Outcome,
    },
    /// Answer the agent, and everyone who joined.
    Settle {
        /// The invocation.
        invocation: InvocationKey,
        /// The answer.
        settlement: Rc<Settlement>,
    },
    /// Call [`Registry::handle_turn`](crate::Registry::handle_turn) when the current turn of the event loop ends.
    AwaitTurn,
    /// Tell the listeners.
    Emit(Event),
    /// Give the audit sink a record, and redact what is its payload.
    Record(AuditRecord),
    /// Tell the author, in development.
    Warn(Warning),
}

/// What the kernel needs to know of an invocation, in the order in which it asks. [`Registry::invocation`](crate::Registry::invocation) has the target, the input and the confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Does `when` hold? [`handle_availability`](crate::Registry::handle_availability)
    Availability,
    /// What do the policies vote that do nothing but vote? [`handle_votes`](crate::Registry::handle_votes)
    Discovery,
    /// Do the policies let it pass? No input is to be looked at. [`handle_authorized`](crate::Registry::handle_authorized)
    Authorization,
    /// What does the validator make of the input? [`handle_parsed`](crate::Registry::handle_parsed)
    Parsing,
    /// What does the view supply? [`handle_bound`](crate::Registry::handle_bound)
    Binding,
    /// Do the policies let it pass with this input? [`handle_invoke_policies`](crate::Registry::handle_invoke_policies)
    InvokePolicies,
    /// Does a policy ask for the user's confirmation? [`handle_escalation`](crate::Registry::handle_escalation)
    Escalation,
    /// Does the state allow this input? [`handle_precondition`](crate::Registry::handle_precondition)
    Precondition,
    /// What does the handler return? [`handle_executed`](crate::Registry::handle_executed)
    Execution,
}

impl Question {
    /// Every question, in the order in which they are asked.
    pub const ALL: [Self; 9] = [
        Self::Availability,
        Self::Discovery,
        Self::Authorization,
        Self::Parsing,
        Self::Binding,
        Self::InvokePolicies,
        Self::Escalation,
        Self::Precondition,
        Self::Execution,
    ];
}

/// Something that an author should know of. The kernel went on without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Warning {
    /// An update or invalidation came after the registration's end.
    UpdateAfterEnd {
        /// The component's type.
        component_type: String,
    },
    /// An update spoke of a capability that the component does not have.
    UnknownCapability {
        /// The component's type.
        component_type: String,
        /// What it was called.
        name: String,
    },
    /// A component came when another one stood there.
    Duplicate {
        /// The component's type.
        component_type: String,
        /// The instance.
        instance_id: String,
    },
    /// What the view supplied, together with what the agent did, does not satisfy the schema.
    BoundInputInvalid {
        /// The procedure.
        capability_id: String,
    },
    /// What a handler returned does not satisfy the schema, or is no JSON.
    OutputInvalid {
        /// The capability.
        capability_id: String,
    },
}
