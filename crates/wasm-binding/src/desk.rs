//! The kernel's desk: every call of it is one number and one text, and answered by numbers and one text.
//!
//! The table of the calls is in the crate's documentation. What a call does is said by the function of the kernel that
//! it is named after.

use std::process::abort;
use std::rc::Rc;

use agent_surface_core::{
    Authority, CapabilityView, Component, Envelope, InvocationKey, Question, RegisterError, RegistrationKey,
    Registry, Scope, Snapshot, Survey, Target, Time, Verb, decode_wire_name, encode_wire_name,
};
use agent_surface_json::{Json, ObjectWriter, parse, push_canonical_string, push_integer, push_list};
use agent_surface_manifest::Manifest;
use agent_surface_schema::{Patterns, reduce};

use crate::Refusal;
use crate::frame::Frame;
use crate::input;
use crate::output::{
    push_confirmation, push_envelope, push_explained, push_invoked, push_output, push_refusal,
    push_registered, push_texts, push_tool, push_verb,
};
use crate::slots::Slots;

/// What a call is about: who, when, with what.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Which call it is: a number of [`calls`].
    pub call: u32,
    /// The registry, or the authority.
    pub handle: u32,
    /// What of it: a registration, an invocation, a component, a survey.
    pub key: u32,
    /// Milliseconds since 1970.
    pub now: f64,
    /// The rest, as a frame.
    pub text: &'a str,
}

/// What a call answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// JSON: what came of the call, and the outputs. Empty where there is neither.
    pub text: String,
    /// What is many numbers.
    pub numbers: Vec<i32>,
}

macro_rules! calls {
    ( $( $(#[doc = $doc:literal])+ $NAME:ident = $number:literal, )+ ) => {
        /// The numbers of the calls.
        pub mod calls {
            $( $(#[doc = $doc])+ pub const $NAME: u32 = $number; )+
        }
    };
}

calls! {
    /// Verifies a manifest.
    OPEN_AUTHORITY = 0,
    /// Forgets it.
    CLOSE_AUTHORITY = 1,
    /// Holds a provider's tool against its declaration.
    CHECK_TOOL = 2,
    /// The wire name of a capability.
    ENCODE_WIRE_NAME = 3,
    /// The capability of a wire name.
    DECODE_WIRE_NAME = 4,
    /// The three meta tools.
    META_TOOLS = 5,
    /// Opens a registry.
    OPEN = 6,
    /// Gives a registry's memory back.
    FREE = 7,
    /// `listen`
    LISTEN = 8,
    /// `admit`
    ADMIT = 9,
    /// Forgets an admitted component.
    RELEASE = 10,
    /// `register`
    REGISTER = 11,
    /// `update`
    UPDATE = 12,
    /// `invalidate`
    INVALIDATE = 13,
    /// `unregister`
    UNREGISTER = 14,
    /// `set_procedures`
    SET_PROCEDURES = 15,
    /// `dispose`
    DISPOSE = 16,
    /// `invoke`
    INVOKE = 17,
    /// `cancel`
    CANCEL = 18,
    /// `resolve_confirmation` (0 denied, 1 approved), `expire_confirmation` (2)
    DECIDE = 19,
    /// `handle_availability`. The answers to the other questions have the next numbers, in the order of the questions.
    ANSWER = 20,
    /// `handle_unwound`
    UNWOUND = 29,
    /// `handle_timeout`
    TIMEOUT = 30,
    /// `handle_turn`
    TURN = 31,
    /// `survey`
    SURVEY = 32,
    /// Forgets a survey.
    DROP_SURVEY = 33,
    /// `compose`
    COMPOSE = 34,
    /// `explain`
    EXPLAIN = 35,
    /// `compose` and `direct_tools`
    TOOLS = 36,
    /// `compose` and `find_target`
    FIND = 37,
    /// `push_description`
    DESCRIBE = 38,
    /// `pending_confirmations`
    PENDING = 39,
    /// Where a confirmation stands.
    CONFIRMATION = 40,
    /// `read_envelope`
    READ_ENVELOPE = 41,
    /// `repair_input`
    REPAIR_INPUT = 42,
    /// `version`
    VERSION = 43,
    /// What is left of a requested scope under a floor.
    NARROW = 44,
    /// `still_asks`
    STILL_ASKS = 45,
    /// `reduce`: what is left of an input schema for an agent.
    REDUCE = 46,
}

/// What a command on a closed registry answers.
const DISPOSED: &str = "\"disposed\"";

/// A registry, and what the host holds of it by number.
struct Surface {
    registry: Registry,
    components: Slots<Rc<Component>>,
    surveys: Slots<Survey>,
}

/// All authorities and registries of a page.
pub struct Desk {
    authorities: Slots<Rc<Authority>>,
    surfaces: Slots<Surface>,
    patterns: fn() -> Box<dyn Patterns>,
}

impl Desk {
    /// A desk at which nothing is open. `patterns` gives each registry its engine for regular expressions.
    #[must_use]
    pub const fn new(patterns: fn() -> Box<dyn Patterns>) -> Self {
        Self { authorities: Slots::new(), surfaces: Slots::new(), patterns }
    }

    /// Answers a call by a number, and by what it writes to `reply`. A handle that is not open, a number that is no
    /// call's and a frame that is none are defects of the caller, and abort.
    pub fn answer(&mut self, call: Call<'_>, reply: &mut Reply) -> f64 {
        match call.call {
            calls::OPEN_AUTHORITY => self.open_authority(call.text, &mut reply.text).into(),
            calls::CLOSE_AUTHORITY => {
                self.authorities.remove(call.handle).unwrap_or_else(|| abort());
                0.0
            }
            calls::CHECK_TOOL => {
                self.check_tool(call, &mut reply.text);
                0.0
            }
            calls::OPEN => self.open(call, &mut reply.text).into(),
            calls::FREE => {
                self.surfaces.remove(call.handle).unwrap_or_else(|| abort());
                0.0
            }
            calls::ENCODE_WIRE_NAME
            | calls::DECODE_WIRE_NAME
            | calls::META_TOOLS
            | calls::NARROW
            | calls::REDUCE => {
                answer_by_itself(call, &mut reply.text);
                0.0
            }
            _ => {
                let surface = self.surfaces.get_mut(call.handle).unwrap_or_else(|| abort());
                surface.answer(call, reply)
            }
        }
    }

    fn open_authority(&mut self, manifest: &str, out: &mut String) -> u32 {
        match Manifest::parse(manifest).and_then(Authority::new) {
            Ok(authority) => self.authorities.insert(Rc::new(authority)),
            Err(error) => {
                Refusal::from(error).to_json().push_canonical(out);
                0
            }
        }
    }

    fn check_tool(&self, call: Call<'_>, out: &mut String) {
        let authority = self.authorities.get(call.handle).unwrap_or_else(|| abort());
        let mut frame = Frame::new(call.text);
        let (id, description) = (frame.text(), frame.text());
        let schema = frame.optional(|frame| frame.json().unwrap_or(Json::Null));
        let proof = frame.optional(input::proof);
        if let Err(error) = authority.check_tool(id, description, schema.as_ref(), proof.as_ref()) {
            push_refusal(&error, out);
        }
    }

    fn open(&mut self, call: Call<'_>, out: &mut String) -> u32 {
        let authority = self.authorities.get(call.handle).unwrap_or_else(|| abort());
        let (entropy, config) = input::config(&mut Frame::new(call.text));
        let mut registry = Registry::new(Rc::clone(authority), config, (self.patterns)(), entropy);
        registry.listen(false, false);
        push_canonical_string(registry.surface_id(), out);
        self.surfaces.insert(Surface { registry, components: Slots::new(), surveys: Slots::new() })
    }
}

/// The calls that need neither registry nor authority.
fn answer_by_itself(call: Call<'_>, out: &mut String) {
    match call.call {
        calls::ENCODE_WIRE_NAME => push_canonical_string(&encode_wire_name(call.text), out),
        calls::DECODE_WIRE_NAME => {
            if let Some(id) = decode_wire_name(call.text) {
                push_canonical_string(&id, out);
            }
        }
        calls::META_TOOLS => push_list(Verb::ALL, out, |verb, out| push_verb(*verb, out)),
        calls::REDUCE => {
            let mut frame = Frame::new(call.text);
            let document = frame.json();
            let (bound, overridable) = (frame.list(Frame::text), frame.list(Frame::text));
            // What is no JSON to us is not reduced; a registry refuses it.
            if let Ok(document) = document {
                reduce(&document, &bound, &overridable).push_canonical(out);
            }
        }
        _ => {
            let mut frame = Frame::new(call.text);
            let (floor, requested) = (Scope(frame.strings()), Scope(frame.strings()));
            let narrowed = floor.narrow(&requested);
            let mut object = ObjectWriter::begin(out);
            if let Some(scope) = &narrowed.scope {
                push_texts(&scope.0, object.member("scope"));
            }
            push_texts(&narrowed.rejected, object.member("rejected"));
            object.end();
        }
    }
}

impl Surface {
    fn answer(&mut self, call: Call<'_>, reply: &mut Reply) -> f64 {
        let now = Time::from_millis(call.now as u64);
        let frame = &mut Frame::new(call.text);
        match call.call {
            calls::SURVEY => return self.survey(frame, &mut reply.numbers).into(),
            calls::DROP_SURVEY => drop(self.take_survey(call.key)),
            calls::COMPOSE => self.compose(now, call.key, frame, reply),
            calls::EXPLAIN => {
                let survey = self.take_survey(call.key);
                let explained = self.registry.explain(&survey, &input::answers(frame));
                push_list(&explained, &mut reply.text, push_explained);
            }
            calls::TOOLS => {
                let snapshot = self.snapshot(now, call.key, frame);
                push_list(&self.registry.direct_tools(&snapshot), &mut reply.text, push_tool);
            }
            calls::FIND => self.find(now, call.key, frame, reply),
            calls::STILL_ASKS => {
                let question = Question::ALL.get(frame.number() as usize).unwrap_or_else(|| abort());
                return f64::from(u8::from(self.registry.still_asks(InvocationKey(call.key), *question)));
            }
            calls::VERSION => return self.registry.version() as f64,
            calls::DESCRIBE => self.registry.push_description(RegistrationKey(call.key), &mut reply.text),
            calls::PENDING => {
                push_list(self.registry.pending_confirmations(), &mut reply.text, push_confirmation);
            }
            calls::CONFIRMATION => {
                if let Some(confirmation) = self.registry.confirmation(call.text) {
                    push_canonical_string(confirmation.state.as_str(), &mut reply.text);
                }
            }
            calls::READ_ENVELOPE => self.read_envelope(call, &mut reply.text),
            calls::REPAIR_INPUT => self.repair_input(frame, &mut reply.text),
            calls::RELEASE => drop(self.components.remove(call.key).unwrap_or_else(|| abort())),
            _ => {
                self.decide(now, call, frame, &mut reply.text);
                return self.registry.next_deadline().map_or(f64::INFINITY, |at| at.as_millis() as f64);
            }
        }
        0.0
    }

    /// The calls that change something: the text is a list, of what came of it and then the outputs.
    fn decide(&mut self, now: Time, call: Call<'_>, frame: &mut Frame<'_>, out: &mut String) {
        let registry = &mut self.registry;
        let invocation = InvocationKey(call.key);
        match call.call {
            calls::LISTEN => registry.listen(call.key & 1 != 0, call.key & 2 != 0),
            calls::ADMIT => {
                out.push('[');
                match input::definition(frame).and_then(|definition| registry.admit(definition)) {
                    Ok(component) => {
                        push_integer(self.components.insert(component).into(), out);
                    }
                    Err(error) => push_refusal(&error, out),
                }
            }
            calls::REGISTER => {
                let component = self.components.get(call.key).unwrap_or_else(|| abort());
                out.push('[');
                match registry.register(now, component, input::mount(frame)) {
                    Ok(registered) => push_registered(&registered, out),
                    Err(RegisterError::Definition(error)) => push_refusal(&error, out),
                    Err(RegisterError::Disposed) => out.push_str(DISPOSED),
                }
            }
            calls::UPDATE => {
                let component_type = frame.text();
                registry.update(RegistrationKey(call.key), component_type, input::patch(frame));
            }
            calls::INVALIDATE => registry.invalidate(RegistrationKey(call.key)),
            calls::UNREGISTER => registry.unregister(now, RegistrationKey(call.key)),
            calls::SET_PROCEDURES => registry.set_procedures(frame.optional(Frame::strings)),
            calls::DISPOSE => registry.dispose(now),
            calls::INVOKE => {
                let (request, consumer, options) = input::request(frame);
                out.push('[');
                match registry.invoke(now, request, consumer, options) {
                    Ok(invoked) => push_invoked(registry, &invoked, out),
                    Err(_) => out.push_str(DISPOSED),
                }
            }
            calls::CANCEL => registry.cancel(now, invocation),
            calls::DECIDE if call.key == 2 => registry.expire_confirmation(now, call.text),
            calls::DECIDE => registry.resolve_confirmation(now, call.text, call.key == 1),
            20 => registry.handle_availability(now, invocation, &input::when(frame)),
            21 => registry.handle_votes(now, invocation, &input::votes(frame)),
            22 => registry.handle_authorized(now, invocation, input::passage(frame)),
            23 => registry.handle_parsed(now, invocation, input::parsed(frame)),
            24 => registry.handle_bound(now, invocation, input::bound(frame)),
            25 => registry.handle_invoke_policies(now, invocation, input::passage(frame)),
            26 => registry.handle_escalation(now, invocation, input::escalation(frame)),
            27 => registry.handle_precondition(now, invocation, input::passage(frame)),
            28 => registry.handle_executed(now, invocation, input::executed(frame)),
            calls::UNWOUND => registry.handle_unwound(now, invocation, input::passage(frame)),
            calls::TIMEOUT => registry.handle_timeout(now),
            calls::TURN => registry.handle_turn(),
            _ => abort(),
        }
        self.push_outputs(out);
    }

    fn push_outputs(&mut self, out: &mut String) {
        while let Some(output) = self.registry.poll_output() {
            let before = out.len();
            out.push_str(if before == 0 { "[null," } else { "," });
            if !push_output(&mut self.registry, &output, out) {
                out.truncate(before);
            }
        }
        if !out.is_empty() {
            out.push(']');
        }
    }

    fn take_survey(&mut self, survey: u32) -> Survey {
        self.surveys.remove(survey).unwrap_or_else(|| abort())
    }

    /// Of each question registration, capability, whether `when` is asked for, and how many votes.
    fn survey(&mut self, frame: &mut Frame<'_>, numbers: &mut Vec<i32>) -> u32 {
        let Ok(survey) = self.registry.survey(&Scope(frame.strings())) else { return 0 };
        for question in survey.questions() {
            push_target(question.target, numbers);
            numbers.push(i32::from(question.asks_when));
            numbers.push(question.votes as i32);
        }
        self.surveys.insert(survey)
    }

    fn snapshot(&mut self, now: Time, survey: u32, frame: &mut Frame<'_>) -> Snapshot {
        let survey = self.take_survey(survey);
        let (include_unavailable, budget, answers) =
            (frame.flag(), input::budget(frame), input::answers(frame));
        self.registry.compose(now, &survey, &answers, include_unavailable, budget)
    }

    /// How many components were dropped and how many numbers are about components; then these, and then the procedures.
    /// `Composition` in `npm/core/src/kernel/registry.ts` tells what they mean. The text is the list of the reasons.
    fn compose(&mut self, now: Time, survey: u32, frame: &mut Frame<'_>, reply: &mut Reply) {
        let snapshot = self.snapshot(now, survey, frame);
        let numbers = &mut reply.numbers;
        let mut reasons: Vec<&str> = Vec::new();
        numbers.extend([snapshot.dropped_components as i32, 0]);
        for component in &snapshot.components {
            numbers.extend([component.registration.0 as i32, component.capabilities.len() as i32]);
            for view in &component.capabilities {
                push_view(view, numbers, &mut reasons);
            }
        }
        numbers[1] = numbers.len() as i32 - 2;
        for view in &snapshot.procedures {
            numbers.push(view.target.registration.0 as i32);
            push_view(view, numbers, &mut reasons);
        }
        if !reasons.is_empty() {
            push_texts(&reasons, &mut reply.text);
        }
    }

    /// Registration and capability, if exactly one is meant.
    fn find(&mut self, now: Time, survey: u32, frame: &mut Frame<'_>, reply: &mut Reply) {
        let snapshot = self.snapshot(now, survey, frame);
        let envelope = Envelope {
            capability_id: frame.string(),
            instance_id: frame.optional(Frame::string),
            ..Envelope::default()
        };
        if let Some(target) = self.registry.find_target(&snapshot, &envelope) {
            push_target(target, &mut reply.numbers);
        }
    }

    fn read_envelope(&self, call: Call<'_>, out: &mut String) {
        let verb = Verb::ALL.get(call.key as usize).unwrap_or_else(|| abort());
        // A text that is no JSON has no members that the tool takes.
        let arguments = parse(call.text).unwrap_or(Json::Bool(false));
        let mut object = ObjectWriter::begin(out);
        match self.registry.read_envelope(*verb, arguments) {
            Ok(envelope) => push_envelope(&envelope, object.member("envelope")),
            Err(payload) => payload.push_json(object.member("error")),
        }
        object.end();
    }

    fn repair_input(&self, frame: &mut Frame<'_>, out: &mut String) {
        let target = Target { registration: RegistrationKey(frame.number()), capability: frame.number() };
        let repaired = frame.json().ok().and_then(|input| self.registry.repair_input(target, &input));
        if let Some(repaired) = repaired {
            // As text, not as the value: it goes back in as an input.
            push_canonical_string(&repaired.to_canonical(), out);
        }
    }
}

/// Which capability it is, and why it can't be used: one more than the reason's index.
fn push_view<'a>(view: &'a CapabilityView, numbers: &mut Vec<i32>, reasons: &mut Vec<&'a str>) {
    let reason = view.unavailable.as_deref().map_or(0, |reason| {
        reasons.push(reason);
        reasons.len() as i32
    });
    numbers.extend([view.target.capability as i32, reason]);
}

fn push_target(target: Target, numbers: &mut Vec<i32>) {
    numbers.extend([target.registration.0 as i32, target.capability as i32]);
}
