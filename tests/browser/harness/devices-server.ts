import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ORPCError, os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/node";
import { CORSPlugin } from "@orpc/server/plugins";
import { afterAll } from "vitest";
import { z } from "zod";

const Device = z.strictObject({
  id: z.string(),
  name: z.string(),
  site: z.string(),
  status: z.enum(["online", "offline", "disabled"]),
});

const Filter = z.strictObject({ status: Device.shape.status.optional(), text: z.string().optional() });

const Disabling = z.strictObject({
  ids: z.array(z.string()).min(1),
  reason: z.string().min(3).optional(),
});

/** What the server was asked to disable, by whom, and through which agent. */
export interface Disabled {
  ids: string[];
  role: string | undefined;
  agent: string | undefined;
}

/** An oRPC server that has three devices, for as long as the test file runs. */
export async function startDevicesServer(): Promise<{ url: string; disabled: Disabled[] }> {
  const devices: z.infer<typeof Device>[] = [
    { id: "dev_1", name: "Boiler", site: "Como", status: "online" },
    { id: "dev_2", name: "Chiller", site: "Como", status: "offline" },
    { id: "dev_3", name: "Damper", site: "Lodi", status: "offline" },
  ];
  const disabled: Disabled[] = [];
  const base = os.$context<Omit<Disabled, "ids">>();
  const router = {
    devices: {
      list: base
        .input(Filter)
        .output(z.array(Device))
        .handler(({ input: { status } }) =>
          devices.filter((device) => status === undefined || device.status === status),
        ),
      disable: base
        .input(Disabling)
        .output(z.strictObject({ disabled: z.array(z.string()) }))
        .handler(({ input: { ids }, context }) => {
          if (context.role !== "operator") throw new ORPCError("FORBIDDEN");
          disabled.push({ ids, role: context.role, agent: context.agent });
          for (const device of devices) if (ids.includes(device.id)) device.status = "disabled";
          return { disabled: ids };
        }),
    },
  };
  const handler = new RPCHandler(router, { plugins: [new CORSPlugin()] });
  const server = createServer((request, response) => {
    const { "x-role": role, "x-agent": agent } = request.headers as Record<string, string | undefined>;
    const handled = handler.handle(request, response, { context: { role, agent } });
    void handled.then(({ matched }) => matched || response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, disabled };
}
