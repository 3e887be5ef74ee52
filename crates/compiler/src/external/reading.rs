//! A contract file, read: its digest, and the manifest in it where every hash holds.

use std::rc::Rc;

use agent_surface_manifest::{Digest, Manifest, ManifestError};

use super::check::check;
use super::refusal::Refusal;
use crate::message::{ContractFile, MAX_CONTRACT_FILE};

/// What was found where a contract file should be.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The file; none where there is none to be read.
    pub(crate) file: Option<File>,
    /// What is in it, or why it is not to be believed.
    pub(crate) manifest: Result<Manifest, Refusal>,
}

/// A file that could be read.
#[derive(Debug)]
pub(crate) struct File {
    /// Where symbolic links lead.
    pub(crate) path: String,
    pub(crate) text: Rc<str>,
    /// Of its bytes: another layout of the same contract is another file.
    pub(crate) digest: Digest,
}

/// Reads a contract file.
pub(crate) fn read(file: ContractFile) -> Reading {
    let refused = |message: String| Reading { file: None, manifest: Err(Refusal::new(message)) };
    let (path, bytes) = match file {
        ContractFile::Found { path, bytes } => (path, bytes),
        ContractFile::Unreadable { reason } => return refused(format!("cannot be read: {reason}")),
        ContractFile::Outside { path } => {
            return refused(format!(
                "is a link out of its package, to {path}, which the package did not publish"
            ));
        }
        ContractFile::TooLarge { bytes } => {
            return refused(format!("has {bytes} bytes, and {MAX_CONTRACT_FILE} are allowed"));
        }
    };
    let digest = Digest::of(&bytes);
    let text: Rc<str> = match String::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => return refused("is not UTF-8 text".to_owned()),
    };
    let manifest = believe(&text);
    Reading { file: Some(File { path, text, digest }), manifest }
}

/// The manifest that a text is, if every hash in it holds and every entry is one that the compiler could have made.
fn believe(text: &str) -> Result<Manifest, Refusal> {
    let manifest = Manifest::parse(text).map_err(|error| refusal(text, &error))?;
    manifest.verify().map_err(|error| refusal(text, &error))?;
    check(&manifest, text)?;
    Ok(manifest)
}

fn refusal(text: &str, error: &ManifestError) -> Refusal {
    match error {
        ManifestError::Syntax(syntax) => Refusal {
            message: format!("is not JSON: {}", syntax.kind.describe()),
            offset: Some(syntax.offset),
        },
        ManifestError::Shape(shape) => {
            let message = shape.message();
            Refusal::new(format!("does not have the shape of its format: {}", message.trim_end_matches('.')))
        }
        ManifestError::FormatVersion { found } => {
            let mut refusal = Refusal::new(format!("has format version {found}, and this compiler reads version 5"));
            refusal.offset = text.find("\"formatVersion\"");
            refusal
        }
        ManifestError::Incomplete { status } => {
            let mut refusal = Refusal::new(format!("is {status} and not \"proven\""));
            refusal.offset = text.find("\"completeness\"");
            refusal
        }
        ManifestError::ContractHash { capability_id, stated, computed, .. } => Refusal::new(format!(
            "was changed since it was compiled: `{capability_id}` states the hash {stated}, and what it says has {computed}"
        ))
        .at_string(text, &stated.to_hex()),
        ManifestError::ManifestHash { stated, computed } => Refusal::new(format!(
            "was changed since it was compiled: it states the hash {stated}, and what it says has {computed}"
        ))
        .at_string(text, &stated.to_hex()),
        ManifestError::Duplicate { declaration_id, capability_id } => {
            Refusal::new(format!("has `{capability_id}` of {declaration_id} twice")).at_string(text, capability_id)
        }
        // Of several contents and of other rules only a merge can tell.
        ManifestError::Conflict(_) | ManifestError::CompilerVersion { .. } => Refusal::new(error.message()),
    }
}

#[cfg(test)]
mod tests {
    use agent_surface_manifest::{Contract, Effect, Kind};

    use super::*;

    fn manifest() -> Manifest {
        let contract = Contract {
            declaration_id: "src/chart.ts#chart".into(),
            capability_id: "view:chart.zoom".into(),
            kind: Kind::Action,
            description: "Zoom in".into(),
            effect: Effect::LocalState,
            input_schema: Some(agent_surface_json::parse(r#"{"type":"object","properties":{}}"#).unwrap()),
            output_schema: None,
            confirmation: None,
            policies: None,
            tags: None,
            origin: "src/chart.ts".into(),
        };
        Manifest::assemble(vec![contract.seal("web-production")], Vec::new()).unwrap()
    }

    fn found(text: &str) -> Reading {
        read(ContractFile::Found { path: "/x/contract.json".into(), bytes: text.into() })
    }

    /// What is said of a text, and the rest of the line it is shown at.
    fn refusal_of(text: &str) -> (String, Option<String>) {
        let refusal = found(text).manifest.unwrap_err();
        let line = refusal.offset.map(|offset| text[offset..].lines().next().unwrap_or_default().to_owned());
        (refusal.message, line)
    }

    #[test]
    fn a_file_whose_hashes_hold_is_believed_and_has_the_digest_of_its_bytes() {
        let text = manifest().to_file_text();
        let reading = found(&text);
        assert_eq!(reading.manifest, Ok(manifest()));
        assert_eq!(reading.file.unwrap().digest, Digest::of(&text));
        // The same contract in another layout is believed too, and has to be approved anew.
        let compact = found(&manifest().to_json().to_canonical());
        assert_eq!(compact.manifest, Ok(manifest()));
        assert_ne!(compact.file.unwrap().digest, Digest::of(&text));
    }

    #[test]
    fn a_file_that_was_changed_is_refused_where_it_states_the_hash() {
        let text = manifest().to_file_text();
        let (message, line) = refusal_of(&text.replace("Zoom in", "Zoom out"));
        assert!(message.contains("`view:chart.zoom` states the hash"), "{message}");
        assert!(line.unwrap().contains(&manifest().capabilities()[0].contract_hash.to_hex()));
        let (message, line) = refusal_of(
            &text.replace("  \"targets\": [\n    \"web-production\"\n  ]\n}\n", "  \"targets\": []\n}\n"),
        );
        assert!(message.contains("it states the hash"), "{message}");
        assert!(line.unwrap().contains(&manifest().hash().to_hex()));
    }

    #[test]
    fn what_is_no_contract_is_refused_with_its_place() {
        let text = manifest().to_file_text();
        for (text, message, line) in [
            (String::new(), "is not JSON", Some("")),
            ("export default {}".to_owned(), "is not JSON", Some("export default {}")),
            (format!("\u{feff}{text}"), "is not JSON", Some("\u{feff}{")),
            ("{}".to_owned(), "does not have the shape of its format", None),
            ("[]".to_owned(), "does not have the shape of its format", None),
            (
                text.replace("\"formatVersion\": 5", "\"formatVersion\": 6"),
                "has format version 6",
                Some("\"formatVersion\": 6,"),
            ),
            (
                text.replace("proven", "partial"),
                "is \"partial\" and not \"proven\"",
                Some("\"completeness\": {"),
            ),
        ] {
            let (said, shown) = refusal_of(&text);
            assert!(said.contains(message), "{said}");
            assert_eq!(shown.as_deref(), line, "{said}");
        }
    }

    #[test]
    fn what_could_not_be_read_says_why() {
        for (file, message) in [
            (ContractFile::Unreadable { reason: "No such file".into() }, "cannot be read: No such file"),
            (
                ContractFile::Outside { path: "/etc/x.json".into() },
                "is a link out of its package, to /etc/x.json",
            ),
            (ContractFile::TooLarge { bytes: 9_000_000 }, "has 9000000 bytes, and 8388608 are allowed"),
            (ContractFile::Found { path: "/x".into(), bytes: vec![0xFF] }, "is not UTF-8"),
        ] {
            let reading = read(file);
            assert!(reading.file.is_none());
            let refusal = reading.manifest.unwrap_err();
            assert!(refusal.message.contains(message), "{}", refusal.message);
        }
    }
}
