//! What a glance at a text tells, so that most importers of a contract need not be parsed to know that they have no
//! use for it.

use crate::id::seems_to_lead_to;

/// Whether a text shows without being parsed that it imports a module by declarations only, and can do nothing with
/// what that one exports under a name: the name is nowhere in it, nor is anything that takes all names.
pub(super) fn shows_no_use(importer: &str, text: &str, id: &str, name: &str) -> bool {
    // `import x from` takes it without naming it.
    name != "default"
        && !text.contains(name)
        // A name may be written in escapes.
        && !text.contains("\\u")
        && !text.contains("require")
        && !takes_all_names(text)
        && imports_by_declaration(importer, text, id)
}

/// Whether there may be an `import * as` or an `export * from`.
fn takes_all_names(text: &str) -> bool {
    text.match_indices('*').any(|(at, _)| {
        let after = &text[at + 1..];
        let next = after.trim_start();
        next.starts_with("as") || next.starts_with("from") || next.starts_with('/') && after.len() > next.len()
            // A comment that begins right behind it; one that ends there begins no other.
            || after.starts_with("/*")
    })
}

/// Whether every `import` of a text is a declaration, and one of them looks as if it led to a module.
fn imports_by_declaration(importer: &str, text: &str, id: &str) -> bool {
    let mut leads = false;
    for (at, keyword) in text.match_indices("import") {
        let next = text[at + keyword.len()..].trim_start();
        // `import(…)`, `import.meta.glob(…)`, or a comment that might hide either.
        if next.starts_with(['(', '.', '/']) {
            return false;
        }
        leads |= specifier_at(next).is_some_and(|specifier| seems_to_lead_to(importer, specifier, id));
    }
    leads
        || text.match_indices("from").any(|(at, keyword)| {
            let next = text[at + keyword.len()..].trim_start();
            specifier_at(next).is_some_and(|specifier| seems_to_lead_to(importer, specifier, id))
        })
}

/// The string that a text begins with.
fn specifier_at(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    text[1..].split(quote).next()
}

#[cfg(test)]
mod tests {
    use super::shows_no_use;

    fn shows(text: &str) -> bool {
        shows_no_use("/app/a.ts", text, "/app/b.ts", "contract")
    }

    #[test]
    fn other_names_of_the_module_are_no_use() {
        assert!(shows("import { value } from './b'; /** value */ value * 2;"));
        assert!(shows("import './b.js';"));
        assert!(shows("export { value } from \"./b\";"));
    }

    #[test]
    fn whatever_may_be_a_use_needs_a_closer_look() {
        for text in [
            "import { contract } from './b';",
            "import { \\u0063ontract as c } from './b';",
            "import { value } from './b'; import * as all from './b';",
            "import { value } from './b'; import */**/as all from './b';",
            "import { value } from './b'; export * from './b';",
            "import { value } from './b'; export*from './b';",
            "import { value } from './b'; export * /**/ from './b';",
            "import { value } from './b'; import('./b');",
            "import { value } from './b'; import /**/ ('./b');",
            "import { value } from './b'; import.meta.glob('./*');",
            "import { value } from './b'; require('./b');",
            "import { value } from '@/b';",
            "",
        ] {
            assert!(!shows(text), "{text}");
        }
        let of_default = shows_no_use("/app/a.ts", "import b from './b';", "/app/b.ts", "default");
        assert!(!of_default);
    }
}
