/**
 * What TypeScript makes of the runtime, the way an app uses it. Nothing here runs: `types.test.ts` compiles it, with
 * a compiler error expected wherever a line says so.
 */
import {
  AGENT_CAPABILITY_ERROR_CODES,
  AgentSurfaceError,
  DEFAULT_LIMITS,
  action,
  assertDefinitionAuthorized,
  audit,
  authenticated,
  consoleAuditSink,
  createAgentSurfaceRegistry,
  createAgentToolset,
  defineAgentComponent,
  emptyObjectSchema,
  environment,
  fromJsonSchema,
  hasPermission,
  isAgentSurfaceError,
  memoryAuditSink,
  observation,
  rateLimit,
  requireConfirmation,
  tenantBoundary,
  type AgentActionContext,
  type AgentActionDefinition,
  type AgentAuthorizationContext,
  type AgentCapabilityErrorCode,
  type AgentCapabilityErrorPayload,
  type AgentComponentDefinition,
  type AgentComponentDescriptor,
  type AgentConcurrency,
  type AgentErrorRetry,
  type AgentInvocation,
  type AgentInvocationPolicyContext,
  type AgentInvocationResult,
  type AgentObservationDefinition,
  type AgentPolicy,
  type AgentPolicyContext,
  type AgentProcedureDescriptor,
  type AgentProcedureExecutor,
  type AgentReadContext,
  type AgentRegistrationHandle,
  type AgentSurfaceEvent,
  type AgentSurfaceLimits,
  type AgentSurfaceRegistry,
  type AgentSurfaceSnapshot,
  type AgentTool,
  type AgentToolset,
  type AuditEvent,
  type AuditSink,
  type CapabilityAuthority,
  type ConfirmationController,
  type DiscoveryDecision,
  type InvokeOptions,
  type JsonSchema,
  type JsonValue,
  type PendingConfirmation,
  type PreconditionFailure,
  type RegistrationCandidate,
  type RegistryOptions,
  type SnapshotContext,
  type Unsubscribe,
} from "@agent-surface/core";
import {
  explainSurface,
  type CapabilityExplanation,
  type SurfaceExplanation,
} from "@agent-surface/core/explain";

/** Compiles only if both types are the same. */
function same<A, B>(..._proof: [A] extends [B] ? ([B] extends [A] ? [] : [never]) : [never]): void {}

declare const authority: CapabilityAuthority;

// Definitions, written by hand.

const value = observation({
  description: "Value",
  output: fromJsonSchema<number>({ type: "number" }),
  read: (ctx) => {
    same<typeof ctx, AgentReadContext>();
    return 1;
  },
});
same<typeof value, AgentObservationDefinition<number>>();

const select = action({
  description: "Select",
  input: fromJsonSchema<{ ids: string[] }>({ type: "object" }),
  output: fromJsonSchema<{ selected: number }>({ type: "object" }),
  effect: "local-state",
  precondition: ({ ids }): PreconditionFailure | void =>
    ids.length === 0 ? { message: "Select something", details: { ids } } : undefined,
  execute: (input, ctx) => {
    same<typeof input, { ids: string[] }>();
    same<typeof ctx, AgentActionContext>();
    same<typeof ctx.signal, AbortSignal>();
    return { selected: input.ids.length };
  },
});
same<typeof select, AgentActionDefinition<{ ids: string[] }, { selected: number }>>();

const clear = action({
  description: "Clear",
  input: emptyObjectSchema,
  effect: "navigation",
  concurrency: { mode: "parallel", max: 2, queueDepth: 0 },
  execute: async () => undefined,
});

action({
  description: "Count",
  input: emptyObjectSchema,
  output: fromJsonSchema<number>({ type: "number" }),
  effect: "local-state",
  // @ts-expect-error the schema says what the handler returns, and not the other way round
  execute: () => "one",
});

// @ts-expect-error parallel means: so many
export const unbounded: AgentConcurrency = { mode: "parallel" };

const table: AgentComponentDefinition = defineAgentComponent({
  type: "devices.table",
  description: "Devices",
  parent: { type: "page" },
  internal: { secret: new Map() },
  observations: { value },
  actions: { select, clear },
});
assertDefinitionAuthorized(table, authority);

// The registry.

const sink = memoryAuditSink({ capacity: 10 });
same<ReturnType<typeof sink.events>, AuditEvent[]>();

const options: RegistryOptions = {
  authority,
  environment: "development",
  context: () => ({ user: { id: 1 } }),
  policies: [authenticated({ key: "user" }), environment(["production"]), audit(consoleAuditSink(), "full")],
  audit: sink satisfies AuditSink,
  redact: ({ input }, event) => (event.type === "invocation-settled" && input !== undefined ? { input } : {}),
  onRegister: ({ definition, stack }: RegistrationCandidate) =>
    definition.origin === "plugin" || stack === undefined ? "reject" : "accept",
  onDuplicateInstance: "replace",
  duplicateSuffixPolicy: "error",
  route: () => ({ path: "/", params: { id: "1" } }),
  limits: { maxOutputBytes: 1, confirmationTtlMs: DEFAULT_LIMITS.confirmationTtlMs },
  now: () => Date.now(),
};
const registry: AgentSurfaceRegistry = createAgentSurfaceRegistry(options);
same<keyof AgentSurfaceLimits, keyof typeof DEFAULT_LIMITS>();

// @ts-expect-error a limit has to be one of those that there are
createAgentSurfaceRegistry({ limits: { maxAnything: 1 } });

const handle: AgentRegistrationHandle = registry.register(table);
same<typeof handle.status, "active" | "rejected" | "unregistered">();
handle.update({ enabled: false, availability: { select: { available: false, reason: "busy" } } });
// @ts-expect-error what was registered does not change
handle.update({ description: "Other" });

const looked: SnapshotContext = {
  consumer: { id: "a", kind: "webmcp" },
  scope: ["devices"],
  budget: { maxBytes: 1 },
};
const snapshot: AgentSurfaceSnapshot = registry.snapshot(looked);
same<(typeof snapshot)["components"], AgentComponentDescriptor[]>();
same<(typeof snapshot)["procedures"], AgentProcedureDescriptor[]>();

const request: AgentInvocation = { capabilityId: "view:devices.table.select", input: { ids: ["d1"] } };
const invoked: InvokeOptions = {
  consumer: { id: "a", kind: "test", grants: [] },
  signal: new AbortController().signal,
};
export const answered: Promise<AgentInvocationResult> = registry.invoke(request, invoked).then((result) => {
  if (result.status === "ok") {
    same<typeof result.output, JsonValue | undefined>();
  } else {
    same<typeof result.error, AgentCapabilityErrorPayload>();
    same<typeof result.error.code, AgentCapabilityErrorCode>();
    same<typeof result.error.retry, AgentErrorRetry>();
  }
  return result;
});
// @ts-expect-error an interface of a class is no JSON
void registry.invoke({ capabilityId: "view:a.b", input: new Date() });

const unsubscribe: Unsubscribe = registry.subscribe((event: AgentSurfaceEvent) => {
  switch (event.type) {
    case "invocation-settled":
      same<typeof event.code, AgentCapabilityErrorCode | undefined>();
      break;
    case "confirmation-resolved":
      same<typeof event.outcome, "approved" | "denied" | "expired">();
      break;
    default:
  }
});
unsubscribe();

const confirmations: ConfirmationController = registry.confirmations;
confirmations.resolve("cnf_1", { approved: true, reason: "fine" });
export const waited: Promise<"approved" | "denied" | "expired"> = confirmations.waitFor("cnf_1");
confirmations.subscribe((pending) => same<typeof pending, PendingConfirmation[]>());

const executor: AgentProcedureExecutor = {
  paths: ["devices.disable"],
  execute: async ({ path, input, info }) => (info.signal.aborted ? path : input),
};
registry.setProcedureExecutor(executor);

// Policies.

const policy: AgentPolicy = {
  name: "own",
  onDiscovery: (ctx): DiscoveryDecision => {
    same<typeof ctx, AgentPolicyContext>();
    return { decision: "disable", reason: "closed" };
  },
  async onAuthorize(ctx, next) {
    same<typeof ctx, AgentAuthorizationContext>();
    // @ts-expect-error nobody who authorizes is shown the input
    void ctx.effectiveInput;
    return next();
  },
  async onInvoke(ctx, next) {
    same<typeof ctx, AgentInvocationPolicyContext>();
    if (ctx.effectiveInput === null) {
      throw new AgentSurfaceError({ code: "NOT_AUTHORIZED", message: "No", retry: "no" }, { cause: ctx });
    }
    return next();
  },
};
export const policies: AgentPolicy[] = [
  policy,
  hasPermission("a", (host, permission) => host["can"] === permission),
  tenantBoundary({
    current: (host) => String(host["tenant"]),
    expected: ({ internal }) => String(internal["tenant"]),
  }),
  rateLimit({ limit: 1, windowMs: 1000 }),
  requireConfirmation({
    if: ({ effectiveInput }) => effectiveInput !== null,
    summary: (input) => JSON.stringify(input),
  }),
];

export const code = (error: unknown): AgentCapabilityErrorCode | undefined =>
  isAgentSurfaceError(error) ? error.payload.code : AGENT_CAPABILITY_ERROR_CODES[0];

// Tools.

const toolset: AgentToolset = createAgentToolset(registry, {
  consumer: { id: "a", kind: "embedded" },
  mode: "meta",
  topology: "remote",
  budget: { maxComponents: 1 },
});
toolset.subscribe((tools) => same<typeof tools, AgentTool[]>());
export const providerTools: { name: string; description: string; input_schema: JsonSchema }[] = toolset
  .tools()
  .map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));

const explanation: SurfaceExplanation = explainSurface(registry, looked);
same<(typeof explanation)["capabilities"], CapabilityExplanation[]>();
