//! Programs that once were proven wrongly, made small, and their nearest neighbours that must be accepted.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use agent_surface_soundness::{Oracle, Program, Verdict};

/// Begins the line of a regression's text that says what must become of it.
const EXPECTED: &str = "expected: ";

#[test]
fn no_program_is_proven_wrongly_again() {
    let mut oracle = match Oracle::start() {
        Ok(oracle) => oracle,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("skipped: {error}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let files = files().unwrap();
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let expected = text.lines().find_map(|line| line.strip_prefix(EXPECTED)).unwrap();
        let verdict = oracle.judge(&Program::parse(&text)).unwrap();
        assert_eq!(word_for(&verdict), expected, "{}: {verdict}", file.display());
    }
}

fn files() -> io::Result<Vec<PathBuf>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    files.sort();
    Ok(files)
}

fn word_for(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Sound { .. } => "sound",
        Verdict::Overtaken(..) => "overtaken",
        Verdict::Rejected(_) => "refused",
        Verdict::Throws(_) => "throws",
        Verdict::Malformed => "malformed",
        Verdict::Unsound(..) => "unsound",
    }
}
