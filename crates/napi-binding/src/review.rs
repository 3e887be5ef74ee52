//! Reports over contracts, as JavaScript classes. What they say is the review crate's.

use agent_surface_review as review;
use napi::{Error, Result, Status};
use napi_derive::napi;

use crate::message::{Explanation, LocatedCapability};

/// What a report is made of.
#[napi(object, object_to_js = false)]
pub struct ReviewRequest {
    /// `inspect`, `snapshot`, `check` or `explain`.
    pub command: String,
    /// What each target compiles to.
    pub compiled: Vec<CompiledTarget>,
    /// The snapshot's path, relative to the app's root.
    pub snapshot_path: String,
    /// The snapshot's text, if there is one.
    pub snapshot: Option<String>,
    /// What a pull request is compared with.
    pub base: Option<BaseContract>,
    /// `all`, `widening`, `narrowing`, `neutral` or `none`.
    pub policy: String,
}

/// What a target compiles to.
#[napi(object, object_to_js = false)]
pub struct CompiledTarget {
    /// The contract file.
    pub manifest: String,
    /// Where each capability is declared.
    pub capabilities: Vec<LocatedCapability>,
    /// What is known of the capability to explain.
    pub explanations: Vec<Explanation>,
    /// What the compiler warned of.
    pub warnings: Vec<ReviewWarning>,
}

/// One thing that the compiler warned of. A compiler's diagnostic has these members, and more.
#[napi(object, object_to_js = false)]
pub struct ReviewWarning {
    /// The stable name of its kind.
    pub code: String,
    /// What was found.
    pub message: String,
    /// The file, relative to the root; none for what has no place.
    pub file: Option<String>,
    /// Counted from 1; 0 without a place.
    pub line: u32,
    /// Counted from 1, in UTF-16 code units; 0 without a place.
    pub column: u32,
    /// The rendered text with its code frame.
    pub frame: String,
    /// What to do instead.
    pub help: Option<String>,
}

impl From<ReviewWarning> for review::Warning {
    fn from(warning: ReviewWarning) -> Self {
        let ReviewWarning { code, message, file, line, column, frame, help } = warning;
        let place = file.map(|file| review::Place { file, line, column });
        Self { code, message, help, place, frame }
    }
}

/// What a pull request is compared with.
#[napi(object, object_to_js = false)]
pub struct BaseContract {
    /// The git ref, as the user wrote it.
    pub reference: String,
    /// The snapshot's text there; none where there is no such file yet.
    pub contract: Option<String>,
}

/// How to render.
#[napi(object, object_to_js = false)]
pub struct RenderOptions {
    /// `human`, `json`, `md`, `github` or `sarif`.
    pub format: String,
    /// `min`, `normal` or `detail`.
    pub verbosity: String,
    /// Whether to colour the report for people.
    pub color: bool,
    /// The columns of the terminal.
    pub width: Option<u32>,
    /// The path of the app, or of the workspace's root, from the repository's root.
    pub prefix: String,
    /// The version of the tool.
    pub version: String,
}

/// The outcome of one command over one app.
#[napi]
pub struct Review {
    report: review::Report,
}

#[napi]
impl Review {
    /// Reads the contracts and compares them.
    ///
    /// # Errors
    /// A contract that cannot be read or was edited, targets that disagree, an unknown word.
    #[napi(constructor, catch_unwind)]
    pub fn new(request: ReviewRequest) -> Result<Self> {
        let ReviewRequest { command, compiled, snapshot_path, snapshot, base, policy } = request;
        let mut places = review::Places::default();
        let (mut manifests, mut explanations, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
        for target in compiled {
            manifests.push(read(&target.manifest, review::Role::Compiled)?);
            for it in target.capabilities {
                let place = review::Place { file: it.file, line: it.line, column: it.column };
                places.insert(it.declaration_id, it.capability_id, place);
            }
            warnings.extend(target.warnings.into_iter().map(Into::into));
            for explanation in target.explanations {
                let explanation = explanation.into();
                if !explanations.contains(&explanation) {
                    explanations.push(explanation);
                }
            }
        }
        let snapshot =
            snapshot.map(|text| read(&text, review::Role::Snapshot(snapshot_path.clone()))).transpose()?;
        let base = base.map(|it| read_base(it, &snapshot_path)).transpose()?;
        let report = review::Report::new(review::Request {
            command: word(&command, review::Command::from_word)?,
            compiled: manifests,
            places,
            snapshot_path,
            snapshot,
            base,
            policy: word(&policy, review::Policy::from_word)?,
            explanations,
            warnings,
        });
        Ok(Self { report: report.map_err(refuse)? })
    }

    /// `pass`, `fail`, `written` or `view`.
    #[napi(getter, catch_unwind)]
    pub fn status(&self) -> &'static str {
        self.report.status().as_str()
    }

    /// Whether the snapshot is not what the source compiles to.
    #[napi(getter, catch_unwind)]
    pub fn stale(&self) -> bool {
        self.report.is_stale()
    }

    /// The contract file of all targets.
    #[napi(getter, catch_unwind)]
    pub fn contract_text(&self) -> String {
        self.report.contract_text()
    }

    /// The report as text.
    ///
    /// # Errors
    /// An unknown word.
    #[napi(catch_unwind)]
    pub fn render(&self, options: RenderOptions) -> Result<String> {
        let (format, options) = read_options(options)?;
        Ok(self.report.render(format, &options))
    }
}

/// The outcome of one command over several apps.
#[napi]
pub struct WorkspaceReview {
    workspace: review::Workspace,
}

#[napi]
impl WorkspaceReview {
    /// A workspace without an app.
    ///
    /// # Errors
    /// An unknown command.
    #[napi(constructor, catch_unwind)]
    pub fn new(command: String) -> Result<Self> {
        Ok(Self { workspace: review::Workspace::new(word(&command, review::Command::from_word)?) })
    }

    /// Adds an app by its path from the workspace's root.
    #[napi(catch_unwind)]
    pub fn add(&mut self, path: String, app: &Review) {
        self.workspace.insert(path, review::App::Reported(Box::new(app.report.clone())));
    }

    /// Adds an app that could not be compiled or compared, and why.
    #[napi(catch_unwind)]
    pub fn add_failure(&mut self, path: String, message: String) {
        self.workspace.insert(path, review::App::Failed(message));
    }

    /// `pass`, `fail`, `written` or `view`.
    #[napi(getter, catch_unwind)]
    pub fn status(&self) -> &'static str {
        self.workspace.status().as_str()
    }

    /// The outcome as text.
    ///
    /// # Errors
    /// An unknown word.
    #[napi(catch_unwind)]
    pub fn render(&self, options: RenderOptions) -> Result<String> {
        let (format, options) = read_options(options)?;
        Ok(self.workspace.render(format, &options))
    }
}

fn read(text: &str, role: review::Role) -> Result<agent_surface_manifest::Manifest> {
    review::read_contract(text, role).map_err(refuse)
}

fn read_base(base: BaseContract, path: &str) -> Result<review::Base> {
    let BaseContract { reference, contract } = base;
    let role = review::Role::Base { path: path.to_owned(), reference: reference.clone() };
    Ok(review::Base { contract: contract.map(|text| read(&text, role)).transpose()?, reference })
}

fn refuse(error: review::ContractError) -> Error {
    Error::new(Status::InvalidArg, error.to_string())
}

fn read_options(options: RenderOptions) -> Result<(review::Format, review::Options)> {
    let RenderOptions { format, verbosity, color, width, prefix, version } = options;
    let options = review::Options {
        verbosity: word(&verbosity, review::Verbosity::from_word)?,
        color,
        width: width.and_then(|width| usize::try_from(width).ok()),
        prefix,
        version,
    };
    Ok((word(&format, review::Format::from_word)?, options))
}

fn word<T>(word: &str, read: impl Fn(&str) -> Option<T>) -> Result<T> {
    read(word).ok_or_else(|| Error::new(Status::InvalidArg, format!("`{word}` means nothing here")))
}
