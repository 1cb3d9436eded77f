import { Transform } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { addressKeys } from "../auth/rate-limits.ts";
import type { Services } from "../context.ts";
import { bearerOf } from "./request-context.ts";

const { body } = limits;

/** Whom a body counts for: a member's account and the keys of the address. */
type Sender = readonly { key: string; times: number }[];

export const senderOf = (accountId: string, address: string): Sender => [
  { key: accountId, times: 1 },
  // Several people can share an address.
  ...addressKeys(address).map(({ key, times }) => ({ key, times: 2 * times })),
];

/** The part of all bytes that one account may use, beside a single body; an address twice that. */
const share = 1 / 4;

/** Bounds the bytes of members' pending large bodies, in memory or on disk: of all, and of each sender. Small ones always pass. */
export class PendingBytes {
  readonly #maxTotal: number;
  readonly #bytesByReply = new Map<FastifyReply, number>();
  readonly #bytesByKey = new Map<string, number>();
  #total = 0;

  constructor(maxTotal: number) {
    this.#maxTotal = maxTotal;
  }

  get total(): number {
    return this.#total;
  }

  /** Throws `unavailable` or `too_many` if a body would exceed a bound, before it is read. `received`: its bytes so far. */
  expect(sender: Sender, bytes: number, received = 0): void {
    if (bytes <= body.small) return;
    if (this.#total - received + bytes > this.#maxTotal)
      throw new AppError(
        "unavailable",
        "The site is receiving too much right now. Please try again in a moment.",
        { retryAfter: 5 },
      );
    for (const { key, times } of sender) {
      const others = (this.#bytesByKey.get(key) ?? 0) - received;
      if (others > body.small && others + bytes > times * share * this.#maxTotal)
        throw new AppError("too_many", "You are sending too much at once. Please try again in a moment.", {
          retryAfter: 5,
        });
    }
  }

  /** Counts received bytes until the response ends. Throws as `expect` does. */
  add(reply: FastifyReply, sender: Sender, bytes: number): void {
    const received = this.#bytesByReply.get(reply);
    this.expect(sender, (received ?? 0) + bytes, received);
    if (received === undefined)
      reply.raw.once("close", () => {
        this.#count(sender, -(this.#bytesByReply.get(reply) ?? 0));
        this.#bytesByReply.delete(reply);
      });
    this.#bytesByReply.set(reply, (received ?? 0) + bytes);
    this.#count(sender, bytes);
  }

  #count(sender: Sender, bytes: number): void {
    this.#total += bytes;
    for (const { key } of sender) {
      const sum = (this.#bytesByKey.get(key) ?? 0) + bytes;
      if (sum > 0) this.#bytesByKey.set(key, sum);
      else this.#bytesByKey.delete(key);
    }
  }
}

export const createPendingBytes = () => ({
  memory: new PendingBytes(body.underWay.memory),
  disk: new PendingBytes(body.underWay.disk),
});

const isForm = ({ headers }: FastifyRequest) => /^multipart\/form-data/i.test(headers["content-type"] ?? "");

/**
 * Bounds bodies read into memory, and their time. Form handlers count theirs. A guest's never need more than a small one has, so
 * that they need no bound together; `maxBodyOf` returns how large a member's may be.
 */
export function countBodies(
  server: FastifyInstance,
  { bytes, sessions }: Pick<Services, "bytes" | "sessions">,
  maxBodyOf: (request: FastifyRequest) => number,
): void {
  // Drains a refused body, since the connection's next request follows it.
  server.addHook("onResponse", (request, _reply, done) => {
    if (!request.raw.readableEnded) request.raw.unpipe().resume();
    done();
  });
  server.addHook("preParsing", async (request, reply, payload) => {
    const { headers, ip } = request;
    const length = Number(headers["content-length"] ?? 0);
    if (isForm(request) || (length <= body.small && headers["transfer-encoding"] === undefined))
      return payload;
    const member = await sessions.find(bearerOf(headers) ?? sessions.fromCookie(headers.cookie));
    const sender = member && senderOf(member.userId, ip);
    const most = sender ? maxBodyOf(request) : body.small;
    if (sender && length > most) throw tooLarge();
    if (sender) bytes.memory.expect(sender, length);
    let received = 0;
    const counter = new Transform({
      transform(chunk: Buffer, _encoding, next) {
        try {
          if ((received += chunk.length) > most) throw tooLarge();
          if (sender) bytes.memory.add(reply, sender, chunk.length);
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
    return payload.pipe(counter);
  });
}

const refusal = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });
const tooLarge = () =>
  Object.assign(refusal(413, "This is too large."), { code: "FST_ERR_CTP_BODY_TOO_LARGE" });
const tooSlow = () => refusal(408, "This took too long to arrive. Please send it again.");
const cutOff = () => refusal(400, "This did not arrive completely. Please send it again.");
