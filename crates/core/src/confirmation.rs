//! Confirmations: what a person approved, for exactly which call, once.

use std::collections::{BTreeMap, VecDeque};

use agent_surface_json::{Json, push_canonical_string};
use agent_surface_manifest::{Audit, Digest, Effect};

use crate::failure::Invalid;
use crate::word::words;
use crate::{Limits, Time};

/// How many decided confirmations are remembered, to tell a late retry what became of its own.
pub(crate) const MAX_DECIDED: usize = 200;

words! {
    /// What became of a confirmation.
    pub enum Resolution {
        /// The user approved.
        Approved = "approved",
        /// The user said no.
        Denied = "denied",
        /// The user did not decide in time.
        Expired = "expired",
    }
}

words! {
    /// Where a confirmation stands.
    pub enum ConfirmationState {
        /// The user has not decided.
        Pending = "pending",
        /// The user approved, and the approval was not used yet.
        Approved = "approved",
        /// The user said no.
        Denied = "denied",
        /// Its time is over.
        Expired = "expired",
        /// The approval was used.
        Consumed = "consumed",
    }
}

/// A confirmation, as a dialog shows it.
#[derive(Clone, Debug)]
pub struct Confirmation {
    /// Its id.
    pub id: String,
    /// What is to be approved.
    pub capability_id: String,
    /// Of which registration.
    pub registration_id: String,
    /// For whom: the key of the consumer.
    pub consumer_key: String,
    /// What it does.
    pub effect: Effect,
    /// It all in a sentence.
    pub summary: String,
    /// The exact input.
    pub input: Json,
    /// Since when.
    pub requested_at: Time,
    /// Until when it can be decided, and an approval used.
    pub expires_at: Time,
    /// Where it stands.
    pub state: ConfirmationState,
    pub(crate) audit: Audit,
    pub(crate) digest: Digest,
    pub(crate) approved_at: Option<Time>,
}

/// The exact call that a confirmation is about.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The surface.
    pub surface_id: &'a str,
    /// The registration.
    pub registration_id: &'a str,
    /// The capability.
    pub capability_id: &'a str,
    /// The key of the consumer.
    pub consumer_key: &'a str,
    /// What goes in: the agent's and the view's part.
    pub effective_input: &'a Json,
    /// What it does.
    pub effect: Effect,
}

impl Subject<'_> {
    /// SHA-256 of the canonical form. Two calls of one digest are the same call; where it matters, the values are
    /// compared as well.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let mut text = String::new();
        for (name, value) in [
            ("{\"capabilityId\":", self.capability_id),
            (",\"consumerKey\":", self.consumer_key),
            (",\"effect\":", self.effect.as_str()),
        ] {
            text.push_str(name);
            push_canonical_string(value, &mut text);
        }
        text.push_str(",\"effectiveInput\":");
        self.effective_input.push_canonical(&mut text);
        for (name, value) in
            [(",\"registrationId\":", self.registration_id), (",\"surfaceId\":", self.surface_id)]
        {
            text.push_str(name);
            push_canonical_string(value, &mut text);
        }
        text.push('}');
        Digest::of(text)
    }
}

impl Confirmation {
    /// Whether it is about this very call. (The surface is its store's.)
    fn is_about(&self, subject: &Subject<'_>, digest: Digest) -> bool {
        self.digest == digest
            && self.registration_id == subject.registration_id
            && self.capability_id == subject.capability_id
            && self.consumer_key == subject.consumer_key
            && self.effect == subject.effect
            && self.input == *subject.effective_input
    }
}

/// The confirmations of a surface.
#[derive(Default)]
pub(crate) struct Confirmations {
    by_id: BTreeMap<String, Confirmation>,
    /// In the order in which they were asked for.
    pending: Vec<String>,
    /// In the order in which they were decided.
    decided: VecDeque<String>,
}

/// What an approval says to the handler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// The confirmation.
    pub confirmation_id: String,
    /// When the user approved.
    pub approved_at: Time,
}

/// What a sent confirmation is good for.
pub(crate) enum Use<'a> {
    /// It is used up by this.
    Consumed(Evidence),
    /// The user has not decided.
    Pending(&'a Confirmation),
    /// Nothing.
    Invalid(Invalid),
}

impl Confirmations {
    /// The pending confirmation about this very call.
    pub(crate) fn pending_about(&self, subject: &Subject<'_>, digest: Digest) -> Option<&Confirmation> {
        self.pending().find(|confirmation| confirmation.is_about(subject, digest))
    }

    pub(crate) fn is_full(&self, limits: &Limits) -> bool {
        self.pending.len() >= limits.max_pending_confirmations as usize
    }

    pub(crate) fn add(&mut self, confirmation: Confirmation) {
        self.pending.push(confirmation.id.clone());
        self.by_id.insert(confirmation.id.clone(), confirmation);
    }

    /// Decides a pending confirmation; `None` where there is no such one.
    pub(crate) fn decide(&mut self, now: Time, id: &str, resolution: Resolution) -> Option<&Confirmation> {
        let at = self.pending.iter().position(|pending| pending == id)?;
        let id = self.pending.remove(at);
        self.decided.push_back(id.clone());
        if self.decided.len() > MAX_DECIDED
            && let Some(oldest) = self.decided.pop_front()
        {
            self.by_id.remove(&oldest);
        }
        let confirmation = self.by_id.get_mut(&id)?;
        confirmation.state = match resolution {
            Resolution::Approved => ConfirmationState::Approved,
            Resolution::Denied => ConfirmationState::Denied,
            Resolution::Expired => ConfirmationState::Expired,
        };
        match resolution {
            Resolution::Approved => confirmation.approved_at = Some(now),
            Resolution::Denied => {}
            Resolution::Expired => confirmation.expires_at = confirmation.expires_at.min(now),
        }
        Some(confirmation)
    }

    /// Uses a confirmation for a call. An approval for this very call is used up by it.
    pub(crate) fn consume(&mut self, now: Time, id: &str, subject: &Subject<'_>, digest: Digest) -> Use<'_> {
        let Some(confirmation) = self.by_id.get_mut(id) else { return Use::Invalid(Invalid::Mismatch) };
        let matches = confirmation.is_about(subject, digest);
        match confirmation.state {
            ConfirmationState::Denied => Use::Invalid(Invalid::Denied),
            ConfirmationState::Expired => Use::Invalid(Invalid::Expired),
            ConfirmationState::Consumed => Use::Invalid(Invalid::Consumed),
            ConfirmationState::Pending | ConfirmationState::Approved if !matches => {
                Use::Invalid(Invalid::Mismatch)
            }
            ConfirmationState::Pending => Use::Pending(confirmation),
            ConfirmationState::Approved if confirmation.expires_at < now => {
                confirmation.state = ConfirmationState::Expired;
                Use::Invalid(Invalid::Expired)
            }
            ConfirmationState::Approved => {
                confirmation.state = ConfirmationState::Consumed;
                let approved_at = confirmation.approved_at.unwrap_or(confirmation.requested_at);
                Use::Consumed(Evidence { confirmation_id: confirmation.id.clone(), approved_at })
            }
        }
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Confirmation> {
        self.by_id.get(id)
    }

    pub(crate) fn pending(&self) -> impl Iterator<Item = &Confirmation> {
        self.pending.iter().filter_map(|id| self.by_id.get(id))
    }

    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }
}
