//! How many tests passed, failed and were skipped, in the words of the test runners.

use std::{
    fmt,
    ops::{Add, AddAssign},
};

use agent_surface_json::{Json, parse};

/// The sums of one suite, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Tests that ran and held.
    pub(crate) passed: u64,
    /// Tests that did not hold, and suites that could not run.
    pub(crate) failed: u64,
    /// Tests that were not run, or said `skipped:` because what they need is not on this machine.
    pub(crate) skipped: u64,
}

impl Tally {
    /// Reads what `cargo test -- --show-output` printed.
    ///
    /// libtest knows no skipping at run time: a test that lacks its data prints a line `skipped: …` and
    /// returns, and is counted by libtest as passed. Here it is not: it is taken over to the skipped ones.
    pub(crate) fn of_libtest(output: &str) -> Self {
        let results =
            output.lines().filter_map(|line| line.strip_prefix("test result: ").map(Self::of_result));
        let mut tally = results.fold(Self::default(), Add::add);
        let said = count_tests_that_skipped(output).min(tally.passed);
        tally.passed -= said;
        tally.skipped += said;
        tally
    }

    /// Reads `ok. 4 passed; 0 failed; 1 ignored; 0 measured; …`.
    fn of_result(line: &str) -> Self {
        let count = |word| {
            line.split(['.', ';'])
                .find_map(|part| part.trim().strip_suffix(word)?.trim().parse().ok())
                .unwrap_or(0)
        };
        Self { passed: count("passed"), failed: count("failed"), skipped: count("ignored") }
    }

    /// Reads Vitest's JSON report; `None` when it is not one.
    pub(crate) fn of_vitest(report: &str) -> Option<Self> {
        let report = parse(report).ok()?;
        let count = |key| {
            let number = report.get(key).and_then(Json::as_number)?.get();
            // Counts are small whole numbers; the cast saturates on anything else.
            (number >= 0.0).then_some(number as u64)
        };
        let (total, passed, failed) =
            (count("numTotalTests")?, count("numPassedTests")?, count("numFailedTests")?);
        Some(Self { passed, failed, skipped: total.saturating_sub(passed + failed) })
    }

    /// Reads the oracle's last line, `soundness: 530 sound, 11 overtaken, 441 refused, 0 unsound`; `None` without
    /// one. A refusal proves nothing, and what is overtaken is told beside the sums.
    pub(crate) fn of_soundness(output: &str) -> Option<Self> {
        let line = output.lines().rev().find_map(|line| line.strip_prefix("soundness: "))?;
        let count = |word| line.split(", ").find_map(|part| part.strip_suffix(word)?.trim().parse().ok());
        Some(Self { passed: count(" sound")?, failed: count(" unsound")?, skipped: 0 })
    }

    /// One failure for a suite that failed as a whole (it did not compile, or was ended by a signal): what no
    /// test reported must still show in the sum.
    pub(crate) fn with_outcome(mut self, success: bool) -> Self {
        if !success && self.failed == 0 {
            self.failed = 1;
        }
        self
    }
}

/// Counts the sections `---- name stdout ----` with a line that starts with `skipped:`, so that a test
/// with several reasons counts once.
fn count_tests_that_skipped(output: &str) -> u64 {
    let mut count = 0;
    let mut in_section = false;
    for line in output.lines() {
        if line.starts_with("---- ") && line.ends_with(" ----") {
            in_section = true;
        } else if in_section && line.starts_with("skipped:") {
            count += 1;
            in_section = false;
        }
    }
    count
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl Add for Tally {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_test_binaries_add_up() {
        let output = "
test result: ok. 11 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.05s
test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s
";
        assert_eq!(Tally::of_libtest(output), Tally { passed: 13, failed: 3, skipped: 1 });
    }

    #[test]
    fn a_test_that_says_it_skipped_is_not_counted_as_passed() {
        let output = "
running 3 tests
successes:

---- suite_of_the_draft stdout ----
skipped: AGENT_SURFACE_TEST_DATA is not set
skipped: and another reason of the same test

---- another stdout ----
just talking

successes:
    another
test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";
        assert_eq!(Tally::of_libtest(output), Tally { passed: 2, failed: 0, skipped: 1 });
    }

    #[test]
    fn what_vitest_neither_passed_nor_failed_was_skipped() {
        let report =
            r#"{"numTotalTests": 9, "numPassedTests": 5, "numFailedTests": 1, "numPendingTests": 2}"#;
        assert_eq!(Tally::of_vitest(report), Some(Tally { passed: 5, failed: 1, skipped: 3 }));
        assert_eq!(Tally::of_vitest("{}"), None);
    }

    #[test]
    fn sound_programs_pass_and_unsound_ones_fail() {
        let output = "5 unsound proofs\nsoundness: 530 sound, 11 overtaken, 441 refused, 5 unsound\n";
        assert_eq!(Tally::of_soundness(output), Some(Tally { passed: 530, failed: 5, skipped: 0 }));
        assert_eq!(Tally::of_soundness("error: Node ended before it answered"), None);
    }

    #[test]
    fn a_suite_that_could_not_run_counts_as_one_failure() {
        let failed = Tally::default().with_outcome(false);
        assert_eq!(failed.to_string(), "0 passed, 1 failed, 0 skipped");
        let counted = Tally { passed: 1, failed: 2, skipped: 0 };
        assert_eq!(counted.with_outcome(false), counted);
    }
}
