//! `cargo xtask test`: runs the suites and ends with one line of sums, `N passed, N failed, N skipped`.

use std::{
    env,
    ffi::OsString,
    fs,
    io::{self, Write as _},
    path::PathBuf,
    process::Command,
};

use anyhow::{Context as _, Result, bail, ensure};

use super::build;
use crate::{
    cli::{Campaign, Suite},
    node::Node,
    step,
    tally::Tally,
    workspace::Workspace,
};

/// Vitest's command line.
pub(super) const VITEST: &str = "node_modules/vitest/vitest.mjs";

/// Names the folder of reference data that no registry ships; tests that need it skip without it.
const TEST_DATA: &str = "AGENT_SURFACE_TEST_DATA";

/// Names the browser to test in; otherwise one is looked for.
pub(super) const CHROMIUM: &str = "CHROMIUM_PATH";

/// What Chromium is called where packages install it.
const CHROMIUM_NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Where it is on macOS, which has no programs of applications on the search path.
const CHROMIUM_APPLICATIONS: [&str; 2] = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// What is run when nothing is named.
const ALL: &[Suite] = &[Suite::Rust, Suite::Node, Suite::Browser, Suite::Soundness];

/// Runs `suites` (all when none is named) to their end, whatever fails on the way.
///
/// # Errors
/// When a test failed or a suite could not run; the sums are printed first.
pub(crate) fn run(workspace: &Workspace, suites: &[Suite], campaign: Campaign) -> Result<()> {
    let suites = if suites.is_empty() { ALL } else { suites };
    let mut sum = Tally::default();
    for suite in suites {
        let tally = match suite {
            Suite::Rust => rust(workspace),
            Suite::Node => node(workspace),
            Suite::Browser => browser(workspace),
            Suite::Soundness => soundness(workspace, campaign),
        };
        sum += tally.unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            Tally::default().with_outcome(false)
        });
    }
    writeln!(io::stdout(), "{sum}")?;
    if sum.failed > 0 { bail!("{} failed", sum.failed) } else { Ok(()) }
}

/// Hands over the folder of reference data, absolute: test binaries run in the folders of their crates.
pub(super) fn pass_test_data(command: &mut Command) -> Result<()> {
    if let Some(folder) = env::var_os(TEST_DATA).filter(|folder| !folder.is_empty()) {
        let absolute = fs::canonicalize(&folder)
            .with_context(|| format!("{TEST_DATA} names {}, which is not there", folder.display()))?;
        command.env(TEST_DATA, absolute);
    } else {
        command.env_remove(TEST_DATA);
    }
    Ok(())
}

fn rust(workspace: &Workspace) -> Result<Tally> {
    // Shown output is where a test that passed says that it had nothing to test.
    let mut command = workspace.cargo(&["test", "--workspace", "--no-fail-fast", "--", "--show-output"]);
    pass_test_data(&mut command)?;
    let outcome = step::capture("test the crates", command)?;
    if !outcome.success {
        eprintln!("{}", outcome.output.trim_end());
    }
    Ok(report("rust", Tally::of_libtest(&outcome.output).with_outcome(outcome.success)))
}

fn node(workspace: &Workspace) -> Result<Tally> {
    let node = build::everything(workspace)?;
    let mut sum = Tally::default();
    for project in ["node", "react18", "devices"] {
        sum += vitest(workspace, &node, project, |_| ())?;
    }
    Ok(sum)
}

fn browser(workspace: &Workspace) -> Result<Tally> {
    let chromium = need_chromium()?;
    let node = build::everything(workspace)?;
    vitest(workspace, &node, "browser", |command| {
        command.env(CHROMIUM, &chromium);
    })
}

/// The browser to run in.
///
/// # Errors
/// Where there is none, or none where the environment says.
pub(super) fn need_chromium() -> Result<PathBuf> {
    find_chromium(env::var_os(CHROMIUM), env::var_os("PATH"))
}

/// Generates programs and holds what is proven of them against what they do. Findings are shown when there are
/// any; the line of counts always, for it also tells what the sums don't: how many were refused or overtaken.
fn soundness(workspace: &Workspace, campaign: Campaign) -> Result<Tally> {
    Node::prepare(workspace)?;
    let (programs, seed) = (campaign.programs.to_string(), campaign.seed.to_string());
    let command = workspace.cargo(&[
        "run",
        "--quiet",
        "--package",
        "agent-surface-soundness",
        "--",
        "--programs",
        &programs,
        "--seed",
        &seed,
    ]);
    let outcome = step::capture(&format!("prove {programs} generated programs and run them"), command)?;
    if outcome.success {
        eprintln!("{}", outcome.output.lines().last().unwrap_or_default());
    } else {
        eprintln!("{}", outcome.output.trim_end());
    }
    let counted = Tally::of_soundness(&outcome.output);
    let tally = counted.unwrap_or_default().with_outcome(outcome.success && counted.is_some());
    Ok(report("soundness", tally))
}

/// Runs one project of vitest.config.ts; the sums come from its JSON report, the words on failure from its
/// ordinary one.
fn vitest(
    workspace: &Workspace,
    node: &Node<'_>,
    project: &str,
    prepare: impl FnOnce(&mut Command),
) -> Result<Tally> {
    let file = workspace.scratch()?.join(format!("vitest-{project}.json"));
    if file.exists() {
        fs::remove_file(&file)?;
    }
    let to_file = format!("--outputFile.json={}", file.display());
    let mut command = node.script(
        VITEST,
        ["run", "--project", project, "--reporter", "default", "--reporter", "json", &to_file],
    );
    pass_test_data(&mut command)?;
    prepare(&mut command);
    let outcome = step::capture(&format!("test in {project}"), command)?;
    if !outcome.success {
        eprintln!("{}", outcome.output.trim_end());
    }
    let counted = fs::read_to_string(&file).ok().and_then(|json| Tally::of_vitest(&json));
    // Without a report nothing is known to have passed, whatever the exit code says.
    let tally = counted.unwrap_or_default().with_outcome(outcome.success && counted.is_some());
    Ok(report(project, tally))
}

/// Says the sums of one suite on stderr; only the sum of all stands on stdout.
fn report(suite: &str, tally: Tally) -> Tally {
    eprintln!("{suite}: {tally}");
    tally
}

/// The browser that the environment names, else the first one on the search path.
fn find_chromium(named: Option<OsString>, path: Option<OsString>) -> Result<PathBuf> {
    if let Some(named) = named.filter(|named| !named.is_empty()).map(PathBuf::from) {
        ensure!(named.is_file(), "{CHROMIUM} names {}, which is no file", named.display());
        return Ok(named);
    }
    let path = path.unwrap_or_default();
    CHROMIUM_NAMES
        .iter()
        .flat_map(|name| env::split_paths(&path).map(move |folder| folder.join(name)))
        .chain(CHROMIUM_APPLICATIONS.map(PathBuf::from))
        .find(|candidate| candidate.is_file())
        .with_context(|| {
            format!(
                "no Chromium: set {CHROMIUM} to one, or install it (Debian: apt-get install chromium; macOS: brew \
                 install --cask chromium)"
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browser_that_is_named_is_taken_or_nothing_is() {
        let folder = env::temp_dir().join(format!("xtask-chromium-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let named = folder.join("my-browser");
        let refusal = find_chromium(Some(named.clone().into()), Some(folder.clone().into())).unwrap_err();
        assert_eq!(refusal.to_string(), format!("{CHROMIUM} names {}, which is no file", named.display()));
        fs::write(&named, "").unwrap();
        assert_eq!(find_chromium(Some(named.clone().into()), None).unwrap(), named);
        // An empty name is none.
        let found = folder.join("google-chrome");
        fs::write(&found, "").unwrap();
        assert_eq!(find_chromium(Some(OsString::new()), Some(folder.clone().into())).unwrap(), found);
        fs::remove_dir_all(&folder).unwrap();
    }
}
