//! A surface with a scripted host: what JavaScript would answer is said by the test, and the clock is set by hand.

#![allow(dead_code, reason = "each test binary uses its own part of it")]

use std::collections::BTreeMap;
use std::rc::Rc;

use agent_surface_core::definition::{Binding, Proof};
use agent_surface_core::{
    Answer, AuditKind, AuditRecord, Authority, Budget, CapabilityDefinition, Code, Component, Config,
    Consumer, ConsumerKind, Definition, ErrorPayload, Escalation, Event, Executed, InvocationKey,
    InvokeOptions, Invoked, Mount, Outcome, Output, Passage, Policy, Question, Registered, RegistrationKey,
    Registry, Request, Retry, Scope, Settlement, Snapshot, Surveyed, Time, Vote, Warning, When,
};
use agent_surface_json::{Json, Object, parse};
use agent_surface_manifest::{Contract, Effect, Kind, Manifest};
use agent_surface_schema::{Issue, NativePatterns};

pub(crate) fn json(text: &str) -> Json {
    parse(text).unwrap()
}

pub(crate) fn object(text: &str) -> Object {
    json(text).as_object().unwrap().clone()
}

/// A component without capabilities.
pub(crate) fn component(component_type: &str) -> Definition {
    Definition {
        component_type: component_type.into(),
        description: format!("The {component_type}"),
        meta: None,
        origin: None,
        policies: Vec::new(),
        capabilities: Vec::new(),
        proof: None,
    }
}

pub(crate) fn observation(name: &str) -> CapabilityDefinition {
    CapabilityDefinition {
        output_schema: Some(json(r#"{"type":"number"}"#)),
        ..CapabilityDefinition::new(name, Kind::Observation, Effect::Read, format!("Reads {name}"))
    }
}

/// An action that takes any object.
pub(crate) fn action(name: &str) -> CapabilityDefinition {
    CapabilityDefinition {
        input_schema: Some(json(r#"{"type":"object"}"#)),
        ..CapabilityDefinition::new(name, Kind::Action, Effect::LocalState, format!("Does {name}"))
    }
}

pub(crate) fn navigation(name: &str) -> CapabilityDefinition {
    CapabilityDefinition { effect: Effect::Navigation, ..action(name) }
}

/// A procedure that takes `ids` from the view and `reason` from the agent.
pub(crate) fn procedure(path: &str, effect: Effect) -> CapabilityDefinition {
    CapabilityDefinition {
        input_schema: Some(json(
            r#"{"type":"object","properties":{"ids":{"type":"array","items":{"type":"string"},"minItems":1},"reason":{"type":"string"}},"required":["ids"],"additionalProperties":false}"#,
        )),
        binding: Some(Binding {
            agent_schema: json(
                r#"{"type":"object","properties":{"reason":{"type":"string"}},"additionalProperties":false}"#,
            ),
            bound: vec!["ids".into()],
            locked: vec!["ids".into()],
            requires_approval: false,
            has_bind: true,
            context: None,
        }),
        ..CapabilityDefinition::new(path, Kind::Procedure, effect, format!("Calls {path}"))
    }
}

pub(crate) fn with(
    mut definition: Definition,
    capabilities: impl IntoIterator<Item = CapabilityDefinition>,
) -> Definition {
    definition.capabilities.extend(capabilities);
    definition
}

pub(crate) fn policy(name: &str) -> Policy {
    Policy { name: name.into(), phases: agent_surface_core::Phases::default(), escalates: false }
}

/// What the compiler would say of a definition.
pub(crate) fn contracts_of(definition: &Definition) -> Vec<Contract> {
    let origin = format!("src/{}.ts", definition.component_type);
    let contract = |capability: &CapabilityDefinition| Contract {
        declaration_id: format!("{origin}#contract"),
        capability_id: capability.id(&definition.component_type),
        kind: capability.kind,
        description: capability.description.clone(),
        effect: capability.effect,
        input_schema: capability.input_schema.clone(),
        output_schema: capability.output_schema.clone(),
        confirmation: capability.confirmation,
        policies: None,
        tags: None,
        origin: origin.clone(),
    };
    definition.capabilities.iter().map(contract).collect()
}

/// A manifest of the definitions, and the proofs that belong to them.
pub(crate) fn compile(definitions: &mut [Definition]) -> Authority {
    let entries: Vec<_> =
        definitions.iter().flat_map(contracts_of).map(|contract| contract.seal("web")).collect();
    let manifest = Manifest::assemble(entries, Vec::new()).unwrap();
    for definition in definitions {
        prove(definition, &manifest);
    }
    Authority::new(manifest).unwrap()
}

pub(crate) fn prove(definition: &mut Definition, manifest: &Manifest) {
    let contracts = contracts_of(definition);
    let declaration_id = format!("src/{}.ts#contract", definition.component_type);
    definition.proof = Some(Proof {
        manifest_hash: manifest.hash(),
        declaration_id,
        contracts: contracts.iter().map(|it| (it.capability_id.clone(), it.hash())).collect(),
    });
}

/// What the host answers to a question, instead of letting everything pass.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// Nothing yet.
    Hold,
    When(When),
    Votes(Vec<Vote>),
    Passage(Passage),
    Parsed(Result<Json, Vec<Issue>>),
    Bound(Option<Object>),
    Escalation(Escalation),
    Executed(Executed),
}

/// A registry, the components it knows, and a host that answers for them.
pub(crate) struct Surface {
    pub(crate) registry: Registry,
    pub(crate) now: Time,
    pub(crate) consumer: Consumer,
    components: BTreeMap<String, Rc<Component>>,
    replies: BTreeMap<Question, Reply>,
    unwinding: Passage,
    pub(crate) outputs: Vec<Output>,
}

impl Surface {
    pub(crate) fn open(definitions: impl IntoIterator<Item = Definition>) -> Self {
        Self::with_config(definitions, Config::default())
    }

    pub(crate) fn with_config(definitions: impl IntoIterator<Item = Definition>, config: Config) -> Self {
        let mut definitions: Vec<_> = definitions.into_iter().collect();
        let authority = Rc::new(compile(&mut definitions));
        let mut registry = Registry::new(authority, config, Box::new(NativePatterns::default()), [7; 32]);
        registry.set_procedures(Some(Vec::new()));
        let components = definitions
            .into_iter()
            .map(|it| (it.component_type.clone(), registry.admit(it).unwrap()))
            .collect();
        Self {
            registry,
            now: Time::from_millis(1_000_000),
            consumer: Consumer { id: "tester".into(), kind: ConsumerKind::Test },
            components,
            replies: BTreeMap::new(),
            unwinding: Passage::Passed,
            outputs: Vec::new(),
        }
    }

    // What the host does.

    pub(crate) fn reply(&mut self, question: Question, reply: Reply) {
        self.replies.insert(question, reply);
    }

    pub(crate) fn reply_to_unwinding(&mut self, passage: Passage) {
        self.unwinding = passage;
    }

    pub(crate) fn component(&self, component_type: &str) -> Rc<Component> {
        Rc::clone(&self.components[component_type])
    }

    pub(crate) fn register(&mut self, component_type: &str, mount: Mount) -> Registered {
        let component = self.component(component_type);
        let registered = self.registry.register(self.now, &component, mount).unwrap();
        self.pump();
        registered
    }

    pub(crate) fn mount(&mut self, component_type: &str) -> RegistrationKey {
        self.register(component_type, Mount::default()).outcome.unwrap()
    }

    pub(crate) fn mount_as(&mut self, component_type: &str, instance_id: &str) -> RegistrationKey {
        let mount = Mount { instance_id: Some(instance_id.into()), ..Mount::default() };
        self.register(component_type, mount).outcome.unwrap()
    }

    pub(crate) fn id_of(&self, key: RegistrationKey) -> String {
        self.registry.registration(key).unwrap().id().to_owned()
    }

    pub(crate) fn unmount(&mut self, key: RegistrationKey) {
        self.registry.unregister(self.now, key);
        self.pump();
    }

    /// Lets time pass, and everything happen that is due then.
    pub(crate) fn pass(&mut self, millis: u32) {
        self.now = self.now.after(millis);
        self.registry.handle_timeout(self.now);
        self.pump();
    }

    pub(crate) fn end_turn(&mut self) {
        self.registry.handle_turn();
        self.pump();
    }

    pub(crate) fn request(&mut self, request: Request) -> Invoked {
        self.request_with(request, InvokeOptions::default())
    }

    pub(crate) fn request_with(&mut self, request: Request, options: InvokeOptions) -> Invoked {
        let invoked = self.registry.invoke(self.now, request, self.consumer.clone(), options).unwrap();
        self.pump();
        invoked
    }

    /// Starts an invocation that is none that was made before.
    pub(crate) fn start(&mut self, request: Request) -> InvocationKey {
        match self.request(request) {
            Invoked::Started(key) => key,
            other => panic!("not started: {other:?}"),
        }
    }

    pub(crate) fn call(&mut self, capability_id: &str, input: &str) -> InvocationKey {
        self.start(request(capability_id, input))
    }

    /// Calls, and tells how it ended.
    pub(crate) fn answer(&mut self, request: Request) -> Rc<Settlement> {
        let key = self.start(request);
        self.settlement(key).expect("it has not settled")
    }

    pub(crate) fn error(&mut self, request: Request) -> ErrorPayload {
        self.answer(request).error().expect("it went well").clone()
    }

    pub(crate) fn finish(&mut self, key: InvocationKey, executed: Executed) {
        self.registry.handle_executed(self.now, key, executed);
        self.pump();
    }

    pub(crate) fn finish_well(&mut self, key: InvocationKey) {
        self.finish(key, Executed::Returned(None));
    }

    pub(crate) fn cancel(&mut self, key: InvocationKey) {
        self.registry.cancel(self.now, key);
        self.pump();
    }

    pub(crate) fn decide(&mut self, confirmation_id: &str, approved: bool) {
        self.registry.resolve_confirmation(self.now, confirmation_id, approved);
        self.pump();
    }

    pub(crate) fn dispose(&mut self) {
        self.registry.dispose(self.now);
        self.pump();
    }

    pub(crate) fn snapshot(&mut self) -> Snapshot {
        self.snapshot_of(&Scope::default(), |_| Vec::new())
    }

    pub(crate) fn snapshot_of(&mut self, scope: &Scope, votes: impl Fn(&Surveyed) -> Vec<Vote>) -> Snapshot {
        let survey = self.registry.survey(scope).unwrap();
        let answer = |it: &Surveyed| Answer { when: When::Holds, votes: votes(it) };
        let answers: Vec<_> = survey.questions().map(answer).collect();
        self.registry.compose(self.now, &survey, &answers, true, Budget::default())
    }

    // What came of it.

    pub(crate) fn settlement(&self, key: InvocationKey) -> Option<Rc<Settlement>> {
        self.outputs.iter().find_map(|output| match output {
            Output::Settle { invocation, settlement } if *invocation == key => Some(Rc::clone(settlement)),
            _ => None,
        })
    }

    pub(crate) fn code(&self, key: InvocationKey) -> Option<Code> {
        self.settlement(key).and_then(|it| it.error().map(|payload| payload.code))
    }

    pub(crate) fn went_well(&self, key: InvocationKey) -> bool {
        self.settlement(key).is_some_and(|it| matches!(it.outcome, Outcome::Ok(_)))
    }

    /// Whose handlers were called, in that order.
    pub(crate) fn executions(&self) -> Vec<InvocationKey> {
        self.asked(Question::Execution)
    }

    pub(crate) fn asked(&self, wanted: Question) -> Vec<InvocationKey> {
        self.outputs
            .iter()
            .filter_map(|output| match output {
                Output::Ask { invocation, question } if *question == wanted => Some(*invocation),
                _ => None,
            })
            .collect()
    }

    /// The questions about one invocation, in order.
    pub(crate) fn questions(&self, key: InvocationKey) -> Vec<Question> {
        self.outputs
            .iter()
            .filter_map(|output| match output {
                Output::Ask { invocation, question } if *invocation == key => Some(*question),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn is_aborted(&self, key: InvocationKey) -> bool {
        self.outputs.contains(&Output::Abort { invocation: key })
    }

    pub(crate) fn events(&self) -> Vec<Event> {
        self.outputs
            .iter()
            .filter_map(|output| if let Output::Emit(event) = output { Some(event.clone()) } else { None })
            .collect()
    }

    pub(crate) fn records(&self) -> Vec<AuditRecord> {
        self.outputs
            .iter()
            .filter_map(
                |output| if let Output::Record(record) = output { Some(record.clone()) } else { None },
            )
            .collect()
    }

    pub(crate) fn record(&self, kind: AuditKind) -> Option<AuditRecord> {
        self.records().into_iter().find(|record| record.kind == kind)
    }

    pub(crate) fn warnings(&self) -> Vec<Warning> {
        self.outputs
            .iter()
            .filter_map(
                |output| if let Output::Warn(warning) = output { Some(warning.clone()) } else { None },
            )
            .collect()
    }

    /// The input that an invocation is under way with.
    pub(crate) fn effective_input(&mut self, key: InvocationKey) -> Option<String> {
        self.registry.invocation(key).and_then(|view| view.effective_input.map(str::to_owned))
    }

    /// Does what the registry asks for, until it asks for nothing more.
    pub(crate) fn pump(&mut self) {
        while let Some(output) = self.registry.poll_output() {
            self.outputs.push(output.clone());
            match output {
                Output::Ask { invocation, question } => {
                    let reply = self
                        .replies
                        .get(&question)
                        .cloned()
                        .unwrap_or_else(|| self.pass_all(invocation, question));
                    self.give(invocation, question, reply);
                }
                Output::Unwind { invocation, .. } => {
                    self.registry.handle_unwound(self.now, invocation, self.unwinding.clone());
                }
                _ => {}
            }
        }
    }

    pub(crate) fn give(&mut self, key: InvocationKey, question: Question, reply: Reply) {
        let now = self.now;
        let registry = &mut self.registry;
        match (question, reply) {
            (_, Reply::Hold) => {}
            (Question::Availability, Reply::When(when)) => registry.handle_availability(now, key, &when),
            (Question::Discovery, Reply::Votes(votes)) => registry.handle_votes(now, key, &votes),
            (Question::Authorization, Reply::Passage(passage)) => {
                registry.handle_authorized(now, key, passage);
            }
            (Question::Parsing, Reply::Parsed(parsed)) => registry.handle_parsed(now, key, parsed),
            (Question::Binding, Reply::Bound(bound)) => registry.handle_bound(now, key, bound),
            (Question::InvokePolicies, Reply::Passage(passage)) => {
                registry.handle_invoke_policies(now, key, passage);
            }
            (Question::Escalation, Reply::Escalation(escalation)) => {
                registry.handle_escalation(now, key, escalation);
            }
            (Question::Precondition, Reply::Passage(passage)) => {
                registry.handle_precondition(now, key, passage);
            }
            (Question::Execution, Reply::Executed(executed)) => registry.handle_executed(now, key, executed),
            (question, reply) => panic!("{reply:?} is no answer to {question:?}"),
        }
    }

    /// As [`Surface::give`], and then does what the registry asks for.
    pub(crate) fn give_now(&mut self, key: InvocationKey, question: Question, reply: Reply) {
        self.give(key, question, reply);
        self.pump();
    }

    fn pass_all(&mut self, key: InvocationKey, question: Question) -> Reply {
        match question {
            Question::Availability => Reply::When(When::Holds),
            Question::Discovery => {
                let view = self.registry.invocation(key).unwrap();
                let target = view.target.unwrap();
                let registration = self.registry.registration(target.registration).unwrap();
                let capability = &registration.component().capabilities()[target.capability as usize];
                Reply::Votes(vec![Vote::Expose; capability.chain().only_discovery])
            }
            Question::Authorization | Question::InvokePolicies | Question::Precondition => {
                Reply::Passage(Passage::Passed)
            }
            Question::Parsing => {
                let view = self.registry.invocation(key).unwrap();
                Reply::Parsed(Ok(json(view.agent_input.unwrap_or("null"))))
            }
            Question::Binding => Reply::Bound(Some(object(r#"{"ids":["d1"]}"#))),
            Question::Escalation => Reply::Escalation(Escalation::default()),
            // Handlers take their time, unless a test says otherwise.
            Question::Execution => Reply::Hold,
        }
    }
}

pub(crate) fn request(capability_id: &str, input: &str) -> Request {
    Request { capability_id: capability_id.into(), input: Some(json(input)), ..Request::default() }
}

/// A request under an id of the agent's.
pub(crate) fn named(invocation_id: &str, request: Request) -> Request {
    Request { invocation_id: Some(invocation_id.into()), ..request }
}

pub(crate) fn confirmed(confirmation_id: &str, request: Request) -> Request {
    Request { confirmation_id: Some(confirmation_id.into()), ..request }
}

/// A member of an error's details, as text.
pub(crate) fn detail(payload: &ErrorPayload, name: &str) -> String {
    let details = payload.details.as_ref().expect("no details");
    let value = details.get(name).unwrap_or_else(|| panic!("no {name} in {details:?}"));
    value.as_str().map_or_else(|| value.to_canonical(), str::to_owned)
}

pub(crate) fn refusal(code: Code, retry: Retry) -> ErrorPayload {
    ErrorPayload::authored(code, "No.", retry, None)
}

pub(crate) const DONE: fn() -> Reply = || Reply::Executed(Executed::Returned(None));
