//! `cargo xtask test soundness`: generated programs against what the compiler proves about them.
//!
//! `--programs N --seed S` judges the programs of N consecutive seeds and shows unsound proofs made smaller, up to
//! `--show` of them; `--show-overtaken` and `--show-refusals` show those too. `--print S` prints a seed's program,
//! `--judge FILE` judges a kept one, `--catalogue` goes through every deceit once. The exit code is 1 if a proof is
//! unsound, and says nothing about those that are overtaken. The library's documentation says what the words mean.

use std::error::Error;
use std::fs;
use std::io::{self, Write as _};
use std::process::ExitCode;

use agent_surface_soundness::{Campaign, Oracle, Program, Verdict, catalogue, generate};

/// How many findings are made smaller and printed, unless told.
const SHOWN: usize = 12;

const USAGE: &str =
    "usage: agent-surface-soundness [--programs N] [--seed S] [--show N] [--show-overtaken] [--show-refusals]
       agent-surface-soundness --print S | --judge FILE | --catalogue";

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<ExitCode, Box<dyn Error>> {
    let mut campaign = Campaign { seed: 0, programs: 2000 };
    let mut wanted = Wanted { refused: false, overtaken: false, count: SHOWN };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut number =
            || words.next().and_then(|word| word.replace('_', "").parse::<u64>().ok()).ok_or(USAGE);
        match word.as_str() {
            "--programs" => campaign.programs = number()?,
            "--seed" => campaign.seed = number()?,
            "--show" => wanted.count = usize::try_from(number()?)?,
            "--show-refusals" => wanted.refused = true,
            "--show-overtaken" => wanted.overtaken = true,
            "--print" => {
                write!(io::stdout(), "{}", generate(number()?))?;
                return Ok(ExitCode::SUCCESS);
            }
            "--catalogue" => return go_through_catalogue(),
            "--judge" => {
                let program = Program::parse(&fs::read_to_string(words.next().ok_or(USAGE)?)?);
                return judge(&program);
            }
            _ => return Err(USAGE.into()),
        }
    }
    seek(campaign, &wanted)
}

fn judge(program: &Program) -> Result<ExitCode, Box<dyn Error>> {
    let verdict = Oracle::start()?.judge(program)?;
    writeln!(io::stdout(), "{verdict}")?;
    Ok(if matches!(verdict, Verdict::Unsound(..)) { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn go_through_catalogue() -> Result<ExitCode, Box<dyn Error>> {
    std::panic::set_hook(Box::new(|_| {}));
    let mut oracle = Oracle::start()?;
    let mut out = io::stdout();
    let (mut sound, mut overtaken, mut refused, mut throws, mut malformed, mut unsound) = (0, 0, 0, 0, 0, 0);
    for (name, program) in catalogue() {
        match oracle.judge(&program)? {
            Verdict::Sound { .. } => sound += 1,
            Verdict::Overtaken(..) => overtaken += 1,
            Verdict::Rejected(_) => refused += 1,
            Verdict::Throws(_) => throws += 1,
            Verdict::Malformed => malformed += 1,
            Verdict::Unsound(flaw, words) => {
                unsound += 1;
                writeln!(out, "{flaw}: {name}\n{words}")?;
            }
        }
    }
    writeln!(
        out,
        "{sound} sound, {overtaken} overtaken, {refused} refused, {throws} throw, {malformed} malformed, \
         {unsound} unsound"
    )?;
    Ok(if unsound == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Which findings are shown beside unsound proofs, and how many of all.
struct Wanted {
    refused: bool,
    overtaken: bool,
    count: usize,
}

fn seek(campaign: Campaign, wanted: &Wanted) -> Result<ExitCode, Box<dyn Error>> {
    let mut oracle = Oracle::start()?;
    let mut findings = Vec::new();
    // A panic of the compiler is a finding; it need not tell the terminal about itself.
    std::panic::set_hook(Box::new(|_| {}));
    let tally = oracle.run(campaign, |finding| {
        let is_wanted = match finding.verdict {
            Verdict::Rejected(_) => wanted.refused,
            Verdict::Overtaken(..) => wanted.overtaken,
            _ => true,
        };
        if findings.len() < 2000 && is_wanted {
            findings.push(finding);
        }
    })?;
    let mut out = io::stdout();
    let mut shown: Vec<String> = Vec::new();
    for finding in &findings {
        if shown.len() >= wanted.count {
            break;
        }
        let small = oracle.minimise(finding)?;
        let text = small.to_string();
        // Many seeds lead to one mistake.
        if shown.contains(&text) {
            continue;
        }
        let what = oracle.judge(&small)?;
        writeln!(
            out,
            "---- seed {0} (again: cargo xtask test soundness --programs 1 --seed {0}) ----\n{what}\n{text}",
            finding.seed
        )?;
        shown.push(text);
    }
    writeln!(out, "{tally}")?;
    Ok(if tally.unsound_proofs() == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
