import type { FastifyReply, FastifyRequest } from "fastify";

/** Upper ends of the times that are told apart, in seconds. */
export const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Times that something took, counted by how long. */
export class Times {
  /** By the bounds, with one more for what is longer. */
  readonly counts = new Float64Array(bounds.length + 1);
  sum = 0;

  add(milliseconds: number): void {
    const seconds = milliseconds / 1_000;
    let at = 0;
    while (at < bounds.length && seconds > bounds[at]!) at++;
    this.counts[at]! += 1;
    this.sum += seconds;
  }
}

/**
 * What the server counts of itself while it works: plain numbers, since no request is to feel it. They are read where
 * somebody asks for `/metrics` (metrics.ts).
 */
export class Measures {
  /** Answers by route and status. */
  readonly answers = new Map<string, Map<number, number>>();
  readonly times = new Times();
  readonly drawn = new Times();
  readonly kept = { found: 0, missed: 0 };
  /** Stretches in which requests held the thread for long. */
  readonly held = { count: 0, seconds: 0 };

  /** Counts an answer, once its connection is done with it, `milliseconds` after the request came. */
  answered(request: FastifyRequest, { raw }: FastifyReply, milliseconds: number): void {
    // What no route took has none.
    const route = request.routeOptions.url ?? "";
    let statuses = this.answers.get(route);
    if (!statuses) this.answers.set(route, (statuses = new Map()));
    // Who asked may have gone before.
    const status = raw.headersSent ? raw.statusCode : 499;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    this.times.add(milliseconds);
  }
}
