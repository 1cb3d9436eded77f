import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import path from "node:path";
import fastifyStatic from "@fastify/static";
import websocket from "@fastify/websocket";
import { limits } from "../shared/limits.ts";
import { answerUnroutable, pathOf } from "./http/unroutable.ts";
import { answerError } from "./http/answer-error.ts";
import { limitArrivalTimes, maxRequestTime, type RequestTimeouts } from "./http/request-timeouts.ts";
import { answerMalformed } from "./http/malformed.ts";
import { requireSetUp } from "./http/require-set-up.ts";
import { contextOfRequest } from "./http/request-context.ts";
import { addressOfAlias } from "./blogs/aliases.ts";
import { countBodies } from "./http/bodies.ts";
import { compressAnswers } from "./http/compression.ts";
import type { Config } from "./runtime/config.ts";
import type { Services } from "./context.ts";
import { createServices, type ServiceOptions } from "./create-services.ts";
import { storeProbe } from "./database/probe.ts";
import { checkFiles } from "./files/open.ts";
import { importRoutes } from "./imports/routes.ts";
import { openForServer } from "./database/start.ts";
import { pullDatesBack } from "./housekeeping.ts";
import { jobHandlers } from "./job-handlers.ts";
import { exportRoutes } from "./exports/routes.ts";
import { enqueueRecurring } from "./jobs/jobs.ts";
import { JobRunner } from "./jobs/runner.ts";
import { cardPath, cardRoutes } from "./feeds/card-routes.ts";
import { embedRoutes } from "./feeds/embed-routes.ts";
import { liveBlogEmbedRoutes } from "./feeds/live-blog-embed-routes.ts";
import { storeHubState } from "./feeds/websub.ts";
import { storedPublicUrl, storePublicUrl } from "./site/queries.ts";
import { feedOfFormerAddress } from "./feeds/former-addresses.ts";
import { feedRoutes } from "./feeds/routes.ts";
import { securityContact } from "./feeds/security-contact.ts";
import { siteMapRoutes } from "./feeds/site-map-routes.ts";
import { Bus } from "./live/bus.ts";
import { cursorNow, signalForeignWrites } from "./live/event-log.ts";
import { BoundedSocket } from "./live/bounded-socket.ts";
import { closeSocketsOnStop, SessionConnections } from "./live/session-connections.ts";
import { answerLog, openLog } from "./runtime/log.ts";
import { callNamer, watchLoop } from "./runtime/loop-watch.ts";
import { mediaRoutes } from "./media/routes.ts";
import { DiskWatch, diskOf } from "./site/disk.ts";
import { unsubscribeRoutes } from "./notifications/unsubscribe-routes.ts";
import { clientFolder } from "./pages/assets.ts";
import { registerPages } from "./pages/pages.ts";
import { projectRoot } from "./runtime/project-root.ts";
import { registerRestApi } from "./rest/scope.ts";
import { appRouter, largeProcedures, procedureNames } from "./router.ts";
import { withoutSchemaCompilers } from "./http/schema-compilers.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { bodyLimiter, registerTrpc } from "./http/trpc-routes.ts";
import { googleRoutes } from "./sign-in/google-routes.ts";
import { siteSheet } from "./site/texts.ts";
import { needsSetUp, writeSetUpLink } from "./sign-in/set-up.ts";
import { followSiteName } from "./site/info.ts";

import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

/** Milliseconds for which pending requests can delay shutdown. */
const shutdownTimeout = 3_000;

export interface App {
  server: FastifyInstance;
  services: Services;
  sockets: SessionConnections;
  /** Stops listening, closes sockets within a second, and awaits pending writes. */
  close: () => Promise<void>;
}

/** Builds the server and migrates the database; the caller calls `listen`. Only tests set `arrivals` and `ServiceOptions`. */
export async function buildApp(
  config: Config,
  options: {
    dev?: boolean;
    onDamage?: (error: unknown) => void;
    arrivals?: Partial<RequestTimeouts>;
  } & ServiceOptions = {},
): Promise<App> {
  const headers = await securityHeaders(config, options.dev ?? false);
  const setHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    reply.headers(headers).header("x-request-id", request.id);
  const server = Fastify({
    loggerInstance: await openLog(config),
    // `answerLog` does it.
    logController: new Fastify.LogController({ disableRequestLogging: true }),
    // Only the proxy's entry: earlier ones are the client's own.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    schemaController: withoutSchemaCompilers,
    bodyLimit: limits.body.small,
    // The maximum; `limitArrivalTimes` ends most requests earlier.
    requestTimeout: maxRequestTime,
    forceCloseConnections: "idle",
    // A tRPC batch is one long parameter.
    routerOptions: { maxParamLength: 5_000 },
    rewriteUrl: ({ url = "/" }) => pathOf(url),
    http: { headersTimeout: 60_000 },
    clientErrorHandler: (error, socket) => answerMalformed(error, socket, headers),
    frameworkErrors: (error, request, reply) =>
      void answerUnroutable(error, request, setHeaders(request, reply), answerPage),
  });
  const { services, sockets } = await openServices(config, server, options);
  const noteArrival = limitArrivalTimes(server.server, options.arrivals);
  let closing = false;

  server.addHook("onRequest", (request, reply, done) => {
    void setHeaders(request, reply);
    noteArrival(request.raw);
    done();
  });
  // Its library takes 20 MB: only if metrics are on.
  const measures = config.metrics.token
    ? new (await import("./runtime/metric-counters.ts")).MetricCounters()
    : undefined;
  const callOf = callNamer(procedureNames);
  const logAnswer = answerLog(config.log, callOf);
  watchLoop(
    server,
    callOf,
    (blocked) => {
      measures?.countBlocked(blocked.milliseconds);
      if (blocked.milliseconds >= config.log.blockedFromMs)
        services.log.warn(blocked, "requests blocked the event loop");
    },
    (...answer) => {
      measures?.countAnswer(...answer);
      logAnswer(...answer);
    },
  );
  countBodies(server, services, bodyLimiter(largeProcedures));
  compressAnswers(server, ({ ip }, characters) => services.limits.takeForCost(ip, { characters }));
  await server.register(fastifyStatic, { root: clientFolder, serve: false });
  await server.register(websocket, {
    options: { maxPayload: limits.live.message, perMessageDeflate: false, WebSocket: BoundedSocket as never },
    // endSockets closes them.
    preClose: (done) => done(),
  });
  closeSocketsOnStop(server, sockets);
  server.websocketServer.on("wsClientError", (error, socket) =>
    answerMalformed(error, socket as Socket, headers),
  );
  server.setErrorHandler(answerError);

  if (config.setUpByLink) requireSetUp(server, () => needsSetUp(services));
  await writeSetUpLink(services);
  await followSiteName(services);
  await storeHubState(services);
  // With a full disk, the site can still be read.
  await storeAddress(services).catch((error: unknown) =>
    services.log.warn(
      { err: error },
      "the site’s address could not be stored: commands may print links with another one",
    ),
  );
  await pullDatesBack(services, Date.now());
  // Opens the read connections while there are file descriptors left.
  await services.database.snapshot(cursorNow);
  const probe = storeProbe(services.database, cursorNow);
  server.get("/healthz", async () => ({ status: "ok" }));
  server.get("/readyz", async (_request, reply) => {
    if (closing) return reply.code(503).send({ status: "closing" });
    const status = await probe();
    return reply.code(status === "ready" ? 200 : 503).send({ status });
  });
  if (measures) {
    const { metricsRoute } = await import("./runtime/metrics-endpoint.ts");
    metricsRoute(server, { services, sockets, measures, diskOf, answerPage: () => answerPage });
  }
  await server.register(async (scope) => mediaRoutes(scope, services));
  await server.register(async (scope) => importRoutes(scope, services));
  await server.register(async (scope) => registerTrpc(scope, services, sockets, appRouter));
  await server.register(async (scope) => googleRoutes(scope, services));
  await server.register(async (scope) => unsubscribeRoutes(scope, services));
  await server.register(async (scope) => exportRoutes(scope, services));
  await server.register(async (scope) => feedRoutes(scope, services));
  await server.register(async (scope) => siteMapRoutes(scope, services));
  await server.register(async (scope) => embedRoutes(scope, services));
  await server.register(async (scope) => liveBlogEmbedRoutes(scope, services, options.dev ?? false));
  await server.register(async (scope) => cardRoutes(scope, services));
  securityContact(server, services);
  await server.register(async (scope) => registerRestApi(scope, services));
  const answerPage = await registerPages(server, {
    router: appRouter,
    tokenOf: services.sessions.fromCookie,
    contextFor: (request, reply) => contextOfRequest(services, request, reply, "local"),
    bus: services.bus,
    measures,
    aliasOf: addressOfAlias,
    feedOfFormerAddress,
    cardAt: (card) => cardPath(services, card),
    sheetNamed: (hash) => siteSheet(services, hash),
    config,
    dev: options.dev ?? false,
  });

  const stopWatchingDisk = await new DiskWatch().start(services);
  // With a full disk, the site can still be read.
  await enqueueRecurring(services, jobHandlers).catch((error: unknown) =>
    services.log.error({ err: error }, "recurring jobs could not be stored; the next start tries again"),
  );
  const jobs = new JobRunner(services, jobHandlers);
  const stopSignals = signalForeignWrites(services.database, services.bus, (error) =>
    services.log.error({ err: error }, "changes by other processes could not be read"),
  );
  services.servers.start();
  const close = async () => {
    closing = true;
    stopWatchingDisk();
    stopSignals();
    // A client can keep half a request open.
    const timer = setTimeout(() => server.server.closeAllConnections(), shutdownTimeout);
    await server.close();
    clearTimeout(timer);
    services.media.close();
    await jobs.stop(shutdownTimeout);
    if (!options.workers) await services.workers.close();
    if (!options.readers) await services.readers.close();
    services.mailer.close();
    await services.servers.close();
    await services.database.close();
  };
  return { server, services, sockets, close };
}

/** Migrates and opens the database, and creates the services. */
async function openServices(
  config: Config,
  { log }: FastifyInstance,
  options: NonNullable<Parameters<typeof buildApp>[1]>,
): Promise<{ services: Services; sockets: SessionConnections }> {
  const bus = new Bus((error) => log.error({ err: error }, "a live update failed"));
  const migrations = path.join(projectRoot, "migrations");
  const signal = (topics: Iterable<string>) => bus.signal(topics);
  await checkFiles(config);
  const database = await openForServer({ config, migrations, log, signal }, (error) => {
    log.fatal({ err: error }, "the database is damaged");
    options.onDamage?.(error);
  });
  const sockets = new SessionConnections(bus);
  const services = await createServices({ config, database, bus, log }, options);
  await services.temporary.sweep(Date.now());
  return { services, sockets };
}

/** Stores the server's address for commands. */
async function storeAddress({ config: { publicUrl }, database }: Services): Promise<void> {
  if ((await storedPublicUrl(database.read)) !== publicUrl)
    await database.write((tx) => storePublicUrl(tx, publicUrl));
}
