//! Programs from seeds.
//!
//! A program is made from its deepest module to its entry, so that whatever a module imports exists already.
//! Beside the text, the generator keeps the shape of every value that can be referred to, and no value: what
//! a program means is for Node to say.

mod catalogue;
mod contracts;
mod deceits;
mod edges;
mod graphs;
mod hazards;
mod kinds;
mod mutations;
mod scope;
mod statements;
mod values;

pub use catalogue::catalogue;

use crate::program::{Bundler, Module, Program};
use crate::random::Random;
use scope::{Core, Draft};

/// Which programs are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Only what the analyser must accept.
    Supported,
    /// Anything, with a liking for what could deceive it.
    Any,
}

/// The class of a seed: they take turns.
#[must_use]
pub fn class_of(seed: u64) -> Class {
    if seed.is_multiple_of(2) { Class::Supported } else { Class::Any }
}

/// The program of a seed.
#[must_use]
pub fn generate(seed: u64) -> Program {
    Generator::new(seed).program()
}

/// Names that modules use again and again, so that the same name means different things in them.
const NAMES: [&str; 14] = [
    "kind", "table", "ids", "name", "value", "list", "data", "label", "count", "flags", "item", "rows",
    "base", "extra",
];

struct Generator {
    random: Random,
    class: Class,
    /// Every module; the entry is the first.
    drafts: Vec<Draft>,
    /// The module in hand.
    at: usize,
    /// Constants with a known text: module, name, text.
    keys: Vec<(usize, String, String)>,
    /// Makes names unique where they must be.
    counter: usize,
    /// One in so many values is something that may deceive the analyser; 0 for none.
    wildness: usize,
    /// What the contracts of the module in hand should use: it is changed somewhere.
    hot: Vec<(usize, String)>,
    /// Modules that pass others on, and have nothing of their own.
    barrels: Vec<Module>,
    /// The barrel of the core package, if the program has one.
    barrel: Option<&'static str>,
}

impl Generator {
    fn new(seed: u64) -> Self {
        let class = class_of(seed);
        let mut random = Random::new(seed);
        let wildness = match class {
            Class::Supported => 0,
            // Most programs have a single thing that deceives, so that it is not hidden behind an honest error.
            Class::Any => [0, 0, 60, 25][random.below(4)],
        };
        Self {
            random,
            class,
            drafts: Vec::new(),
            at: 0,
            keys: Vec::new(),
            counter: 0,
            wildness,
            hot: Vec::new(),
            barrels: Vec::new(),
            barrel: None,
        }
    }

    fn program(mut self) -> Program {
        let bundler = if self.random.once_in(4) { Bundler::AsWritten } else { Bundler::Compiled };
        let count = 1 + self.random.below(5);
        for index in 0..count {
            let name = if index == 0 { "main".to_owned() } else { format!("m{index}") };
            self.drafts.push(Draft {
                specifier: format!("./{name}"),
                path: format!("src/{name}.ts"),
                ..Draft::default()
            });
        }
        let mut extra = self.core_barrel();
        let contracts = 1 + self.random.below(3);
        for index in (0..count).rev() {
            self.at = index;
            self.module(index, count, contracts);
        }
        self.at = 0;
        self.back_edges();
        let mut modules: Vec<Module> = self.drafts.drain(..).map(finish).collect();
        modules.append(&mut extra);
        modules.append(&mut self.barrels);
        modules.push(Module {
            path: "src/data.json".to_owned(),
            statements: vec![
                "{ \"title\": \"from JSON\", \"list\": [1, 2.50, { \"deep\": null }], \"b-c\": true }"
                    .to_owned(),
            ],
        });
        Program { bundler, modules }
    }

    fn module(&mut self, index: usize, count: usize, contracts: usize) {
        let core = [Core::Named, Core::Named, Core::Renamed, Core::Namespace, Core::NamespaceByText];
        self.drafts[index].core = Some(core[self.random.below(core.len())]);
        self.import_modules(index, count);
        for _ in 0..2 + self.random.below(6) {
            self.statement();
        }
        let hazards = match self.class {
            Class::Supported => 0,
            Class::Any => self.random.below(3),
        };
        for _ in 0..hazards {
            self.hazard();
        }
        let own = if index == 0 { contracts } else { usize::from(self.random.once_in(3)) };
        for _ in 0..own {
            self.contract();
            if self.random.once_in(3) {
                self.statement();
            }
            if self.class == Class::Any && self.random.once_in(3) {
                self.hazard();
            }
        }
        self.export_more(index);
        self.import_core();
    }

    /// A name that is bound nowhere in the module.
    fn fresh_name(&mut self) -> String {
        let base = NAMES[self.random.below(NAMES.len())];
        let names = &self.drafts[self.at].names;
        let mut name = base.to_owned();
        let mut number = 1;
        while names.contains(&name) {
            number += 1;
            name = format!("{base}{number}");
        }
        self.drafts[self.at].names.push(name.clone());
        name
    }

    /// A number that no other call gives.
    fn unique(&mut self) -> usize {
        self.counter += 1;
        self.counter
    }

    fn push(&mut self, statement: impl Into<String>) {
        self.drafts[self.at].body.push(statement.into());
    }

    /// A value that is known to change; for the contracts to use.
    fn heat(&mut self, text: &str) {
        self.hot.push((self.at, text.to_owned()));
    }
}

fn finish(draft: Draft) -> Module {
    let mut statements = draft.imports;
    statements.extend(draft.body);
    Module { path: draft.path, statements }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::compile;

    #[test]
    fn a_seed_is_a_program_and_always_the_same_one() {
        for seed in 0..20 {
            assert_eq!(generate(seed), generate(seed));
        }
        assert_ne!(generate(1), generate(3));
    }

    #[test]
    fn nearly_every_program_compiles() {
        let whole = |program: &Program| {
            program.modules.iter().all(|module| compile(&module.path, &module.text()).is_some())
        };
        let broken: Vec<u64> = (0..400).filter(|seed| !whole(&generate(*seed))).collect();
        assert!(broken.len() < 8, "{broken:?}");
        assert!(broken.iter().all(|seed| class_of(*seed) == Class::Any), "{broken:?}");
    }
}
