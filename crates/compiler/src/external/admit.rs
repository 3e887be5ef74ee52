//! Contributions against the allow list. What is not on it fails the build, with the entry that would let it pass.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use agent_surface_json::Json;
use agent_surface_manifest::{Contract, Digest, Entry, ExternalContract, Manifest, Route};

use super::policy::{Policy, Verdict};
use super::{Sidecars, tame};
use crate::problem::{Place, Problem};
use crate::prove::Proven;

/// How many capabilities a report names of a contribution.
const MAX_NAMED: usize = 8;

/// What dependencies add to a manifest.
#[derive(Debug, Default)]
pub(crate) struct Admission {
    pub(crate) contracts: Vec<ExternalContract>,
    /// The entries of contract files, each with its place there.
    pub(crate) entries: Vec<(Entry, Place)>,
    pub(crate) problems: Vec<Problem>,
}

/// One package's capabilities, by one of the two ways.
struct Contribution<'c> {
    package: &'c str,
    source: &'c str,
    route: Route,
    digest: Digest,
    entries: &'c [Entry],
    place: Place,
    /// The path in the entry that approves it.
    path: Option<&'c str>,
}

/// Holds what dependencies contribute against the allow list. `unsettled` are the packages of which some declaration is
/// not proven: what they contribute by their source is not known yet.
pub(crate) fn admit(
    policy: &Policy,
    sidecars: &Sidecars,
    proven: &[Rc<Proven>],
    target: &str,
    unsettled: &BTreeSet<&str>,
) -> Admission {
    let mut admission = Admission { problems: sidecars.problems.clone(), ..Admission::default() };
    for sidecar in &sidecars.found {
        let contribution = Contribution {
            package: &sidecar.package,
            source: &sidecar.source,
            route: Route::Sidecar,
            digest: sidecar.digest,
            entries: &sidecar.entries,
            place: sidecar.declared.clone(),
            path: sidecar.path.as_deref(),
        };
        admission.judge(policy, &contribution);
        let placed = sidecar
            .entries
            .iter()
            .map(|entry| (entry.clone(), sidecar.place_of(&entry.contract.capability_id)));
        admission.entries.extend(placed);
    }
    for (package, (entries, place)) in by_package(proven, target) {
        if unsettled.contains(package) {
            continue;
        }
        let Some(source) = entries.first().map(|entry| entry.contract.origin.clone()) else { continue };
        admission.judge(
            policy,
            &Contribution {
                package,
                source: &source,
                route: Route::Source,
                digest: digest_of(&entries),
                entries: &entries,
                place,
                path: None,
            },
        );
    }
    admission.refuse_collisions(sidecars, proven);
    tame(&mut admission.problems);
    admission
}

/// What packages declare in their own source: the entries in the order of a manifest, and the first place.
fn by_package<'p>(proven: &'p [Rc<Proven>], target: &str) -> BTreeMap<&'p str, (Vec<Entry>, Place)> {
    let mut packages: BTreeMap<&str, (Vec<Entry>, Place)> = BTreeMap::new();
    for declaration in proven {
        let Some(package) = declaration.contributor.package() else { continue };
        let (entries, _) = packages.entry(package).or_insert_with(|| (Vec::new(), declaration.place()));
        let contracts = declaration.assembled.contracts.iter();
        entries.extend(contracts.map(|(contract, _)| contract.clone().seal(target)));
    }
    for (entries, _) in packages.values_mut() {
        // A declaration that two loads of one file make twice counts once, and one that has two contents is refused
        // when the manifest is made.
        if let Ok(manifest) = Manifest::assemble(std::mem::take(entries), Vec::new()) {
            *entries = manifest.capabilities().to_vec();
        }
    }
    packages
}

/// The digest of what has no file to be the digest of: the canonical entries and a newline.
fn digest_of(entries: &[Entry]) -> Digest {
    let mut text = Json::from(entries.iter().map(Entry::to_json).collect::<Vec<_>>()).to_canonical();
    text.push('\n');
    Digest::of(text)
}

impl Admission {
    fn judge(&mut self, policy: &Policy, contribution: &Contribution<'_>) {
        let Contribution { package, source, route, digest, .. } = contribution;
        match policy.decide(package, *digest) {
            Verdict::Approved => self.contracts.push(ExternalContract {
                package: (*package).to_owned(),
                source: (*source).to_owned(),
                route: *route,
                contract_digest: *digest,
                expected_digest: *digest,
            }),
            Verdict::Unknown => self.problems.push(unapproved(contribution)),
            Verdict::Changed(approved) => self.problems.push(changed(contribution, &approved)),
        }
    }

    /// A declaration belongs to one contributor. What a contract file says of one that a source has too, or that another
    /// file has otherwise, can't be told from it when it is used.
    fn refuse_collisions(&mut self, sidecars: &Sidecars, proven: &[Rc<Proven>]) {
        // Sources collide with contract files only.
        if sidecars.found.is_empty() {
            return;
        }
        let mut declared: BTreeMap<(&str, &str), Declared<'_>> = BTreeMap::new();
        let open = proven.iter().filter(|it| !it.contributor.is_sealed());
        for Proven { contributor, assembled, .. } in open.map(|it| &**it) {
            for (contract, place) in &assembled.contracts {
                let by = Declarer::Source(contributor.package());
                declared.insert(key(contract), Declared { place: place.clone(), by });
            }
        }
        for sidecar in &sidecars.found {
            for Entry { contract, contract_hash, .. } in &sidecar.entries {
                let place = sidecar.place_of(&contract.capability_id);
                let by = Declarer::File(&sidecar.package, *contract_hash);
                let Some(other) = declared.get(&key(contract)) else {
                    declared.insert(key(contract), Declared { place, by });
                    continue;
                };
                if matches!(other.by, Declarer::File(_, hash) if hash == *contract_hash) {
                    continue;
                }
                let message = format!(
                    "The contract file of `{}` declares `{}` of {}, and so does {}",
                    sidecar.package, contract.capability_id, contract.declaration_id, other.by
                );
                let problem = Problem::at(place, "duplicate-declaration", message)
                    .label("declared again")
                    .related(other.place.clone(), "declared here too")
                    .help(
                        "A declaration has one contributor. Let the package manager install one of two versions; of two \
                         declarations, move one to another file or variable.",
                    );
                self.problems.push(problem);
            }
        }
    }
}

/// A declaration of a capability that is known already.
struct Declared<'d> {
    place: Place,
    by: Declarer<'d>,
}

/// What declares a capability.
enum Declarer<'d> {
    /// A source: a package's, or the project's own.
    Source(Option<&'d str>),
    /// A package's contract file, in which the contract has this hash.
    File(&'d str, Digest),
}

impl fmt::Display for Declarer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(None) => f.write_str("this project"),
            Self::Source(Some(package)) => write!(f, "the source of `{package}`"),
            Self::File(package, _) => write!(f, "another contract file, of `{package}`"),
        }
    }
}

fn key(contract: &Contract) -> (&str, &str) {
    (&contract.declaration_id, &contract.capability_id)
}

fn unapproved(contribution: &Contribution<'_>) -> Problem {
    let Contribution { package, source, route, place, .. } = contribution;
    let count = match contribution.entries.len() {
        1 => "1 capability".to_owned(),
        count => format!("{count} capabilities"),
    };
    let (means, label) = match route {
        Route::Sidecar => (format!("by its contract file {source}"), "not approved"),
        Route::Source => ("by macros in its source".to_owned(), "the first of them, not approved"),
    };
    let message = format!("`{package}` contributes {count} {means}, and nobody approved it");
    let help = format!(
        "Review what it would let an agent do:\n{}\nTo approve it, add to `externalContracts.allow` of agentSurface():\n{}",
        named(contribution.entries),
        allow_entry(contribution)
    );
    Problem::at(place.clone(), "unapproved-contract", message).label(label).help(help)
}

fn changed(contribution: &Contribution<'_>, approved: &[Digest]) -> Problem {
    let Contribution { package, digest, place, .. } = contribution;
    let message = format!("`{package}` contributes something else than what was approved");
    let approved: Vec<String> = approved.iter().map(|digest| format!("approved    {digest}")).collect();
    let help = format!(
        "{}\nthis build  {digest}\nReview what it would let an agent do now:\n{}\nTo approve it, make the entry of `externalContracts.allow`:\n{}",
        approved.join("\n"),
        named(contribution.entries),
        allow_entry(contribution)
    );
    Problem::at(place.clone(), "changed-contract", message).label("changed").help(help)
}

/// The capabilities of a contribution, each with what it does.
fn named(entries: &[Entry]) -> String {
    let lines = entries
        .iter()
        .take(MAX_NAMED)
        .map(|Entry { contract, .. }| format!("  {} ({})", contract.capability_id, contract.effect.as_str()));
    let rest = entries.len().saturating_sub(MAX_NAMED);
    lines.chain((rest > 0).then(|| format!("  and {rest} more"))).collect::<Vec<_>>().join("\n")
}

/// The entry of the allow list that would let a contribution pass, as it is written in a config.
fn allow_entry(contribution: &Contribution<'_>) -> String {
    let Contribution { package, digest, path, .. } = contribution;
    let text = |text: &str| Json::from(text).to_canonical();
    let path = path.map(|path| format!(",\n  \"path\": {}", text(path))).unwrap_or_default();
    format!("{{\n  \"package\": {},\n  \"digest\": \"{digest}\"{path}\n}}", text(package))
}
