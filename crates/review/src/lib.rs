//! Reviewing a contract: what changed between two of them, what each change means, and every way to show it.
//!
//! [`compare`] finds the changes between two manifests and gives each a [`Class`]: *widening* where an agent may
//! do more or is held back less, *narrowing* for the reverse, *neutral* where that is shown to be neither, and
//! *changed* where nothing can be shown. For schemas that is a proof over the contract format's subset
//! (`containment`): no row is called narrowing or neutral while a value exists that only the new schema accepts.
//!
//! A [`Report`] is the outcome of one command over one app: the compiled contract, its snapshot (*integrity*), and
//! the base of a pull request (*drift*). A [`Workspace`] is the same command over several apps. Both render to
//! text for people, Markdown, GitHub annotations, SARIF and JSON. The crate takes no clock, file system, terminal or
//! locale: what it prints depends on its arguments alone, so a build cache may keep it.

mod change;
mod class;
mod containment;
mod diff;
mod explain;
mod input;
mod moves;
mod place;
mod render;
mod report;
mod schema_change;
mod warning;
mod workspace;

pub use change::{Change, Difference, Subject};
pub use class::{ChangeKind, Class, Policy};
pub use diff::compare;
pub use explain::{Binder, Constant, Explanation, Library};
pub use input::{ContractError, Role, read_contract};
pub use place::{Place, Places};
pub use render::{Format, Options, Verbosity};
pub use report::{Base, BaseStatus, Command, Drift, Integrity, Report, Request, SnapshotStatus, Status};
pub use warning::Warning;
pub use workspace::{App, Workspace};
