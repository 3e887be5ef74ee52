//! `cargo xtask build`: everything that JavaScript loads, in the order it depends on each other.

use anyhow::Result;

use crate::{addon, node::Node, typescript, wasm, workspace::Workspace};

/// Builds what changed.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    everything(workspace).map(drop)
}

/// Builds what changed; the result is the way to run JavaScript that uses it.
pub(super) fn everything(workspace: &Workspace) -> Result<Node<'_>> {
    let node = packages(workspace)?;
    addon::build(workspace)?;
    Ok(node)
}

/// Builds what the types of the packages depend on: all but the addon, which is the slow part.
pub(super) fn packages(workspace: &Workspace) -> Result<Node<'_>> {
    let node = Node::prepare(workspace)?;
    // npm/core embeds the browser module as a source file, so it comes before TypeScript.
    let module = wasm::build(workspace)?;
    eprintln!("     {} ({} bytes, {})", module.path.display(), module.size, module.toolchain);
    typescript::build(workspace, &node)?;
    Ok(node)
}
