//! Dependencies that contribute capabilities: what each contributed, and what the consumer approved.

use agent_surface_json::{Json, Object};
use agent_surface_words::words;

use crate::{Digest, format::field, shape::Members};

words! {
    /// How a dependency's capabilities entered a manifest.
    pub enum Route {
        /// By the contract file that its package.json names.
        Sidecar = "sidecar",
        /// By contract macros in its own source.
        Source = "source",
    }
}

/// One dependency's contribution. Integrity (what it is) and consent (what was approved) are two facts: a
/// dependency that changes moves the first and not the second, and the build fails until a person agrees.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExternalContract {
    /// The npm name, which an allow list is written against.
    pub package: String,
    /// Where the contribution was found, relative to the build's root.
    pub source: String,
    /// How it was found.
    pub route: Route,
    /// The digest of what it contributed to this build.
    pub contract_digest: Digest,
    /// The digest that the consumer approved.
    pub expected_digest: Digest,
}

words! {
    /// The one form of approval that format 5 has.
    enum Authorization {
        Pinned = "pinned",
    }
}

impl ExternalContract {
    /// The JSON form.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut authorization = Object::new();
        authorization.insert(field::MODE, Authorization::Pinned.as_str());
        authorization.insert(field::EXPECTED_DIGEST, self.expected_digest.to_hex());
        let mut object = Object::new();
        object.insert(field::PACKAGE, self.package.as_str());
        object.insert(field::SOURCE, self.source.as_str());
        object.insert(field::ROUTE, self.route.as_str());
        object.insert(field::CONTRACT_DIGEST, self.contract_digest.to_hex());
        object.insert(field::AUTHORIZATION, authorization);
        object.into()
    }

    pub(crate) fn read(members: &mut Members<'_>) -> Self {
        let expected_digest = members.required(field::AUTHORIZATION).members(|authorization| {
            let Authorization::Pinned = authorization.required(field::MODE).word();
            authorization.required(field::EXPECTED_DIGEST).digest()
        });
        Self {
            package: members.required(field::PACKAGE).text(),
            source: members.required(field::SOURCE).text(),
            route: members.required(field::ROUTE).word(),
            contract_digest: members.required(field::CONTRACT_DIGEST).digest(),
            expected_digest,
        }
    }
}

#[cfg(test)]
mod tests {
    use agent_surface_json::parse;

    use super::*;
    use crate::{ShapeError, ShapeProblem, shape};

    fn read(value: Json) -> Result<ExternalContract, ShapeError> {
        shape::read(value, ExternalContract::read)
    }

    fn charts() -> ExternalContract {
        ExternalContract {
            package: "@acme/charts".into(),
            source: "node_modules/@acme/charts/agent-surface.contract.json".into(),
            route: Route::Sidecar,
            contract_digest: Digest::of("contributed"),
            expected_digest: Digest::of("approved"),
        }
    }

    #[test]
    fn a_contribution_comes_back_from_json() {
        assert_eq!(read(charts().to_json()), Ok(charts()));
    }

    #[test]
    fn integrity_and_consent_stand_apart() {
        let json = charts().to_json();
        let digest = |value: Option<&Json>| value.and_then(Json::as_str).and_then(Digest::from_hex);
        assert_eq!(digest(json.get("contractDigest")), Some(Digest::of("contributed")));
        let authorization = json.get("authorization").unwrap();
        assert_eq!(digest(authorization.get("expectedDigest")), Some(Digest::of("approved")));
    }

    #[test]
    fn only_a_pinned_digest_is_consent() {
        let text = charts().to_json().to_canonical().replace("pinned", "any");
        let error = read(parse(&text).unwrap()).unwrap_err();
        assert_eq!(error.pointer.as_str(), "/authorization/mode");
        assert_eq!(error.problem, ShapeProblem::Word { found: "any".into(), allowed: &["pinned"] });
    }
}
