//! What must always hold, by an account of its own of what the registry says and does.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use agent_surface_core::{
    Code, ConfirmationState, Consumer, Event, InvocationKey, Invoked, Outcome, Output, Question,
    RegistrationKey, Registry, Settlement, Snapshot, Time, Tool,
};
use agent_surface_json::{Json, parse};
use agent_surface_manifest::{Confirmation, Effect, Kind};

use crate::world::limits;

/// What holds, or the rule that does not and what breaks it.
pub(crate) type Outcomes = Result<(), (&'static str, String)>;

/// How often things happened.
#[derive(Clone, Debug, Default)]
pub(crate) struct Totals {
    codes: BTreeMap<&'static str, u64>,
    executions: u64,
    waits: u64,
    joins: u64,
    repetitions: u64,
    confirmed: u64,
    late: u64,
    unwound: u64,
    surfaces: u64,
}

impl Totals {
    pub(crate) fn add(&mut self, other: &Self) {
        for (code, count) in &other.codes {
            *self.codes.entry(code).or_default() += count;
        }
        self.executions += other.executions;
        self.waits += other.waits;
        self.joins += other.joins;
        self.repetitions += other.repetitions;
        self.confirmed += other.confirmed;
        self.late += other.late;
        self.unwound += other.unwound;
        self.surfaces += other.surfaces;
    }

    pub(crate) fn assert_everything_happened(&self) {
        for code in Code::ALL {
            assert!(self.codes.get(code.as_str()).is_some_and(|count| *count > 0), "no {code:?} in {self:?}");
        }
        let counts = [
            self.executions,
            self.waits,
            self.joins,
            self.repetitions,
            self.confirmed,
            self.late,
            self.unwound,
            self.surfaces,
        ];
        assert!(counts.iter().all(|count| *count > 0), "{self:?}");
    }
}

/// Who waits for whom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Registration(RegistrationKey, &'static str),
    Observations(String),
}

struct Watched {
    consumer_key: String,
    /// Why it takes a place, once that is known.
    group: Option<Group>,
    registration: Option<RegistrationKey>,
    navigates: bool,
    started: bool,
    asked: Option<Question>,
    /// Whether the host still has to answer.
    outstanding: bool,
    /// Since when it waits: the number of its arrival.
    waits_since: Option<u64>,
    runs_until: Option<Time>,
    executed: bool,
    unwinds: bool,
}

#[derive(Default)]
pub(crate) struct Watcher {
    pub(crate) totals: Totals,
    in_flight: BTreeMap<InvocationKey, Watched>,
    settled: BTreeSet<InvocationKey>,
    /// The latest answers that may be repeated, oldest first.
    answers: VecDeque<Rc<Settlement>>,
    arrivals: u64,
    version: u64,
    /// Every confirmation that was asked for, with what is known to have become of it.
    confirmations: BTreeMap<String, Known>,
    order: VecDeque<String>,
    /// The event that invocations began, by id, without the one that they ended.
    open_events: BTreeMap<String, u32>,
    last_key: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Pending,
    Resolved,
    Used,
}

impl Watcher {
    pub(crate) fn in_flight(&self) -> Vec<InvocationKey> {
        self.in_flight.keys().copied().collect()
    }

    pub(crate) fn confirmations(&self) -> Vec<String> {
        self.order.iter().rev().take(12).cloned().collect()
    }

    /// A request was sent.
    pub(crate) fn sent(&mut self, consumer: &Consumer, invoked: &Invoked) -> Outcomes {
        match invoked {
            Invoked::Started(key) => {
                check(key.0 > self.last_key, "a key is given once", || format!("{key:?}"))?;
                self.last_key = key.0;
                let watched = Watched {
                    consumer_key: consumer.key(),
                    group: None,
                    registration: None,
                    navigates: false,
                    started: false,
                    asked: None,
                    outstanding: false,
                    waits_since: None,
                    runs_until: None,
                    executed: false,
                    unwinds: false,
                };
                self.in_flight.insert(*key, watched);
                Ok(())
            }
            Invoked::Joined(key) => {
                self.totals.joins += 1;
                check(self.in_flight.contains_key(key), "what is joined is under way", || format!("{key:?}"))
            }
            Invoked::Settled(settlement) => {
                if settlement.error().is_some_and(|it| it.code == Code::InvocationConflict) {
                    *self.totals.codes.entry(Code::InvocationConflict.as_str()).or_default() += 1;
                    return Ok(());
                }
                self.totals.repetitions += 1;
                let given = self.answers.iter().any(|it| Rc::ptr_eq(it, settlement));
                check(given, "an answer is repeated as it was given", || format!("{settlement:?}"))
            }
        }
    }

    /// The host is about to answer a question.
    pub(crate) fn answered(&mut self, key: InvocationKey) {
        if let Some(watched) = self.in_flight.get_mut(&key) {
            watched.outstanding = false;
        }
    }

    /// The registry said something.
    pub(crate) fn saw(&mut self, registry: &mut Registry, now: Time, output: &Output) -> Outcomes {
        match output {
            Output::Ask { invocation, question } => self.asked(registry, now, *invocation, *question),
            Output::Unwind { invocation, .. } => {
                self.totals.unwound += 1;
                let watched = self.watched(*invocation)?;
                watched.asked = None;
                watched.waits_since = None;
                watched.runs_until = None;
                watched.unwinds = true;
                Ok(())
            }
            Output::Settle { invocation, settlement } => self.settles(*invocation, settlement),
            Output::Abort { invocation } => {
                check(self.watched(*invocation)?.executed, "only what runs is aborted", || {
                    format!("{invocation:?}")
                })
            }
            Output::Emit(event) => self.told(event),
            Output::Record(record) => {
                let late = record.kind == agent_surface_core::AuditKind::LateSettlement;
                self.totals.late += u64::from(late);
                Ok(())
            }
            Output::AwaitTurn | Output::Warn(_) => Ok(()),
        }
    }

    /// A snapshot was taken.
    pub(crate) fn looked(&mut self, registry: &Registry, snapshot: &Snapshot, tools: &[Tool]) -> Outcomes {
        let names: BTreeSet<_> = tools.iter().map(|tool| &tool.name).collect();
        check(names.len() == tools.len(), "every tool has a name of its own", || format!("{tools:?}"))?;
        let stands = |tool: &Tool| {
            registry.registration(tool.target.registration).is_some_and(|it| it.id() == tool.registration_id)
        };
        check(tools.iter().all(stands), "a tool stands for what is there", || format!("{tools:?}"))?;
        let places: BTreeSet<_> = snapshot.components.iter().map(|it| it.registration).collect();
        check(places.len() == snapshot.components.len(), "a component is shown once", || {
            format!("{snapshot:?}")
        })
    }

    /// Everything that follows from a step has happened.
    pub(crate) fn look(&mut self, registry: &mut Registry, now: Time) -> Outcomes {
        self.see_who_waits(registry);
        check(registry.version() >= self.version, "versions only grow", || registry.version().to_string())?;
        self.version = registry.version();
        self.check_bounds(registry)?;
        self.check_places()?;
        for (key, watched) in &self.in_flight {
            check(watched.runs_until.is_none_or(|until| now < until), "a deadline is kept", || {
                format!("{key:?}")
            })?;
            let alive = watched.registration.is_none_or(|it| registry.registration(it).is_some());
            let waits_or_runs = watched.waits_since.is_some() || watched.runs_until.is_some();
            check(
                alive || !waits_or_runs || (watched.navigates && watched.executed),
                "what is unmounted neither waits nor runs",
                || format!("{key:?}"),
            )?;
        }
        let pending = registry.pending_confirmations().all(|it| now < it.expires_at);
        check(pending, "a confirmation is pending no longer than its time", String::new)
    }

    /// The registry was disposed of.
    pub(crate) fn closed(&mut self, registry: &Registry) -> Outcomes {
        check(self.in_flight.is_empty(), "every invocation settles", || format!("{:?}", self.in_flight()))?;
        let unresolved = self.confirmations.values().any(|it| *it == Known::Pending);
        check(!unresolved, "every confirmation is resolved", || format!("{:?}", self.confirmations))?;
        check(self.open_events.is_empty(), "what started is told to have settled", || {
            format!("{:?}", self.open_events)
        })?;
        let usage = registry.usage();
        let left =
            [usage.registrations, usage.in_flight, usage.groups, usage.waiting_observations, usage.deadlines];
        check(left.iter().all(|count| *count == 0), "nothing is left", || format!("{usage:?}"))?;
        let totals = std::mem::take(&mut self.totals);
        *self = Self { totals, ..Self::default() };
        self.totals.surfaces += 1;
        Ok(())
    }

    fn watched(&mut self, key: InvocationKey) -> Result<&mut Watched, (&'static str, String)> {
        let settled = self.settled.contains(&key);
        self.in_flight
            .get_mut(&key)
            .ok_or_else(|| ("nothing is asked of what is settled", format!("{key:?} {settled}")))
    }

    fn asked(
        &mut self,
        registry: &mut Registry,
        now: Time,
        key: InvocationKey,
        question: Question,
    ) -> Outcomes {
        let watched = self.watched(key)?;
        check(watched.started, "started is told before anything is asked", || format!("{key:?}"))?;
        check(watched.asked.is_none_or(|before| before < question), "questions keep their order", || {
            format!("{key:?} {:?} {question:?}", watched.asked)
        })?;
        watched.asked = Some(question);
        watched.outstanding = true;
        let view = registry.invocation(key).unwrap();
        let target = view.target.unwrap();
        watched.registration = Some(target.registration);
        if question != Question::Execution {
            return Ok(());
        }
        let input = view.effective_input.map(|text| parse(text).unwrap());
        let evidence = view.evidence.cloned();
        let Some(registration) = registry.registration(target.registration) else {
            return Err(("nothing runs for what is gone", format!("{key:?}")));
        };
        let capability = &registration.component().capabilities()[target.capability as usize];
        let declaration = format!("src/{}.ts#contract", registration.component().component_type());
        check(
            registry.authority().entry(&declaration, capability.id()).is_some(),
            "nothing outside the authority runs",
            || capability.id().to_owned(),
        )?;
        let required = capability.confirmation() == Confirmation::Required;
        let (kind, effect, name) = (capability.kind(), capability.effect(), capability.name().to_owned());
        let consumer_key = watched.consumer_key.clone();
        check(!watched.executed, "a handler is called once", || format!("{key:?}"))?;
        watched.executed = true;
        watched.navigates = effect == Effect::Navigation;
        let waited = watched.waits_since.take();
        let group = group_of(kind, &name, target.registration, &consumer_key);
        watched.group = Some(group.clone());
        // No option is longer than a capability's own timeout.
        watched.runs_until = Some(now.after(1500));
        self.totals.executions += 1;
        self.totals.waits += u64::from(waited.is_some());
        self.check_turn(key, &group, waited)?;
        check(!required || evidence.is_some(), "what needs a confirmation has one", || name.clone())?;
        match evidence {
            None => Ok(()),
            Some(evidence) => {
                let confirmation = registry.confirmation(&evidence.confirmation_id);
                let exact = confirmation.is_some_and(|it| {
                    it.state == ConfirmationState::Consumed
                        && Some(&it.input) == input.as_ref()
                        && it.consumer_key == consumer_key
                        && it.effect == effect
                });
                self.used(&evidence.confirmation_id, exact, input.as_ref())
            }
        }
    }

    /// First come, first served: nobody who came earlier still waits in the same group.
    fn check_turn(&self, key: InvocationKey, group: &Group, waited: Option<u64>) -> Outcomes {
        let mine = waited.unwrap_or(u64::MAX);
        let passed_over = self.in_flight.iter().find(|(_, other)| {
            other.group.as_ref() == Some(group) && other.waits_since.is_some_and(|theirs| theirs < mine)
        });
        match passed_over {
            None => Ok(()),
            Some((other, _)) => {
                Err(("first come, first served", format!("{key:?} passed {other:?} in {group:?}")))
            }
        }
    }

    fn used(&mut self, id: &str, exact: bool, input: Option<&Json>) -> Outcomes {
        check(exact, "a confirmation is for the exact value that was shown", || format!("{id} {input:?}"))?;
        // A confirmation may be used up by an invocation that still has to wait for its turn.
        let before = self.confirmations.insert(id.to_owned(), Known::Used);
        self.totals.confirmed += 1;
        check(before == Some(Known::Resolved), "a confirmation is used once", || format!("{id} {before:?}"))
    }

    fn settles(&mut self, key: InvocationKey, settlement: &Rc<Settlement>) -> Outcomes {
        check(self.settled.insert(key), "an invocation settles once", || format!("{key:?}"))?;
        check(self.in_flight.remove(&key).is_some(), "what settles was under way", || format!("{key:?}"))?;
        if let Outcome::Error(payload) = &settlement.outcome {
            *self.totals.codes.entry(payload.code.as_str()).or_default() += 1;
        }
        if settlement.error().is_none_or(|it| it.code.rule().cacheable) {
            self.answers.push_back(Rc::clone(settlement));
        }
        if self.answers.len() > limits().dedupe_cache_size as usize {
            self.answers.pop_front();
        }
        Ok(())
    }

    fn told(&mut self, event: &Event) -> Outcomes {
        match event {
            Event::InvocationStarted { invocation_id, .. } => {
                *self.open_events.entry(invocation_id.clone()).or_default() += 1;
                // The latest one: events come in the order of what they tell of.
                if let Some(watched) = self.in_flight.values_mut().rev().find(|it| !it.started) {
                    watched.started = true;
                }
                Ok(())
            }
            Event::InvocationSettled { invocation_id, .. } => {
                let open = self.open_events.get_mut(invocation_id);
                let Some(open) = open else {
                    return Err(("started is told before settled", invocation_id.clone()));
                };
                *open -= 1;
                if *open == 0 {
                    self.open_events.remove(invocation_id);
                }
                Ok(())
            }
            Event::ConfirmationRequested { confirmation_id, .. } => {
                self.order.push_back(confirmation_id.clone());
                if self.order.len() > 300
                    && let Some(oldest) = self.order.pop_front()
                    && self.confirmations.get(&oldest) != Some(&Known::Pending)
                {
                    self.confirmations.remove(&oldest);
                }
                let before = self.confirmations.insert(confirmation_id.clone(), Known::Pending);
                check(before.is_none(), "a confirmation is asked for once", || confirmation_id.clone())
            }
            Event::ConfirmationResolved { confirmation_id, .. } => {
                let before = self.confirmations.insert(confirmation_id.clone(), Known::Resolved);
                check(before == Some(Known::Pending), "a confirmation is resolved once", || {
                    confirmation_id.clone()
                })
            }
            Event::SurfaceChanged { surface_version } => {
                check(*surface_version >= self.version, "versions only grow", || surface_version.to_string())
            }
            _ => Ok(()),
        }
    }

    /// What neither runs, nor unwinds, nor waits for an answer waits for its turn.
    fn see_who_waits(&mut self, registry: &mut Registry) {
        for (key, watched) in &mut self.in_flight {
            if watched.outstanding || watched.executed || watched.unwinds || watched.waits_since.is_some() {
                continue;
            }
            self.arrivals += 1;
            watched.waits_since = Some(self.arrivals);
            let target = registry.invocation(*key).and_then(|view| view.target).unwrap();
            let Some(registration) = registry.registration(target.registration) else { continue };
            let capability = &registration.component().capabilities()[target.capability as usize];
            watched.registration = Some(target.registration);
            watched.group = Some(group_of(
                capability.kind(),
                capability.name(),
                target.registration,
                &watched.consumer_key,
            ));
        }
    }

    fn check_bounds(&self, registry: &Registry) -> Outcomes {
        let (usage, limits) = (registry.usage(), limits());
        for (count, limit, what) in [
            (usage.tombstones, limits.tombstone_size, "tombstones"),
            (usage.answered, limits.dedupe_cache_size, "answers"),
            (usage.longest_queue, limits.action_queue_depth, "queues"),
            (usage.running_observations, limits.max_concurrent_observations_total, "running observations"),
            (usage.pending_confirmations, limits.max_pending_confirmations, "pending confirmations"),
            (usage.confirmations, limits.max_pending_confirmations + 200, "confirmations"),
            (usage.overdue, 1024, "overdue handlers"),
        ] {
            check(count <= limit as usize, "everything is bounded", || format!("{count} {what}"))?;
        }
        check(usage.in_flight == self.in_flight.len(), "nothing is lost", || {
            format!("{} instead of {}", usage.in_flight, self.in_flight.len())
        })
    }

    /// No group runs more than it may, and nobody waits for a place that is free.
    fn check_places(&self) -> Outcomes {
        let mut running: BTreeMap<&Group, u32> = BTreeMap::new();
        let mut observations = 0;
        for watched in self.in_flight.values().filter(|it| it.runs_until.is_some()) {
            if let Some(group) = &watched.group {
                *running.entry(group).or_default() += 1;
                observations += u32::from(matches!(group, Group::Observations(_)));
            }
        }
        let max = |group: &Group| match group {
            Group::Registration(_, "load") | Group::Observations(_) => 2,
            Group::Registration(..) => 1,
        };
        for (group, count) in &running {
            check(*count <= max(group), "no group runs more than it may", || {
                format!("{count} in {group:?}")
            })?;
        }
        check(observations <= 3, "no group runs more than it may", || {
            format!("{observations} observations")
        })?;
        let waiting = self.in_flight.iter().filter(|(_, it)| it.waits_since.is_some());
        for (key, group) in waiting.filter_map(|(key, it)| Some((key, it.group.as_ref()?))) {
            let full = running.get(group).is_some_and(|count| *count >= max(group));
            let crowded = observations >= 3 && matches!(group, Group::Observations(_));
            check(full || crowded, "nobody waits for a place that is free", || {
                format!("{key:?} in {group:?}")
            })?;
        }
        Ok(())
    }
}

fn check(holds: bool, rule: &'static str, what: impl FnOnce() -> String) -> Outcomes {
    if holds { Ok(()) } else { Err((rule, what())) }
}

fn group_of(kind: Kind, name: &str, registration: RegistrationKey, consumer_key: &str) -> Group {
    let group = match (kind, name) {
        (Kind::Observation, _) => return Group::Observations(consumer_key.to_owned()),
        (_, "open" | "close") => "drawer",
        (_, "load") => "load",
        (_, "devices.list") => "devices.list",
        (_, "devices.disable") => "devices.disable",
        (_, "mail.send") => "mail.send",
        _ => "instance",
    };
    Group::Registration(registration, group)
}
