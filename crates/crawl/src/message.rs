//! What is said between a crawl and its host.

use agent_surface_compiler::{Library, LibraryImport, Proof, Report, SchemaOutcome};

/// What a crawl is told once.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the compiler's session is told.
    pub session: agent_surface_compiler::Options,
    /// Where the graph begins.
    pub entries: Vec<Entry>,
    /// Aliases whose pattern is a text, in their order.
    pub aliases: Vec<Alias>,
    /// Conditions of package exports that hold.
    pub conditions: Vec<String>,
    /// Fields of a package.json that name its main file, in their order.
    pub main_fields: Vec<String>,
    /// Endings to try, in their order.
    pub extensions: Vec<String>,
    /// Whether a module goes by the path of the link that leads to it.
    pub preserve_symlinks: bool,
    /// Packages of which there is one copy: the root's.
    pub dedupe: Vec<String>,
    /// Names that stay outside of the bundle.
    pub externals: Vec<String>,
    /// Whether the `paths` of `tsconfig.json` files lead somewhere.
    pub tsconfig_paths: bool,
    /// The `tsconfig.json` of all modules; without one each has the nearest that is about it.
    pub tsconfig: Option<String>,
    /// What a build puts into a page for `%NAME%`.
    pub page_constants: Vec<PageConstant>,
    /// The folder whose files are part of the site as they are, and of no graph.
    pub public_dir: Option<String>,
    /// What a server leaves outside of its bundle; none for a page, which has everything in it.
    pub server: Option<Server>,
    /// Names that JSX needs in scope: an import of one is used wherever there is JSX.
    pub jsx_names: Vec<String>,
    /// Whether the host has a say in every specifier, before anything else has.
    pub asks_first: bool,
    /// Whether the host has a say in what any module's text is.
    pub asks_for_texts: bool,
}

/// Where a graph begins: a specifier, as the host's config has it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// A path or a package's name.
    pub specifier: String,
}

/// A text that stands in pages by a name.
#[derive(Clone, Debug)]
pub struct PageConstant {
    /// What stands between two `%`.
    pub name: String,
    /// What takes its place.
    pub text: String,
}

/// A beginning of specifiers that stands for another one.
#[derive(Clone, Debug)]
pub struct Alias {
    /// Matches a specifier that is it, or goes on behind it with a slash.
    pub find: String,
    /// What takes its place.
    pub replacement: String,
}

/// What a server leaves outside of its bundle, for Node to find: Vite's `resolve.external` and `resolve.noExternal`.
#[derive(Clone, Debug)]
pub struct Server {
    /// What stays outside.
    pub leaves: Leaves,
    /// What does not.
    pub keeps: Keeps,
    /// Conditions of package exports that hold for what stays outside.
    pub conditions: Vec<String>,
}

/// What the config says stays outside of a bundle.
#[derive(Clone, Debug)]
pub enum Leaves {
    /// Everything that can.
    All,
    /// These specifiers and packages.
    Named(Vec<String>),
}

/// Which packages the config says are in a bundle.
#[derive(Clone, Debug)]
pub enum Keeps {
    /// All.
    All,
    /// These.
    Named(Vec<String>),
    /// Those that the host says so of: the config has patterns for them.
    Asked,
}

/// Something only the host can know, since plugins decide it or a library does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// To which module does this specifier lead from that one, if a plugin says so?
    Resolve {
        /// As written.
        specifier: String,
        /// The module that has it.
        importer: String,
        /// Whether it is found nowhere else: before that only what comes before Vite's own resolution has a say.
        lost: bool,
    },
    /// What do plugins give for the text of this module, or for the markup of this page?
    Load {
        /// The module's id.
        id: String,
    },
    /// What do plugins make of this module's text ([`crate::Crawl::text_of`])?
    Transform {
        /// The module's id.
        id: String,
    },
    /// Does the config keep this package in the bundle of a server?
    Keep {
        /// Its name.
        package: String,
    },
    /// What does a schema library make of this expression? See [`agent_surface_compiler::Question::Schema`].
    Schema {
        /// The name of the question.
        key: String,
        /// The modules that the program needs.
        imports: Vec<LibraryImport>,
        /// The expression, as JSON.
        program: String,
    },
}

/// The host's word on a need.
#[derive(Clone, Debug)]
pub enum Fact {
    /// To [`Need::Resolve`]; without an id where no plugin has a say.
    Resolved {
        /// As asked.
        specifier: String,
        /// As asked.
        importer: String,
        /// As asked.
        lost: bool,
        /// The module, or the name of what stays outside.
        id: Option<String>,
        /// Whether it stays outside of the bundle.
        external: bool,
    },
    /// To [`Need::Load`]; without a text where no plugin gives one.
    Loaded {
        /// As asked.
        id: String,
        /// The text.
        text: Option<String>,
    },
    /// To [`Need::Transform`]; without a text where no plugin changes it.
    Transformed {
        /// As asked.
        id: String,
        /// The text.
        text: Option<String>,
        /// The source map that leads back, if there is one.
        map: Option<String>,
    },
    /// Not asked for: what plugins have outputs made of, beside those of the entries, for the sake of a module that they
    /// load or transform.
    Emitted {
        /// The module.
        id: String,
        /// What is to be bundled, as the module would import it.
        entries: Vec<String>,
    },
    /// To [`Need::Keep`].
    Kept {
        /// As asked.
        package: String,
        /// Whether it does.
        inside: bool,
    },
    /// To [`Need::Schema`].
    Schema {
        /// As asked.
        key: String,
        /// What came of it.
        outcome: SchemaOutcome,
        /// The packages that were loaded, in the order of the imports.
        libraries: Vec<Library>,
    },
}

/// How far a crawl has come.
#[derive(Clone, Debug)]
pub enum Step {
    /// Answer these, then go on.
    Ask(Vec<Need>),
    /// Nothing that matters to a contract changed since the last verdict.
    Unchanged,
    /// Every declaration is proven.
    Proven(Proof),
    /// At least one is not.
    Refused(Report),
    /// A module of the app can't be read as what it is, so the graph has no end: why.
    Unreadable(String),
}
