//! Meta mode: three tools for a surface of any size. What they are never changes; what they find does.

use std::borrow::Cow;

use agent_surface_json::{Json, Object, parse};
use agent_surface_schema::{Issue, validate};
use agent_surface_words::words;

use crate::failure::issues_to_json;
use crate::{Code, ErrorPayload, Registry, Retry, Scope, Snapshot, Target};

words! {
    /// One of the three tools.
    pub enum Verb {
        /// Look at the surface.
        Discover = "surface_discover",
        /// Read an observation.
        Read = "surface_read",
        /// Use an action or a procedure.
        Act = "surface_act",
    }
}

impl Verb {
    /// What an agent reads of it.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Discover => {
                "[meta] Look at the surface: its components and procedures, what they take, and what can be used now."
            }
            Self::Read => "[meta] Read an observation by its capabilityId.",
            Self::Act => {
                "[meta] Use an action or a procedure by its id. With the surfaceVersion that you planned by, a call \
                 that can't be undone is refused if the surface has changed since."
            }
        }
    }

    /// The id that its own answers carry.
    #[must_use]
    pub const fn capability_id(self) -> &'static str {
        match self {
            Self::Discover => "meta:surface.discover",
            Self::Read => "meta:surface.read",
            Self::Act => "meta:surface.act",
        }
    }

    /// The schema of its input, as JSON text: the same bytes for every surface.
    #[must_use]
    pub const fn schema(self) -> &'static str {
        match self {
            Self::Discover => {
                r#"{"type":"object","properties":{"scope":{"type":"array","items":{"type":"string"},"description":"Types of components to look at, with all below them, as in [\"devices.table\"]. Leave it out at first. What the host does not show comes back in scopeRejected."}},"additionalProperties":false}"#
            }
            Self::Read => {
                r#"{"type":"object","properties":{"capabilityId":{"type":"string","minLength":1,"description":"The capabilityId of an observation, as discovered."},"instanceId":{"type":"string","minLength":1,"description":"The instanceId of its component, where several have the same type."}},"required":["capabilityId"],"additionalProperties":false}"#
            }
            Self::Act => {
                r#"{"type":"object","properties":{"capabilityId":{"type":"string","minLength":1,"description":"The capabilityId of an action or the procedureId of a procedure, as discovered."},"instanceId":{"type":"string","minLength":1,"description":"The instanceId of its component, where several have the same type."},"input":{"type":"object","description":"What the capability's inputSchema asks for, as an object and not as text. Everything that the capability takes goes in here, and nothing of it beside it."},"invocationId":{"type":"string","minLength":1,"description":"The id of an earlier call, to repeat it without doing it twice. Needed to go on after CONFIRMATION_REQUIRED."},"confirmationId":{"type":"string","minLength":1,"description":"What CONFIRMATION_REQUIRED told, once the user has approved."},"surfaceVersion":{"type":"string","minLength":1,"description":"The surfaceVersion that you planned by. Send it with what can't be undone."}},"required":["capabilityId"],"additionalProperties":false}"#
            }
        }
    }
}

/// What a call of one of the tools says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// The part of the surface to look at.
    pub scope: Scope,
    /// What to use.
    pub capability_id: String,
    /// Of which instance.
    pub instance_id: Option<String>,
    /// What to call it with, as it came.
    pub input: Option<Json>,
    /// The id under which a repetition is known.
    pub invocation_id: Option<String>,
    /// The user's approval.
    pub confirmation_id: Option<String>,
    /// What was discovered.
    pub surface_version: Option<String>,
}

impl Registry {
    /// Reads the arguments of one of the tools, by that tool's own schema. No arguments are an empty object.
    ///
    /// # Errors
    /// `INVALID_INPUT`, which speaks of the tool and not of the capability.
    pub fn read_envelope(&self, verb: Verb, arguments: Json) -> Result<Envelope, ErrorPayload> {
        let mut members = match arguments {
            Json::Null => Object::new(),
            Json::Object(members) => members,
            _ => {
                let issue = Issue { path: String::new(), message: "must be an object".to_owned() };
                return Err(malformed(verb, vec![issue]));
            }
        };
        // Whoever was given the arguments as text judges that: it may be all right, see `repair_input`.
        let input = if verb == Verb::Act { members.remove("input") } else { None };
        let arguments = Json::Object(members);
        let issues = match parse(verb.schema()) {
            Ok(schema) => validate(&schema, &arguments, &*self.patterns),
            Err(_) => Vec::new(),
        };
        if !issues.is_empty() {
            return Err(malformed(verb, issues));
        }
        let text = |name: &str| arguments.get(name).and_then(Json::as_str).map(str::to_owned);
        let scope = arguments.get("scope").and_then(Json::as_array).unwrap_or_default();
        Ok(Envelope {
            scope: Scope(scope.iter().filter_map(|prefix| prefix.as_str().map(str::to_owned)).collect()),
            capability_id: text("capabilityId").unwrap_or_default(),
            instance_id: text("instanceId"),
            input,
            invocation_id: text("invocationId"),
            confirmation_id: text("confirmationId"),
            surface_version: text("surfaceVersion"),
        })
    }

    /// What an envelope means, if exactly one capability of the snapshot is meant. Otherwise the invocation itself
    /// tells why not.
    #[must_use]
    pub fn find_target(&self, snapshot: &Snapshot, envelope: &Envelope) -> Option<Target> {
        let of_components = snapshot.components.iter().flat_map(|it| &it.capabilities);
        let mut matches = of_components.chain(&snapshot.procedures).map(|it| it.target).filter(|target| {
            self.find(*target).is_some_and(|(registration, capability)| {
                capability.id == envelope.capability_id
                    && envelope.instance_id.as_ref().is_none_or(|it| *it == registration.instance_id)
            })
        });
        let first = matches.next()?;
        matches.next().is_none().then_some(first)
    }

    /// The object that an input is the JSON text of, where the target takes an object and nothing else: some providers
    /// pass arguments as text. `None` where there is nothing to repair.
    #[must_use]
    pub fn repair_input(&self, target: Target, input: &Json) -> Option<Json> {
        let (_, capability) = self.find(target)?;
        let takes_object = capability.agent_schema()?.get("type")?.as_str() == Some("object");
        let repaired = parse(input.as_str()?).ok()?;
        (takes_object && repaired.as_object().is_some()).then_some(repaired)
    }
}

fn malformed(verb: Verb, issues: Vec<Issue>) -> ErrorPayload {
    let message = match verb {
        Verb::Act => {
            "The arguments of surface_act itself are wrong. What the capability takes belongs inside `input`."
        }
        Verb::Read => "The arguments of surface_read itself are wrong.",
        Verb::Discover => "The arguments of surface_discover itself are wrong.",
    };
    let mut details = Object::new();
    details.insert("issues", issues_to_json(issues));
    ErrorPayload {
        code: Code::InvalidInput,
        message: Cow::Borrowed(message),
        retry: Retry::WithChanges,
        details: Some(details),
    }
}
