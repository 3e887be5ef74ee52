import { act } from "@testing-library/react";

/** What React looks at to know whether a test wraps its updates in `act()`. */
const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean | undefined };

let waiting = 0;
let before: boolean | undefined;

/**
 * Starts something that updates React, and settles when it has settled and what it updated is committed.
 *
 * Not one `act()` around all of it: that would hold back every commit until the end, and a handler that waits for
 * the page to change would wait for ever; and two of them that overlap break React's count of them. While it waits
 * React works by itself, as in a browser.
 *
 * @param commit makes React do what is left to do
 */
export async function acting<T>(start: () => Promise<T>, commit: () => void): Promise<T> {
  let started!: Promise<T>;
  act(() => {
    started = start();
  });
  if (waiting++ === 0) {
    before = environment.IS_REACT_ACT_ENVIRONMENT;
    environment.IS_REACT_ACT_ENVIRONMENT = false;
  }
  try {
    return await started;
  } finally {
    await followers();
    if (--waiting === 0) environment.IS_REACT_ACT_ENVIRONMENT = before;
    act(commit);
  }
}

/** How many promises in a row may follow from one that is settled. */
const TURNS = 20;

/** Waits for what follows from promises that are settled already, without a timer: a test may hold the timers. */
async function followers(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) {
    // oxlint-disable-next-line no-await-in-loop, typescript/await-thenable -- each turn is one of them
    await undefined;
  }
}
