//! What an agent is told, from fixed templates: nothing of a cause that nobody has looked at passes.

use std::borrow::Cow;

use agent_surface_json::{Json, Object};
use agent_surface_schema::Issue;

use crate::error::MAX_MESSAGE;
use crate::text::truncate;
use crate::{Code, ErrorPayload, Retry};

/// How long an agent should wait for a place in a queue, in milliseconds.
const QUEUE_DELAY: u32 = 250;

/// How long an agent should wait for a user to decide on what is pending, in milliseconds.
const CONFIRMATION_DELAY: u32 = 1000;

/// How long an agent should wait before it tries a disturbed server again, in milliseconds.
const TRANSIENT_DELAY: u32 = 1000;

fn payload(code: Code, retry: Retry, message: &'static str) -> ErrorPayload {
    ErrorPayload { code, message: Cow::Borrowed(message), retry, details: None }
}

fn with_details(
    mut payload: ErrorPayload,
    details: impl IntoIterator<Item = (&'static str, Json)>,
) -> ErrorPayload {
    payload.details = Some(details.into_iter().collect());
    payload
}

fn because(payload: ErrorPayload, reason: &str) -> ErrorPayload {
    with_details(payload, [("reason", reason.into())])
}

pub(crate) fn not_found() -> ErrorPayload {
    payload(
        Code::CapabilityNotFound,
        Retry::AfterRefresh,
        "The surface has no such capability. Discover the surface again and choose from what it has.",
    )
}

pub(crate) fn not_available(reason: &str) -> ErrorPayload {
    let text = ["The capability can't be used right now: ", reason].concat();
    because(ErrorPayload::authored(Code::CapabilityNotAvailable, &text, Retry::AfterRefresh, None), reason)
}

pub(crate) fn ambiguous(instances: Vec<Object>) -> ErrorPayload {
    let payload = payload(
        Code::AmbiguousInstance,
        Retry::WithChanges,
        "Several instances have this capability. Say which one by its instanceId or registrationId.",
    );
    with_details(payload, [("instances", instances.into())])
}

pub(crate) fn unmounted_before() -> ErrorPayload {
    let payload = payload(
        Code::ComponentUnmounted,
        Retry::AfterRefresh,
        "The view that had this capability is gone. Discover the surface again.",
    );
    with_details(payload, [("phase", "resolve".into())])
}

pub(crate) fn unmounted_meanwhile() -> ErrorPayload {
    let payload = payload(
        Code::ComponentUnmounted,
        Retry::AfterRefresh,
        "The view went away during the call. Look whether the call took effect before you repeat it.",
    );
    with_details(payload, [("phase", "mid-flight".into())])
}

/// Why a request is out of date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stale {
    /// The registration made way for another.
    Replaced,
    /// The registration belongs to a surface that is gone, with its page perhaps.
    Reloaded,
    /// The surface changed, and the effect is one that tolerates no change.
    Version,
}

pub(crate) fn stale(stale: Stale, live_registration_id: Option<&str>) -> ErrorPayload {
    let reason = match stale {
        Stale::Replaced => "registration-replaced",
        Stale::Reloaded => "surface-reloaded",
        Stale::Version => "surface-version-mismatch",
    };
    let payload = payload(
        Code::StaleCapability,
        Retry::AfterRefresh,
        "The surface is not the one that this call was planned for. Discover it again and choose the target anew.",
    );
    let live = live_registration_id.map(|id| ("liveRegistrationId", id.into()));
    with_details(payload, [("reason", reason.into())].into_iter().chain(live))
}

pub(crate) fn conflict() -> ErrorPayload {
    let payload = payload(
        Code::InvocationConflict,
        Retry::WithChanges,
        "This invocationId was used for another request. If this request is meant, give it an id of its own.",
    );
    because(payload, "id-reused-with-different-request")
}

pub(crate) fn invalid_input(issues: Vec<Issue>) -> ErrorPayload {
    let payload = payload(
        Code::InvalidInput,
        Retry::WithChanges,
        "The input does not satisfy the schema. Correct what the issues name and call again.",
    );
    with_details(payload, [("issues", issues_to_json(issues))])
}

/// The list of issues as details carry it.
pub(crate) fn issues_to_json(issues: Vec<Issue>) -> Json {
    let issues = issues.into_iter().map(|issue| {
        let mut object = Object::new();
        object.insert("message", issue.message);
        object.insert("path", issue.path);
        object
    });
    issues.collect::<Vec<_>>().into()
}

pub(crate) fn locked_fields(fields: Vec<&str>) -> ErrorPayload {
    let payload = payload(
        Code::InvalidInput,
        Retry::WithChanges,
        "The view supplies some of these fields itself. Leave them out and call again.",
    );
    with_details(payload, [("lockedFields", fields.into())])
}

pub(crate) fn binding_failed() -> ErrorPayload {
    let payload = payload(
        Code::PreconditionFailed,
        Retry::AfterRefresh,
        "The view can't supply its part of the input in this state. Discover the surface again before you repeat it.",
    );
    because(payload, "binding-failed")
}

pub(crate) fn precondition_failed(message: &str, details: Option<Object>) -> ErrorPayload {
    ErrorPayload::authored(Code::PreconditionFailed, message, Retry::WithChanges, details)
}

pub(crate) fn confirmation_required(
    confirmation_id: &str,
    summary: &str,
    expires_at: String,
    effect: &str,
) -> ErrorPayload {
    let payload = payload(
        Code::ConfirmationRequired,
        Retry::WithConfirmation,
        "The user has to approve this. Once that is done, send the same call with this confirmationId.",
    );
    with_details(
        payload,
        [
            ("confirmationId", confirmation_id.into()),
            ("summary", summary.into()),
            ("expiresAt", expires_at.into()),
            ("effect", effect.into()),
            ("origin", "client".into()),
        ],
    )
}

/// Why a confirmation does not cover a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Invalid {
    Denied,
    Expired,
    Consumed,
    Mismatch,
}

pub(crate) fn confirmation_invalid(invalid: Invalid) -> ErrorPayload {
    let (reason, retry, message) = match invalid {
        Invalid::Denied => {
            ("denied", Retry::No, "The user said no. Respect that, and do not ask for the same again.")
        }
        Invalid::Expired => (
            "expired",
            Retry::WithConfirmation,
            "The confirmation has expired. Call without it to have the user asked again.",
        ),
        Invalid::Consumed => {
            ("consumed", Retry::No, "The confirmation was used up. One approval covers one call.")
        }
        Invalid::Mismatch => {
            ("mismatch", Retry::No, "The confirmation was given for another call than this one.")
        }
    };
    because(payload(Code::ConfirmationInvalid, retry, message), reason)
}

pub(crate) fn queue_full() -> ErrorPayload {
    rate_limited("Too many calls are waiting already. Try again in a moment.", QUEUE_DELAY)
}

pub(crate) fn too_many_confirmations() -> ErrorPayload {
    rate_limited("Too many approvals are waiting for the user. Try again later.", CONFIRMATION_DELAY)
}

fn rate_limited(message: &'static str, delay: u32) -> ErrorPayload {
    let payload = payload(Code::RateLimited, Retry::AfterDelay, message);
    with_details(payload, [("reason", "queue-full".into()), ("retryAfterMs", delay.into())])
}

pub(crate) fn timeout(millis: u32, idempotent: bool) -> ErrorPayload {
    let (retry, message) = if idempotent {
        (
            Retry::Yes,
            "The call took too long. Repeating it does no harm; give the repetition a new invocationId.",
        )
    } else {
        (
            Retry::No,
            "The call took too long, and may have taken effect or not. Look at the state before you repeat it.",
        )
    };
    let payload = payload(Code::Timeout, retry, message);
    with_details(payload, [("timeoutMs", millis.into()), ("idempotent", idempotent.into())])
}

pub(crate) fn cancelled() -> ErrorPayload {
    payload(Code::Cancelled, Retry::Yes, "The host gave this call up. If it is still wanted, make it anew.")
}

pub(crate) fn abandoned() -> ErrorPayload {
    payload(
        Code::Cancelled,
        Retry::Yes,
        "The navigation was given up, because the view that began it went away.",
    )
}

pub(crate) fn disposed() -> ErrorPayload {
    payload(Code::Cancelled, Retry::No, "The surface was closed.")
}

/// How an execution failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failed {
    Handler,
    Transport { transient: bool },
    OutputInvalid,
    OutputTooLarge,
}

pub(crate) fn execution_failed(failed: Failed) -> ErrorPayload {
    let (reason, message) = match failed {
        Failed::Handler => ("handler-error", "The app could not carry this out."),
        Failed::Transport { .. } => ("transport", "The server could not be reached or failed."),
        Failed::OutputInvalid => {
            ("output-invalid", "The app answered with something that its schema does not allow.")
        }
        Failed::OutputTooLarge => {
            ("output-too-large", "The app's answer is larger than an agent may be given.")
        }
    };
    if failed == (Failed::Transport { transient: true }) {
        let payload = payload(Code::ExecutionFailed, Retry::AfterDelay, message);
        return with_details(
            payload,
            [("reason", reason.into()), ("transient", true.into()), ("retryAfterMs", TRANSIENT_DELAY.into())],
        );
    }
    because(payload(Code::ExecutionFailed, Retry::No, message), reason)
}

/// What a person is asked to approve, where no policy words it.
pub(crate) fn summary(description: &str, input: &str) -> String {
    truncate(&[description, ": ", input].concat(), MAX_MESSAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_template() -> Vec<ErrorPayload> {
        vec![
            not_found(),
            not_available("nothing is selected"),
            ambiguous(vec![]),
            unmounted_before(),
            unmounted_meanwhile(),
            stale(Stale::Replaced, Some("reg_1")),
            stale(Stale::Reloaded, None),
            stale(Stale::Version, None),
            conflict(),
            invalid_input(vec![]),
            locked_fields(vec!["id"]),
            binding_failed(),
            confirmation_required("cnf_1", "Delete it", String::new(), "destructive"),
            confirmation_invalid(Invalid::Denied),
            confirmation_invalid(Invalid::Expired),
            confirmation_invalid(Invalid::Consumed),
            confirmation_invalid(Invalid::Mismatch),
            queue_full(),
            too_many_confirmations(),
            timeout(5, true),
            timeout(5, false),
            cancelled(),
            abandoned(),
            disposed(),
            execution_failed(Failed::Handler),
            execution_failed(Failed::Transport { transient: true }),
            execution_failed(Failed::Transport { transient: false }),
            execution_failed(Failed::OutputInvalid),
            execution_failed(Failed::OutputTooLarge),
        ]
    }

    #[test]
    fn every_template_keeps_to_the_table() {
        for payload in every_template() {
            let rule = payload.code.rule();
            assert!(rule.retries.contains(&payload.retry), "{payload:?}");
            for name in payload.details.iter().flat_map(Object::keys) {
                assert!(rule.details.contains(&name), "{payload:?} tells {name}");
            }
            assert!(payload.message.chars().count() <= MAX_MESSAGE, "{payload:?}");
        }
    }

    #[test]
    fn every_detail_of_the_table_is_told_by_some_template() {
        let templates = every_template();
        let told = |code: Code, name: &str| {
            templates
                .iter()
                .any(|it| it.code == code && it.details.as_ref().is_some_and(|it| it.contains_key(name)))
        };
        for code in Code::ALL {
            for name in code.rule().details {
                // Who may not do something is decided by policies and servers.
                assert!(told(*code, name) || *code == Code::NotAuthorized, "{code:?} {name}");
            }
        }
    }

    #[test]
    fn what_a_person_reads_is_cut_to_size() {
        assert_eq!(summary("Select rows", r#"{"ids":[]}"#), r#"Select rows: {"ids":[]}"#);
        assert_eq!(summary("Select rows", &"x".repeat(400)).chars().count(), MAX_MESSAGE);
    }
}
