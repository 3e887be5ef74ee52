//! What a registry is given, read from frames. `npm/core/src/kernel/frames.ts` writes them, field by field.

use std::process::abort;

use agent_surface_core::definition::{Binding, Check, Concurrency, Link, Mode, Proof};
use agent_surface_core::{
    Answer, Budget, CapabilityDefinition, Code, Config, Consumer, ConsumerKind, Definition, DefinitionCode,
    DefinitionError, ErrorPayload, Escalation, Executed, Field, InvokeOptions, Limits, Mount, OnDuplicate,
    OnSameName, Outcome, Passage, Patch, Phases, Policy, Pushed, Request, Retry, Vote, When,
};
use agent_surface_json::{Json, Number, Object, ParseError};
use agent_surface_manifest::{Audit, Confirmation, Digest, Effect, Kind};
use agent_surface_schema::Issue;

use crate::frame::Frame;

/// Entropy, and how a registry is to be.
pub(crate) fn config(frame: &mut Frame<'_>) -> ([u8; 32], Config) {
    let entropy = Digest::from_hex(frame.text()).unwrap_or_else(|| abort());
    let mut limits = Limits::default();
    for _ in 0..frame.number() {
        let name = frame.text();
        let value = frame.number();
        // A limit that we do not know of limits nothing.
        if let Some(limit) = limits.named_mut(name) {
            *limit = value;
        }
    }
    let policies = frame.list(policy);
    let on_duplicate = if frame.flag() { OnDuplicate::Replace } else { OnDuplicate::Reject };
    let on_same_name = match frame.letter() {
        b'o' => OnSameName::Ignore,
        b'w' => OnSameName::Warn,
        _ => OnSameName::Refuse,
    };
    (*entropy.as_bytes(), Config { limits, policies, on_duplicate, on_same_name })
}

fn policy(frame: &mut Frame<'_>) -> Policy {
    Policy {
        name: frame.string(),
        phases: Phases { discovery: frame.flag(), authorize: frame.flag(), invoke: frame.flag() },
        escalates: frame.flag(),
    }
}

pub(crate) fn proof(frame: &mut Frame<'_>) -> Proof {
    // What is no digest is that of no manifest.
    let digest = |frame: &mut Frame<'_>| Digest::from_hex(frame.text()).unwrap_or_else(|| Digest::of(""));
    Proof {
        manifest_hash: digest(frame),
        declaration_id: frame.string(),
        contracts: frame.list(|frame| (frame.string(), digest(frame))),
    }
}

/// A bound component. Its JSON is the author's: what is none is an error of the definition.
pub(crate) fn definition(frame: &mut Frame<'_>) -> Result<Definition, DefinitionError> {
    Ok(Definition {
        component_type: frame.string(),
        description: frame.string(),
        meta: json(frame, Field::Meta)?,
        origin: frame.optional(Frame::string),
        policies: frame.list(policy),
        proof: frame.optional(proof),
        capabilities: frame.list(capability).into_iter().collect::<Result<_, _>>()?,
    })
}

fn capability(frame: &mut Frame<'_>) -> Result<CapabilityDefinition, DefinitionError> {
    let check = |frame: &mut Frame<'_>| if frame.flag() { Check::Host } else { Check::Schema };
    let name = frame.string();
    let kind = frame.word(Kind::from_word);
    let description = frame.string();
    let effect = frame.text();
    let texts = [
        (frame.optional(Frame::text), Field::InputSchema),
        (frame.optional(Frame::text), Field::OutputSchema),
        (frame.optional(Frame::text), Field::Meta),
    ];
    let capability = CapabilityDefinition {
        input_check: check(frame),
        output_check: check(frame),
        idempotent: frame.optional(Frame::flag),
        reversible: frame.optional(Frame::flag),
        timeout: frame.optional(Frame::number),
        concurrency: frame.optional(concurrency),
        policies: frame.list(policy),
        has_when: frame.flag(),
        has_precondition: frame.flag(),
        ..CapabilityDefinition::new(name, kind, Effect::Read, description)
    };
    let (confirmation, audit) = (frame.optional(Frame::text), frame.optional(Frame::text));
    let binding = frame.optional(binding).transpose()?;
    let [input_schema, output_schema, meta] = texts.map(|(text, field)| text.map(|text| read(text, field)));
    Ok(CapabilityDefinition {
        input_schema: input_schema.transpose()?,
        output_schema: output_schema.transpose()?,
        meta: meta.transpose()?,
        effect: word(effect, Effect::from_word, Field::Effect)?,
        confirmation: confirmation
            .map(|text| word(text, Confirmation::from_word, Field::Confirmation))
            .transpose()?,
        // What is audited belongs to what is done.
        audit: audit.map(|text| word(text, Audit::from_word, Field::Effect)).transpose()?,
        binding,
        ..capability
    })
}

fn binding(frame: &mut Frame<'_>) -> Result<Binding, DefinitionError> {
    let agent_schema = frame.text();
    let binding = Binding {
        agent_schema: Json::Null,
        bound: frame.strings(),
        locked: frame.strings(),
        requires_approval: frame.flag(),
        has_bind: frame.flag(),
        context: frame.optional(link),
    };
    Ok(Binding { agent_schema: read(agent_schema, Field::Binding)?, ..binding })
}

fn concurrency(frame: &mut Frame<'_>) -> Concurrency {
    let mode = match frame.letter() {
        b'i' => Mode::Instance,
        b'c' => Mode::Capability,
        b'k' => Mode::Key(frame.string()),
        _ => Mode::Parallel(frame.number()),
    };
    Concurrency { mode, queue_depth: frame.optional(Frame::number) }
}

fn link(frame: &mut Frame<'_>) -> Link {
    Link { component_type: frame.string(), instance_id: frame.string() }
}

fn json(frame: &mut Frame<'_>, field: Field) -> Result<Option<Json>, DefinitionError> {
    frame.optional(Frame::text).map(|text| read(text, field)).transpose()
}

fn word<T>(text: &str, from_word: fn(&str) -> Option<T>, field: Field) -> Result<T, DefinitionError> {
    from_word(text).ok_or_else(|| DefinitionError {
        code: DefinitionCode::InvalidDefinition,
        field,
        message: ["There is no ", field.as_str(), " \"", text, "\"."].concat(),
    })
}

fn read(text: &str, field: Field) -> Result<Json, DefinitionError> {
    agent_surface_json::parse(text).map_err(|error| DefinitionError {
        code: DefinitionCode::InvalidDefinition,
        field,
        message: [field.as_str(), " is not JSON: ", &describe(error)].concat(),
    })
}

pub(crate) fn mount(frame: &mut Frame<'_>) -> Mount {
    Mount {
        instance_id: frame.optional(Frame::string),
        parent: frame.optional(link),
        priority: frame.optional(priority).unwrap_or_else(|| Number::from(0)),
        enabled: frame.flag(),
        accepted: frame.flag(),
    }
}

fn priority(frame: &mut Frame<'_>) -> Number {
    frame.json().ok().and_then(|value| value.as_number()).unwrap_or_else(|| abort())
}

pub(crate) fn patch(frame: &mut Frame<'_>) -> Patch {
    let pushed = |frame: &mut Frame<'_>| {
        let name = frame.string();
        (name, Pushed { available: frame.flag(), reason: frame.optional(Frame::string) })
    };
    Patch { enabled: frame.optional(Frame::flag), availability: frame.list(pushed) }
}

pub(crate) fn request(frame: &mut Frame<'_>) -> (Request, Consumer, InvokeOptions) {
    let kind = ConsumerKind::from_word(frame.text()).unwrap_or(ConsumerKind::Other);
    let consumer = Consumer { kind, id: frame.string() };
    let options = InvokeOptions { timeout: frame.optional(Frame::number), cancelled: frame.flag() };
    let request = Request {
        capability_id: frame.string(),
        invocation_id: frame.optional(Frame::string),
        instance_id: frame.optional(Frame::string),
        registration_id: frame.optional(Frame::string),
        surface_version: frame.optional(Frame::string),
        confirmation_id: frame.optional(Frame::string),
        ..Request::default()
    };
    let (input, flaw) = match frame.optional(Frame::json) {
        None => (None, None),
        Some(Ok(input)) => (Some(input), None),
        Some(Err(error)) => (None, Some(describe(error))),
    };
    (Request { input, flaw, ..request }, consumer, options)
}

pub(crate) fn when(frame: &mut Frame<'_>) -> When {
    match frame.letter() {
        b'h' => When::Holds,
        b'f' => When::Fails { reason: frame.optional(Frame::string) },
        _ => When::Threw,
    }
}

pub(crate) fn votes(frame: &mut Frame<'_>) -> Vec<Vote> {
    frame.list(|frame| match frame.letter() {
        b'e' => Vote::Expose,
        b'd' => Vote::Disable { reason: frame.string() },
        b'h' => Vote::Hide,
        _ => Vote::Threw,
    })
}

pub(crate) fn answers(frame: &mut Frame<'_>) -> Vec<Answer> {
    frame.list(|frame| Answer { when: when(frame), votes: votes(frame) })
}

pub(crate) fn passage(frame: &mut Frame<'_>) -> Passage {
    match frame.letter() {
        b'p' => Passage::Passed,
        b'r' => Passage::Returned(Outcome::Ok(frame.optional(Frame::string))),
        b'e' => Passage::Refused(error(frame)),
        _ => Passage::Threw,
    }
}

pub(crate) fn executed(frame: &mut Frame<'_>) -> Executed {
    match frame.letter() {
        b'r' => Executed::Returned(frame.optional(Frame::string)),
        b'i' => Executed::Invalid,
        b'e' => Executed::Refused(error(frame)),
        letter => Executed::Threw { transient: letter == b't' },
    }
}

pub(crate) fn escalation(frame: &mut Frame<'_>) -> Escalation {
    Escalation { required: frame.flag(), summary: frame.optional(Frame::string) }
}

/// What the host's validator made of an input. What it made is no input where it is no JSON.
pub(crate) fn parsed(frame: &mut Frame<'_>) -> Result<Json, Vec<Issue>> {
    if frame.flag() {
        return frame.json().map_err(|error| vec![Issue { path: String::new(), message: describe(error) }]);
    }
    Err(frame.list(|frame| Issue { path: frame.string(), message: frame.string() }))
}

/// What the view supplies, if it is an object.
pub(crate) fn bound(frame: &mut Frame<'_>) -> Option<Object> {
    frame.optional(Frame::json).and_then(object)
}

fn error(frame: &mut Frame<'_>) -> ErrorPayload {
    // An author's code may refuse with any words; of those that nobody knows no agent is told.
    let code = Code::from_word(frame.text()).unwrap_or(Code::ExecutionFailed);
    let retry = Retry::from_word(frame.text()).unwrap_or(Retry::No);
    let message = frame.text();
    ErrorPayload::authored(code, message, retry, frame.optional(Frame::json).and_then(object))
}

fn object(json: Result<Json, ParseError>) -> Option<Object> {
    match json {
        Ok(Json::Object(object)) => Some(object),
        _ => None,
    }
}

pub(crate) fn budget(frame: &mut Frame<'_>) -> Budget {
    Budget { max_components: frame.optional(Frame::number), max_bytes: frame.optional(Frame::number) }
}

fn describe(error: ParseError) -> String {
    ["can't be read as JSON: ", &error.message()].concat()
}
