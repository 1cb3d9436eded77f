import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import { z } from "zod";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";
import { bearerOf, contextOf, abortOnClose } from "../http/request-context.ts";
import type { Context, MemberContext, Services } from "../context.ts";
import { cursorNow } from "../live/event-log.ts";
import { PageCache, sendFinished, type FinishedPage } from "../http/page-cache.ts";
import { asMember } from "../http/trpc.ts";
import { serialize } from "../runtime/concurrency.ts";
import { fieldOf } from "../http/input-messages.ts";
import { FailureShape } from "./shapes.ts";

/** An endpoint's validated input, and the request for files and conditions. */
interface EndpointInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface EndpointOptions<C, P, Q, B> {
  summary: string;
  tag: "Accounts" | "Blogs" | "Live blogs" | "Comments" | "People";
  params?: z.ZodType<P>;
  query?: z.ZodType<Q>;
  body?: z.ZodType<B>;
  /** Conditional headers, for OpenAPI. */
  headers?: z.ZodType;
  /** A form with files, for OpenAPI; the handler reads it. */
  form?: { description: string; shape: z.ZodType };
  description?: string;
  answer: z.ZodType;
  bodyLimit?: number;
  handle: (ctx: C, input: EndpointInput<P, Q, B>) => Promise<unknown>;
  /** For responses that are the same for all guests: the topics that invalidate them. */
  topics?: (answer: Answer, input: Pick<EndpointInput<P, Q, B>, "params" | "query">) => string[];
}

type Answer = Record<string, unknown>;

/**
 * Adds endpoints of /api/v1. Reads accept the bearer token, or without an Authorization header the session cookie; writes only
 * the bearer token (docs/specification.md, 7.33).
 */
export class Endpoints {
  readonly #app: FastifyInstance;
  readonly #services: Services;
  /** Guests' responses, cached like their pages; never a member's. */
  readonly #answers: PageCache;

  constructor(app: FastifyInstance, services: Services) {
    this.#app = app;
    this.#services = services;
    this.#answers = new PageCache(services.bus);
  }

  open<P = unknown, Q = unknown, B = unknown>(
    method: HTTPMethods,
    path: string,
    call: EndpointOptions<Context, P, Q, B>,
  ): void {
    this.#add(method, path, call, false, (ctx, input) => call.handle(ctx, input));
  }

  member<P = unknown, Q = unknown, B = unknown>(
    method: HTTPMethods,
    path: string,
    call: EndpointOptions<MemberContext, P, Q, B>,
  ): void {
    this.#add(method, path, call, true, async (ctx, input) => {
      const memberContext = asMember(ctx);
      if (method !== "GET") await ctx.limits.take("write", memberContext.viewer.id);
      return call.handle(memberContext, input);
    });
  }

  #add<C, P, Q, B>(
    method: HTTPMethods,
    path: string,
    call: EndpointOptions<C, P, Q, B>,
    needsAccount: boolean,
    handle: (ctx: Context, input: EndpointInput<P, Q, B>) => Promise<unknown>,
  ): void {
    const { params, query, body } = call;
    const contexts = new WeakMap<FastifyRequest, Context>();
    this.#app.route({
      method,
      url: path,
      bodyLimit: call.bodyLimit ?? limits.body.small,
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
      // Before the body, of up to forty megabytes, is read.
      onRequest: async (request, reply) => {
        // An empty path parameter matches no endpoint.
        if (Object.values(request.params as object).includes("")) throw unknownEndpoint();
        const ctx = await this.#contextOf(request, reply);
        if (method === "GET") await ctx.limits.take("read", ctx.address);
        if (needsAccount) asMember(ctx);
        contexts.set(request, ctx);
      },
      handler: async (request, reply) => {
        const ctx = contexts.get(request) as Context;
        const input = {
          params: check(params, request.params),
          query: check(query, request.query),
          body: check(body, request.body ?? {}),
          request,
          reply,
        };
        if (method !== "GET") return handle(ctx, input);
        const { topics } = call;
        const cached =
          topics && !ctx.viewer
            ? await this.#cachedAnswer(ctx, `${path} ${JSON.stringify([input.params, input.query])}`, {
                make: () => serialize(() => handle(ctx, input)) as Promise<Answer>,
                topics: (answer) => topics(answer, input),
              })
            : undefined;
        const answer = cached ?? JSON.stringify(await serialize(() => handle(ctx, input)));
        void reply.type("application/json; charset=utf-8");
        if (!cached) return reply.send(answer);
        return sendFinished(request, reply.header("vary", "accept-encoding"), cached);
      },
    });
  }

  /** Returns a guest's response, cached if possible. */
  async #cachedAnswer(
    ctx: Context,
    key: string,
    { make, topics }: { make: () => Promise<Answer>; topics: (answer: Answer) => string[] },
  ): Promise<FinishedPage | undefined> {
    const cached = this.#answers.get(key);
    if (cached) return cached;
    const currentCursor = () => cursorNow(ctx.database.read);
    const { page } = await this.#answers.make(key, currentCursor, make, (answer) => ({
      bytes: Buffer.from(JSON.stringify(answer)),
      topics: topics(answer),
    }));
    return page;
  }

  async #contextOf(request: FastifyRequest, reply: FastifyReply): Promise<Context> {
    const { headers } = request;
    const byCookie = request.method === "GET" && headers.authorization === undefined;
    const token = byCookie ? this.#services.sessions.fromCookie(headers.cookie) : bearerOf(headers);
    return contextOf(this.#services, token, {
      headers,
      address: request.ip,
      transport: "http",
      signal: abortOnClose(reply),
      setCookie: (cookie) => void reply.header("set-cookie", cookie),
    });
  }
}

export const unknownEndpoint = (): AppError => new AppError("not_found", "Unknown endpoint.");

/** Validates input. Throws `bad_request` with the first issue. */
export function check<T>(schema: z.ZodType<T> | undefined, value: unknown): T {
  if (!schema) return undefined as T;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("bad_request", issue?.message ?? "That is not valid.", { field: fieldOf(issue) });
}

/** Larger limits are reduced to this. */
const maxPerPage = 50;

const limit = z.coerce
  .number()
  .overwrite((requested) => (Number.isInteger(requested) ? Math.min(requested, maxPerPage) : requested))
  .int("limit is a whole number.")
  .min(1, "limit is at least 1.");
const page = z.coerce
  .number()
  .int("page is a whole number.")
  .min(1, "page starts at 1.")
  .default(1)
  .describe(`pages reach up to entry ${limits.page.reach.toLocaleString("en")} of a list`);

/** Beyond the last page is an empty list, not an error. */
export const Paging = (size: number) =>
  z.object({ limit: limit.default(size).describe(`more than ${maxPerPage} counts as ${maxPerPage}`), page });

/** For lists of one person, which are long without `limit`. */
export const PersonPaging = z.object({
  limit: limit
    .optional()
    .describe(
      `more than ${maxPerPage} counts as ${maxPerPage}; without it, pages have 1,000 entries, or 100 in another’s profile`,
    ),
  page,
});
export type PersonPage = z.output<typeof PersonPaging>;
