//! Everything that makes a file a contract of format 5, in one place.
//!
//! A next format gets its own module of this shape; nothing else in the workspace spells these values. The
//! bounds of a schema document are the default limits of the schema crate.

/// The version that every manifest carries as `formatVersion`.
pub const FORMAT_VERSION: u32 = 5;

/// The revision of the contract rules that a manifest carries as `compilerVersion`.
///
/// It is part of the hashed bytes, so it names the rules and not this package: two compilers of one revision
/// make equal bytes of equal sources.
pub const COMPILER_VERSION: &str = "0.17.0";

/// The name of the emitted asset, relative to the build's output folder.
pub const FILE_NAME: &str = "agent-surface.contract.json";

/// The build target that an app has when it names none.
pub const DEFAULT_TARGET: &str = "web-production";

/// The one value of `completeness.status`: nothing was left out that could not be proven.
pub const COMPLETENESS_PROVEN: &str = "proven";

/// The longest component description, in UTF-16 code units.
pub const MAX_COMPONENT_DESCRIPTION: usize = 500;

/// The longest capability description, in UTF-16 code units.
pub const MAX_CAPABILITY_DESCRIPTION: usize = 300;

/// The largest `meta`, in bytes of its canonical form.
pub const MAX_META_BYTES: usize = 2048;

/// The names of the members, each once. Those of an entry and of a manifest are in canonical order.
pub mod field {
    /// The capability that an entry grants.
    pub const CAPABILITY_ID: &str = "capabilityId";
    /// Whether a person is asked.
    pub const CONFIRMATION: &str = "confirmation";
    /// The digest of an entry's contract.
    pub const CONTRACT_HASH: &str = "contractHash";
    /// Where an entry is declared: module path, `#`, variable.
    pub const DECLARATION_ID: &str = "declarationId";
    /// The text an agent reads.
    pub const DESCRIPTION: &str = "description";
    /// What using it does.
    pub const EFFECT: &str = "effect";
    /// The JSON Schema of its input.
    pub const INPUT_SCHEMA: &str = "inputSchema";
    /// What kind of declaration it comes from.
    pub const KIND: &str = "kind";
    /// The module that declares it.
    pub const ORIGIN: &str = "origin";
    /// The JSON Schema of its output.
    pub const OUTPUT_SCHEMA: &str = "outputSchema";
    /// The policies that must guard it.
    pub const POLICIES: &str = "policies";
    /// The author's labels.
    pub const TAGS: &str = "tags";
    /// The builds that contain it.
    pub const TARGETS: &str = "targets";

    /// The entries of a manifest.
    pub const CAPABILITIES: &str = "capabilities";
    /// The revision of the contract rules.
    pub const COMPILER_VERSION: &str = "compilerVersion";
    /// Whether everything was proven.
    pub const COMPLETENESS: &str = "completeness";
    /// The dependencies that contribute capabilities.
    pub const EXTERNAL_CONTRACTS: &str = "externalContracts";
    /// The version of the format.
    pub const FORMAT_VERSION: &str = "formatVersion";
    /// The digest of the manifest.
    pub const HASH: &str = "hash";
    /// How complete a manifest is.
    pub const STATUS: &str = "status";

    /// A policy's name.
    pub const NAME: &str = "name";
    /// The phase at which a policy must be implemented.
    pub const PHASE: &str = "phase";

    /// What the consumer approved of a dependency.
    pub const AUTHORIZATION: &str = "authorization";
    /// What a dependency really contributed.
    pub const CONTRACT_DIGEST: &str = "contractDigest";
    /// The digest that the consumer approved.
    pub const EXPECTED_DIGEST: &str = "expectedDigest";
    /// The form of the approval.
    pub const MODE: &str = "mode";
    /// A dependency's npm name.
    pub const PACKAGE: &str = "package";
    /// How a contribution was found.
    pub const ROUTE: &str = "route";
    /// Where a contribution was found.
    pub const SOURCE: &str = "source";
}
