//! Where a specifier leads, as Vite resolves it where no plugin has a say.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use oxc_resolver::{
    Resolution, ResolveError, ResolveOptions, Resolver as Inner, TsconfigDiscovery, TsconfigOptions,
    TsconfigReferences,
};

use rustc_hash::FxHashSet;

use crate::crawl::intern;
use crate::kind::path_of;
use crate::message::Options;
use crate::outside::{Outside, can_be_loaded};

/// Where a specifier leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Module(Rc<str>),
    /// It stays outside of the bundle, under this name.
    External(Rc<str>),
    /// Nowhere that is known here.
    Lost,
}

impl Target {
    /// The same, with a name that others share.
    pub(crate) fn intern(self, names: &mut FxHashSet<Rc<str>>) -> Self {
        match self {
            Self::Module(id) => Self::Module(intern(names, &id)),
            Self::External(name) => Self::External(intern(names, &name)),
            Self::Lost => Self::Lost,
        }
    }
}

pub(crate) struct Resolver {
    /// For what a script imports.
    scripts: Inner,
    /// For what TypeScript imports, where `./a.js` may be the name of `./a.ts`.
    typescript: Inner,
    /// Knows the `tsconfig.json` of a file, whether or not its paths lead somewhere.
    tsconfigs: Inner,
    has_tsconfig_paths: bool,
    root: PathBuf,
    aliases: Vec<(String, String)>,
    externals: Vec<String>,
    dedupe: Vec<String>,
    /// What stays outside of a server's bundle, and how it is found.
    outside: Option<(Outside, Inner)>,
    /// How much was resolved since the caches were last emptied.
    resolved: Cell<u32>,
}

/// How many specifiers are resolved before the caches are emptied. They keep every path that was ever tried, most of which
/// nobody asks for again once its folder's modules are linked.
const MAX_CACHED: u32 = 8192;

impl Resolver {
    pub(crate) fn new(options: &Options) -> Self {
        let has_browser_field = options.main_fields.iter().any(|field| field == "browser");
        let discovery = match &options.tsconfig {
            None => TsconfigDiscovery::Auto,
            Some(file) => TsconfigDiscovery::Manual(TsconfigOptions {
                config_file: PathBuf::from(file),
                references: TsconfigReferences::Auto,
            }),
        };
        let resolve = ResolveOptions {
            tsconfig: options.tsconfig_paths.then(|| discovery.clone()),
            condition_names: options.conditions.clone(),
            main_fields: options.main_fields.iter().cloned().chain(["main".to_owned()]).collect(),
            extensions: options.extensions.clone(),
            symlinks: !options.preserve_symlinks,
            alias_fields: if has_browser_field { vec![vec!["browser".to_owned()]] } else { Vec::new() },
            // Where nothing is there to be taken for a package's own, Node's modules are of no interest either.
            builtin_modules: true,
            ..ResolveOptions::default()
        };
        let scripts = Inner::new(resolve.clone());
        let tsconfigs =
            scripts.clone_with_options(ResolveOptions { tsconfig: Some(discovery), ..resolve.clone() });
        let written_as = |js: &str, ts: &[&str]| {
            let endings = ts.iter().map(|ending| (*ending).to_owned()).chain([js.to_owned()]);
            (js.to_owned(), endings.collect::<Vec<_>>())
        };
        let as_written = vec![
            written_as(".js", &[".ts", ".tsx"]),
            written_as(".jsx", &[".tsx", ".ts"]),
            written_as(".mjs", &[".mts"]),
            written_as(".cjs", &[".cts"]),
        ];
        let outside = options.server.as_ref().map(|server| {
            let as_node = ResolveOptions { condition_names: server.conditions.clone(), ..resolve.clone() };
            (Outside::new(server), scripts.clone_with_options(as_node))
        });
        let typescript =
            scripts.clone_with_options(ResolveOptions { extension_alias: as_written, ..resolve });
        Self {
            outside,
            scripts,
            typescript,
            tsconfigs,
            has_tsconfig_paths: options.tsconfig_paths,
            root: PathBuf::from(&options.session.root),
            aliases: options.aliases.iter().map(|it| (it.find.clone(), it.replacement.clone())).collect(),
            externals: options.externals.clone(),
            dedupe: options.dedupe.clone(),
            resolved: Cell::new(0),
        }
    }

    /// Forgets what was found: files came or went.
    pub(crate) fn forget(&self) {
        self.scripts.clear_cache();
        self.resolved.set(0);
    }

    /// The specifier that an alias makes of one.
    pub(crate) fn follow_alias(&self, specifier: &str) -> Option<String> {
        self.aliases.iter().find_map(|(find, replacement)| {
            let rest = specifier.strip_prefix(find.as_str())?;
            (rest.is_empty() || rest.starts_with('/') || find.ends_with('/'))
                .then(|| format!("{replacement}{rest}"))
        })
    }

    pub(crate) fn resolve(&self, importer: &str, specifier: &str) -> Target {
        self.resolved.update(|count| count + 1);
        if self.resolved.get() > MAX_CACHED {
            self.forget();
        }
        let aliased = self.follow_alias(specifier);
        let specifier = aliased.as_deref().unwrap_or(specifier);
        if self.externals.iter().any(|name| name == specifier) {
            return Target::External(specifier.into());
        }
        if specifier.starts_with("//") || specifier.contains("://") || specifier.starts_with("data:") {
            return Target::External(specifier.into());
        }
        // A `#` begins one of a package's own names.
        let (path, query) = match specifier.find('?') {
            Some(at) => specifier.split_at(at),
            None => (specifier, ""),
        };
        if let Some((outside, as_node)) = &self.outside
            && outside.has(specifier, || self.file_from_root(as_node, path))
        {
            return match self.look(as_node, self.folder_for(importer, path), path) {
                Found::File(file) if !can_be_loaded(&file) => Target::Module(format!("{file}{query}").into()),
                _ => Target::External(specifier.into()),
            };
        }
        match self.find(importer, path) {
            Found::File(file) => Target::Module(format!("{file}{query}").into()),
            Found::Builtin => Target::External(path.into()),
            Found::Nothing => Target::Lost,
        }
    }

    fn find(&self, importer: &str, path: &str) -> Found {
        let importer = path_of(importer);
        let is_typescript =
            importer.ends_with("ts") || importer.ends_with("tsx") || importer.ends_with(".vue");
        let resolver = if is_typescript { &self.typescript } else { &self.scripts };
        let folder = self.folder_for(importer, path);
        if path.starts_with('/') {
            // First what a URL of the app's would mean; then a path of the machine.
            let below = format!(".{path}");
            return match self.look(resolver, &self.root, &below) {
                Found::Nothing => self.look(resolver, folder, path),
                found => found,
            };
        }
        if self.has_tsconfig_paths
            && Path::new(importer).is_absolute()
            && let found @ Found::File(_) = found_in(resolver.resolve_file(importer, path))
        {
            return found;
        }
        self.look(resolver, folder, path)
    }

    /// From where a specifier is looked for.
    fn folder_for<'s>(&'s self, importer: &'s str, path: &str) -> &'s Path {
        let is_deduped = self.dedupe.iter().any(|name| {
            path.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        let importer = Path::new(path_of(importer));
        if is_deduped || !importer.is_absolute() {
            return &self.root;
        }
        importer.parent().unwrap_or(&self.root)
    }

    fn file_from_root(&self, resolver: &Inner, path: &str) -> Option<String> {
        match self.look(resolver, &self.root, path) {
            Found::File(file) => Some(file),
            Found::Builtin | Found::Nothing => None,
        }
    }

    /// The package that the host must speak of before it is known where a specifier leads.
    pub(crate) fn asks_for(&self, specifier: &str) -> Option<String> {
        let (outside, _) = self.outside.as_ref()?;
        let aliased = self.follow_alias(specifier);
        outside.asks_for(aliased.as_deref().unwrap_or(specifier)).map(str::to_owned)
    }

    /// Takes the host's word on whether a package is in the bundle.
    pub(crate) fn learn(&mut self, package: String, inside: bool) {
        if let Some((outside, _)) = &mut self.outside {
            outside.learn(package, inside);
        }
    }

    fn look(&self, resolver: &Inner, folder: &Path, path: &str) -> Found {
        found_in(resolver.resolve(folder, path))
    }

    /// Whether TypeScript is told to keep imports of which nothing is used.
    pub(crate) fn keeps_unused_imports(&self, file: &str) -> bool {
        let Ok(Some(config)) = self.tsconfigs.find_tsconfig(file) else { return false };
        let options = &config.compiler_options;
        options.verbatim_module_syntax == Some(true) || options.preserve_value_imports == Some(true)
    }
}

fn found_in(result: Result<Resolution, ResolveError>) -> Found {
    match result {
        Ok(found) => match found.path().to_str() {
            Some(file) => Found::File(file.replace('\\', "/")),
            None => Found::Nothing,
        },
        Err(ResolveError::Builtin { .. } | ResolveError::Ignored(_)) => Found::Builtin,
        Err(_) => Found::Nothing,
    }
}

enum Found {
    File(String),
    /// A module of Node's own, or one that the package says a browser has no need of.
    Builtin,
    Nothing,
}
