//! What a capability is, what using it does to the world, and what follows from that when the author is silent.

use agent_surface_words::words;

words! {
    /// What kind of declaration a capability comes from.
    pub enum Kind {
        /// Component state that an agent may read.
        Observation = "observation",
        /// Something an agent may do in the view.
        Action = "action",
        /// A procedure of the app's server.
        Procedure = "procedure",
        /// A tool of a provider outside the app.
        External = "external",
    }
}

words! {
    /// What using a capability does, from the least risk to the most: the order is the one in which drift is
    /// judged (a lower declared effect widens what passes unasked).
    pub enum Effect {
        /// Reads state of the view.
        Read = "read",
        /// Changes state of the view.
        LocalState = "local-state",
        /// Moves the user to another place in the app.
        Navigation = "navigation",
        /// Reads from the server.
        ServerQuery = "server-query",
        /// Changes data on the server.
        ServerMutation = "server-mutation",
        /// Acts outside the app: sends, pays, publishes.
        ExternalSideEffect = "external-side-effect",
        /// Destroys what cannot be brought back.
        Destructive = "destructive",
    }
}

words! {
    /// Whether a person is asked before an invocation runs, from the weakest to the strongest.
    pub enum Confirmation {
        /// Nobody is asked.
        Never = "never",
        /// A policy may ask.
        Optional = "optional",
        /// A person always decides.
        Required = "required",
    }
}

words! {
    /// How much of an invocation the audit record keeps.
    pub enum Audit {
        /// Nothing.
        None = "none",
        /// That it happened, and how it ended.
        Metadata = "metadata",
        /// Input and output too.
        Full = "full",
    }
}

/// What holds for an effect when the contract does not say, and how far it may say otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// Whether repeating an invocation changes nothing more.
    pub idempotent: bool,
    /// Whether it can be undone; `None` where there is nothing to undo.
    pub reversible: Option<bool>,
    /// Whether a person is asked.
    pub confirmation: Confirmation,
    /// The weakest confirmation that a contract may declare.
    pub minimum_confirmation: Confirmation,
    /// What the audit record keeps.
    pub audit: Audit,
}

impl Kind {
    /// The effects that this kind may declare, least risk first.
    ///
    /// An observation reads; an action stays in the view (else `PLANE_VIOLATION`); a procedure is the server's;
    /// an external tool may do anything.
    #[must_use]
    pub const fn allowed_effects(self) -> &'static [Effect] {
        match self {
            Self::Observation => &[Effect::Read],
            Self::Action => &[Effect::LocalState, Effect::Navigation],
            Self::Procedure => &[
                Effect::ServerQuery,
                Effect::ServerMutation,
                Effect::ExternalSideEffect,
                Effect::Destructive,
            ],
            Self::External => Effect::ALL,
        }
    }

    /// Whether this kind may declare `effect`.
    #[must_use]
    pub fn allows(self, effect: Effect) -> bool {
        self.allowed_effects().contains(&effect)
    }
}

impl Effect {
    /// What holds for this effect when the contract does not say.
    #[must_use]
    pub const fn defaults(self) -> Defaults {
        use Confirmation::{Never, Optional, Required};
        let (idempotent, reversible, confirmation, minimum_confirmation, audit) = match self {
            Self::Read => (true, None, Never, Never, Audit::None),
            Self::LocalState | Self::Navigation => (false, Some(true), Never, Never, Audit::Metadata),
            Self::ServerQuery => (true, None, Never, Never, Audit::Metadata),
            Self::ServerMutation => (false, Some(false), Optional, Never, Audit::Metadata),
            Self::ExternalSideEffect => (false, Some(false), Required, Never, Audit::Full),
            Self::Destructive => (false, Some(false), Required, Optional, Audit::Full),
        };
        Defaults { idempotent, reversible, confirmation, minimum_confirmation, audit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_as_its_variant() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_word(kind.as_str()), Some(*kind));
        }
        for effect in Effect::ALL {
            assert_eq!(Effect::from_word(effect.as_str()), Some(*effect));
        }
        assert_eq!(Confirmation::from_word("Never"), None);
    }

    #[test]
    fn confirmations_are_ordered_from_weak_to_strong() {
        assert!(Confirmation::Never < Confirmation::Optional);
        assert!(Confirmation::Optional < Confirmation::Required);
    }

    #[test]
    fn an_action_stays_in_the_view() {
        assert!(Kind::Action.allows(Effect::Navigation));
        assert!(!Kind::Action.allows(Effect::Destructive));
        assert!(!Kind::Action.allows(Effect::Read));
    }

    #[test]
    fn a_procedure_never_touches_the_view_and_an_external_tool_may_do_anything() {
        assert!(!Kind::Procedure.allows(Effect::LocalState));
        assert!(Kind::Procedure.allows(Effect::Destructive));
        assert!(Effect::ALL.iter().all(|effect| Kind::External.allows(*effect)));
    }

    #[test]
    fn every_default_confirmation_is_one_the_contract_could_have_declared() {
        for effect in Effect::ALL {
            let defaults = effect.defaults();
            assert!(defaults.confirmation >= defaults.minimum_confirmation, "{effect}");
        }
    }

    #[test]
    fn only_a_destructive_effect_has_a_confirmation_floor() {
        for effect in Effect::ALL {
            let floor = effect.defaults().minimum_confirmation;
            assert_eq!(floor > Confirmation::Never, *effect == Effect::Destructive, "{effect}");
        }
    }

    #[test]
    fn only_what_reads_is_idempotent_by_default_and_it_has_nothing_to_undo() {
        for effect in Effect::ALL {
            let reads = matches!(effect, Effect::Read | Effect::ServerQuery);
            assert_eq!(effect.defaults().idempotent, reads, "{effect}");
            assert_eq!(effect.defaults().reversible.is_none(), reads, "{effect}");
        }
    }
}
