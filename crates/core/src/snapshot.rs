//! Snapshots: what one consumer may see of the surface at a moment. The kernel says what has to be found out, the host
//! finds it out, the kernel puts it together.

use agent_surface_json::ObjectWriter;
use agent_surface_manifest::Kind;

use crate::policy::{Verdict, Vote, When, compose_votes};
use crate::registration::obstacle_of;
use crate::text::decimal;
use crate::{Capability, Disposed, Registration, RegistrationKey, Registry, Scope, Target, Time};

/// What a snapshot will be made of, and what has to be known for that.
#[derive(Clone, Debug)]
pub struct Survey {
    components: Vec<RegistrationKey>,
    entries: Vec<Surveyed>,
}

/// A capability that may come into a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surveyed {
    /// Which.
    pub target: Target,
    /// Whether its `when` has to be evaluated.
    pub asks_when: bool,
    /// How many policies have to vote, those of registry and component included.
    pub votes: usize,
}

impl Surveyed {
    /// Whether anything has to be found out.
    #[must_use]
    pub const fn asks(&self) -> bool {
        self.asks_when || self.votes > 0
    }
}

/// What the host found out about a capability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What `when` says; it holds where it was not asked for.
    pub when: When,
    /// What the policies vote, outermost first.
    pub votes: Vec<Vote>,
}

/// What a snapshot is cut down to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// How many components there may be.
    pub max_components: Option<u32>,
    /// How many bytes they may be as JSON.
    pub max_bytes: Option<u32>,
}

/// What one consumer may see.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Which surface it is of.
    pub surface_id: String,
    /// Which version of it.
    pub surface_version: u64,
    /// When it was taken.
    pub captured_at: Time,
    /// The components, in their order.
    pub components: Vec<ComponentView>,
    /// The procedures, in the order of the components that refer to them.
    pub procedures: Vec<CapabilityView>,
    /// How many components the budget dropped.
    pub dropped_components: u32,
}

/// A component of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentView {
    /// Which.
    pub registration: RegistrationKey,
    /// Its observations and actions that are shown.
    pub capabilities: Vec<CapabilityView>,
}

/// A capability of a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapabilityView {
    /// Which.
    pub target: Target,
    /// Why it can't be used; `None` where it can.
    pub unavailable: Option<String>,
}

/// Why a capability is in a snapshot or not: for developers, never for agents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Which.
    pub target: Target,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Why it can't be used, the policies aside.
    pub obstacle: Option<String>,
}

impl Survey {
    /// The capabilities about which something has to be found out, in the order in which the answers are expected.
    pub fn questions(&self) -> impl Iterator<Item = &Surveyed> {
        self.entries.iter().filter(|entry| entry.asks())
    }
}

impl Registry {
    /// Begins a snapshot. Nothing is changed by it.
    ///
    /// # Errors
    /// The registry is closed.
    pub fn survey(&self, scope: &Scope) -> Result<Survey, Disposed> {
        self.check_open()?;
        let mut survey = Survey { components: Vec::new(), entries: Vec::new() };
        for (key, registration) in self.in_order() {
            let component = &registration.component;
            let shown = component.is_shown() && scope.includes(&component.component_type);
            if shown {
                survey.components.push(key);
            }
            for (index, capability) in component.capabilities.iter().enumerate() {
                let included = if capability.kind == Kind::Procedure {
                    match registration.context_of(capability) {
                        Some(context) => scope.includes(&context.component_type),
                        None => scope.includes(&capability.name),
                    }
                } else {
                    shown
                };
                if included {
                    survey.entries.push(Surveyed {
                        target: target(key, index),
                        asks_when: registration.asks_when(index, capability),
                        votes: capability.chain.discovery,
                    });
                }
            }
        }
        Ok(survey)
    }

    /// Ends a snapshot. What was unregistered since the survey is not in it; what was not answered is hidden.
    #[must_use]
    pub fn compose(
        &self,
        now: Time,
        survey: &Survey,
        answers: &[Answer],
        include_unavailable: bool,
        budget: Budget,
    ) -> Snapshot {
        let mut components = Vec::new();
        let mut procedures = Vec::new();
        let mut judged = self.judge(survey, answers).into_iter().peekable();
        let live = survey.components.iter().filter(|key| self.registrations.contains_key(*key));
        let mut live = live.copied().peekable();
        loop {
            // Whichever comes first in the order of registrations; procedures alone have no component.
            let next = match (judged.peek(), live.peek()) {
                (Some(it), Some(component)) if it.target.registration != *component => it.target.registration,
                (_, Some(component)) => *component,
                (Some(it), None) => it.target.registration,
                (None, None) => break,
            };
            let is_shown = live.next_if_eq(&next).is_some();
            let (mut capabilities, mut of_view, mut hidden) = (Vec::new(), 0_u32, 0_u32);
            while let Some(it) = judged.next_if(|it| it.target.registration == next) {
                let is_procedure = self.kind_of(it.target) == Some(Kind::Procedure);
                of_view += u32::from(!is_procedure);
                let unavailable = match it.verdict {
                    Verdict::Hidden => {
                        hidden += u32::from(!is_procedure);
                        continue;
                    }
                    Verdict::Disabled { .. } if !include_unavailable => continue,
                    Verdict::Disabled { reason } => Some(reason),
                    Verdict::Exposed => None,
                };
                let list = if is_procedure { &mut procedures } else { &mut capabilities };
                list.push(CapabilityView { target: it.target, unavailable });
            }
            // A component all of whose capabilities are hidden is hidden: that it is there would tell something.
            if is_shown && (of_view == 0 || hidden < of_view) {
                components.push(ComponentView { registration: next, capabilities });
            }
        }
        let dropped_components = self.keep_to(budget, &mut components);
        Snapshot {
            surface_id: self.surface_id.clone(),
            surface_version: self.version,
            captured_at: now,
            components,
            procedures,
            dropped_components,
        }
    }

    /// What becomes of every capability of a survey, and why: for developers, never for agents.
    #[must_use]
    pub fn explain(&self, survey: &Survey, answers: &[Answer]) -> Vec<Explained> {
        self.judge(survey, answers)
    }

    /// Appends a snapshot as JSON to `out`.
    pub fn push_snapshot(&self, snapshot: &Snapshot, out: &mut String) {
        let mut object = ObjectWriter::begin(out);
        object.text("surfaceId", &snapshot.surface_id);
        object.text("surfaceVersion", &decimal(snapshot.surface_version));
        object.text("capturedAt", &snapshot.captured_at.to_iso8601());
        object.list("components", &snapshot.components, |view, out| self.push_component(view, out));
        object.list("procedures", &snapshot.procedures, |view, out| self.push_capability(view, out));
        if snapshot.dropped_components > 0 {
            let mut truncated = ObjectWriter::begin(object.member("truncated"));
            truncated.integer("droppedComponents", snapshot.dropped_components.into());
            truncated.end();
        }
        object.end();
    }

    /// Appends how agents see a registration to `out`, as JSON: `component` without its capabilities, and for each of
    /// these `kind`, `descriptor` and `toolSchema`. None of it changes while it is registered; what does is left out. Of
    /// what is not registered, nothing is appended.
    pub fn push_description(&self, key: RegistrationKey, out: &mut String) {
        let Some(registration) = self.registrations.get(&key) else { return };
        let mut object = ObjectWriter::begin(out);
        let mut component = ObjectWriter::begin(object.member("component"));
        registration.push_members(&mut component);
        component.end();
        object.list("capabilities", &registration.component.capabilities, |capability, out| {
            let mut object = ObjectWriter::begin(out);
            object.text("kind", capability.kind.as_str());
            let mut descriptor = ObjectWriter::begin(object.member("descriptor"));
            registration.push_capability(capability, &mut descriptor);
            descriptor.end();
            object.json("toolSchema", &capability.tool_schema());
            object.end();
        });
        object.end();
    }

    fn in_order(&self) -> impl Iterator<Item = (RegistrationKey, &Registration)> {
        self.order.iter().filter_map(|key| Some((*key, self.registration(*key)?)))
    }

    fn kind_of(&self, target: Target) -> Option<Kind> {
        let component = &self.registrations.get(&target.registration)?.component;
        Some(component.capabilities.get(target.capability as usize)?.kind)
    }

    fn judge(&self, survey: &Survey, answers: &[Answer]) -> Vec<Explained> {
        let mut answers = answers.iter();
        let mut judged = Vec::with_capacity(survey.entries.len());
        for entry in &survey.entries {
            let answer = if entry.asks() { answers.next() } else { None };
            let Some(registration) = self.registrations.get(&entry.target.registration) else { continue };
            let (when, votes) = answer.map_or((&When::Holds, &[][..]), |it| (&it.when, &it.votes[..]));
            let obstacle =
                registration.obstacle(entry.target.capability as usize).or_else(|| obstacle_of(when));
            let missing = entry.asks() && answer.is_none();
            let verdict = match (compose_votes(votes, entry.votes), obstacle) {
                _ if missing => Verdict::Hidden,
                (Verdict::Exposed, Some(reason)) => Verdict::Disabled { reason: reason.to_owned() },
                (verdict, _) => verdict,
            };
            judged.push(Explained { target: entry.target, verdict, obstacle: obstacle.map(str::to_owned) });
        }
        judged
    }

    /// Drops components from the end, where the priority is lowest, and counts them.
    fn keep_to(&self, budget: Budget, components: &mut Vec<ComponentView>) -> u32 {
        let before = components.len();
        if let Some(max) = budget.max_components {
            components.truncate(max as usize);
        }
        if let Some(max) = budget.max_bytes {
            let mut bytes = 2; // "[]"
            let mut text = String::new();
            let fitting = components.iter().enumerate().take_while(|(index, component)| {
                text.clear();
                self.push_component(component, &mut text);
                bytes += usize::from(*index > 0) + text.len();
                bytes <= max as usize
            });
            let fitting = fitting.count();
            components.truncate(fitting);
        }
        u32::try_from(before - components.len()).unwrap_or(u32::MAX)
    }

    fn push_component(&self, view: &ComponentView, out: &mut String) {
        let Some(registration) = self.registrations.get(&view.registration) else { return };
        let mut object = ObjectWriter::begin(out);
        registration.push_members(&mut object);
        for (name, kind) in [("observations", Kind::Observation), ("actions", Kind::Action)] {
            let views = view.capabilities.iter().filter(|it| self.kind_of(it.target) == Some(kind));
            object.list(name, views, |view, out| self.push_capability(view, out));
        }
        object.end();
    }

    fn push_capability(&self, view: &CapabilityView, out: &mut String) {
        let Some((registration, capability)) = self.find(view.target) else { return };
        let mut object = ObjectWriter::begin(out);
        registration.push_capability(capability, &mut object);
        object.flag("available", view.unavailable.is_none());
        object.optional("unavailableReason", view.unavailable.as_deref());
        object.end();
    }
}

impl Registration {
    /// How an agent sees it, without its capabilities.
    fn push_members(&self, object: &mut ObjectWriter<'_>) {
        object.text("type", &self.component.component_type);
        object.text("instanceId", &self.instance_id);
        object.text("registrationId", &self.id);
        object.text("description", &self.component.description);
        if let Some(parent) = &self.parent {
            parent.push_json(object.member("parent"));
        }
        if let Some(meta) = &self.component.meta {
            object.json("meta", meta);
        }
    }

    /// How an agent sees one of its capabilities, but for what changes with the state.
    fn push_capability(&self, capability: &Capability, object: &mut ObjectWriter<'_>) {
        capability.push_members(object);
        if capability.kind == Kind::Procedure {
            object.text("registrationId", &self.id);
            if let Some(context) = self.context_of(capability) {
                context.push_json(object.member("context"));
            }
        }
    }
}

fn target(registration: RegistrationKey, capability: usize) -> Target {
    Target { registration, capability: u32::try_from(capability).unwrap_or(u32::MAX) }
}
