//! The runtime kernel: every decision about a surface, and no I/O.
//!
//! A [`Registry`] knows which components are mounted, what of them an agent may see and use, and where each invocation
//! stands. It has no clock, no timer, no promise, no thread and no JavaScript inside: time and randomness are arguments,
//! and whatever only the host can do (call a handler, evaluate `when`, run a policy or a validator, wait) comes out as
//! an [`Output`] that the host performs and answers. So it runs in a browser as WebAssembly, in Node and in a simulator,
//! and decides alike in all of them.
//!
//! # Before there is a registry
//! An [`Authority`] is a manifest whose hashes were verified. [`Registry::admit`] holds a bound component against it,
//! once; the [`Component`] that comes of it can be registered any number of times. What was not proven, or is not what
//! was proven, gets no further, and the [`DefinitionError`] names the [`Field`].
//!
//! # Its methods
//! * **Getters** change nothing: [`version`](Registry::version), [`registration`](Registry::registration),
//!   [`invocation`](Registry::invocation), [`next_deadline`](Registry::next_deadline), [`usage`](Registry::usage).
//! * **Commands** say what somebody wants: [`register`](Registry::register), [`update`](Registry::update),
//!   [`unregister`](Registry::unregister), [`invoke`](Registry::invoke), [`cancel`](Registry::cancel),
//!   [`resolve_confirmation`](Registry::resolve_confirmation), [`dispose`](Registry::dispose).
//! * **Answers** say what the host found out: one `handle_*` for each [`Question`], and
//!   [`handle_unwound`](Registry::handle_unwound). An answer that nobody waits for (the invocation was given up) changes
//!   nothing.
//! * **Occasions** say what happened outside: [`handle_timeout`](Registry::handle_timeout),
//!   [`handle_turn`](Registry::handle_turn).
//! * [`poll_output`](Registry::poll_output) says what to do next. After every command, answer and occasion, call it until
//!   it has nothing more. The outputs come in one order, and that order counts: an invocation is told to have started
//!   before its handler is asked for, and to have settled before it is answered.
//!
//! Between two calls nothing is half done, so that a handler, policy or listener may call back in at any time: what it
//! says is taken in after what was decided already.
//!
//! Looking at the surface takes two calls, because `when` and the policies' votes are the host's:
//! [`survey`](Registry::survey) says what has to be found out, [`compose`](Registry::compose) makes the [`Snapshot`].
//!
//! # An invocation
//! It goes through ten phases, and the first that fails answers. Only what is in question is asked:
//!
//! | phase | asks | fails with |
//! |---|---|---|
//! | 1 identity | | `INVOCATION_CONFLICT` |
//! | 2 resolution | | `CAPABILITY_NOT_FOUND`, `AMBIGUOUS_INSTANCE`, `STALE_CAPABILITY`, `COMPONENT_UNMOUNTED` |
//! | 3 availability | [`Availability`](Question::Availability) | `CAPABILITY_NOT_AVAILABLE` |
//! | 4 authorization | [`Discovery`](Question::Discovery), [`Authorization`](Question::Authorization) | what policies say |
//! | 5 effective input | [`Parsing`](Question::Parsing), [`Binding`](Question::Binding) | `INVALID_INPUT`, `PRECONDITION_FAILED` |
//! | 6 invoke policies | [`InvokePolicies`](Question::InvokePolicies), [`Escalation`](Question::Escalation) | what policies say, `CONFIRMATION_REQUIRED`, `CONFIRMATION_INVALID` |
//! | 7 precondition | [`Precondition`](Question::Precondition) | `PRECONDITION_FAILED` |
//! | 8 admission | | `RATE_LIMITED`, `CANCELLED` |
//! | 9 execution | [`Execution`](Question::Execution) | what the handler says, `TIMEOUT`, `CANCELLED`, `COMPONENT_UNMOUNTED` |
//! | 10 settlement | | `EXECUTION_FAILED` |
//!
//! Policies are an onion around what follows them. One that let an invocation pass sees what came of it: with
//! [`Output::Unwind`] the host resolves the innermost `next()`, and answers with what the outermost policy returned. Only
//! then does the invocation settle, once, with that.
//!
//! ```
//! use std::rc::Rc;
//!
//! use agent_surface_core::definition::Proof;
//! use agent_surface_core::{
//!     Authority, CapabilityDefinition, Config, Consumer, Definition, Executed, InvokeOptions, Mount, Output, Question,
//!     Registry, Request, Time,
//! };
//! # use agent_surface_json::parse;
//! # use agent_surface_manifest::{Contract, Effect, Kind, Manifest};
//! # use agent_surface_schema::NativePatterns;
//! # let contract = Contract {
//! #     declaration_id: "src/counter.ts#counter".into(),
//! #     capability_id: "view:counter.increment".into(),
//! #     kind: Kind::Action,
//! #     description: "Adds one".into(),
//! #     effect: Effect::LocalState,
//! #     input_schema: Some(parse("{}").unwrap()),
//! #     output_schema: None,
//! #     confirmation: None,
//! #     policies: None,
//! #     tags: None,
//! #     origin: "src/counter.ts".into(),
//! # };
//! # let contracts = vec![(contract.capability_id.clone(), contract.hash())];
//! # let manifest = Manifest::assemble(vec![contract.seal("web")], vec![]).unwrap();
//! # let proof = Proof { manifest_hash: manifest.hash(), declaration_id: "src/counter.ts#counter".into(), contracts };
//! # let increment = CapabilityDefinition {
//! #     input_schema: Some(parse("{}").unwrap()),
//! #     ..CapabilityDefinition::new("increment", Kind::Action, Effect::LocalState, "Adds one")
//! # };
//! # let definition = Definition {
//! #     component_type: "counter".into(),
//! #     description: "A counter".into(),
//! #     meta: None,
//! #     origin: None,
//! #     policies: vec![],
//! #     capabilities: vec![increment],
//! #     proof: Some(proof),
//! # };
//! # let patterns = Box::new(NativePatterns::default());
//! # let entropy = [0; 32];
//! # let now = Time::from_millis(0);
//! let authority = Rc::new(Authority::new(manifest).unwrap());
//! let mut registry = Registry::new(authority, Config::default(), patterns, entropy);
//! let counter = registry.admit(definition).unwrap();
//! registry.register(now, &counter, Mount::default()).unwrap();
//!
//! let request = Request {
//!     capability_id: "view:counter.increment".into(),
//!     input: Some(parse("{}").unwrap()),
//!     ..Request::default()
//! };
//! registry.invoke(now, request, Consumer::default(), InvokeOptions::default()).unwrap();
//! let mut answer = String::new();
//! while let Some(output) = registry.poll_output() {
//!     match output {
//!         Output::Ask { invocation, question: Question::Execution } => {
//!             // Here the host calls the handler, which may take its time.
//!             registry.handle_executed(now, invocation, Executed::Returned(None));
//!         }
//!         Output::Settle { settlement, .. } => settlement.push_json(&mut answer),
//!         _ => {}
//!     }
//! }
//! assert!(answer.contains(r#""status":"ok""#));
//! ```
//!
//! # What crosses the boundary to JavaScript
//! Keys ([`RegistrationKey`], [`InvocationKey`]), indices and enums are numbers; text crosses only where it is the
//! payload: an input, an output, an id that an agent reads. Descriptors do not change while a registration lives
//! ([`Registry::descriptor`], [`Capability::descriptor`]), so that the host makes them once; a snapshot is order,
//! verdicts and reasons.

mod admission;
mod audit;
mod authority;
mod check;
mod component;
mod confirmation;
mod decision;
pub mod definition;
mod error;
mod event;
mod execution;
mod failure;
mod identity;
mod invocation;
mod keys;
mod lifecycle;
mod limits;
mod meta;
mod outcome;
mod output;
mod pipeline;
mod policy;
mod refusal;
mod registration;
mod registry;
mod request;
mod resolution;
mod scope;
mod snapshot;
mod sorted;
mod text;
mod time;
mod tokens;
mod tombstone;
mod toolset;
mod wire_name;

pub use audit::{AuditKind, AuditRecord, End, Payload};
pub use authority::Authority;
pub use component::{Capability, Component};
pub use confirmation::{Confirmation, ConfirmationState, Evidence, Resolution, Subject};
pub use definition::{CapabilityDefinition, Definition};
pub use error::{Code, ErrorPayload, MAX_MESSAGE, Phase, Retry, Rule};
pub use event::{Event, Rejection};
pub use execution::Executed;
pub use keys::{InvocationKey, RegistrationKey, Target};
pub use lifecycle::{RegisterError, Registered};
pub use limits::{Limit, Limits, Unit};
pub use meta::{Envelope, Verb};
pub use outcome::{Outcome, Settlement};
pub use output::{Output, Question, Warning};
pub use pipeline::{Escalation, Invoked, Passage};
pub use policy::{Chain, Phases, Policy, Verdict, Vote, When, compose_votes};
pub use refusal::{DefinitionCode, DefinitionError, Field};
pub use registration::{Mount, Patch, Pushed, Registration};
pub use registry::{Config, Disposed, Inquiry, InvocationView, OnDuplicate, OnSameName, Registry, Usage};
pub use request::{Consumer, ConsumerKind, InvokeOptions, Request};
pub use scope::{Narrowed, Scope};
pub use snapshot::{Answer, Budget, CapabilityView, ComponentView, Explained, Snapshot, Survey, Surveyed};
pub use time::Time;
pub use toolset::Tool;
pub use wire_name::{MAX_WIRE_NAME, Named, assign_wire_names, decode_wire_name, encode_wire_name};
