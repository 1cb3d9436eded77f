import { Readable } from "node:stream";
import type { TRPCError } from "@trpc/server";
import {
  fastifyTRPCPlugin,
  type CreateFastifyContextOptions,
  type FastifyTRPCPluginOptions,
} from "@trpc/server/adapters/fastify";
import type { FastifyInstance } from "fastify";
import type { WebSocket } from "ws";
import { mostCalls } from "../shared/answer.ts";
import { AppError } from "../shared/errors.ts";
import { limits } from "../shared/limits.ts";
import { contextOf, contextOfRequest } from "./asking.ts";
import { countedWays } from "./auth/limits.ts";
import { isOwnOrigin } from "./auth/origin.ts";
import type { Context, Parts } from "./context.ts";
import { hashSecret } from "./ids.ts";
import type { ClientConnection } from "./live/connection-limits.ts";
import { AddressCounts, type BoundedSocket } from "./live/bounded-socket.ts";
import { encoder, senderOf } from "./live/shared-messages.ts";
import type { SessionConnections } from "./live/session-connections.ts";
import { lightJson } from "./rest/json-body.ts";
import { appRouter, type AppRouter } from "./router.ts";
import { retryAfterOf, toTrpcError } from "./trpc.ts";

/** tRPC over HTTP and WebSocket. Both check the origin: cookies travel with a request whatever page it comes from. */
export async function trpcRoutes(
  scope: FastifyInstance,
  parts: Parts,
  connections: SessionConnections,
): Promise<void> {
  const admitted = new WeakMap<object, { address: string; connection: ClientConnection }>();
  scope.addHook("onRequest", async (request, reply) => {
    // Who asks is in the cookie: no cache on the way may keep an answer.
    void reply.header("cache-control", "private, no-store");
    if (request.ws || request.method !== "GET") {
      if (!isOwnOrigin(parts.config, request.headers))
        throw new AppError("forbidden", "This request came from another site.");
    }
    if (request.ws) {
      await parts.limits.take("socket", request.ip);
      // A socket that announces parameters and never sends them would wait for ever.
      if ((request.query as Record<string, unknown>).connectionParams !== undefined)
        throw new AppError("bad_request", "Connection parameters are not taken here: sign in by cookie.");
      const found = await parts.sessions.find(parts.sessions.fromCookie(request.headers.cookie));
      const connection = connections.limits.admit(request.raw.socket, countedWays(request.ip), found?.userId);
      admitted.set(request.raw, { address: request.ip, connection });
    }
  });
  const counts = new AddressCounts(parts.config.rateLimit);
  scope.websocketServer.on("connection", (socket: BoundedSocket, request) => {
    const from = countedWays(admitted.get(request)?.address ?? "");
    socket.allow = (message) => counts.allow(from, message);
  });
  scope.addHook("preParsing", async (request, _reply, payload) => {
    const { "content-length": length, "transfer-encoding": inParts } = request.headers;
    if (inParts === undefined && Number(length ?? 0) <= limits.body.light) return payload;
    // Members alone have much to say: what a guest sends is not read, and the call says what it says to guests.
    if (await parts.sessions.find(parts.sessions.fromCookie(request.headers.cookie))) return payload;
    return Object.assign(Readable.from([Buffer.from("{}")]), { receivedEncodedLength: Number(length ?? 2) });
  });
  scope.addHook("preValidation", async (request) => {
    if (typeof request.body === "string") request.body = await lightJson(parts, request, request.body);
  });
  const contextFor = async ({ req, res, info }: CreateFastifyContextOptions): Promise<Context> => {
    const socket = res as unknown as WebSocket;
    const isSocket = typeof socket.terminate === "function";
    const token = parts.sessions.fromCookie(req.headers.cookie);
    // Before the session is read: one that ends between the two would leave its connection open.
    if (token && (isSocket || info.type === "subscription"))
      connections.bind(hashSecret(token), isSocket ? socket : res.raw);
    if (!isSocket) {
      const ctx = await contextOfRequest(parts, req, res);
      if (info.type !== "subscription") return ctx;
      connections.track(res.raw);
      const connection = connections.limits.admit(res.raw, countedWays(req.ip), ctx.viewer?.id);
      return { ...ctx, connection };
    }
    // Over WebSocket these are Node's own request and the socket.
    const { address = "", connection } = admitted.get(req) ?? {};
    if (connection) connection.send = senderOf(socket, req.socket);
    const ctx = await contextOf(parts, token, {
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
      router: appRouter,
      createContext: (options: CreateFastifyContextOptions) =>
        contextFor(options).catch((error: unknown) => {
          throw toTrpcError(error);
        }),
      maxBatchSize: mostCalls,
      responseMeta: ({ errors }: { errors: TRPCError[] }) => ({ headers: retryAfterOf(errors) }),
      experimental_encoder: encoder,
      keepAlive: { enabled: true, pingMs: 25_000, pongWaitMs: 10_000 },
      onError: ({ error, path: procedure, ctx: { log } = parts }) => {
        if (error.code === "INTERNAL_SERVER_ERROR")
          log.error({ err: error.cause ?? error, procedure }, "a call failed");
      },
    },
  } as FastifyTRPCPluginOptions<AppRouter>);
}
