import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/fetch";
import { ORPCError, os, type RouterClient } from "@orpc/server";
import { RPCHandler } from "@orpc/server/node";
import type { OrpcAgentMeta } from "@agent-surface/orpc/manifest";
import { z } from "zod";

/** What the server knows of a request. */
interface Context {
  user: string | undefined;
  agent: string | undefined;
}

/** What `devices.disable` takes. Only the server knows that devices of the vault stay on. */
export const Disabling = z.strictObject({
  deviceIds: z.array(z.string()).min(1),
  reason: z.string().min(3).optional(),
});

const Disabled = z.strictObject({ disabled: z.number() });

/** What a test makes of a call while it runs. */
export interface Script {
  /** Called with each call that gets through to the procedure. */
  onDisable(call: {
    input: z.infer<typeof Disabling>;
    context: Context;
    signal: AbortSignal | undefined;
  }): Promise<void> | void;
}

/** The router of a server that manages devices. */
export function makeRouter(script: Script) {
  const base = os.$context<Context>().$meta<OrpcAgentMeta>({});
  const forUsers = base.use(({ context, next }) => {
    if (context.user === undefined) throw new ORPCError("UNAUTHORIZED", { message: "no session cookie" });
    return next();
  });
  return {
    devices: {
      disable: forUsers
        .meta({ agent: { effect: "server-mutation", description: "Disable the given devices" } })
        .errors({ DEVICE_BUSY: { data: z.object({ deviceId: z.string() }) } })
        .input(Disabling.refine(({ deviceIds }) => !deviceIds.includes("vault"), { path: ["deviceIds"] }))
        .output(Disabled)
        .handler(async ({ input, context, signal, errors }) => {
          await script.onDisable({ input, context, signal });
          const busy = input.deviceIds.find((id) => id.startsWith("busy"));
          if (busy !== undefined) throw errors.DEVICE_BUSY({ data: { deviceId: busy } });
          return { disabled: input.deviceIds.length };
        }),
      list: base
        .route({ method: "GET", summary: "List devices" })
        .meta({ agent: {} })
        .input(z.strictObject({ city: z.string().optional() }))
        .output(z.array(z.string()))
        .handler(({ input }) => [`d1 of ${input.city ?? "anywhere"}`]),
      wipe: forUsers.handler(() => ({ wiped: true })),
    },
  };
}

/** The client of that server, as an app has it: what a call is told as context becomes headers. */
export type DevicesClient = RouterClient<ReturnType<typeof makeRouter>, { agent?: string }>;

/** A server on this machine, with a real client of it. It is closed at the end of the block. */
export async function startBackend(script: Script, user: string | null = "ada") {
  const handler = new RPCHandler(makeRouter(script));
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const { "x-user": user, "x-agent": agent } = request.headers as Record<string, string | undefined>;
    const handled = handler.handle(request, response, { context: { user, agent } });
    void handled.then(({ matched }) => matched || response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const link = new RPCLink<{ agent?: string }>({
    url,
    headers: ({ context }) => ({
      ...(user !== null && { "x-user": user }),
      ...(context.agent !== undefined && { "x-agent": context.agent }),
    }),
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url,
    client: createORPCClient<DevicesClient>(link),
    requests,
    close,
    [Symbol.asyncDispose]: close,
  };
}
