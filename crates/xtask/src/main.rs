//! `cargo xtask`: every dev command, in one place. What CI runs is what a developer types.
//!
//! One file per command in `commands/`; the rest of the files are the tools that commands share, each named
//! after its noun. Commands say what they do on stderr, print results on stdout, and are silent about a step
//! that succeeds.

mod addon;
mod cli;
mod commands;
mod lockfile;
mod node;
mod packages;
mod stamp;
mod step;
mod tally;
mod typescript;
mod wasm;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match cli::parse(&arguments) {
        Ok(commands) => match run(&commands) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error:#}");
                ExitCode::FAILURE
            }
        },
        // Asking for help is no failure, and clap prints both.
        Err(usage) => usage.exit(),
    }
}

fn run(commands: &[cli::Command]) -> anyhow::Result<()> {
    let workspace = workspace::Workspace::find()?;
    commands.iter().try_for_each(|command| commands::run(&workspace, command))
}
