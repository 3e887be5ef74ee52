//! Dependencies that contribute capabilities.
//!
//! That a dependency is in the graph is no reason to let it add to what an agent may do. Whatever it contributes has a
//! digest, and the [`Policy`] of the app says which digests of which packages its authors have agreed to.
//!
//! There are two ways to contribute. A package may name a **contract file** in its `package.json`
//! (`agentSurface.contract`), as the build of a library emits it: [`discover`] finds those of the packages in the
//! graph, and those that the allow list names by path, and believes none of which a hash does not hold. Or the package
//! calls contract macros in its own **source**: those are proven like the app's. [`admit`] holds both against the allow
//! list. A call that the library's own build has expanded belongs to the contract file that came with it: [`reopen`].
//!
//! Who contributes is told by where a file lies and not by what anything says of itself.

mod admit;
mod check;
mod discover;
mod policy;
mod reading;
mod sealed;

pub(crate) use admit::{Admission, admit};
pub(crate) use discover::{Sidecar, Sidecars, discover};
pub(crate) use policy::Policy;
pub(crate) use reading::{Reading, read};
pub(crate) use sealed::{is_sealed, reopen};

use crate::graph::Graph;
use crate::id::Id;

/// Whose code a module is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner<'m> {
    /// The project's: its own modules, and those of packages that are linked into it.
    Project,
    /// An installed package's, by its name.
    Package(&'m str),
    /// Installed, and of no package that has a name.
    Nobody,
}

impl<'m> Graph<'m> {
    /// Whose code a module is. None while the host must answer first.
    pub(crate) fn owner(&self, id: &str) -> Option<Owner<'m>> {
        Some(match self.package(id)? {
            Some(package) if package.installed && package.name.is_empty() => Owner::Nobody,
            Some(package) if package.installed => Owner::Package(&package.name),
            Some(_) => Owner::Project,
            None if Id::parse(id).is_installed() => Owner::Nobody,
            None => Owner::Project,
        })
    }
}
