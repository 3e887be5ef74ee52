/**
 * For tests that import Jest's functions: extends the `expect` of `@jest/globals` by the matchers, and its types.
 *
 * @packageDocumentation
 */
import { expect } from "@jest/globals";
import { matchers, type AgentSurfaceMatchers } from "./matchers.js";

expect.extend(matchers);

declare module "expect" {
  // oxlint-disable-next-line eslint/no-unused-vars -- merging wants the same parameters
  interface Matchers<R extends void | Promise<void>, T = unknown> extends AgentSurfaceMatchers<R> {}
}
