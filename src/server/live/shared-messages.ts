import type { Writable } from "node:stream";
import type { WebSocket } from "ws";

interface Message {
  id?: unknown;
  jsonrpc?: unknown;
  result?: { id?: unknown; data?: { data?: unknown } };
}

/** What was written of an event last: under which cursor, from after its subscription's id on, and whole, by that id. */
interface EncodedEvent {
  cursor: string;
  tail: string;
  bytesById: Map<number, Buffer>;
}
const encodedEvents = new WeakMap<object, EncodedEvent>();
const idListeners = new WeakMap<object, (id: number) => void>();

/** The event goes to a crowd of readers as the same object: it is written once for all of them (promise 6). */
function encode(cursor: string, event: object): EncodedEvent {
  let encoded = encodedEvents.get(event);
  if (encoded?.cursor !== cursor) {
    const result = { type: "data", data: { id: cursor, data: event }, id: cursor };
    encodedEvents.set(
      event,
      (encoded = { cursor, tail: JSON.stringify({ result }).slice(1), bytesById: new Map() }),
    );
  }
  return encoded;
}

/** Gives tRPC's message of an event for the subscription of this id, the same bytes for all who have that id. */
export function messageOf(id: number, cursor: string, event: object): Buffer {
  const { tail, bytesById } = encode(cursor, event);
  let bytes = bytesById.get(id);
  if (!bytes) bytesById.set(id, (bytes = Buffer.from(`{"id":${id},${tail}`)));
  return bytes;
}

/** Calls `onId` with the id of the subscription that receives this event. Only for events that a single stream sends. */
export function onSubscriptionId(event: object, onId: (id: number) => void): void {
  idListeners.set(event, onId);
}

/**
 * Returns a function that sends messages of `messageOf` over a socket. Messages that have piled up are written to its connection
 * in one system call: on a busy server the calls cost more than the bytes.
 */
export const senderOf =
  (socket: WebSocket, connection: Writable) =>
  (messages: Buffer[]): void => {
    connection.cork();
    for (const message of messages) socket.send(message, { binary: false });
    connection.uncork();
  };

/** tRPC's messages as JSON. */
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
    idListeners.get(event)?.(id);
    return `{"id":${id},${encode(result.id, event).tail}`;
  },
  decode(data: string | ArrayBuffer | Uint8Array): unknown {
    if (typeof data !== "string") throw new Error("Only text is understood here.");
    return JSON.parse(data);
  },
};
