//! Toolsets: a surface as tools for a provider, one per capability.

use agent_surface_json::{Json, Object};
use agent_surface_manifest::{Confirmation, Kind};

use crate::sorted::SortedMap;
use crate::wire_name::{Named, assign_wire_names};
use crate::{Capability, CapabilityView, Registration, Registry, Snapshot, Target};

/// One tool of a catalogue.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// What a provider calls it.
    pub name: String,
    /// Plane, effect, confirmation, and what the author says. Nothing that changes with the state.
    pub description: String,
    /// What calling it means.
    pub target: Target,
    /// What calling it means, by id.
    pub capability_id: String,
    /// The registration that was discovered.
    pub registration_id: String,
    /// The instance, where several have the capability.
    pub instance_id: Option<String>,
    /// Why it can't be used right now; `None` where it can.
    pub unavailable: Option<String>,
}

/// A capability that becomes a tool.
struct Entry<'a> {
    view: &'a CapabilityView,
    registration: &'a Registration,
    capability: &'a Capability,
}

impl Entry<'_> {
    /// Of what there has to be a second one, so that the id alone does not tell which is meant.
    fn counted(&self) -> &str {
        match self.capability.kind {
            Kind::Procedure => &self.capability.id,
            _ => &self.registration.component.component_type,
        }
    }
}

impl Registry {
    /// The tools of a snapshot, in its order.
    #[must_use]
    pub fn direct_tools(&self, snapshot: &Snapshot) -> Vec<Tool> {
        let entries = self.entries(snapshot);
        let mut counts: SortedMap<&str, usize> = SortedMap::default();
        for component in &snapshot.components {
            if let Some(registration) = self.registrations.get(&component.registration) {
                *counts.entry(&registration.component.component_type) += 1;
            }
        }
        for procedure in entries.iter().filter(|entry| entry.capability.kind == Kind::Procedure) {
            *counts.entry(&procedure.capability.id) += 1;
        }
        let suffix = |entry: &Entry<'_>| {
            let several = counts.get(entry.counted()).is_some_and(|count| *count > 1);
            several.then(|| suffix_of(entry.registration, entry.capability))
        };
        let suffixes: Vec<Option<String>> = entries.iter().map(suffix).collect();
        let named: Vec<Named<'_>> = entries
            .iter()
            .zip(&suffixes)
            .map(|(entry, suffix)| Named {
                capability_id: &entry.capability.id,
                instance_id: suffix.as_deref(),
            })
            .collect();
        let names = assign_wire_names(&named);
        let tool = |((entry, suffix), name): ((&Entry<'_>, &Option<String>), String)| Tool {
            name,
            description: describe(entry.capability),
            target: entry.view.target,
            capability_id: entry.capability.id.clone(),
            registration_id: entry.registration.id.clone(),
            // A procedure's registration says it all: its suffix may be the instance of another component.
            instance_id: suffix.clone().filter(|_| entry.capability.kind != Kind::Procedure),
            unavailable: entry.view.unavailable.clone(),
        };
        entries.iter().zip(&suffixes).zip(names).map(tool).collect()
    }

    /// The observations and then the actions of each component, and then the procedures.
    fn entries<'a>(&'a self, snapshot: &'a Snapshot) -> Vec<Entry<'a>> {
        let mut views: Vec<&CapabilityView> = Vec::new();
        for component in &snapshot.components {
            for kind in [Kind::Observation, Kind::Action] {
                let of_kind = |view: &&CapabilityView| self.kind(view.target) == Some(kind);
                views.extend(component.capabilities.iter().filter(of_kind));
            }
        }
        views.extend(&snapshot.procedures);
        let entry = |view: &'a CapabilityView| {
            let (registration, capability) = self.find(view.target)?;
            Some(Entry { view, registration, capability })
        };
        views.into_iter().filter_map(entry).collect()
    }

    pub(crate) fn find(&self, target: Target) -> Option<(&Registration, &Capability)> {
        let registration = self.registrations.get(&target.registration)?;
        Some((registration, registration.component.capabilities.get(target.capability as usize)?))
    }

    fn kind(&self, target: Target) -> Option<Kind> {
        self.find(target).map(|(_, capability)| capability.kind)
    }
}

impl Capability {
    /// The schema of a tool's input. An observation's is the empty object.
    #[must_use]
    pub fn tool_schema(&self) -> Json {
        self.agent_schema().filter(|_| self.kind != Kind::Observation).cloned().unwrap_or_else(|| {
            let mut schema = Object::new();
            schema.insert("additionalProperties", false);
            schema.insert("properties", Object::new());
            schema.insert("type", "object");
            schema.into()
        })
    }
}

/// What tells a tool from the others of the same capability.
fn suffix_of(registration: &Registration, capability: &Capability) -> String {
    match (capability.kind, registration.context_of(capability)) {
        (Kind::Procedure, Some(context)) => context.instance_id,
        (Kind::Procedure, None) => registration.id.clone(),
        _ => registration.instance_id.clone(),
    }
}

fn describe(capability: &Capability) -> String {
    let plane = if capability.kind == Kind::Procedure { "domain" } else { "view" };
    let asks = capability.confirmation == Confirmation::Required;
    let confirmation = if asks { " · requires confirmation" } else { "" };
    ["[", plane, " · ", capability.effect.as_str(), confirmation, "] ", &capability.description].concat()
}
