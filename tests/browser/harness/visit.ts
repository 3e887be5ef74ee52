import { chromium, type Browser, type Page } from "playwright-core";
import { expect, inject, onTestFinished } from "vitest";

let browser: Promise<Browser> | undefined;

/** A page and what went wrong on it. */
export interface Visit {
  page: Page;
  /** Uncaught errors of the page and its workers, and what was logged as an error, in the order they came. */
  complaints: string[];
}

/**
 * Opens a page in a profile of its own. When the test ends the page must not have complained, unless the test
 * took the complaints away: an error that nobody expects fails the test that saw it. `before` is done while the page
 * is still empty.
 */
export async function visit(url: string, before?: (page: Page) => Promise<void>): Promise<Visit> {
  browser ??= chromium.connect(inject("chromium"));
  const context = await (await browser).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  onTestFinished(() => expect(complaints, "what the page complained of").toEqual([]));
  await before?.(page);
  await page.goto(url);
  return { page, complaints };
}
