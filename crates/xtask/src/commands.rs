//! The commands, one file each.

mod bench;
mod build;
mod demo;
mod fixtures;
mod lint;
mod test;

use anyhow::Result;

use crate::{cli::Command, workspace::Workspace};

/// Runs one command to its end.
///
/// # Errors
/// One that says what failed; the details stand on stderr already.
pub(crate) fn run(workspace: &Workspace, command: &Command) -> Result<()> {
    match command {
        Command::Demo { play } => demo::run(workspace, *play),
        Command::Test { suites, campaign } => test::run(workspace, suites, *campaign),
        Command::Build => build::run(workspace),
        Command::Lint { fix } => lint::run(workspace, *fix),
        Command::Bench { names, options } => bench::run(workspace, names, options),
        Command::Fixtures => fixtures::run(workspace),
    }
}
