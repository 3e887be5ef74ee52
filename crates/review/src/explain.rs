//! What is known of one capability, beyond its contract.

use crate::Place;

/// How one declaration came to have a capability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The declaration.
    pub declaration_id: String,
    /// The capability.
    pub capability_id: String,
    /// Where it is declared.
    pub place: Place,
    /// The constants that its evaluation read, by place.
    pub constants: Vec<Constant>,
    /// Who binds the contract to live behaviour; `None` where that was not looked for.
    pub binders: Option<Vec<Binder>>,
    /// The schema libraries that made its JSON Schemas, by name.
    pub libraries: Vec<Library>,
}

/// A schema library, as the project has it installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The package's name.
    pub name: String,
    /// Its version, if it states one.
    pub version: Option<String>,
}

impl Library {
    /// `zod 4.6.7`.
    pub(crate) fn describe(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A constant that a contract was evaluated from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name, in its own module.
    pub name: String,
    /// Where it is declared.
    pub place: Place,
}

/// A call that binds a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    /// What is called, `useAgentComponent` for example.
    pub name: String,
    /// Where.
    pub place: Place,
}
