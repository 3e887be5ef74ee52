//! What the audit sink is given.

use agent_surface_json::ObjectWriter;
use agent_surface_words::words;

use crate::event::status;
use crate::{Code, Time};

words! {
    /// What an audit record tells of.
    pub enum AuditKind {
        /// A component was registered.
        Registration = "registration",
        /// A component is gone.
        Unregistration = "unregistration",
        /// A component was not registered.
        RegistrationRejected = "registration-rejected",
        /// An invocation began.
        InvocationStarted = "invocation-started",
        /// An invocation ended.
        InvocationSettled = "invocation-settled",
        /// The user is asked.
        ConfirmationRequested = "confirmation-requested",
        /// The user approved.
        ConfirmationApproved = "confirmation-approved",
        /// The user said no.
        ConfirmationDenied = "confirmation-denied",
        /// The user did not decide in time.
        ConfirmationExpired = "confirmation-expired",
        /// An approval was used.
        ConfirmationConsumed = "confirmation-consumed",
        /// A handler returned after its invocation had ended.
        LateSettlement = "late-settlement",
        /// A capability of the view has the name of a procedure.
        CollisionSuspected = "collision-suspected",
    }
}

/// One record. What does not apply is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRecord {
    /// When.
    pub at: Time,
    /// What.
    pub kind: AuditKind,
    /// Of which capability.
    pub capability_id: Option<String>,
    /// Of which registration.
    pub registration_id: Option<String>,
    /// Of which invocation.
    pub invocation_id: Option<String>,
    /// Whose: the key of the consumer.
    pub consumer_id: Option<String>,
    /// How it ended.
    pub end: Option<End>,
    /// What went in and came out, of a capability whose audit level is `full`. The host redacts it before it stores it.
    pub payload: Option<Payload>,
}

/// How an invocation ended, and where its time went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Why it failed, if it did.
    pub code: Option<Code>,
    /// How long it took, in milliseconds.
    pub duration: u64,
    /// How much of that it waited for others.
    pub queue_wait: Option<u64>,
    /// How much of that the handler took.
    pub execution: Option<u64>,
}

/// What went in and came out, as JSON text. What is larger than an output may be is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    /// The effective input.
    pub input: Option<String>,
    /// The output.
    pub output: Option<String>,
}

impl AuditRecord {
    /// A record that says no more than what happened.
    pub(crate) fn new(at: Time, kind: AuditKind) -> Self {
        Self {
            at,
            kind,
            capability_id: None,
            registration_id: None,
            invocation_id: None,
            consumer_id: None,
            end: None,
            payload: None,
        }
    }

    /// Appends the JSON form to `out`, but for the payload: that has to be redacted first.
    pub fn push_json(&self, out: &mut String) {
        let mut object = ObjectWriter::begin(out);
        object.text("at", &self.at.to_iso8601());
        object.text("type", self.kind.as_str());
        for (name, value) in [
            ("capabilityId", &self.capability_id),
            ("registrationId", &self.registration_id),
            ("invocationId", &self.invocation_id),
            ("consumerId", &self.consumer_id),
        ] {
            object.optional(name, value.as_deref());
        }
        if let Some(end) = self.end {
            object.text("status", status(end.code));
            object.optional("code", end.code.map(Code::as_str));
            for (name, span) in [
                ("durationMs", Some(end.duration)),
                ("queueWaitMs", end.queue_wait),
                ("executionMs", end.execution),
            ] {
                if let Some(span) = span {
                    object.integer(name, span);
                }
            }
        }
        object.end();
    }
}

impl Payload {
    /// Appends the JSON form to `out`.
    pub fn push_json(&self, out: &mut String) {
        let mut object = ObjectWriter::begin(out);
        for (name, text) in [("input", &self.input), ("output", &self.output)] {
            if let Some(text) = text {
                object.raw(name, text);
            }
        }
        object.end();
    }
}
