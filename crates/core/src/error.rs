//! What an agent is told when an invocation fails: the closed table of codes, and the payload.

use std::borrow::Cow;

use agent_surface_json::{Object, ObjectWriter};
use agent_surface_words::words;

use crate::text::truncate;

/// The longest message that an agent is told, in characters.
pub const MAX_MESSAGE: usize = 300;

words! {
    /// A phase of an invocation. The first one that fails answers.
    pub enum Phase {
        /// Has this consumer used this id before, and for this very request?
        Identity = "identity",
        /// Which live registration is meant?
        Resolution = "resolution",
        /// Is it enabled, and does `when` hold?
        Availability = "availability",
        /// May this consumer use it? No input is looked at.
        Authorization = "authorization",
        /// What is it called with: agent's input, bound values, schema.
        EffectiveInput = "effective-input",
        /// Policies that see the input, and the user's confirmation.
        InvokePolicy = "invoke-policy",
        /// Does the state of the view allow this input?
        Precondition = "precondition",
        /// Is there room to run?
        Admission = "admission",
        /// The handler runs.
        Execution = "execution",
        /// Output, cache, events.
        Settlement = "settlement",
    }
}

words! {
    /// What an agent can do about an error.
    pub enum Retry {
        /// Nothing: the same request fails again.
        No = "no",
        /// Repeat the request as it was.
        Yes = "yes",
        /// Discover the surface again, then choose the target anew.
        AfterRefresh = "after-refresh",
        /// Wait `retryAfterMs`.
        AfterDelay = "after-delay",
        /// Send the id of the confirmation once the user approved it.
        WithConfirmation = "with-confirmation",
        /// Send something else.
        WithChanges = "with-changes",
    }
}

words! {
    /// Why an invocation failed.
    pub enum Code {
        /// Nothing that this consumer may know of has this id.
        CapabilityNotFound = "CAPABILITY_NOT_FOUND",
        /// It is there, but not usable in this state.
        CapabilityNotAvailable = "CAPABILITY_NOT_AVAILABLE",
        /// Several instances match.
        AmbiguousInstance = "AMBIGUOUS_INSTANCE",
        /// The component is gone.
        ComponentUnmounted = "COMPONENT_UNMOUNTED",
        /// The request was planned against an older surface.
        StaleCapability = "STALE_CAPABILITY",
        /// The invocation's id was used for another request.
        InvocationConflict = "INVOCATION_CONFLICT",
        /// The input does not satisfy the schema.
        InvalidInput = "INVALID_INPUT",
        /// Nobody is signed in.
        NotAuthenticated = "NOT_AUTHENTICATED",
        /// Who is signed in may not do this.
        NotAuthorized = "NOT_AUTHORIZED",
        /// The state does not allow this input.
        PreconditionFailed = "PRECONDITION_FAILED",
        /// The user has to approve first.
        ConfirmationRequired = "CONFIRMATION_REQUIRED",
        /// The confirmation that was sent does not cover this request.
        ConfirmationInvalid = "CONFIRMATION_INVALID",
        /// Too many requests.
        RateLimited = "RATE_LIMITED",
        /// The handler took too long.
        Timeout = "TIMEOUT",
        /// The host gave it up.
        Cancelled = "CANCELLED",
        /// The handler failed, or what it returned is no valid output.
        ExecutionFailed = "EXECUTION_FAILED",
    }
}

/// A row of the table: what holds for a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The phases in which it arises.
    pub phases: &'static [Phase],
    /// The retries that a payload of this code may recommend.
    pub retries: &'static [Retry],
    /// Whether a repeated request gets the same answer again, instead of running anew.
    pub cacheable: bool,
    /// The members that `details` may have. An author's own refusal of a precondition may have others.
    pub details: &'static [&'static str],
}

impl Code {
    /// What holds for this code.
    #[must_use]
    pub const fn rule(self) -> Rule {
        use Phase::{
            Admission, Authorization, Availability, EffectiveInput, Execution, Identity, InvokePolicy,
            Precondition, Resolution, Settlement,
        };
        use Retry::{AfterDelay, AfterRefresh, No, WithChanges, WithConfirmation, Yes};
        const fn rule(
            phases: &'static [Phase],
            retries: &'static [Retry],
            cacheable: bool,
            details: &'static [&'static str],
        ) -> Rule {
            Rule { phases, retries, cacheable, details }
        }
        match self {
            Self::CapabilityNotFound => rule(&[Resolution, Authorization], &[AfterRefresh], true, &[]),
            Self::CapabilityNotAvailable => {
                rule(&[Availability, Authorization], &[AfterRefresh], true, &["reason"])
            }
            Self::AmbiguousInstance => rule(&[Resolution], &[WithChanges], true, &["instances"]),
            Self::ComponentUnmounted => rule(&[Resolution, Execution], &[AfterRefresh], true, &["phase"]),
            Self::StaleCapability => {
                rule(&[Resolution], &[AfterRefresh], true, &["reason", "liveRegistrationId"])
            }
            Self::InvocationConflict => rule(&[Identity], &[WithChanges], false, &["reason"]),
            Self::InvalidInput => rule(&[EffectiveInput], &[WithChanges], true, &["issues", "lockedFields"]),
            Self::NotAuthenticated => rule(&[Authorization], &[No], true, &[]),
            Self::NotAuthorized => rule(&[Authorization, Execution], &[No], true, &["origin"]),
            Self::PreconditionFailed => {
                rule(&[EffectiveInput, Precondition], &[WithChanges, AfterRefresh], true, &["reason"])
            }
            Self::ConfirmationRequired => rule(
                &[InvokePolicy],
                &[WithConfirmation],
                false,
                &["confirmationId", "summary", "expiresAt", "effect", "origin"],
            ),
            Self::ConfirmationInvalid => rule(&[InvokePolicy], &[No, WithConfirmation], true, &["reason"]),
            Self::RateLimited => rule(
                &[Authorization, InvokePolicy, Admission],
                &[AfterDelay],
                false,
                &["reason", "retryAfterMs"],
            ),
            Self::Timeout => rule(&[Execution], &[No, Yes], true, &["timeoutMs", "idempotent"]),
            Self::Cancelled => rule(&[Admission, Execution], &[Yes, No], true, &[]),
            Self::ExecutionFailed => rule(
                &[Execution, Settlement],
                &[No, AfterDelay],
                true,
                &["reason", "transient", "retryAfterMs"],
            ),
        }
    }
}

/// An error as an agent gets it.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorPayload {
    /// Why it failed.
    pub code: Code,
    /// What to do about it, in words: at most [`MAX_MESSAGE`] characters, from a fixed template or from the author of
    /// the refusing policy, precondition or handler.
    pub message: Cow<'static, str>,
    /// What to do about it, for a program.
    pub retry: Retry,
    /// What the code has to tell beyond that.
    pub details: Option<Object>,
}

impl ErrorPayload {
    /// What an author's code refuses with. The message is cut to [`MAX_MESSAGE`] characters.
    #[must_use]
    pub fn authored(code: Code, message: &str, retry: Retry, details: Option<Object>) -> Self {
        Self { code, message: Cow::Owned(truncate(message, MAX_MESSAGE)), retry, details }
    }

    /// Appends the JSON form to `out`.
    pub fn push_json(&self, out: &mut String) {
        let mut object = ObjectWriter::begin(out);
        object.text("code", self.code.as_str());
        if let Some(details) = &self.details {
            details.push_canonical(object.member("details"));
        }
        object.text("message", &self.message);
        object.text("retry", self.retry.as_str());
        object.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back_as_its_variant() {
        for code in Code::ALL {
            assert_eq!(Code::from_word(code.as_str()), Some(*code));
        }
        for retry in Retry::ALL {
            assert_eq!(Retry::from_word(retry.as_str()), Some(*retry));
        }
        assert_eq!(Phase::ALL.len(), 10);
    }

    #[test]
    fn only_what_is_meant_to_be_sent_again_is_not_cached() {
        let uncached: Vec<_> = Code::ALL.iter().filter(|code| !code.rule().cacheable).collect();
        assert_eq!(uncached, [&Code::InvocationConflict, &Code::ConfirmationRequired, &Code::RateLimited]);
    }

    #[test]
    fn every_code_arises_somewhere_in_the_order_of_the_phases_and_recommends_something() {
        for code in Code::ALL {
            let rule = code.rule();
            assert!(!rule.phases.is_empty() && rule.phases.is_sorted(), "{code:?}");
            assert!(!rule.retries.is_empty(), "{code:?}");
        }
    }

    #[test]
    fn an_authors_message_is_cut_to_what_an_agent_is_told() {
        let payload = ErrorPayload::authored(Code::PreconditionFailed, &"é".repeat(400), Retry::No, None);
        assert_eq!(payload.message.chars().count(), MAX_MESSAGE);
        assert!(payload.message.ends_with('…'));
    }
}
