// Sends HTTP requests over persistent connections, in a process of its own, controlled over IPC. A raw client: Node's own costs
// more per request than a bare server does, and would be what is measured.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface LoadRequest {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}
/** Sends the requests in turn for so many seconds, over that many connections with one request at a time each. */
export interface LoadCommand {
  url: string;
  requests: LoadRequest[];
  connections: number;
  seconds: number;
}
export interface LoadReport {
  responses: number;
  /** The 50th and 99th percentile of the waits, in milliseconds. */
  median: number;
  p99: number;
  /** The share of a core that this process used: near 1, it limits what is measured. */
  usedCore: number;
}

const headEnd = Buffer.from("\r\n\r\n");

process.on("disconnect", () => process.exit());
process.on("message", (command: LoadCommand) => void run(command).then((report) => process.send?.(report)));

async function run({ url, requests, connections, seconds }: LoadCommand): Promise<LoadReport> {
  const { hostname, port } = new URL(url);
  const bytes = requests.map((request) => serialize(request, `${hostname}:${port}`));
  // From as many addresses, as readers are: what comes from one address waits for its turn.
  const sockets = Array.from({ length: connections }, (_, index) =>
    connect({ port: Number(port), host: hostname, localAddress: `127.0.0.${2 + index}` }),
  );
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const end = start + seconds * 1_000;
  const waits: number[] = [];
  let next = 0;
  await Promise.all(
    sockets.map(async (socket) => {
      const responses = readResponses(socket);
      while (performance.now() < end) {
        const sentAt = performance.now();
        const index = next++ % requests.length;
        socket.write(bytes[index]!);
        const status = await responses.next();
        if (status !== 200) throw new Error(`${url}${requests[index]!.path}: ${status}`);
        waits.push(performance.now() - sentAt);
      }
      socket.destroy();
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  waits.sort((a, b) => a - b);
  const percentile = (part: number) => waits[Math.ceil(part * waits.length) - 1]!;
  return {
    responses: waits.length,
    median: percentile(0.5),
    p99: percentile(0.99),
    usedCore: (user + system) / 1_000 / (performance.now() - start),
  };
}

function serialize({ path, method = "GET", headers = {}, body = "" }: LoadRequest, host: string): Buffer {
  const all = { host, ...headers, ...(body && { "content-length": String(Buffer.byteLength(body)) }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** Reads one response after the other: `next` returns the status of the next, once its last byte is there. */
function readResponses(socket: Socket): { next: () => Promise<number> } {
  let received: Buffer = Buffer.alloc(0);
  let waiting: { resolve: (status: number) => void; reject: (error: Error) => void } | undefined;
  socket.on("data", (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    const length = responseLength(received);
    if (length === undefined) return;
    const status = Number(received.toString("latin1", 9, 12));
    received = received.subarray(length);
    waiting?.resolve(status);
  });
  socket.on("error", (error) => waiting?.reject(error));
  socket.on("close", () => waiting?.reject(new Error("The server closed a connection.")));
  return { next: () => new Promise((resolve, reject) => (waiting = { resolve, reject })) };
}

/** Returns the bytes of the response that `bytes` begin with, or undefined if its end is missing. */
function responseLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  let position = end + headEnd.length;
  const head = bytes.toString("latin1", 0, position);
  const contentLength = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (contentLength !== undefined) {
    position += Number(contentLength);
    return position <= bytes.length ? position : undefined;
  }
  for (;;) {
    const sizeEnd = bytes.indexOf("\r\n", position);
    if (sizeEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", position, sizeEnd), 16);
    position = sizeEnd + 2 + size + 2;
    if (position > bytes.length) return undefined;
    if (size === 0) return position;
  }
}
