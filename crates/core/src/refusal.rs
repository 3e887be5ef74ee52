//! Why a definition is not admitted. An author reads it, never an agent.

use std::fmt;

use agent_surface_words::words;

words! {
    /// What is wrong with a definition.
    pub enum DefinitionCode {
        /// An id breaks the grammar.
        InvalidId = "INVALID_ID",
        /// Something is missing, unknown, or not what the contract says.
        InvalidDefinition = "INVALID_DEFINITION",
        /// A schema leaves the subset.
        UnsupportedSchema = "UNSUPPORTED_SCHEMA",
        /// The view does what is the server's, or the other way round.
        PlaneViolation = "PLANE_VIOLATION",
        /// Two capabilities have one name.
        DuplicateCapability = "DUPLICATE_CAPABILITY",
        /// Something is too long.
        LimitExceeded = "LIMIT_EXCEEDED",
    }
}

words! {
    /// The part of a definition that a refusal is about.
    pub enum Field {
        /// The compiler's proof.
        Proof = "proof",
        /// A component's type.
        Type = "type",
        /// The id of an instance.
        InstanceId = "instanceId",
        /// The link to a parent.
        Parent = "parent",
        /// The name of a capability.
        Name = "name",
        /// Whether it observes, acts, or calls the server.
        Kind = "kind",
        /// The text an agent reads.
        Description = "description",
        /// What using it does.
        Effect = "effect",
        /// The schema of the input.
        InputSchema = "inputSchema",
        /// The schema of the output.
        OutputSchema = "outputSchema",
        /// Whether a person is asked.
        Confirmation = "confirmation",
        /// What guards it.
        Policies = "policies",
        /// What else an agent reads.
        Meta = "meta",
        /// Which invocations wait for one another.
        Concurrency = "concurrency",
        /// What belongs at the front and at the back of a snapshot.
        Priority = "priority",
        /// How a procedure is bound.
        Binding = "binding",
        /// The capabilities as a whole.
        Capabilities = "capabilities",
    }
}

/// A refusal: thrown in every environment, because the app's code has to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionError {
    /// What is wrong.
    pub code: DefinitionCode,
    /// Where it is wrong.
    pub field: Field,
    /// The sentence for people: what, where, and what to do.
    pub message: String,
}

impl DefinitionError {
    pub(crate) fn new(code: DefinitionCode, field: Field, parts: &[&str]) -> Self {
        Self { code, field, message: parts.concat() }
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DefinitionError {}
