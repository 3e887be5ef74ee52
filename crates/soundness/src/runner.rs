//! The Node process that runs programs and tells what their macros were called with.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

use agent_surface_json::{Json, Object, parse};

use crate::hold::Hold;
use crate::host::{ENTRY, Graph};

/// One call of a macro, as it was recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Record {
    /// The macro's name.
    pub(crate) called: String,
    /// The definition in canonical JSON, as it was when the macro was called. What JSON cannot carry is a text
    /// that no program can hold.
    pub(crate) definition: String,
    /// Pointers to the schemas whose validator is code.
    pub(crate) validators: Vec<String>,
    /// The second argument in canonical JSON, if there was one.
    pub(crate) proof: Option<String>,
    /// The definition again, after everything has run that the program exports to be run late.
    pub(crate) later: String,
}

/// What a run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    /// The macro calls, in order.
    pub(crate) records: Vec<Record>,
    /// `<path>#<name>` of contracts that can be reached through exports, and which record each is.
    pub(crate) reached: Vec<(String, usize)>,
    /// What was thrown while the modules were loaded.
    pub(crate) error: Option<String>,
}

/// Node, kept alive for many programs.
pub(crate) struct Runner {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    /// How many questions Node has not answered yet.
    asked: usize,
    /// Answers that came before the one which was waited for.
    early: VecDeque<Run>,
    reader: Option<JoinHandle<()>>,
}

impl Runner {
    /// Starts Node.
    pub(crate) fn start() -> io::Result<Self> {
        let mut child = Command::new("node")
            .args(["--experimental-vm-modules", "--no-warnings", "--max-old-space-size=1024"])
            .arg(script())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("cannot start `node`: {error}")))?;
        let input = child.stdin.take();
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("Node has no output"))?;
        // Read beside the writing: neither side may wait for the other to make room in a pipe.
        let (sender, output) = channel();
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, input, output, asked: 0, early: VecDeque::new(), reader: Some(reader) })
    }

    /// Asks for a run. Answers come in the order of the questions.
    ///
    /// `world` decides what the program's `env` answers, so that a value which depends on it shows.
    pub(crate) fn send(&mut self, graph: &Graph, world: u32, hold: Option<Hold>) -> io::Result<()> {
        let modules: Object = graph
            .iter()
            .map(|(id, module)| {
                let links: Object =
                    module.links.iter().map(|(specifier, id)| (specifier.as_str(), id.as_str())).collect();
                let module: Object = [("code", Json::from(module.code.as_str())), ("links", links.into())]
                    .into_iter()
                    .collect();
                (id.as_str(), Json::from(module))
            })
            .collect();
        let request: Object =
            [("entry", Json::from(ENTRY)), ("world", world.into()), ("modules", modules.into())]
                .into_iter()
                .chain(hold.map(|hold| ("hold", hold.name().into())))
                .collect();
        let mut line = Json::from(request).to_canonical();
        line.push('\n');
        let input = self.input.as_mut().ok_or_else(|| io::Error::other("Node has no input"))?;
        input.write_all(line.as_bytes())?;
        self.asked += 1;
        Ok(())
    }

    /// The next answer.
    pub(crate) fn receive(&mut self) -> io::Result<Run> {
        if let Some(run) = self.early.pop_front() { Ok(run) } else { self.wait() }
    }

    /// Waits for what Node says next.
    fn wait(&mut self) -> io::Result<Run> {
        let line = self.output.recv().map_err(|_| io::Error::other("Node ended before it answered"))?;
        self.asked = self.asked.saturating_sub(1);
        read(&line).ok_or_else(|| io::Error::other(format!("Node said something else: {line}")))
    }

    /// A run, from question to answer, past the questions that were asked before.
    pub(crate) fn run(&mut self, graph: &Graph, world: u32, hold: Option<Hold>) -> io::Result<Run> {
        self.send(graph, world, hold)?;
        while self.asked > 1 {
            let run = self.wait()?;
            self.early.push_back(run);
        }
        self.wait()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // Its input ends, and so does it.
        self.input = None;
        if self.child.wait().is_ok()
            && let Some(reader) = self.reader.take()
        {
            // A reader that panicked has nothing more to tell.
            drop(reader.join());
        }
    }
}

fn script() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/soundness/run.mjs")
}

fn read(line: &str) -> Option<Run> {
    let answer = parse(line).ok()?;
    let text = |value: &Json| value.as_str().map(str::to_owned);
    let records = answer.get("records")?.as_array()?.iter().map(|record| {
        Some(Record {
            called: text(record.get("called")?)?,
            definition: text(record.get("definition")?)?,
            validators: record.get("validators")?.as_array()?.iter().map(text).collect::<Option<_>>()?,
            proof: text(record.get("proof")?),
            later: text(record.get("later")?)?,
        })
    });
    let reached = answer.get("reached")?.as_array()?.iter().map(|reached| {
        let [name, index] = reached.as_array()? else { return None };
        // An index is a small whole number.
        Some((text(name)?, index.as_number()?.get() as usize))
    });
    Some(Run {
        records: records.collect::<Option<_>>()?,
        reached: reached.collect::<Option<_>>()?,
        error: answer.get("error").and_then(text),
    })
}
