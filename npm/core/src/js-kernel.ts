/**
 * `import "@agent-surface/core/js-kernel"`, before anything that asks the kernel: takes its JavaScript form where a
 * build cannot be told by an export condition. See docs/csp.md of this package.
 */
import { instantiate } from "./generated/module.wasm2js.js";
import { useForm } from "./kernel/index.js";

useForm(instantiate);
