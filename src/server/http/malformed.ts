import { randomUUID } from "node:crypto";
import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";

const statuses: Record<string, [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    "The headers of this request are too long. Clearing this site's cookies may help.",
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "This request cannot be read."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "The request took too long to arrive."],
};

/** Answers malformed or oversized HTTP on the bare socket; no hook runs. */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Socket,
  headers: Record<string, string>,
): void {
  // It would mix with a response being sent.
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse };
  if (error.code === "ECONNRESET" || !socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, message] = statuses[error.code ?? ""] ?? [400, "This request cannot be read."];
  const body = JSON.stringify({ success: false, message });
  const lines = Object.entries({
    ...headers,
    "x-request-id": randomUUID(),
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`, () =>
    socket.destroySoon(),
  );
}
