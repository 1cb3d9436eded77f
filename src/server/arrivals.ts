import type { IncomingMessage, Server } from "node:http";
import { importUpload } from "../shared/imports.ts";
import { limits } from "../shared/limits.ts";

/** How long requests may take to arrive, in milliseconds; tests set their own. */
export interface ArrivalBounds {
  /** A request whole. */
  whole: number;
  /** A file on a slow line: without a byte of it, and from when on it is to come by so many bytes a second. */
  silent: number;
  eachSecond: number;
  /** How often they are looked at. */
  lookedAtEvery: number;
}

const usual: ArrivalBounds = {
  whole: 5 * 60_000,
  silent: 60_000,
  eachSecond: limits.answer.eachSecond,
  lookedAtEvery: 5_000,
};

/** So long the largest file takes on the slowest line. */
export const longestArrival =
  usual.whole + Math.ceil((importUpload / usual.eachSecond) * 1_000) + usual.silent;

interface Arriving {
  since: number;
  /** Of its connection, when it began and when it was looked at last. */
  bytesBefore: number;
  bytes: number;
  heardAt: number;
  mayBeSlow: boolean;
}

const arriving = new WeakMap<IncomingMessage, Arriving>();

/**
 * Ends requests that do not arrive: each is given so long in all, as Node itself would. What `mayArriveSlowly` was said of goes on
 * while bytes of it come, if not too few. Answers with what notes a request that came by another server of the same site.
 */
export function boundArrivals(
  server: Server,
  bounds: Partial<ArrivalBounds> = {},
): (request: IncomingMessage) => void {
  const { whole, silent, eachSecond, lookedAtEvery } = { ...usual, ...bounds };
  const open = new Set<IncomingMessage>();
  const note = (request: IncomingMessage) => {
    const { "content-length": length, "transfer-encoding": inParts } = request.headers;
    if (arriving.has(request)) return;
    if (inParts === undefined && (length === undefined || length === "0")) return;
    const [now, bytes] = [Date.now(), request.socket.bytesRead];
    arriving.set(request, { since: now, bytesBefore: bytes, bytes, heardAt: now, mayBeSlow: false });
    open.add(request);
  };
  const isLate = (request: IncomingMessage, now: number): boolean => {
    const state = arriving.get(request);
    if (!state) return false;
    const { bytesRead } = request.socket;
    if (bytesRead > state.bytes) Object.assign(state, { bytes: bytesRead, heardAt: now });
    if (now - state.since < whole) return state.mayBeSlow && now - state.heardAt >= silent;
    const least = (eachSecond * (now - state.since - whole)) / 1_000;
    return !state.mayBeSlow || now - state.heardAt >= silent || bytesRead - state.bytesBefore < least;
  };
  const look = setInterval(() => {
    const now = Date.now();
    for (const request of open) {
      if (request.complete || request.socket.destroyed) open.delete(request);
      else if (isLate(request, now)) {
        open.delete(request);
        const late = Object.assign(new Error("The request did not arrive."), {
          code: "ERR_HTTP_REQUEST_TIMEOUT",
        });
        server.emit("clientError", late, request.socket);
      }
    }
  }, lookedAtEvery);
  look.unref();
  server.on("close", () => clearInterval(look));
  // What expects to be told to go on comes as any other.
  for (const event of ["request", "checkExpectation"]) server.prependListener(event, note);
  return note;
}

/** Says of a request that it brings a large file of somebody who may send it: that takes as long as their line needs. */
export function mayArriveSlowly(request: IncomingMessage): void {
  const state = arriving.get(request);
  if (state) Object.assign(state, { mayBeSlow: true, heardAt: Date.now() });
}
