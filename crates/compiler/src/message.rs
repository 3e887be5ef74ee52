//! What is said between a session and its host.

/// What a session is told once.
#[derive(Clone, Debug)]
pub struct Options {
    /// The project's root, as the host spells paths. Origins in the manifest are relative to it.
    pub root: String,
    /// Where the root's symbolic links lead, if anywhere else.
    pub real_root: Option<String>,
    /// The build target that the entries are proven for, `web-production` unless the user names another.
    pub target: String,
    /// Whether to make source maps with every edit.
    pub source_maps: bool,
    /// The constants that the bundler puts in the place of names.
    pub defines: Vec<Define>,
    /// What dependencies may contribute.
    pub approvals: Vec<Approval>,
    /// What it means that the project registers tools with the browser which no contract proves.
    pub raw_tools: Severity,
}

/// An entry of the allow list: what a package contributes was reviewed, and has this digest.
#[derive(Clone, Debug)]
pub struct Approval {
    /// The name in the package's own `package.json`.
    pub package: String,
    /// SHA-256 of what it contributes, in 64 lower-case hexadecimal digits.
    pub digest: String,
    /// The package's contract file, where nothing in the graph leads to it; absolute, or relative to the root.
    pub path: Option<String>,
}

/// A constant that the bundler puts in the place of a name.
#[derive(Clone, Debug)]
pub struct Define {
    /// A name or a path, `import.meta.env.MODE` for example; `import.meta.env.*` stands for the members that have
    /// no constant of their own.
    pub name: String,
    /// What replaces it, as JavaScript.
    pub text: String,
    /// An environment of the same build in which something else replaces it.
    pub differs_in: Option<String>,
}

/// What became of a module's text.
#[derive(Clone, Debug)]
pub enum Transform {
    /// Nothing to expand in it.
    Unchanged,
    /// The text with its macros expanded.
    Changed(Output),
    /// The text is beyond the bounds within which a parse ends well, ours or the bundler's: the build must fail
    /// before the bundler tries.
    Refused(Report),
    /// Answer these, then call again.
    Ask(Vec<Question>),
}

/// An edited text.
#[derive(Clone, Debug)]
pub struct Output {
    /// The new text.
    pub code: String,
    /// A source map (version 3, JSON) from the new text to the old, if the session makes maps.
    pub map: Option<String>,
}

/// What became of the build.
#[derive(Clone, Debug)]
pub enum Close {
    /// Every declaration is proven.
    Proven(Proof),
    /// At least one is not: the build must fail with this report.
    Refused(Report),
    /// Answer these, then call again.
    Ask(Vec<Question>),
}

/// A proven build.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The contract file: the manifest in canonical order, indented, with a final newline.
    pub manifest: String,
    /// The manifest's hash, lower-case hex.
    pub hash: String,
    /// What is worth a look and no reason to fail.
    pub warnings: Vec<Diagnostic>,
    /// Where each capability is declared, in the manifest's order.
    pub capabilities: Vec<Located>,
}

/// A capability and the place of its declaration.
#[derive(Clone, Debug)]
pub struct Located {
    /// For example `view:devices.table.sort`.
    pub capability_id: String,
    /// For example `src/contracts.ts#deviceTable`.
    pub declaration_id: String,
    /// The file, relative to the root.
    pub file: String,
    /// 1-based; 0 in generated code from which no source map leads back to its author's.
    pub line: u32,
    /// 1-based, in UTF-16 code units; 0 as `line` is.
    pub column: u32,
}

/// All errors of a build, in one text and one by one.
#[derive(Clone, Debug)]
pub struct Report {
    /// Every error with its frame and help, without colour.
    pub text: String,
    /// The same, taken apart.
    pub diagnostics: Vec<Diagnostic>,
}

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The build fails.
    Error,
    /// The build goes on.
    Warning,
}

/// One thing to say about one place.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Whether the build fails.
    pub severity: Severity,
    /// A stable name of the kind of diagnostic, `agent-surface(dynamic-value)` for example.
    pub code: String,
    /// What was found.
    pub message: String,
    /// The module, as the host names it; none for what has no place.
    pub id: Option<String>,
    /// The module's file, relative to the root; none for what has no place.
    pub file: Option<String>,
    /// 1-based; 0 without a place.
    pub line: u32,
    /// 1-based, in UTF-16 code units; 0 without a place.
    pub column: u32,
    /// The rendered text with its code frame.
    pub frame: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// Something only the host can know.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Question {
    /// To which module does this specifier lead from that one?
    Resolve {
        /// The specifier as written.
        specifier: String,
        /// The id of the module that has it.
        importer: String,
    },
    /// Is this module in the graph, and who imports it?
    Module {
        /// The module's id.
        id: String,
    },
    /// What is this module's text, after every plugin's transform?
    Code {
        /// The module's id.
        id: String,
    },
    /// What is this module's text on disk? Asked while the graph is still being loaded.
    Source {
        /// The module's id.
        id: String,
    },
    /// What leads from a module's text, as it was just handed over, to what its author wrote?
    Map {
        /// The module's id.
        id: String,
    },
    /// Which package does this file belong to, by where its symbolic links lead?
    Package {
        /// The module's id.
        id: String,
    },
    /// Which modules of the graph have `node_modules` in their ids?
    Installed,
    /// What is in a package's contract file?
    ContractFile {
        /// The package's folder, as [`Package::dir`] has it.
        folder: String,
        /// The file's absolute path.
        path: String,
    },
    /// What does a schema library make of this expression? Asked last, and of all schemas of a build at once.
    Schema {
        /// The name of the question: a hash of the program and of the libraries.
        key: String,
        /// The modules that the program needs, in the order of its numbers for them.
        imports: Vec<LibraryImport>,
        /// The expression, as JSON; its form is described where it is printed (`library/program.rs`).
        program: String,
    },
}

/// A module of a schema library, to be loaded as the project has it installed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LibraryImport {
    /// The specifier as written.
    pub specifier: String,
    /// The id of the module that has it.
    pub importer: String,
    /// The id of the module that it leads to; none where the bundler leaves it out of the bundle.
    pub id: Option<String>,
}

/// The host's word on a question.
#[derive(Clone, Debug)]
pub enum Answer {
    /// To [`Question::Resolve`]; `id` is none where nothing is found.
    Resolved {
        /// As asked.
        specifier: String,
        /// As asked.
        importer: String,
        /// The module's id, or the name of an external one.
        id: Option<String>,
        /// Whether the bundler leaves it out of the bundle.
        external: bool,
    },
    /// To [`Question::Module`]; none where the module is not in the graph.
    Module {
        /// As asked.
        id: String,
        /// What the bundler knows.
        known: Option<Known>,
    },
    /// To [`Question::Code`]; none for an external module, and for one that is not in the graph.
    Code {
        /// As asked.
        id: String,
        /// The text.
        text: Option<String>,
    },
    /// To [`Question::Source`]; none where it can't be read.
    Source {
        /// As asked.
        id: String,
        /// The text.
        text: Option<String>,
    },
    /// To [`Question::Map`]; none where some plugin that changed the text made no map.
    Map {
        /// As asked.
        id: String,
        /// A source map (version 3, JSON).
        map: Option<String>,
    },
    /// To [`Question::Package`]; none where no `package.json` with a name lies above the file.
    Package {
        /// As asked.
        id: String,
        /// The package.
        package: Option<Package>,
    },
    /// To [`Question::Schema`].
    Schema {
        /// As asked.
        key: String,
        /// What came of it.
        outcome: SchemaOutcome,
        /// The packages that were loaded, in the order of the imports.
        libraries: Vec<Library>,
    },
    /// To [`Question::Installed`].
    Installed {
        /// The modules' ids.
        ids: Vec<String>,
    },
    /// To [`Question::ContractFile`].
    ContractFile {
        /// As asked.
        folder: String,
        /// As asked.
        path: String,
        /// What was found.
        file: ContractFile,
    },
}

/// The most bytes that a contract file may have: a thousand capabilities with long schemas take a tenth of it.
pub const MAX_CONTRACT_FILE: u64 = 8 * 1024 * 1024;

/// What was found where a contract file should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContractFile {
    /// The file.
    Found {
        /// Its path, where symbolic links lead.
        path: String,
        /// What is in it.
        bytes: Vec<u8>,
    },
    /// It can't be read, and why not, in the system's words.
    Unreadable {
        /// For example `No such file or directory`.
        reason: String,
    },
    /// A symbolic link leads out of the package's folder: what is there, the package did not publish.
    Outside {
        /// Where it leads.
        path: String,
    },
    /// It has more than [`MAX_CONTRACT_FILE`] bytes.
    TooLarge {
        /// How many it has.
        bytes: u64,
    },
}

/// What came of an expression of a schema library.
#[derive(Clone, Debug)]
pub enum SchemaOutcome {
    /// A JSON text.
    Document(String),
    /// The expression has no value, or none that JSON can carry.
    Failed(Failure),
}

/// Why a schema library made no JSON Schema.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What the library says, or the host.
    pub message: String,
    /// Which call of the program it was.
    pub site: Option<u32>,
    /// What stands in for a function of the app, and was called.
    pub stand_in: Option<u32>,
}

/// A schema library that took part in a build.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Library {
    /// The package's name.
    pub name: String,
    /// Its version, if it states one.
    pub version: Option<String>,
}

impl Library {
    /// `zod 4.6.7`.
    pub(crate) fn describe(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }
}

/// A module of the bundler's graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The ids of the modules that import it.
    pub importers: Vec<String>,
    /// The ids of all modules that it imports, however it does, and of what is left out of the bundle; none where the
    /// host can't tell. Which specifier leads to which of them it need not tell.
    pub imports: Option<Vec<String>>,
    /// Whether it is an entry: what it exports, others than the graph may use.
    pub is_entry: bool,
}

/// A package, from its `package.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Its name; empty for an installed one whose `package.json` states none.
    pub name: String,
    /// Its version, if it states one.
    pub version: Option<String>,
    /// Its folder, where symbolic links lead.
    pub dir: String,
    /// Whether a `node_modules` folder holds it: code the project did not write.
    pub installed: bool,
    /// Whether its `package.json` has an `agentSurface.contract`.
    pub declares_contract: bool,
}
