import { describe, expect, it } from "vitest";
import { AgentSurfaceError, type AgentCapabilityErrorPayload } from "../errors.js";
import type { AgentInvocationResult } from "../invocation.js";
import { AgentSchemaError } from "../schema.js";
import { readEnding, readIssues, readPrecondition, readThrown, resultOf } from "./read.js";

const payload: AgentCapabilityErrorPayload = {
  code: "PRECONDITION_FAILED",
  message: "Not now",
  retry: "with-changes",
  details: { rows: [1] },
};
const authored = { ...payload, details: '{"rows":[1]}' };

describe("what is thrown", () => {
  it("is told to the agent if it is an AgentSurfaceError, of whichever copy of the package", () => {
    expect(readThrown(new AgentSurfaceError(payload))).toEqual(authored);
    expect(readThrown({ name: "AgentSurfaceError", payload })).toEqual(authored);
  });

  it.each([
    ["an error of another kind", new Error("secret")],
    ["nothing", undefined],
    ["an unknown code", new AgentSurfaceError({ ...payload, code: "SECRET" as "TIMEOUT" })],
    ["an unknown retry", new AgentSurfaceError({ ...payload, retry: "later" as "no" })],
    ["a message that is no text", new AgentSurfaceError({ ...payload, message: 5 as unknown as string })],
    [
      "a payload that throws when it is read",
      Object.defineProperty(new Error("x"), "name", {
        get() {
          throw new Error("no");
        },
      }),
    ],
  ])("is none of the agent's business: %s", (_, thrown) => {
    expect(readThrown(thrown)).toBeUndefined();
  });

  it("loses details that are no JSON, and is told all the same", () => {
    const details = { big: 1n } as unknown as Record<string, never>;
    expect(readThrown(new AgentSurfaceError({ ...payload, details }))).toEqual({
      ...payload,
      details: undefined,
    });
  });

  it("is read once", () => {
    let reads = 0;
    const shifty = new AgentSurfaceError({
      ...payload,
      get code() {
        reads += 1;
        return reads === 1 ? ("NOT_AUTHORIZED" as const) : ("TIMEOUT" as const);
      },
    });
    expect(readThrown(shifty)?.code).toBe("NOT_AUTHORIZED");
    expect(reads).toBe(1);
  });
});

describe("what policies return", () => {
  const given: AgentInvocationResult = {
    status: "ok",
    invocationId: "inv_1",
    capabilityId: "view:screen.run",
    output: 1,
    surfaceVersion: "1",
    surfaceChanged: true,
  };

  it("has passed if it is what they were shown", () => {
    expect(readEnding({ returned: given }, given)).toBe("passed");
    expect(readEnding({ returned: { ...given } }, given)).toEqual({ returned: "1" });
  });

  it("is an output, an error, or a failure", () => {
    const error = { ...given, status: "error", error: payload };
    expect(readEnding({ returned: error }, given)).toEqual({ refused: authored });
    expect(readEnding({ returned: { status: "ok" } }, undefined)).toEqual({ returned: undefined });
    for (const nothing of [undefined, null, 1, {}, { status: "done" }, { ...error, error: {} }]) {
      expect(readEnding({ returned: nothing }, given)).toBe("threw");
    }
    expect(readEnding({ returned: { status: "ok", output: () => 1 } }, given)).toBe("threw");
    expect(readEnding({ thrown: new AgentSurfaceError(payload) }, given)).toEqual({ refused: authored });
    expect(readEnding({ thrown: payload }, given)).toBe("threw");
  });

  it("is what the policies around them are shown", () => {
    const { status: _, output: __, ...common } = given as AgentInvocationResult & { output: number };
    expect(resultOf({ returned: "[2]" }, given)).toEqual({ ...given, output: [2] });
    expect(resultOf({ returned: undefined }, given)).toEqual({ ...common, status: "ok" });
    expect(resultOf({ refused: authored }, given)).toEqual({ ...common, status: "error", error: payload });
    expect(resultOf("passed", given)).toBe(given);
    expect(Object.isFrozen(resultOf({ returned: "[2]" }, given))).toBe(true);
  });
});

describe("what a precondition says", () => {
  it("is nothing, or a message with details", () => {
    expect(readPrecondition(undefined)).toBe("passed");
    expect(readPrecondition({ message: "Not now", details: { rows: [1] } })).toEqual({ refused: authored });
  });

  it("fails if it can't be understood, a promise for example", () => {
    for (const odd of [true, "no", {}, Promise.resolve()]) expect(readPrecondition(odd)).toBe("threw");
  });
});

describe("why a validator refuses", () => {
  it("is told by its issues, if it has some", () => {
    const issues = [{ path: "a", message: "too short" }];
    expect(readIssues(new AgentSchemaError(issues))).toEqual(issues);
    const general = [{ path: "", message: "does not satisfy the schema" }];
    expect(readIssues(new Error("secret"))).toEqual(general);
    expect(readIssues(null)).toEqual(general);
  });
});
