import { Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

const { body } = limits;

/** Bounds the bytes of all pending large bodies, in memory or on disk. Small ones always pass. */
export class PendingBytes {
  readonly #most: number;
  readonly #held = new Map<FastifyReply, number>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get total(): number {
    return this.#total;
  }

  /** Throws `unavailable` if a body would exceed the bound, before it is read. */
  expect(bytes: number): void {
    if (bytes > body.small && this.#total + bytes > this.#most)
      throw new AppError(
        "unavailable",
        "The site is receiving too much right now. Please try again in a moment.",
        { retryAfter: 5 },
      );
  }

  /** Counts received bytes until the response ends. Throws `unavailable` beyond the bound. */
  add(reply: FastifyReply, bytes: number): void {
    const held = this.#held.get(reply);
    const now = (held ?? 0) + bytes;
    if (now > body.small) this.expect(Math.max(bytes, body.small + 1));
    if (held === undefined) reply.raw.once("close", () => this.#release(reply));
    this.#held.set(reply, now);
    this.#total += bytes;
  }

  #release(reply: FastifyReply): void {
    this.#total -= this.#held.get(reply) ?? 0;
    this.#held.delete(reply);
  }
}

export const createPendingBytes = () => ({
  memory: new PendingBytes(body.underWay.memory),
  disk: new PendingBytes(body.underWay.disk),
});

const isForm = ({ headers }: FastifyRequest) => /^multipart\/form-data/i.test(headers["content-type"] ?? "");

/** Counts bodies read into memory, with a timeout. Form handlers count theirs. */
export function countBodies(server: FastifyInstance, bytes: PendingBytes): void {
  // Drains a refused body, since the connection's next request follows it.
  server.addHook("onResponse", (request, _reply, done) => {
    if (!request.raw.readableEnded) request.raw.unpipe().resume();
    done();
  });
  server.addHook("preParsing", (request, reply, payload, done) => {
    const { "content-length": said, "transfer-encoding": inParts } = request.headers;
    const length = Number(said ?? 0);
    if (isForm(request) || (length <= body.small && inParts === undefined)) return done();
    try {
      bytes.expect(Math.min(length, request.routeOptions.bodyLimit));
    } catch (error) {
      return done(error as AppError);
    }
    const counted = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        try {
          bytes.add(reply, chunk.length);
          next(null, chunk);
        } catch (error) {
          next(error as AppError);
        }
      },
    });
    const late = setTimeout(() => {
      void reply.header("connection", "close");
      counted.destroy(tooSlow());
    }, body.patience);
    // Its reader may be gone.
    counted.on("error", () => undefined);
    counted.once("close", () => clearTimeout(late));
    reply.raw.once("close", () => counted.destroy());
    payload.once("error", (error) => counted.destroy(error));
    payload.once("close", () => {
      if (!payload.readableEnded) counted.destroy(cutOff());
    });
    done(null, payload.pipe(counted));
  });
}

const refusal = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });
const tooSlow = () => refusal(408, "This took too long to arrive. Please send it again.");
const cutOff = () => refusal(400, "This did not arrive completely. Please send it again.");
