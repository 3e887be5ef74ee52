//! One contract for all environments of an app: what each of them proved, in one manifest.
//!
//! A bundler builds the page of an app and its server one by one, each with a graph of its own. What they prove by
//! themselves is told to each other's sessions, so that what each of them ships has the same authority.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use agent_surface_json::Object;
use agent_surface_manifest::{Entry, Manifest, ManifestError};
use rustc_hash::FxHashMap;

use crate::message::{Diagnostic, Located, Proof, Report};
use crate::problem::{Place, Problem, report, settle};
use crate::seal::{Places, value_of_proof};
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

/// What one environment proved by itself.
#[derive(Debug)]
pub(crate) struct Own {
    pub(crate) manifest: Manifest,
    pub(crate) located: Vec<Located>,
    /// Where its authors find its capabilities.
    pub(crate) places: Places,
    /// Its proofs by their placeholders, but for the hash of the manifest.
    pub(crate) proofs: Vec<(String, Object)>,
    pub(crate) warnings: Vec<Diagnostic>,
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
    let unsound = |error: &ManifestError| vec![Problem::without_place("environments", error.to_string())];
    let mut manifests = Vec::new();
    for Neighbour { proof, .. } in others {
        manifests.push(Manifest::parse(&proof.manifest).map_err(|error| unsound(&error))?);
    }
    let conflicts = find_conflicts(environment, own, others, &manifests);
    if !conflicts.is_empty() {
        return Err(conflicts);
    }
    if joins {
        return Manifest::merge(manifests.into_iter().chain([own.manifest.clone()]))
            .map_err(|error| unsound(&error));
    }
    let union = Manifest::merge(manifests).map_err(|error| unsound(&error))?;
    let extra = find_extra(environment, own, others, &union);
    if extra.is_empty() { Ok(union) } else { Err(extra) }
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
        let _ = write!(message, "{joint} the environment `{environment}`");
        let place =
            located.iter().find(|it| (&*it.declaration_id, &*it.capability_id) == (declaration, capability));
        if let Some(Located { file, line, column, .. }) = place.filter(|it| it.line > 0) {
            let _ = write!(message, " ({file}:{line}:{column})");
        }
    }
    let problem = match place_of(own, declaration, capability) {
        Some(place) => Problem::at(place, "environments", message).label("declared here"),
        None => Problem::without_place("environments", message),
    };
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
            let problem = match place_of(own, declaration, capability) {
                Some(place) => Problem::at(place, "environments", message).label("declared here"),
                None => Problem::without_place("environments", message),
            };
            problem.help(format!(
                "The contract is that of the environments with an entry: {names}. Name the entry of this one in \
                 `environments.{environment}.build.rollupOptions.input`."
            ))
        })
        .collect()
}

fn key_of(entry: &Entry) -> Key<'_> {
    (&entry.contract.declaration_id, &entry.contract.capability_id)
}

fn place_of(own: &Own, declaration: &str, capability: &str) -> Option<Place> {
    own.places.get(&(declaration.to_owned(), capability.to_owned())).cloned()
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
