//! Policies, as far as the kernel sees them: their names, their phases and their votes. The host runs them.

use agent_surface_manifest as manifest;

/// The phases in which a policy has its say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// It votes on whether a capability is shown.
    pub discovery: bool,
    /// It guards an invocation before its input is looked at.
    pub authorize: bool,
    /// It guards an invocation whose input is known.
    pub invoke: bool,
}

/// A policy that is attached to a registry, a component or a capability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Its name, by which a contract requires it.
    pub name: String,
    /// Where it has its say.
    pub phases: Phases,
    /// Whether it may ask for the user's confirmation.
    pub escalates: bool,
}

impl Policy {
    /// Whether it is what a contract's attachment requires: the name, and a say in the phase that is required.
    ///
    /// A policy that asks for confirmations has its say when the input is known, so it covers the invoke phase.
    #[must_use]
    pub fn covers(&self, attachment: &manifest::PolicyAttachment) -> bool {
        self.name == attachment.name
            && match attachment.phase {
                None => true,
                Some(manifest::Phase::Discovery) => self.phases.discovery,
                Some(manifest::Phase::Authorize) => self.phases.authorize,
                Some(manifest::Phase::Invoke) => self.phases.invoke || self.escalates,
            }
    }

    /// Whether it does nothing but vote. Only such a policy votes again at invocation: any other one guards the
    /// invocation itself, and tells the agent more than that there is nothing.
    #[must_use]
    pub const fn only_votes(&self) -> bool {
        self.phases.discovery && !self.phases.authorize && !self.phases.invoke
    }
}

/// What a policy says to a capability's being shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Vote {
    /// Show it.
    Expose,
    /// Show it as unusable, and say why.
    Disable {
        /// What the agent is told.
        reason: String,
    },
    /// Don't show it.
    Hide,
    /// The policy failed. That hides too: a defect opens nothing.
    Threw,
}

/// What `when` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// It holds, or there is none.
    Holds,
    /// It does not hold.
    Fails {
        /// What the agent is told, where the author says it.
        reason: Option<String>,
    },
    /// It failed. That counts as not holding.
    Threw,
}

/// What becomes of a capability for one consumer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is shown and usable.
    Exposed,
    /// It is shown as unusable.
    Disabled {
        /// What the agent is told.
        reason: String,
    },
    /// It is not shown, and calling it finds nothing.
    Hidden,
}

/// The most restrictive vote wins: any hide hides, else the first disable disables. `expected` votes must be there;
/// a vote that is missing hides.
#[must_use]
pub fn compose_votes(votes: &[Vote], expected: usize) -> Verdict {
    if votes.len() < expected || votes.iter().any(|vote| matches!(vote, Vote::Hide | Vote::Threw)) {
        return Verdict::Hidden;
    }
    let disabled = votes.iter().find_map(|vote| match vote {
        Vote::Disable { reason } => Some(Verdict::Disabled { reason: reason.clone() }),
        _ => None,
    });
    disabled.unwrap_or(Verdict::Exposed)
}

/// How many policies of a chain have a say, by phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// How many vote when a surface is discovered.
    pub discovery: usize,
    /// How many of them do nothing else, and so vote at invocation too.
    pub only_discovery: usize,
    /// How many guard the authorize phase.
    pub authorize: usize,
    /// How many guard the invoke phase.
    pub invoke: usize,
    /// How many may ask for a confirmation.
    pub escalating: usize,
}

impl Chain {
    /// Counts `policies`.
    #[must_use]
    pub fn of<'a>(policies: impl IntoIterator<Item = &'a Policy>) -> Self {
        policies.into_iter().fold(Self::default(), |chain, policy| Self {
            discovery: chain.discovery + usize::from(policy.phases.discovery),
            only_discovery: chain.only_discovery + usize::from(policy.only_votes()),
            authorize: chain.authorize + usize::from(policy.phases.authorize),
            invoke: chain.invoke + usize::from(policy.phases.invoke),
            escalating: chain.escalating + usize::from(policy.escalates),
        })
    }

    /// The chain that begins with `self` and goes on with `inner`.
    #[must_use]
    pub(crate) const fn then(self, inner: Self) -> Self {
        Self {
            discovery: self.discovery + inner.discovery,
            only_discovery: self.only_discovery + inner.only_discovery,
            authorize: self.authorize + inner.authorize,
            invoke: self.invoke + inner.invoke,
            escalating: self.escalating + inner.escalating,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disable(reason: &str) -> Vote {
        Vote::Disable { reason: reason.into() }
    }

    #[test]
    fn the_most_restrictive_vote_wins() {
        for (votes, verdict) in [
            (vec![], Verdict::Exposed),
            (vec![Vote::Expose, Vote::Expose], Verdict::Exposed),
            (vec![Vote::Expose, disable("a"), disable("b")], Verdict::Disabled { reason: "a".into() }),
            (vec![disable("a"), Vote::Hide], Verdict::Hidden),
            (vec![Vote::Expose, Vote::Threw], Verdict::Hidden),
        ] {
            assert_eq!(compose_votes(&votes, votes.len()), verdict, "{votes:?}");
        }
    }

    #[test]
    fn a_vote_that_is_missing_hides() {
        assert_eq!(compose_votes(&[Vote::Expose], 2), Verdict::Hidden);
    }

    #[test]
    fn a_policy_covers_an_attachment_at_its_own_phases() {
        let policy = |phases, escalates| Policy { name: "tenant".into(), phases, escalates };
        let attachment = |name: &str, phase| manifest::PolicyAttachment { name: name.into(), phase };
        let authorizes = policy(Phases { authorize: true, ..Phases::default() }, false);
        assert!(authorizes.covers(&attachment("tenant", None)));
        assert!(authorizes.covers(&attachment("tenant", Some(manifest::Phase::Authorize))));
        assert!(!authorizes.covers(&attachment("tenant", Some(manifest::Phase::Discovery))));
        assert!(!authorizes.covers(&attachment("tenant", Some(manifest::Phase::Invoke))));
        assert!(!authorizes.covers(&attachment("other", None)));
        let asks = policy(Phases::default(), true);
        assert!(asks.covers(&attachment("tenant", Some(manifest::Phase::Invoke))));
    }
}
