import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Tag } from "../../shared/blogs.ts";
import { routes } from "../../shared/routes.ts";
import { hasTagPage } from "../../shared/tags.ts";
import type { Services } from "../context.ts";
import { isKnownEtag } from "../http/known-etag.ts";
import { feedTopic, searchTopic } from "../live/stored-events.ts";
import { peopleTopic, limitedTopic } from "../live/signals.ts";
import { cursorNow } from "../live/event-log.ts";
import { PageCache, sendFinished, type FinishedPage } from "../pages/page-cache.ts";
import { storedSettings } from "../site/queries.ts";
import type { SiteMapEntry, TagPart } from "../database/site-map.ts";
import type { Reads } from "../workers/reader.ts";
import { mapIndex, urlSet } from "./site-map-xml.ts";

/** The most blog or user numbers, or tags, in a part. */
const defaultSize = 10_000;
/** Parts queried at once; the reader thread serves searches in between. */
const partsPerQuery = 10;
/** The rate-limit cost of an uncached part. */
const cost = 10;
/** Signalled when public content appears or disappears. */
const topics = [feedTopic, searchTopic, peopleTopic, limitedTopic];

/** A tags part's last change, and the tag before the next part. */
type Changed = ReturnType<Reads["mapTagsChanged"]>;

/** Pages of no use to search engines, and beginnings of addresses, which end in `/` or `?`. */
const notForCrawlers =
  `/api/ /trpc/ /oembed /search? /signin /signup /google /verify-email/ /forgot-password /reset-password/
  /change-email/ /undo-access/ /delete-account/ /unsubscribe/ /select-interests /add-blog /edit/ /edit-profile /my-blogs /notifications
  /requests /settings /admin`.split(/\s+/);

/** Rules match beginnings (RFC 9309): `/admin` would exclude a person named adminjane. */
const excluding = (path: string): string[] =>
  /[/?]$/.test(path) ? [path] : [`${path}$`, `${path}/`, `${path}?`];

/** Serves `/sitemap.xml` with its parts, and `/robots.txt`. */
export async function siteMapRoutes(
  app: FastifyInstance,
  services: Services,
  size = defaultSize,
): Promise<void> {
  const { config, readers, limits, database } = services;
  const origin = config.publicUrl;
  const file = config.databaseFile;
  const cache = new PageCache(services.bus);

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    write: (client: string) => Promise<string>,
    [key = ""] = request.url.split("?"),
  ): Promise<FastifyReply> => {
    let page = cache.get(key);
    if (!page) {
      await limits.take("read", request.ip, cost);
      ({ page } = await cache.make(
        key,
        () => cursorNow(database.read),
        () => write(request.ip),
        (xml) => (xml === "" ? null : { bytes: Buffer.from(xml), topics }),
      ));
    }
    if (!page) return reply.callNotFound() as unknown as FastifyReply;
    return send(request, reply, page);
  };

  app.get("/sitemap.xml", (request, reply) =>
    answer(request, reply, async (client) => {
      const counts = await readers.run("mapParts", { file, size }, client);
      const changeTimes: (number | null)[] = [];
      while (changeTimes.length < counts.blogs) {
        const parts = numbers(counts.blogs).slice(changeTimes.length, changeTimes.length + partsPerQuery);
        const query = { file, size, parts, origin, now: Date.now() };
        changeTimes.push(...(await readers.run("mapChanged", query, client)));
      }
      const peopleParts: number[] = [];
      for (let first = 0; first < counts.people; first += partsPerQuery) {
        const parts = numbers(counts.people).slice(first, first + partsPerQuery);
        const query = { file, size, parts, origin, now: Date.now() };
        peopleParts.push(...(await readers.run("mapPeopleParts", query, client)));
      }
      const tags: SiteMapEntry[] = [];
      for (let after: string | null = ""; after !== null;) {
        const query: TagPart & { file: string } = { file, after, size, now: Date.now() };
        const { at, next }: Changed = await readers.run("mapTagsChanged", query, client);
        if (at !== null) tags.push({ path: tagsAfter(after), at });
        after = next;
      }
      return mapIndex(origin, [
        { path: "/sitemap-site.xml", at: null },
        ...changeTimes.flatMap((at, index) =>
          at === null ? [] : [{ path: `/sitemap-${index + 1}.xml`, at }],
        ),
        ...peopleParts.map((part) => ({ path: `/sitemap-people-${part}.xml`, at: null })),
        ...tags,
      ]);
    }),
  );
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
    if (typeof after !== "string" || !isTagCursor(after)) return reply.callNotFound();
    const query = { file, after, size, origin, now: Date.now() };
    return answer(request, reply, (client) => readers.run("mapTags", query, client), [tagsAfter(after)]);
  });
  for (const [path, kind] of [
    ["/sitemap-:part(^[1-9]\\d{0,6}$).xml", "blogs"],
    ["/sitemap-people-:part(^[1-9]\\d{0,6}$).xml", "people"],
  ] as const)
    app.get<{ Params: { part: string } }>(path, (request, reply) =>
      answer(request, reply, (client) => {
        const part = Number(request.params.part);
        return readers.run("mapPart", { file, kind, part, size, origin, now: Date.now() }, client);
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

/** Whether a part of the tags may begin after this. */
const isTagCursor = (after: string): boolean =>
  after === "" || !hasTagPage(after) || Tag.safeParse(after).data === after;

const tagsAfter = (after: string): string =>
  `/sitemap-tags.xml${after === "" ? "" : `?${new URLSearchParams({ after })}`}`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

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
