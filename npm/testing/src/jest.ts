/**
 * For `setupFilesAfterEnv` of Jest: extends the global `expect` by the matchers, and the types of `@types/jest`.
 *
 * @packageDocumentation
 */
import type { AgentSurfaceMatchers } from "./matchers.js";

// Where `expect` is a global, it extends it.
import "./matchers.js";

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- `@types/jest` has a namespace
  namespace jest {
    // oxlint-disable-next-line eslint/no-unused-vars -- merging wants the same parameters
    interface Matchers<R, T = {}> extends AgentSurfaceMatchers<R> {}
  }
}
