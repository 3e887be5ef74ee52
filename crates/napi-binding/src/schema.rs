//! JSON Schemas that no build has evaluated: what a library says of one, within the subset.

use agent_surface_json::parse;
use napi::{Error, Result, Status};
use napi_derive::napi;

/// The document of a schema library restated within the subset, in canonical form; none where nothing of it has to be.
/// `vendor` is the library, as Standard Schema calls it.
///
/// # Errors
/// The text is no JSON, or has what I-JSON cannot carry.
#[napi(catch_unwind)]
pub fn normalize_schema(text: String, vendor: String) -> Result<Option<String>> {
    let document =
        parse(&text).map_err(|error| Error::new(Status::InvalidArg, format!("no JSON: {error}")))?;
    let normalized = agent_surface_schema::normalize(document.clone(), &vendor);
    Ok((normalized != document).then(|| normalized.to_canonical()))
}
