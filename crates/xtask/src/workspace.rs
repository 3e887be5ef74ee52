//! Where the checkout is, and the programs that run in it.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, bail};

/// The checkout that the commands work on.
#[derive(Debug)]
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Finds the checkout around the current folder, so that a command works from anywhere inside it.
    pub(crate) fn find() -> Result<Self> {
        let here = env::current_dir().context("the current folder cannot be read")?;
        match here.ancestors().find(|folder| folder.join("crates/xtask/Cargo.toml").is_file()) {
            Some(root) => Ok(Self { root: root.to_owned() }),
            None => bail!("{} is not inside a checkout of agent-surface", here.display()),
        }
    }

    /// The absolute path of a file of the checkout, named with `/`.
    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Where xtask keeps its stamps and the reports of test runners.
    pub(crate) fn scratch(&self) -> Result<PathBuf> {
        let folder = self.path("target/xtask");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(folder)
    }

    /// Any program, started in the root of the checkout.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    /// The cargo that runs us, so that toolchain choices (`cargo +nightly xtask`) hold all the way down.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments);
        command
    }
}
