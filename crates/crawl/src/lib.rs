//! Finds the modules of an app as its bundler would, on the disk, and has the compiler prove what they declare.
//!
//! A dev server loads modules one by one, as a page asks for them; the contract has to be known before the first. So
//! [`Crawl`] goes from the app's entries along the imports: it reads each module ([`visit`]), parses it ([`imports`]), and
//! resolves what it imports as Vite does ([`resolve`], and [`outside`] for a server). What it can't know, because some
//! plugin decides it, it asks its host for: [`Need`]. The compiler's questions it answers itself ([`disk`]), and
//! follows what changes ([`changes`]), of which the files themselves can be asked ([`times`]).
//!
//! It keeps what it knows, so that a changed file costs no more than that file.

mod answer;
mod changes;
mod crawl;
mod disk;
mod imports;
mod kind;
mod message;
mod outside;
mod page;
mod resolve;
mod times;
mod visit;

pub use crawl::Crawl;
pub use disk::Disk;
pub use message::{Alias, Entry, Fact, Keeps, Leaves, Need, Options, PageConstant, Server, Step};
pub use times::changed_since;
