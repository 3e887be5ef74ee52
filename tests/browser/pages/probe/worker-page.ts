import { report } from "./report.js";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
worker.addEventListener("message", ({ data }) => report(data));
