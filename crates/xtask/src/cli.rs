//! The command line: one or several commands, run in the order they are written.

use clap::{Parser, Subcommand, ValueEnum};

/// Dev commands of agent-surface. Several can follow each other: `cargo xtask lint test`.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Line {
    #[command(subcommand)]
    command: Command,
}

/// One command with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub(crate) enum Command {
    /// Build the `devices` fixture with Vite, run the bundle and print what it may expose
    Demo,
    /// Run the test suites, all of them unless some are named
    Test {
        /// Which suites
        #[arg(value_enum)]
        suites: Vec<Suite>,
    },
    /// Build the wasm kernel, the Node addon and the TypeScript packages
    Build,
    /// Check formats, types, lints and locks of both languages
    Lint {
        /// Repair what can be repaired by itself, then check
        #[arg(long)]
        fix: bool,
    },
    /// Measure; every file of `tests/bench` is one benchmark
    Bench {
        /// Which benchmarks (`compile`, …); all unless some are named
        names: Vec<String>,
    },
    /// Record every snapshot again; read the diff before committing it
    Fixtures,
}

/// A part of the tests that can run alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Suite {
    /// `cargo test` of the workspace
    Rust,
    /// Vitest over the npm packages and `tests/`
    Node,
    /// `tests/browser` in a real Chromium
    Browser,
}

/// Reads `lint test rust node` as two commands: a word that names a command starts one.
///
/// # Errors
/// clap's own, also for `--help`: [`clap::Error::exit`] prints it and leaves with the right code.
pub(crate) fn parse(arguments: &[String]) -> Result<Vec<Command>, clap::Error> {
    split(arguments).into_iter().map(parse_one).collect()
}

fn parse_one(words: &[String]) -> Result<Command, clap::Error> {
    let program = std::iter::once("cargo xtask");
    Line::try_parse_from(program.chain(words.iter().map(String::as_str))).map(|line| line.command)
}

/// Cuts before every command's name but the first word. No words are one empty command: clap explains.
fn split(arguments: &[String]) -> Vec<&[String]> {
    let starts = (1..arguments.len()).filter(|&index| Command::has_subcommand(&arguments[index]));
    let mut parts = Vec::new();
    let mut from = 0;
    for start in starts {
        parts.push(&arguments[from..start]);
        from = start;
    }
    parts.push(&arguments[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(line: &str) -> Result<Vec<Command>, clap::Error> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn several_commands_follow_each_other() {
        assert_eq!(
            parse_words("lint test").unwrap(),
            [Command::Lint { fix: false }, Command::Test { suites: vec![] }]
        );
    }

    #[test]
    fn arguments_belong_to_the_command_before_them() {
        assert_eq!(
            parse_words("lint --fix test rust node bench compile").unwrap(),
            [
                Command::Lint { fix: true },
                Command::Test { suites: vec![Suite::Rust, Suite::Node] },
                Command::Bench { names: vec!["compile".into()] },
            ]
        );
    }

    #[test]
    fn a_word_that_is_neither_command_nor_suite_is_refused() {
        let refusal = parse_words("test rusty").unwrap_err();
        assert_eq!(refusal.kind(), clap::error::ErrorKind::InvalidValue);
    }

    #[test]
    fn no_command_shows_the_help() {
        let refusal = parse_words("").unwrap_err();
        assert_eq!(refusal.kind(), clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand);
    }
}
