import { Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

const { body } = limits;

/** Bounds the bytes of all pending large bodies, in memory or on disk. Small ones always pass. */
export class PendingBytes {
  readonly #maxTotal: number;
  readonly #bytesByReply = new Map<FastifyReply, number>();
  #total = 0;

  constructor(maxTotal: number) {
    this.#maxTotal = maxTotal;
  }

  get total(): number {
    return this.#total;
  }

  /** Throws `unavailable` if a body would exceed the bound, before it is read. */
  expect(bytes: number): void {
    if (bytes > body.small && this.#total + bytes > this.#maxTotal)
      throw new AppError(
        "unavailable",
        "The site is receiving too much right now. Please try again in a moment.",
        { retryAfter: 5 },
      );
  }

  /** Counts received bytes until the response ends. Throws `unavailable` beyond the bound. */
  add(reply: FastifyReply, bytes: number): void {
    const previous = this.#bytesByReply.get(reply);
    const current = (previous ?? 0) + bytes;
    if (current > body.small) this.expect(Math.max(bytes, body.small + 1));
    if (previous === undefined) reply.raw.once("close", () => this.#release(reply));
    this.#bytesByReply.set(reply, current);
    this.#total += bytes;
  }

  #release(reply: FastifyReply): void {
    this.#total -= this.#bytesByReply.get(reply) ?? 0;
    this.#bytesByReply.delete(reply);
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
    const { "content-length": contentLength, "transfer-encoding": transferEncoding } = request.headers;
    const length = Number(contentLength ?? 0);
    if (isForm(request) || (length <= body.small && transferEncoding === undefined)) return done();
    try {
      bytes.expect(Math.min(length, request.routeOptions.bodyLimit));
    } catch (error) {
      return done(error as AppError);
    }
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        try {
          bytes.add(reply, chunk.length);
          next(null, chunk);
        } catch (error) {
          next(error as AppError);
        }
      },
    });
    const timer = setTimeout(() => {
      void reply.header("connection", "close");
      counter.destroy(tooSlow());
    }, body.patience);
    // Its reader may be gone.
    counter.on("error", () => undefined);
    counter.once("close", () => clearTimeout(timer));
    reply.raw.once("close", () => counter.destroy());
    payload.once("error", (error) => counter.destroy(error));
    payload.once("close", () => {
      if (!payload.readableEnded) counter.destroy(cutOff());
    });
    done(null, payload.pipe(counter));
  });
}

const refusal = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });
const tooSlow = () => refusal(408, "This took too long to arrive. Please send it again.");
const cutOff = () => refusal(400, "This did not arrive completely. Please send it again.");
