import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** A blocked event loop, and the pending or just ended requests. */
export interface BlockedLoop {
  milliseconds: number;
  calls: string[];
}

const tick = 10;
const maxBlockedMs = 50;

/**
 * Reports when requests block the event loop for over 50 ms. It measures CPU time, so that a busy machine is not blamed on a
 * request, and runs only during requests. `onAnswered` is called for each response except streams.
 */
export function watchLoop(
  server: FastifyInstance,
  callOf: (request: FastifyRequest) => string,
  onBlocked: (blocked: BlockedLoop) => void,
  onAnswered: (request: FastifyRequest, reply: FastifyReply, milliseconds: number) => void = () => undefined,
): void {
  const openRequests = new Set<FastifyRequest>();
  let endedRequests: FastifyRequest[] = [];
  let timer: NodeJS.Timeout | undefined;
  let spent = process.threadCpuUsage();

  const measure = () => {
    const now = process.threadCpuUsage(spent);
    spent = process.threadCpuUsage();
    // The tick before may include as much earlier work.
    const milliseconds = Math.round((now.user + now.system) / 1_000) - tick;
    if (milliseconds > maxBlockedMs) {
      const calls = new Set([...openRequests, ...endedRequests].map(callOf));
      onBlocked({ milliseconds, calls: [...calls].slice(0, 10) });
    }
    endedRequests = [];
    if (openRequests.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };

  server.addHook("onRequest", (request, reply, done) => {
    if (isStream(request)) return done();
    openRequests.add(request);
    const startedAt = performance.now();
    reply.raw.once("close", () => {
      openRequests.delete(request);
      endedRequests.push(request);
      onAnswered(request, reply, performance.now() - startedAt);
    });
    if (!timer) {
      spent = process.threadCpuUsage();
      timer = setInterval(measure, tick);
      timer.unref();
    }
    done();
  });
}

/** Streams last for hours. @fastify/websocket sets `request.ws` in a later hook. */
const isStream = ({ headers }: FastifyRequest): boolean =>
  headers.accept === "text/event-stream" ||
  (headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? ""));

/** Names a request by method and route without input: an unknown procedure's name can be anything. */
export const callNamer =
  (procedures: ReadonlySet<string>) =>
  ({ method, routeOptions, params }: FastifyRequest): string => {
    const { path = "" } = (params ?? {}) as { path?: string };
    const url = routeOptions.url ?? "";
    if (url !== "/trpc/:path") return `${method} ${url}`;
    const names = path.split(",").map((name) => (procedures.has(name) ? name : "…"));
    return `${method} /trpc/${[...new Set(names)].join(",").slice(0, 100)}`;
  };
