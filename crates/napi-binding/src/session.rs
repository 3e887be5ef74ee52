//! The compiler's session, as a JavaScript class.

use agent_surface_compiler as compiler;
use agent_surface_crawl::Disk;
use napi::{JsString, Result};
use napi_derive::napi;

use crate::{
    allocator,
    message::{
        Answer, Close, Explain, Neighbour, Output, Proof, Question, Report, SessionOptions, Transform, Union,
    },
    text::read_source,
};

/// One environment's build; it lives on through the rebuilds of a watcher.
#[napi]
pub struct Session {
    compiler: compiler::Session,
    disk: Disk,
}

#[napi]
impl Session {
    /// A session that has seen nothing yet.
    #[napi(constructor, catch_unwind)]
    pub fn new(options: SessionOptions) -> Self {
        Self { compiler: compiler::Session::new(options.into()), disk: Disk::default() }
    }

    /// Takes a module as its author wrote it. After an `ask`: answer, then call again.
    ///
    /// # Errors
    /// The text has a lone surrogate.
    #[napi(catch_unwind)]
    pub fn transform(&mut self, id: String, source: JsString<'_>) -> Result<Transform> {
        let source = read_source(source, &id)?;
        Ok(self.settle(|compiler| compiler.transform(&id, &source)))
    }

    /// Takes a module as other plugins left it. After an `ask`: answer, then call again.
    ///
    /// # Errors
    /// The text has a lone surrogate.
    #[napi(catch_unwind)]
    pub fn transform_compiled(&mut self, id: String, source: JsString<'_>) -> Result<Transform> {
        let source = read_source(source, &id)?;
        Ok(self.settle(|compiler| compiler.transform_compiled(&id, &source)))
    }

    /// Takes a module as a server is about to hand it out, before (`compiled` is false) or after other plugins, and puts
    /// in what was proven. After an `ask`: answer, then call again.
    ///
    /// # Errors
    /// The text has a lone surrogate.
    #[napi(catch_unwind)]
    pub fn serve(&mut self, id: String, source: JsString<'_>, compiled: bool) -> Result<Transform> {
        let source = read_source(source, &id)?;
        let stage = if compiled { compiler::Stage::Compiled } else { compiler::Stage::Written };
        Ok(self.settle(|compiler| compiler.serve(&id, &source, stage)))
    }

    /// The names of what a module, for which [`Session::serve`] had nothing more to ask, declares and nothing proved.
    ///
    /// # Errors
    /// The text has a lone surrogate.
    #[napi(catch_unwind)]
    pub fn find_unproven(&self, id: String, source: JsString<'_>, compiled: bool) -> Result<Vec<String>> {
        let source = read_source(source, &id)?;
        let stage = if compiled { compiler::Stage::Compiled } else { compiler::Stage::Written };
        Ok(self.compiler.find_unproven(&id, &source, stage).unwrap_or_default())
    }

    /// Decides over everything seen. After an `ask`: answer, then call again.
    #[napi(catch_unwind)]
    pub fn close(&mut self) -> Close {
        loop {
            return match self.compiler.close() {
                compiler::Close::Proven(proof) => Close::Proven { proof: proof.into() },
                compiler::Close::Refused(report) => Close::Refused { report: report.into() },
                compiler::Close::Ask(questions) => match self.answer_from_disk(questions) {
                    questions if questions.is_empty() => continue,
                    questions => Close::Ask { questions },
                },
            };
        }
    }

    /// Makes one contract of what was proven here, in the environment of this name, and in others; none before
    /// anything was. Where it does not `join` them, they must have declared all of it.
    #[napi(catch_unwind)]
    pub fn unite(&mut self, environment: String, others: Vec<Neighbour>, joins: bool) -> Option<Union> {
        let others: Vec<_> = others.into_iter().map(Into::into).collect();
        self.compiler.unite(&environment, &others, joins).map(Into::into)
    }

    /// Holds what was proven here, in the environment of this name, against what it was found to be going to prove; the
    /// report of what is not the same, if anything is not.
    #[napi(catch_unwind)]
    pub fn check_foreseen(&self, environment: String, foreseen: Proof) -> Option<Report> {
        self.compiler.check_foreseen(&environment, &foreseen.into()).map(Into::into)
    }

    /// How a capability of the proven graph came about. After an `ask`: answer, then call again.
    #[napi(catch_unwind)]
    pub fn explain(&mut self, capability_id: String) -> Explain {
        loop {
            return match self.compiler.explain(&capability_id) {
                compiler::Explain::Explained(explanations) => {
                    Explain::Explained { explanations: explanations.into_iter().map(Into::into).collect() }
                }
                compiler::Explain::Ask(questions) => match self.answer_from_disk(questions) {
                    questions if questions.is_empty() => continue,
                    questions => Explain::Ask { questions },
                },
            };
        }
    }

    /// Takes the bundler's replies.
    #[napi(catch_unwind)]
    pub fn answer(&mut self, answers: Vec<Answer>) {
        for answer in answers {
            self.compiler.answer(answer.into());
        }
    }

    /// Begins a rebuild; the facts of modules are kept.
    #[napi(catch_unwind)]
    pub fn restart(&mut self) {
        self.compiler.restart();
        self.disk.forget();
    }

    /// Lets go of everything but what `render` puts in.
    #[napi(catch_unwind)]
    pub fn release(&mut self) {
        self.compiler.release();
        self.disk.forget();
        allocator::give_back();
    }

    /// Forgets a module that changed or went away.
    #[napi(catch_unwind)]
    pub fn forget_module(&mut self, id: String) {
        self.compiler.forget_module(&id);
    }

    /// Files that the contract rests on and that are no modules: those of dependencies, there or not.
    #[napi(catch_unwind)]
    pub fn contract_files(&self) -> Vec<String> {
        self.disk.contract_files().map(str::to_owned).collect()
    }

    /// Replaces a chunk's placeholders by what was proven; none where it has none.
    #[napi(catch_unwind)]
    pub fn render(&self, code: String) -> Option<Output> {
        self.compiler.render(&code).map(Into::into)
    }

    /// Gives the memory back to the system that is free by now.
    #[napi(catch_unwind)]
    pub fn give_back(&self) {
        allocator::give_back();
    }

    /// The source of `virtual:agent-surface-contract`.
    #[napi(catch_unwind)]
    pub fn authority_module(&self) -> String {
        self.compiler.authority_module()
    }

    /// Names what a page was served of the proof; none before it.
    #[napi(catch_unwind)]
    pub fn served_digest(&self) -> Option<String> {
        self.compiler.served_digest()
    }

    /// Calls `step` until it asks for what only the bundler knows, or for nothing.
    fn settle(&mut self, step: impl Fn(&mut compiler::Session) -> compiler::Transform) -> Transform {
        loop {
            return match step(&mut self.compiler) {
                compiler::Transform::Unchanged => Transform::Unchanged,
                compiler::Transform::Changed(output) => {
                    let libraries = self.compiler.take_libraries();
                    let libraries =
                        (!libraries.is_empty()).then(|| libraries.into_iter().map(Into::into).collect());
                    Transform::Changed { output: output.into(), libraries }
                }
                compiler::Transform::Refused(report) => Transform::Refused { report: report.into() },
                compiler::Transform::Ask(questions) => match self.answer_from_disk(questions) {
                    questions if questions.is_empty() => continue,
                    questions => Transform::Ask { questions },
                },
            };
        }
    }

    /// Answers what the disk knows; the rest is for the bundler.
    fn answer_from_disk(&mut self, questions: Vec<compiler::Question>) -> Vec<Question> {
        let mut rest = Vec::new();
        for question in questions {
            let answer = match question {
                compiler::Question::Resolve { specifier, importer } => {
                    rest.push(Question::Resolve { specifier, importer });
                    continue;
                }
                compiler::Question::Module { id } => {
                    rest.push(Question::Module { id });
                    continue;
                }
                compiler::Question::Code { id } => {
                    rest.push(Question::Code { id });
                    continue;
                }
                compiler::Question::Map { id } => {
                    rest.push(Question::Map { id });
                    continue;
                }
                compiler::Question::Installed => {
                    rest.push(Question::Installed);
                    continue;
                }
                compiler::Question::ContractFile { folder, path } => {
                    let file = self.disk.read_contract(&folder, &path);
                    compiler::Answer::ContractFile { folder, path, file }
                }
                compiler::Question::Schema { key, imports, program } => {
                    let imports = imports.into_iter().map(Into::into).collect();
                    rest.push(Question::Schema { key, imports, program });
                    continue;
                }
                compiler::Question::Source { id } => {
                    let text = self.disk.read_source(&id);
                    compiler::Answer::Source { id, text }
                }
                compiler::Question::Package { id } => {
                    let package = self.disk.find_package(&id);
                    compiler::Answer::Package { id, package }
                }
            };
            self.compiler.answer(answer);
        }
        rest
    }
}

/// The text with which every placeholder begins, for the bundler's native filter.
#[napi(catch_unwind)]
pub fn placeholder_prefix() -> &'static str {
    compiler::Session::placeholder_prefix()
}
