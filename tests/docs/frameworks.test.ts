import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { workspace } from "../fixtures/apps.js";
import { checkSnippets, readSnippets } from "./snippets.js";

const PAGE = "docs/frameworks.md";

/** The plugins that the page shows, which are not installed here. */
const GIVEN = `
declare module "@react-router/dev/config" { export interface Config { future?: Record<string, boolean> } }
declare module "@react-router/dev/vite" { export function reactRouter(): import("vite").PluginOption; }
declare module "@sveltejs/kit/vite" { export function sveltekit(): Promise<import("vite").Plugin[]>; }
declare module "@tanstack/react-start/plugin/vite" {
  export function tanstackStart(options: { customViteReactPlugin: boolean }): import("vite").PluginOption;
}
declare module "@cloudflare/vite-plugin" { export function cloudflare(): import("vite").Plugin[]; }
declare module "@vitejs/plugin-legacy" {
  export default function legacy(options: { targets: string[] }): import("vite").Plugin[];
}
declare module "vite-plugin-pwa" {
  export function VitePWA(options: { registerType: "autoUpdate" }): import("vite").Plugin[];
}
declare module "vike/plugin" { export default function vike(): import("vite").PluginOption; }
declare function defineNuxtConfig(config: { vite?: import("vite").UserConfig }): unknown;
`;

const readPage = () => readFileSync(workspace(PAGE), "utf8").split("\n");

it("every config of the page compiles", () => {
  expect(() => checkSnippets(PAGE, { given: GIVEN })).not.toThrow();
});

it("whatever the page refers to within itself is there", () => {
  const sections = new Set(
    readPage()
      .filter((line) => line.startsWith("## "))
      .map((line) => line.slice(3).toLowerCase().replaceAll(" ", "-")),
  );
  const links = readPage().flatMap((line) =>
    Array.from(line.matchAll(/\(#([\w-]+)\)/g), ([, name = ""]) => name),
  );
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((name) => !sections.has(name))).toEqual([]);
});

it("each config has the plugin, but for those that only set a framework's own options", () => {
  const configs = readSnippets(PAGE).filter(({ path }) => path?.includes("vite.config") === true);
  expect(configs.length).toBeGreaterThan(4);
  for (const { code } of configs) expect(code).toContain("agentSurface()");
});
