import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepOutput } from "./quiet.js";

const out = vi.fn<(text: unknown) => boolean>(() => true);
const err = vi.fn<(text: unknown) => boolean>(() => true);

beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockImplementation(out);
  vi.spyOn(process.stderr, "write").mockImplementation(err);
});

afterEach(() => {
  vi.restoreAllMocks();
  out.mockClear();
  err.mockClear();
});

const texts = ({ mock }: typeof out) => mock.calls.map(([text]) => text);

it("what plugins print while a contract is compiled is no part of the answer", async () => {
  const answer = await keepOutput(() => {
    process.stdout.write("Generated route tree\n");
    return Promise.resolve("{}\n");
  });
  process.stdout.write(answer);
  expect(texts(err)).toEqual(["Generated route tree\n"]);
  expect(texts(out)).toEqual(["{}\n"]);
});

it("after a failure, too, standard output is the command's own", async () => {
  await expect(keepOutput(() => Promise.reject(new Error("no contract")))).rejects.toThrow("no contract");
  process.stdout.write("answer");
  expect(texts(out)).toEqual(["answer"]);
});
