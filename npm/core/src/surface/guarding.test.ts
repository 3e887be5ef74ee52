import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { AgentInvocationResult } from "../invocation.js";
import { Guarding, type Ending } from "./guarding.js";
import type { Layer } from "./onion.js";

const RESULT: AgentInvocationResult = {
  status: "ok",
  invocationId: "inv_1",
  capabilityId: "view:screen.run",
  surfaceVersion: "1",
};

function guard(...layers: Layer[]) {
  const told: string[] = [];
  const endings: Ending[] = [];
  const guarding = new Guarding(
    () => told.push("passed"),
    (ending, hasPassed) => {
      told.push(hasPassed ? "unwound" : "ended");
      endings.push(ending);
    },
  );
  guarding.begin(layers);
  return { guarding, told, endings };
}

const pass: Layer = (next) => next();

it("policies let an invocation pass at once if none of them waits, and see what comes of it", async () => {
  const { guarding, told, endings } = guard(pass, pass);
  expect(told).toEqual(["passed"]);
  guarding.unwind({ result: RESULT });
  await setImmediate();
  expect(told).toEqual(["passed", "unwound"]);
  expect(endings).toEqual([{ returned: RESULT }]);
});

it("a policy that does not call next ends it: by what it returns, or what it throws", async () => {
  const other = { ...RESULT };
  expect(guard(() => other).endings).toEqual([{ returned: other }]);
  const thrown = new Error("no");
  const throwing: Layer = () => {
    throw thrown;
  };
  expect(guard(throwing).endings).toEqual([{ thrown }]);
  const { told, endings } = guard(pass, () => Promise.reject(thrown));
  await setImmediate();
  expect(told).toEqual(["ended"]);
  expect(endings).toEqual([{ thrown }]);
});

it("what a policy returns before the invocation has ended is kept until then", async () => {
  const other = { ...RESULT };
  const { guarding, told, endings } = guard((next) => {
    void next();
    return other;
  });
  expect(told).toEqual(["passed"]);
  guarding.unwind({ result: RESULT });
  expect(told).toEqual(["passed", "unwound"]);
  expect(endings).toEqual([{ returned: other }]);
});

it("a next that is called twice rejects the second time, and lets pass once", async () => {
  const { guarding, told, endings } = guard(async (next) => {
    void next();
    return next();
  });
  expect(told).toEqual(["passed"]);
  guarding.unwind({ result: RESULT });
  await setImmediate();
  expect(endings).toHaveLength(1);
  expect(endings[0]).toEqual({ thrown: new Error("a policy called next() twice") });
});

it("a next that is called after its policy has ended it lets nothing pass", async () => {
  let late: (() => Promise<AgentInvocationResult>) | undefined;
  const { guarding, told } = guard((next) => {
    late = next;
    return RESULT;
  });
  const seen = late?.();
  expect(told).toEqual(["ended"]);
  guarding.unwind({ result: RESULT });
  await expect(seen).resolves.toBe(RESULT);
});

it("what is thrown further inside is thrown by next, and nobody has to handle it", async () => {
  const thrown = new Error("inside");
  const { guarding, endings } = guard((next) => next());
  guarding.unwind({ thrown });
  await setImmediate();
  expect(endings).toEqual([{ thrown }]);
  const careless = guard((next) => {
    void next();
    return RESULT;
  });
  careless.guarding.unwind({ thrown });
  expect(careless.endings).toEqual([{ returned: RESULT }]);
});

it("policies see one outcome, the first", async () => {
  const { guarding, endings } = guard(pass);
  guarding.unwind({ result: RESULT });
  guarding.unwind({ result: { ...RESULT, invocationId: "inv_2" } });
  await setImmediate();
  expect(endings).toEqual([{ returned: RESULT }]);
  expect(guarding.isWaiting).toBe(false);
});
