//! Readers of documents: JSON, and the manifest.

use agent_surface_json::{Json, parse};
use agent_surface_manifest::{Entry, Manifest};

/// What is read as JSON is JSON to another reader too, with the same value, and prints to text that is read back
/// as the same.
pub fn read_json(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(value) = parse(text) else { return };
    let canonical = value.to_canonical();
    assert_eq!(parse(&canonical).as_ref(), Ok(&value), "the canonical form is read back");
    assert_eq!(parse(&value.to_pretty()).as_ref(), Ok(&value), "the indented form is read back");
    // Its own bound on nesting is one less than ours.
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let mut values = reader.into_iter::<serde_json::Value>();
    match (values.next(), values.next()) {
        (Some(Ok(other)), None) => {
            let other = parse(&other.to_string());
            assert_eq!(
                other.map(|other| other.to_canonical()),
                Ok(canonical),
                "another reader reads the same"
            );
        }
        other => panic!("another reader refuses what ours takes: {other:?}"),
    }
}

/// What is read as a manifest says all that its text said; whether it verifies does not depend on how it is laid
/// out; and its contracts, sealed again, make a manifest that verifies.
pub fn read_manifest(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(manifest) = Manifest::parse(text) else { return };
    let json = parse(text).expect("what a manifest is read from is JSON");
    assert_eq!(manifest.to_json(), json, "nothing is left out or filled in");
    assert_eq!(manifest.to_file_text(), json.to_pretty() + "\n");

    let read_back = Manifest::parse(&manifest.to_file_text());
    assert_eq!(read_back.as_ref(), Ok(&manifest), "its own file is read back");
    let verified = manifest.verify();
    assert_eq!(read_back.map(|again| again.verify()), Ok(verified.clone()));
    if let Err(error) = &verified {
        assert!(!error.to_string().is_empty());
    }
    seal_again(&manifest);
    if verified.is_ok() {
        refuse_another_hash(&json);
    }
}

/// Assembling what was read makes a manifest of the same contracts that verifies, or names two that contradict each other.
fn seal_again(manifest: &Manifest) {
    let entries: Vec<Entry> = manifest
        .capabilities()
        .iter()
        .flat_map(|entry| entry.targets.iter().map(|target| entry.contract.clone().seal(target.as_str())))
        .collect();
    let Ok(sealed) = Manifest::assemble(entries, manifest.external_contracts().to_vec()) else { return };
    assert_eq!(sealed.verify(), Ok(()), "what is assembled verifies");
    let read_back = Manifest::parse(&sealed.to_file_text());
    assert_eq!(read_back.as_ref(), Ok(&sealed), "what is assembled is read back");
    let again = Manifest::assemble(sealed.capabilities().to_vec(), sealed.external_contracts().to_vec());
    assert_eq!(again, Ok(sealed), "assembling once is enough");
}

/// One digit of the manifest's hash decides.
fn refuse_another_hash(manifest: &Json) {
    let Json::Object(mut object) = manifest.clone() else { return };
    let hash = object.get("hash").and_then(Json::as_str).unwrap_or_default();
    let other = if hash.starts_with('0') { "1" } else { "0" };
    let forged = format!("{other}{}", hash.get(1..).unwrap_or_default());
    object.insert("hash", forged);
    let forged = Manifest::from_json(object.into());
    assert!(forged.is_ok_and(|manifest| manifest.verify().is_err()), "a forged hash is refused");
}
