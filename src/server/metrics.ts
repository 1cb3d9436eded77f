import { hash, timingSafeEqual } from "node:crypto";
import { stat } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Metric } from "prom-client";
import type { AnswerPage } from "./addresses.ts";
import type { Parts } from "./context.ts";
import { countJobs } from "./jobs/queries.ts";
import type { Sockets } from "./live/socket.ts";
import { diskOf } from "./moderation/disk.ts";
import { bounds, type Measures, type Times } from "./measures.ts";

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
  let text: (() => Promise<string>) | undefined;
  server.get("/metrics", async (request, reply) => {
    if (!mayAsk(request, token)) return metered.answerPage()(request, reply);
    // Nobody waits for the library before the first who asks.
    text ??= await registered(metered);
    return reply
      .header("cache-control", "no-store")
      .type("text/plain; version=0.0.4; charset=utf-8")
      .send(await text());
  });
}

/**
 * Who has the token that is set. Without one nobody: a proxy on this machine that says nothing of whom it asks for looks like
 * somebody on it.
 */
function mayAsk({ headers }: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
  if (token === undefined || given === undefined) return false;
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", token, "buffer"));
}

interface Sample {
  value: number;
  labels?: Record<string, string | number>;
  /** Where it is another than the metric's own. */
  metricName?: string;
}

const one = (value: number): Sample[] => [{ value }];

/** Every number, with how it is found when somebody asks. */
function numbers({ parts, sockets, measures }: Metered) {
  const { database, media, tail } = parts;
  const memory = () => process.memoryUsage();
  const cpu = () => process.cpuUsage();
  const labelled = (values: Record<string, number>, label: string): Sample[] =>
    Object.entries(values).map(([name, value]) => ({ value, labels: { [label]: name } }));
  return {
    counter: {
      http_requests_total: [
        "Answers by route and status.",
        () =>
          [...measures.answers].flatMap(([route, statuses]) =>
            [...statuses].map(([status, value]) => ({ value, labels: { route, status } })),
          ),
      ],
      page_cache_total: [
        "Guests' pages by whether they were finished before.",
        () => labelled({ found: measures.kept.found, missed: measures.kept.missed }, "outcome"),
      ],
      thread_held_total: [
        "Stretches of over 50 ms in which requests held the thread.",
        () => one(measures.held.count),
      ],
      thread_held_seconds_total: ["How long those were.", () => one(measures.held.seconds)],
      event_loop_busy_seconds_total: [
        "How long the event loop was at work.",
        () => one(performance.eventLoopUtilization().active / 1_000),
      ],
      writes_total: ["Writes that were stored.", () => one(database.writes().stored)],
      cpu_seconds_total: [
        "Processor time of the whole process.",
        () => labelled({ user: cpu().user / 1e6, system: cpu().system / 1e6 }, "mode"),
      ],
    },
    gauge: {
      streams: ["Pages that listen.", () => one(sockets.crowd.lines)],
      writes_waiting: ["Writes that wait for their turn.", () => one(database.writes().waiting)],
      event_lag_seconds: [
        "From a commit to its last hearer, for the newest that was told.",
        () => one(tail.lag / 1_000),
      ],
      pictures_at_work: ["Pictures that are worked on.", () => one(media.atWork)],
      jobs: [
        "Jobs by name, waiting or given up.",
        async () =>
          (await countJobs(database.read)).map(({ name, failed, count }) => ({
            value: count,
            labels: { name, state: failed ? "failed" : "waiting" },
          })),
      ],
      memory_bytes: [
        "Memory of the process.",
        () =>
          labelled({ resident: memory().rss, heap: memory().heapUsed, external: memory().external }, "kind"),
      ],
      store_bytes: [
        "The store and the log beside it.",
        async () =>
          labelled({ store: await sizeOf(database.file), log: await sizeOf(`${database.file}-wal`) }, "file"),
      ],
      disk_free_bytes: [
        "Room left on the disk of the data folder.",
        async () => one((await diskOf(parts)).free),
      ],
      disk_low: [
        "1 where that is less than administrators are warned at.",
        async () => one((await diskOf(parts)).isLow ? 1 : 0),
      ],
      start_time_seconds: ["When the process began.", () => one(performance.timeOrigin / 1_000)],
    },
    histogram: {
      http_request_seconds: [
        "From a request to the end of its answer.",
        () => asBuckets("http_request_seconds", measures.times),
      ],
      page_draw_seconds: [
        "To draw a page on the server.",
        () => asBuckets("page_draw_seconds", measures.drawn),
      ],
    },
  } satisfies Record<string, Record<string, [help: string, find: () => Sample[] | Promise<Sample[]>]>>;
}

const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => undefined))?.size ?? 0;

const prefix = "reprise_";

function asBuckets(name: string, { counts, sum }: Times): Sample[] {
  let count = 0;
  const buckets = [...bounds, "+Inf"].map((le, at) => ({
    metricName: `${prefix}${name}_bucket`,
    labels: { le },
    value: (count += counts[at] ?? 0),
  }));
  return [
    ...buckets,
    { metricName: `${prefix}${name}_sum`, value: sum },
    { metricName: `${prefix}${name}_count`, value: count },
  ];
}

async function registered(metered: Metered): Promise<() => Promise<string>> {
  const { Registry } = await import("prom-client");
  const registry = new Registry();
  for (const [type, metrics] of Object.entries(numbers(metered)))
    for (const [own, [help, find]] of Object.entries(metrics)) {
      const name = prefix + own;
      // As the library's own metrics are read; ours are counted elsewhere.
      const get = async () => ({ name, help, type, aggregator: "sum", values: await find() });
      registry.registerMetric({ name, help, type, get } as unknown as Metric);
    }
  return () => registry.metrics();
}
