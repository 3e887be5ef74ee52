/**
 * For `setupFiles` of Vitest: extends its `expect` by the matchers, and its types.
 *
 * @packageDocumentation
 */
import { expect } from "vitest";
import { matchers, type AgentSurfaceMatchers } from "./matchers.js";

expect.extend(matchers);

declare module "vitest" {
  // oxlint-disable-next-line typescript/no-explicit-any, typescript/no-unused-vars, eslint/no-unused-vars -- merging wants the same parameters
  interface Matchers<T = any> extends AgentSurfaceMatchers<void> {}
}
