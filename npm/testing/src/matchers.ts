import {
  jsonDeepEqual,
  type AgentCapabilityErrorCode,
  type AgentInvocationResult,
  type JsonValue,
} from "@agent-surface/core";
import type { TestSurface } from "./harness.js";
import { serializeSurfaceSnapshot, type SerializeSurfaceOptions } from "./serialize.js";

/** What `expect` has after `expect.extend(matchers)`; `R` is what a matcher returns. */
export interface AgentSurfaceMatchers<R = unknown> {
  /** The surface's consumer sees the capability, and can use it now. */
  toExpose(capabilityId: string, options?: { instanceId?: string }): R;
  /** The consumer sees it and can't use it now. What is hidden is not unavailable, it is not there. */
  toExposeUnavailable(capabilityId: string, options?: { instanceId?: string; reason?: string }): R;
  /** The invocation went well. */
  toBeOk(): R;
  /** It did not, with this code, and at least these details. */
  toFailWith(code: AgentCapabilityErrorCode, details?: Record<string, JsonValue>): R;
  /** What the consumer sees is what the runner's snapshot file has. */
  toMatchSurfaceSnapshot(options?: SerializeSurfaceOptions): R;
}

/** What a matcher tells `expect`. */
export interface MatcherResult {
  pass: boolean;
  message: () => string;
}

/** What `toMatchSurfaceSnapshot` needs of the runner: Jest and Vitest have it in the same place. */
export interface SnapshotMatcherContext {
  readonly isNot?: boolean;
  readonly currentTestName?: string | undefined;
  /** Vitest's test. */
  readonly task?: { readonly id: string } | undefined;
  readonly snapshotState?: {
    match(received: { testId: string; testName: string; received: unknown; isInline: boolean }): {
      pass: boolean;
      actual?: string | undefined;
      expected?: string | undefined;
      key: string;
    };
  };
  readonly utils?: { diff?(expected: unknown, actual: unknown): string | null | undefined };
}

/** @see AgentSurfaceMatchers.toExpose */
export function toExpose(
  received: unknown,
  capabilityId: string,
  options?: { instanceId?: string },
): MatcherResult {
  const surface = surfaceOf(received, "toExpose");
  const found = find(surface, capabilityId, options?.instanceId);
  const pass = found.some(({ available }) => available);
  return {
    pass,
    message: () => {
      if (pass) return `expected the surface not to expose ${capabilityId}, but it does, and it is available`;
      const [first] = found;
      if (first === undefined) {
        return `expected the surface to expose ${capabilityId}, but it is absent: hidden, or not registered`;
      }
      return `expected ${capabilityId} to be available, but it is not: ${first.unavailableReason}`;
    },
  };
}

/** @see AgentSurfaceMatchers.toExposeUnavailable */
export function toExposeUnavailable(
  received: unknown,
  capabilityId: string,
  options?: { instanceId?: string; reason?: string },
): MatcherResult {
  const surface = surfaceOf(received, "toExposeUnavailable");
  const found = find(surface, capabilityId, options?.instanceId);
  const unavailable = found.filter(({ available }) => !available);
  const reason = options?.reason;
  const pass = unavailable.some((it) => reason === undefined || it.unavailableReason === reason);
  return {
    pass,
    message: () => {
      if (found.length === 0) {
        return `expected ${capabilityId} to be visible and unavailable, but it is absent: hidden, or not registered`;
      }
      const [first] = unavailable;
      if (first === undefined) return `expected ${capabilityId} to be unavailable, but it is available`;
      if (pass)
        return `expected ${capabilityId} not to be unavailable, but it is: ${first.unavailableReason}`;
      return `expected ${capabilityId} to be unavailable because of ${write(reason)}, but it is because of ${write(first.unavailableReason)}`;
    },
  };
}

/** @see AgentSurfaceMatchers.toBeOk */
export function toBeOk(received: unknown): MatcherResult {
  const result = resultOf(received, "toBeOk");
  const pass = result.status === "ok";
  return {
    pass,
    message: () =>
      pass
        ? "expected the invocation not to go well"
        : `expected the invocation to go well, but got ${write(result.status === "error" ? result.error : result)}`,
  };
}

/** @see AgentSurfaceMatchers.toFailWith */
export function toFailWith(
  received: unknown,
  code: AgentCapabilityErrorCode,
  details?: Record<string, JsonValue>,
): MatcherResult {
  const result = resultOf(received, "toFailWith");
  if (result.status !== "error") {
    return failed(`expected the invocation to fail with ${code}, but got ${write(result)}`);
  }
  const { error } = result;
  if (error.code !== code) {
    return failed(
      `expected the invocation to fail with ${code}, but it failed with ${error.code}: ${error.message}`,
    );
  }
  for (const [key, expected] of Object.entries(details ?? {})) {
    const actual = error.details?.[key];
    if (!jsonDeepEqual(actual, expected)) {
      return failed(
        `expected the details of ${code} to have ${key}: ${write(expected)}, but it is ${write(actual)}`,
      );
    }
  }
  return { pass: true, message: () => `expected the invocation not to fail with ${code}` };
}

/**
 * Holds what {@link serializeSurfaceSnapshot} makes of the surface against the snapshot file of the runner.
 *
 * @see AgentSurfaceMatchers.toMatchSurfaceSnapshot
 */
export function toMatchSurfaceSnapshot(
  this: SnapshotMatcherContext | void,
  received: unknown,
  options?: SerializeSurfaceOptions,
): MatcherResult {
  const surface = surfaceOf(received, "toMatchSurfaceSnapshot");
  // oxlint-disable-next-line oxc/no-this-in-exported-function -- `expect` calls matchers with a context
  const { snapshotState, currentTestName, task, utils, isNot } = this ?? {};
  if (snapshotState === undefined || currentTestName === undefined) {
    return {
      pass: false,
      message: () => "toMatchSurfaceSnapshot needs the snapshots of Vitest or Jest, in a test of theirs",
    };
  }
  if (isNot) throw new Error("toMatchSurfaceSnapshot can't be used with .not: any change would pass");
  const { pass, actual, expected, key } = snapshotState.match({
    testId: task?.id ?? currentTestName,
    testName: currentTestName,
    received: serializeSurfaceSnapshot(surface.snapshot(), options),
    isInline: false,
  });
  return {
    pass,
    message: () =>
      expected === undefined
        ? `the surface has no snapshot \`${key}\`, and the runner may write none here`
        : `the surface is not that of snapshot \`${key}\`\n\n${utils?.diff?.(expected, actual) ?? actual}`,
  };
}

/** What `expect.extend` takes. */
export const matchers = { toExpose, toExposeUnavailable, toBeOk, toFailWith, toMatchSurfaceSnapshot };

interface Found {
  available: boolean;
  unavailableReason?: string;
}

/** Every live one of a capability that the surface's consumer sees. */
function find(surface: TestSurface, capabilityId: string, instanceId: string | undefined): Found[] {
  const { components, procedures } = surface.snapshot();
  const isMeant = (id: string | undefined): boolean => instanceId === undefined || id === instanceId;
  return [
    ...components
      .filter((component) => isMeant(component.instanceId))
      .flatMap(({ observations, actions }) => [...observations, ...actions])
      .filter((capability) => capability.capabilityId === capabilityId),
    ...procedures.filter(
      ({ procedureId, context }) => procedureId === capabilityId && isMeant(context?.instanceId),
    ),
  ];
}

/** Other values are refused and do not merely fail: `.not` would make a success of that. */
function surfaceOf(received: unknown, matcher: string): TestSurface {
  const { snapshot, invoke } = (received ?? {}) as Partial<TestSurface>;
  if (typeof snapshot === "function" && typeof invoke === "function") return received as TestSurface;
  throw new TypeError(
    `${matcher} is for a surface of createTestSurface() or renderAgentSurface(), but got ${write(received)}`,
  );
}

/** As with surfaces; what was not awaited is found here. */
function resultOf(received: unknown, matcher: string): AgentInvocationResult {
  const { status } = (received ?? {}) as Partial<AgentInvocationResult>;
  if (status === "ok" || status === "error") return received as AgentInvocationResult;
  const promise = received instanceof Promise ? "a promise: await it" : write(received);
  throw new TypeError(`${matcher} is for the result of an invocation, but got ${promise}`);
}

function failed(message: string): MatcherResult {
  return { pass: false, message: () => message };
}

function write(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}

// Where `expect` is a global, importing this module is enough.
const globals = globalThis as { expect?: { extend?: (matchers: object) => void } };
globals.expect?.extend?.(matchers);
