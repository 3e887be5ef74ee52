//! Which steps can be left out: a stamp is the hash of a step's inputs, written when the step succeeded.

use std::{
    fs,
    hash::{DefaultHasher, Hasher as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use crate::workspace::Workspace;

/// Folders that are never an input: outputs, and what packages managers put beside the source.
const OUTPUTS: [&str; 3] = ["node_modules", "dist", "target"];

/// Runs `step` unless it succeeded before with the same bytes in `inputs` (files or whole folders) and
/// `output` is still there.
///
/// # Errors
/// Those of `step`, and a file that cannot be read or written.
pub(crate) fn unless_unchanged(
    workspace: &Workspace,
    name: &str,
    inputs: &[PathBuf],
    output: &Path,
    step: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let stamp = workspace.scratch()?.join(format!("{name}.stamp"));
    let hash = hash(inputs)?;
    if output.exists() && fs::read_to_string(&stamp).is_ok_and(|old| old == hash) {
        return Ok(());
    }
    // Gone while the step runs: an interrupted step must not look finished.
    if stamp.exists() {
        fs::remove_file(&stamp)?;
    }
    step()?;
    fs::write(&stamp, hash).with_context(|| format!("cannot write {}", stamp.display()))
}

/// Hashes names and bytes. The hash may differ between Rust releases, which costs one repeated step.
fn hash(inputs: &[PathBuf]) -> Result<String> {
    let mut files = Vec::new();
    for input in inputs {
        collect(input, &mut files)?;
    }
    files.sort_unstable();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        hasher.write(file.as_os_str().as_encoded_bytes());
        hasher.write_usize(bytes.len());
        hasher.write(&bytes);
    }
    Ok(format!("{:016x}\n", hasher.finish()))
}

/// The files at and below `path`; nothing when there is no such path, so that an input may appear later.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        if path.file_name().is_some_and(|name| OUTPUTS.iter().any(|output| name == *output)) {
            return Ok(());
        }
        for entry in fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))? {
            collect(&entry?.path(), files)?;
        }
    } else if path.exists() {
        files.push(path.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("xtask-stamp-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("source/dist")).unwrap();
        fs::write(folder.join("source/a.ts"), "a").unwrap();
        folder
    }

    #[test]
    fn a_changed_byte_changes_the_hash() {
        let folder = folder("byte");
        let before = hash(&[folder.join("source")]).unwrap();
        fs::write(folder.join("source/a.ts"), "b").unwrap();
        assert_ne!(hash(&[folder.join("source")]).unwrap(), before);
    }

    #[test]
    fn a_renamed_file_changes_the_hash() {
        let folder = folder("name");
        let before = hash(&[folder.join("source")]).unwrap();
        fs::rename(folder.join("source/a.ts"), folder.join("source/b.ts")).unwrap();
        assert_ne!(hash(&[folder.join("source")]).unwrap(), before);
    }

    #[test]
    fn what_a_step_writes_is_not_its_input() {
        let folder = folder("output");
        let before = hash(&[folder.join("source")]).unwrap();
        fs::write(folder.join("source/dist/a.js"), "a").unwrap();
        assert_eq!(hash(&[folder.join("source")]).unwrap(), before);
    }
}
