//! Contracts that come from outside: a snapshot, a base.

use std::fmt;

use agent_surface_manifest::{Manifest, ManifestError, format::FORMAT_VERSION};

/// What a contract is to a command, and how a message calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// What the source of a target compiles to.
    Compiled,
    /// The committed snapshot, by its path.
    Snapshot(String),
    /// The snapshot as it is in the base.
    Base {
        /// The path of the snapshot.
        path: String,
        /// The git ref of the base, as the user wrote it.
        reference: String,
    },
}

/// Why a contract cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError {
    /// Which contract it is.
    pub role: Role,
    /// What is wrong with it.
    pub cause: Box<ManifestError>,
    /// Whether it has the marks of a merge that was not resolved.
    pub is_conflicted: bool,
}

/// Reads a contract and recomputes every hash in it.
///
/// # Errors
/// It is no contract of this format, or something in it was changed since it was compiled.
pub fn read_contract(text: &str, role: Role) -> Result<Manifest, ContractError> {
    let verified = Manifest::parse(text).and_then(|manifest| manifest.verify().map(|()| manifest));
    verified.map_err(|cause| ContractError {
        role,
        cause: Box::new(cause),
        is_conflicted: has_conflict_marks(text),
    })
}

/// Whether git left two sides of a merge in a text. No line of a contract begins so, since JSON has no such token.
fn has_conflict_marks(text: &str) -> bool {
    let has = |mark: &str| text.lines().any(|line| line.starts_with(mark));
    has("<<<<<<<") && has(">>>>>>>")
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compiled => write!(f, "the compiled contract"),
            Self::Snapshot(path) => write!(f, "the snapshot {path}"),
            Self::Base { path, reference } => write!(f, "{path} at {reference}"),
        }
    }
}

/// One sentence, and what to do.
impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let role = &self.role;
        if self.is_conflicted {
            return write!(
                f,
                "{role} has conflicts of a merge in it: take either side, then {}",
                self.remedy()
            );
        }
        match &*self.cause {
            ManifestError::FormatVersion { found } => write!(
                f,
                "{role} has format version {found}, and this version of agent-surface reads {FORMAT_VERSION}: use the \
                 release that wrote it"
            ),
            ManifestError::ContractHash { capability_id, declaration_id, .. } => write!(
                f,
                "{role} was edited by hand: what it says of {capability_id} ({declaration_id}) does not have the hash it \
                 states; {}",
                self.remedy()
            ),
            ManifestError::ManifestHash { .. } => {
                write!(f, "{role} was edited by hand: it does not have the hash it states; {}", self.remedy())
            }
            ManifestError::Syntax(error) => write!(
                f,
                "{role} is not JSON: {} at byte {}; {}",
                error.kind.describe(),
                error.offset,
                self.remedy()
            ),
            ManifestError::Shape(error) => {
                write!(f, "{role} is no contract: {}; {}", error.message(), self.remedy())
            }
            other => write!(f, "{role} cannot be used: {}", other.message()),
        }
    }
}

impl ContractError {
    fn remedy(&self) -> &'static str {
        match self.role {
            Role::Compiled => "install one release of all agent-surface packages",
            Role::Snapshot(_) => "write it anew with `agent-surface snapshot`",
            Role::Base { .. } => "write it anew there with `agent-surface snapshot`, or name another base",
        }
    }
}

impl std::error::Error for ContractError {}
