//! The macros and helpers of `@agent-surface/core`, and the calls that would go around them.

use std::rc::Rc;

use crate::evaluate::{Node, Object, Value};
use crate::facts::{MODEL_CONTEXT, REGISTER_TOOL, TOOL_NAME, find_ignoring_case};
use crate::problem::Place;

/// A contract macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Macro {
    Component,
    Procedure,
    External,
}

impl Macro {
    pub(crate) const ALL: [Self; 3] = [Self::Component, Self::Procedure, Self::External];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Component => "defineAgentComponentContract",
            Self::Procedure => "defineAgentProcedureContract",
            Self::External => "defineExternalAgentToolContract",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|candidate| candidate.name() == name)
    }
}

/// A way to register a capability that no contract proves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    package: &'static str,
    name: &'static str,
    /// Only when called with an object literal: the same function takes a contract too.
    pub(crate) inline_only: bool,
    pub(crate) help: &'static str,
}

const GUARDS: [Guard; 4] = [
    Guard {
        package: "core",
        name: "defineAgentComponent",
        inline_only: false,
        help: "Declare the component with defineAgentComponentContract and bind that.",
    },
    Guard {
        package: "react",
        name: "useAgentComponent",
        inline_only: true,
        help: "Declare a contract at the top of the module and pass it: useAgentComponent(contract, bindings).",
    },
    Guard {
        package: "react",
        name: "useAgentAction",
        inline_only: false,
        help: "Declare the action in a component contract and bind it with useAgentComponent.",
    },
    Guard {
        package: "react",
        name: "useAgentObservation",
        inline_only: false,
        help: "Declare the observation in a component contract and bind it with useAgentComponent.",
    },
];

impl Guard {
    pub(crate) fn on(package: &str, name: &str) -> Option<&'static Self> {
        GUARDS.iter().find(|guard| guard.package == package && guard.name == name)
    }

    /// Whether some package has a guarded function of this name.
    pub(crate) fn has_name(name: &str) -> bool {
        GUARDS.iter().any(|guard| guard.name == name)
    }
}

/// The functions that give a registry: the core makes one, React hands on the one it was given.
const REGISTRY_MAKERS: [(&str, &str); 2] =
    [("core", "createAgentSurfaceRegistry"), ("react", "useAgentSurface")];

/// Whether a function of one of our packages returns a registry.
pub(crate) fn makes_registry(package: &str, name: &str) -> bool {
    REGISTRY_MAKERS.contains(&(package, name))
}

/// Whether the core is known to export a name: a macro, a helper or what registers.
pub(crate) fn is_exported(name: &str) -> bool {
    const HELPERS: [&str; 5] = [
        "fromJsonSchema",
        "fromStandardSchema",
        "emptyObjectSchema",
        "observationContract",
        "actionContract",
    ];
    HELPERS.contains(&name) || followed("core").any(|(followed, _)| followed == name)
}

/// What of a package's exports is worth following, each with whether it is a macro.
pub(crate) fn followed(package: &str) -> impl Iterator<Item = (&'static str, bool)> {
    let macros = Macro::ALL.iter().map(|it| ("core", it.name(), true));
    let guarded = GUARDS.iter().map(|guard| (guard.package, guard.name, false));
    let makers = REGISTRY_MAKERS.iter().map(|(package, name)| (*package, *name, false));
    macros
        .chain(guarded)
        .chain(makers)
        .filter(move |(of, ..)| *of == package)
        .map(|(_, name, is_macro)| (name, is_macro))
}

/// Whether a text may have to do with contracts: it names our packages, a macro, a guarded function or a way round them, or it
/// writes the fields that every contract has, for a macro that goes by a name of the app's.
pub(crate) fn may_be_mentioned(source: &str) -> bool {
    source.contains("@agent-surface/")
        || mentions_a_macro(source)
        || GUARDS.iter().any(|guard| source.contains(guard.name))
        || [MODEL_CONTEXT, REGISTER_TOOL].iter().any(|name| source.contains(name))
        || find_ignoring_case(source, TOOL_NAME).is_some()
        || source.contains("description")
            && ["observations", "actions", "effect"].iter().any(|field| source.contains(field))
}

/// Whether a text names a macro.
pub(crate) fn mentions_a_macro(source: &str) -> bool {
    Macro::ALL.iter().any(|candidate| source.contains(candidate.name()))
}

/// The document of `emptyObjectSchema`.
pub(crate) fn empty_object_schema(place: &Place) -> Value {
    let node = |value| Node::new(value, place.clone());
    let mut schema = Object::default();
    schema.insert("type".into(), node(Value::String("object".into())));
    schema.insert("properties".into(), node(Value::Object(Rc::default())));
    schema.insert("additionalProperties".into(), node(Value::Bool(false)));
    Value::Object(Rc::new(schema))
}
