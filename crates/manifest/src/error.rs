//! Why a manifest is refused.

use std::fmt;

use agent_surface_json::{ParseError, digits};

use crate::{
    Digest, ShapeError,
    format::{COMPILER_VERSION, FORMAT_VERSION},
};

/// Why a manifest cannot be read, trusted or made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ManifestError {
    /// The text is no JSON.
    Syntax(ParseError),
    /// The JSON is not of the shape of format 5.
    Shape(ShapeError),
    /// Another version of the format.
    FormatVersion {
        /// The version, as JSON.
        found: String,
    },
    /// The manifest does not say that all of it was proven.
    Incomplete {
        /// What it says, as JSON.
        status: String,
    },
    /// An entry does not have the hash it states.
    ContractHash {
        /// Where it is declared.
        declaration_id: String,
        /// The capability it grants.
        capability_id: String,
        /// The hash in the manifest.
        stated: Digest,
        /// The hash of what the entry says.
        computed: Digest,
    },
    /// One declaration of one capability stands there twice.
    Duplicate {
        /// Where it is declared.
        declaration_id: String,
        /// The capability it grants.
        capability_id: String,
    },
    /// The manifest does not have the hash it states.
    ManifestHash {
        /// The hash in the manifest.
        stated: Digest,
        /// The hash of what the manifest says.
        computed: Digest,
    },
    /// One declaration of one capability has two contents.
    Conflict(Box<Conflict>),
    /// A manifest to merge was made by other rules.
    CompilerVersion {
        /// The revision of its rules.
        found: String,
    },
}

/// One declaration of one capability, with two contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Where it is declared.
    pub declaration_id: String,
    /// The capability it grants.
    pub capability_id: String,
    /// Where each content occurs.
    pub occurrences: [Occurrence; 2],
}

/// One content of a declaration that has several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The targets that have it.
    pub targets: Vec<String>,
    /// Its hash.
    pub contract_hash: Digest,
}

impl ManifestError {
    /// The sentence for people: what is wrong, with which entry, and what to do.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Syntax(error) => {
                let offset = digits(error.offset as u64);
                join(&[
                    "The contract is not JSON: ",
                    error.kind.describe(),
                    " at byte ",
                    &offset,
                    ". Build the app again, and do not edit the file.",
                ])
            }
            Self::Shape(error) => join(&[
                "The contract does not have the shape of its format: ",
                &error.message(),
                ". Build the app again with the compiler that belongs to this runtime.",
            ]),
            Self::FormatVersion { found } => join(&[
                "The contract has format version ",
                found,
                ", but this runtime reads version ",
                &digits(FORMAT_VERSION.into()),
                ". Use compiler and runtime of one release.",
            ]),
            Self::Incomplete { status } => join(&[
                "The contract's completeness is ",
                status,
                " and not \"proven\". Only what was proven whole is accepted: build the app again and see to the \
                 errors of that build.",
            ]),
            Self::ContractHash { declaration_id, capability_id, stated, computed } => join(&[
                &entry(declaration_id, capability_id),
                " has been changed since it was compiled: it states contract hash ",
                &stated.to_hex(),
                ", but its content has ",
                &computed.to_hex(),
                ". Change the declaration and build the app again.",
            ]),
            Self::Duplicate { declaration_id, capability_id } => join(&[
                &entry(declaration_id, capability_id),
                " stands twice in the contract. Build the app again; to merge contracts, merge them by the \
                 compiler.",
            ]),
            Self::ManifestHash { stated, computed } => join(&[
                "The contract has been changed since it was compiled: it states hash ",
                &stated.to_hex(),
                ", but its content has ",
                &computed.to_hex(),
                ". Build the app again.",
            ]),
            Self::Conflict(conflict) => conflict.message(),
            Self::CompilerVersion { found } => join(&[
                "A contract made by revision ",
                found,
                " of the rules cannot be merged by revision ",
                COMPILER_VERSION,
                ". Build every target with one compiler.",
            ]),
        }
    }
}

impl Conflict {
    fn message(&self) -> String {
        let [first, second] = &self.occurrences;
        join(&[
            &entry(&self.declaration_id, &self.capability_id),
            " is declared with two contents: ",
            &first.message(),
            " and ",
            &second.message(),
            ". Give every target the same declaration, or declare the capabilities in modules of their own.",
        ])
    }
}

impl Occurrence {
    fn message(&self) -> String {
        join(&[&self.contract_hash.to_hex(), " for ", &self.targets.join(", ")])
    }
}

fn entry(declaration_id: &str, capability_id: &str) -> String {
    join(&["The entry \"", capability_id, "\" of ", declaration_id])
}

fn join(parts: &[&str]) -> String {
    parts.concat()
}

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}

impl std::error::Error for ManifestError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Manifest, sample};

    #[test]
    fn every_message_says_what_is_wrong_and_what_to_do() {
        let (declaration_id, capability_id) =
            ("src/counter.ts#counter".to_owned(), "view:counter.value".to_owned());
        let (stated, computed) = (Digest::of("stated"), Digest::of("computed"));
        let syntax = agent_surface_json::parse("[").unwrap_err();
        for (error, what, remedy) in [
            (ManifestError::Syntax(syntax), "the text ends too early at byte 1", "Build the app again"),
            (ManifestError::FormatVersion { found: "6".into() }, "format version 6", "of one release"),
            (
                ManifestError::Incomplete { status: "null".into() },
                "completeness is null",
                "build the app again",
            ),
            (
                ManifestError::ContractHash {
                    declaration_id: declaration_id.clone(),
                    capability_id: capability_id.clone(),
                    stated,
                    computed,
                },
                "\"view:counter.value\" of src/counter.ts#counter has been changed",
                "build the app again",
            ),
            (
                ManifestError::Duplicate { declaration_id, capability_id },
                "\"view:counter.value\" of src/counter.ts#counter stands twice",
                "Build the app again",
            ),
            (ManifestError::ManifestHash { stated, computed }, "has been changed", "Build the app again"),
            (
                ManifestError::CompilerVersion { found: "0.16.0".into() },
                "revision 0.16.0 of the rules",
                "Build every target with one compiler",
            ),
        ] {
            let message = error.to_string();
            assert!(message.contains(what) && message.contains(remedy), "{message}");
            if message.contains("states") {
                let hashes = [stated, computed].map(Digest::to_hex);
                assert!(hashes.iter().all(|hash| message.contains(hash.as_str())), "{message}");
            }
        }
    }

    #[test]
    fn a_wrong_shape_is_told_with_its_place() {
        let text = Manifest::assemble(vec![sample::full().seal("web")], Vec::new()).unwrap().to_file_text();
        let error = Manifest::parse(&text.replace("procedure", "proc")).unwrap_err();
        let expected = "/capabilities/0/kind is \"proc\", but must be \"observation\", \"action\", \"procedure\" or \
                        \"external\".";
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[test]
    fn a_conflict_tells_which_target_has_which_content() {
        let occurrence =
            |target: &str| Occurrence { targets: vec![target.into()], contract_hash: Digest::of(target) };
        let error = ManifestError::Conflict(Box::new(Conflict {
            declaration_id: "src/a.ts#a".into(),
            capability_id: "view:a.b".into(),
            occurrences: [occurrence("desktop"), occurrence("web")],
        }));
        let expected = format!("{} for desktop and {} for web.", Digest::of("desktop"), Digest::of("web"));
        assert!(error.to_string().contains(&expected), "{error}");
    }
}
