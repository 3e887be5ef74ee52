//! Finding a compiler for WebAssembly.
//!
//! Rust's own builds of the standard library come from a server that not every machine may reach, so there is
//! a second source: Debian carries a compiler for the web, the library's sources and the linker.

use std::{
    env,
    ffi::{OsStr, OsString},
    fmt,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Result, bail, ensure};

use super::{debian, read};

/// The target triple of the browser module.
pub(super) const TARGET: &str = "wasm32-unknown-unknown";

/// A compiler that can make WebAssembly, and how to have cargo use it.
#[derive(Debug)]
pub(super) enum Toolchain {
    /// The active toolchain has the target's standard library already.
    Active,
    /// The target was added to the active toolchain just now.
    Rustup,
    /// Debian's packages, unpacked in a private folder; the standard library is compiled with the module.
    Debian(debian::Toolchain),
}

impl Toolchain {
    /// Tries each way in turn: what is there, what rustup may fetch, what Debian carries.
    ///
    /// # Errors
    /// Why every way is closed, and the line to run.
    pub(super) fn find() -> Result<Self> {
        if active_has_target()? {
            return Ok(Self::Active);
        }
        let rustup = match add_with_rustup() {
            Ok(()) => return Ok(Self::Rustup),
            Err(refusal) => refusal,
        };
        let debian = match debian::Toolchain::find() {
            Ok(toolchain) => return Ok(Self::Debian(toolchain)),
            Err(refusal) => refusal,
        };
        bail!(
            "no compiler for {TARGET}\n  active toolchain: has no standard library for it\n  rustup: \
             {rustup:#}\n  Debian's packages: {debian:#}\nrun `rustup target add {TARGET}` and try again"
        )
    }

    /// What cargo is told besides the package, the profile and the target.
    pub(super) fn cargo_arguments(&self) -> &'static [&'static str] {
        match self {
            Self::Active | Self::Rustup => &[],
            Self::Debian(_) => &[
                "-Zbuild-std=core,alloc,std,panic_abort",
                // The library's own size switch; of what is used here it makes sorting and number code small.
                "-Zbuild-std-features=optimize_for_size",
            ],
        }
    }

    /// Flags for every crate of the module.
    pub(super) fn rust_flags(&self) -> &'static [&'static str] {
        match self {
            Self::Active | Self::Rustup => &[],
            // A panic traps at once: no message is formatted, so neither code nor text for it is shipped. It has
            // to hold for the standard library too, which is why only a toolchain that compiles it can do so.
            // Nor is there anybody to be told in which line it happened.
            Self::Debian(_) => &["-Zunstable-options", "-Cpanic=immediate-abort", "-Zlocation-detail=none"],
        }
    }

    /// Variables for cargo and all that it starts.
    pub(super) fn environment(&self) -> Vec<(&'static str, OsString)> {
        match self {
            Self::Active | Self::Rustup => Vec::new(),
            Self::Debian(toolchain) => toolchain.environment(),
        }
    }
}

impl fmt::Display for Toolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Active => write!(f, "the active toolchain"),
            Self::Rustup => write!(f, "the active toolchain, to which rustup added {TARGET}"),
            Self::Debian(toolchain) => write!(f, "{toolchain}"),
        }
    }
}

/// Whether the active toolchain has the target's `core`: `rustc` names the folder even where it is missing.
fn active_has_target() -> Result<bool> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let folder = read(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]))?;
    Ok(holds_core(Path::new(folder.trim())))
}

fn holds_core(folder: &Path) -> bool {
    let Ok(files) = folder.read_dir() else { return false };
    files.flatten().any(|file| {
        let name: PathBuf = file.file_name().into();
        name.extension() == Some(OsStr::new("rlib")) && name.to_string_lossy().starts_with("libcore-")
    })
}

fn add_with_rustup() -> Result<()> {
    ensure!(
        env::var_os("RUSTUP_AUTO_INSTALL").as_deref() != Some(OsStr::new("0")),
        "RUSTUP_AUTO_INSTALL=0 says not to install"
    );
    read(Command::new("rustup").args(["target", "add", TARGET])).map(drop)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_target_counts_as_installed_only_with_its_core_library() {
        let folder = env::temp_dir().join(format!("agent-surface-libdir-{}", std::process::id()));
        assert!(!holds_core(&folder));
        fs::create_dir_all(&folder).unwrap();
        assert!(!holds_core(&folder));
        fs::write(folder.join("libcore-0123456789abcdef.rlib"), "").unwrap();
        assert!(holds_core(&folder));
        fs::remove_dir_all(&folder).unwrap();
    }
}
