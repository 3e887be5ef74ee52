await import("@agent-surface/core/js-kernel");
await import("./page.js");
