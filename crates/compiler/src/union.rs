//! One contract for all environments of an app: what each of them proved, in one manifest.
//!
//! A bundler builds the page of an app and its server one by one, each with a graph of its own. What they prove by
//! themselves is told to each other's sessions, so that what each of them ships has the same authority.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agent_surface_manifest::{Digest, Entry, Manifest, ManifestError};
use rustc_hash::FxHashMap;

use crate::message::{Diagnostic, Located, Proof, Report};
use crate::own::Own;
use crate::problem::{Problem, report, settle};
use crate::seal::value_of_proof;
use crate::session::Session;

/// What another environment of the app proved by itself.
#[derive(Clone, Debug)]
pub struct Neighbour {
    /// The environment's name, `ssr` for example.
    pub environment: String,
    /// What it proved.
    pub proof: Proof,
}

/// What came of several environments.
#[derive(Clone, Debug)]
pub enum Union {
    /// One contract, which this session's placeholders now stand for.
    Proven(Proof),
    /// They contradict each other: the build must fail with this report.
    Refused(Report),
}

/// A declaration of a capability, by their ids.
type Key<'a> = (&'a str, &'a str);

impl Session {
    /// Takes note of what this environment proved, as the whole contract as long as nobody says that there are others.
    pub(crate) fn own(&mut self, own: Own) -> Proof {
        let proof = self.declare(&own, &own.manifest, own.located.clone(), own.warnings.clone());
        self.own = Some(own);
        proof
    }

    /// Makes one contract of what this environment, which has this name, proved by itself and of what others did. From
    /// then on that is what [`Session::render`] puts in, until [`Session::close`] proves something else.
    ///
    /// Where it does not `join` them, they must have declared all of it: it is an environment that nobody knew of.
    ///
    /// None before [`Session::close`] has proven something.
    pub fn unite(&mut self, environment: &str, others: &[Neighbour], joins: bool) -> Option<Union> {
        let own = self.own.take()?;
        let union = match merge(environment, &own, others, joins) {
            Err(problems) => Union::Refused(report(&settle(problems))),
            Ok(manifest) => {
                let located = locate(&manifest, &own.located, others);
                let mut warnings = own.warnings.clone();
                let mut said: BTreeSet<String> = warnings.iter().map(|it| it.frame.clone()).collect();
                for warning in others.iter().flat_map(|other| &other.proof.warnings) {
                    if said.insert(warning.frame.clone()) {
                        warnings.push(warning.clone());
                    }
                }
                Union::Proven(self.declare(&own, &manifest, located, warnings))
            }
        };
        self.own = Some(own);
        Some(union)
    }

    /// Holds what this environment, which has this name, proved by itself against what it was found to be going to prove:
    /// that is what the others ship. None where it is the same, and before [`Session::close`] has proven something.
    pub fn check_foreseen(&self, environment: &str, foreseen: &Proof) -> Option<Report> {
        let own = self.own.as_ref()?;
        let problems = match Manifest::parse(&foreseen.manifest) {
            Ok(manifest) => find_surprises(environment, own, &manifest, &foreseen.capabilities),
            Err(error) => vec![unsound(&error)],
        };
        (!problems.is_empty()).then(|| report(&settle(problems)))
    }

    /// Lets the placeholders stand for a manifest and the proofs over it.
    fn declare(
        &mut self,
        own: &Own,
        manifest: &Manifest,
        capabilities: Vec<Located>,
        warnings: Vec<Diagnostic>,
    ) -> Proof {
        let hash = manifest.hash().to_hex();
        for (name, proof) in &own.proofs {
            self.values.insert(name.clone(), value_of_proof(proof.clone(), &hash));
        }
        let texts = manifest.to_texts();
        self.values.insert(self.authority_placeholder(), texts.canonical);
        Proof { manifest: texts.file, hash, warnings, capabilities }
    }
}

/// The manifest of all environments, or why there is none.
fn merge(environment: &str, own: &Own, others: &[Neighbour], joins: bool) -> Result<Manifest, Vec<Problem>> {
    let mut manifests = Vec::new();
    for Neighbour { proof, .. } in others {
        manifests.push(Manifest::parse(&proof.manifest).map_err(|error| vec![unsound(&error)])?);
    }
    let conflicts = find_conflicts(environment, own, others, &manifests);
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    if joins {
        return Manifest::merge(manifests.into_iter().chain([own.manifest.clone()]))
            .map_err(|error| vec![unsound(&error)]);
    }
    let union = Manifest::merge(manifests).map_err(|error| vec![unsound(&error)])?;
    let extra = find_extra(environment, own, others, &union);
    if extra.is_empty() { Ok(union) } else { Err(extra) }
}

/// A manifest that another environment is said to have, and none could.
fn unsound(error: &ManifestError) -> Problem {
    Problem::without_place("environments", error.to_string())
}

/// The declarations that have one content here and another in another environment.
fn find_conflicts(
    environment: &str,
    own: &Own,
    others: &[Neighbour],
    manifests: &[Manifest],
) -> Vec<Problem> {
    let mut seen: FxHashMap<Key<'_>, (&str, &[Located], &Entry)> = FxHashMap::default();
    for entry in own.manifest.capabilities() {
        seen.insert(key_of(entry), (environment, &own.located, entry));
    }
    let mut problems = Vec::new();
    for (Neighbour { environment, proof }, manifest) in others.iter().zip(manifests) {
        for entry in manifest.capabilities() {
            let first = seen.entry(key_of(entry)).or_insert((environment, &proof.capabilities, entry));
            let (other, located, original) = *first;
            if original.contract_hash != entry.contract_hash {
                let places = [(other, located), (environment, &*proof.capabilities)];
                problems.push(conflict(own, entry, places));
            }
        }
    }
    problems
}

/// One declaration with two contents.
fn conflict(own: &Own, entry: &Entry, sides: [(&str, &[Located]); 2]) -> Problem {
    let (declaration, capability) = key_of(entry);
    let mut message = format!("`{capability}` of `{declaration}` is not the same in");
    for ((environment, located), joint) in sides.into_iter().zip(["", " and"]) {
        let place = describe_place(located, (declaration, capability));
        let _ = write!(message, "{joint} the environment `{environment}`{place}");
    }
    let problem = declared(own, (declaration, capability), message);
    problem.help(
        "A contract is the same in all environments of an app. Take out of it what they have otherwise: a constant of \
         theirs, or a module that `resolve.conditions`, an alias or a plugin gives to one of them only.",
    )
}

/// The declarations that none of the other environments has.
fn find_extra(environment: &str, own: &Own, others: &[Neighbour], union: &Manifest) -> Vec<Problem> {
    let known: BTreeSet<Key<'_>> = union.capabilities().iter().map(key_of).collect();
    let names: Vec<_> = others.iter().map(|other| format!("`{}`", other.environment)).collect();
    let names = names.join(", ");
    own.manifest
        .capabilities()
        .iter()
        .map(key_of)
        .filter(|key| !known.contains(key))
        .map(|(declaration, capability)| {
            let message = format!(
                "`{capability}` of `{declaration}` is declared in the environment `{environment}`, and Vite's config \
                 names no entry of it"
            );
            declared(own, (declaration, capability), message).help(format!(
                "The contract is that of the environments with an entry: {names}. Name the entry of this one in \
                 `environments.{environment}.build.rollupOptions.input`."
            ))
        })
        .collect()
}

/// What this environment declares otherwise than was foreseen: more, less, or with other contents.
fn find_surprises(environment: &str, own: &Own, foreseen: &Manifest, located: &[Located]) -> Vec<Problem> {
    if own.manifest == *foreseen {
        return Vec::new();
    }
    let (found, expected) = (contents_of(&own.manifest), contents_of(foreseen));
    let keys: BTreeSet<_> = found.keys().chain(expected.keys()).copied().collect();
    let mut problems = Vec::new();
    for key @ (declaration, capability) in keys {
        let (verb, what) = match (found.get(&key), expected.get(&key)) {
            (Some(content), Some(other)) if content == other => continue,
            (Some(_), Some(_)) => ("declares", "otherwise than it was found beforehand".to_owned()),
            (Some(_), None) => ("declares", "and that was not found beforehand".to_owned()),
            (None, _) => {
                ("does not declare", format!("and that was found beforehand{}", describe_place(located, key)))
            }
        };
        let message = format!(
            "the build of the environment `{environment}` {verb} `{capability}` of `{declaration}`, {what}"
        );
        problems.push(declared(own, key, message));
    }
    if problems.is_empty() {
        let message = format!(
            "the build of the environment `{environment}` proved the capabilities that were found beforehand, and other \
             targets or contributions of dependencies"
        );
        problems.push(Problem::without_place("environments", message));
    }
    let help = "The other environments ship what was found beforehand. A plugin that acts in one environment on what it \
                saw in another, or a file that is changed during the build, makes such a difference.";
    problems.into_iter().map(|problem| problem.help(help)).collect()
}

/// The contents of a manifest's declarations, by their hashes.
fn contents_of(manifest: &Manifest) -> FxHashMap<Key<'_>, Digest> {
    manifest.capabilities().iter().map(|entry| (key_of(entry), entry.contract_hash)).collect()
}

/// A problem of a declaration, where it stands if this environment has it.
fn declared(own: &Own, (declaration, capability): Key<'_>, message: String) -> Problem {
    match own.places.get(&(declaration.to_owned(), capability.to_owned())) {
        Some(place) => Problem::at(place.clone(), "environments", message).label("declared here"),
        None => Problem::without_place("environments", message),
    }
}

/// Where a declaration stands in an environment, in brackets; nothing where only generated code has it.
fn describe_place(located: &[Located], key: Key<'_>) -> String {
    let place = located.iter().find(|it| (&*it.declaration_id, &*it.capability_id) == key);
    match place {
        Some(Located { file, line, column, .. }) if *line > 0 => format!(" ({file}:{line}:{column})"),
        _ => String::new(),
    }
}

fn key_of(entry: &Entry) -> Key<'_> {
    (&entry.contract.declaration_id, &entry.contract.capability_id)
}

/// Where each capability of a manifest is declared, in its order.
fn locate(manifest: &Manifest, own: &[Located], others: &[Neighbour]) -> Vec<Located> {
    let mut places: FxHashMap<Key<'_>, &Located> = FxHashMap::default();
    for located in own.iter().chain(others.iter().flat_map(|other| &other.proof.capabilities)) {
        let known = places.entry((&located.declaration_id, &located.capability_id)).or_insert(located);
        // In one environment it may be in generated code only.
        if known.line == 0 {
            *known = located;
        }
    }
    manifest.capabilities().iter().filter_map(|entry| places.get(&key_of(entry)).copied().cloned()).collect()
}
