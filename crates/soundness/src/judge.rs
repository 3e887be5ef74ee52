//! The judgement: whether what was proven of a program is what it does.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use agent_surface_compiler::{Proof, Report};
use agent_surface_json::{Json, parse};

use crate::entries;
use crate::hold::Hold;
use crate::host::{self, Build, Graph};
use crate::program::Program;
use crate::runner::{Record, Run, Runner};

/// What is wrong with a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// The compiler panicked, or never came to an end, or produced text that is no module.
    Broken,
    /// The program throws as it ships, and does not as it was written.
    ShipsBroken,
    /// The manifest is not what the macros of the shipped program are called with.
    NotShipped,
    /// The author's program calls its macros with other definitions, and no change of an object explains it.
    NotMeant,
    /// The definitions depend on what is known only at run time.
    Guessed,
    /// A declaration goes by a name that leads to another contract.
    Misnamed,
}

/// When an object was changed out of the compiler's sight. What ships is the proven literal all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overtaking {
    /// Before its macro read it: with their objects held as they were made, the author's calls are what ships.
    Before,
    /// After its macro had read it.
    After,
}

/// What became of a program.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Proven, and the proof holds.
    Sound {
        /// How many rows the manifest has.
        capabilities: usize,
    },
    /// Proven, but the program as its author wrote it throws while it loads, so that only what ships can be
    /// held against the manifest.
    Throws(String),
    /// Proven, and what ships is what is proven; but the author's code changes an object where the compiler does
    /// not look, and so meant something else. The difference in words.
    Overtaken(Overtaking, String),
    /// Refused; the codes of the errors.
    Rejected(Vec<String>),
    /// Not a program.
    Malformed,
    /// Proven wrongly, with the difference in words.
    Unsound(Flaw, String),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Broken => "the compiler breaks",
            Self::ShipsBroken => "what ships throws, what was written does not",
            Self::NotShipped => "the manifest is not what ships",
            Self::NotMeant => "what is proven is not what the code means",
            Self::Guessed => "what is proven is known only at run time",
            Self::Misnamed => "a declaration has another contract's name",
        })
    }
}

impl fmt::Display for Overtaking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "an object is changed before its macro reads it, and nobody is told",
            Self::After => "an object is changed after its macro has read it, and nobody is told",
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sound { capabilities } => write!(f, "sound, with {capabilities} capabilities"),
            Self::Throws(error) => write!(f, "proven, and throws as written: {error}"),
            Self::Overtaken(when, words) => write!(f, "overtaken: {when}\n{words}"),
            Self::Rejected(codes) => write!(f, "refused: {}", codes.join(", ")),
            Self::Malformed => f.write_str("not a program"),
            Self::Unsound(flaw, words) => write!(f, "unsound: {flaw}\n{words}"),
        }
    }
}

/// A program that was built and waits for its runs.
pub(crate) enum Pending {
    /// No run is needed.
    Done(Verdict),
    /// Proven: the proof, and how many runs were asked for.
    Proven { proof: Box<Proof>, worlds: u32 },
}

/// Builds a program and asks for the runs that its judgement needs.
pub(crate) fn begin(program: &Program, runner: &mut Runner) -> io::Result<Pending> {
    let built = catch_unwind(AssertUnwindSafe(|| host::build(program)));
    let (proof, shipped) = match built {
        Err(panic) => {
            return Ok(Pending::Done(Verdict::Unsound(Flaw::Broken, message_of(&*panic))));
        }
        Ok(Build::Broken(how)) => return Ok(Pending::Done(Verdict::Unsound(Flaw::Broken, how))),
        Ok(Build::Malformed) => return Ok(Pending::Done(Verdict::Malformed)),
        Ok(Build::Refused(report)) => return Ok(Pending::Done(Verdict::Rejected(codes(&report)))),
        Ok(Build::Proven(proof, shipped)) => (proof, shipped),
    };
    let Some(written) = host::load(program) else { return Ok(Pending::Done(Verdict::Malformed)) };
    // A second world shows only in programs that ask about the first.
    let worlds = if asks_the_world(&written) { 2 } else { 1 };
    runner.send(&shipped, 0, None)?;
    for world in 0..worlds {
        runner.send(&written, world, None)?;
    }
    Ok(Pending::Proven { proof, worlds })
}

/// Takes the runs that [`begin`] asked for, and judges.
pub(crate) fn finish(program: &Program, pending: Pending, runner: &mut Runner) -> io::Result<Verdict> {
    let (proof, worlds) = match pending {
        Pending::Done(verdict) => return Ok(verdict),
        Pending::Proven { proof, worlds } => (proof, worlds),
    };
    let shipped = runner.receive()?;
    let written = runner.receive()?;
    let elsewhere = if worlds > 1 { Some(runner.receive()?) } else { None };
    let flaw = judge(&proof, &shipped, &written, elsewhere.as_ref());
    let world = u32::from(matches!(flaw, Some((Flaw::Guessed, _))));
    Ok(match flaw {
        Some((Flaw::NotMeant | Flaw::Guessed, words)) if held_means(program, &shipped, world, runner)? => {
            Verdict::Overtaken(Overtaking::Before, words)
        }
        Some((flaw, words)) => Verdict::Unsound(flaw, words),
        None if let Some(words) = changed_later(&written) => Verdict::Overtaken(Overtaking::After, words),
        None if let Some(error) = written.error => Verdict::Throws(error),
        None => Verdict::Sound { capabilities: proof.capabilities.len() },
    })
}

/// From program to verdict.
pub(crate) fn judge_program(program: &Program, runner: &mut Runner) -> io::Result<Verdict> {
    let pending = begin(program, runner)?;
    finish(program, pending, runner)
}

/// Whether the author's program, with its objects held as they were made, calls its macros with what ships: then
/// it is a change of an object that makes the difference, and not what the compiler made of the text.
fn held_means(program: &Program, shipped: &Run, world: u32, runner: &mut Runner) -> io::Result<bool> {
    let Some(graph) = host::load_held(program) else { return Ok(false) };
    for hold in Hold::ALL {
        let run = runner.run(&graph, world, Some(hold))?;
        if run.error.is_none() && meaning(&run) == meaning(shipped) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn changed_later(written: &Run) -> Option<String> {
    let changed = written.records.iter().find(|record| record.later != record.definition)?;
    Some(format!("first {}\nthen  {}", changed.definition, changed.later))
}

fn judge(proof: &Proof, shipped: &Run, written: &Run, elsewhere: Option<&Run>) -> Option<(Flaw, String)> {
    if let (Some(error), None) = (&shipped.error, &written.error) {
        return Some((Flaw::ShipsBroken, error.clone()));
    }
    // A program that throws before its macros are called ships no contract; what was recorded must be true.
    let complete = shipped.error.is_none();
    if let Some(words) = differs_from_manifest(proof, shipped, complete) {
        return Some((Flaw::NotShipped, words));
    }
    if written.error.is_some() {
        return None;
    }
    if let Some(words) = difference(&meaning(shipped), &meaning(written)) {
        return Some((Flaw::NotMeant, words));
    }
    if let Some(words) = misnamed(shipped) {
        return Some((Flaw::Misnamed, words));
    }
    if let Some(elsewhere) = elsewhere.filter(|run| run.error.is_none())
        && let Some(words) = difference(&meaning(shipped), &meaning(elsewhere))
    {
        return Some((Flaw::Guessed, words));
    }
    None
}

/// What the calls of a run mean, whatever their order.
fn meaning(run: &Run) -> Vec<String> {
    let mut calls: Vec<String> = run
        .records
        .iter()
        .map(|Record { called, definition, validators, .. }| {
            let mut validators = validators.clone();
            validators.sort();
            format!("{called} {definition} {validators:?}")
        })
        .collect();
    calls.sort();
    calls
}

/// The manifest's rows against those that the shipped definitions make.
fn differs_from_manifest(proof: &Proof, shipped: &Run, complete: bool) -> Option<String> {
    let manifest = match parse(&proof.manifest) {
        Ok(manifest) => manifest,
        Err(error) => return Some(format!("the manifest is not JSON: {error}")),
    };
    let mut stated: Vec<String> = manifest
        .get("capabilities")
        .and_then(Json::as_array)
        .into_iter()
        .flatten()
        .map(Json::to_canonical)
        .collect();
    let mut run = Vec::new();
    for record in &shipped.records {
        let Some(rows) = rows_of(record, &proof.hash) else {
            return Some(format!("no rows can be made of {record:?}"));
        };
        run.extend(rows);
    }
    stated.sort();
    run.sort();
    if complete { difference(&stated, &run) } else { run.iter().find(|row| !stated.contains(row)).cloned() }
}

fn rows_of(record: &Record, manifest_hash: &str) -> Option<Vec<String>> {
    let proof = parse(record.proof.as_deref()?).ok()?;
    if proof.get("manifestHash")?.as_str()? != manifest_hash {
        return None;
    }
    entries::of_call(&record.called, &parse(&record.definition).ok()?, &proof, &record.validators)
}

/// A declaration whose name leads, through the module's exports, to what another declaration made.
fn misnamed(shipped: &Run) -> Option<String> {
    let mut ids = BTreeMap::new();
    for (index, record) in shipped.records.iter().enumerate() {
        let proof = parse(record.proof.as_deref()?).ok()?;
        ids.insert(proof.get("declarationId")?.as_str()?.to_owned(), index);
    }
    shipped.reached.iter().find_map(|(name, index)| {
        let stated = ids.get(name)?;
        (stated != index).then(|| format!("{name} is call {index}, and call {stated} says it is"))
    })
}

fn difference(stated: &[String], run: &[String]) -> Option<String> {
    if stated == run {
        return None;
    }
    let only = |these: &[String], those: &[String]| -> String {
        these.iter().filter(|item| !those.contains(item)).cloned().collect::<Vec<_>>().join("\n       ")
    };
    Some(format!("proven {}\nruns   {}", only(stated, run), only(run, stated)))
}

fn asks_the_world(graph: &Graph) -> bool {
    graph.values().any(|module| module.code.contains("env("))
}

fn codes(report: &Report) -> Vec<String> {
    report.diagnostics.iter().map(|diagnostic| diagnostic.code.clone()).collect()
}

fn message_of(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definitions(program: &Program, runner: &mut Runner, hold: Option<Hold>) -> Vec<String> {
        let graph = if hold.is_some() { host::load_held(program) } else { host::load(program) };
        let run = runner.run(&graph.unwrap(), 0, hold).unwrap();
        assert_eq!(run.error, None);
        run.records.into_iter().map(|record| record.definition).collect()
    }

    #[test]
    fn objects_that_are_held_are_read_as_they_were_made() {
        let mut runner = match Runner::start() {
            Ok(runner) => runner,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                println!("skipped: {error}");
                return;
            }
            Err(error) => panic!("{error}"),
        };
        let changed = Program::parse(
            "//// src/main.ts
             import { defineAgentProcedureContract } from \"@agent-surface/core\";
             const target: any = { a: { b: 1 } };
             const { ...rest } = target;
             ((it: any) => { it.a.b = 2; it.c = 3; })(rest);
             defineAgentProcedureContract({ ...rest, n: target.a.b } as any);",
        );
        assert_eq!(definitions(&changed, &mut runner, None), [r#"{"a":{"b":2},"c":3,"n":2}"#]);
        assert_eq!(definitions(&changed, &mut runner, Some(Hold::AsMade)), [r#"{"a":{"b":1},"n":2}"#]);
        assert_eq!(definitions(&changed, &mut runner, Some(Hold::Still)), [r#"{"a":{"b":1},"c":3,"n":1}"#]);
    }

    #[test]
    fn holding_objects_makes_no_difference_to_what_changes_nothing() {
        let Ok(mut runner) = Runner::start() else {
            println!("skipped: no Node");
            return;
        };
        for seed in [0, 2, 4, 6] {
            let program = crate::generate::generate(seed);
            let plain = definitions(&program, &mut runner, None);
            for hold in Hold::ALL {
                assert_eq!(definitions(&program, &mut runner, Some(hold)), plain, "{hold:?}\n{program}");
            }
        }
    }
}
