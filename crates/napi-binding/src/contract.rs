//! Contracts as values: their one spelling, and whether to believe one.

use agent_surface_json::parse;
use agent_surface_manifest::{Manifest, format};
use napi::{Error, Result, Status};
use napi_derive::napi;

/// The canonical form of a JSON text, or the same order indented by two spaces; without a final newline.
///
/// # Errors
/// The text is no JSON, or has what I-JSON cannot carry.
#[napi(catch_unwind)]
pub fn canonical_json(text: String, pretty: bool) -> Result<String> {
    let value = parse(&text)
        .map_err(|error| Error::new(Status::InvalidArg, format!("not canonical JSON: {error}")))?;
    Ok(if pretty { value.to_pretty() } else { value.to_canonical() })
}

/// Why a contract is not to be believed; none where every hash in it holds.
#[napi(catch_unwind)]
pub fn verify_manifest(text: String) -> Option<String> {
    Manifest::parse(&text).and_then(|manifest| manifest.verify()).err().map(|error| error.message())
}

/// The version of the rules, as it stands in every contract.
#[napi(catch_unwind)]
pub fn compiler_version() -> &'static str {
    format::COMPILER_VERSION
}
