import { Counter, Histogram, Registry } from "prom-client";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Upper ends of the times that are told apart, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** What the server counts of itself while it works, for `/metrics` (metrics.ts). */
export class Measures {
  readonly registry = new Registry();
  readonly drawn = new Histogram({
    ...this.of("page_draw_seconds", "To draw a page on the server."),
    buckets,
  });
  readonly #times = new Histogram({
    ...this.of("http_request_seconds", "From a request to the end of its answer."),
    buckets,
  });
  readonly #answers = new Counter({
    ...this.of("http_requests_total", "Answers by route and status."),
    labelNames: ["route", "status"],
  });
  readonly #pages = new Counter({
    ...this.of("page_cache_total", "Guests' pages by whether they were finished before."),
    labelNames: ["outcome"],
  });
  readonly #held = new Counter(
    this.of("thread_held_total", "Stretches of over 50 ms in which requests held the thread."),
  );
  readonly #heldSeconds = new Counter(this.of("thread_held_seconds_total", "How long those were."));

  constructor() {
    for (const outcome of ["found", "missed"]) this.#pages.inc({ outcome }, 0);
  }

  /** Returns what each metric of the server begins with. */
  of(name: string, help: string): { name: string; help: string; registers: [Registry] } {
    return { name: `reprise_${name}`, help, registers: [this.registry] };
  }

  /** Counts an answer, once its connection is done with it, `milliseconds` after the request came. */
  answered({ routeOptions }: FastifyRequest, { raw }: FastifyReply, milliseconds: number): void {
    // Some requests match no route, and some clients leave before their answer.
    const [route, status] = [routeOptions.url ?? "", raw.headersSent ? raw.statusCode : 499];
    this.#answers.inc({ route, status });
    this.#times.observe(milliseconds / 1_000);
  }

  /** Counts a guest's page: one that was finished before, or one that has to be drawn. */
  countPage(outcome: "found" | "missed"): void {
    this.#pages.inc({ outcome });
  }

  /** Counts a stretch in which requests held the thread. */
  countHeld(milliseconds: number): void {
    this.#held.inc();
    this.#heldSeconds.inc(milliseconds / 1_000);
  }
}
