import { Counter, Histogram, Registry } from "prom-client";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Upper bounds in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** The server's counters for `/metrics` (metrics-endpoint.ts). */
export class MetricCounters {
  readonly registry = new Registry();
  readonly renderSeconds = new Histogram({
    ...this.of("page_draw_seconds", "Seconds to render a page on the server."),
    buckets,
  });
  readonly #times = new Histogram({
    ...this.of("http_request_seconds", "Seconds from a request to the end of its response."),
    buckets,
  });
  readonly #answers = new Counter({
    ...this.of("http_requests_total", "Responses by route and status."),
    labelNames: ["route", "status"],
  });
  readonly #pages = new Counter({
    ...this.of("page_cache_total", "Pages for guests, by whether the cache had them."),
    labelNames: ["outcome"],
  });
  readonly #blocked = new Counter(
    this.of("thread_held_total", "Times that requests blocked the event loop for over 50 ms."),
  );
  readonly #blockedSeconds = new Counter(
    this.of(
      "thread_held_seconds_total",
      "Seconds in which requests blocked the event loop for over 50 ms at a time.",
    ),
  );

  constructor() {
    for (const outcome of ["found", "missed"]) this.#pages.inc({ outcome }, 0);
  }

  of(name: string, help: string): { name: string; help: string; registers: [Registry] } {
    return { name: `reprise_${name}`, help, registers: [this.registry] };
  }

  countAnswer({ routeOptions }: FastifyRequest, { raw }: FastifyReply, milliseconds: number): void {
    // No route matched, or the client left early.
    const [route, status] = [routeOptions.url ?? "", raw.headersSent ? raw.statusCode : 499];
    this.#answers.inc({ route, status });
    this.#times.observe(milliseconds / 1_000);
  }

  countPage(outcome: "found" | "missed"): void {
    this.#pages.inc({ outcome });
  }

  countBlocked(milliseconds: number): void {
    this.#blocked.inc();
    this.#blockedSeconds.inc(milliseconds / 1_000);
  }
}
