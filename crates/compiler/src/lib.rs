//! Static analysis of contract macros, on OXC.
//!
//! A [`Session`] watches one build of one environment. It is sans-IO: the host (a bundler plugin) hands it
//! module texts, it hands back edits and questions, and it never touches the disk, the clock or a bundler.
//!
//! The stages, each a module:
//! 1. `facts`: one module's imports, exports, bindings and macro calls, as a pure function of its text;
//! 2. `link`: what a binding denotes, across modules, along the edges the bundler resolved;
//! 3. `evaluate`: a macro's argument to a value, over a closed grammar, without running anything;
//! 4. `assemble`: values to contract entries, and entries to the manifest.
//!
//! `external` says what dependencies may add to it.
//!
//! The order of calls in a build: [`Session::transform`] for each module whose text may hold a contract,
//! [`Session::transform_compiled`] for the same and others once their own plugins are through with them,
//! [`Session::close`] once the graph is complete, [`Session::unite`] where the app has other environments, and
//! [`Session::render`] for each chunk. Wherever a call returns
//! questions, the host answers them all with [`Session::answer`] and calls again with the same arguments.

mod answers;
mod assemble;
mod changes;
mod evaluate;
mod expand;
mod explain;
mod external;
mod facts;
mod graph;
mod id;
mod library;
mod link;
mod macros;
mod memory;
mod message;
mod module;
mod number;
mod origin;
mod own;
mod placeholder;
mod problem;
mod prove;
mod seal;
mod serve;
mod session;
mod source_map;
mod stack;
mod text;
mod union;
mod waiting;
mod written;

pub use explain::{Explain, Explanation, NamedPosition, Position};
pub use facts::with_room_for;
pub use id::install_folder;
pub use message::{
    Answer, Approval, Close, ContractFile, Define, Diagnostic, Failure, Known, Library, LibraryImport,
    Located, MAX_CONTRACT_FILE, Options, Output, Package, Proof, Question, Report, SchemaOutcome, Severity,
    Transform,
};
pub use serve::Stage;
pub use session::Session;
pub use union::{Neighbour, Union};
