import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError, errorCodes } from "../../shared/errors.ts";
import { feedFiles, feedTypes, type FeedFile } from "../../shared/feeds.ts";
import { goneBefore } from "../asking.ts";
import type { Context, Parts } from "../context.ts";
import { asTrouble } from "../database/errors.ts";
import { cursorNow } from "../live/event-log.ts";
import { PageCache, sendFinished, type FinishedPage } from "../pages/page-cache.ts";
import { inTurn } from "../turns.ts";
import { followingFeed } from "./following.ts";
import { writeFeed } from "./formats.ts";
import { addressOf, asWritten, noFeed, publicFeed, type Wanted } from "./public.ts";
import { FeedTimes } from "./times.ts";

/** One's own, which a secret opens. */
interface OwnGiven {
  Params: { key: string };
}

interface Given {
  Params: { username?: string; tag?: string };
  Querystring: { q?: unknown };
}

const places: { path: string; wanted: (given: Given["Params"], query: Given["Querystring"]) => Wanted }[] = [
  { path: "", wanted: () => ({ of: "site" }) },
  { path: "/:username", wanted: ({ username = "" }) => ({ of: "person", username }) },
  { path: "/tag/:tag", wanted: ({ tag = "" }) => ({ of: "tag", tag }) },
  {
    path: "/search",
    wanted: (_given, { q }) => ({ of: "search", query: typeof q === "string" ? q : "" }),
  },
];

/**
 * The feeds that anybody may read. Who asks makes no difference: no cookie is looked at. They are kept finished as guests' pages are,
 * and go as soon as a blog comes, goes or changes.
 */
export async function feedRoutes(app: FastifyInstance, parts: Parts): Promise<void> {
  const cache = new PageCache(parts.bus);
  const times = new FeedTimes();
  app.setErrorHandler(sayWhy);

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asked: Wanted,
    file: FeedFile,
  ): Promise<FastifyReply> => {
    const wanted = asWritten(asked);
    if (!wanted) throw noFeed();
    const key = addressOf(wanted, file);
    if (key !== addressOf(asked, file)) return redirect(reply, key);
    const send = (page: FinishedPage) => sendFeed(request, reply, { parts, wanted, file, page, times });
    const kept = cache.get(key);
    if (kept) return send(kept);
    await parts.limits.take("read", request.ip);
    const { made, page } = await cache.make(
      key,
      () => cursorNow(parts.database.read),
      () => inTurn(() => publicFeed(asGuest(parts, request, reply), wanted)),
      (found) =>
        "feed" in found ? { bytes: Buffer.from(writeFeed(found.feed, file)), topics: found.topics } : null,
    );
    if ("renamed" in made) return redirect(reply, addressOf(made.renamed, file));
    if (!page) throw noFeed();
    return send(page);
  };

  for (const { path, wanted } of places)
    for (const file of feedFiles)
      app.get<Given>(`${path}/${file}`, (request, reply) =>
        answer(request, reply, wanted(request.params, request.query), file),
      );

  for (const file of feedFiles)
    app.get<OwnGiven>(`/following/:key/${file}`, async (request, reply) => {
      const { bytes, etag } = await inTurn(() =>
        followingFeed(asGuest(parts, request, reply), request.params.key, file),
      );
      // Nobody else keeps it, and no search engine lists it where its address stands somewhere by mistake.
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

/** A feed has no reader but everybody. */
export const asGuest = (parts: Parts, request: FastifyRequest, reply: FastifyReply): Context => ({
  ...parts,
  viewer: null,
  session: null,
  browser: null,
  address: request.ip,
  userAgent: "",
  transport: "local",
  costly: null,
  setCookie: () => undefined,
  signal: goneBefore(reply),
});

interface Sent {
  parts: Parts;
  wanted: Wanted;
  file: FeedFile;
  page: FinishedPage;
  times: FeedTimes;
}

/** Whoever keeps it asks each time whether it still holds: what is closed now is nobody's to be shown from a cache. */
function sendFeed(
  request: FastifyRequest,
  reply: FastifyReply,
  { parts: { config }, wanted, file, page, times }: Sent,
): FastifyReply | Promise<FastifyReply> {
  const since = times.since(addressOf(wanted, file), page.etag);
  // What may still change within the second that is named would seem to be the same.
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

/** A name that somebody has given up may be another's one day. */
const redirect = (reply: FastifyReply, to: string): FastifyReply =>
  reply.header("cache-control", "no-cache").redirect(to, 301);

/** In words, to whoever looks. What is closed is answered as what never was. */
function sayWhy(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = thrown instanceof AppError ? thrown : asTrouble(thrown);
  if (!error) throw thrown;
  if (error.retryAfter) void reply.header("retry-after", error.retryAfter);
  const isNothing = ["not_found", "forbidden", "bad_request"].includes(error.code);
  return reply
    .code(isNothing ? 404 : errorCodes[error.code].http)
    .header("cache-control", "no-cache")
    .type("text/plain; charset=utf-8")
    .send(`${isNothing ? noFeed().message : error.message}\n`);
}
