import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Tag } from "../../shared/blogs.ts";
import { routes } from "../../shared/routes.ts";
import type { Services } from "../context.ts";
import { isKnownEtag } from "../http/known-etag.ts";
import { feedTopic, searchTopic } from "../live/stored-events.ts";
import { peopleTopic, limitedTopic } from "../live/signals.ts";
import { cursorNow } from "../live/event-log.ts";
import { PageCache, sendFinished, type FinishedPage } from "../pages/page-cache.ts";
import { storedSettings } from "../site/queries.ts";
import { readSiteMapIndex, SiteMapIndexCache, tagsAfter } from "./site-map-index.ts";
import { urlSet } from "./site-map-xml.ts";

/** The most blog or user numbers, or tags, in a part. */
const defaultSize = 10_000;
/** The rate-limit cost of an uncached part. */
const cost = 10;
/** Signalled when public content appears or disappears. */
const topics = [feedTopic, searchTopic, peopleTopic, limitedTopic];

/** Pages of no use to search engines, and beginnings of addresses, which end in `/` or `?`. */
const notForCrawlers =
  `/api/ /trpc/ /oembed /search? /signin /signup /google /verify-email/ /forgot-password /reset-password/
  /setup /change-email/ /undo-access/ /delete-account/ /unsubscribe/ /select-interests /add-blog /edit/ /edit-profile /my-blogs /notifications
  /requests /settings /admin`.split(/\s+/);

/** Rules match beginnings (RFC 9309): `/admin` would exclude a person named adminjane. */
const excluding = (path: string): string[] =>
  /[/?]$/.test(path) ? [path] : [`${path}$`, `${path}/`, `${path}?`];

/** Serves `/sitemap.xml` with its parts, and `/robots.txt`. Tests set the parts' size and the clock. */
export async function siteMapRoutes(
  app: FastifyInstance,
  services: Services,
  { size = defaultSize, now = Date.now }: { size?: number; now?: () => number } = {},
): Promise<void> {
  const { config, readers, limits, database } = services;
  const origin = config.publicUrl;
  const file = config.databaseFile;
  const cache = new PageCache(services.bus);
  // Of their own: anyone can make up cursors, which must not displace other parts.
  const tagParts = new PageCache(services.bus, { entries: 100, bytes: 16 * 1024 * 1024 });

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    write: (client: string) => Promise<string>,
    [key = ""] = request.url.split("?"),
    store = cache,
  ): Promise<FastifyReply> => {
    let page = store.get(key);
    if (!page) {
      await limits.take("read", request.ip, cost);
      ({ page } = await store.make(
        key,
        () => cursorNow(database.read),
        () => write(request.ip),
        (xml) => (xml === "" ? null : { bytes: Buffer.from(xml), topics }),
      ));
    }
    if (!page) return reply.callNotFound() as unknown as FastifyReply;
    return send(request, reply, page);
  };

  const indexCache = new SiteMapIndexCache(services.bus, topics, now);
  app.get("/sitemap.xml", async (request, reply) => {
    const key = "/sitemap.xml";
    const arePublic = (tags: string[]) =>
      readers.run("areTagsPublic", { file, tags, now: now() }, request.ip);
    let page = cache.get(key) ?? (await indexCache.recent(arePublic));
    if (!page) {
      await limits.take("read", request.ip, cost);
      page = await indexCache.replace(async () => {
        const { made, page: written } = await cache.make(
          key,
          () => cursorNow(database.read),
          () => readSiteMapIndex(readers, { file, size, origin, now: now() }, request.ip),
          ({ xml }) => ({ bytes: Buffer.from(xml), topics }),
        );
        return written && { page: written, ...made };
      });
    }
    if (!page) return reply.callNotFound();
    return send(request, reply, page);
  });
  app.get("/sitemap-site.xml", (request, reply) =>
    answer(request, reply, async () => {
      const { terms, privacy } = await storedSettings(database.read);
      return urlSet(origin, [
        { path: "/", at: null },
        { path: routes.home(), at: null },
        { path: "/search", at: null },
        ...(config.docsUrl.startsWith("/") ? [{ path: config.docsUrl, at: null }] : []),
        ...(terms ? [{ path: "/terms", at: Number(terms) }] : []),
        ...(privacy ? [{ path: "/privacy", at: Number(privacy) }] : []),
      ]);
    }),
  );
  app.get<{ Querystring: { after?: unknown } }>("/sitemap-tags.xml", (request, reply) => {
    const { after = "" } = request.query;
    if (typeof after !== "string" || (after !== "" && Tag.safeParse(after).data !== after))
      return reply.callNotFound();
    const query = { file, after, size, origin, now: now() };
    return answer(
      request,
      reply,
      (client) => readers.run("mapTags", query, client),
      [tagsAfter(after)],
      after === "" ? cache : tagParts,
    );
  });
  for (const [path, kind] of [
    ["/sitemap-:part(^[1-9]\\d{0,6}$).xml", "blogs"],
    ["/sitemap-people-:part(^[1-9]\\d{0,6}$).xml", "people"],
  ] as const)
    app.get<{ Params: { part: string } }>(path, (request, reply) =>
      answer(request, reply, (client) => {
        const part = Number(request.params.part);
        return readers.run("mapPart", { file, kind, part, size, origin, now: now() }, client);
      }),
    );

  const robots = [
    "User-agent: *",
    ...notForCrawlers.flatMap(excluding).map((rule) => `Disallow: ${rule}`),
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
  app.get("/robots.txt", (_request, reply) =>
    reply
      .headers({ "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" })
      .send(robots),
  );
}

/** Caches must revalidate: access may have ended. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  page: FinishedPage,
): FastifyReply | Promise<FastifyReply> {
  void reply.headers({
    "cache-control": "public, max-age=0, must-revalidate",
    vary: "accept-encoding",
    etag: page.etag,
  });
  if (isKnownEtag(request.headers["if-none-match"], page.etag)) return reply.code(304).send();
  return sendFinished(request, reply.type("application/xml; charset=utf-8"), page);
}
