//! One change between two contracts.

use agent_surface_json::{Json, Pointer};

use crate::{ChangeKind, Class};

/// What a change is about. Contracts as wholes come first, as rows do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The contract as a whole.
    Contract,
    /// A dependency that contributes capabilities, by its npm name.
    Package(String),
    /// A capability. Of one that moved, these are the new names.
    Capability {
        /// The declaration.
        declaration_id: String,
        /// The capability.
        capability_id: String,
    },
}

/// One row of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it means.
    pub class: Class,
    /// What it is about.
    pub subject: Subject,
    /// What happened.
    pub kind: ChangeKind,
    /// The field that differs, as the contract format spells it; `capability` for one that came, went or moved.
    pub field: &'static str,
    /// What the older contract has there.
    pub before: Option<Json>,
    /// What the newer contract has there.
    pub after: Option<Json>,
    /// For a schema that both have: each place where the two differ.
    pub differences: Vec<Difference>,
}

/// One place where two schemas differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The place in both documents.
    pub pointer: Pointer,
    /// What the older document has there.
    pub before: Option<Json>,
    /// What the newer document has there.
    pub after: Option<Json>,
}

impl Change {
    /// A changed field of a capability.
    pub(crate) fn of_field(
        subject: &Subject,
        field: &'static str,
        class: Class,
        before: Option<Json>,
        after: Option<Json>,
    ) -> Self {
        Self {
            class,
            subject: subject.clone(),
            kind: ChangeKind::Changed,
            field,
            before,
            after,
            differences: Vec::new(),
        }
    }
}
