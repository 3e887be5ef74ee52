import { expect, it, vi } from "vitest";
import { Listeners } from "./events.js";

it("a listener that throws is reported, and the others are told all the same", () => {
  const report = vi.fn<(error: unknown) => void>();
  const listeners = new Listeners<number>(report);
  const told: number[] = [];
  listeners.add(() => {
    throw new Error("no");
  });
  listeners.add((value) => told.push(value));
  listeners.tell(1);
  expect(told).toEqual([1]);
  expect(report).toHaveBeenCalledExactlyOnceWith(new Error("no"));
});

it("who comes or goes while something is told counts from the next time on", () => {
  const listeners = new Listeners<number>(() => undefined);
  const told: string[] = [];
  const leave = listeners.add(() => {
    told.push("first");
    leaveSecond();
    listeners.add(() => told.push("third"));
    leave();
  });
  const leaveSecond = listeners.add(() => told.push("second"));
  listeners.tell(1);
  expect(told).toEqual(["first", "second"]);
  listeners.tell(2);
  expect(told).toEqual(["first", "second", "third"]);
});

it("one function may subscribe twice, and each subscription ends by itself", () => {
  const listeners = new Listeners<number>(() => undefined);
  const listener = vi.fn<(value: number) => void>();
  const leave = listeners.add(listener);
  listeners.add(listener);
  leave();
  leave();
  listeners.tell(1);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(listeners.isEmpty).toBe(false);
});
