import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, errorCodes } from "../../shared/errors.ts";
import { feedFiles, feedTypes, type FeedFile } from "../../shared/feeds.ts";
import { abortOnClose } from "../http/request-context.ts";
import type { Context, Services } from "../context.ts";
import { asUnavailable } from "../database/errors.ts";
import { cursorNow } from "../live/event-log.ts";
import { PageCache, sendFinished, type FinishedPage } from "../pages/page-cache.ts";
import { serialize } from "../runtime/concurrency.ts";
import { followingFeed } from "./following.ts";
import { writeFeed } from "./formats.ts";
import { addressOf, canonicalFeed, noFeed, publicFeed, type FeedRequest } from "./public.ts";
import { FeedTimes } from "./times.ts";

/** A person's own feed, opened by a secret key. */
interface PersonalFeedRequest {
  Params: { key: string };
}

interface PublicFeedRequest {
  Params: { username?: string; tag?: string };
  Querystring: { q?: unknown };
}

const places: {
  path: string;
  wanted: (given: PublicFeedRequest["Params"], query: PublicFeedRequest["Querystring"]) => FeedRequest;
}[] = [
  { path: "", wanted: () => ({ of: "site" }) },
  { path: "/:username", wanted: ({ username = "" }) => ({ of: "person", username }) },
  { path: "/tag/:tag", wanted: ({ tag = "" }) => ({ of: "tag", tag }) },
  {
    path: "/search",
    wanted: (_given, { q }) => ({ of: "search", query: typeof q === "string" ? q : "" }),
  },
];

/** Serves the public feeds, without cookies. They are cached until a blog appears, disappears or changes. */
export async function feedRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const cache = new PageCache(services.bus);
  const times = new FeedTimes();
  app.setErrorHandler(answerFeedError);

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: FeedRequest,
    file: FeedFile,
  ): Promise<FastifyReply> => {
    const wanted = canonicalFeed(asked);
    if (!wanted) throw noFeed();
    const key = addressOf(wanted, file);
    if (key !== addressOf(asked, file)) return redirect(reply, key);
    const send = (page: FinishedPage) => sendFeed(request, reply, { services, wanted, file, page, times });
    const kept = cache.get(key);
    if (kept) return send(kept);
    await services.limits.take("read", request.ip);
    const { made, page } = await cache.make(
      key,
      () => cursorNow(services.database.read),
      () => serialize(() => publicFeed(asGuest(services, request, reply), wanted)),
      (found) =>
        "feed" in found ? { bytes: Buffer.from(writeFeed(found.feed, file)), topics: found.topics } : null,
    );
    if ("renamed" in made) return redirect(reply, addressOf(made.renamed, file));
    if (!page) throw noFeed();
    return send(page);
  };

  for (const { path, wanted } of places)
    for (const file of feedFiles)
      app.get<PublicFeedRequest>(`${path}/${file}`, (request, reply) =>
        answer(request, reply, wanted(request.params, request.query), file),
      );

  for (const file of feedFiles)
    app.get<PersonalFeedRequest>(`/following/:key/${file}`, async (request, reply) => {
      const { bytes, etag } = await serialize(() =>
        followingFeed(asGuest(services, request, reply), request.params.key, file),
      );
      // Not for shared caches, nor for search engines if the URL leaks.
      void reply.headers({
        "cache-control": "private, no-cache",
        vary: "accept-encoding",
        "x-robots-tag": "noindex, nofollow",
        etag,
      });
      if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
      return reply.type(`${feedTypes[file]}; charset=utf-8`).send(bytes);
    });
}

export const asGuest = (services: Services, request: FastifyRequest, reply: FastifyReply): Context => ({
  ...services,
  viewer: null,
  session: null,
  browser: null,
  address: request.ip,
  userAgent: "",
  transport: "local",
  costly: null,
  setCookie: () => undefined,
  signal: abortOnClose(reply),
});

interface Sent {
  services: Services;
  wanted: FeedRequest;
  file: FeedFile;
  page: FinishedPage;
  times: FeedTimes;
}

/** Caches must revalidate: access may have ended. */
function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  { services: { config }, wanted, file, page, times }: Sent,
): FastifyReply | Promise<FastifyReply> {
  const since = times.since(addressOf(wanted, file), page.etag);
  // Within that second, the feed can change under the same date.
  const isPast = since <= Date.now();
  void reply.headers({
    "cache-control": "public, max-age=0, must-revalidate",
    vary: "accept-encoding",
    etag: page.etag,
    ...(isPast ? { "last-modified": new Date(since).toUTCString() } : {}),
    ...(config.feedHub
      ? {
          link: `<${config.feedHub}>; rel="hub", <${config.publicUrl}${addressOf(wanted, file)}>; rel="self"`,
        }
      : {}),
  });
  const { "if-none-match": known, "if-modified-since": date } = request.headers;
  const holds = known ? known.includes(page.etag) : isPast && date !== undefined && Date.parse(date) >= since;
  if (holds) return reply.code(304).send();
  return sendFinished(request, reply.type(`${feedTypes[file]}; charset=utf-8`), page);
}

/** Not cached: another person may take the username. */
const redirect = (reply: FastifyReply, to: string): FastifyReply =>
  reply.header("cache-control", "no-cache").redirect(to, 301);

/** As text. Private feeds look like missing ones. */
function answerFeedError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = thrown instanceof AppError ? thrown : asUnavailable(thrown);
  if (!error) throw thrown;
  if (error.retryAfter) void reply.header("retry-after", error.retryAfter);
  const isNothing = ["not_found", "forbidden", "bad_request"].includes(error.code);
  return reply
    .code(isNothing ? 404 : errorCodes[error.code].http)
    .header("cache-control", "no-cache")
    .type("text/plain; charset=utf-8")
    .send(`${isNothing ? noFeed().message : error.message}\n`);
}
