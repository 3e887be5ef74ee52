//! Many programs, one after the other, and what became of them.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::io;

use crate::generate::{Class, class_of, generate};
use crate::judge::{self, Flaw, Overtaking, Pending, Verdict};
use crate::minimise::minimise;
use crate::program::Program;
use crate::runner::Runner;

/// How many programs may wait for their runs: the compiler works while Node does.
const IN_FLIGHT: usize = 64;

/// How many programs one Node runs: V8 lets go of no module that it compiled, and in the end does nothing but look for
/// memory.
const PROGRAMS_PER_NODE: usize = 2000;

/// Judges programs, with one Node at a time.
pub struct Oracle {
    runner: Runner,
}

/// Programs of consecutive seeds.
#[derive(Clone, Copy, Debug)]
pub struct Campaign {
    /// The first seed.
    pub seed: u64,
    /// How many programs.
    pub programs: u64,
}

/// How many programs came to what.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Programs that were judged.
    pub programs: u64,
    /// Proven, and held against both runs.
    pub sound: u64,
    /// Rows in the manifests of those.
    pub capabilities: u64,
    /// Proven, but the author's program throws while it loads.
    pub throws: u64,
    /// Proven, while an object is changed where the compiler does not look.
    pub overtaken: BTreeMap<Overtaking, u64>,
    /// Refused.
    pub rejected: u64,
    /// No programs.
    pub malformed: u64,
    /// Proven wrongly.
    pub unsound: BTreeMap<Flaw, u64>,
    /// Programs that use only what must be accepted.
    pub supported: u64,
    /// Those of them that were accepted.
    pub accepted: u64,
    /// Why others were not, by the code of the error.
    pub refusals: BTreeMap<String, u64>,
}

/// A program that shows something.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The seed it was made from.
    pub seed: u64,
    /// The program, as generated.
    pub program: Program,
    /// What became of it.
    pub verdict: Verdict,
}

impl Oracle {
    /// Starts Node.
    ///
    /// # Errors
    /// There is no Node, or it cannot be started.
    pub fn start() -> io::Result<Self> {
        Ok(Self { runner: Runner::start()? })
    }

    /// Judges one program.
    ///
    /// # Errors
    /// Node went away or said something else.
    pub fn judge(&mut self, program: &Program) -> io::Result<Verdict> {
        judge::judge_program(program, &mut self.runner)
    }

    /// Judges the programs of a campaign. Unsound and overtaken proofs, and refusals of programs that must be accepted, are
    /// handed over as they are found.
    ///
    /// # Errors
    /// Node went away or said something else.
    pub fn run(&mut self, campaign: Campaign, mut found: impl FnMut(Finding)) -> io::Result<Tally> {
        let mut tally = Tally::default();
        let seeds: Vec<u64> = (campaign.seed..campaign.seed + campaign.programs).collect();
        for (index, seeds) in seeds.chunks(PROGRAMS_PER_NODE).enumerate() {
            if index > 0 {
                self.runner = Runner::start()?;
            }
            self.run_seeds(seeds, &mut tally, &mut found)?;
        }
        Ok(tally)
    }

    fn run_seeds(
        &mut self,
        seeds: &[u64],
        tally: &mut Tally,
        found: &mut impl FnMut(Finding),
    ) -> io::Result<()> {
        let mut waiting: VecDeque<(u64, Program, Pending)> = VecDeque::new();
        for &seed in seeds {
            let program = generate(seed);
            let pending = judge::begin(&program, &mut self.runner)?;
            waiting.push_back((seed, program, pending));
            if waiting.len() >= IN_FLIGHT
                && let Some(first) = waiting.pop_front()
            {
                self.settle(first, tally, found)?;
            }
        }
        while let Some(first) = waiting.pop_front() {
            self.settle(first, tally, found)?;
        }
        Ok(())
    }

    fn settle(
        &mut self,
        (seed, program, pending): (u64, Program, Pending),
        tally: &mut Tally,
        found: &mut impl FnMut(Finding),
    ) -> io::Result<()> {
        let verdict = judge::finish(&program, pending, &mut self.runner)?;
        let class = class_of(seed);
        tally.count(class, &verdict);
        let is_refusal = matches!(verdict, Verdict::Rejected(_)) && class == Class::Supported;
        if is_refusal || matches!(verdict, Verdict::Unsound(..) | Verdict::Overtaken(..)) {
            found(Finding { seed, program, verdict });
        }
        Ok(())
    }

    /// The smallest program with the same finding: the same flaw, or the same refusal of a program that runs.
    ///
    /// # Errors
    /// Node went away or said something else.
    pub fn minimise(&mut self, finding: &Finding) -> io::Result<Program> {
        let mut failure = None;
        let small = minimise(&finding.program, |program| {
            if failure.is_some() {
                return false;
            }
            self.shows_the_same(program, &finding.verdict).unwrap_or_else(|error| {
                failure = Some(error);
                false
            })
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(small),
        }
    }

    fn shows_the_same(&mut self, program: &Program, verdict: &Verdict) -> io::Result<bool> {
        Ok(match (self.judge(program)?, verdict) {
            (Verdict::Unsound(flaw, _), Verdict::Unsound(wanted, _)) => flaw == *wanted,
            (Verdict::Overtaken(when, _), Verdict::Overtaken(wanted, _)) => when == *wanted,
            (Verdict::Rejected(codes), Verdict::Rejected(wanted)) => {
                codes.iter().take(1).eq(wanted.iter().take(1)) && self.runs(program)?
            }
            _ => false,
        })
    }

    /// Whether a program that was refused loads without throwing, as far as it was written, and declares something.
    fn runs(&mut self, program: &Program) -> io::Result<bool> {
        let Some(graph) = crate::host::load(program) else { return Ok(false) };
        let run = self.runner.run(&graph, 0, None)?;
        Ok(run.error.is_none()
            && run.records.iter().all(|record| !record.definition.contains("\\u0000not JSON")))
    }
}

impl Tally {
    fn count(&mut self, class: Class, verdict: &Verdict) {
        self.programs += 1;
        match verdict {
            Verdict::Sound { capabilities } => {
                self.sound += 1;
                self.capabilities += *capabilities as u64;
            }
            Verdict::Throws(_) => self.throws += 1,
            Verdict::Overtaken(when, _) => *self.overtaken.entry(*when).or_default() += 1,
            Verdict::Rejected(_) => self.rejected += 1,
            Verdict::Malformed => self.malformed += 1,
            Verdict::Unsound(flaw, _) => *self.unsound.entry(*flaw).or_default() += 1,
        }
        if class == Class::Supported {
            self.supported += 1;
            match verdict {
                Verdict::Rejected(codes) => {
                    let code = codes.first().cloned().unwrap_or_default();
                    *self.refusals.entry(code).or_default() += 1;
                }
                Verdict::Malformed => *self.refusals.entry("malformed".to_owned()).or_default() += 1,
                _ => self.accepted += 1,
            }
        }
    }

    /// Proofs that do not hold.
    #[must_use]
    pub fn unsound_proofs(&self) -> u64 {
        self.unsound.values().sum()
    }

    /// Proofs that hold for what ships, of programs that meant something else.
    #[must_use]
    pub fn overtaken_proofs(&self) -> u64 {
        self.overtaken.values().sum()
    }

    /// The share of the programs to be accepted that were, in percent.
    #[must_use]
    pub fn acceptance(&self) -> f64 {
        if self.supported == 0 { 100.0 } else { self.accepted as f64 * 100.0 / self.supported as f64 }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs", self.programs)?;
        writeln!(f, "  {} proven and sound, with {} capabilities", self.sound, self.capabilities)?;
        writeln!(f, "  {} proven, and throw while loading as written", self.throws)?;
        writeln!(f, "  {} proven and overtaken: what ships is what is proven", self.overtaken_proofs())?;
        for (when, count) in &self.overtaken {
            writeln!(f, "    {count}: {when}")?;
        }
        writeln!(f, "  {} refused", self.rejected)?;
        writeln!(f, "  {} not programs", self.malformed)?;
        writeln!(
            f,
            "  {:.2} % accepted of the {} that use only the supported grammar",
            self.acceptance(),
            self.supported
        )?;
        for (code, count) in &self.refusals {
            writeln!(f, "    {count} refused: {code}")?;
        }
        writeln!(f, "  {} unsound proofs", self.unsound_proofs())?;
        for (flaw, count) in &self.unsound {
            writeln!(f, "    {count}: {flaw}")?;
        }
        // `cargo xtask test` reads this line.
        write!(
            f,
            "soundness: {} sound, {} overtaken, {} refused, {} unsound",
            self.sound,
            self.overtaken_proofs(),
            self.rejected,
            self.unsound_proofs()
        )
    }
}
