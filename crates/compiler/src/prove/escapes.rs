//! Macros that get away: passed on, stored, destructured, or reached while the program runs.

use std::rc::Rc;

use super::calls::unsearched;
use super::{Prover, reached_at_least};
use crate::evaluate::{Evaluator, Unknown, Value, place};
use crate::facts::{Component, DynamicRequest, Stray, template_may_use};
use crate::graph::Target;
use crate::macros::{Guard, Macro, followed};
use crate::module::Module;
use crate::problem::Problem;

impl Prover<'_, '_> {
    /// A macro, or something that holds one, that is used in a way which can't be followed.
    pub(super) fn judge_stray(&mut self, module: &Rc<Module>, stray: &Stray) {
        let subject = Evaluator::new(self.graph).evaluate(module, reached_at_least(&stray.subject));
        let members = stray.members.as_deref();
        let name = match &subject.value {
            Value::Unknown(Unknown::Waiting) => {
                self.findings.waiting += 1;
                return;
            }
            Value::Unknown(unknown) if unknown.is_given_up() => {
                self.findings.push(unsearched(place(module, stray.span)));
                return;
            }
            Value::Ours { package, name } if is_guarded(package, name) => format!("`{name}`"),
            Value::OurNamespace(package) if &**package == "core" && may_take_a_guarded(members) => {
                "The namespace of `@agent-surface/core`".to_owned()
            }
            Value::Namespace(id) if self.reach.passes_macro(id, members) => {
                format!("The namespace of `{}`, which passes a contract macro on,", self.graph.origin(id))
            }
            _ => return,
        };
        if let (Some(used), Some(file)) = (&stray.for_template, Component::file_of(&module.id)) {
            match self.graph.disk_text(file) {
                None => {
                    self.findings.waiting += 1;
                    return;
                }
                Some(Some(text)) if !template_may_use(text, used) => return,
                Some(_) => {}
            }
        }
        let message = format!("{name} {}, where it can't be followed", stray.what);
        let problem = Problem::at(place(module, stray.span), "escaped-macro", message)
            .label("gets away here")
            .help("Import the macro by name and call it at the top of the module.");
        self.findings.push(problem);
    }

    pub(super) fn judge_dynamic_requests(&mut self, module: &Rc<Module>) {
        for request in &module.facts.dynamic_requests {
            let specifier = match Evaluator::new(self.graph).evaluate(module, &request.specifier).value {
                Value::String(specifier) => specifier,
                Value::Unknown(Unknown::Waiting) => {
                    self.findings.waiting += 1;
                    continue;
                }
                _ => continue,
            };
            // Which module it is matters only where a macro can be had from it.
            let may_matter = specifier.contains("agent-surface")
                || self.reach.macro_readers.contains(&module.id)
                    && (self.reach.has_barrels() || !specifier.starts_with('.'));
            if may_matter {
                self.judge_dynamic_request(module, request, &specifier);
            }
        }
    }

    fn judge_dynamic_request(&mut self, module: &Rc<Module>, request: &DynamicRequest, specifier: &str) {
        let taken = request.taken.as_deref();
        let what = match self.graph.our_package(&module.id, specifier) {
            None => {
                self.findings.waiting += 1;
                return;
            }
            Some(Some(package)) if &*package == "core" && may_take_a_guarded(taken) => {
                "`@agent-surface/core`".to_owned()
            }
            Some(Some(_)) => return,
            Some(None) => match self.graph.resolve(&module.id, specifier) {
                Some(Target::Module(id)) if self.reach.passes_macro(&id, taken) => {
                    format!("`{}`, which passes a contract macro on,", self.graph.origin(&id))
                }
                _ => return,
            },
        };
        let message = format!("{what} is reached through {}", request.form);
        let problem = Problem::at(place(module, request.span), "escaped-macro", message)
            .label("its macros can't be followed from here")
            .help("Import what you need from it with an `import` declaration.");
        self.findings.push(problem);
    }
}

/// Whether a macro or a guarded function is among the members of the core package that are taken.
fn may_take_a_guarded(members: Option<&[String]>) -> bool {
    members.is_none_or(|members| {
        followed("core")
            .any(|(name, _)| is_guarded("core", name) && members.iter().any(|member| member == name))
    })
}

fn is_guarded(package: &str, name: &str) -> bool {
    Guard::on(package, name).is_some_and(|guard| !guard.inline_only)
        || package == "core" && Macro::named(name).is_some()
}
