//! What an environment proves before it knows of others.

use agent_surface_json::Object;
use agent_surface_manifest::Manifest;

use crate::message::{Diagnostic, Located};
use crate::seal::Places;

/// What one environment proved by itself.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) manifest: Manifest,
    pub(crate) located: Vec<Located>,
    /// Where its authors find its capabilities.
    pub(crate) places: Places,
    /// Its proofs by their placeholders, but for the hash of the manifest.
    pub(crate) proofs: Vec<(String, Object)>,
    pub(crate) warnings: Vec<Diagnostic>,
}
