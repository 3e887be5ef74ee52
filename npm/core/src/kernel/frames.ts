/**
 * Frames: how arguments go in. Each function writes fields; `crates/wasm-binding/src/frame.rs` has the grammar and
 * `input.rs` beside it reads the same fields in the same order.
 */
import type {
  BindingInput,
  CapabilityInput,
  ComponentInput,
  MountInput,
  PatchInput,
  PolicyInput,
  ProofInput,
  Query,
  RegistryInput,
  RequestInput,
} from "./input.js";
import type { AuthoredError, Escalation, Executed, Parsed, Passage, Vote, When } from "./words.js";

const ABSENT = "-";

export function text(value: string): string {
  return `${value.length}:${value}`;
}

export function optional(value: string | undefined): string {
  return value === undefined ? ABSENT : text(value);
}

/** A whole number; what is none, or is out of range, is the nearest that is one. */
export function integer(value: number): string {
  return `${Math.min(Math.max(Math.trunc(value) || 0, 0), 4_294_967_295)},`;
}

function optionalInteger(value: number | undefined): string {
  return value === undefined ? ABSENT : integer(value);
}

function flag(value: boolean): string {
  return value ? "1" : "0";
}

function optionalFlag(value: boolean | undefined): string {
  return value === undefined ? ABSENT : flag(value);
}

export function list<T>(items: readonly T[], write: (item: T) => string): string {
  let written = `${items.length},`;
  for (const item of items) written += write(item);
  return written;
}

export function texts(items: readonly string[]): string {
  return list(items, text);
}

export function registry(input: RegistryInput): string {
  let entropy = "";
  for (const byte of input.entropy) entropy += byte.toString(16).padStart(2, "0");
  return (
    text(entropy) +
    list(Object.entries(input.limits ?? {}), ([name, value]) => text(name) + integer(value)) +
    list(input.policies ?? [], policy) +
    flag(input.replaceDuplicates ?? false) +
    (input.onSameName ?? "warn").charAt(0)
  );
}

function policy(input: PolicyInput): string {
  return (
    text(input.name) +
    flag(input.discovery) +
    flag(input.authorize) +
    flag(input.invoke) +
    flag(input.escalates)
  );
}

export function proof(input: ProofInput | undefined): string {
  if (!input) return ABSENT;
  return (
    text(input.manifestHash) +
    text(input.declarationId) +
    list([...input.contracts], ([id, hash]) => text(id) + text(hash))
  );
}

export function component(input: ComponentInput): string {
  return (
    text(input.type) +
    text(input.description) +
    optional(input.meta) +
    optional(input.origin) +
    list(input.policies, policy) +
    proof(input.proof) +
    list(input.capabilities, capability)
  );
}

function capability(input: CapabilityInput): string {
  return (
    text(input.name) +
    text(input.kind) +
    text(input.description) +
    text(input.effect) +
    optional(input.inputSchema) +
    optional(input.outputSchema) +
    optional(input.meta) +
    flag(input.hostParsesInput) +
    flag(input.hostChecksOutput) +
    optionalFlag(input.idempotent) +
    optionalFlag(input.reversible) +
    optionalInteger(input.timeoutMs) +
    concurrency(input.concurrency) +
    list(input.policies, policy) +
    flag(input.hasWhen) +
    flag(input.hasPrecondition) +
    optional(input.confirmation) +
    optional(input.audit) +
    (input.binding ? binding(input.binding) : ABSENT)
  );
}

function concurrency(input: CapabilityInput["concurrency"]): string {
  if (!input) return ABSENT;
  const group = input.mode === "key" ? text(input.key) : input.mode === "parallel" ? integer(input.max) : "";
  return input.mode.charAt(0) + group + optionalInteger(input.queueDepth);
}

function binding(input: BindingInput): string {
  return (
    text(input.agentSchema) +
    texts(input.bound) +
    texts(input.locked) +
    flag(input.requiresApproval) +
    flag(input.hasBind) +
    link(input.context)
  );
}

function link(input: { type: string; instanceId: string } | undefined): string {
  return input ? text(input.type) + text(input.instanceId) : ABSENT;
}

export function mount(input: MountInput): string {
  return (
    optional(input.instanceId) +
    link(input.parent) +
    // As JSON, where a number that is none is null.
    (input.priority === undefined ? ABSENT : text(JSON.stringify(input.priority))) +
    flag(input.enabled ?? true) +
    flag(input.accepted ?? true)
  );
}

export function patch(input: PatchInput): string {
  return (
    text(input.componentType) +
    optionalFlag(input.enabled) +
    list(
      Object.entries(input.availability ?? {}),
      ([name, { available, reason }]) => text(name) + flag(available) + optional(reason),
    )
  );
}

export function request(input: RequestInput): string {
  return (
    text(input.consumer.kind) +
    text(input.consumer.id) +
    optionalInteger(input.timeoutMs) +
    flag(input.cancelled ?? false) +
    text(input.capabilityId) +
    optional(input.invocationId) +
    optional(input.instanceId) +
    optional(input.registrationId) +
    optional(input.surfaceVersion) +
    optional(input.confirmationId) +
    optional(input.input)
  );
}

export function when(answer: When): string {
  return typeof answer === "string" ? answer.charAt(0) : `f${optional(answer.fails)}`;
}

export function votes(answers: readonly Vote[]): string {
  return list(answers, (vote) => (typeof vote === "string" ? vote.charAt(0) : `d${text(vote.disable)}`));
}

export function passage(answer: Passage): string {
  if (typeof answer === "string") return answer.charAt(0);
  return "refused" in answer ? error(answer.refused) : `r${optional(answer.returned)}`;
}

export function executed(answer: Executed): string {
  // `transient` and `threw` begin alike.
  if (typeof answer === "string") return answer === "threw" ? "x" : answer.charAt(0);
  return "refused" in answer ? error(answer.refused) : `r${optional(answer.returned)}`;
}

function error(authored: AuthoredError): string {
  return `e${text(authored.code)}${text(authored.retry)}${text(authored.message)}${optional(authored.details)}`;
}

export function escalation(answer: Escalation): string {
  return flag(answer.required) + optional(answer.summary);
}

export function parsed(answer: Parsed): string {
  if ("input" in answer) return `1${text(answer.input)}`;
  return `0${list(answer.issues, (issue) => text(issue.path) + text(issue.message))}`;
}

export function budget(query: Query): string {
  return (
    flag(query.includeUnavailable ?? true) +
    optionalInteger(query.maxComponents) +
    optionalInteger(query.maxBytes)
  );
}
