//! The module as text in a TypeScript file: see `crates/packing`.

use std::{fs, path::Path};

use agent_surface_packing::pack;
use anyhow::{Context as _, Result};

/// Writes the TypeScript file that holds `module`, and the module that unpacks it. A file that is right already keeps
/// its time stamp, so that nothing after it is built again.
pub(super) fn write(file: &Path, module: &[u8], unpacker: &[u8]) -> Result<()> {
    let text = source(module, unpacker)?;
    if fs::read_to_string(file).is_ok_and(|present| present == text) {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn source(module: &[u8], unpacker: &[u8]) -> Result<String> {
    // Hexadecimal digits compress to less than base64, which cuts bytes across its own.
    let unpacker: String = unpacker.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!(
        "// Made by `cargo xtask build` from crates/wasm-binding and crates/packing, and not committed.\n\n\
         /** The WebAssembly module; `unpack` reads it. */\n\
         export const PACKED = {{\n  \
         length: {length},\n  \
         text: \"{text}\",\n  \
         unpacker: \"{unpacker}\",\n}};\n",
        length = module.len(),
        text = pack(module)?,
    ))
}
