import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import websocket from "@fastify/websocket";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { limits } from "../shared/limits.ts";
import { answerUnroutable, pathOf } from "./addresses.ts";
import { answerError } from "./answer-error.ts";
import { boundArrivals, longestArrival, type ArrivalBounds } from "./arrivals.ts";
import { answerMalformed, refusalOf } from "./malformed.ts";
import { contextOfRequest } from "./asking.ts";
import { GoogleSignIn } from "./auth/google.ts";
import { Challenges } from "./auth/challenges.ts";
import { RateLimits } from "./auth/limits.ts";
import { Tasks } from "./auth/work.ts";
import { Sessions } from "./auth/sessions.ts";
import { addressOfAlias } from "./blogs/aliases.ts";
import { adoptForeignPictures } from "./blogs/adopt.ts";
import { bytesUnderWay, countBodies } from "./bodies.ts";
import { compressAnswers } from "./compression.ts";
import type { Config } from "./config.ts";
import type { Parts } from "./context.ts";
import { WritingDocuments } from "./blogs/writing-document.ts";
import { writeProbe } from "./database/probe.ts";
import { importRoutes } from "./imports/routes.ts";
import { openForServer } from "./database/start.ts";
import { pullDatesBack } from "./housekeeping.ts";
import { jobHandlers } from "./job-handlers.ts";
import { exportRoutes } from "./exports/routes.ts";
import { enqueueRecurring } from "./jobs/jobs.ts";
import { JobRunner } from "./jobs/runner.ts";
import { cardAt, cardRoutes } from "./feeds/cards.ts";
import { embedRoutes } from "./feeds/embed.ts";
import { noteHub } from "./feeds/hub.ts";
import { feedRoutes } from "./feeds/routes.ts";
import { securityContact } from "./feeds/security-contact.ts";
import { siteMapRoutes } from "./feeds/site-map.ts";
import { Bus } from "./live/bus.ts";
import { endedSessions } from "./live/signals.ts";
import { cursorNow, signalForeignWrites } from "./live/event-log.ts";
import { WritingPresence } from "./live/writing-presence.ts";
import { Presence } from "./live/presence.ts";
import { BoundedSocket } from "./live/bounded-socket.ts";
import { closeSocketsOnStop, SessionConnections } from "./live/session-connections.ts";
import { answerLog, openLog } from "./log.ts";
import { callOf, watchLoop } from "./loop-watch.ts";
import { EventDispatcher } from "./live/event-dispatcher.ts";
import { Mailer } from "./mail/mailer.ts";
import { mediaRoutes } from "./media/routes.ts";
import { EmbedCards } from "./blogs/embed-cards.ts";
import { ForeignPictures } from "./media/foreign.ts";
import { SignedAddresses } from "./media/signed.ts";
import { MediaStore } from "./media/store.ts";
import { DiskWatch } from "./moderation/disk.ts";
import { unsubscribeRoutes } from "./notifications/unsubscribe-routes.ts";
import { SignalCache } from "./live/signal-cache.ts";
import { registerPages } from "./pages/pages.ts";
import { Pushes } from "./push/pushes.ts";
import { Temporary } from "./temporary.ts";
import { LimitedAccounts } from "./users/limited-accounts.ts";
import { Workers } from "./workers/pool.ts";
import { openReaders, type Readers } from "./workers/readers.ts";
import { projectRoot } from "./project-root.ts";
import { KeptLists } from "./rest/kept-lists.ts";
import { restScope } from "./rest/scope.ts";
import { traceRequests } from "./request-spans.ts";
import { appRouter } from "./router.ts";
import { schemaController } from "./schemas.ts";
import { securityHeaders } from "./security-headers.ts";
import { openTracing, traceWrites } from "./tracing.ts";
import { trpcRoutes } from "./trpc-routes.ts";
import { knownPerson } from "./users/service.ts";
import { googleRoutes } from "./users/google-routes.ts";
import { siteSheet } from "./users/sheet.ts";
import { followSiteName } from "./users/site.ts";

/** How long a request under way may hold up the end. */
const mostPatience = 3_000;

export interface App {
  server: FastifyInstance;
  parts: Parts;
  sockets: SessionConnections;
  /** Stops listening, closes sockets within a second, waits for the writes under way. */
  close: () => Promise<void>;
}

/**
 * Builds the whole server from its settings, its store migrated; `listen` is the caller's. Tests build it as `main.ts`
 * does, but for:
 * - `mayReach`: where pictures and cards are fetched from and pushes sent to;
 * - `asked`: what stands for the places of cards;
 * - `presence` and `writingPresence`: their times;
 * - `arrivals`: the times that a request has;
 * - `workers` and `readers`: threads that several servers share, and that none of them closes.
 */
export async function buildApp(
  config: Config,
  options: {
    dev?: boolean;
    onDamage?: (error: unknown) => void;
    mayReach?: (address: string) => boolean;
    asked?: (address: string) => string;
    presence?: ConstructorParameters<typeof Presence>[1];
    writingPresence?: ConstructorParameters<typeof WritingPresence>[2];
    arrivals?: Partial<ArrivalBounds>;
    workers?: Workers;
    readers?: Readers;
  } = {},
): Promise<App> {
  const headers = await securityHeaders(config, options.dev ?? false);
  const introduce = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(headers).header("x-request-id", request.id);
  const server = Fastify({
    loggerInstance: await openLog(config),
    // `answerLog` does it.
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    // The proxy alone: what stood in the header before is whatever the client wrote there.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    schemaController,
    bodyLimit: limits.body.json,
    // The longest that any may take to arrive: most are ended long before, by `boundArrivals`.
    requestTimeout: longestArrival,
    forceCloseConnections: "idle",
    // A batch of calls is one long path parameter.
    routerOptions: { maxParamLength: 5_000 },
    rewriteUrl: ({ url = "/" }) => pathOf(url),
    http: { requireHostHeader: false, headersTimeout: 60_000 },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, headers),
    frameworkErrors: (error, request, reply) =>
      void answerUnroutable(error, request, introduce(request, reply), answerPage),
  });
  const { parts, sockets } = await openParts(config, server, options);
  const noteArrival = boundArrivals(server.server, options.arrivals);
  let closing = false;

  // Node's own answer to this would have no header of ours.
  server.server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    request.headers.expect = "unknown";
    server.routing(request, response);
  });
  server.addHook("onRequest", (request, reply, done) => {
    void introduce(request, reply);
    noteArrival(request.raw);
    done(refusalOf(request.raw));
  });
  // Its library takes 20 MB: it is loaded where somebody may ask for the numbers.
  const measures = config.metrics.token ? new (await import("./measures.ts")).Measures() : undefined;
  const logAnswer = answerLog(config.log, callOf);
  const traceAnswer = parts.tracing && traceRequests(server, parts.tracing);
  watchLoop(
    server,
    (held) => {
      measures?.countHeld(held.milliseconds);
      if (held.milliseconds >= config.log.heldFrom) parts.log.warn(held, "the thread was held");
    },
    (...answer) => {
      measures?.answered(...answer);
      logAnswer(...answer);
      traceAnswer?.(...answer);
    },
  );
  countBodies(server, parts.bytes.memory);
  compressAnswers(server);
  await server.register(fastifyStatic, { root: path.join(projectRoot, "dist/client"), serve: false });
  await server.register(websocket, {
    options: { maxPayload: limits.live.message, perMessageDeflate: false, WebSocket: BoundedSocket as never },
    // Closing is endSockets' own.
    preClose: (done) => done(),
  });
  closeSocketsOnStop(server, sockets);
  server.websocketServer.on("wsClientError", (error, socket) =>
    answerMalformed(error, socket as Socket, headers),
  );
  server.setErrorHandler(answerError);

  await followSiteName(parts);
  await noteHub(parts);
  await pullDatesBack(parts, Date.now());
  // What reads is opened now: later there may be no more files to open.
  await parts.database.snapshot(cursorNow);
  const takesWrites = writeProbe(parts.database);
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    if (closing) return reply.code(503).send({ status: "closing" });
    await cursorNow(parts.database.read);
    if (!(await takesWrites())) return reply.code(503).send({ status: "cannot write" });
    return { status: "ready" };
  });
  if (measures) {
    const { metricsRoute } = await import("./metrics.ts");
    metricsRoute(server, { parts, sockets, measures, answerPage: () => answerPage });
  }
  await server.register(async (scope) => mediaRoutes(scope, parts));
  await server.register(async (scope) => importRoutes(scope, parts));
  await server.register(async (scope) => trpcRoutes(scope, parts, sockets));
  await server.register(async (scope) => googleRoutes(scope, parts));
  await server.register(async (scope) => unsubscribeRoutes(scope, parts));
  await server.register(async (scope) => exportRoutes(scope, parts));
  await server.register(async (scope) => feedRoutes(scope, parts));
  await server.register(async (scope) => siteMapRoutes(scope, parts));
  await server.register(async (scope) => embedRoutes(scope, parts));
  await server.register(async (scope) => cardRoutes(scope, parts));
  securityContact(server, parts);
  await server.register(async (scope) => restScope(scope, parts), { prefix: "/api/v1" });
  const answerPage = await registerPages(server, {
    router: appRouter,
    tokenOf: parts.sessions.fromCookie,
    contextFor: (request, reply) => contextOfRequest(parts, request, reply, "local"),
    bus: parts.bus,
    measures,
    tracing: parts.tracing,
    aliasOf: addressOfAlias,
    cardAt: (card) => cardAt(parts, card),
    sheetNamed: (hash) => siteSheet(parts, hash),
    config,
    dev: options.dev ?? false,
    root: projectRoot,
  });

  const stopWatchingDisk = await new DiskWatch().start(parts);
  // Where the disk is full, what is stored can still be read.
  await enqueueRecurring(parts, jobHandlers).catch((error: unknown) =>
    parts.log.error({ err: error }, "recurring jobs could not be stored; the next start tries again"),
  );
  const jobs = new JobRunner(parts, jobHandlers);
  const leaving = new AbortController();
  const adopting = adoptForeignPictures(parts, leaving.signal).catch((error: unknown) =>
    parts.log.error(
      { err: error },
      "pictures from elsewhere could not be brought in; the next start tries again",
    ),
  );
  const stopSignals = signalForeignWrites(
    parts.database,
    (topics) => {
      parts.bus.signal(topics);
      parts.sessions.closed(endedSessions(topics));
    },
    (error) => parts.log.error({ err: error }, "looking for other processes' writes failed"),
  );
  const close = async () => {
    closing = true;
    stopWatchingDisk();
    stopSignals();
    // Half a request can be under way for as long as somebody likes.
    const cut = setTimeout(() => server.server.closeAllConnections(), mostPatience);
    await server.close();
    clearTimeout(cut);
    leaving.abort();
    parts.media.close();
    await adopting;
    await jobs.stop(mostPatience);
    if (!options.workers) await parts.workers.close();
    if (!options.readers) await parts.readers.close();
    parts.mailer.close();
    await parts.database.close();
    await parts.tracing?.close();
  };
  return { server, parts, sockets, close };
}

async function openParts(
  config: Config,
  server: FastifyInstance,
  {
    onDamage,
    mayReach,
    asked,
    presence,
    writingPresence,
    workers,
    readers,
  }: NonNullable<Parameters<typeof buildApp>[1]>,
): Promise<{ parts: Parts; sockets: SessionConnections }> {
  const { log } = server;
  const bus = new Bus((error) => log.error({ err: error }, "a listener failed"));
  const migrations = path.join(projectRoot, "migrations");
  const signal = (topics: Iterable<string>) => bus.signal(topics);
  const tracing = await openTracing(config, (error) =>
    log.warn({ err: error }, "the collector of traces could not be told; it is tried again"),
  );
  const store = await openForServer({ config, migrations, log, signal }, (error) => {
    log.fatal({ err: error }, "the store is damaged");
    onDamage?.(error);
  });
  const database = traceWrites(store, tracing);
  const sockets = new SessionConnections();
  const rates = new RateLimits(config.rateLimit);
  const parts: Parts = {
    config,
    database,
    bus,
    dispatcher: new EventDispatcher(database, bus, (error, what) => log.error({ err: error }, what)),
    presence: new Presence(bus, presence),
    writingPresence: new WritingPresence(bus, (id) => knownPerson(database.read, id), writingPresence),
    sessions: new Sessions(database, {
      https: config.https,
      onEnd: (hash) => sockets.endSession(hash),
      onError: (error) => log.error({ err: error }, "a session could not be updated"),
    }),
    limits: rates,
    tasks: new Tasks(),
    challenges: new Challenges(),
    google: config.google && new GoogleSignIn(config.google, config.publicUrl),
    mailer: new Mailer(config, log),
    media: new MediaStore(config.mediaDir),
    foreign: new ForeignPictures(config.fetchPictures, mayReach),
    cards: new EmbedCards(config.fetchPictures, { limits: rates, mayReach, asked }),
    pushes: await Pushes.open(database, config, mayReach),
    signed: new SignedAddresses(database),
    workers: workers ?? new Workers(),
    readers: readers ?? openReaders(),
    temporary: new Temporary(config.dataDir),
    sharedReads: new SignalCache<object>(bus, { maxSize: 1_000 }),
    lists: new KeptLists(bus),
    limitedAccounts: new LimitedAccounts(database.read, bus),
    writings: new WritingDocuments(),
    bytes: bytesUnderWay(),
    handlers: jobHandlers,
    tracing,
    log,
  };
  await parts.temporary.sweep();
  return { parts, sockets };
}
