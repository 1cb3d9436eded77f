import { hash, timingSafeEqual } from "node:crypto";
import { stat } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Counter, Gauge } from "prom-client";
import type { AnswerPage } from "./addresses.ts";
import type { Parts } from "./context.ts";
import { countJobs } from "./jobs/queries.ts";
import type { Sockets } from "./live/socket.ts";
import { diskOf } from "./moderation/disk.ts";
import type { Measures } from "./measures.ts";

interface Metered {
  parts: Parts;
  sockets: Sockets;
  measures: Measures;
  /** Answers whoever may not ask: as if there were nothing here. */
  answerPage: () => AnswerPage;
}

/** The numbers of the server for Prometheus, for whoever may ask. */
export function metricsRoute(server: FastifyInstance, metered: Metered): void {
  const { token } = metered.parts.config.metrics;
  addNumbers(metered);
  server.get("/metrics", async (request, reply) => {
    if (!mayAsk(request, token)) return metered.answerPage()(request, reply);
    const { registry } = metered.measures;
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}

/**
 * Tells whether a request has the token that is set. Nearness opens nothing: a proxy on this machine that says nothing of whom it
 * asks for looks like somebody on it.
 */
function mayAsk({ headers }: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  if (token === undefined || given === undefined) return false;
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", token, "buffer"));
}

/** Adds the numbers that are found when somebody asks. */
function addNumbers({ parts, sockets, measures }: Metered): void {
  const { database, media, tail } = parts;
  const gauge = (name: string, help: string, find: () => number | Promise<number>) =>
    new Gauge({
      ...measures.of(name, help),
      async collect() {
        this.set(await find());
      },
    });
  /** A total that is counted elsewhere. */
  const total = (name: string, help: string, find: () => number) =>
    new Counter({
      ...measures.of(name, help),
      collect() {
        this.reset();
        this.inc(find());
      },
    });

  gauge("streams", "Pages that listen.", () => sockets.crowd.lines);
  gauge("writes_waiting", "Writes that wait for their turn.", () => database.writes().waiting);
  gauge(
    "event_lag_seconds",
    "From a commit to its last hearer, for the newest that was told.",
    () => tail.lag / 1_000,
  );
  gauge("pictures_at_work", "Pictures that are worked on.", () => media.atWork);
  gauge(
    "disk_free_bytes",
    "Room left on the disk of the data folder.",
    async () => (await diskOf(parts)).free,
  );
  gauge("disk_low", "1 where that is less than administrators are warned at.", async () =>
    (await diskOf(parts)).isLow ? 1 : 0,
  );
  gauge("start_time_seconds", "When the process began.", () => performance.timeOrigin / 1_000);
  total("writes_total", "Writes that were stored.", () => database.writes().stored);
  total(
    "event_loop_busy_seconds_total",
    "How long the event loop was at work.",
    () => performance.eventLoopUtilization().active / 1_000,
  );
  new Counter({
    ...measures.of("cpu_seconds_total", "Processor time of the whole process."),
    labelNames: ["mode"],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc({ mode: "user" }, user / 1e6);
      this.inc({ mode: "system" }, system / 1e6);
    },
  });
  new Gauge({
    ...measures.of("memory_bytes", "Memory of the process."),
    labelNames: ["kind"],
    collect() {
      const { rss, heapUsed, external } = process.memoryUsage();
      this.set({ kind: "resident" }, rss);
      this.set({ kind: "heap" }, heapUsed);
      this.set({ kind: "external" }, external);
    },
  });
  new Gauge({
    ...measures.of("store_bytes", "The store and the log beside it."),
    labelNames: ["file"],
    async collect() {
      this.set({ file: "store" }, await sizeOf(database.file));
      this.set({ file: "log" }, await sizeOf(`${database.file}-wal`));
    },
  });
  new Gauge({
    ...measures.of("jobs", "Jobs by name, waiting or given up."),
    labelNames: ["name", "state"],
    async collect() {
      const counts = await countJobs(database.read);
      this.reset();
      for (const { name, failed, count } of counts)
        this.set({ name, state: failed ? "failed" : "waiting" }, count);
    },
  });
}

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;
