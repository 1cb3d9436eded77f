// A crowd of WebSocket readers in a process of their own, told over IPC what to do by fan-out.ts.
import { WebSocket } from "ws";

/** `open` connects the crowd; each says `hello` first, where there is one, and waits for the answer. `expect` names the text of the next message. */
export type Order = { open: string; readers: number; hello?: string } | { expect: string };
/** `heardAt` is when the last of them had the message, on the machine's own clock in nanoseconds. */
export type Report = { ready: true } | { heardAt: string; message: string };

const report = (what: Report) => process.send?.(what);
const crowd: WebSocket[] = [];
let expected = "";
let missing = 0;

process.on("message", (order: Order) => {
  if ("expect" in order) {
    expected = order.expect;
    missing = crowd.length;
    report({ ready: true });
  } else void open(order.open, order.readers, order.hello);
});

async function open(url: string, readers: number, hello?: string): Promise<void> {
  while (crowd.length < readers)
    await Promise.all(
      Array.from({ length: Math.min(50, readers - crowd.length) }, () => connect(url, hello)),
    );
  report({ ready: true });
}

function connect(url: string, hello?: string): Promise<void> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  crowd.push(socket);
  socket.on("message", hear);
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("open", () => (hello === undefined ? resolve() : socket.send(hello)));
    if (hello !== undefined) socket.once("message", () => resolve());
  });
}

function hear(data: Buffer): void {
  if (missing > 0 && data.includes(expected) && --missing === 0)
    report({ heardAt: String(process.hrtime.bigint()), message: data.toString() });
}
