//! What the app's authors agreed to: the allow list, `externalContracts.allow`.

use agent_surface_manifest::Digest;

use crate::message::Approval;
use crate::problem::Problem;

/// The allow list. A package may stand in it several times: two versions of it may be in one build.
#[derive(Debug, Default)]
pub(crate) struct Policy {
    approvals: Vec<Pinned>,
    /// Whether the project may register tools with the browser that no contract proves.
    allows_raw_tools: bool,
    /// What can't be meant by an entry.
    problems: Vec<Problem>,
}

/// An entry of the allow list whose digest is one.
#[derive(Debug)]
pub(crate) struct Pinned {
    pub(crate) package: String,
    digest: Digest,
    /// The contract file, where the entry names one: absolute, or relative to the root.
    pub(crate) path: Option<String>,
}

/// What the allow list says of a contribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was agreed to, as it is.
    Approved,
    /// Something else of the same package was: the digests, in the order of the list.
    Changed(Vec<Digest>),
    /// Nothing of the package was.
    Unknown,
}

impl Policy {
    pub(crate) fn new(approvals: Vec<Approval>) -> Self {
        let mut policy = Self::default();
        for (index, Approval { package, digest, path }) in approvals.into_iter().enumerate() {
            match Digest::from_hex(&digest) {
                Some(digest) if !package.is_empty() => {
                    policy.approvals.push(Pinned { package, digest, path });
                }
                _ => policy.problems.push(bad_approval(index, &package, &digest)),
            }
        }
        policy
    }

    /// Lets the project register tools with the browser that no contract proves.
    pub(crate) fn allowing_raw_tools(self, allows_raw_tools: bool) -> Self {
        Self { allows_raw_tools, ..self }
    }

    /// Whether the project may register tools with the browser that no contract proves.
    pub(crate) fn allows_raw_tools(&self) -> bool {
        self.allows_raw_tools
    }

    /// Whether a contribution of a package, by its digest, was agreed to. Any entry of the package may say so.
    pub(crate) fn decide(&self, package: &str, digest: Digest) -> Verdict {
        let pinned: Vec<Digest> =
            self.approvals.iter().filter(|it| it.package == package).map(|it| it.digest).collect();
        match pinned.as_slice() {
            [] => Verdict::Unknown,
            pinned if pinned.contains(&digest) => Verdict::Approved,
            _ => Verdict::Changed(pinned),
        }
    }

    /// The entries that name a contract file.
    pub(crate) fn with_path(&self) -> impl Iterator<Item = (&Pinned, &str)> {
        self.approvals.iter().filter_map(|pinned| Some((pinned, pinned.path.as_deref()?)))
    }

    /// What is wrong with the list itself: an entry that can never match is a mistake and not a precaution.
    pub(crate) fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

fn bad_approval(index: usize, package: &str, digest: &str) -> Problem {
    let message = match package {
        "" => format!("`externalContracts.allow[{index}]` names no package"),
        _ => format!(
            "`externalContracts.allow[{index}]`, for `{package}`, has the digest \"{digest}\", which is none"
        ),
    };
    Problem::without_place("bad-approval", message).help(
        "An entry is { \"package\": the name in the dependency's package.json, \"digest\": 64 lower-case hexadecimal \
         digits }. Leave it out, and the build prints the entry to add.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn approval(package: &str, digest: &str) -> Approval {
        Approval { package: package.into(), digest: digest.into(), path: None }
    }

    fn pinned(package: &str, contribution: &str) -> Approval {
        approval(package, &Digest::of(contribution).to_hex())
    }

    #[test]
    fn a_contribution_is_approved_by_package_and_digest() {
        let policy = Policy::new(vec![pinned("charts", "one"), pinned("@acme/charts", "two")]);
        assert_eq!(policy.decide("charts", Digest::of("one")), Verdict::Approved);
        assert_eq!(policy.decide("charts", Digest::of("two")), Verdict::Changed(vec![Digest::of("one")]));
        assert_eq!(policy.decide("chart", Digest::of("one")), Verdict::Unknown);
        assert_eq!(policy.decide("Charts", Digest::of("one")), Verdict::Unknown);
    }

    #[test]
    fn two_versions_of_a_package_are_approved_by_two_entries() {
        let policy = Policy::new(vec![pinned("charts", "one"), pinned("charts", "two")]);
        for contribution in ["one", "two"] {
            assert_eq!(policy.decide("charts", Digest::of(contribution)), Verdict::Approved);
        }
        let approved = vec![Digest::of("one"), Digest::of("two")];
        assert_eq!(policy.decide("charts", Digest::of("three")), Verdict::Changed(approved));
    }

    #[test]
    fn an_entry_that_can_never_match_is_a_mistake() {
        let upper_case = Digest::of("one").to_hex().to_uppercase();
        for (package, digest) in [("charts", ""), ("charts", "*"), ("charts", &upper_case), ("", "0")] {
            let policy = Policy::new(vec![approval(package, digest)]);
            assert_eq!(policy.problems().len(), 1, "{package} {digest}");
            assert_eq!(policy.decide(package, Digest::of("one")), Verdict::Unknown);
        }
        assert!(Policy::new(vec![pinned("charts", "one")]).problems().is_empty());
    }
}
