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
mod refusal;
mod sealed;

pub(crate) use admit::{Admission, admit};
pub(crate) use discover::{Sidecar, Sidecars, discover, one_of_each};
pub(crate) use policy::{Policy, Verdict};
pub(crate) use reading::{Reading, read};
pub(crate) use sealed::{is_sealed, reopen, sealed_name};

use crate::graph::Graph;
use crate::id::Id;
use crate::problem::Problem;

/// A text of a dependency's as a terminal may show it: nothing in it moves the cursor, changes a colour, or makes a line
/// read in another order than it is stored. It keeps its length in bytes, so that offsets in it stay right.
fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        let is_bidi = matches!(char, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
        if is_bidi || char.is_control() && !matches!(char, '\n' | '\r' | '\t') {
            shown.extend(std::iter::repeat_n('?', char.len_utf8()));
        } else {
            shown.push(char);
        }
    }
    shown
}

/// Problems that quote a dependency, as a terminal may show them.
fn tame(problems: &mut [Problem]) {
    for problem in problems {
        problem.message = plain(&problem.message);
        problem.help = plain(&problem.help);
    }
}

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

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_text_that_would_steer_a_terminal_is_shown_as_what_it_is() {
        for (text, shown) in [
            ("plain\n\ttext é\u{1F600}", "plain\n\ttext é\u{1F600}"),
            ("\u{1b}[31mred\u{7}", "?[31mred?"),
            ("a\u{202E}b\u{85}c", "a???b??c"),
        ] {
            assert_eq!(plain(text), shown);
            assert_eq!(plain(text).len(), text.len());
        }
    }
}
