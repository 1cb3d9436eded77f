import { Readable } from "node:stream";
import type { TRPCError } from "@trpc/server";
import {
  fastifyTRPCPlugin,
  type CreateFastifyContextOptions,
  type FastifyTRPCPluginOptions,
} from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { WebSocket } from "ws";
import { decodeUri } from "../../shared/decode-uri.ts";
import { maxBatchCalls } from "../../shared/response-limits.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { contextOf, contextOfRequest } from "./request-context.ts";
import { addressKey, addressKeys } from "../auth/rate-limits.ts";
import { isOwnOrigin } from "../auth/origin.ts";
import type { Context, Services } from "../context.ts";
import { hashSecret } from "../runtime/ids.ts";
import type { ClientConnection } from "../live/connection-limits.ts";
import { AddressCounts, type BoundedSocket } from "../live/bounded-socket.ts";
import { encoder, senderOf } from "../live/shared-messages.ts";
import type { SessionConnections } from "../live/session-connections.ts";
import { takeTurn } from "../runtime/concurrency.ts";
import { lightJson } from "./json-body.ts";
import type { AppRouter } from "../router.ts";
import { retryAfterOf, toTrpcError } from "./trpc.ts";

/** How large a request's body may be, if a member sends it: only `large` procedures take more than some kilobytes. */
export const bodyLimiter =
  (large: ReadonlySet<string>) =>
  ({ routeOptions, params }: FastifyRequest): number => {
    if (routeOptions.url !== trpcRoute) return routeOptions.bodyLimit;
    const names = (params as { path: string }).path.split(",");
    const isLarge = names.some((name) => large.has(name));
    return Math.min(limits.body.json, isLarge ? limits.body.json : names.length * limits.body.small);
  };
const trpcRoute = "/trpc/:path";

/** Serves tRPC's router over HTTP and WebSocket. Both check the origin, since any page's requests carry cookies. */
export async function registerTrpc(
  scope: FastifyInstance,
  services: Services,
  connections: SessionConnections,
  router: AppRouter,
): Promise<void> {
  const connectionsByRequest = new WeakMap<object, { address: string; connection: ClientConnection }>();
  scope.addHook("onRequest", async (request, reply) => {
    // Responses depend on the cookie.
    void reply.header("cache-control", "private, no-store");
    // The library decodes it a second time.
    if (decodeUri((request.params as { path?: string }).path ?? "") === undefined)
      throw new AppError("bad_request", "This address can’t be read.");
    if (request.ws || request.method !== "GET") {
      if (!isOwnOrigin(services.config, request.headers))
        throw new AppError("forbidden", "This request came from another site.");
    }
    if (request.ws) {
      await services.limits.take("socket", request.ip);
      // A socket could announce connection parameters and never send them.
      if ((request.query as Record<string, unknown>).connectionParams !== undefined)
        throw new AppError("bad_request", "Connection parameters are not taken here: sign in by cookie.");
      const session = await services.sessions.find(services.sessions.fromCookie(request.headers.cookie));
      const connection = connections.limits.admit(
        request.raw.socket,
        addressKeys(request.ip),
        session?.userId,
      );
      connectionsByRequest.set(request.raw, { address: request.ip, connection });
    } else await takeTurn(addressKey(request.ip));
  });
  const counts = new AddressCounts(services.config.rateLimit);
  scope.websocketServer.on("connection", (socket: BoundedSocket, request) => {
    const from = addressKeys(connectionsByRequest.get(request)?.address ?? "");
    socket.allow = (message) => counts.allow(from, message);
  });
  scope.addHook("onRoute", (route) => {
    route.bodyLimit = limits.body.json;
  });
  scope.addHook("preParsing", async (request, _reply, payload) => {
    const { "content-length": contentLength, "transfer-encoding": transferEncoding } = request.headers;
    if (transferEncoding === undefined && Number(contentLength ?? 0) <= limits.body.light) return payload;
    // Only members send large bodies; a guest's is not read.
    if (await services.sessions.find(services.sessions.fromCookie(request.headers.cookie))) return payload;
    return Object.assign(Readable.from([Buffer.from("{}")]), {
      receivedEncodedLength: Number(contentLength ?? 2),
    });
  });
  scope.addHook("preValidation", async (request) => {
    if (typeof request.body === "string") request.body = await lightJson(services, request, request.body);
  });
  const contextFor = async ({ req, res, info }: CreateFastifyContextOptions): Promise<Context> => {
    const socket = res as unknown as WebSocket;
    const isSocket = typeof socket.terminate === "function";
    const token = services.sessions.fromCookie(req.headers.cookie);
    // Before reading the session, which could end in between and leave its connection open.
    if (token && (isSocket || info.type === "subscription"))
      connections.bind(hashSecret(token), isSocket ? socket : res.raw);
    if (!isSocket) {
      const ctx = await contextOfRequest(services, req, res);
      if (info.type !== "subscription") return ctx;
      connections.track(res.raw);
      const connection = connections.limits.admit(res.raw, addressKeys(req.ip), ctx.viewer?.id);
      return { ...ctx, connection };
    }
    // Over WebSocket: Node's request and the socket.
    const { address = "", connection } = connectionsByRequest.get(req) ?? {};
    if (connection) connection.send = senderOf(socket, req.socket);
    const ctx = await contextOf(services, token, {
      headers: req.headers,
      address,
      transport: "ws",
      setCookie: () => undefined,
    });
    return { ...ctx, ...(connection ? { connection } : {}) };
  };
  await scope.register(fastifyTRPCPlugin, {
    prefix: "/trpc",
    useWSS: true,
    trpcOptions: {
      router,
      createContext: (options: CreateFastifyContextOptions) =>
        contextFor(options).catch((error: unknown) => {
          throw toTrpcError(error);
        }),
      maxBatchSize: maxBatchCalls,
      responseMeta: ({ errors }: { errors: TRPCError[] }) => ({ headers: retryAfterOf(errors) }),
      experimental_encoder: encoder,
      keepAlive: { enabled: true, pingMs: 25_000, pongWaitMs: 10_000 },
      onError: ({ error, path, ctx: { log } = services }) => {
        if (error.code === "INTERNAL_SERVER_ERROR")
          log.error({ err: error.cause ?? error, procedure: path }, "a procedure failed");
      },
    },
  } as FastifyTRPCPluginOptions<AppRouter>);
}
