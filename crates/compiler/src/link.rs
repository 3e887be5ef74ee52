//! Stage 2: what an exported name denotes, along the edges the bundler resolved.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::facts::{BindingId, Export, ImportedName};
use crate::graph::{Graph, Target};
use crate::id::{Id, install_folder};
use crate::library::{Entry, is_library, library_of_specifier};
use crate::macros;
use crate::message::Package;
use crate::module::Module;
use crate::stack::with_more;

/// The scope our packages are published under.
const SCOPE: &str = "@agent-surface/";

/// Our packages whose exports mean something to the analyser.
const PACKAGES: [&str; 5] = ["core", "react", "orpc", "testing", "webmcp"];

/// What a name leads to.
#[derive(Clone, Debug)]
pub(crate) enum Denotation {
    /// A binding of a module.
    Binding(Rc<Module>, BindingId),
    /// An export that has no binding, by its name: a default one, or a member of a JSON file.
    Default(Rc<Module>, String),
    /// A module's namespace.
    Namespace(Rc<str>),
    /// An export of one of our packages, by the package's name without its scope.
    Ours { package: Rc<str>, name: Rc<str> },
    /// The namespace of one of our packages.
    OurNamespace(Rc<str>),
    /// What a schema library exports, or its namespace.
    Library { entry: Rc<Entry>, name: ImportedName },
    /// Nothing the analyser can follow, and why.
    Opaque(String),
}

/// The names that one look came by, with the modules that export them: what each denotes, or nothing while that is being found
/// out. Two ways lead to one name as soon as two barrels pass it on.
type Seen = FxHashMap<(String, String), Option<Option<Denotation>>>;

/// A module as a place to take names from.
enum Source {
    Module(String),
    Ours(Rc<str>),
    Library(Rc<Entry>),
    Opaque(String),
}

impl Graph<'_> {
    /// What an import of `name` through `specifier` denotes. None while the host must answer first.
    pub(crate) fn import(
        &self,
        importer: &Module,
        specifier: &str,
        name: &ImportedName,
    ) -> Option<Denotation> {
        self.follow(importer, specifier, name, &mut Seen::default())
    }

    /// What an export of a module denotes; the inner none where it exports no such name.
    pub(crate) fn export(&self, id: &str, name: &str) -> Option<Option<Denotation>> {
        match self.module(id)? {
            Some(module) => self.export_of(&module, name, &mut Seen::default()),
            None => Some(None),
        }
    }

    /// The package of ours that a specifier leads to, if it leads to one. None while the host must answer.
    pub(crate) fn our_package(&self, importer: &str, specifier: &str) -> Option<Option<Rc<str>>> {
        Some(match self.resolve(importer, specifier)? {
            Target::External(name) => our_package_of_specifier(&name),
            Target::Module(id) => self.our_package_of_module(&id)?,
            Target::NotFound => None,
        })
    }

    /// The package of ours that a module belongs to, if it belongs to one.
    pub(crate) fn our_package_of_module(&self, id: &str) -> Option<Option<Rc<str>>> {
        if is_virtual(id) {
            return Some(None);
        }
        Some(self.package(id)?.and_then(|package| our_package_of_specifier(&package.name)))
    }

    /// The schema library that a module belongs to, if it belongs to one; its package has been asked for.
    fn library_of_module(&self, id: &str) -> Option<&Package> {
        if is_virtual(id) {
            return None;
        }
        self.package(id).flatten().filter(|package| is_library(&package.name))
    }

    fn follow(
        &self,
        importer: &Module,
        specifier: &str,
        name: &ImportedName,
        seen: &mut Seen,
    ) -> Option<Denotation> {
        let source = self.source(importer, specifier)?;
        Some(match (source, name) {
            (Source::Opaque(why), _) => Denotation::Opaque(why),
            (Source::Ours(package), ImportedName::Namespace) => Denotation::OurNamespace(package),
            (Source::Ours(package), ImportedName::Named(name)) => {
                Denotation::Ours { package, name: name.as_str().into() }
            }
            (Source::Library(entry), name) => Denotation::Library { entry, name: name.clone() },
            (Source::Module(id), ImportedName::Namespace) => Denotation::Namespace(id.into()),
            (Source::Module(id), ImportedName::Named(name)) => {
                let Some(module) = self.module(&id)? else {
                    return Some(Denotation::Opaque(format!("`{specifier}` could not be read")));
                };
                self.export_of(&module, name, seen)?
                    .unwrap_or_else(|| Denotation::Opaque(format!("{} exports no `{name}`", module.origin)))
            }
        })
    }

    fn source(&self, importer: &Module, specifier: &str) -> Option<Source> {
        // While the graph is loading, our own name is taken at its word: it saves a question for nearly every
        // contract, and the last look resolves it for good.
        if self.is_loading()
            && let Some(package) = our_package_of_specifier(specifier)
        {
            return Some(Source::Ours(package));
        }
        Some(match self.resolve(&importer.id, specifier)? {
            Target::NotFound => Source::Opaque(format!("`{specifier}` leads nowhere")),
            Target::External(name) => match our_package_of_specifier(&name) {
                Some(package) => Source::Ours(package),
                None => match library_of_specifier(&name) {
                    Some(library) => Source::Library(entry(importer, &name, library, None, None)),
                    None => Source::Opaque(format!("`{specifier}` is left out of the bundle")),
                },
            },
            Target::Module(id) => match self.our_package_of_module(&id).or_else(|| {
                // It will be read, unless it is ours.
                self.ask_for_module(&id);
                None
            })? {
                Some(package) => Source::Ours(package),
                None if let Some(library) = self.library_of_module(&id) => Source::Library(entry(
                    importer,
                    specifier,
                    &library.name,
                    library.version.as_ref(),
                    Some(id.as_str()),
                )),
                // To no one but itself does a dependency pass our macros on.
                None if self.is_loading()
                    && Id::parse(&id).is_installed()
                    && install_folder(&id) != install_folder(&importer.id) =>
                {
                    Source::Opaque(format!("`{specifier}` is an installed package"))
                }
                None => Source::Module(id),
            },
        })
    }

    fn export_of(&self, module: &Rc<Module>, name: &str, seen: &mut Seen) -> Option<Option<Denotation>> {
        let key = (module.id.clone(), name.to_owned());
        match seen.get(&key) {
            Some(Some(found)) => return Some(found.clone()),
            Some(None) => {
                let why = format!("`{name}` of {} is re-exported in a circle", module.origin);
                return Some(Some(Denotation::Opaque(why)));
            }
            None => {}
        }
        seen.insert(key.clone(), None);
        let found = self.find_export(module, name, seen)?;
        seen.insert(key, Some(found.clone()));
        Some(found)
    }

    fn find_export(&self, module: &Rc<Module>, name: &str, seen: &mut Seen) -> Option<Option<Denotation>> {
        if let Some(refusal) = &module.facts.refusal {
            return Some(Some(Denotation::Opaque(format!("{}: {}", module.origin, refusal.message))));
        }
        match module.facts.exports.get(name) {
            Some(Export::Binding(binding)) => Some(Some(Denotation::Binding(Rc::clone(module), *binding))),
            Some(Export::Default(_)) => Some(Some(Denotation::Default(Rc::clone(module), name.to_owned()))),
            Some(Export::From { request, name }) => {
                let specifier = &module.facts.requests[*request].specifier;
                with_more(|| self.follow(module, specifier, name, seen)).map(Some)
            }
            None => self.star_export_of(module, name, seen),
        }
    }

    /// A name that only `export *` can provide: exactly one of them must (ECMA-262, ResolveExport).
    fn star_export_of(&self, module: &Rc<Module>, name: &str, seen: &mut Seen) -> Option<Option<Denotation>> {
        if name == "default" {
            return Some(None);
        }
        // All are asked for in one round.
        let candidates: Vec<_> =
            module.facts.stars.iter().map(|request| self.star_export(module, *request, name, seen)).collect();
        let mut found: Option<Denotation> = None;
        for candidate in candidates {
            found = match (found, candidate?) {
                (None, candidate) => candidate,
                (found, None) => found,
                (Some(first), Some(second)) if first.is_same(&second) => Some(first),
                // Neither our packages nor libraries are read, so that they export the name is a guess; a module's word
                // wins, and what our core is known to export.
                (Some(ours @ Denotation::Ours { .. }), Some(Denotation::Library { .. }))
                | (Some(Denotation::Library { .. }), Some(ours @ Denotation::Ours { .. }))
                    if macros::is_exported(name) =>
                {
                    Some(ours)
                }
                (Some(Denotation::Ours { .. }), Some(second)) => Some(second),
                (Some(first), Some(Denotation::Ours { .. })) => Some(first),
                (Some(Denotation::Library { .. }), Some(second)) => Some(second),
                (Some(first), Some(Denotation::Library { .. })) => Some(first),
                _ => {
                    let why = format!("`{name}` of {} comes from two `export *`", module.origin);
                    Some(Denotation::Opaque(why))
                }
            };
        }
        Some(found)
    }

    /// What one `export *` gives for a name.
    fn star_export(
        &self,
        module: &Rc<Module>,
        request: usize,
        name: &str,
        seen: &mut Seen,
    ) -> Option<Option<Denotation>> {
        match self.source(module, &module.facts.requests[request].specifier)? {
            // A way that leads back provides nothing, which is no reason to look no further.
            Source::Module(id) if matches!(seen.get(&(id.clone(), name.to_owned())), Some(None)) => {
                Some(None)
            }
            Source::Module(id) => match self.module(&id)? {
                Some(source) => with_more(|| self.export_of(&source, name, seen)),
                None => Some(None),
            },
            Source::Ours(package) => Some(Some(Denotation::Ours { package, name: name.into() })),
            Source::Library(entry) => {
                Some(Some(Denotation::Library { entry, name: ImportedName::Named(name.to_owned()) }))
            }
            Source::Opaque(_) => Some(None),
        }
    }
}

impl Denotation {
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Binding(a, x), Self::Binding(b, y)) => a.id == b.id && x == y,
            (Self::Namespace(a), Self::Namespace(b)) | (Self::OurNamespace(a), Self::OurNamespace(b)) => {
                a == b
            }
            (Self::Ours { package: a, name: x }, Self::Ours { package: b, name: y }) => a == b && x == y,
            (Self::Default(a, x), Self::Default(b, y)) => a.id == b.id && x == y,
            (Self::Library { entry: a, name: x }, Self::Library { entry: b, name: y }) => a == b && x == y,
            _ => false,
        }
    }
}

fn entry(
    importer: &Module,
    specifier: &str,
    package: &str,
    version: Option<&String>,
    id: Option<&str>,
) -> Rc<Entry> {
    Rc::new(Entry {
        package: package.to_owned(),
        version: version.cloned(),
        id: id.map(str::to_owned),
        specifier: specifier.to_owned(),
        importer: importer.id.clone(),
    })
}

/// `@agent-surface/core` and its subpaths, as an external name or a package's own.
pub(crate) fn our_package_of_specifier(specifier: &str) -> Option<Rc<str>> {
    let name = specifier.strip_prefix(SCOPE)?.split('/').next()?;
    PACKAGES.contains(&name).then(|| Rc::from(name))
}

/// Whether an id names no file.
pub(crate) fn is_virtual(id: &str) -> bool {
    id.starts_with('\0')
}
