//! Reports as text.

mod changes;
mod explanation;
mod findings;
mod github;
mod human;
mod inventory;
mod json;
mod markdown;
mod paint;
mod sarif;

use agent_surface_words::words;

use crate::{Report, Workspace};

words! {
    /// The forms that a report can have.
    pub enum Format {
        /// For a person at a terminal, or reading a log.
        Human = "human",
        /// For programs: canonical JSON, with a published schema.
        Json = "json",
        /// Markdown that fits a comment on a pull request.
        Markdown = "md",
        /// Workflow commands of GitHub Actions, which annotate files, and a plain report for the log.
        Github = "github",
        /// SARIF 2.1.0, for code scanning.
        Sarif = "sarif",
    }
}

words! {
    /// How much the report for people tells. The others always tell all.
    pub enum Verbosity {
        /// Counts and verdicts.
        Min = "min",
        /// What the command is run for.
        Normal = "normal",
        /// Everything.
        Detail = "detail",
    }
}

/// How to render, beside the format. Nothing here changes what a report says.
#[derive(Clone, Debug)]
pub struct Options {
    /// How much the report for people tells.
    pub verbosity: Verbosity,
    /// Whether to colour the report for people.
    pub color: bool,
    /// The columns of the terminal; `None` where lines may have any length.
    pub width: Option<usize>,
    /// The app's path from the repository's root, for formats that name files of a repository; `""` where the two are
    /// one.
    pub prefix: String,
    /// The version of the tool, for formats that name their author.
    pub version: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            verbosity: Verbosity::Normal,
            color: false,
            width: None,
            prefix: String::new(),
            version: String::new(),
        }
    }
}

/// The narrowest terminal that lines are fitted to. Anything narrower wraps by itself as well as it can.
const MIN_WIDTH: usize = 40;

impl Options {
    fn width(&self) -> Option<usize> {
        self.width.map(|width| width.max(MIN_WIDTH))
    }

    /// A file of the app, from the repository's root.
    fn file(&self, path: &str) -> String {
        join_path(&self.prefix, path)
    }
}

/// Joins a folder and a path in it, which may climb out of it.
fn join_path(folder: &str, path: &str) -> String {
    let mut segments: Vec<&str> = folder.split('/').filter(|it| !it.is_empty() && *it != ".").collect();
    for segment in path.split('/') {
        match segment {
            ".." if segments.last().is_some_and(|last| *last != "..") => drop(segments.pop()),
            "." | "" => {}
            segment => segments.push(segment),
        }
    }
    segments.join("/")
}

pub(crate) fn report(report: &Report, format: Format, options: &Options) -> String {
    match format {
        Format::Human => human::report(report, options),
        Format::Json => json::print(json::report(report)),
        Format::Markdown => markdown::report(report),
        Format::Github => github::report(report, options),
        Format::Sarif => sarif::report(report, options),
    }
}

pub(crate) fn workspace(workspace: &Workspace, format: Format, options: &Options) -> String {
    match format {
        Format::Human => human::workspace(workspace, options),
        Format::Json => json::print(json::workspace(workspace)),
        Format::Markdown => markdown::workspace(workspace),
        Format::Github => github::workspace(workspace, options),
        Format::Sarif => sarif::workspace(workspace, options),
    }
}

/// A text of the app's on one line. A description may have line ends in it, and escape sequences, which are not for
/// a terminal to obey.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    visible(&words.join(" "))
}

/// A line with its blanks as they are, and nothing in it for a terminal to obey.
fn visible(line: &str) -> String {
    line.replace(|char: char| char.is_control() || is_bidi_control(char), "\u{FFFD}")
}

/// Characters that make a line read in another order than it is stored.
const fn is_bidi_control(char: char) -> bool {
    matches!(char, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// `1 capability`, `2 capabilities`.
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::join_path;

    #[test]
    fn a_path_that_climbs_out_of_the_app_is_still_one_of_the_repository() {
        assert_eq!(join_path("apps/shop", "src/a.ts"), "apps/shop/src/a.ts");
        assert_eq!(join_path("apps/shop", "../shared/a.ts"), "apps/shared/a.ts");
        assert_eq!(join_path("", "src/a.ts"), "src/a.ts");
        assert_eq!(join_path("", "../a.ts"), "../a.ts");
        assert_eq!(join_path(".", "./a.ts"), "a.ts");
    }
}
