// A crowd of WebSocket readers in a process of their own, told what to do over IPC by fan-out.ts.
import { WebSocket } from "ws";

export type Order = { open: string; readers: number; hello: string | null } | { expect: string } | { close: true };
export type Word = { opened: true } | { heard: { last: bigint | string; first: bigint | string; sample: string } } | { closed: true };

const say = (word: Word) => process.send?.(word);
let sockets: WebSocket[] = [];
let expected = "";
let waiting = 0;
let first = 0n;

process.on("message", (order: Order) => {
  if ("open" in order) void open(order.open, order.readers, order.hello);
  if ("expect" in order) {
    expected = order.expect;
    waiting = sockets.length;
    say({ opened: true });
  }
  if ("close" in order) {
    for (const socket of sockets) socket.terminate();
    sockets = [];
    say({ closed: true });
  }
});

async function open(url: string, readers: number, hello: string | null) {
  for (let from = 0; from < readers; from += 50) {
    await Promise.all(Array.from({ length: Math.min(50, readers - from) }, () => reader(url, hello)));
  }
  say({ opened: true });
}

/** Resolves once the connection is open and, where something is said first, answered. */
function reader(url: string, hello: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    sockets.push(socket);
    socket.once("error", reject);
    socket.once("open", () => (hello === null ? resolve() : socket.send(hello)));
    if (hello !== null) socket.once("message", () => resolve());
    socket.on("message", (data: Buffer) => {
      if (!expected || !data.includes(expected)) return;
      const now = process.hrtime.bigint();
      if (waiting === sockets.length) first = now;
      if (--waiting === 0) say({ heard: { last: String(now), first: String(first), sample: data.toString() } });
    });
  });
}
