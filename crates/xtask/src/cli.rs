//! The command line: one or several commands, run in the order they are written.

use clap::{Args, Parser, Subcommand, ValueEnum};

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
    Demo {
        /// Another demonstration
        #[arg(value_enum)]
        play: Option<Play>,
    },
    /// Run the test suites, all of them unless some are named
    Test {
        /// Which suites
        #[arg(value_enum)]
        suites: Vec<Suite>,
        #[command(flatten)]
        campaign: Campaign,
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
        /// What each of them is told, behind a `--`
        #[arg(last = true)]
        options: Vec<String>,
    },
    /// Record every snapshot again; read the diff before committing it
    Fixtures,
}

/// A demonstration besides the usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Play {
    /// A browser's agent works the `devices` fixture over WebMCP, up to an oRPC server
    Webmcp,
}

/// The generated programs of `cargo xtask test soundness`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub(crate) struct Campaign {
    /// How many programs the soundness suite generates
    #[arg(long, default_value_t = 1000)]
    pub(crate) programs: u64,
    /// The seed of the first; the others follow it
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
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
    /// Generated programs: what the compiler proves of each against what it does in Node
    Soundness,
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

/// Cuts before every command's name but the first word, up to a `--`. No words are one empty command: clap explains.
fn split(arguments: &[String]) -> Vec<&[String]> {
    let end = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let starts = (1..end).filter(|&index| Command::has_subcommand(&arguments[index]));
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

    /// What is run unless told.
    const USUAL: Campaign = Campaign { programs: 1000, seed: 0 };

    fn parse_words(line: &str) -> Result<Vec<Command>, clap::Error> {
        parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn several_commands_follow_each_other() {
        assert_eq!(
            parse_words("lint test").unwrap(),
            [Command::Lint { fix: false }, Command::Test { suites: vec![], campaign: USUAL }]
        );
    }

    #[test]
    fn arguments_belong_to_the_command_before_them() {
        assert_eq!(
            parse_words("lint --fix test rust node bench compile").unwrap(),
            [
                Command::Lint { fix: true },
                Command::Test { suites: vec![Suite::Rust, Suite::Node], campaign: USUAL },
                Command::Bench { names: vec!["compile".into()], options: vec![] },
            ]
        );
    }

    #[test]
    fn what_follows_two_dashes_is_for_the_benchmark() {
        assert_eq!(
            parse_words("build bench compile -- --runs 3 build").unwrap(),
            [
                Command::Build,
                Command::Bench {
                    names: vec!["compile".into()],
                    options: vec!["--runs".into(), "3".into(), "build".into()],
                },
            ]
        );
    }

    #[test]
    fn a_campaign_is_as_long_as_it_is_told() {
        let campaign = Campaign { programs: 5000, seed: 7 };
        assert_eq!(
            parse_words("test soundness --programs 5000 --seed 7").unwrap(),
            [Command::Test { suites: vec![Suite::Soundness], campaign }]
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
