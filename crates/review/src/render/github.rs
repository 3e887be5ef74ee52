//! Workflow commands of GitHub Actions: an annotation for each finding, then the report for the log.

use agent_surface_manifest::Digest;

use super::findings::{Finding, Level, of_report, of_workspace};
use super::{Options, Verbosity, human};
use crate::{App, Report, Workspace};

pub(super) fn report(report: &Report, options: &Options) -> String {
    let findings = of_report(report, options);
    print(&findings, &human::report(report, &plain(options)), &report.contract.hash().to_hex())
}

pub(super) fn workspace(workspace: &Workspace, options: &Options) -> String {
    let hashes: Vec<String> = workspace
        .apps()
        .iter()
        .map(|(_, app)| match app {
            App::Reported(report) => report.contract.hash().to_hex(),
            App::Failed(message) => Digest::of(message).to_hex(),
        })
        .collect();
    let token = Digest::of(hashes.concat()).to_hex();
    print(&of_workspace(workspace, options), &human::workspace(workspace, &plain(options)), &token)
}

/// A log has no width and no colours of its own.
fn plain(options: &Options) -> Options {
    let verbosity = options.verbosity.min(Verbosity::Normal);
    Options { color: false, width: None, verbosity, ..options.clone() }
}

/// The runner obeys any line that begins with two colons, whoever wrote it; so it is told to obey none while the
/// report is printed. The word that ends that is a hash over what is printed, which nobody can write into it.
fn print(findings: &[Finding<'_>], report: &str, token: &str) -> String {
    let mut out = String::new();
    for finding in findings {
        let command = match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let position =
            finding.position.map(|(line, column)| format!(",line={line},col={column}")).unwrap_or_default();
        out += &format!(
            "::{command} file={}{position},title={}::{}\n",
            escape_property(&finding.file),
            escape_property(&finding.title),
            escape(&finding.message)
        );
    }
    format!("{out}::stop-commands::{token}\n{report}::{token}::\n")
}

fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{escape, escape_property};

    #[test]
    fn nothing_in_a_message_ends_it() {
        assert_eq!(escape("100 %\r\n::error::x"), "100 %25%0D%0A::error::x");
        assert_eq!(escape_property("a,b: c"), "a%2Cb%3A c");
    }
}
