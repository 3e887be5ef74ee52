//! What a host hands in to have a component admitted: the shape of a bound contract, without the functions in it.

use agent_surface_json::Json;
use agent_surface_manifest::{Audit, Confirmation, Digest, Effect, Kind};

use crate::Policy;

/// A bound component, as JavaScript built it.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What kind of component it is: `devices.table`.
    pub component_type: String,
    /// What an agent reads of it.
    pub description: String,
    /// What else an agent reads of it: an object.
    pub meta: Option<Json>,
    /// Who registers it, by its own account.
    pub origin: Option<String>,
    /// The policies of all its capabilities.
    pub policies: Vec<Policy>,
    /// Its observations, actions and procedures.
    pub capabilities: Vec<CapabilityDefinition>,
    /// What the compiler says of it. Without a proof nothing is admitted.
    pub proof: Option<Proof>,
}

/// One capability of a bound component.
#[derive(Clone, Debug)]
pub struct CapabilityDefinition {
    /// The name of an observation or action; the path of a procedure.
    pub name: String,
    /// Which of the three it is.
    pub kind: Kind,
    /// What an agent reads of it.
    pub description: String,
    /// What using it does.
    pub effect: Effect,
    /// The schema of the whole input. An observation has none.
    pub input_schema: Option<Json>,
    /// The schema of the output. An observation has one.
    pub output_schema: Option<Json>,
    /// Who holds an input against its schema.
    pub input_check: Check,
    /// Who holds an output against its schema.
    pub output_check: Check,
    /// Whether repeating it changes nothing more; by default what the effect says.
    pub idempotent: Option<bool>,
    /// Whether it can be undone; by default what the effect says.
    pub reversible: Option<bool>,
    /// Whether a person is asked. For a procedure, what the binding adds to what its effect demands.
    pub confirmation: Option<Confirmation>,
    /// What the audit record keeps; by default what the effect says.
    pub audit: Option<Audit>,
    /// What else an agent reads of it: an object.
    pub meta: Option<Json>,
    /// How long it may take, in milliseconds.
    pub timeout: Option<u32>,
    /// Which invocations wait for one another.
    pub concurrency: Option<Concurrency>,
    /// Its own policies.
    pub policies: Vec<Policy>,
    /// Whether the host has a `when` to evaluate.
    pub has_when: bool,
    /// Whether the host has a precondition to evaluate.
    pub has_precondition: bool,
    /// What only a procedure has.
    pub binding: Option<Binding>,
}

impl CapabilityDefinition {
    /// A capability that says nothing but what it must.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: Kind, effect: Effect, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            kind,
            description: description.into(),
            effect,
            input_schema: None,
            output_schema: None,
            input_check: Check::Schema,
            output_check: Check::Schema,
            idempotent: None,
            reversible: None,
            confirmation: None,
            audit: None,
            meta: None,
            timeout: None,
            concurrency: None,
            policies: Vec::new(),
            has_when: false,
            has_precondition: false,
            binding: None,
        }
    }
}

/// Who holds a value against its schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The kernel, by the JSON Schema itself.
    Schema,
    /// The host, by a validator of its own (Standard Schema), which may change the value.
    Host,
}

/// How a procedure is bound to the view that refers to it.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The schema of what the agent supplies: the whole input without what is locked.
    pub agent_schema: Json,
    /// The fields that the view supplies.
    pub bound: Vec<String>,
    /// Those of them that the agent may not supply.
    pub locked: Vec<String>,
    /// Whether the server demands approval.
    pub requires_approval: bool,
    /// Whether the host has a `bind` to evaluate.
    pub has_bind: bool,
    /// The component of the view that it belongs to.
    pub context: Option<Link>,
}

/// A reference to an instance of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The component's type.
    pub component_type: String,
    /// The instance.
    pub instance_id: String,
}

/// Which invocations wait for one another. Groups are per registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Concurrency {
    /// How the group is told from others.
    pub mode: Mode,
    /// How many may wait; by default [`Limits::action_queue_depth`](crate::Limits::action_queue_depth).
    pub queue_depth: Option<u32>,
}

/// How a group of invocations is told from others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One at a time of the registration.
    Instance,
    /// One at a time of the capability.
    Capability,
    /// One at a time of those with this key.
    Key(String),
    /// So many at a time of the capability.
    Parallel(u32),
}

/// What the compiler put into a contract: which declaration of which manifest it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The manifest it was compiled into.
    pub manifest_hash: Digest,
    /// Where it is declared.
    pub declaration_id: String,
    /// Each capability with the hash of its contract.
    pub contracts: Vec<(String, Digest)>,
}
