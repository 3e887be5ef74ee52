//! What an agent asks for, and who asks.

use agent_surface_json::{Json, push_canonical_string};
use agent_surface_words::words;

words! {
    /// By which way a consumer reaches the surface.
    pub enum ConsumerKind {
        /// A loop in the page.
        Embedded = "embedded",
        /// The browser's own agent.
        WebMcp = "webmcp",
        /// A bridge to a server of the Model Context Protocol.
        McpBridge = "mcp-bridge",
        /// A test.
        Test = "test",
        /// Some other way.
        Other = "other",
    }
}

/// Who asks. Its grants are the host's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consumer {
    /// What it calls itself.
    pub id: String,
    /// By which way it comes.
    pub kind: ConsumerKind,
}

impl Consumer {
    /// The identity that requests, limits and confirmations are kept by: `kind:id`.
    #[must_use]
    pub fn key(&self) -> String {
        [self.kind.as_str(), ":", &self.id].concat()
    }
}

/// Whoever does not say who it is.
impl Default for Consumer {
    fn default() -> Self {
        Self { id: "anonymous".to_owned(), kind: ConsumerKind::Embedded }
    }
}

/// One request.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The id under which a repeated request is known. Without one, a fresh one is made.
    pub invocation_id: Option<String>,
    /// What is to be used.
    pub capability_id: String,
    /// Of which instance.
    pub instance_id: Option<String>,
    /// Of which registration: what was discovered.
    pub registration_id: Option<String>,
    /// The version that was discovered.
    pub surface_version: Option<String>,
    /// What it is called with.
    pub input: Option<Json>,
    /// Why what it is called with could not be read; it is an invalid input then, whatever is asked for.
    pub flaw: Option<String>,
    /// The confirmation that the user gave.
    pub confirmation_id: Option<String>,
}

/// How the host wants a request treated.
#[derive(Clone, Copy, Debug, Default)]
pub struct InvokeOptions {
    /// How long it may take, in milliseconds, instead of what capability and limits say.
    pub timeout: Option<u32>,
    /// Whether the host gave it up before it began.
    pub cancelled: bool,
}

/// A request as it was issued, to tell a repetition from another request under the same id: its canonical form, and a
/// hash of it that usually tells sooner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    hash: u64,
    text: Box<str>,
}

impl Fingerprint {
    pub(crate) fn of(request: &Request) -> Self {
        let mut text = String::new();
        let mut member = |name: &str, value: Option<&str>| {
            text.push_str(name);
            match value {
                Some(value) => push_canonical_string(value, &mut text),
                None => text.push_str("null"),
            }
        };
        member("{\"capabilityId\":", Some(&request.capability_id));
        member(",\"confirmationId\":", request.confirmation_id.as_deref());
        member(",\"instanceId\":", request.instance_id.as_deref());
        member(",\"registrationId\":", request.registration_id.as_deref());
        member(",\"surfaceVersion\":", request.surface_version.as_deref());
        if request.flaw.is_some() {
            member(",\"flaw\":", request.flaw.as_deref());
        }
        text.push_str(",\"input\":");
        match &request.input {
            Some(input) => input.push_canonical(&mut text),
            None => text.push_str("null"),
        }
        text.push('}');
        Self { hash: fnv1a64(text.as_bytes()), text: text.into() }
    }
}

/// FNV-1a with 64 bits. It tells texts apart quickly, and proves nothing.
fn fnv1a64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_surface_json::parse;

    fn request(input: &str) -> Request {
        Request {
            capability_id: "view:counter.set".into(),
            input: Some(parse(input).unwrap()),
            ..Request::default()
        }
    }

    #[test]
    fn the_hash_is_fnv_1a_with_64_bits() {
        // Vectors of the algorithm's authors.
        assert_eq!(fnv1a64(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a64(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a64(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn how_a_request_was_written_does_not_matter() {
        assert_eq!(
            Fingerprint::of(&request(r#"{"a":1,"b":-0}"#)),
            Fingerprint::of(&request(r#"{ "b": 0, "a": 1.0 }"#))
        );
    }

    #[test]
    fn every_part_of_a_request_counts() {
        let base = Fingerprint::of(&request("1"));
        let text = || Some("x".to_owned());
        for other in [
            Request { capability_id: "view:counter.get".into(), ..request("1") },
            Request { instance_id: text(), ..request("1") },
            Request { registration_id: text(), ..request("1") },
            Request { surface_version: text(), ..request("1") },
            Request { confirmation_id: text(), ..request("1") },
            request("2"),
            Request { flaw: text(), ..request("1") },
        ] {
            assert_ne!(Fingerprint::of(&other), base, "{other:?}");
        }
    }

    #[test]
    fn the_id_of_an_invocation_is_no_part_of_the_request() {
        let named = Request { invocation_id: Some("call_1".into()), ..request("1") };
        assert_eq!(Fingerprint::of(&named), Fingerprint::of(&request("1")));
    }

    #[test]
    fn consumers_are_kept_apart_by_way_and_name() {
        assert_eq!(Consumer::default().key(), "embedded:anonymous");
        let consumer = Consumer { id: "anonymous".into(), kind: ConsumerKind::WebMcp };
        assert_eq!(consumer.key(), "webmcp:anonymous");
    }
}
