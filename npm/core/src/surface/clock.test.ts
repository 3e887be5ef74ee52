import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Clock } from "./clock.js";

beforeEach(() => void vi.useFakeTimers({ now: 1000 }));
afterEach(() => void vi.useRealTimers());

/** A clock, and the times it woke at. */
function clock(read?: () => number) {
  const woken: number[] = [];
  return { clock: new Clock(read, (now) => woken.push(now)), woken };
}

it("a registry is woken at its deadline, once", () => {
  const { clock: it, woken } = clock();
  it.wake(1500);
  vi.advanceTimersByTime(499);
  expect(woken).toEqual([]);
  vi.advanceTimersByTime(10_000);
  expect(woken).toEqual([1500]);
});

it("an earlier deadline takes the place of a later one, and no deadline of any", () => {
  const { clock: it, woken } = clock();
  it.wake(1500);
  it.wake(1200);
  vi.advanceTimersByTime(250);
  expect(woken).toEqual([1200]);
  it.wake(1500);
  it.wake(Number.POSITIVE_INFINITY);
  expect(vi.getTimerCount()).toBe(0);
});

it("a later deadline leaves the timer as it is, so that ever new deadlines cost nothing", () => {
  const set = vi.spyOn(globalThis, "setTimeout");
  const { clock: it } = clock();
  for (let deadline = 1500; deadline < 2500; deadline++) it.wake(deadline);
  expect(set).toHaveBeenCalledTimes(1);
});

it("where the clock stands still, the timer tells the time", () => {
  const { clock: it, woken } = clock(() => 7);
  it.wake(107);
  vi.advanceTimersByTime(100);
  expect(woken).toEqual([107]);
});

it("a deadline that is further away than timers reach is waited for in steps", () => {
  const { clock: it, woken } = clock();
  it.wake(1000 + 2 ** 32);
  vi.advanceTimersByTime(2 ** 31 - 1);
  expect(woken).toEqual([1000 + 2 ** 31 - 1]);
});

it.each([
  [12.7, 12],
  [-1, 0],
  [Number.NaN, 0],
])("a clock that shows %d tells %d", (shown, told) => {
  expect(clock(() => shown).clock.now()).toBe(told);
});
