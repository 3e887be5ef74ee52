//! A live registration.

use std::rc::Rc;

use agent_surface_json::Number;
use agent_surface_manifest::Kind;

use crate::definition::Link;
use crate::policy::When;
use crate::sorted::SortedMap;
use crate::{Capability, Component};

/// Where and how a component is mounted.
#[derive(Clone, Debug)]
pub struct Mount {
    /// Which instance of its type it is; by default `default`.
    pub instance_id: Option<String>,
    /// What it is a part of.
    pub parent: Option<Link>,
    /// What it gives way to in a snapshot, and what gives way to it; 0 by default.
    pub priority: Number,
    /// Whether its capabilities are usable at all.
    pub enabled: bool,
    /// Whether the app's guard accepted it.
    pub accepted: bool,
}

impl Default for Mount {
    fn default() -> Self {
        Self { instance_id: None, parent: None, priority: Number::from(0), enabled: true, accepted: true }
    }
}

/// What a component pushes about itself after it was registered. Nothing else of it ever changes.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Whether its capabilities are usable at all.
    pub enabled: Option<bool>,
    /// Which of its capabilities are usable, by name.
    pub availability: Vec<(String, Pushed)>,
}

/// Whether a capability is usable, as its component says of its own accord.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pushed {
    /// Whether it is.
    pub available: bool,
    /// Why not.
    pub reason: Option<String>,
}

/// A live registration.
#[derive(Debug)]
pub struct Registration {
    pub(crate) id: String,
    pub(crate) component: Rc<Component>,
    pub(crate) instance_id: String,
    pub(crate) parent: Option<Link>,
    pub(crate) priority: Number,
    pub(crate) enabled: bool,
    /// By the capability's index.
    pub(crate) pushed: SortedMap<usize, Pushed>,
}

impl Registration {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What is registered.
    #[must_use]
    pub fn component(&self) -> &Rc<Component> {
        &self.component
    }

    /// Which instance it is.
    #[must_use]
    pub fn instance_id(&self) -> &str {
        &self.instance_id
    }

    /// Why a capability can't be used, as far as the kernel knows without asking `when`.
    pub(crate) fn obstacle(&self, capability: usize) -> Option<&str> {
        if !self.enabled {
            return Some("component-disabled");
        }
        let pushed = self.pushed.get(&capability).filter(|pushed| !pushed.available)?;
        Some(pushed.reason.as_deref().unwrap_or("unavailable"))
    }

    /// Whether the host has to evaluate `when` to know whether a capability can be used.
    pub(crate) fn asks_when(&self, index: usize, capability: &Capability) -> bool {
        capability.has_when && self.obstacle(index).is_none()
    }
}

/// Why a capability can't be used, as `when` says.
pub(crate) fn obstacle_of(when: &When) -> Option<&str> {
    match when {
        When::Holds => None,
        When::Fails { reason } => Some(reason.as_deref().unwrap_or("Currently unavailable")),
        When::Threw => Some("when-error"),
    }
}

impl Registration {
    /// The component of the view that a procedure belongs to: what its binding says, or else the component that
    /// refers to it, if that has a place in the view.
    #[must_use]
    pub fn context_of(&self, capability: &Capability) -> Option<Link> {
        let binding = capability.binding.as_ref()?;
        binding.context.clone().or_else(|| {
            self.component.capabilities.iter().any(|it| it.kind != Kind::Procedure).then(|| Link {
                component_type: self.component.component_type.clone(),
                instance_id: self.instance_id.clone(),
            })
        })
    }
}
