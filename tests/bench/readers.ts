// WebSocket readers in a process of their own, controlled over IPC by fan-out.ts.
import { WebSocket } from "ws";

/**
 * `open` connects the missing readers; each sends `hello` first, if given, and waits for the response. `again` reconnects all
 * with this hello.
 */
export type ReadersCommand = { open: string; readers: number; hello?: string } | { again: string };
/** `heardAt` is when the last reader had the message with this mark, by the machine's monotonic clock in nanoseconds. */
export type Report = { ready: true } | { mark: string; receivedAt: string; message: string };

/** Wraps a message's mark. */
export const wrapMark = (mark: string) => `@@${mark}@@`;
/** Connections per address: few enough that all may reconnect before the server notices that the old ones are closed. */
const connectionsPerAddress = 450;

const report = (message: Report) => process.send?.(message);
const crowd: WebSocket[] = [];
const deliveries = new Map<string, number>();
let url = "";

process.on("disconnect", () => process.exit());
process.on("message", (command: ReadersCommand) => {
  if ("open" in command) void openReaders((url = command.open), command.readers, command.hello);
  else {
    const readers = crowd.length;
    for (const socket of crowd.splice(0)) socket.terminate();
    void openReaders(url, readers, command.again);
  }
});

async function openReaders(to: string, readers: number, hello?: string): Promise<void> {
  while (crowd.length < readers)
    await Promise.all(Array.from({ length: Math.min(50, readers - crowd.length) }, () => connect(to, hello)));
  report({ ready: true });
}

function connect(to: string, hello?: string): Promise<void> {
  const localAddress = `127.0.0.${2 + Math.floor(crowd.length / connectionsPerAddress)}`;
  const socket = new WebSocket(to, { perMessageDeflate: false, localAddress });
  crowd.push(socket);
  socket.on("message", countDelivery);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("open", () => (hello === undefined ? resolve() : socket.send(hello)));
    if (hello !== undefined) socket.once("message", () => resolve());
  });
}

function countDelivery(this: WebSocket, data: Buffer): void {
  // Like tRPC's client: the server disconnects readers that do not answer.
  if (data.length === 4 && data.toString() === "PING") return this.send("PONG");
  const from = data.indexOf("@@");
  if (from < 0) return;
  const mark = data.toString("latin1", from + 2, data.indexOf("@@", from + 2));
  const count = (deliveries.get(mark) ?? 0) + 1;
  deliveries.set(mark, count);
  if (count === crowd.length)
    report({ mark, receivedAt: String(process.hrtime.bigint()), message: data.toString() });
}
