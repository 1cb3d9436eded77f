// The peer that Reprise is measured against, in its own process: Fastify and `ws` serving given bytes and messages.
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { WebSocketServer } from "ws";

/** The response of `GET /page`: its body in base64, and its headers. */
export interface Page {
  bytes: string;
  headers: Record<string, string | string[]>;
}

const server = Fastify({ bodyLimit: 10 * 1024 * 1024 });
const sockets = new WebSocketServer({ server: server.server, perMessageDeflate: false });
let bytes: Buffer | undefined;
let headers: Page["headers"] = {};

server.put<{ Body: Page }>("/page", (request, reply) => {
  bytes = Buffer.from(request.body.bytes, "base64");
  ({ headers } = request.body);
  return reply.send({});
});
server.get("/page", (_request, reply) => reply.headers(headers).send(bytes));
server.post<{ Body: { message: string } }>("/broadcast", (request, reply) => {
  for (const socket of sockets.clients) socket.send(request.body.message);
  return reply.send({});
});

await server.listen({ host: "127.0.0.1", port: 0 });
process.send?.((server.server.address() as AddressInfo).port);
