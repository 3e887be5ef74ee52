//! A program: modules as text, and what the bundler makes of them.

use std::fmt;

/// What the compiler is shown of a module that it did not transform itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bundler {
    /// JavaScript, as Vite has it: other plugins removed the types.
    Compiled,
    /// The author's text.
    AsWritten,
}

/// One module: the smallest part that can be dropped is a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The path from the project's root.
    pub path: String,
    /// Statements, in order.
    pub statements: Vec<String>,
}

/// Modules of one project. The first is the entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What stands behind the compiler.
    pub bundler: Bundler,
    /// The modules.
    pub modules: Vec<Module>,
}

/// Marks the line that names a module.
const MODULE: &str = "//// ";

/// Marks the line that names the bundler.
const BUNDLER: &str = "//// bundler: ";

impl Module {
    /// The module's text.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = self.statements.join("\n");
        text.push('\n');
        text
    }
}

impl Program {
    /// Reads the form that [`Program`] is printed in. Lines before the first module are the reader's.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut program = Self { bundler: Bundler::Compiled, modules: Vec::new() };
        for line in text.lines() {
            if let Some(bundler) = line.strip_prefix(BUNDLER) {
                program.bundler =
                    if bundler == "as written" { Bundler::AsWritten } else { Bundler::Compiled };
            } else if let Some(path) = line.strip_prefix(MODULE) {
                program.modules.push(Module { path: path.to_owned(), statements: Vec::new() });
            } else if let Some(module) = program.modules.last_mut() {
                module.statements.push(line.to_owned());
            }
        }
        program
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bundler == Bundler::AsWritten {
            writeln!(f, "{BUNDLER}as written")?;
        }
        for module in &self.modules {
            write!(f, "{MODULE}{}\n{}", module.path, module.text())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        let module = |path: &str, statements: &[&str]| Module {
            path: path.to_owned(),
            statements: statements.iter().map(|&line| line.to_owned()).collect(),
        };
        let program = Program {
            bundler: Bundler::AsWritten,
            modules: vec![
                module("src/main.ts", &["import \"./a\";", "const x = 1;"]),
                module("src/a.ts", &["export {};"]),
            ],
        };
        assert_eq!(Program::parse(&format!("A sentence.\n{program}")), program);
    }
}
