import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { limits } from "../../shared/limits.ts";
import { routes } from "../../shared/routes.ts";
import { hasTagPage } from "../../shared/tags.ts";
import { nextPublicBlog, publicBlogsInRange } from "./site-map-queries.ts";
import type { Services } from "../context.ts";
import { feedTopic, searchTopic } from "../live/stored-events.ts";
import { peopleTopic, limitedTopic } from "../live/signals.ts";
import { cursorNow } from "../live/event-log.ts";
import { PageCache, sendFinished, type FinishedPage, isKnownEtag } from "../http/page-cache.ts";
import { serialize } from "../runtime/concurrency.ts";
import { storedSettings } from "../site/queries.ts";
import { xmlText } from "./xml.ts";

/** The most addresses in a file (sitemaps.org). */
const maxAddresses = 50_000;
/** A blog's own address, its author's and those of its tags. */
const maxAddressesOfBlog = 2 + limits.tags.max;
/** The most addresses of the site itself. */
const maxOwnAddresses = 6;
/** The rate-limit cost of an uncached file: the largest takes a third of a second. */
const cost = 100;
/** Blog numbers read, and entries written, in one turn of the event loop: some milliseconds. */
const perTurn = { numbers: 500, entries: 2_000 };
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

/**
 * Serves `/sitemap.xml`, and `/robots.txt`. Up to 50,000 addresses are one file. Beyond, it is an index of `/sitemap-1.xml` and so
 * on, each with so many blog numbers that it cannot have more. Tests set `most`.
 */
export async function siteMapRoutes(
  app: FastifyInstance,
  services: Services,
  { most = maxAddresses }: { most?: number } = {},
): Promise<void> {
  const { config, database } = services;
  const origin = config.publicUrl;
  const numbersPerPart = Math.max(1, Math.floor((most - maxOwnAddresses) / maxAddressesOfBlog));
  const cache = new PageCache(services.bus);

  const writeMap = async (): Promise<Buffer> => {
    const addresses = new Map(await ownAddresses(services));
    await addBlogs(addresses, services, { after: 0, to: Infinity, most });
    if (addresses.size <= most) return write("url", origin, [...addresses]);
    // The first has the site's own addresses.
    const parts: Address[] = [["/sitemap-1.xml", null]];
    for (let next = await nextPublicBlog(database.read, numbersPerPart); next !== null;) {
      const part = Math.ceil(next / numbersPerPart);
      parts.push([`/sitemap-${part}.xml`, null]);
      next = await nextPublicBlog(database.read, part * numbersPerPart);
    }
    return write("sitemap", origin, parts);
  };
  const writePart = async (part: number): Promise<Buffer | null> => {
    const addresses = new Map(part === 1 ? await ownAddresses(services) : []);
    const [after, to] = [(part - 1) * numbersPerPart, part * numbersPerPart];
    await addBlogs(addresses, services, { after, to, most });
    if (addresses.size === 0) return null;
    // A person or tag is in several parts: only the newest would have the date.
    const isDated = (path: string) => path.startsWith(routes.blog(""));
    return write(
      "url",
      origin,
      [...addresses].map(([path, at]) => [path, isDated(path) ? at : null]),
    );
  };

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    writeFile: () => Promise<Buffer | null>,
  ): Promise<FastifyReply> => {
    const [key = ""] = request.url.split("?");
    let page = cache.get(key);
    if (!page) {
      await services.limits.take("read", request.ip, cost);
      const position = () => cursorNow(database.read);
      ({ page } = await cache.make(key, position, writeFile, (bytes) => bytes && { bytes, topics }));
    }
    if (!page) return reply.callNotFound() as unknown as FastifyReply;
    return send(request, reply, page);
  };
  app.get("/sitemap.xml", (request, reply) => answer(request, reply, writeMap));
  app.get<{ Params: { part: string } }>("/sitemap-:part(^[1-9]\\d{0,6}$).xml", (request, reply) =>
    answer(request, reply, () => writePart(Number(request.params.part))),
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

/** A path, and when its page last changed, if known. */
type Address = [path: string, at: number | null];

/** Returns the addresses of the site itself. */
async function ownAddresses({ config, database }: Services): Promise<Address[]> {
  const { terms, privacy } = await storedSettings(database.read);
  const addresses: Address[] = [
    ["/", null],
    [routes.home(), null],
    ["/search", null],
  ];
  if (config.docsUrl.startsWith("/")) addresses.push([config.docsUrl, null]);
  if (terms) addresses.push(["/terms", Number(terms)]);
  if (privacy) addresses.push(["/privacy", Number(privacy)]);
  return addresses;
}

/** Adds the public blogs numbered above `after` and up to `to`, their authors and tags, until there are more than `most`. */
async function addBlogs(
  addresses: Map<string, number | null>,
  { config, database }: Services,
  { after, to, most }: { after: number; to: number; most: number },
): Promise<void> {
  const now = Date.now();
  const add = (path: string, at: number) => void addresses.set(path, Math.max(addresses.get(path) ?? 0, at));
  let next = await nextPublicBlog(database.read, after);
  while (next !== null && next <= to && addresses.size <= most) {
    const range = { after: next - 1, to: Math.min(next - 1 + perTurn.numbers, to), now };
    for (const blog of await serialize(() => publicBlogsInRange(database.read, range))) {
      const path = routes.blog(blog.slug);
      if (["", config.publicUrl + path].includes(blog.canonicalUrl))
        add(path, Math.max(blog.publishedAt, blog.editedAt ?? 0, blog.lastEntryAt ?? 0));
      add(routes.profile(blog.username), blog.publishedAt);
      for (const tag of blog.tags.filter(hasTagPage)) add(routes.tag(tag), blog.publishedAt);
    }
    next = await nextPublicBlog(database.read, range.to);
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const schema = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Writes a file of addresses, or an index of such files, in short turns of the thread. */
async function write(kind: "url" | "sitemap", origin: string, addresses: Address[]): Promise<Buffer> {
  const root = kind === "url" ? "urlset" : "sitemapindex";
  const entryOf = ([path, at]: Address): string =>
    `<${kind}><loc>${xmlText(origin + path)}</loc>${at === null ? "" : `<lastmod>${new Date(at).toISOString()}</lastmod>`}</${kind}>\n`;
  const parts = [Buffer.from(`${declaration}<${root} ${schema}>\n`)];
  for (let at = 0; at < addresses.length; at += perTurn.entries) {
    const some = addresses.slice(at, at + perTurn.entries);
    parts.push(await serialize(() => Buffer.from(some.map(entryOf).join(""))));
  }
  return Buffer.concat([...parts, Buffer.from(`</${root}>\n`)]);
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
