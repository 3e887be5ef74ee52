//! The manifest: every capability of a build, and the hash of it all.

use agent_surface_json::{Json, Object, indent, parse};

use crate::{
    Digest, Entry, ExternalContract, ManifestError,
    format::{COMPLETENESS_PROVEN, FORMAT_VERSION, field},
    shape::{self, Members},
};

/// A manifest of format 5, complete by its own account.
///
/// There are two ways to one. [`Manifest::assemble`] makes it of entries, and what it makes verifies.
/// [`Manifest::parse`] reads what somebody else made: it has the right shape, and nothing in it may be trusted
/// before [`Manifest::verify`] has passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    pub(crate) compiler_version: String,
    pub(crate) targets: Vec<String>,
    pub(crate) capabilities: Vec<Entry>,
    pub(crate) external_contracts: Vec<ExternalContract>,
    pub(crate) hash: Digest,
}

impl Manifest {
    /// Reads a manifest's text, laid out in whatever way.
    ///
    /// The shape is closed: a member that format 5 does not have is refused and not skipped, so the typed
    /// manifest is all that the text said, and hashing the one is hashing the other.
    ///
    /// # Errors
    /// The text is no JSON, of another format version, not declared complete, or of another shape.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        Self::from_json(parse(text).map_err(ManifestError::Syntax)?)
    }

    /// Reads a manifest that is JSON already, as [`Manifest::parse`] reads its text.
    ///
    /// # Errors
    /// As [`Manifest::parse`], but for the syntax.
    pub fn from_json(value: Json) -> Result<Self, ManifestError> {
        // The version comes first: of another format, nothing else can be said.
        if let Some(version) = value.get(field::FORMAT_VERSION)
            && *version != Json::from(FORMAT_VERSION)
        {
            return Err(ManifestError::FormatVersion { found: version.to_canonical() });
        }
        if let Some(status) = value.get(field::COMPLETENESS).and_then(|it| it.get(field::STATUS))
            && status.as_str() != Some(COMPLETENESS_PROVEN)
        {
            return Err(ManifestError::Incomplete { status: status.to_canonical() });
        }
        shape::read(value, Self::read).map_err(ManifestError::Shape)
    }

    fn read(members: &mut Members<'_>) -> Self {
        // That these two have the one value they may have was seen to; here it counts that they are there.
        let _ = members.required(field::FORMAT_VERSION);
        members.required(field::COMPLETENESS).members(|it| drop(it.required(field::STATUS)));
        Self {
            targets: members.required(field::TARGETS).items(|target| target.text()),
            hash: members.required(field::HASH).digest(),
            external_contracts: members
                .required(field::EXTERNAL_CONTRACTS)
                .items(|contract| contract.members(ExternalContract::read)),
            compiler_version: members.required(field::COMPILER_VERSION).text(),
            capabilities: members.required(field::CAPABILITIES).items(|entry| entry.members(Entry::read)),
        }
    }

    /// The revision of the contract rules by which it was made.
    #[must_use]
    pub fn compiler_version(&self) -> &str {
        &self.compiler_version
    }

    /// The build targets that have a capability.
    #[must_use]
    pub fn targets(&self) -> &[String] {
        &self.targets
    }

    /// The entries, in the order of the file.
    #[must_use]
    pub fn capabilities(&self) -> &[Entry] {
        &self.capabilities
    }

    /// The dependencies that contribute capabilities, in the order of the file.
    #[must_use]
    pub fn external_contracts(&self) -> &[ExternalContract] {
        &self.external_contracts
    }

    /// The hash of the manifest, as stated: [`Manifest::verify`] tells whether it is right.
    #[must_use]
    pub fn hash(&self) -> Digest {
        self.hash
    }

    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut completeness = Object::new();
        completeness.insert(field::STATUS, COMPLETENESS_PROVEN);
        let mut object = Object::new();
        object.insert(field::CAPABILITIES, self.capabilities.iter().map(Entry::to_json).collect::<Vec<_>>());
        object.insert(field::COMPILER_VERSION, self.compiler_version.as_str());
        object.insert(field::COMPLETENESS, completeness);
        object.insert(
            field::EXTERNAL_CONTRACTS,
            self.external_contracts.iter().map(ExternalContract::to_json).collect::<Vec<_>>(),
        );
        object.insert(field::FORMAT_VERSION, FORMAT_VERSION);
        object.insert(field::HASH, self.hash.to_hex());
        object.insert(field::TARGETS, self.targets.clone());
        object.into()
    }

    /// The text of the contract file: the canonical form indented by two spaces, and a final newline.
    #[must_use]
    pub fn to_file_text(&self) -> String {
        self.to_texts().file
    }

    /// The canonical text and that of the contract file, of one printing.
    #[must_use]
    pub fn to_texts(&self) -> Texts {
        let canonical = self.to_canonical();
        let mut file = indent(&canonical);
        file.push('\n');
        Texts { canonical, file }
    }
}

/// A manifest's two spellings.
#[derive(Clone, Debug)]
pub struct Texts {
    /// As it is hashed and handed to an authority.
    pub canonical: String,
    /// As it is written: see [`Manifest::to_file_text`].
    pub file: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ShapeProblem, sample};

    #[test]
    fn both_texts_are_those_of_the_json() {
        let manifest = manifest();
        let texts = manifest.to_texts();
        let json = manifest.to_json();
        assert_eq!(texts.canonical, json.to_canonical());
        assert_eq!(texts.file, json.to_pretty() + "\n");
    }

    fn manifest() -> Manifest {
        Manifest::assemble(vec![sample::full().seal("web")], Vec::new()).unwrap()
    }

    fn refusal(change: impl FnOnce(&mut Object)) -> ManifestError {
        let Json::Object(mut object) = manifest().to_json() else { unreachable!() };
        change(&mut object);
        Manifest::from_json(object.into()).unwrap_err()
    }

    #[test]
    fn the_file_is_indented_and_ends_in_a_newline() {
        let text = Manifest::assemble(Vec::new(), Vec::new()).unwrap().to_file_text();
        let expected = concat!(
            "{\n  \"capabilities\": [],\n  \"compilerVersion\": \"0.17.0\",\n",
            "  \"completeness\": {\n    \"status\": \"proven\"\n  },\n",
            "  \"externalContracts\": [],\n  \"formatVersion\": 5,\n  \"hash\": \"",
        );
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("\",\n  \"targets\": []\n}\n"), "{text}");
    }

    #[test]
    fn how_the_text_is_laid_out_does_not_matter() {
        let manifest = manifest();
        assert_eq!(Manifest::parse(&manifest.to_json().to_canonical()).as_ref(), Ok(&manifest));
        assert_eq!(Manifest::parse(&format!(" {}\n", manifest.to_file_text())), Ok(manifest));
    }

    #[test]
    fn text_that_is_no_json_is_refused() {
        let text = manifest().to_file_text();
        assert!(matches!(Manifest::parse(&text[..text.len() - 3]), Err(ManifestError::Syntax(_))));
    }

    #[test]
    fn another_format_version_is_refused_before_anything_else_is_looked_at() {
        for (version, found) in [(Json::from(6), "6"), (Json::from("5"), "\"5\""), (Json::Null, "null")] {
            let error = refusal(|object| {
                object.insert("formatVersion", version);
                object.insert("something", "new");
                object.remove("hash");
            });
            assert_eq!(error, ManifestError::FormatVersion { found: found.into() });
        }
    }

    #[test]
    fn a_manifest_that_is_not_proven_whole_is_refused() {
        let partial: Object = [("status", "partial")].into_iter().collect();
        let error = refusal(|object| drop(object.insert("completeness", partial)));
        assert_eq!(error, ManifestError::Incomplete { status: "\"partial\"".into() });
    }

    #[test]
    fn a_missing_member_is_refused() {
        for name in [
            "capabilities",
            "compilerVersion",
            "completeness",
            "externalContracts",
            "formatVersion",
            "hash",
            "targets",
        ] {
            let ManifestError::Shape(error) = refusal(|object| drop(object.remove(name))) else {
                panic!("{name}")
            };
            assert_eq!(
                (error.pointer.to_string(), error.problem),
                (format!("/{name}"), ShapeProblem::Missing)
            );
        }
    }

    #[test]
    fn an_unknown_member_is_refused_wherever_it_stands() {
        let at_root = refusal(|object| drop(object.insert("signature", "")));
        let in_completeness = refusal(|object| {
            let completeness: Object = [("status", "proven"), ("except", "")].into_iter().collect();
            object.insert("completeness", completeness);
        });
        for (error, pointer) in [(at_root, "/signature"), (in_completeness, "/completeness/except")] {
            let ManifestError::Shape(error) = error else { panic!("{error}") };
            assert_eq!((error.pointer.as_str(), error.problem), (pointer, ShapeProblem::Unknown));
        }
    }

    #[test]
    fn the_place_of_a_refusal_is_named_from_the_root_of_the_file() {
        let text = manifest().to_file_text().replace("authorize", "late");
        let ManifestError::Shape(error) = Manifest::parse(&text).unwrap_err() else { panic!() };
        assert_eq!(error.pointer.as_str(), "/capabilities/0/policies/0/phase");
    }

    #[test]
    fn what_is_no_object_is_no_manifest() {
        let ManifestError::Shape(error) = Manifest::parse("[]").unwrap_err() else { panic!() };
        assert_eq!(error.message(), "the document must be an object, not an array");
    }
}
