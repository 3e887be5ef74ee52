import type { CapabilityInput, ComponentInput, PolicyInput } from "../src/kernel/input.js";
import { Kernel } from "../src/kernel/kernel.js";
import type { Instantiate } from "../src/kernel/module.js";
import type { Ask, Output } from "../src/kernel/output.js";
import type { KernelRegistry } from "../src/kernel/registry.js";
import { Do, Question, type Passage, type Vote, type When } from "../src/kernel/words.js";
import { assemble, seal, type Contract } from "./manifest.js";

/** A generator of numbers that are the same everywhere (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const declarationId = "src/screen.ts#screen";
const origin = "src/screen.ts";

const proven: readonly Contract[] = [
  {
    declarationId,
    capabilityId: "view:screen.state",
    kind: "observation",
    description: "What is shown",
    effect: "read",
    outputSchema: { type: "array", items: { type: "number" } },
    origin,
  },
  {
    declarationId,
    capabilityId: "view:screen.select",
    kind: "action",
    description: "Select a row",
    effect: "local-state",
    inputSchema: {
      type: "object",
      properties: {
        id: { type: "string", pattern: "^[a-zé]+\\d$" },
        size: { type: "number", multipleOf: 0.1 },
      },
      required: ["id"],
      additionalProperties: false,
    },
    origin,
  },
  {
    declarationId,
    capabilityId: "view:screen.leave",
    kind: "action",
    description: "Go away",
    effect: "navigation",
    inputSchema: { type: "object" },
    confirmation: "required",
    origin,
  },
  {
    declarationId,
    capabilityId: "domain:rows.drop",
    kind: "procedure",
    description: "Drop rows",
    effect: "destructive",
    inputSchema: {
      type: "object",
      properties: { ids: { type: "array", items: { type: "string" } }, why: { type: "string" } },
    },
    origin,
  },
];

const policies: readonly PolicyInput[] = [
  { name: "guard", discovery: false, authorize: true, invoke: true, escalates: false },
  { name: "vote", discovery: true, authorize: false, invoke: false, escalates: true },
];

function capability(contract: Contract, at: number): CapabilityInput {
  return {
    name: contract.capabilityId.replace(/^view:screen\.|^domain:/, ""),
    kind: contract.kind as "action",
    description: contract.description,
    effect: contract.effect,
    inputSchema: contract.inputSchema && JSON.stringify(contract.inputSchema),
    outputSchema: contract.outputSchema && JSON.stringify(contract.outputSchema),
    hostParsesInput: at === 2,
    hostChecksOutput: false,
    confirmation: contract.confirmation,
    policies: at === 1 ? policies.slice(1) : [],
    hasWhen: at === 1,
    hasPrecondition: at === 1,
    concurrency: at === 2 ? { mode: "key", key: "é", queueDepth: 1 } : undefined,
    meta: at === 1 ? '{"unit":"row","weight":1e21}' : undefined,
    binding:
      contract.kind === "procedure"
        ? {
            agentSchema: '{"type":"object","properties":{"why":{"type":"string"}}}',
            bound: ["ids"],
            locked: ["ids"],
            requiresApproval: false,
            hasBind: true,
          }
        : undefined,
  };
}

/** Lets a random surface live for some steps. Everything it does depends on the seed alone. */
export function play(instantiate: Instantiate, seed: number, steps: number): void {
  const below = random(seed);
  const one = <T>(items: readonly T[]): T | undefined => items[below(Math.max(items.length, 1))];
  const kernel = new Kernel(instantiate);
  const entries = proven.map(seal);
  const manifest = assemble(entries);
  const authority = kernel.openAuthority(JSON.stringify(manifest)) as number;
  const entropy = Uint8Array.from({ length: 32 }, () => below(256));
  const limits = { dedupeCacheSize: 8, confirmationTtlMs: 4000, tombstoneSize: 3, actionQueueDepth: 1 };
  const registry = kernel.openRegistry(
    authority,
    { entropy, limits, policies: policies.slice(0, 1), replaceDuplicates: seed % 2 === 0 },
    () => {},
  );
  registry.listen(true, true);
  registry.setProcedures(["rows.drop", "screen.select"]);
  const input: ComponentInput = {
    type: "screen",
    description: "Ein Bildschirm 😀",
    policies: [],
    capabilities: proven.map(capability),
    proof: {
      manifestHash: manifest.hash,
      declarationId,
      contracts: new Map(entries.map((entry) => [entry.capabilityId, entry.contractHash])),
    },
  };
  registry.admit({ ...input, description: "" });
  const component = registry.admit(input) as number;
  const world: World = {
    registry,
    asked: [],
    unwinding: [],
    live: [],
    late: [],
    sent: [],
    confirmations: [],
  };
  let now = 1_700_000_000_000;

  for (let step = 0; step < steps; step++) {
    const dice = below(100);
    if (dice < 8) {
      const mount = { instanceId: one(["a", "b", "c"]), priority: below(3) - 0.5, enabled: below(8) > 0 };
      const registered = registry.register(now, component, mount);
      if (registered !== "disposed" && "registrationId" in registered && registered.registration) {
        world.live.push(registered.registration);
        registry.describe(registered.registration);
      }
    } else if (dice < 11) {
      registry.unregister(now, one(world.live) ?? 1);
    } else if (dice < 14) {
      const availability = { select: { available: below(2) > 0, reason: one([undefined, "busy"]) } };
      registry.update({ registration: one(world.live) ?? 1, componentType: "screen", availability });
    } else if (dice < 40) {
      const request = {
        capabilityId: one(proven)?.capabilityId ?? "",
        invocationId: one([undefined, `call ${below(30)} é`]),
        instanceId: one([undefined, "a", "b"]),
        confirmationId: one([undefined, ...world.confirmations]),
        input: one([
          '{"id":"é1"}',
          '{"id":"a1","size":0.30}',
          "{}",
          '{"why":"x"}',
          '"\\ud800"',
          "[1e400]",
          undefined,
        ]),
        consumer: { id: one(["x", "y"]) ?? "", kind: "test" as const },
        timeoutMs: one([undefined, undefined, 300]),
      };
      world.sent.push(request);
      registry.invoke(now, request);
    } else if (dice < 46) {
      const request = one(world.sent);
      if (request) registry.invoke(now, request);
    } else if (dice < 82) {
      const ask = one(world.asked);
      if (ask) {
        world.asked.splice(world.asked.indexOf(ask), 1);
        answer(registry, now, ask, below);
      }
      const unwinding = world.unwinding.pop();
      if (unwinding !== undefined) registry.answerUnwinding(now, unwinding, passage(below(16)));
    } else if (dice < 84) {
      registry.cancel(now, one(world.asked)?.[1] ?? 1);
    } else if (dice < 88) {
      const pending = one(registry.pendingConfirmations());
      if (pending) {
        world.confirmations.push(pending.confirmationId);
        registry.resolveConfirmation(now, pending.confirmationId, below(4) > 0);
        registry.confirmationState(pending.confirmationId);
      }
    } else if (dice < 93) {
      now += below(900);
      registry.endTime(now);
    } else if (dice < 96) {
      registry.endTurn();
    } else {
      const ask = () => ({ when: when(below(4)), votes: [vote(below(6))] });
      const scope = one([[], ["screen"], ["no.such"]]) ?? [];
      registry.snapshot(
        now,
        { scope, maxBytes: one([undefined, 3000]), includeUnavailable: below(2) > 0 },
        ask,
      );
      registry.tools(now, { scope }, ask);
      registry.explain({ scope }, ask);
      registry.find(now, {}, ask, "view:screen.select", one([undefined, "a"]));
    }
    drain(world);
  }
  registry.readEnvelope("surface_act", '{"capabilityId":"view:a.b","input":{"x":1.50}}');
  registry.readEnvelope("surface_read", '{"what":1}');
  registry.narrow(["a.b", "c"], ["a", "d"]);
  registry.dispose(now);
  drain(world);
  registry.free();
  kernel.metaTools();
  for (const id of ["view:a.b.c", "domain:read_state", `domain:${"é".repeat(50)}`]) {
    kernel.decodeWireName(kernel.encodeWireName(id));
  }
}

interface World {
  registry: KernelRegistry;
  asked: Ask[];
  unwinding: number[];
  live: number[];
  late: number[];
  sent: Parameters<KernelRegistry["invoke"]>[1][];
  confirmations: (string | undefined)[];
}

function drain({ registry, asked, unwinding }: World): void {
  for (let output: Output | undefined = registry.next(); output; output = registry.next()) {
    if (output[0] === Do.Ask) asked.push(output);
    else if (output[0] === Do.Unwind) unwinding.push(output[1]);
  }
}

function answer(registry: KernelRegistry, now: number, ask: Ask, below: (below: number) => number): void {
  const [, invocation, question] = ask;
  const how = below(16);
  switch (question) {
    case Question.Availability:
      registry.answerAvailability(now, invocation, when(how));
      break;
    case Question.Discovery:
      registry.answerVotes(now, invocation, [vote(how)]);
      break;
    case Question.Authorization:
      registry.answerAuthorization(now, invocation, passage(how));
      break;
    case Question.Parsing:
      registry.answerParsing(
        now,
        invocation,
        how > 2 ? { input: '{"parsed":1.0}' } : { issues: [{ path: "a[0]", message: "is odd" }] },
      );
      break;
    case Question.Binding:
      registry.answerBinding(now, invocation, how > 1 ? '{"ids":["d1"],"more":1}' : undefined);
      break;
    case Question.InvokePolicies:
      registry.answerInvokePolicies(now, invocation, passage(how));
      break;
    case Question.Escalation:
      registry.answerEscalation(now, invocation, {
        required: how < 6,
        summary: how < 3 ? "Really? é" : undefined,
      });
      break;
    case Question.Precondition:
      registry.answerPrecondition(now, invocation, passage(how));
      break;
    case Question.Execution:
      if (how < 10) registry.answerExecution(now, invocation, { returned: how < 8 ? "[1,2.50]" : undefined });
      else if (how < 12) registry.answerExecution(now, invocation, { returned: '{"not":"this"}' });
      else
        registry.answerExecution(
          now,
          invocation,
          how === 12 ? "invalid" : how === 13 ? "transient" : "threw",
        );
      break;
  }
}

function when(how: number): When {
  return how === 0
    ? { fails: undefined }
    : how === 1
      ? { fails: "nothing is selected" }
      : how === 2
        ? "threw"
        : "holds";
}

function vote(how: number): Vote {
  return how === 0 ? "hide" : how === 1 ? { disable: "not for you" } : how === 2 ? "threw" : "expose";
}

function passage(how: number): Passage {
  if (how === 0) return "threw";
  if (how === 1) return { returned: '{"cached":true}' };
  if (how === 2) return { refused: { code: "RATE_LIMITED", retry: "after-delay", message: "é".repeat(310) } };
  if (how === 3) {
    return {
      refused: { code: "NOT_AUTHORIZED", retry: "no", message: "No.", details: '{"origin":"client"}' },
    };
  }
  return "passed";
}
