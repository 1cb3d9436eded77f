// What Reprise is measured against, in a process of its own: Fastify that answers given bytes, and `ws` that sends to everybody what it is given.
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { WebSocketServer } from "ws";

/** What `GET /page` answers with: bytes in base64, and the headers that name what they are. */
export interface Page {
  bytes: string;
  headers: Record<string, string>;
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
