import type { Millis } from "../kernel/words.js";

/** The longest delay that timers know; a longer one would elapse at once. */
const MAX_DELAY = 2 ** 31 - 1;

/** The time of one registry: what the kernel is told, and the one timer that wakes it. */
export class Clock {
  readonly #read: () => number;
  readonly #onTime: (now: Millis) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** For when the timer is set; `Infinity` where there is none. */
  #set: Millis = Number.POSITIVE_INFINITY;

  /** @param onTime called when the time is reached that was last {@link wake}d for, or any earlier one */
  constructor(read: (() => number) | undefined, onTime: (now: Millis) => void) {
    this.#read = read ?? (() => Date.now());
    this.#onTime = onTime;
  }

  /** Whole milliseconds. What is no number of these counts as the beginning of time. */
  now(): Millis {
    return Math.max(0, Math.floor(Number(this.#read()))) || 0;
  }

  /** Sees to it that the registry is woken at `deadline`. */
  wake(deadline: Millis): void {
    // A timer that is set for an earlier time is left alone: setting it anew would cost more than one idle call.
    if (deadline !== Number.POSITIVE_INFINITY && deadline >= this.#set) return;
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#set = deadline;
    if (deadline === Number.POSITIVE_INFINITY) return;
    const delay = Math.max(0, deadline - this.now());
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#set = Number.POSITIVE_INFINITY;
        // A clock that a test holds may stand still while timers run: then it is the timer that tells the time.
        this.#onTime(delay > MAX_DELAY ? this.now() : Math.max(this.now(), deadline));
      },
      Math.min(delay, MAX_DELAY),
    );
  }
}
