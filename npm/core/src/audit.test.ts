import { afterEach, expect, it, vi } from "vitest";
import { consoleAuditSink, memoryAuditSink, recordTo, type AuditEvent } from "./audit.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const event = (at: string): AuditEvent => ({ at, type: "registration" });

it("a memory keeps the latest records, and gives a list of its own each time", () => {
  const sink = memoryAuditSink({ capacity: 2 });
  for (const at of ["1", "2", "3", "4", "5"]) {
    sink.record(event(at));
    expect(sink.events().length).toBeLessThanOrEqual(2);
  }
  expect(sink.events().map(({ at }) => at)).toEqual(["4", "5"]);
  sink.events().push(event("6"));
  expect(sink.events()).toHaveLength(2);
});

it("a memory keeps a thousand records if nothing is said", () => {
  const sink = memoryAuditSink();
  for (let at = 0; at < 2500; at++) sink.record(event(String(at)));
  expect(sink.events()).toHaveLength(1000);
  expect(sink.events()[0]?.at).toBe("1500");
});

it("the console is told on its channel for diagnostics, which in Node is not the standard output", () => {
  const spies = (["log", "debug", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  const calls = (): number[] => spies.map(({ mock }) => mock.calls.length);
  consoleAuditSink().record(event("now"));
  expect(calls()).toEqual([0, 0, 1]);
  // A browser has no process; a bundler's stand-in for it has no version of Node.
  vi.stubGlobal("process", { env: {} });
  consoleAuditSink().record(event("now"));
  expect(calls()).toEqual([0, 1, 1]);
});

it("a sink that throws disturbs nobody", () => {
  const errors: unknown[] = [];
  const broken = {
    record() {
      throw new Error("full");
    },
  };
  expect(() => recordTo(broken, event("now"))).not.toThrow();
  recordTo(broken, event("now"), (error) => errors.push(error));
  expect(errors).toEqual([new Error("full")]);
});
