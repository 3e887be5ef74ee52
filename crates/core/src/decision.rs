//! What becomes of confirmations: the user decides, or does not.

use agent_surface_manifest::Audit;

use crate::audit::{AuditKind, AuditRecord, Payload};
use crate::confirmation::{Confirmation, Resolution};
use crate::event::Event;
use crate::registry::Due;
use crate::{Output, Registry, Time};

impl Registry {
    /// Takes the user's decision on a pending confirmation. One that is not pending stays as it is.
    pub fn resolve_confirmation(&mut self, now: Time, id: &str, approved: bool) {
        self.decide(now, id, if approved { Resolution::Approved } else { Resolution::Denied });
    }

    /// Ends a pending confirmation as if its time were over.
    pub fn expire_confirmation(&mut self, now: Time, id: &str) {
        self.decide(now, id, Resolution::Expired);
    }

    pub(crate) fn decide(&mut self, now: Time, id: &str, resolution: Resolution) {
        let Some(expires_at) = self.confirmations.get(id).map(|confirmation| confirmation.expires_at) else {
            return;
        };
        let Some(confirmation) = self.confirmations.decide(now, id, resolution) else { return };
        let kind = match resolution {
            Resolution::Approved => AuditKind::ConfirmationApproved,
            Resolution::Denied => AuditKind::ConfirmationDenied,
            Resolution::Expired => AuditKind::ConfirmationExpired,
        };
        let record = record_of(now, kind, confirmation);
        self.deadlines.remove(&(expires_at, Due::Confirmation(id.to_owned())));
        self.push(Output::Emit(Event::ConfirmationResolved {
            confirmation_id: id.to_owned(),
            outcome: resolution,
        }));
        self.record(record);
    }

    pub(crate) fn dispose_confirmations(&mut self, now: Time) {
        let pending: Vec<String> = self.confirmations.pending().map(|it| it.id.clone()).collect();
        for id in pending {
            self.decide(now, &id, Resolution::Expired);
        }
    }
}

/// An audit record about a confirmation. Where the effect is audited in full, the input belongs to it.
pub(crate) fn record_of(now: Time, kind: AuditKind, confirmation: &Confirmation) -> AuditRecord {
    let full = confirmation.audit == Audit::Full;
    AuditRecord {
        capability_id: Some(confirmation.capability_id.clone()),
        registration_id: Some(confirmation.registration_id.clone()),
        consumer_id: Some(confirmation.consumer_key.clone()),
        payload: full.then(|| Payload { input: Some(confirmation.input.to_canonical()), output: None }),
        ..AuditRecord::new(now, kind)
    }
}
