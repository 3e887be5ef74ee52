//! What a change means for what an agent may do.

use agent_surface_words::words;

words! {
    /// What a change means, the one that most needs a reviewer first.
    pub enum Class {
        /// An agent may do more, or is held back less.
        Widening = "widening",
        /// It could not be shown to be any of the others.
        Changed = "changed",
        /// An agent may do less, or is held back more.
        Narrowing = "narrowing",
        /// It was shown to be neither.
        Neutral = "neutral",
    }
}

words! {
    /// What happened to a capability.
    pub enum ChangeKind {
        /// It is new.
        Added = "added",
        /// It is gone.
        Removed = "removed",
        /// It is declared elsewhere: in another file, or by another variable.
        Moved = "moved",
        /// A field of it has another value.
        Changed = "changed",
    }
}

words! {
    /// Which changes since the base fail a check. Every change is shown, whatever the policy.
    pub enum Policy {
        /// Each one.
        All = "all",
        /// Those that widen.
        Widening = "widening",
        /// Those that narrow.
        Narrowing = "narrowing",
        /// Those that do neither.
        Neutral = "neutral",
        /// Not one.
        None = "none",
    }
}

impl Policy {
    /// Whether a change of this class fails the check. What could not be shown to be harmless counts as widening and
    /// as narrowing: it may be both.
    #[must_use]
    pub const fn selects(self, class: Class) -> bool {
        match self {
            Self::All => true,
            Self::Widening => matches!(class, Class::Widening | Class::Changed),
            Self::Narrowing => matches!(class, Class::Narrowing | Class::Changed),
            Self::Neutral => matches!(class, Class::Neutral),
            Self::None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Policy};

    #[test]
    fn a_policy_selects_its_own_class_and_what_may_be_of_it() {
        let selected = |policy: Policy| {
            Class::ALL
                .iter()
                .filter(|class| policy.selects(**class))
                .map(|class| class.as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(selected(Policy::All), ["widening", "changed", "narrowing", "neutral"]);
        assert_eq!(selected(Policy::Widening), ["widening", "changed"]);
        assert_eq!(selected(Policy::Narrowing), ["changed", "narrowing"]);
        assert_eq!(selected(Policy::Neutral), ["neutral"]);
        assert!(selected(Policy::None).is_empty());
    }
}
