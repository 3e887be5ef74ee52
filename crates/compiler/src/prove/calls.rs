//! Calls: of macros, and of what would go around one.

use std::cell::OnceCell;
use std::rc::Rc;

use super::{Contributor, Proven, Prover, not_expanded};
use crate::assemble::{Declaration, assemble};
use crate::evaluate::{Evaluator, Unknown, Value, place};
use crate::expand::{Expansion, only_argument};
use crate::external::{Owner, is_sealed, reopen};
use crate::facts::{Call, Expr, ExprKind, Placement, Registration};
use crate::graph::{Graph, Target};
use crate::id::archived_package;
use crate::library::{Sides, settle_schemas};
use crate::link::our_package_of_specifier;
use crate::macros::{Guard, Macro};
use crate::module::Module;
use crate::problem::{Place, Problem};

impl Prover<'_, '_> {
    pub(super) fn judge_call(&mut self, module: &Rc<Module>, index: usize, call: &Call) {
        let expansion = self
            .expansions
            .get(&module.key())
            .and_then(|expansions| expansions.iter().find(|expansion| expansion.call == index));
        let callee = Evaluator::new(self.graph).evaluate(module, &call.callee);
        let here = place(module, call.callee.span);
        match &callee.value {
            Value::Unknown(Unknown::Waiting) => self.findings.waiting += 1,
            Value::Unknown(unknown) if unknown.is_given_up() => self.findings.push(unsearched(here)),
            Value::Ours { package, name } => match Macro::named(name).filter(|_| &**package == "core") {
                Some(kind) => self.judge_macro(module, (index, call), kind, expansion),
                None => {
                    if let Some(guard) = Guard::on(package, name) {
                        self.judge_guarded(module, call, guard, name, here);
                    }
                }
            },
            _ => {
                if let Some(escaped) = reached_through_member(self.graph, module, call) {
                    let message = format!("`{}` is reached in a way that is not analysed", escaped.name());
                    let problem = Problem::at(here, "unsupported-call", message)
                        .label("not a plain call")
                        .help(format!("Call it as it is: {}({{ … }}).", escaped.name()));
                    self.findings.push(problem);
                } else if let Some(problem) = self.missing_package(module, call) {
                    self.findings.push(problem);
                } else if expansion.is_some() {
                    let message =
                        "This call was taken for a contract macro, and the finished graph says it is none";
                    let problem = Problem::at(here, "unstable-import", message)
                        .label("leads elsewhere in the bundle")
                        .help("Import the macro from `@agent-surface/core`, or give the other function another name.");
                    self.findings.push(problem);
                }
            }
        }
    }

    fn judge_macro(
        &mut self,
        module: &Rc<Module>,
        (index, call): (usize, &Call),
        kind: Macro,
        expansion: Option<&Expansion>,
    ) {
        let here = place(module, call.callee.span);
        let Some(owner) = self.graph.owner(&module.id) else {
            self.findings.waiting += 1;
            return;
        };
        if owner == Owner::Nobody {
            self.findings.push(refuse_nameless(&module.id, here, kind));
            return;
        }
        if is_sealed(call) && self.judge_sealed(module, (index, call), kind, (owner, expansion)) {
            return;
        }
        if let Some(problem) = refuse_form(module, call, kind) {
            self.findings.push(problem);
            return;
        }
        let (Some(argument), Some(name)) = (only_argument(call), declared_name(&call.placement)) else {
            return;
        };
        let Some(expansion) = expansion else {
            self.findings.push(not_expanded(here, kind));
            return;
        };
        if let Some(own) = module.facts.own_json {
            self.findings.push(own_json(here, place(module, own)));
            return;
        }
        let mut written = Evaluator::new(self.graph).evaluate(module, &argument.expr);
        let mut sides = Sides::default();
        settle_schemas(self.graph, kind, &mut written, &mut sides);
        let declaration = Declaration {
            id: format!("{}#{name}", module.origin),
            origin: module.origin.clone(),
            kind,
            argument: written,
        };
        let Some(assembled) = assemble(&declaration, &mut self.findings) else { return };
        if !assembled.validators.is_empty() && !expansion.keeps_argument {
            self.findings.push(not_expanded(here, kind));
            return;
        }
        self.proven.push(Rc::new(Proven {
            expansion: expansion.clone(),
            declaration_id: declaration.id,
            assembled,
            call: (Rc::clone(module), index),
            contributor: match owner {
                Owner::Package(package) => Contributor::Source(package.to_owned()),
                Owner::Project | Owner::Nobody => Contributor::Project,
            },
            sealed: OnceCell::new(),
            sides,
        }));
    }

    /// A call that another build has expanded, by the contract file of its package. Says whether there was anything to
    /// judge: in the project's own code, without such a file, it is a proof that somebody has written by hand.
    fn judge_sealed(
        &mut self,
        module: &Rc<Module>,
        (index, call): (usize, &Call),
        kind: Macro,
        (owner, expansion): (Owner<'_>, Option<&Expansion>),
    ) -> bool {
        let Some(Some(package)) = self.graph.package(&module.id) else { return false };
        self.graph.rest_on_chance();
        let Some(sidecar) = self.sidecars.of(&package.dir) else {
            // What is wrong with a file that is there has been said.
            if matches!(owner, Owner::Package(_)) && !package.declares_contract {
                let message = format!(
                    "`{}` ships a contract that its own build proved, and no contract file",
                    package.name
                );
                let problem = Problem::at(place(module, call.callee.span), "no-contract-file", message)
                    .label("proven elsewhere")
                    .help(
                        "A library publishes the contract file of its build and names it in its package.json, by \
                         `agentSurface.contract`. Report it to the package's authors.",
                    );
                self.findings.push(problem);
            }
            return matches!(owner, Owner::Package(_));
        };
        let Some(reopened) = reopen(self.graph, module, (call, kind), sidecar, &mut self.findings) else {
            return true;
        };
        match expansion {
            None => self.findings.push(not_expanded(place(module, call.callee.span), kind)),
            Some(expansion) => self.proven.push(Rc::new(Proven {
                expansion: expansion.clone(),
                declaration_id: reopened.declaration_id,
                assembled: reopened.assembled,
                call: (Rc::clone(module), index),
                contributor: Contributor::Sealed,
                sealed: OnceCell::new(),
                sides: Sides::default(),
            })),
        }
        true
    }

    fn judge_guarded(&mut self, module: &Rc<Module>, call: &Call, guard: &Guard, name: &str, here: Place) {
        let is_raw = match call.arguments.first() {
            // A constant of another module is nearly always a contract, and costs questions to find out.
            Some(argument) if module.facts.root_request(&argument.expr).is_none() => {
                self.is_definition(module, &argument.expr)
            }
            _ => false,
        };
        if guard.inline_only && !is_raw {
            return;
        }
        let message = format!("`{name}` registers a capability that no contract declares");
        let problem = Problem::at(here, "raw-registration", message).label("not proven").help(guard.help);
        self.findings.push(problem);
    }

    /// What to install, where a macro is imported by the name of our package and nothing is found under it.
    fn missing_package(&self, module: &Rc<Module>, call: &Call) -> Option<Problem> {
        let request = &module.facts.requests[module.facts.root_request(&call.callee)?];
        let specifier = &request.specifier;
        let package = our_package_of_specifier(specifier)?;
        if self.graph.resolve(&module.id, specifier)? != Target::NotFound {
            return None;
        }
        let name = format!("@agent-surface/{package}");
        let is_subpath = *specifier != name;
        let message = if is_subpath {
            format!("`{specifier}` is nowhere: `{name}` is not installed, or exports no such path")
        } else {
            format!("`{name}` is not installed where this module could find it")
        };
        let problem =
            Problem::at(place(module, request.span), "missing-package", message).label("leads nowhere");
        Some(problem.help(format!("Run `npm install {name}` in the package that this module belongs to.")))
    }

    /// A `register`, if it is a registry's, given what no contract bound.
    pub(super) fn judge_registration(&mut self, module: &Rc<Module>, registration: &Registration) {
        let callee = Evaluator::for_refusal(self.graph).evaluate(module, &registration.callee);
        match callee.value {
            Value::Unknown(Unknown::Waiting) => self.findings.waiting += 1,
            Value::Register if self.is_definition(module, &registration.definition) => {
                let message = "`register` is given a definition that no contract declares";
                let problem = Problem::at(place(module, registration.callee.span), "raw-registration", message)
                    .label("not proven")
                    .help("Declare a contract with defineAgentComponentContract and register what it binds: registry.register(contract.bind({ … })).");
                self.findings.push(problem);
            }
            _ => {}
        }
    }

    /// Whether an expression is certainly an object that the app wrote, and not one that a contract bound.
    fn is_definition(&mut self, module: &Rc<Module>, expr: &Expr) -> bool {
        match Evaluator::for_refusal(self.graph).evaluate(module, expr).value {
            Value::Object(_) => true,
            Value::Unknown(Unknown::Waiting) => {
                self.findings.waiting += 1;
                false
            }
            _ => false,
        }
    }
}

/// What cannot be approved, since nobody knows by which name.
fn refuse_nameless(id: &str, here: Place, kind: Macro) -> Problem {
    if let Some(package) = archived_package(id) {
        let message = format!("`{package}` calls `{}`, and lies in an archive of Yarn's", kind.name());
        return Problem::at(here, "dependency", message).label("not looked into").help(format!(
            "Have it unpacked, by the `package.json` of the project's root, and install again: \
             \"dependenciesMeta\": {{ \"{package}\": {{ \"unplugged\": true }} }}",
        ));
    }
    let message = format!("Installed code of no package with a name calls `{}`", kind.name());
    Problem::at(here, "dependency", message).label("not admitted").help(
        "What a dependency contributes is approved by its name: that in the `package.json` of its folder in \
         `node_modules`. Install the code as a package, or declare the contract in the app.",
    )
}

/// Why a macro call is no declaration, if it is none.
fn refuse_form(module: &Rc<Module>, call: &Call, kind: Macro) -> Option<Problem> {
    let name = kind.name();
    let at = |span, message: String| Problem::at(place(module, span), "unsupported-call", message);
    let plain = format!("Write `const contract = {name}({{ … }})` at the top of the module.");
    if call.constructed || call.optional {
        let message = format!("`{name}` is not called plainly");
        return Some(at(call.callee.span, message).label("`new` or `?.`").help(plain));
    }
    match &*call.arguments {
        [] => {
            return Some(
                at(call.callee.span, format!("`{name}` needs a definition")).label("no argument").help(plain),
            );
        }
        [argument] if argument.spread => {
            return Some(
                at(argument.span, format!("`{name}` is called with spread arguments"))
                    .label("spread")
                    .help(plain),
            );
        }
        [_] => {}
        [_, second, ..] => {
            let message =
                format!("`{name}` takes one argument; the proof behind it is the compiler's to add");
            let help = if is_sealed(call) {
                "Another build expanded this call. Import the package's source, or name its contract file by `path` in \
                 `externalContracts.allow`."
            } else {
                "Remove it."
            };
            return Some(at(second.span, message).label("forged").help(help));
        }
    }
    match &call.placement {
        Placement::Misplaced(reason) => {
            let message = format!("A contract is declared {reason}, so it has no name of its own");
            Some(at(call.callee.span, message).label("not at the top of the module").help(plain))
        }
        _ => None,
    }
}

/// The name of a declaration within its module.
pub(crate) fn declared_name(placement: &Placement) -> Option<&str> {
    match placement {
        Placement::Named(name) => Some(name),
        Placement::Default => Some("default"),
        Placement::Misplaced(_) => None,
    }
}

fn own_json(here: Place, own: Place) -> Problem {
    let message = "The proven definition is read by `JSON.parse`, and this module has a `JSON` of its own";
    Problem::at(here, "own-json", message)
        .label("would be read by something else")
        .related(own, "declared here")
        .help("Give the other `JSON` another name, or declare the contract in a module without it.")
}

/// `macro.call(…)` and the like: a member of a macro is called.
fn reached_through_member(graph: &Graph<'_>, module: &Rc<Module>, call: &Call) -> Option<Macro> {
    let ExprKind::Member { object, .. } = &call.callee.kind else { return None };
    match Evaluator::new(graph).evaluate(module, object).value {
        Value::Ours { package, name } if &*package == "core" => Macro::named(&name),
        _ => None,
    }
}

/// What is too far from its import to be found out.
pub(super) fn unsearched(here: Place) -> Problem {
    let message = "This may be a contract macro, and is too far from its import to be followed";
    Problem::at(here, "escaped-macro", message)
        .label("given up here")
        .help("Import the macro by name and call it at the top of the module.")
}
