import type { IncomingMessage, Server } from "node:http";
import { importUpload } from "../../shared/imports.ts";
import { limits } from "../../shared/limits.ts";

/** Timeouts of incoming requests, in milliseconds. */
export interface RequestTimeouts {
  /** A whole request. */
  requestMs: number;
  /** A slow upload: the longest silence, and the least bytes per second after `requestMs`. */
  maxSilenceMs: number;
  minBytesPerSecond: number;
  checkIntervalMs: number;
}

const defaults: RequestTimeouts = {
  requestMs: 5 * 60_000,
  maxSilenceMs: 60_000,
  minBytesPerSecond: limits.answer.eachSecond,
  checkIntervalMs: 5_000,
};

/** The largest file on the slowest connection. */
export const maxRequestTime =
  defaults.requestMs + Math.ceil((importUpload / defaults.minBytesPerSecond) * 1_000) + defaults.maxSilenceMs;

interface Arriving {
  startedAt: number;
  /** The connection's bytes at the request's start and at the last check. */
  bytesBefore: number;
  bytes: number;
  receivedAt: number;
  mayBeSlow: boolean;
}

const arriving = new WeakMap<IncomingMessage, Arriving>();

/**
 * Ends requests that do not arrive within `requestMs`, as Node would. Those marked by `allowSlowUpload` may continue while enough
 * bytes come. Returns a function that registers requests of the site's other servers.
 */
export function limitArrivalTimes(
  server: Server,
  bounds: Partial<RequestTimeouts> = {},
): (request: IncomingMessage) => void {
  const { requestMs, maxSilenceMs, minBytesPerSecond, checkIntervalMs } = { ...defaults, ...bounds };
  const open = new Set<IncomingMessage>();
  const registerRequest = (request: IncomingMessage) => {
    const { "content-length": contentLength, "transfer-encoding": transferEncoding } = request.headers;
    if (arriving.has(request)) return;
    if (transferEncoding === undefined && (contentLength === undefined || contentLength === "0")) return;
    const [now, bytes] = [Date.now(), request.socket.bytesRead];
    arriving.set(request, { startedAt: now, bytesBefore: bytes, bytes, receivedAt: now, mayBeSlow: false });
    open.add(request);
  };
  const isLate = (request: IncomingMessage, now: number): boolean => {
    const state = arriving.get(request);
    if (!state) return false;
    const { bytesRead } = request.socket;
    if (bytesRead > state.bytes) Object.assign(state, { bytes: bytesRead, receivedAt: now });
    if (now - state.startedAt < requestMs) return state.mayBeSlow && now - state.receivedAt >= maxSilenceMs;
    const minBytes = (minBytesPerSecond * (now - state.startedAt - requestMs)) / 1_000;
    return (
      !state.mayBeSlow || now - state.receivedAt >= maxSilenceMs || bytesRead - state.bytesBefore < minBytes
    );
  };
  const timer = setInterval(() => {
    const now = Date.now();
    for (const request of open) {
      if (request.complete || request.socket.destroyed) open.delete(request);
      else if (isLate(request, now)) {
        open.delete(request);
        const timeout = Object.assign(new Error("The request did not arrive."), {
          code: "ERR_HTTP_REQUEST_TIMEOUT",
        });
        server.emit("clientError", timeout, request.socket);
      }
    }
  }, checkIntervalMs);
  timer.unref();
  server.on("close", () => clearInterval(timer));
  server.prependListener("request", registerRequest);
  return registerRequest;
}

/** Gives an authorized upload of a large file the time that a slow connection needs. */
export function allowSlowUpload(request: IncomingMessage): void {
  const state = arriving.get(request);
  if (state) Object.assign(state, { mayBeSlow: true, receivedAt: Date.now() });
}
