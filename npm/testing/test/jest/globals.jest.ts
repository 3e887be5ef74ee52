import { createTestSurface } from "@agent-surface/testing";
import "@agent-surface/testing/jest";
import { authority } from "../../../react/test/support/contracts.js";

/** The part of `@types/jest` that these tests need. */
declare const expect: (value: unknown) => jest.Matchers<void> & { not: jest.Matchers<void> };
declare function test(name: string, work: () => void): void;

test("where `expect` is a global, importing the package is enough", () => {
  expect(createTestSurface({ authority })).not.toExpose("view:demo.counter.add");
});
