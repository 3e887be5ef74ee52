//! Phase 2: which live registration a request means, and whether it is up to date.

use std::rc::Rc;

use agent_surface_json::Object;
use agent_surface_manifest::{Effect, Kind, ids::CapabilityId};

use crate::failure::{self, Stale};
use crate::invocation::Resolved;
use crate::sorted::SortedMap;
use crate::text::decimal;
use crate::{ErrorPayload, Registration, RegistrationKey, Registry, Request, Time};

/// A live registration that has the capability, and the capability's index.
type Candidate<'a> = (RegistrationKey, &'a Registration, usize);

impl Registry {
    pub(crate) fn resolve(&self, now: Time, request: &Request) -> Result<Resolved, ErrorPayload> {
        let Ok(id) = CapabilityId::parse(&request.capability_id) else { return Err(failure::not_found()) };
        let resolved = match &request.registration_id {
            Some(registration_id) => self.resolve_registration(now, request, id, registration_id),
            None => self.resolve_any(now, request, id),
        }?;
        let effect = resolved.capability().effect;
        let outdated = request.surface_version.as_ref().is_some_and(|it| *it != decimal(self.version));
        // The surface changes all the time, and mostly elsewhere: only what can't be taken back minds.
        if outdated && matches!(effect, Effect::Destructive | Effect::ExternalSideEffect) {
            return Err(failure::stale(Stale::Version, None));
        }
        Ok(resolved)
    }

    /// The registration that was discovered, if it is still there.
    fn resolve_registration(
        &self,
        now: Time,
        request: &Request,
        id: CapabilityId<'_>,
        registration_id: &str,
    ) -> Result<Resolved, ErrorPayload> {
        let discovered = self.by_id.get(registration_id).and_then(|key| self.candidate(*key, request));
        if let Some(candidate) = discovered {
            return Ok(resolved(candidate));
        }
        let ended = self.tombstones.has(now, registration_id);
        match self.candidates(request, id).first() {
            Some((_, live, _)) => {
                Err(failure::stale(if ended { Stale::Replaced } else { Stale::Reloaded }, Some(&live.id)))
            }
            None if ended => Err(failure::unmounted_before()),
            None => Err(failure::not_found()),
        }
    }

    /// The one live registration, if there is one.
    fn resolve_any(
        &self,
        now: Time,
        request: &Request,
        id: CapabilityId<'_>,
    ) -> Result<Resolved, ErrorPayload> {
        let candidates = self.candidates(request, id);
        match candidates.as_slice() {
            [candidate] => Ok(resolved(*candidate)),
            [] if self.tombstones.had_capability(now, &request.capability_id) => {
                Err(failure::unmounted_before())
            }
            [] => Err(failure::not_found()),
            several => Err(failure::ambiguous(several.iter().map(describe).collect())),
        }
    }

    /// The live registrations that match the request, by instance.
    fn candidates(&self, request: &Request, id: CapabilityId<'_>) -> Vec<Candidate<'_>> {
        let keys: Vec<RegistrationKey> = match (id, &request.instance_id) {
            (CapabilityId::View { component_type, .. }, Some(instance)) => {
                self.at_place(component_type, instance).into_iter().collect()
            }
            (CapabilityId::View { component_type, .. }, None) => {
                self.by_place.get(component_type).into_iter().flat_map(SortedMap::values).copied().collect()
            }
            (CapabilityId::Domain { path }, _) => {
                self.by_path.get(path).into_iter().flatten().copied().collect()
            }
            (CapabilityId::External { .. }, _) => Vec::new(),
        };
        let mut candidates: Vec<_> =
            keys.into_iter().filter_map(|key| self.candidate(key, request)).collect();
        candidates.sort_by(|(_, a, _), (_, b, _)| a.instance_id.cmp(&b.instance_id));
        candidates
    }

    fn candidate(&self, key: RegistrationKey, request: &Request) -> Option<Candidate<'_>> {
        let registration = self.registrations.get(&key)?;
        let meant = request.instance_id.as_ref().is_none_or(|it| *it == registration.instance_id);
        let index = registration.component.position(&request.capability_id)?;
        meant.then_some((key, registration, index))
    }
}

fn resolved((key, registration, capability): Candidate<'_>) -> Resolved {
    Resolved {
        registration: key,
        registration_id: registration.id.clone(),
        component: Rc::clone(&registration.component),
        capability,
    }
}

/// One of several candidates, for an agent to choose from.
fn describe((_, registration, index): &Candidate<'_>) -> Object {
    let capability = &registration.component.capabilities[*index];
    let mut object = Object::new();
    object.insert("instanceId", registration.instance_id.as_str());
    object.insert("registrationId", registration.id.as_str());
    if capability.kind == Kind::Procedure {
        if let Some(context) = registration.context_of(capability) {
            object.insert("context", context.to_json());
        }
    } else {
        object.insert("description", registration.component.description.as_str());
    }
    object
}
