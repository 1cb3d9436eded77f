interface Message {
  id?: unknown;
  jsonrpc?: unknown;
  result?: { id?: unknown; data?: { data?: unknown } };
}

/** The end of a message, from after its subscription's id: the same for every reader of the event. */
const written = new WeakMap<object, { cursor: string; tail: string }>();

/** tRPC's messages as JSON. An event goes to a crowd of readers as the same object: it is written once for all of them (promise 6). */
export const encoder = {
  encode(message: unknown): string {
    const { id, jsonrpc, result } = message as Message;
    const event = result?.data?.data;
    if (
      typeof id !== "number" ||
      typeof event !== "object" ||
      event === null ||
      typeof result?.id !== "string" ||
      jsonrpc !== undefined
    )
      return JSON.stringify(message);
    let known = written.get(event);
    if (known?.cursor !== result.id)
      written.set(event, (known = { cursor: result.id, tail: JSON.stringify({ result }).slice(1) }));
    return `{"id":${id},${known.tail}`;
  },
  decode(data: string | ArrayBuffer | Uint8Array): unknown {
    if (typeof data !== "string") throw new Error("Only text is understood here.");
    return JSON.parse(data);
  },
};
