//! Phase 8: who may run, who waits, and who is turned away. First come, first served.

use std::collections::VecDeque;

use crate::component::{Group, GroupKey};
use crate::sorted::SortedMap;
use crate::{InvocationKey, Limits, RegistrationKey};

/// What a request for a place gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// It runs.
    Runs,
    /// It waits its turn.
    Waits,
    /// There is no room to wait either.
    Full,
}

/// The groups in which actions and procedures wait for one another. A group is there only while somebody is in it.
#[derive(Default)]
pub(crate) struct Groups {
    groups: SortedMap<(RegistrationKey, GroupKey), Occupied>,
}

#[derive(Default)]
struct Occupied {
    running: u32,
    waiting: VecDeque<InvocationKey>,
}

impl Groups {
    pub(crate) fn enter(
        &mut self,
        registration: RegistrationKey,
        group: &Group,
        invocation: InvocationKey,
    ) -> Place {
        let occupied = self.groups.entry((registration, group.key.clone()));
        if occupied.running < group.max {
            occupied.running += 1;
            return Place::Runs;
        }
        // Somebody runs, so that a group that is full is not an empty one.
        if occupied.waiting.len() >= group.depth as usize {
            return Place::Full;
        }
        occupied.waiting.push_back(invocation);
        Place::Waits
    }

    /// Ends a run. Who is returned runs in its place.
    pub(crate) fn leave(&mut self, registration: RegistrationKey, key: &GroupKey) -> Option<InvocationKey> {
        let at = (registration, key.clone());
        let occupied = self.groups.get_mut(&at)?;
        let next = occupied.waiting.pop_front();
        if next.is_none() {
            occupied.running = occupied.running.saturating_sub(1);
            if occupied.running == 0 {
                self.groups.remove(&at);
            }
        }
        next
    }

    /// Ends a wait.
    pub(crate) fn give_up(
        &mut self,
        registration: RegistrationKey,
        key: &GroupKey,
        invocation: InvocationKey,
    ) {
        if let Some(occupied) = self.groups.get_mut(&(registration, key.clone())) {
            occupied.waiting.retain(|waiting| *waiting != invocation);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// The longest of the queues.
    pub(crate) fn longest_queue(&self) -> usize {
        self.groups.values().map(|occupied| occupied.waiting.len()).max().unwrap_or(0)
    }

    pub(crate) fn clear(&mut self) {
        self.groups.clear();
    }
}

/// The observations that run and wait: bounded for each consumer, and for all of them together.
#[derive(Default)]
pub(crate) struct Observations {
    running: u32,
    consumers: SortedMap<String, Watching>,
    /// All who wait, of whichever consumer, in the order in which they came.
    waiting: VecDeque<(String, InvocationKey)>,
}

#[derive(Default)]
struct Watching {
    running: u32,
    waiting: u32,
}

impl Observations {
    pub(crate) fn enter(&mut self, limits: &Limits, consumer_key: &str, invocation: InvocationKey) -> Place {
        let total_reached = self.running >= limits.max_concurrent_observations_total;
        let watching = self.consumers.entry(consumer_key.to_owned());
        if !total_reached && watching.running < limits.max_concurrent_observations_per_consumer {
            watching.running += 1;
            self.running += 1;
            return Place::Runs;
        }
        if watching.waiting >= limits.max_queued_observations_per_consumer {
            self.tidy(consumer_key);
            return Place::Full;
        }
        watching.waiting += 1;
        self.waiting.push_back((consumer_key.to_owned(), invocation));
        Place::Waits
    }

    /// Ends a run. Who is returned runs next: the first in line whose consumer has a place left.
    pub(crate) fn leave(&mut self, limits: &Limits, consumer_key: &str) -> Option<InvocationKey> {
        self.running = self.running.saturating_sub(1);
        if let Some(watching) = self.consumers.get_mut(consumer_key) {
            watching.running = watching.running.saturating_sub(1);
        }
        self.tidy(consumer_key);
        if self.running >= limits.max_concurrent_observations_total {
            return None;
        }
        let has_place = |consumer: &String| {
            self.consumers
                .get(consumer)
                .is_some_and(|it| it.running < limits.max_concurrent_observations_per_consumer)
        };
        let at = self.waiting.iter().position(|(consumer, _)| has_place(consumer))?;
        let (consumer, invocation) = self.waiting.remove(at)?;
        self.running += 1;
        if let Some(watching) = self.consumers.get_mut(&consumer) {
            watching.waiting -= 1;
            watching.running += 1;
        }
        Some(invocation)
    }

    /// Ends a wait.
    pub(crate) fn give_up(&mut self, consumer_key: &str, invocation: InvocationKey) {
        let before = self.waiting.len();
        self.waiting.retain(|(_, waiting)| *waiting != invocation);
        if self.waiting.len() < before
            && let Some(watching) = self.consumers.get_mut(consumer_key)
        {
            watching.waiting -= 1;
        }
        self.tidy(consumer_key);
    }

    pub(crate) fn running(&self) -> usize {
        self.running as usize
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Forgets a consumer of which nothing runs and nothing waits.
    fn tidy(&mut self, consumer_key: &str) {
        if self.consumers.get(consumer_key).is_some_and(|it| it.running == 0 && it.waiting == 0) {
            self.consumers.remove(consumer_key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: RegistrationKey = RegistrationKey(1);

    fn group(max: u32, depth: u32) -> Group {
        Group { key: GroupKey::Instance, max, depth }
    }

    #[test]
    fn a_group_is_served_in_order_and_is_gone_when_nobody_is_in_it() {
        let mut groups = Groups::default();
        let one_at_a_time = group(1, 2);
        let places: Vec<_> =
            (1..=4).map(|key| groups.enter(HERE, &one_at_a_time, InvocationKey(key))).collect();
        assert_eq!(places, [Place::Runs, Place::Waits, Place::Waits, Place::Full]);
        assert_eq!(groups.leave(HERE, &GroupKey::Instance), Some(InvocationKey(2)));
        assert_eq!(groups.leave(HERE, &GroupKey::Instance), Some(InvocationKey(3)));
        assert_eq!(groups.leave(HERE, &GroupKey::Instance), None);
        assert_eq!(groups.len(), 0);
    }

    #[test]
    fn who_gives_up_is_passed_over() {
        let mut groups = Groups::default();
        for key in 1..=3 {
            groups.enter(HERE, &group(1, 2), InvocationKey(key));
        }
        groups.give_up(HERE, &GroupKey::Instance, InvocationKey(2));
        assert_eq!(groups.leave(HERE, &GroupKey::Instance), Some(InvocationKey(3)));
    }

    #[test]
    fn a_group_without_a_queue_turns_away_and_keeps_no_trace_of_it() {
        let mut groups = Groups::default();
        assert_eq!(groups.enter(HERE, &group(2, 0), InvocationKey(1)), Place::Runs);
        assert_eq!(groups.enter(HERE, &group(2, 0), InvocationKey(2)), Place::Runs);
        assert_eq!(groups.enter(HERE, &group(2, 0), InvocationKey(3)), Place::Full);
        groups.leave(HERE, &GroupKey::Instance);
        groups.leave(HERE, &GroupKey::Instance);
        assert_eq!(groups.len(), 0);
    }

    #[test]
    fn a_consumer_that_takes_all_its_places_leaves_the_others_theirs() {
        let limits = Limits {
            max_concurrent_observations_per_consumer: 1,
            max_concurrent_observations_total: 2,
            max_queued_observations_per_consumer: 1,
            ..Limits::default()
        };
        let mut observations = Observations::default();
        let mut enter = |consumer: &str, key| observations.enter(&limits, consumer, InvocationKey(key));
        assert_eq!([enter("a", 1), enter("a", 2), enter("a", 3)], [Place::Runs, Place::Waits, Place::Full]);
        assert_eq!([enter("b", 4), enter("c", 5)], [Place::Runs, Place::Waits]);
        // "a" is first in line, but it is "b" that leaves, and "a" still has its one place.
        assert_eq!(observations.leave(&limits, "b"), Some(InvocationKey(5)));
        assert_eq!(observations.leave(&limits, "a"), Some(InvocationKey(2)));
    }

    #[test]
    fn nothing_is_kept_of_consumers_that_are_done() {
        let limits = Limits { max_concurrent_observations_per_consumer: 1, ..Limits::default() };
        let mut observations = Observations::default();
        observations.enter(&limits, "a", InvocationKey(1));
        observations.enter(&limits, "a", InvocationKey(2));
        observations.give_up("a", InvocationKey(2));
        assert_eq!(observations.leave(&limits, "a"), None);
        assert_eq!((observations.running(), observations.waiting(), observations.consumers.len()), (0, 0, 0));
    }
}
