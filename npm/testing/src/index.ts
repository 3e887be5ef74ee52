/**
 * Tests of what an agent can see and do, without an agent.
 *
 * @packageDocumentation
 */
export {
  createTestSurface,
  type TestInvocationOptions,
  type TestSurface,
  type TestSurfaceOptions,
} from "./harness.js";
export { serializeSurfaceSnapshot, type SerializeSurfaceOptions } from "./serialize.js";
export {
  matchers,
  toBeOk,
  toExpose,
  toExposeUnavailable,
  toFailWith,
  toMatchSurfaceSnapshot,
  type AgentSurfaceMatchers,
} from "./matchers.js";
