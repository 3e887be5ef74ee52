//! The capability contract manifest: what an app lets an agent read and do, as one canonical, hashed file.
//!
//! The compiler seals each [`Contract`] it proved into an [`Entry`] and assembles a [`Manifest`]; the runtime
//! parses that manifest and verifies every hash in it before it trusts a line. Both use this crate, so they
//! cannot disagree about a byte. It takes no clock, no file system and no locale, and it is built for wasm32
//! as well: errors make their text by plain concatenation, and verification prints into one reused buffer.
//!
//! ```
//! use agent_surface_manifest::{Contract, Effect, Kind, Manifest};
//!
//! let contract = Contract {
//!     declaration_id: "src/counter.ts#counter".into(),
//!     capability_id: "view:counter.value".into(),
//!     kind: Kind::Observation,
//!     description: "The counter's value".into(),
//!     effect: Effect::Read,
//!     input_schema: None,
//!     output_schema: None,
//!     confirmation: None,
//!     policies: None,
//!     tags: None,
//!     origin: "src/counter.ts".into(),
//! };
//! let manifest = Manifest::assemble(vec![contract.seal("web-production")], Vec::new())?;
//!
//! let read_back = Manifest::parse(&manifest.to_file_text())?;
//! read_back.verify()?;
//! assert_eq!(read_back.hash(), manifest.hash());
//! # Ok::<(), agent_surface_manifest::ManifestError>(())
//! ```

mod assemble;
mod attachment;
mod digest;
pub mod effect;
mod entry;
mod error;
mod external;
pub mod format;
pub mod ids;
mod manifest;
#[cfg(test)]
mod sample;
mod shape;
mod verify;

pub use attachment::{Phase, PolicyAttachment, inherit_policies, inherit_tags};
pub use digest::Digest;
pub use effect::{Audit, Confirmation, Defaults, Effect, Kind};
pub use entry::{Contract, Entry};
pub use error::{Conflict, ManifestError, Occurrence};
pub use external::{ExternalContract, Route};
pub use manifest::{Manifest, Texts};
pub use shape::{ShapeError, ShapeProblem};
