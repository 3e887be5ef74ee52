//! Confirmations: what a person approved, for exactly which call, once.

use std::collections::VecDeque;

use agent_surface_json::{Json, push_canonical_string};
use agent_surface_manifest::{Audit, Digest, Effect};
use agent_surface_words::words;

use crate::failure::Invalid;
use crate::sorted::SortedMap;
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
    by_id: SortedMap<String, Box<Confirmation>>,
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
        self.by_id.insert(confirmation.id.clone(), Box::new(confirmation));
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
        self.by_id.get(id).map(|confirmation| &**confirmation)
    }

    pub(crate) fn pending(&self) -> impl Iterator<Item = &Confirmation> {
        self.pending.iter().filter_map(|id| self.get(id))
    }

    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }
}

#[cfg(test)]
mod tests {
    use agent_surface_json::parse;

    use super::*;

    fn confirmation(input: &Json, digest: Digest) -> Confirmation {
        Confirmation {
            id: "cnf_1".into(),
            capability_id: "domain:devices.disable".into(),
            registration_id: "reg_1".into(),
            consumer_key: "test:a".into(),
            effect: Effect::Destructive,
            summary: String::new(),
            input: input.clone(),
            requested_at: Time::from_millis(0),
            expires_at: Time::from_millis(10),
            state: ConfirmationState::Pending,
            audit: Audit::Full,
            digest,
            approved_at: None,
        }
    }

    fn subject(input: &Json) -> Subject<'_> {
        Subject {
            surface_id: "srf_1",
            registration_id: "reg_1",
            capability_id: "domain:devices.disable",
            consumer_key: "test:a",
            effective_input: input,
            effect: Effect::Destructive,
        }
    }

    #[test]
    fn the_digest_is_that_of_the_canonical_call() {
        let input = parse(r#"{"b":1,"a":-0}"#).unwrap();
        let text = r#"{"capabilityId":"domain:devices.disable","consumerKey":"test:a","effect":"destructive","effectiveInput":{"a":0,"b":1},"registrationId":"reg_1","surfaceId":"srf_1"}"#;
        assert_eq!(subject(&input).digest(), Digest::of(text));
        assert_eq!(parse(text).unwrap().to_canonical(), text);
    }

    #[test]
    fn a_digest_that_happens_to_be_the_same_approves_nothing() {
        let (shown, sent) = (parse("[1]").unwrap(), parse("[2]").unwrap());
        let digest = subject(&sent).digest();
        let mut confirmations = Confirmations::default();
        confirmations.add(confirmation(&shown, digest));
        let now = Time::from_millis(1);
        confirmations.decide(now, "cnf_1", Resolution::Approved);
        let used = confirmations.consume(now, "cnf_1", &subject(&sent), digest);
        assert!(matches!(used, Use::Invalid(Invalid::Mismatch)));
        assert!(confirmations.pending_about(&subject(&sent), digest).is_none());
    }

    #[test]
    fn only_so_many_decisions_are_remembered_and_pending_ones_are_not_forgotten() {
        let input = Json::Null;
        let digest = subject(&input).digest();
        let mut confirmations = Confirmations::default();
        confirmations.add(confirmation(&input, digest));
        for number in 0..=MAX_DECIDED {
            let id = number.to_string();
            confirmations.add(Confirmation { id: id.clone(), ..confirmation(&input, digest) });
            confirmations.decide(Time::from_millis(1), &id, Resolution::Denied);
        }
        assert_eq!(confirmations.len(), MAX_DECIDED + 1);
        assert!(confirmations.get("0").is_none() && confirmations.get("cnf_1").is_some());
    }
}
