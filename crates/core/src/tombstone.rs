//! What is remembered of registrations that are gone, so that a late request learns what happened.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::sorted::SortedMap;
use crate::{Component, Limits, Time};

/// The registrations that ended lately.
#[derive(Default)]
pub(crate) struct Tombstones {
    by_id: SortedMap<String, Tombstone>,
    oldest_first: VecDeque<String>,
}

struct Tombstone {
    component: Rc<Component>,
    until: Time,
}

impl Tombstones {
    pub(crate) fn add(
        &mut self,
        now: Time,
        limits: &Limits,
        registration_id: &str,
        component: Rc<Component>,
    ) {
        let tombstone = Tombstone { component, until: now.after(limits.tombstone_ttl) };
        self.by_id.insert(registration_id.to_owned(), tombstone);
        self.oldest_first.push_back(registration_id.to_owned());
        while self.oldest_first.len() > limits.tombstone_size as usize
            || self.oldest_first.front().is_some_and(|id| !self.has(now, id))
        {
            if let Some(id) = self.oldest_first.pop_front() {
                self.by_id.remove(&id);
            }
        }
    }

    /// Whether this registration ended lately.
    pub(crate) fn has(&self, now: Time, registration_id: &str) -> bool {
        self.by_id.get(registration_id).is_some_and(|tombstone| now < tombstone.until)
    }

    /// Whether a registration that ended lately had this capability.
    pub(crate) fn had_capability(&self, now: Time, capability_id: &str) -> bool {
        self.by_id
            .values()
            .any(|tombstone| now < tombstone.until && tombstone.component.position(capability_id).is_some())
    }

    pub(crate) fn len(&self) -> usize {
        self.by_id.len()
    }

    pub(crate) fn clear(&mut self) {
        self.by_id.clear();
        self.oldest_first.clear();
    }
}
