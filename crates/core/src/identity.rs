//! Phase 1: which requests were made before, so that a repetition never runs twice.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::request::Fingerprint;
use crate::sorted::SortedMap;
use crate::text::decimal;
use crate::{InvocationKey, Limits, Settlement, Time};

/// The requests that are under way, and the answers to recent ones.
#[derive(Default)]
pub(crate) struct Identities {
    /// By consumer and the invocation's id.
    known: SortedMap<String, Known>,
    /// The answers, oldest first, with the moment from which they are forgotten.
    answered: VecDeque<(Time, String)>,
}

struct Known {
    fingerprint: Fingerprint,
    state: State,
}

enum State {
    UnderWay(InvocationKey),
    Answered(Rc<Settlement>),
}

/// What is known of a request.
pub(crate) enum Seen {
    /// Nothing: it is a new one.
    Never,
    /// This very one is under way.
    UnderWay(InvocationKey),
    /// This very one was answered.
    Answered(Rc<Settlement>),
    /// The id belongs to another request.
    Differently,
}

impl Identities {
    /// The name under which a consumer's invocation is known. The length of the first part keeps "a b" and "c" apart
    /// from "a" and "b c".
    pub(crate) fn name(consumer_key: &str, invocation_id: &str) -> String {
        [&*decimal(consumer_key.len() as u64), " ", consumer_key, " ", invocation_id].concat()
    }

    pub(crate) fn look_up(&mut self, now: Time, name: &str, fingerprint: &Fingerprint) -> Seen {
        self.forget_before(now);
        match self.known.get(name) {
            None => Seen::Never,
            Some(known) if known.fingerprint != *fingerprint => Seen::Differently,
            Some(known) => match &known.state {
                State::UnderWay(invocation) => Seen::UnderWay(*invocation),
                State::Answered(settlement) => Seen::Answered(Rc::clone(settlement)),
            },
        }
    }

    pub(crate) fn begin(&mut self, name: String, fingerprint: Fingerprint, invocation: InvocationKey) {
        self.known.insert(name, Known { fingerprint, state: State::UnderWay(invocation) });
    }

    /// Keeps the answer for repetitions.
    pub(crate) fn answer(&mut self, now: Time, limits: &Limits, name: &str, settlement: &Rc<Settlement>) {
        let Some(known) = self.known.get_mut(name) else { return };
        known.state = State::Answered(Rc::clone(settlement));
        self.answered.push_back((now.after(limits.dedupe_cache_ttl), name.to_owned()));
        while self.answered.len() > limits.dedupe_cache_size as usize {
            self.forget_oldest();
        }
    }

    /// Forgets a request whose answer asks for its repetition.
    pub(crate) fn forget(&mut self, name: &str) {
        self.known.remove(name);
    }

    /// How many answers are kept.
    pub(crate) fn answered(&self) -> usize {
        self.answered.len()
    }

    fn forget_before(&mut self, now: Time) {
        while self.answered.front().is_some_and(|(until, _)| *until <= now) {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        if let Some((_, name)) = self.answered.pop_front() {
            self.known.remove(&name);
        }
    }
}
