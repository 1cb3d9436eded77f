import { hash, timingSafeEqual } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge } from "prom-client";
import type { AnswerPage } from "../http/unroutable.ts";
import type { Services } from "../context.ts";
import { countJobs } from "../jobs/queries.ts";
import type { SessionConnections } from "../live/session-connections.ts";
import type { diskOf } from "../site/disk.ts";
import type { MetricCounters } from "./metric-counters.ts";

interface Metered {
  services: Services;
  sockets: SessionConnections;
  measures: MetricCounters;
  diskOf: typeof diskOf;
  /** For unauthorized requests, as if there were no route. */
  answerPage: () => AnswerPage;
}

/** Serves metrics for Prometheus to requests with the token. */
export function metricsRoute(server: FastifyInstance, metered: Metered): void {
  const { token } = metered.services.config.metrics;
  addNumbers(metered);
  server.get("/metrics", async (request, reply) => {
    if (!hasToken(request, token)) return metered.answerPage()(request, reply);
    const { registry } = metered.measures;
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}

/** Returns whether a request has the token. Local requests need it, too: a proxy that forwards no address looks local. */
function hasToken({ headers }: FastifyRequest, token: string | undefined): boolean {
  const requestToken = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  if (token === undefined || requestToken === undefined) return false;
  return timingSafeEqual(hash("sha256", requestToken, "buffer"), hash("sha256", token, "buffer"));
}

type Sample = [value: number, labels?: Record<string, string>];

/** Adds metrics that are read on request. */
function addNumbers({ services, sockets, measures, diskOf: findDisk }: Metered): void {
  const { database, media, dispatcher } = services;
  const gauge = (name: string, help: string, find: () => number | Promise<number>) =>
    gauges(name, help, [], async () => [[await find()]]);
  const gauges = (name: string, help: string, labelNames: string[], find: () => Promise<Sample[]>) =>
    new Gauge({
      ...measures.of(name, help),
      labelNames,
      async collect() {
        const samples = await find();
        this.reset();
        for (const [value, labels = {}] of samples) this.set(labels, value);
      },
    });
  /** Totals counted elsewhere. */
  const totals = (name: string, help: string, labelNames: string[], find: () => Sample[]) =>
    new Counter({
      ...measures.of(name, help),
      labelNames,
      collect() {
        this.reset();
        for (const [value, labels = {}] of find()) this.inc(labels, value);
      },
    });

  gauge("streams", "Open live connections.", () => sockets.limits.count);
  gauge("writes_waiting", "Database writes in the queue.", () => database.writes().waiting);
  gauge(
    "event_lag_seconds",
    "Seconds from the newest dispatched commit to its last reader.",
    () => dispatcher.lag / 1_000,
  );
  gauge("pictures_at_work", "Pictures being processed.", () => media.runningCount);
  gauge(
    "disk_free_bytes",
    "Free bytes on the disk of the data folder.",
    async () => (await findDisk(services)).free,
  );
  gauge(
    "disk_low",
    "1 if the disk has so little space left that administrators are warned, otherwise 0.",
    async () => ((await findDisk(services)).isLow ? 1 : 0),
  );
  gauge(
    "start_time_seconds",
    "Unix time at which the process started.",
    () => performance.timeOrigin / 1_000,
  );
  gauges("memory_bytes", "Memory of the process, by kind.", ["kind"], async () => {
    const { rss, heapUsed, external } = process.memoryUsage();
    return [
      [rss, { kind: "resident" }],
      [heapUsed, { kind: "heap" }],
      [external, { kind: "external" }],
    ];
  });
  gauges("store_bytes", "Size of the database and of its write-ahead log.", ["file"], async () =>
    Object.entries(await database.sizes()).map(([file, bytes]) => [bytes, { file }]),
  );
  gauges("jobs", "Jobs by name, waiting or failed for good.", ["name", "state"], async () =>
    (await countJobs(database.read)).map(({ name, failed, count }) => [
      count,
      { name, state: failed ? "failed" : "waiting" },
    ]),
  );
  totals("writes_total", "Committed database writes.", [], () => [[database.writes().stored]]);
  totals("event_loop_busy_seconds_total", "Seconds in which the event loop was busy.", [], () => [
    [performance.eventLoopUtilization().active / 1_000],
  ]);
  totals("cpu_seconds_total", "Processor time of the process in seconds, by mode.", ["mode"], () => {
    const { user, system } = process.cpuUsage();
    return [
      [user / 1e6, { mode: "user" }],
      [system / 1e6, { mode: "system" }],
    ];
  });
}
