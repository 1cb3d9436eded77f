import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { procedureNames } from "./router.ts";

/** A stretch in which nothing else had its turn, and the calls that were under way or had just ended. */
export interface Held {
  milliseconds: number;
  calls: string[];
}

const tick = 10;
const most = 50;

/**
 * Tells of every stretch in which requests held the one thread for over 50 ms. It counts the thread's own time, so that a
 * machine with other things to do is not blamed on a request. It looks while there are requests, and costs nothing else.
 * `answered` hears of each answer that has ended, but for streams.
 */
export function watchLoop(
  server: FastifyInstance,
  tell: (held: Held) => void,
  answered: (request: FastifyRequest, reply: FastifyReply, milliseconds: number) => void = () => undefined,
): void {
  const underWay = new Set<FastifyRequest>();
  let ended: FastifyRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let spent = process.threadCpuUsage();

  const look = () => {
    const now = process.threadCpuUsage(spent);
    spent = process.threadCpuUsage();
    // As much may have been done in turns before the last one.
    const milliseconds = Math.round((now.user + now.system) / 1_000) - tick;
    if (milliseconds > most) {
      const calls = new Set([...underWay, ...ended].map(callOf));
      tell({ milliseconds, calls: [...calls].slice(0, 10) });
    }
    ended = [];
    if (underWay.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };

  server.addHook("onRequest", (request, reply, done) => {
    if (isStream(request)) return done();
    underWay.add(request);
    const began = performance.now();
    reply.raw.once("close", () => {
      underWay.delete(request);
      ended.push(request);
      answered(request, reply, performance.now() - began);
    });
    if (!timer) {
      spent = process.threadCpuUsage();
      timer = setInterval(look, tick);
      timer.unref();
    }
    done();
  });
}

/** A stream is under way for hours. @fastify/websocket sets `request.ws` in a later hook than this one. */
const isStream = ({ headers }: FastifyRequest): boolean =>
  headers.accept === "text/event-stream" ||
  (headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? ""));

/** What was called, without what anybody said: whoever asks for what is not there may have written anything for its name. */
export function callOf({ method, routeOptions, params }: FastifyRequest): string {
  const { path = "" } = (params ?? {}) as { path?: string };
  const url = routeOptions.url ?? "";
  if (url !== "/trpc/:path") return `${method} ${url}`;
  const names = path.split(",").map((name) => (procedureNames.has(name) ? name : "…"));
  return `${method} /trpc/${[...new Set(names)].join(",").slice(0, 100)}`;
}
