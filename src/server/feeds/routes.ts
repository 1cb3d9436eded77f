import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, errorCodes } from "../../shared/errors.ts";
import { feedFiles, feedTypes, type FeedFile } from "../../shared/feeds.ts";
import { crossOrigin } from "../http/security-headers.ts";
import { abortOnClose } from "../http/request-context.ts";
import type { Context, Services } from "../context.ts";
import { asUnavailable } from "../database/errors.ts";
import { cursorNow } from "../live/event-log.ts";
import { PageCache, sendFinished, type FinishedPage, isKnownEtag } from "../http/page-cache.ts";
import { serialize } from "../runtime/concurrency.ts";
import { followingFeed } from "./following-feed.ts";
import { isReserved } from "../../shared/reserved-names.ts";
import { feedOfFormerAddress } from "./former-addresses.ts";
import type { Feed } from "./formats.ts";
import { feedPath, canonicalFeed, hubOf, noFeed, publicFeed, type FeedRequest } from "./public.ts";
import { feedBytes } from "./write.ts";
import { LRUCache } from "lru-cache";

/** A person's own feed, opened by a secret key. */
interface PersonalFeedRequest {
  Params: { key: string };
}

interface PublicFeedRequest {
  Params: { username?: string; tag?: string; slug?: string };
  Querystring: { q?: unknown };
}

const feedPaths: {
  path: string;
  toRequest: (params: PublicFeedRequest["Params"], query: PublicFeedRequest["Querystring"]) => FeedRequest;
}[] = [
  { path: "", toRequest: () => ({ of: "site" }) },
  { path: "/:username", toRequest: ({ username = "" }) => ({ of: "person", username }) },
  { path: "/tag/:tag", toRequest: ({ tag = "" }) => ({ of: "tag", tag }) },
  { path: "/blog/:slug", toRequest: ({ slug = "" }) => ({ of: "blog", slug }) },
  {
    path: "/search",
    toRequest: (_params, { q }) => ({ of: "search", query: typeof q === "string" ? q : "" }),
  },
];

/** Serves the public feeds, without cookies. They are cached until a blog appears, disappears or changes. */
export async function feedRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const cache = new PageCache(services.bus);
  // Of their own: anyone can make up searches.
  const [times, searchTimes] = [new FeedTimes(), new FeedTimes()];
  app.setErrorHandler(answerFeedError);

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    requested: FeedRequest,
    file: FeedFile,
  ): Promise<FastifyReply> => {
    const feed = canonicalFeed(requested);
    if (!feed) throw noFeed();
    const key = feedPath(feed, file);
    if (key !== feedPath(requested, file)) return redirect(reply, key);
    const send = (page: FinishedPage) =>
      sendFeed(request, reply, {
        services,
        feed,
        file,
        page,
        times: feed.of === "search" ? searchTimes : times,
      });
    const cached = cache.get(key);
    if (cached) return send(cached);
    await services.limits.take("read", request.ip);
    const ctx = asGuest(services, request, reply);
    const write = async (found: Feed): Promise<Buffer> => {
      const bytes = await feedBytes(ctx, found, file);
      services.limits.takeForCost(request.ip, { characters: bytes.length });
      return bytes;
    };
    const { made, page } = await cache.make(
      key,
      () => cursorNow(services.database.read),
      () => serialize(() => publicFeed(ctx, feed, file)),
      (found) => ("feed" in found ? { bytes: () => write(found.feed), topics: found.topics } : null),
    );
    if ("renamed" in made) return redirect(reply, feedPath(made.renamed, file));
    if (!page) throw noFeed();
    return send(page);
  };

  for (const { path, toRequest } of feedPaths)
    for (const file of feedFiles)
      app.get<PublicFeedRequest>(`${path}/${file}`, (request, reply) =>
        answer(request, reply, toRequest(request.params, request.query), file),
      );

  const followingTimes = new FeedTimes();
  for (const file of feedFiles)
    app.get<PersonalFeedRequest>(`/following/:key/${file}`, async (request, reply) => {
      const { key } = request.params;
      const { bytes, etag } = await serialize(() =>
        followingFeed(asGuest(services, request, reply), key, file),
      );
      // Not for shared caches, nor for search engines if the URL leaks.
      void reply.headers({
        "cache-control": "private, no-cache",
        vary: "accept-encoding",
        "x-robots-tag": "noindex, nofollow",
      });
      if (isCurrent(request, reply, etag, followingTimes.since(`${key}/${file}`, etag)))
        return reply.code(304).send();
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

interface FeedResponse {
  services: Services;
  feed: FeedRequest;
  file: FeedFile;
  page: FinishedPage;
  times: FeedTimes;
}

/** Caches must revalidate: access may have ended. */
function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  { services: { config }, feed, file, page, times }: FeedResponse,
): FastifyReply | Promise<FastifyReply> {
  const path = feedPath(feed, file);
  const hub = hubOf(config, feed);
  void reply.headers({
    "cache-control": "public, max-age=0, must-revalidate",
    vary: "accept-encoding",
    ...crossOrigin,
    ...(hub ? { link: `<${hub}>; rel="hub", <${config.publicUrl}${path}>; rel="self"` } : {}),
  });
  if (isCurrent(request, reply, page.etag, times.since(path, page.etag))) return reply.code(304).send();
  return sendFinished(request, reply.type(`${feedTypes[file]}; charset=utf-8`), page);
}

/** Sets the headers that identify a version of a feed. Returns whether the client has it. */
function isCurrent({ headers }: FastifyRequest, reply: FastifyReply, etag: string, since: number): boolean {
  // Within that second, the feed can change under the same date.
  const isPast = since <= Date.now();
  void reply.headers({ etag, ...(isPast ? { "last-modified": new Date(since).toUTCString() } : {}) });
  const { "if-none-match": knownEtag, "if-modified-since": modifiedSince } = headers;
  return knownEtag
    ? isKnownEtag(knownEtag, etag)
    : isPast && modifiedSince !== undefined && Date.parse(modifiedSince) >= since;
}

/** Not cached: another person may take the username. */
const redirect = (reply: FastifyReply, to: string): FastifyReply =>
  reply.headers({ ...crossOrigin, "cache-control": "no-cache" }).redirect(to, 301);

/** As text. Private feeds look like missing ones. */
function answerFeedError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = thrown instanceof AppError ? thrown : asUnavailable(thrown);
  if (!error) throw thrown;
  if (error.retryAfter) void reply.header("retry-after", error.retryAfter);
  const isMissing = ["not_found", "forbidden", "bad_request"].includes(error.code);
  const { username } = request.params as PublicFeedRequest["Params"];
  // A name that a person can have stays theirs, such as `/notes/feed.xml`: subscribers would never come back.
  const isFormer = isMissing && (username === undefined || isReserved(username.toLowerCase()));
  const former = isFormer ? feedOfFormerAddress(request.url) : null;
  if (former !== null) return redirect(reply, former);
  return reply
    .code(isMissing ? 404 : errorCodes[error.code].http)
    .headers({ ...crossOrigin, "cache-control": "no-cache" })
    .type("text/plain; charset=utf-8")
    .send(`${isMissing ? noFeed().message : error.message}\n`);
}

const second = 1_000;
const maxFeeds = 5_000;

/**
 * Remembers when each feed changed, for `Last-Modified`; its newest entry's date would not show removals. Starts empty with the
 * server, so clients fetch each feed once again.
 */
class FeedTimes {
  readonly #changes = new LRUCache<string, { etag: string; since: number }>({ max: maxFeeds });

  /** Returns a whole second, in milliseconds, after the change, which no other version gets. */
  since(key: string, etag: string, now = Date.now()): number {
    const previous = this.#changes.get(key);
    if (previous?.etag === etag) return previous.since;
    const next = Math.floor(now / second + 1) * second;
    const since = Math.max(next, (previous?.since ?? 0) + second);
    this.#changes.set(key, { etag, since });
    return since;
  }
}
