import { expect, jest, test } from "@jest/globals";
import { createTestSurface } from "@agent-surface/testing";
import "@agent-surface/testing/jest-globals";
import { authority, contracts } from "../../../react/test/support/contracts.js";

function open() {
  const surface = createTestSurface({ authority });
  surface.registry.register(
    contracts.counter.bind({
      observations: { value: { read: () => 1 } },
      actions: {
        add: { execute: () => new Promise<void>(() => undefined) },
        reset: { when: () => false, unavailableReason: "It is 0", execute: () => undefined },
      },
    }),
  );
  return surface;
}

test("the matchers work", async () => {
  const surface = open();
  expect(surface).toExpose("view:demo.counter.add");
  expect(surface).not.toExpose("view:demo.counter.nothing");
  expect(surface).toExposeUnavailable("view:demo.counter.reset", { reason: "It is 0" });
  const result = await surface.invoke("view:demo.counter.value");
  expect(result).toBeOk();
  await expect(surface.invoke("view:demo.counter.reset", {})).resolves.toFailWith("CAPABILITY_NOT_AVAILABLE");
});

test("a surface is held against the snapshot file", () => {
  expect(open()).toMatchSurfaceSnapshot();
});

test("a surface that changed does not match", () => {
  const surface = open();
  if (process.env["ANOTHER"])
    surface.registry.register(contracts.safe.bind({ actions: { open: { execute: () => undefined } } }));
  expect(surface).toMatchSurfaceSnapshot();
});

test("timers that the test holds run invocations out of time", async () => {
  jest.useFakeTimers();
  const pending = open().invoke("view:demo.counter.add", 1);
  jest.advanceTimersByTime(10_000);
  expect(await pending).toFailWith("TIMEOUT");
  jest.useRealTimers();
});
