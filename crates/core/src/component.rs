//! A component that was admitted: checked against the authority, and never changed from then on.

use agent_surface_json::{Json, Object, ObjectWriter};
use agent_surface_manifest::{Audit, Confirmation, Effect, Kind, ids};

use crate::definition::{Binding, CapabilityDefinition, Check, Concurrency, Definition, Link, Mode};
use crate::policy::Chain;
use crate::{Limits, Policy};

/// An admitted component, shared by every registration of it.
#[derive(Debug)]
pub struct Component {
    pub(crate) component_type: String,
    pub(crate) description: String,
    pub(crate) meta: Option<Json>,
    pub(crate) origin: String,
    pub(crate) capabilities: Vec<Capability>,
}

/// A capability of an admitted component.
#[derive(Debug)]
pub struct Capability {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) description: String,
    pub(crate) effect: Effect,
    pub(crate) input_schema: Option<Json>,
    pub(crate) output_schema: Option<Json>,
    pub(crate) input_check: Check,
    pub(crate) output_check: Check,
    pub(crate) idempotent: bool,
    pub(crate) reversible: bool,
    pub(crate) confirmation: Confirmation,
    pub(crate) audit: Audit,
    pub(crate) meta: Option<Json>,
    pub(crate) timeout: u32,
    pub(crate) concurrency: Option<Concurrency>,
    pub(crate) chain: Chain,
    pub(crate) has_when: bool,
    pub(crate) has_precondition: bool,
    pub(crate) binding: Option<Binding>,
}

impl Component {
    /// Takes over a definition that was checked.
    pub(crate) fn of(definition: Definition, registry: &[Policy], limits: &Limits) -> Self {
        let outer = Chain::of(registry).then(Chain::of(&definition.policies));
        let component_type = definition.component_type;
        let capabilities = definition
            .capabilities
            .into_iter()
            .map(|capability| Capability::of(capability, &component_type, outer, limits))
            .collect();
        Self {
            capabilities,
            component_type,
            description: definition.description,
            meta: definition.meta,
            origin: definition.origin.unwrap_or_else(|| "first-party".to_owned()),
        }
    }

    /// What kind of component it is.
    #[must_use]
    pub fn component_type(&self) -> &str {
        &self.component_type
    }

    /// Who registers it, by its own account.
    #[must_use]
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Its capabilities, in the order of the definition: what an index means everywhere else.
    #[must_use]
    pub fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    /// Whether it has a place of its own in a snapshot: one that only refers to procedures has none.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.capabilities.is_empty() || self.capabilities.iter().any(|it| it.kind != Kind::Procedure)
    }

    /// The index of the capability with this id.
    pub(crate) fn position(&self, capability_id: &str) -> Option<usize> {
        self.capabilities.iter().position(|capability| capability.id == capability_id)
    }

    /// The index of the capability that an update calls `name`: its name, path or id.
    pub(crate) fn position_of_name(&self, name: &str) -> Option<usize> {
        self.capabilities.iter().position(|it| it.name == name).or_else(|| self.position(name))
    }
}

impl Capability {
    fn of(definition: CapabilityDefinition, component_type: &str, outer: Chain, limits: &Limits) -> Self {
        let defaults = definition.effect.defaults();
        let timeout = definition.timeout.unwrap_or(match definition.kind {
            Kind::Observation => limits.observation_timeout,
            Kind::Procedure => limits.procedure_timeout,
            Kind::Action | Kind::External => limits.action_timeout,
        });
        Self {
            id: definition.id(component_type),
            confirmation: definition.effective_confirmation(),
            chain: outer.then(Chain::of(&definition.policies)),
            name: definition.name,
            kind: definition.kind,
            description: definition.description,
            effect: definition.effect,
            input_schema: definition.input_schema,
            output_schema: definition.output_schema,
            input_check: definition.input_check,
            output_check: definition.output_check,
            idempotent: definition.idempotent.unwrap_or(defaults.idempotent),
            reversible: definition.reversible.or(defaults.reversible).unwrap_or(true),
            audit: definition.audit.unwrap_or(defaults.audit),
            meta: definition.meta,
            timeout,
            concurrency: definition.concurrency,
            has_when: definition.has_when,
            has_precondition: definition.has_precondition,
            binding: definition.binding,
        }
    }

    /// What an agent calls it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its name, or the path of a procedure.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it observes, acts, or calls the server.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// What using it does.
    #[must_use]
    pub const fn effect(&self) -> Effect {
        self.effect
    }

    /// Whether a person is asked, the policies aside.
    #[must_use]
    pub const fn confirmation(&self) -> Confirmation {
        self.confirmation
    }

    /// How many policies guard it, those of registry and component included.
    #[must_use]
    pub const fn chain(&self) -> Chain {
        self.chain
    }

    /// The schema of what an agent supplies.
    #[must_use]
    pub fn agent_schema(&self) -> Option<&Json> {
        self.binding.as_ref().map(|binding| &binding.agent_schema).or(self.input_schema.as_ref())
    }

    /// How an agent sees it, but for what changes with the state or depends on the registration.
    pub(crate) fn push_members(&self, object: &mut ObjectWriter<'_>) {
        match &self.binding {
            None => {
                object.text("capabilityId", &self.id);
                object.text("name", &self.name);
            }
            Some(_) => object.text("procedureId", &self.id),
        }
        object.text("description", &self.description);
        if self.kind != Kind::Observation {
            if let Some(schema) = self.agent_schema() {
                object.json("inputSchema", schema);
            }
            object.text("effect", self.effect.as_str());
            object.text("confirmation", self.confirmation.as_str());
            match &self.binding {
                None => {
                    object.flag("idempotent", self.idempotent);
                    object.flag("reversible", self.reversible);
                }
                Some(binding) => object.list("boundFields", &binding.bound, |path, out| {
                    let mut field = ObjectWriter::begin(out);
                    field.text("path", path);
                    field.text("source", "ui-state");
                    field.flag("locked", binding.locked.contains(path));
                    field.end();
                }),
            }
        }
        for (name, json) in [("outputSchema", &self.output_schema), ("meta", &self.meta)] {
            if let Some(json) = json {
                object.json(name, json);
            }
        }
    }

    /// The group in which its invocations wait for one another, how many of it run at once and how many wait.
    pub(crate) fn group(&self, index: usize, limits: &Limits) -> Group {
        let default_mode = if self.kind == Kind::Procedure { &Mode::Capability } else { &Mode::Instance };
        let (mode, depth) = match &self.concurrency {
            None => (default_mode, None),
            Some(concurrency) => (&concurrency.mode, concurrency.queue_depth),
        };
        let (key, max) = match mode {
            Mode::Instance => (GroupKey::Instance, 1),
            Mode::Capability => (GroupKey::Capability(index), 1),
            Mode::Key(key) => (GroupKey::Key(key.clone()), 1),
            Mode::Parallel(max) => (GroupKey::Capability(index), *max),
        };
        Group { key, max, depth: depth.unwrap_or(limits.action_queue_depth) }
    }
}

/// A group of invocations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    pub(crate) key: GroupKey,
    pub(crate) max: u32,
    pub(crate) depth: u32,
}

/// What tells a group of a registration from its others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GroupKey {
    Instance,
    Capability(usize),
    Key(String),
}

impl CapabilityDefinition {
    /// What an agent calls it.
    #[must_use]
    pub fn id(&self, component_type: &str) -> String {
        match self.kind {
            Kind::Observation | Kind::Action => ids::view_id(component_type, &self.name),
            Kind::Procedure => ["domain:", &self.name].concat(),
            Kind::External => ["external:", &self.name].concat(),
        }
    }

    /// Whether a person is asked: for a procedure the strictest of what its effect, its binding and its server say.
    #[must_use]
    pub fn effective_confirmation(&self) -> Confirmation {
        let declared = self.confirmation.unwrap_or(Confirmation::Never);
        let Some(binding) = &self.binding else { return declared };
        let approval = if binding.requires_approval { Confirmation::Required } else { Confirmation::Never };
        declared.max(self.effect.defaults().confirmation).max(approval)
    }
}

impl Link {
    /// Appends the JSON form to `out`.
    pub(crate) fn push_json(&self, out: &mut String) {
        let mut object = ObjectWriter::begin(out);
        object.text("type", &self.component_type);
        object.text("instanceId", &self.instance_id);
        object.end();
    }

    pub(crate) fn to_json(&self) -> Json {
        let mut object = Object::new();
        object.insert("instanceId", self.instance_id.as_str());
        object.insert("type", self.component_type.as_str());
        object.into()
    }
}
