//! What crosses to JavaScript and back: the compiler's own types, spelled as plain objects with a `kind`.

use agent_surface_compiler as compiler;
use agent_surface_review as review;
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
    /// The constants that the bundler puts in the place of names.
    pub defines: Vec<Define>,
    /// What dependencies may contribute.
    pub approvals: Vec<Approval>,
    /// Whether tools that no contract proves are only warned of.
    pub allow_raw_tools: bool,
}

impl From<SessionOptions> for compiler::Options {
    fn from(options: SessionOptions) -> Self {
        let SessionOptions { root, real_root, target, source_maps, defines, approvals, allow_raw_tools } =
            options;
        let defines = defines.into_iter().map(Into::into).collect();
        let approvals = approvals.into_iter().map(Into::into).collect();
        let raw_tools = if allow_raw_tools { compiler::Severity::Warning } else { compiler::Severity::Error };
        Self { root, real_root, target, source_maps, defines, approvals, raw_tools }
    }
}

/// What a package contributes, by its digest.
#[napi(object, object_to_js = false)]
pub struct Approval {
    /// The name in its own package.json.
    pub package: String,
    /// SHA-256, as the build that misses it prints it.
    pub digest: String,
    /// Its contract file, where nothing in the graph leads there.
    pub path: Option<String>,
}

impl From<Approval> for compiler::Approval {
    fn from(Approval { package, digest, path }: Approval) -> Self {
        Self { package, digest, path }
    }
}

/// A constant that the bundler puts in the place of a name.
#[napi(object, object_to_js = false)]
pub struct Define {
    /// A name or a path; `its.parent.*` stands for the members that have no constant of their own.
    pub name: String,
    /// What replaces it, as JavaScript.
    pub text: String,
    /// An environment of the same build in which something else replaces it.
    pub differs_in: Option<String>,
}

impl From<Define> for compiler::Define {
    fn from(Define { name, text, differs_in }: Define) -> Self {
        Self { name, text, differs_in }
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
    /// What leads from the text that was just handed over to its author's.
    Map {
        /// The module.
        id: String,
    },
    /// Which modules of the graph have `node_modules` in their ids.
    Installed,
    /// What a schema library makes of an expression.
    Schema {
        /// The name of the question.
        key: String,
        /// The modules that the program needs.
        imports: Vec<LibraryImport>,
        /// The expression, as JSON.
        program: String,
    },
}

/// A module of a schema library.
#[napi(object, object_from_js = false)]
pub struct LibraryImport {
    /// As written.
    pub specifier: String,
    /// The module that has it.
    pub importer: String,
    /// The module that it leads to; none where it stays outside the bundle.
    pub id: Option<String>,
}

impl From<compiler::LibraryImport> for LibraryImport {
    fn from(compiler::LibraryImport { specifier, importer, id }: compiler::LibraryImport) -> Self {
        Self { specifier, importer, id }
    }
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
    /// To [`Question::Map`].
    Map {
        /// As asked.
        id: String,
        /// As JSON; none where some plugin made none.
        map: Option<String>,
    },
    /// To [`Question::Installed`].
    Installed {
        /// The modules.
        ids: Vec<String>,
    },
    /// To [`Question::Schema`].
    Schema {
        /// As asked.
        key: String,
        /// The document as JSON; none where there is none.
        document: Option<String>,
        /// Why there is none.
        failure: Option<Failure>,
        /// The packages that were loaded.
        libraries: Vec<Library>,
    },
}

/// Why a schema library made no JSON Schema.
#[napi(object, object_to_js = false)]
pub struct Failure {
    /// What the library says.
    pub message: String,
    /// Which call of the program it was.
    pub site: Option<u32>,
    /// What stands in for a function of the app, and was called.
    pub stand_in: Option<u32>,
}

impl From<Failure> for compiler::Failure {
    fn from(Failure { message, site, stand_in }: Failure) -> Self {
        Self { message, site, stand_in }
    }
}

/// A schema library.
#[napi(object)]
pub struct Library {
    /// The package's name.
    pub name: String,
    /// Its version, if it states one.
    pub version: Option<String>,
}

impl From<Library> for compiler::Library {
    fn from(Library { name, version }: Library) -> Self {
        Self { name, version }
    }
}

impl From<compiler::Library> for Library {
    fn from(compiler::Library { name, version }: compiler::Library) -> Self {
        Self { name, version }
    }
}

/// A module of the bundler's graph.
#[napi(object, object_to_js = false)]
pub struct Known {
    /// The modules that import it.
    pub importers: Vec<String>,
    /// The modules that it imports; none where the bundler can't tell.
    pub imports: Option<Vec<String>>,
    /// Whether it is an entry.
    pub is_entry: bool,
}

impl From<Known> for compiler::Known {
    fn from(Known { importers, imports, is_entry }: Known) -> Self {
        Self { importers, imports, is_entry }
    }
}

impl From<Answer> for compiler::Answer {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Resolved { specifier, importer, id, external } => {
                Self::Resolved { specifier, importer, id, external }
            }
            Answer::Module { id, known } => Self::Module { id, known: known.map(Into::into) },
            Answer::Code { id, text } => Self::Code { id, text },
            Answer::Map { id, map } => Self::Map { id, map },
            Answer::Installed { ids } => Self::Installed { ids },
            Answer::Schema { key, document, failure, libraries } => Self::Schema {
                key,
                outcome: outcome_of(document, failure),
                libraries: libraries.into_iter().map(Into::into).collect(),
            },
        }
    }
}

/// What came of an expression of a schema library: JavaScript has no enum for it.
pub(crate) fn outcome_of(document: Option<String>, failure: Option<Failure>) -> compiler::SchemaOutcome {
    match (document, failure) {
        (Some(document), None) => compiler::SchemaOutcome::Document(document),
        (_, Some(failure)) => compiler::SchemaOutcome::Failed(failure.into()),
        (None, None) => compiler::SchemaOutcome::Failed(compiler::Failure {
            message: "nothing came of it".to_owned(),
            site: None,
            stand_in: None,
        }),
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
        /// The modules of schema libraries that it will likely need.
        libraries: Option<Vec<LibraryImport>>,
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
#[napi(object)]
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

impl From<Proof> for compiler::Proof {
    fn from(Proof { manifest, hash, warnings, capabilities }: Proof) -> Self {
        Self {
            manifest,
            hash,
            warnings: warnings.into_iter().map(Into::into).collect(),
            capabilities: capabilities.into_iter().map(Into::into).collect(),
        }
    }
}

/// What another environment of the app proved by itself.
#[napi(object, object_to_js = false)]
pub struct Neighbour {
    /// The environment's name.
    pub environment: String,
    /// What it proved.
    pub proof: Proof,
}

impl From<Neighbour> for compiler::Neighbour {
    fn from(Neighbour { environment, proof }: Neighbour) -> Self {
        Self { environment, proof: proof.into() }
    }
}

/// What came of several environments.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)]
pub enum Union {
    /// One contract.
    Proven {
        /// What is in it.
        proof: Proof,
    },
    /// They contradict each other.
    Refused {
        /// Why.
        report: Report,
    },
}

impl From<compiler::Union> for Union {
    fn from(union: compiler::Union) -> Self {
        match union {
            compiler::Union::Proven(proof) => Self::Proven { proof: proof.into() },
            compiler::Union::Refused(report) => Self::Refused { report: report.into() },
        }
    }
}

/// A capability and the place of its declaration.
#[napi(object)]
pub struct LocatedCapability {
    /// The capability.
    pub capability_id: String,
    /// The declaration.
    pub declaration_id: String,
    /// The file, relative to the root.
    pub file: String,
    /// Counted from 1; 0 in generated code from which no source map leads back.
    pub line: u32,
    /// Counted from 1, in UTF-16 code units; 0 as `line` is.
    pub column: u32,
}

impl From<LocatedCapability> for compiler::Located {
    fn from(located: LocatedCapability) -> Self {
        let LocatedCapability { capability_id, declaration_id, file, line, column } = located;
        Self { capability_id, declaration_id, file, line, column }
    }
}

impl From<compiler::Located> for LocatedCapability {
    fn from(located: compiler::Located) -> Self {
        let compiler::Located { capability_id, declaration_id, file, line, column } = located;
        Self { capability_id, declaration_id, file, line, column }
    }
}

/// What became of an explanation.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)]
pub enum Explain {
    /// One for each declaration of the capability.
    Explained {
        /// They.
        explanations: Vec<Explanation>,
    },
    /// Answer, then call again.
    Ask {
        /// What to answer.
        questions: Vec<Question>,
    },
}

/// How one declaration came to have a capability.
#[napi(object)]
pub struct Explanation {
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
    /// The constants that were read to evaluate it.
    pub constants: Vec<NamedPlace>,
    /// What uses the contract.
    pub binders: Vec<NamedPlace>,
    /// The schema libraries that made its JSON Schemas.
    pub libraries: Vec<Library>,
}

/// Something with a name, and where it is.
#[napi(object)]
pub struct NamedPlace {
    /// As it is written there.
    pub name: String,
    /// The file, relative to the root.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in UTF-16 code units.
    pub column: u32,
}

impl From<compiler::Explanation> for Explanation {
    fn from(explanation: compiler::Explanation) -> Self {
        let compiler::Explanation { capability_id, declaration_id, position, constants, binders, libraries } =
            explanation;
        let compiler::Position { file, line, column } = position;
        Self {
            capability_id,
            declaration_id,
            file,
            line,
            column,
            constants: constants.into_iter().map(Into::into).collect(),
            binders: binders.into_iter().map(Into::into).collect(),
            libraries: libraries.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<compiler::NamedPosition> for NamedPlace {
    fn from(compiler::NamedPosition { name, position }: compiler::NamedPosition) -> Self {
        let compiler::Position { file, line, column } = position;
        Self { name, file, line, column }
    }
}

impl From<Explanation> for review::Explanation {
    fn from(explanation: Explanation) -> Self {
        let Explanation { capability_id, declaration_id, file, line, column, constants, binders, libraries } =
            explanation;
        let place = |NamedPlace { name, file, line, column }| (name, review::Place { file, line, column });
        let constants = constants.into_iter().map(place);
        let binders = binders.into_iter().map(place);
        Self {
            declaration_id,
            capability_id,
            place: review::Place { file, line, column },
            constants: constants.map(|(name, place)| review::Constant { name, place }).collect(),
            binders: Some(binders.map(|(name, place)| review::Binder { name, place }).collect()),
            libraries: libraries
                .into_iter()
                .map(|Library { name, version }| review::Library { name, version })
                .collect(),
        }
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
#[napi(object)]
pub struct Diagnostic {
    /// Whether it fails the build.
    pub severity: Severity,
    /// The stable name of its kind.
    pub code: String,
    /// What was found.
    pub message: String,
    /// The module it is about.
    pub id: Option<String>,
    /// Its file, relative to the root.
    pub file: Option<String>,
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
        let compiler::Diagnostic { severity, code, message, id, file, line, column, frame, help } =
            diagnostic;
        let severity = match severity {
            compiler::Severity::Error => Severity::Error,
            compiler::Severity::Warning => Severity::Warning,
        };
        Self { severity, code, message, id, file, line, column, frame, help }
    }
}

impl From<Diagnostic> for compiler::Diagnostic {
    fn from(diagnostic: Diagnostic) -> Self {
        let Diagnostic { severity, code, message, id, file, line, column, frame, help } = diagnostic;
        let severity = match severity {
            Severity::Error => compiler::Severity::Error,
            Severity::Warning => compiler::Severity::Warning,
        };
        Self { severity, code, message, id, file, line, column, frame, help }
    }
}
