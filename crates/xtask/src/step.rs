//! One external program as one step of a command: announced, silent while it goes well, loud when it fails.

use std::{
    io::{self, IsTerminal as _, Read as _},
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context as _, Result, bail};

/// How a program ended.
pub(crate) struct Outcome {
    /// Whether it left with code 0.
    pub(crate) success: bool,
    /// Everything it printed on stdout and stderr, in the order it was printed.
    pub(crate) output: String,
}

/// Runs `command` to its end; its output is shown only when it fails.
///
/// # Errors
/// When the program cannot be started or does not leave with code 0.
pub(crate) fn run(title: &str, command: Command) -> Result<()> {
    let outcome = capture(title, command)?;
    if !outcome.success {
        eprintln!("{}", outcome.output.trim_end());
        bail!("{title} failed");
    }
    Ok(())
}

/// Runs `command` to its end and hands over what it printed, whether it failed or not.
///
/// # Errors
/// When the program cannot be started.
pub(crate) fn capture(title: &str, mut command: Command) -> Result<Outcome> {
    announce(title);
    let started = Instant::now();
    // One pipe for both streams keeps the lines of a failure in the order they were written.
    let (mut reader, writer) = io::pipe().context("cannot open a pipe")?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = spawn(&mut command)?;
    // The command still holds the writing ends; the pipe ends only when the last of them is closed.
    drop(command);
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    let status = child.wait()?;
    let success = status.success();
    eprintln!("{} {title} ({:.1} s)", if success { "done" } else { "FAIL" }, started.elapsed().as_secs_f64());
    Ok(Outcome { success, output: String::from_utf8_lossy(&output).into_owned() })
}

/// Runs a cargo command whose stdout is read by us and whose stderr is for people: shown live in a terminal
/// (a release build takes minutes, and cargo has a progress bar), otherwise only when it fails.
///
/// # Errors
/// When cargo cannot be started or does not leave with code 0.
pub(crate) fn read_stdout(title: &str, mut command: Command) -> Result<String> {
    announce(title);
    let started = Instant::now();
    let live = io::stderr().is_terminal();
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(if live { Stdio::inherit() } else { Stdio::piped() });
    let output = spawn(&mut command)?.wait_with_output()?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        bail!("{title} failed");
    }
    eprintln!("done {title} ({:.1} s)", started.elapsed().as_secs_f64());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program whose output is the result: it writes straight to our own stdout and stderr.
///
/// # Errors
/// When the program cannot be started or does not leave with code 0.
pub(crate) fn show(title: &str, mut command: Command) -> Result<()> {
    announce(title);
    command.stdin(Stdio::null());
    if !spawn(&mut command)?.wait()?.success() {
        bail!("{title} failed");
    }
    Ok(())
}

/// Says on stderr what begins now.
fn announce(title: &str) {
    eprintln!("  …  {title}");
}

fn spawn(command: &mut Command) -> Result<std::process::Child> {
    command.spawn().with_context(|| format!("cannot start {}", command.get_program().display()))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn both_streams_are_captured_in_the_order_they_were_written() {
        let outcome = capture("test", shell("echo one; echo two >&2; echo three; exit 3")).unwrap();
        assert_eq!((outcome.success, outcome.output.as_str()), (false, "one\ntwo\nthree\n"));
    }

    #[test]
    fn a_failing_step_is_an_error_that_names_it() {
        assert_eq!(run("the build", shell("exit 1")).unwrap_err().to_string(), "the build failed");
    }

    #[test]
    fn a_missing_program_is_an_error_that_names_it() {
        let error = run("anything", Command::new("no-such-program-here")).unwrap_err();
        assert_eq!(error.to_string(), "cannot start no-such-program-here");
    }
}
