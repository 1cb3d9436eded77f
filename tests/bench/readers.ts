// A crowd of WebSocket readers in a process of their own, told over IPC what to do by fan-out.ts.
import { WebSocket } from "ws";

/** `open` connects as many as are still missing; each says `hello` first, where there is one, and waits for the answer. `again` has all of them come back, with these words. */
export type Order = { open: string; readers: number; hello?: string } | { again: string };
/** `heardAt` is when the last of them had the message with this mark, on the machine's own clock in nanoseconds. */
export type Report = { ready: true } | { mark: string; heardAt: string; message: string };

/** What is between these in a message is its mark. */
export const marked = (mark: string) => `@@${mark}@@`;
/** One address has room for no more, where the same come back before it is known that they were gone. */
const ofOneAddress = 450;

const report = (what: Report) => process.send?.(what);
const crowd: WebSocket[] = [];
const heard = new Map<string, number>();
let url = "";

process.on("disconnect", () => process.exit());
process.on("message", (order: Order) => {
  if ("open" in order) void open((url = order.open), order.readers, order.hello);
  else {
    const readers = crowd.length;
    for (const socket of crowd.splice(0)) socket.terminate();
    void open(url, readers, order.again);
  }
});

async function open(to: string, readers: number, hello?: string): Promise<void> {
  while (crowd.length < readers)
    await Promise.all(Array.from({ length: Math.min(50, readers - crowd.length) }, () => connect(to, hello)));
  report({ ready: true });
}

function connect(to: string, hello?: string): Promise<void> {
  const localAddress = `127.0.0.${2 + Math.floor(crowd.length / ofOneAddress)}`;
  const socket = new WebSocket(to, { perMessageDeflate: false, localAddress });
  crowd.push(socket);
  socket.on("message", hear);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("open", () => (hello === undefined ? resolve() : socket.send(hello)));
    if (hello !== undefined) socket.once("message", () => resolve());
  });
}

function hear(this: WebSocket, data: Buffer): void {
  // As tRPC's client does: the server cuts off readers that do not answer.
  if (data.length === 4 && data.toString() === "PING") return this.send("PONG");
  const from = data.indexOf("@@");
  if (from < 0) return;
  const mark = data.toString("latin1", from + 2, data.indexOf("@@", from + 2));
  const count = (heard.get(mark) ?? 0) + 1;
  heard.set(mark, count);
  if (count === crowd.length)
    report({ mark, heardAt: String(process.hrtime.bigint()), message: data.toString() });
}
