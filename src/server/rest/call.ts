import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { bearerOf, contextOf, goneBefore } from "../asking.ts";
import type { Context, MemberContext, Parts } from "../context.ts";
import { cursorNow } from "../live/event-log.ts";
import { PageCache, sendFinished, type FinishedPage } from "../pages/page-cache.ts";
import { asMember } from "../trpc.ts";
import { inTurn } from "../turns.ts";
import { fieldOf } from "../wording.ts";
import { FailureShape } from "./shapes.ts";

/** What a call is given: its parameters and body, checked, and the request where it has files or conditions. */
interface Given<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Call<C, P, Q, B> {
  summary: string;
  tag: "Accounts" | "Blogs" | "Comments" | "People";
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** Conditions that it heeds, for the document. */
  headers?: z.ZodType;
  /** What the body is for the document where it is a form with files, which the call reads itself. */
  form?: { description: string; shape: z.ZodType };
  description?: string;
  answer: z.ZodType;
  bodyLimit?: number;
  handle: (ctx: C, given: Given<P, Q, B>) => Promise<unknown>;
  /** Of a call whose answer is the same for all guests: the topics whose signals make it old. */
  topics?: (answer: Answer, given: Pick<Given<P, Q, B>, "params" | "query">) => string[];
}

type Answer = Record<string, unknown>;

/** What an answer costs beyond the one point of asking: one for so many letters of it, fifty for the largest. */
const lettersOfPoint = 20_000;

/**
 * Adds calls of /api/v1. Reads take the bearer token, or without an Authorization header the session cookie; writes take the
 * bearer token alone (docs/specification.md, 7.33).
 */
export class Calls {
  readonly #app: FastifyInstance;
  readonly #parts: Parts;
  /** What guests were answered, by the rules of their pages: nothing that was made for somebody is in it. */
  readonly #answers: PageCache;

  constructor(app: FastifyInstance, parts: Parts) {
    this.#app = app;
    this.#parts = parts;
    this.#answers = new PageCache(parts.bus);
  }

  /** A call that guests may make. */
  open<P = unknown, Q = unknown, B = unknown>(
    method: HTTPMethods,
    path: string,
    call: Call<Context, P, Q, B>,
  ): void {
    this.#add(method, path, call, false, (ctx, given) => call.handle(ctx, given));
  }

  /** A call that needs an account. */
  member<P = unknown, Q = unknown, B = unknown>(
    method: HTTPMethods,
    path: string,
    call: Call<MemberContext, P, Q, B>,
  ): void {
    this.#add(method, path, call, true, async (ctx, given) => {
      const memberContext = asMember(ctx);
      if (method !== "GET") await ctx.limits.take("write", memberContext.viewer.id);
      return call.handle(memberContext, given);
    });
  }

  #add<C, P, Q, B>(
    method: HTTPMethods,
    path: string,
    call: Call<C, P, Q, B>,
    needsAccount: boolean,
    handle: (ctx: Context, given: Given<P, Q, B>) => Promise<unknown>,
  ): void {
    const { params, query, body } = call;
    const asking = new WeakMap<FastifyRequest, Context>();
    this.#app.route({
      method,
      url: path,
      ...(call.bodyLimit ? { bodyLimit: call.bodyLimit } : {}),
      schema: {
        summary: call.summary,
        tags: [call.tag],
        ...(call.form
          ? { consumes: ["multipart/form-data"], description: call.form.description, body: call.form.shape }
          : {}),
        ...(call.headers ? { headers: call.headers } : {}),
        ...(call.description
          ? { description: [call.description, call.form?.description].filter(Boolean).join(" ") }
          : {}),
        ...(needsAccount ? { security: [{ bearer: [] }] } : {}),
        ...(params ? { params } : {}),
        ...(query ? { querystring: query } : {}),
        ...(body ? { body } : {}),
        response: { 200: call.answer, "4xx": FailureShape, "5xx": FailureShape },
      },
      // Who may not call it learns that first, whatever they sent: of forty megabytes nothing is read before.
      onRequest: async (request, reply) => {
        // An address that ends where an id belongs is no call's.
        if (Object.values(request.params as object).includes("")) throw noSuchCall();
        const ctx = await this.#contextOf(request, reply);
        if (method === "GET") await ctx.limits.take("read", ctx.address);
        if (needsAccount) asMember(ctx);
        asking.set(request, ctx);
      },
      handler: async (request, reply) => {
        const ctx = asking.get(request) as Context;
        const given = {
          params: check(params, request.params),
          query: check(query, request.query),
          body: check(body, request.body ?? {}),
          request,
          reply,
        };
        if (method !== "GET") return handle(ctx, given);
        const { topics } = call;
        const kept =
          topics && !ctx.viewer
            ? await this.#kept(ctx, `${path} ${JSON.stringify([given.params, given.query])}`, {
                make: () => inTurn(() => handle(ctx, given)) as Promise<Answer>,
                topics: (answer) => topics(answer, given),
              })
            : undefined;
        const answer = kept ?? JSON.stringify(await inTurn(() => handle(ctx, given)));
        // This one is answered all the same: who reads much has less for what comes.
        const points = Math.floor(answer.length / lettersOfPoint);
        if (points > 0) ctx.limits.take("read", ctx.address, points).catch(() => undefined);
        void reply.type("application/json; charset=utf-8");
        if (!kept) return reply.send(answer);
        return sendFinished(request, reply.header("vary", "accept-encoding"), kept);
      },
    });
  }

  /** An answer for guests, from memory where nothing that it shows has changed. */
  async #kept(
    ctx: Context,
    key: string,
    { make, topics }: { make: () => Promise<Answer>; topics: (answer: Answer) => string[] },
  ): Promise<FinishedPage | undefined> {
    const known = this.#answers.get(key);
    if (known) return known;
    const where = () => cursorNow(ctx.database.read);
    const { page } = await this.#answers.make(key, where, make, (answer) => ({
      bytes: Buffer.from(JSON.stringify(answer)),
      topics: topics(answer),
    }));
    return page;
  }

  async #contextOf(request: FastifyRequest, reply: FastifyReply): Promise<Context> {
    const { headers } = request;
    const byCookie = request.method === "GET" && headers.authorization === undefined;
    const token = byCookie ? this.#parts.sessions.fromCookie(headers.cookie) : bearerOf(headers);
    return contextOf(this.#parts, token, {
      headers,
      address: request.ip,
      transport: "http",
      signal: goneBefore(reply),
      setCookie: (cookie) => void reply.header("set-cookie", cookie),
    });
  }
}

/** What is thrown for addresses and methods that nothing is behind. */
export const noSuchCall = (): AppError => new AppError("not_found", "There is no such call.");

/** Checks what came in, after the account was. Throws `bad_request` with the first thing that is wrong. */
export function check<T>(shape: z.ZodType<T> | undefined, value: unknown): T {
  if (!shape) return undefined as T;
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("bad_request", issue?.message ?? "That is not valid.", { field: fieldOf(issue) });
}

/** Whoever asks for more gets so many. */
export const mostInPage = 50;

const limit = z.coerce
  .number()
  .overwrite((asked) => (Number.isInteger(asked) ? Math.min(asked, mostInPage) : asked))
  .int("limit is a whole number.")
  .min(1, "limit is at least 1.");
const page = z.coerce
  .number()
  .int("page is a whole number.")
  .min(1, "page starts at 1.")
  .default(1)
  .describe(`pages reach up to entry ${limits.page.reach.toLocaleString("en")} of a list`);

/** `limit` and `page` of lists, as they stand in an address. Beyond the largest page is an empty list, not an error. */
export const Paging = (size: number) =>
  z.object({ limit: limit.default(size).describe(`more than ${mostInPage} counts as ${mostInPage}`), page });

/** The same for the lists of one person, which are as whole as they can be where no `limit` is asked for. */
export const PersonPaging = z.object({
  limit: limit
    .optional()
    .describe(`more than ${mostInPage} counts as ${mostInPage}; without it as many as fit, at most 1,000`),
  page,
});
export type PersonPage = z.output<typeof PersonPaging>;
