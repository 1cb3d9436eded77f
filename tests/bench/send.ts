import { Agent, request, type IncomingHttpHeaders } from "node:http";
import type { LoadRequest } from "./load.ts";

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends a request over a persistent connection. Returns the bytes as sent: `fetch` would decompress them. */
export function send(
  url: string,
  { path: address, method = "GET", headers = {}, body }: LoadRequest,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const clientRequest = request(url + address, { agent, method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) }),
      );
    });
    clientRequest.once("error", reject);
    clientRequest.end(body);
  });
}
