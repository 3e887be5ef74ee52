//! What listeners are told.

use agent_surface_json::ObjectWriter;
use agent_surface_words::words;

use crate::confirmation::Resolution;
use crate::text::decimal;
use crate::{Code, Time};

words! {
    /// Why a component was not registered.
    pub enum Rejection {
        /// Another one stands there.
        Duplicate = "duplicate",
        /// The app's guard said no.
        Guard = "guard",
    }
}

/// One event. They come in the order of what they tell of, and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The surface is another one; told once per turn, however often it changed.
    SurfaceChanged {
        /// The version by now.
        surface_version: u64,
    },
    /// A component was registered.
    ComponentRegistered {
        /// The registration.
        registration_id: String,
        /// The component's type.
        component_type: String,
        /// The instance.
        instance_id: String,
    },
    /// A component is gone.
    ComponentUnregistered {
        /// The registration.
        registration_id: String,
        /// The component's type.
        component_type: String,
        /// The instance.
        instance_id: String,
    },
    /// A component was not registered.
    ComponentRejected {
        /// The component's type.
        component_type: String,
        /// The instance.
        instance_id: String,
        /// Why not.
        reason: Rejection,
    },
    /// A component said that a capability became usable, or ceased to be.
    AvailabilityChanged {
        /// The registration.
        registration_id: String,
        /// The capability.
        capability_id: String,
        /// Whether it is usable, as far as this goes.
        available: bool,
    },
    /// A capability of the view has the name of a procedure.
    CollisionSuspected {
        /// The view's.
        view_capability_id: String,
        /// The server's.
        domain_procedure_id: String,
    },
    /// An invocation began.
    InvocationStarted {
        /// The invocation.
        invocation_id: String,
        /// What was asked for.
        capability_id: String,
        /// Who asked.
        consumer_id: String,
    },
    /// An invocation ended.
    InvocationSettled {
        /// The invocation.
        invocation_id: String,
        /// What was asked for.
        capability_id: String,
        /// Why it failed, if it did.
        code: Option<Code>,
        /// How long it took, in milliseconds.
        duration: u64,
    },
    /// The user is asked.
    ConfirmationRequested {
        /// The confirmation.
        confirmation_id: String,
        /// What is to be approved.
        capability_id: String,
        /// Until when.
        expires_at: Time,
    },
    /// The user decided, or did not in time.
    ConfirmationResolved {
        /// The confirmation.
        confirmation_id: String,
        /// How.
        outcome: Resolution,
    },
}

impl Event {
    /// Appends the JSON form to `out`.
    pub fn push_json(&self, out: &mut String) {
        let mut object = ObjectWriter::begin(out);
        let mut put = |members: &[(&str, &str)]| {
            for (name, value) in members {
                object.text(name, value);
            }
        };
        match self {
            Self::SurfaceChanged { surface_version } => {
                put(&[("type", "surface-changed"), ("surfaceVersion", &decimal(*surface_version))]);
            }
            Self::ComponentRegistered { registration_id, component_type, instance_id } => put(&[
                ("type", "component-registered"),
                ("registrationId", registration_id),
                ("componentType", component_type),
                ("instanceId", instance_id),
            ]),
            Self::ComponentUnregistered { registration_id, component_type, instance_id } => put(&[
                ("type", "component-unregistered"),
                ("registrationId", registration_id),
                ("componentType", component_type),
                ("instanceId", instance_id),
            ]),
            Self::ComponentRejected { component_type, instance_id, reason } => put(&[
                ("type", "component-rejected"),
                ("componentType", component_type),
                ("instanceId", instance_id),
                ("reason", reason.as_str()),
            ]),
            Self::AvailabilityChanged { registration_id, capability_id, available } => {
                put(&[
                    ("type", "availability-changed"),
                    ("registrationId", registration_id),
                    ("capabilityId", capability_id),
                ]);
                object.flag("available", *available);
            }
            Self::CollisionSuspected { view_capability_id, domain_procedure_id } => put(&[
                ("type", "collision-suspected"),
                ("viewCapabilityId", view_capability_id),
                ("domainProcedureId", domain_procedure_id),
            ]),
            Self::InvocationStarted { invocation_id, capability_id, consumer_id } => put(&[
                ("type", "invocation-started"),
                ("invocationId", invocation_id),
                ("capabilityId", capability_id),
                ("consumerId", consumer_id),
            ]),
            Self::InvocationSettled { invocation_id, capability_id, code, duration } => {
                put(&[
                    ("type", "invocation-settled"),
                    ("invocationId", invocation_id),
                    ("capabilityId", capability_id),
                    ("status", status(*code)),
                ]);
                object.optional("code", code.map(Code::as_str));
                object.integer("durationMs", *duration);
            }
            Self::ConfirmationRequested { confirmation_id, capability_id, expires_at } => put(&[
                ("type", "confirmation-requested"),
                ("confirmationId", confirmation_id),
                ("capabilityId", capability_id),
                ("expiresAt", &expires_at.to_iso8601()),
            ]),
            Self::ConfirmationResolved { confirmation_id, outcome } => put(&[
                ("type", "confirmation-resolved"),
                ("confirmationId", confirmation_id),
                ("outcome", outcome.as_str()),
            ]),
        }
        object.end();
    }
}

pub(crate) fn status(code: Option<Code>) -> &'static str {
    if code.is_none() { "ok" } else { "error" }
}
