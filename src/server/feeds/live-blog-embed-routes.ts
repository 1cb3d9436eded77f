import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, errorCodes } from "../../shared/errors.ts";
import { routes } from "../../shared/routes.ts";
import type { Services } from "../context.ts";
import { asUnavailable } from "../database/errors.ts";
import { isKnownEtag, PageCache, sendFinished, type FinishedPage } from "../http/page-cache.ts";
import { framedPolicy } from "../http/security-headers.ts";
import { cursorNow } from "../live/event-log.ts";
import { blogTopic } from "../live/stored-events.ts";
import { embedAssets } from "../pages/assets.ts";
import { serialize } from "../runtime/concurrency.ts";
import { framedBlog, framedEntries, framedPage, embedNotFound } from "./live-blog-embed.ts";
import { asGuest } from "./routes.ts";

interface EmbedRequest {
  Params: { slug: string };
  Querystring: { part?: unknown };
}

/**
 * `/blog/{slug}/embed`: a live blog for the frames of other sites, if its owner allows it, and with `?part=entries` what its
 * script fetches again. As every guest gets it: cookies are neither read nor set.
 */
export async function liveBlogEmbedRoutes(
  app: FastifyInstance,
  services: Services,
  dev: boolean,
): Promise<void> {
  const cache = new PageCache(services.bus);
  const policy = framedPolicy(services.config, dev);
  const assets = embedAssets(dev);
  app.setErrorHandler(answerProblem);

  const send = (request: FastifyRequest, reply: FastifyReply, page: FinishedPage) => {
    void reply
      .removeHeader("x-frame-options")
      .headers({
        "content-security-policy": policy,
        // Access may end: caches must ask.
        "cache-control": "public, max-age=0, must-revalidate",
        vary: "accept-encoding",
        "x-robots-tag": "noindex",
        etag: page.etag,
      })
      .type("text/html; charset=utf-8");
    if (isKnownEtag(request.headers["if-none-match"], page.etag)) return reply.code(304).send();
    return sendFinished(request, reply, page);
  };

  app.get<EmbedRequest>("/blog/:slug/embed", async (request, reply) => {
    const { slug } = request.params;
    const isPart = request.query.part === "entries";
    const pathOf = (of: string): string => routes.embed(of) + (isPart ? "?part=entries" : "");
    const key = pathOf(slug);
    const cached = cache.get(key);
    if (cached) return send(request, reply, cached);
    await services.limits.take("read", request.ip);
    const ctx = asGuest(services, request, reply);
    const { made, page } = await cache.make(
      key,
      () => cursorNow(services.database.read),
      () => serialize(() => framedBlog(ctx, slug)),
      (blog) =>
        blog.slug === slug
          ? {
              bytes: Buffer.from(isPart ? framedEntries(blog) : framedPage(blog, assets)),
              topics: [blogTopic(blog.id)],
            }
          : null,
    );
    if (made.slug !== slug) return reply.header("cache-control", "no-cache").redirect(pathOf(made.slug), 301);
    if (!page) throw embedNotFound();
    return send(request, reply, page);
  });
}

/** As text, which no site can frame. */
function answerProblem(thrown: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = thrown instanceof AppError ? thrown : asUnavailable(thrown);
  if (!error) throw thrown;
  if (error.retryAfter) void reply.header("retry-after", error.retryAfter);
  const { message } = error.code === "not_found" ? embedNotFound() : error;
  return reply
    .code(errorCodes[error.code].http)
    .header("cache-control", "no-cache")
    .type("text/plain; charset=utf-8")
    .send(`${message}\n`);
}
