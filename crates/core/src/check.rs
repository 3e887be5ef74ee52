//! What a definition must satisfy whatever the manifest says: ids, lengths, schemas, planes.

use agent_surface_json::{Json, digits};
use agent_surface_manifest::{Kind, ids};
use agent_surface_schema::{self as schema, Patterns};

use crate::Limits;
use crate::definition::{Binding, CapabilityDefinition, Concurrency, Definition, Mode};
use crate::refusal::{DefinitionCode, DefinitionError, Field};
use crate::text::utf16_len;

use DefinitionCode::{
    DuplicateCapability, InvalidDefinition, InvalidId, LimitExceeded, PlaneViolation, UnsupportedSchema,
};

type Outcome = Result<(), DefinitionError>;

/// Checks the structure of a definition.
pub(crate) fn check_structure(definition: &Definition, limits: &Limits, patterns: &dyn Patterns) -> Outcome {
    let check = Structure { limits, patterns };
    check.definition(definition)
}

struct Structure<'a> {
    limits: &'a Limits,
    patterns: &'a dyn Patterns,
}

impl Structure<'_> {
    fn definition(&self, definition: &Definition) -> Outcome {
        let component_type = &definition.component_type;
        ids::check_component_type(component_type)
            .map_err(|error| refuse(InvalidId, Field::Type, &[&error.message()]))?;
        let place = ["The component \"", component_type, "\""].concat();
        self.description(&definition.description, self.limits.max_component_description, &place)?;
        self.meta(definition.meta.as_ref(), &place)?;
        for (at, capability) in definition.capabilities.iter().enumerate() {
            let earlier = &definition.capabilities[..at];
            self.capability(capability, component_type, earlier)?;
        }
        Ok(())
    }

    fn capability(
        &self,
        capability: &CapabilityDefinition,
        component_type: &str,
        earlier: &[CapabilityDefinition],
    ) -> Outcome {
        if matches!(capability.kind, Kind::Observation | Kind::Action) {
            ids::check_capability_name(&capability.name)
                .map_err(|error| refuse(InvalidId, Field::Name, &[&error.message()]))?;
        }
        let id = capability.id(component_type);
        ids::CapabilityId::parse(&id).map_err(|error| refuse(InvalidId, Field::Name, &[&error.message()]))?;
        let place = ["The capability \"", &id, "\""].concat();
        if earlier.iter().any(|other| other.id(component_type) == id) {
            return Err(refuse(
                DuplicateCapability,
                Field::Name,
                &[&place, " is defined twice in one component. Give each its own name."],
            ));
        }
        self.description(&capability.description, self.limits.max_capability_description, &place)?;
        check_effect(capability, &place)?;
        self.schemas(capability, &place)?;
        self.meta(capability.meta.as_ref(), &place)?;
        check_concurrency(capability.concurrency.as_ref(), &place)?;
        match (&capability.binding, capability.kind) {
            (Some(binding), Kind::Procedure) => self.binding(binding, &place),
            (None, Kind::Observation | Kind::Action) => Ok(()),
            (None, _) => Err(refuse(InvalidDefinition, Field::Binding, &[&place, " has no binding."])),
            (Some(_), _) => Err(refuse(
                InvalidDefinition,
                Field::Binding,
                &[&place, " has a binding, but only a procedure is bound."],
            )),
        }
    }

    fn description(&self, text: &str, max: u32, place: &str) -> Outcome {
        if text.trim().is_empty() {
            return Err(refuse(
                InvalidDefinition,
                Field::Description,
                &[place, " has no description. Say in a sentence what an agent needs to know of it."],
            ));
        }
        if utf16_len(text) > max as usize {
            return Err(refuse(
                LimitExceeded,
                Field::Description,
                &[place, " has a description of more than ", &digits(max.into()), " characters."],
            ));
        }
        Ok(())
    }

    fn meta(&self, meta: Option<&Json>, place: &str) -> Outcome {
        let Some(meta) = meta else { return Ok(()) };
        if meta.as_object().is_none() {
            return Err(refuse(InvalidDefinition, Field::Meta, &[place, " has a meta that is no object."]));
        }
        if meta.to_canonical().len() > self.limits.max_meta_bytes as usize {
            return Err(refuse(
                LimitExceeded,
                Field::Meta,
                &[place, " has a meta of more than ", &digits(self.limits.max_meta_bytes.into()), " bytes."],
            ));
        }
        Ok(())
    }

    fn schemas(&self, capability: &CapabilityDefinition, place: &str) -> Outcome {
        let (input, output) = (capability.input_schema.as_ref(), capability.output_schema.as_ref());
        self.schema(input, Field::InputSchema, place)?;
        self.schema(output, Field::OutputSchema, place)?;
        match capability.kind {
            Kind::Observation if output.is_none() => Err(missing(Field::OutputSchema, place)),
            Kind::Action | Kind::Procedure if input.is_none() => Err(missing(Field::InputSchema, place)),
            _ => Ok(()),
        }
    }

    fn schema(&self, document: Option<&Json>, field: Field, place: &str) -> Outcome {
        let Some(document) = document else { return Ok(()) };
        let limits = schema::Limits {
            max_bytes: self.limits.max_schema_bytes as usize,
            max_depth: self.limits.max_schema_depth as usize,
        };
        let Err(refusals) = schema::check(document, limits, self.patterns) else { return Ok(()) };
        let first = refusals.first().map(schema::Refusal::message).unwrap_or_default();
        Err(refuse(
            UnsupportedSchema,
            field,
            &[place, " has an ", field.as_str(), " outside the subset: ", &first],
        ))
    }

    fn binding(&self, binding: &Binding, place: &str) -> Outcome {
        self.schema(Some(&binding.agent_schema), Field::Binding, place)?;
        match binding.locked.iter().find(|name| !binding.bound.contains(name)) {
            None => Ok(()),
            Some(name) => Err(refuse(
                InvalidDefinition,
                Field::Binding,
                &[place, " locks the field \"", name, "\" without binding it."],
            )),
        }
    }
}

fn check_effect(capability: &CapabilityDefinition, place: &str) -> Outcome {
    if capability.kind.allows(capability.effect) {
        return Ok(());
    }
    let allowed: Vec<&str> = capability.kind.allowed_effects().iter().map(|effect| effect.as_str()).collect();
    Err(refuse(
        PlaneViolation,
        Field::Effect,
        &[
            place,
            " is an ",
            capability.kind.as_str(),
            " with effect \"",
            capability.effect.as_str(),
            "\"; it may have ",
            &allowed.join(", "),
            ". What the server does is a procedure's.",
        ],
    ))
}

fn check_concurrency(concurrency: Option<&Concurrency>, place: &str) -> Outcome {
    let wrong = match concurrency.map(|concurrency| &concurrency.mode) {
        Some(Mode::Parallel(0)) => " runs in parallel, but none at a time: give a `max` of at least 1.",
        Some(Mode::Key(key)) if key.is_empty() => " has an empty concurrency key.",
        _ => return Ok(()),
    };
    Err(refuse(InvalidDefinition, Field::Concurrency, &[place, wrong]))
}

fn missing(field: Field, place: &str) -> DefinitionError {
    refuse(InvalidDefinition, field, &[place, " has no ", field.as_str(), "."])
}

fn refuse(code: DefinitionCode, field: Field, parts: &[&str]) -> DefinitionError {
    DefinitionError::new(code, field, parts)
}
