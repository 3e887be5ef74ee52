//! What crosses to JavaScript and back: the compiler's own types, spelled as plain objects with a `kind`.

use agent_surface_compiler as compiler;
use napi_derive::napi;

/// Where a session works and for whom.
#[napi(object, object_to_js = false)]
pub struct SessionOptions {
    /// The project's root, absolute.
    pub root: String,
    /// Where the root's symbolic links lead.
    pub real_root: Option<String>,
    /// The build target that contracts are proven for.
    pub target: String,
    /// Whether edits come with a source map.
    pub source_maps: bool,
}

impl From<SessionOptions> for compiler::Options {
    fn from(options: SessionOptions) -> Self {
        let SessionOptions { root, real_root, target, source_maps } = options;
        Self { root, real_root, target, source_maps }
    }
}

/// What only the bundler can tell.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)]
pub enum Question {
    /// Where a specifier leads.
    Resolve {
        /// As written.
        specifier: String,
        /// The module that has it.
        importer: String,
    },
    /// Whether a module is in the graph, and who imports it.
    Module {
        /// The module.
        id: String,
    },
    /// A module's text after all transforms.
    Code {
        /// The module.
        id: String,
    },
}

/// The bundler's reply.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_to_js = false)]
pub enum Answer {
    /// To [`Question::Resolve`].
    Resolved {
        /// As asked.
        specifier: String,
        /// As asked.
        importer: String,
        /// The module; none where the specifier leads nowhere.
        id: Option<String>,
        /// Whether it stays outside the bundle.
        external: bool,
    },
    /// To [`Question::Module`].
    Module {
        /// As asked.
        id: String,
        /// None where the module is not in the graph.
        known: Option<Known>,
    },
    /// To [`Question::Code`].
    Code {
        /// As asked.
        id: String,
        /// None where the module has none.
        text: Option<String>,
    },
}

/// A module of the bundler's graph.
#[napi(object, object_to_js = false)]
pub struct Known {
    /// The modules that import it.
    pub importers: Vec<String>,
    /// Whether it is an entry.
    pub is_entry: bool,
}

impl From<Answer> for compiler::Answer {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Resolved { specifier, importer, id, external } => {
                Self::Resolved { specifier, importer, id, external }
            }
            Answer::Module { id, known } => {
                let known =
                    known.map(|Known { importers, is_entry }| compiler::Known { importers, is_entry });
                Self::Module { id, known }
            }
            Answer::Code { id, text } => Self::Code { id, text },
        }
    }
}

/// An edited text.
#[napi(object, object_from_js = false)]
pub struct Output {
    /// The text.
    pub code: String,
    /// Its source map as JSON, where the session makes maps.
    pub map: Option<String>,
}

impl From<compiler::Output> for Output {
    fn from(compiler::Output { code, map }: compiler::Output) -> Self {
        Self { code, map }
    }
}

/// What became of a module.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)]
pub enum Transform {
    /// Nothing in it is a contract.
    Unchanged,
    /// Its macros are expanded.
    Changed {
        /// The new text.
        output: Output,
    },
    /// The bundler must not even parse it.
    Refused {
        /// Why.
        report: Report,
    },
    /// Answer, then call again.
    Ask {
        /// What to answer.
        questions: Vec<Question>,
    },
}

/// What became of the build.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)]
pub enum Close {
    /// Every declaration is proven.
    Proven {
        /// What was proven.
        proof: Proof,
    },
    /// Some declaration is not.
    Refused {
        /// Why.
        report: Report,
    },
    /// Answer, then call again.
    Ask {
        /// What to answer.
        questions: Vec<Question>,
    },
}

/// A proven build.
#[napi(object, object_from_js = false)]
pub struct Proof {
    /// The contract file.
    pub manifest: String,
    /// The contract's hash.
    pub hash: String,
    /// What is worth a look and no reason to fail.
    pub warnings: Vec<Diagnostic>,
    /// Where each capability is declared.
    pub capabilities: Vec<LocatedCapability>,
}

impl From<compiler::Proof> for Proof {
    fn from(proof: compiler::Proof) -> Self {
        let compiler::Proof { manifest, hash, warnings, capabilities } = proof;
        Self {
            manifest,
            hash,
            warnings: warnings.into_iter().map(Into::into).collect(),
            capabilities: capabilities.into_iter().map(Into::into).collect(),
        }
    }
}

/// A capability and the place of its declaration.
#[napi(object, object_from_js = false)]
pub struct LocatedCapability {
    /// The capability.
    pub capability_id: String,
    /// The declaration.
    pub declaration_id: String,
    /// The file, relative to the root.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in UTF-16 code units.
    pub column: u32,
}

impl From<compiler::Located> for LocatedCapability {
    fn from(located: compiler::Located) -> Self {
        let compiler::Located { capability_id, declaration_id, file, line, column } = located;
        Self { capability_id, declaration_id, file, line, column }
    }
}

/// All errors of a build.
#[napi(object, object_from_js = false)]
pub struct Report {
    /// In one text, with frames.
    pub text: String,
    /// One by one.
    pub diagnostics: Vec<Diagnostic>,
}

impl From<compiler::Report> for Report {
    fn from(compiler::Report { text, diagnostics }: compiler::Report) -> Self {
        Self { text, diagnostics: diagnostics.into_iter().map(Into::into).collect() }
    }
}

/// Whether a diagnostic fails the build.
#[napi(string_enum = "lowercase")]
pub enum Severity {
    /// It does.
    Error,
    /// It does not.
    Warning,
}

/// One thing to say about one place.
#[napi(object, object_from_js = false)]
pub struct Diagnostic {
    /// Whether it fails the build.
    pub severity: Severity,
    /// The stable name of its kind.
    pub code: String,
    /// What was found.
    pub message: String,
    /// The module it is about.
    pub id: Option<String>,
    /// Counted from 1; 0 without a place.
    pub line: u32,
    /// Counted from 1, in UTF-16 code units; 0 without a place.
    pub column: u32,
    /// The rendered text with its code frame.
    pub frame: String,
    /// What to write instead.
    pub help: Option<String>,
}

impl From<compiler::Diagnostic> for Diagnostic {
    fn from(diagnostic: compiler::Diagnostic) -> Self {
        let compiler::Diagnostic { severity, code, message, id, line, column, frame, help } = diagnostic;
        let severity = match severity {
            compiler::Severity::Error => Severity::Error,
            compiler::Severity::Warning => Severity::Warning,
        };
        Self { severity, code, message, id, line, column, frame, help }
    }
}
