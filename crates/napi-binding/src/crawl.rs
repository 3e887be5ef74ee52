//! The crawl of an app, as a JavaScript class.

use agent_surface_compiler as compiler;
use agent_surface_crawl as crawl;
use napi::{JsString, Result};
use napi_derive::napi;

use crate::{
    allocator,
    message::{
        Explanation, Failure, Library, LibraryImport, Neighbour, Output, Proof, Report, SessionOptions,
        Union, outcome_of,
    },
    text::read_source,
};

/// What a crawl is told once.
#[napi(object, object_to_js = false)]
pub struct CrawlOptions {
    /// What a session is told.
    pub session: SessionOptions,
    /// Aliases whose pattern is a text.
    pub aliases: Vec<CrawlAlias>,
    /// Conditions of package exports that hold.
    pub conditions: Vec<String>,
    /// Fields of a package.json that name its main file.
    pub main_fields: Vec<String>,
    /// Endings to try.
    pub extensions: Vec<String>,
    /// Whether a module goes by the path of the link that leads to it.
    pub preserve_symlinks: bool,
    /// Packages of which there is one copy.
    pub dedupe: Vec<String>,
    /// Names that stay outside of the bundle.
    pub externals: Vec<String>,
    /// Whether the `paths` of `tsconfig.json` files lead somewhere.
    pub tsconfig_paths: bool,
    /// The `tsconfig.json` of all modules, if there is but one.
    pub tsconfig: Option<String>,
    /// What a build puts into a page for `%NAME%`.
    pub page_constants: Vec<CrawlPageConstant>,
    /// The folder whose files are part of the site as they are.
    pub public_dir: Option<String>,
    /// What a server leaves outside of its bundle; none for a page, which has everything in it.
    pub server: Option<CrawlServer>,
    /// Names that JSX needs in scope.
    pub jsx_names: Vec<String>,
    /// Whether plugins have a say in every specifier.
    pub asks_first: bool,
    /// Whether plugins have a say in texts.
    pub asks_for_texts: bool,
}

/// What a server leaves outside of its bundle.
#[napi(object, object_to_js = false)]
pub struct CrawlServer {
    /// Whether everything that can stay outside does.
    pub leaves_all: bool,
    /// Specifiers and packages that stay outside.
    pub leaves: Vec<String>,
    /// Whether every package is in the bundle that is not named above.
    pub keeps_all: bool,
    /// Packages that are in the bundle.
    pub keeps: Vec<String>,
    /// Whether the host has to be asked which packages are in the bundle.
    pub asks: bool,
    /// Conditions of package exports that hold for what stays outside.
    pub conditions: Vec<String>,
}

/// A beginning of specifiers that stands for another one.
#[napi(object, object_to_js = false)]
pub struct CrawlAlias {
    /// Matches a specifier that is it, or goes on behind it with a slash.
    pub find: String,
    /// What takes its place.
    pub replacement: String,
}

/// A text that stands in pages by a name.
#[napi(object, object_to_js = false)]
pub struct CrawlPageConstant {
    /// What stands between two `%`.
    pub name: String,
    /// What takes its place.
    pub text: String,
}

/// Where a specifier leads.
#[napi(object, object_from_js = false)]
pub struct CrawlTarget {
    /// The module, or the name of what stays outside.
    pub id: String,
    /// Whether it stays outside of the bundle.
    pub external: bool,
}

/// What plugins have to say.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)]
pub enum CrawlNeed {
    /// Where a specifier leads.
    Resolve {
        /// As written.
        specifier: String,
        /// The module that has it.
        importer: String,
        /// Whether it is found nowhere else.
        lost: bool,
    },
    /// What they give for a module's text.
    Load {
        /// The module.
        id: String,
    },
    /// What they make of its text.
    Transform {
        /// The module.
        id: String,
    },
    /// Whether the config keeps a package in the bundle of a server.
    Keep {
        /// Its name.
        package: String,
    },
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

/// What they said.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_to_js = false)]
pub enum CrawlFact {
    /// To [`CrawlNeed::Resolve`].
    Resolved {
        /// As asked.
        specifier: String,
        /// As asked.
        importer: String,
        /// As asked.
        lost: bool,
        /// None where no plugin has a say.
        id: Option<String>,
        /// Whether it stays outside of the bundle.
        external: bool,
    },
    /// To [`CrawlNeed::Load`].
    Loaded {
        /// As asked.
        id: String,
        /// None where no plugin gives one.
        text: Option<String>,
    },
    /// To [`CrawlNeed::Transform`].
    Transformed {
        /// As asked.
        id: String,
        /// None where no plugin changes it.
        text: Option<String>,
        /// The way back, as JSON.
        map: Option<String>,
    },
    /// Not asked for: what plugins have outputs made of for a module's sake.
    Emitted {
        /// The module.
        id: String,
        /// As it would import them.
        entries: Vec<String>,
    },
    /// To [`CrawlNeed::Keep`].
    Kept {
        /// As asked.
        package: String,
        /// Whether it does.
        inside: bool,
    },
    /// To [`CrawlNeed::Schema`].
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

/// How far a crawl has come.
#[napi(discriminant = "kind", discriminant_case = "lowercase", object_from_js = false)]
pub enum CrawlStep {
    /// Answer these, then go on.
    Ask {
        /// The needs.
        needs: Vec<CrawlNeed>,
    },
    /// The last verdict holds.
    Unchanged,
    /// Every declaration is proven: [`Crawl::proof`].
    Proven,
    /// At least one is not.
    Refused {
        /// Why.
        report: Report,
    },
    /// A module can't be read.
    Unreadable {
        /// Which, and why.
        reason: String,
    },
}

/// The graph of an app that is served; it follows the files.
#[napi]
pub struct Crawl {
    crawl: crawl::Crawl,
    proof: Option<compiler::Proof>,
}

#[napi]
impl Crawl {
    /// A crawl that has seen nothing yet.
    #[napi(constructor, catch_unwind)]
    pub fn new(options: CrawlOptions) -> Self {
        Self { crawl: crawl::Crawl::new(options.into()), proof: None }
    }

    /// Begins at more modules, which plugins name.
    #[napi(catch_unwind)]
    pub fn enter(&mut self, entries: Vec<String>) {
        for specifier in entries {
            self.crawl.enter(crawl::Entry { specifier });
        }
    }

    /// Lets go of everything: it has then seen nothing yet.
    #[napi(catch_unwind)]
    pub fn release(&mut self) {
        self.crawl.release();
        self.proof = None;
        allocator::give_back();
    }

    /// Goes on with what plugins said.
    #[napi(catch_unwind)]
    pub fn advance(&mut self, facts: Vec<CrawlFact>) -> CrawlStep {
        match self.crawl.advance(facts.into_iter().map(Into::into).collect()) {
            crawl::Step::Ask(needs) => CrawlStep::Ask { needs: needs.into_iter().map(Into::into).collect() },
            crawl::Step::Unchanged => CrawlStep::Unchanged,
            crawl::Step::Proven(proof) => {
                self.proof = Some(proof);
                CrawlStep::Proven
            }
            crawl::Step::Refused(report) => CrawlStep::Refused { report: report.into() },
            crawl::Step::Unreadable(reason) => CrawlStep::Unreadable { reason },
        }
    }

    /// Makes one contract of what was proven here, in the environment of this name, and in others; none before
    /// anything was.
    #[napi(catch_unwind)]
    pub fn unite(&mut self, environment: String, others: Vec<Neighbour>) -> Option<Union> {
        let others: Vec<_> = others.into_iter().map(Into::into).collect();
        self.crawl.unite(&environment, &others).map(Into::into)
    }

    /// How a capability of the proven graph came about; nothing where only a plugin could say it.
    #[napi(catch_unwind)]
    pub fn explain(&mut self, capability_id: String) -> Vec<Explanation> {
        self.crawl.explain(&capability_id).into_iter().map(Into::into).collect()
    }

    /// What was proven last; few ask, and it is a large object.
    #[napi(catch_unwind)]
    pub fn proof(&self) -> Option<Proof> {
        self.proof.clone().map(Into::into)
    }

    /// Takes note of files that changed, came or went.
    #[napi(catch_unwind)]
    pub fn note_changes(&mut self, files: Vec<String>, came_or_went: bool) {
        self.crawl.note_changes(&files, came_or_went);
    }

    /// A module's text, as plugins are to see it next.
    #[napi(catch_unwind)]
    pub fn text_of(&self, id: String) -> Option<String> {
        self.crawl.text_of(&id).map(str::to_owned)
    }

    /// Where a specifier leads where no plugin has a say; none where that is nowhere.
    #[napi(catch_unwind)]
    pub fn resolve(&self, importer: String, specifier: String) -> Option<CrawlTarget> {
        self.crawl.resolve(&importer, &specifier).map(|(id, external)| CrawlTarget { id, external })
    }

    /// Puts what was proven into a module that a server hands out, before or after other plugins.
    ///
    /// # Errors
    /// The text has a lone surrogate.
    #[napi(catch_unwind)]
    pub fn serve(&mut self, id: String, source: JsString<'_>, compiled: bool) -> Result<Option<Output>> {
        let source = read_source(source, &id)?;
        let stage = if compiled { compiler::Stage::Compiled } else { compiler::Stage::Written };
        Ok(self.crawl.serve(&id, &source, stage).map(Into::into))
    }

    /// The names of what such a module declares and no entry leads to.
    ///
    /// # Errors
    /// The text has a lone surrogate.
    #[napi(catch_unwind)]
    pub fn find_unproven(&mut self, id: String, source: JsString<'_>, compiled: bool) -> Result<Vec<String>> {
        let source = read_source(source, &id)?;
        let stage = if compiled { compiler::Stage::Compiled } else { compiler::Stage::Written };
        Ok(self.crawl.find_unproven(&id, &source, stage))
    }

    /// The source of `virtual:agent-surface-contract`, with what was proven in it.
    #[napi(catch_unwind)]
    pub fn authority_module(&self) -> String {
        let session = self.crawl.session();
        let source = session.authority_module();
        session.render(&source).map_or(source, |output| output.code)
    }

    /// Names what a page was served of the proof; none before it.
    #[napi(catch_unwind)]
    pub fn served_digest(&self) -> Option<String> {
        self.crawl.session().served_digest()
    }

    /// The files of the graph that their author may change.
    #[napi(catch_unwind)]
    pub fn files(&self) -> Vec<String> {
        self.crawl.files().map(str::to_owned).collect()
    }

    /// Those of the files that were changed at this time or later.
    #[napi(catch_unwind)]
    pub fn changed_since(&self, time: f64) -> Vec<String> {
        self.crawl.changed_since(time).map(str::to_owned).collect()
    }

    /// How many modules the graph has.
    #[napi(catch_unwind)]
    pub fn size(&self) -> u32 {
        u32::try_from(self.crawl.size()).unwrap_or(u32::MAX)
    }
}

impl From<CrawlOptions> for crawl::Options {
    fn from(options: CrawlOptions) -> Self {
        let alias = |CrawlAlias { find, replacement }| crawl::Alias { find, replacement };
        Self {
            session: options.session.into(),
            // The host names them once its plugins have said where they are.
            entries: Vec::new(),
            aliases: options.aliases.into_iter().map(alias).collect(),
            conditions: options.conditions,
            main_fields: options.main_fields,
            extensions: options.extensions,
            preserve_symlinks: options.preserve_symlinks,
            dedupe: options.dedupe,
            externals: options.externals,
            tsconfig_paths: options.tsconfig_paths,
            tsconfig: options.tsconfig,
            page_constants: options
                .page_constants
                .into_iter()
                .map(|CrawlPageConstant { name, text }| crawl::PageConstant { name, text })
                .collect(),
            public_dir: options.public_dir,
            server: options.server.map(Into::into),
            jsx_names: options.jsx_names,
            asks_first: options.asks_first,
            asks_for_texts: options.asks_for_texts,
        }
    }
}

impl From<CrawlServer> for crawl::Server {
    fn from(server: CrawlServer) -> Self {
        let CrawlServer { leaves_all, leaves, keeps_all, keeps, asks, conditions } = server;
        let leaves = if leaves_all { crawl::Leaves::All } else { crawl::Leaves::Named(leaves) };
        let keeps = match (keeps_all, asks) {
            (true, _) => crawl::Keeps::All,
            (false, true) => crawl::Keeps::Asked,
            (false, false) => crawl::Keeps::Named(keeps),
        };
        Self { leaves, keeps, conditions }
    }
}

impl From<crawl::Need> for CrawlNeed {
    fn from(need: crawl::Need) -> Self {
        match need {
            crawl::Need::Resolve { specifier, importer, lost } => Self::Resolve { specifier, importer, lost },
            crawl::Need::Load { id } => Self::Load { id },
            crawl::Need::Transform { id } => Self::Transform { id },
            crawl::Need::Keep { package } => Self::Keep { package },
            crawl::Need::Schema { key, imports, program } => {
                let imports = imports.into_iter().map(Into::into).collect();
                Self::Schema { key, imports, program }
            }
        }
    }
}

impl From<CrawlFact> for crawl::Fact {
    fn from(fact: CrawlFact) -> Self {
        match fact {
            CrawlFact::Resolved { specifier, importer, lost, id, external } => {
                Self::Resolved { specifier, importer, lost, id, external }
            }
            CrawlFact::Loaded { id, text } => Self::Loaded { id, text },
            CrawlFact::Transformed { id, text, map } => Self::Transformed { id, text, map },
            CrawlFact::Emitted { id, entries } => Self::Emitted { id, entries },
            CrawlFact::Kept { package, inside } => Self::Kept { package, inside },
            CrawlFact::Schema { key, document, failure, libraries } => Self::Schema {
                key,
                outcome: outcome_of(document, failure),
                libraries: libraries.into_iter().map(Into::into).collect(),
            },
        }
    }
}

/// The files that were changed at a time, in milliseconds since 1970, or later, or went.
#[napi(catch_unwind)]
#[must_use]
pub fn changed_since(time: f64, files: Vec<String>) -> Vec<String> {
    crawl::changed_since(time, files.into_iter()).collect()
}
