// @vitest-environment jsdom
/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import type { ComponentType } from "react";
import { expect, it, vi } from "vitest";

/** What of React's Fast Refresh a bundler calls. */
interface Refresh {
  injectIntoGlobalHook(window: object): void;
  register(component: ComponentType, id: string): void;
  validateRefreshBoundaryAndEnqueueUpdate(module: string, before: object, after: object): string | undefined;
}

/** As the dev server serves it. */
const RUNTIME = new URL(
  "../../../node_modules/@vitejs/plugin-react/dist/refresh-runtime.js",
  import.meta.url,
);

it("a component that is edited while it is mounted has its new handlers and contract, and one registration", async () => {
  const refresh = (await import(/* @vite-ignore */ RUNTIME.pathname)) as Refresh;
  // React looks for it when it is loaded, so everything else comes after.
  refresh.injectIntoGlobalHook(window);
  const { page, Shows } = await import("./support/page.js");
  const { contracts } = await import("./support/contracts.js");
  const { compile } = await import("./support/compile.js");

  const Before = () => <Shows value={1} />;
  refresh.register(Before, "src/counter.tsx Counter");
  const { show, component, read, text, registry } = page();
  show(<Before />);
  const first = component()?.registrationId;
  expect(await read()).toBe(1);

  const { counter } = compile(contracts).contracts;
  const After = () => <Shows value={2} contract={counter} />;
  refresh.register(After, "src/counter.tsx Counter");
  refresh.validateRefreshBoundaryAndEnqueueUpdate("src/counter.tsx", { Counter: Before }, { Counter: After });
  await vi.waitFor(() => expect(text()).toBe("2"));
  expect(await read()).toBe(2);
  expect(registry.snapshot().components).toHaveLength(1);
  expect(component()?.registrationId).not.toBe(first);
});
