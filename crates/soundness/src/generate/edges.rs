//! Edges between modules: imports, re-exports, barrels, namespaces, cycles.

use super::scope::{Core, Export, Shape, is_name, written};
use super::{Class, Generator};
use crate::program::Module;

/// Everything a module may take from the core package.
const CORE_EXPORTS: [&str; 8] = [
    "actionContract",
    "defineAgentComponentContract",
    "defineAgentProcedureContract",
    "defineExternalAgentToolContract",
    "emptyObjectSchema",
    "fromJsonSchema",
    "fromStandardSchema",
    "observationContract",
];

const CORE: &str = "@agent-surface/core";

impl Generator {
    /// Perhaps a module that passes the core package on.
    pub(super) fn core_barrel(&mut self) -> Vec<Module> {
        let names = CORE_EXPORTS.join(", ");
        let text = match self.random.below(8) {
            0 => format!("export * from \"{CORE}\";"),
            1 => format!("export {{ {names} }} from \"{CORE}\";"),
            2 => format!("import {{ {names} }} from \"{CORE}\";\nexport {{ {names} }};"),
            _ => return Vec::new(),
        };
        self.barrel = Some("./surface");
        vec![Module { path: "src/surface.ts".to_owned(), statements: vec![text] }]
    }

    /// How the module in hand calls an export of the core package.
    pub(super) fn core(&mut self, name: &str) -> String {
        self.drafts[self.at].uses_core = true;
        match self.drafts[self.at].core {
            Some(Core::Renamed) => format!("my_{name}"),
            Some(Core::Namespace) => format!("Surface.{name}"),
            Some(Core::NamespaceByText) => format!("Surface[\"{name}\"]"),
            _ => name.to_owned(),
        }
    }

    /// The import of the core package, in modules that use it. The others reach the compiler as the bundler has
    /// them, without types, and that is another half of the grammar.
    pub(super) fn import_core(&mut self) {
        if !self.drafts[self.at].uses_core && !self.random.once_in(12) {
            return;
        }
        let source = match self.barrel {
            Some(barrel) if self.random.once_in(2) => barrel,
            _ => CORE,
        };
        let line = match self.drafts[self.at].core {
            Some(Core::Namespace | Core::NamespaceByText) => {
                format!("import * as Surface from \"{source}\";")
            }
            Some(Core::Renamed) => {
                let names = CORE_EXPORTS.map(|name| format!("{name} as my_{name}")).join(", ");
                format!("import {{ {names} }} from \"{source}\";")
            }
            _ => format!("import {{ {} }} from \"{source}\";", CORE_EXPORTS.join(", ")),
        };
        self.drafts[self.at].imports.insert(0, line);
    }

    /// Imports of a new module, from modules that exist already.
    pub(super) fn import_modules(&mut self, index: usize, count: usize) {
        for other in index + 1..count {
            // Every module must be reached from somewhere.
            if other == index + 1 || self.random.once_in(3) {
                self.import_from(other);
            }
        }
        if self.random.once_in(6) {
            self.import_json();
        }
    }

    /// The JSON file: whole, by the members that can be names, or as a namespace.
    fn import_json(&mut self) {
        let list = Shape::List(vec![
            Shape::Number,
            Shape::Number,
            Shape::Record(vec![("deep".to_owned(), Shape::Null)]),
        ]);
        let named = vec![("title".to_owned(), Shape::Text(9)), ("list".to_owned(), list)];
        let mut whole = named.clone();
        whole.push(("b-c".to_owned(), Shape::Bool));
        let name = self.fresh_name();
        let line = match self.random.below(4) {
            0 => {
                let other = self.fresh_name();
                self.drafts[self.at].learn(&name, &named[0].1);
                self.drafts[self.at].learn(&other, &named[1].1);
                format!("import {{ title as {name}, list as {other} }} from \"./data.json\";")
            }
            1 => {
                let mut members = named;
                members.push(("default".to_owned(), Shape::Record(whole)));
                self.drafts[self.at].learn(&name, &Shape::Members(members));
                format!("import * as {name} from \"./data.json\";")
            }
            _ => {
                self.drafts[self.at].learn(&name, &Shape::Record(whole));
                format!("import {name} from \"./data.json\";")
            }
        };
        self.drafts[self.at].imports.push(line);
    }

    fn import_from(&mut self, other: usize) {
        let mut specifier = self.drafts[other].specifier.clone();
        let mut exports = self.drafts[other].exports.clone();
        if self.random.once_in(6) {
            specifier = self.put_behind_barrels(&specifier);
            exports.retain(|export| export.name != "default");
        }
        let mut named = Vec::new();
        let mut default = String::new();
        let mut line = String::new();
        match self.random.below(6) {
            0 => {
                let name = self.fresh_name();
                line = format!("import * as {name} from \"{specifier}\";");
                let members = exports.into_iter().map(|export| (export.name, export.shape)).collect();
                let shape = Shape::Members(members);
                self.drafts[self.at].learn(&name, &shape);
            }
            1 if self.random.once_in(2) => line = format!("import \"{specifier}\";"),
            2 => line = self.pass_on(&specifier, &exports),
            _ => {
                for Export { name, shape } in exports {
                    if self.random.once_in(4) {
                        continue;
                    }
                    let keeps_name =
                        is_name(&name) && !self.drafts[self.at].names.contains(&name) && name != "default";
                    let local = if keeps_name && !self.random.once_in(3) {
                        self.drafts[self.at].names.push(name.clone());
                        name.clone()
                    } else {
                        self.fresh_name()
                    };
                    if name == "default" && self.random.once_in(2) {
                        default = format!("{local}, ");
                    } else if local == name {
                        named.push(name);
                    } else {
                        named.push(format!("{} as {local}", written(&name)));
                    }
                    self.drafts[self.at].learn(&local, &shape);
                    if shape == Shape::Change {
                        self.push(format!("{local}();"));
                    }
                }
            }
        }
        if line.is_empty() {
            line = format!("import {default}{{ {} }} from \"{specifier}\";", named.join(", "));
            // An import that nothing uses goes with the types; the module must stay.
            self.push(format!("import \"{specifier}\";"));
        }
        self.drafts[self.at].imports.push(line);
    }

    /// Two barrels that pass a module on, and each other: its names come by two ways, and one of those leads back.
    fn put_behind_barrels(&mut self, specifier: &str) -> String {
        let number = self.unique();
        let (one, other) = (format!("barrel{number}a"), format!("barrel{number}b"));
        for (name, next) in [(&one, &other), (&other, &one)] {
            let mut stars = [specifier.to_owned(), format!("./{next}")];
            if self.random.once_in(2) {
                stars.reverse();
            }
            let statements = stars.iter().map(|star| format!("export * from \"{star}\";")).collect();
            self.barrels.push(Module { path: format!("src/{name}.ts"), statements });
        }
        format!("./{one}")
    }

    /// Exports of another module become the module's own; an import beside it makes them known inside as well.
    fn pass_on(&mut self, specifier: &str, exports: &[Export]) -> String {
        let taken = |draft: &super::Draft, name: &str| draft.exports.iter().any(|export| export.name == name);
        match self.random.below(3) {
            0 => {
                for export in exports {
                    let draft = &mut self.drafts[self.at];
                    if export.name != "default" && !taken(draft, &export.name) {
                        draft.exports.push(export.clone());
                    }
                }
                // Two stars with one name in them would hide it: those that come later give it another name.
                let stars = self.drafts[self.at].imports.iter().any(|line| line.starts_with("export *"));
                if !stars {
                    return format!("export * from \"{specifier}\";");
                }
                let names: Vec<&str> = exports.iter().map(|export| export.name.as_str()).collect();
                self.drafts[self.at].exports.retain(|export| !names.contains(&export.name.as_str()));
                format!("import \"{specifier}\";")
            }
            1 => {
                let name = format!("space{}", self.unique());
                let members =
                    exports.iter().map(|export| (export.name.clone(), export.shape.clone())).collect();
                self.drafts[self.at]
                    .exports
                    .push(Export { name: name.clone(), shape: Shape::Members(members) });
                format!("export * as {name} from \"{specifier}\";")
            }
            _ => {
                let mut names = Vec::new();
                for export in exports {
                    let name = format!("x{}", self.unique());
                    names.push(format!("{} as {name}", written(&export.name)));
                    self.drafts[self.at].exports.push(Export { name, shape: export.shape.clone() });
                }
                format!("export {{ {} }} from \"{specifier}\";", names.join(", "))
            }
        }
    }

    /// Exports of the module in hand that its declarations did not make themselves.
    pub(super) fn export_more(&mut self, index: usize) {
        let draft = &self.drafts[index];
        let exported: Vec<String> = draft.exports.iter().map(|export| export.name.clone()).collect();
        let has_star = draft.imports.iter().any(|line| line.starts_with("export *"));
        let candidates: Vec<_> = draft
            .paths
            .iter()
            .filter(|path| is_name(&path.text) && !exported.contains(&path.text))
            .map(|path| (path.text.clone(), path.shape.clone()))
            .collect();
        for (name, shape) in candidates {
            if !self.random.once_in(3) {
                continue;
            }
            let exported = match self.random.below(8) {
                0 => format!("x-{}", self.unique()),
                1..=4 => format!("x{}", self.unique()),
                _ if has_star => format!("x{}", self.unique()),
                _ => name.clone(),
            };
            let line = if exported == name {
                format!("export {{ {name} }};")
            } else {
                format!("export {{ {name} as {} }};", written(&exported))
            };
            self.push(line);
            self.drafts[index].exports.push(Export { name: exported, shape });
        }
        let has_default = self.drafts[index].exports.iter().any(|export| export.name == "default");
        if !has_default && self.random.once_in(12) {
            let path = self.find(|path| is_name(&path.text) && path.shape.is_value());
            if let Some(path) = path {
                self.push(format!("export {{ {} as default }};", path.text));
                self.drafts[index].exports.push(Export { name: "default".to_owned(), shape: path.shape });
            }
        } else if !has_default && self.random.once_in(4) {
            let (text, shape) = self.json(2);
            // `export default {` is fine; a text that begins otherwise may need parentheses.
            self.push(format!("export default ({text});"));
            self.drafts[index].exports.push(Export { name: "default".to_owned(), shape });
        }
    }

    /// Modules that import back from those that import them.
    pub(super) fn back_edges(&mut self) {
        let count = self.drafts.len();
        for index in 1..count {
            if !self.random.once_in(4) {
                continue;
            }
            self.at = index;
            let other = self.random.below(index);
            let exports: Vec<Export> =
                self.drafts[other].exports.iter().filter(|export| export.shape.is_value()).cloned().collect();
            if exports.is_empty() {
                continue;
            }
            let export = exports[self.random.below(exports.len())].clone();
            let local = format!("back{}", self.unique());
            let specifier = self.drafts[other].specifier.clone();
            self.drafts[index]
                .imports
                .push(format!("import {{ {} as {local} }} from \"{specifier}\";", written(&export.name)));
            let number = self.unique();
            if self.random.once_in(2) || self.class == Class::Supported {
                self.push(format!("export const later{number} = () => {local};"));
            } else {
                self.push(format!("export const early{number} = [{local}];"));
            }
            if self.class == Class::Any && export.shape.is_shared() && self.random.once_in(2) {
                self.mutate(&local, &export.shape);
            }
        }
    }
}
