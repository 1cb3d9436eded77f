import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import path from "node:path";
import { themeNamed } from "../../client/ui/theme.ts";
import type { Rendered } from "../../client/entry-server.tsx";
import { textPlaceholder } from "../blogs/rendered-html-cache.ts";
import type { CardWords } from "../../shared/cards.ts";
import { AppError, errorCodes, messages } from "../../shared/errors.ts";
import { feedFiles } from "../../shared/feeds.ts";
import { sessionHeader } from "../../shared/service-worker.ts";
import { crossOrigin } from "../http/security-headers.ts";
import type { AnswerPage } from "../http/unroutable.ts";
import { readCookie } from "../auth/cookies.ts";
import type { Config } from "../runtime/config.ts";
import type { Context } from "../context.ts";
import { asUnavailable } from "../database/errors.ts";
import type { Bus } from "../live/bus.ts";
import { cursorNow } from "../live/event-log.ts";
import type { MetricCounters } from "../runtime/metric-counters.ts";
import type { AppRouter } from "../router.ts";
import { serialize } from "../runtime/concurrency.ts";
import { builtAssets, clientFolder, hasClient, type AssetsFor } from "./assets.ts";
import { favicon, serveSiteSheets, serveAssets } from "./static-files.ts";
import { createPageClient } from "./page-client.ts";
import { keptAssets } from "./kept-assets.ts";
import { pwaRoutes, hasServiceWorker, workerPath } from "./pwa.ts";
import { finishPage, PageCache, sendFinished, type FinishedPage, isKnownEtag } from "../http/page-cache.ts";

export interface PageParts {
  router: AppRouter;
  tokenOf: (cookie: string | undefined) => string | null;
  contextFor: (request: FastifyRequest, reply: FastifyReply) => Promise<Context>;
  bus: Bus;
  measures: MetricCounters | undefined;
  /** Returns the address here of a blog imported from `address`, if the viewer can read it. */
  aliasOf: (context: Context, address: string) => Promise<string | null>;
  /** Returns the path here of another program's feed. */
  feedOfFormerAddress: (address: string) => string | null;
  /** Returns an administrator's style sheet. */
  sheetNamed: (hash: string) => Promise<string | null>;
  cardAt: (card: CardWords) => Promise<string>;
  config: Config;
  dev: boolean;
}

/** The longest URL whose parsed form is cached. */
const maxCachedUrl = 500;

/** Hidden from other sites, even if the author follows a link in the draft. */
const previewRoute = "/edit/:id/preview";

export type PageRenderer = typeof import("../../client/entry-server.tsx");

export interface Renderer {
  load: () => Promise<PageRenderer>;
  assetsFor: AssetsFor;
}

/**
 * Answers every GET without another route with a page (docs/decisions/0009-page-rendering-and-weight.md). Guests get cached
 * bytes while nothing has changed. A request with a session cookie never uses this cache, and no member's page is ever stored
 * in it. Returns the handler, for requests that reach no route.
 */
export async function registerPages(server: FastifyInstance, parts: PageParts): Promise<AnswerPage> {
  const { config } = parts;
  const renderer = await findRenderer(server, parts);
  const cache = new PageCache(parts.bus);
  const worker = !parts.dev && hasServiceWorker(config) ? workerPath : undefined;
  // Parsing a URL costs more than sending a cached page.
  const parsedUrls = new LRUCache<string, ReturnType<PageRenderer["canonicalAddress"]>>({ max: 1_000 });
  /** Rendering counts for the rate limit. */
  const contextToRender = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = await parts.contextFor(request, reply);
    await context.limits.take("read", context.address);
    return context;
  };

  const answer: AnswerPage = async (request, reply) => {
    const { cookie } = request.headers;
    void reply.header("vary", "cookie, accept-encoding");
    const theme = themeNamed(readCookie(cookie, "theme"));
    const pageRenderer = await renderer.load();
    let parsedUrl = parsedUrls.get(request.url);
    if (!parsedUrl) {
      parsedUrl = pageRenderer.canonicalAddress(new URL(config.publicUrl + request.url));
      if (request.url.length < maxCachedUrl) parsedUrls.set(request.url, parsedUrl);
    }
    const { url, isOwn, canBePage } = parsedUrl;
    // Other sites' `?p=` can identify a text, and `?feed=` a feed; here they mean nothing.
    const isElsewhere = request.url.startsWith("/?") && /[?&](?:p|feed)=/.test(request.url);
    /** Returns whether it has answered; not the reply, as awaiting that waits for its end and gives nothing. */
    const redirectElsewhere = async (context: Context): Promise<boolean> => {
      const alias = await parts.aliasOf(context, request.url);
      const feed = alias === null ? parts.feedOfFormerAddress(request.url) : null;
      const cacheControl = context.viewer ? "private, no-store" : "no-cache";
      const address = alias ?? feed;
      if (address === null) return false;
      // Other sites' pages may read feeds.
      const headers = { "cache-control": cacheControl, ...(feed === null ? {} : crossOrigin) };
      void reply.headers(headers).redirect(address, 301);
      return true;
    };
    const key = `${theme} ${url.pathname}${url.search}`;
    const isCacheable = isOwn && !isElsewhere && !parts.dev && parts.tokenOf(cookie) === null;
    const cached = isCacheable ? cache.get(key) : undefined;
    if (isCacheable) parts.measures?.countPage(cached ? "found" : "missed");
    if (cached) return sendPage(request, reply, 200, cached);

    const context = await contextToRender(request, reply);
    // Drawing a page only to learn that there is none would cost more than asking.
    const isAskedFirst = isElsewhere || !canBePage;
    if (isAskedFirst && (await redirectElsewhere(context))) return reply;
    const isRedirected = async (rendered: RenderResult): Promise<boolean> =>
      isMissing(rendered) && !isAskedFirst && redirectElsewhere(context);
    const renderPage = async (): Promise<RenderResult> => {
      const rendered: NonNullable<Context["rendered"]> = {};
      const client = createPageClient(parts.router, { ...context, rendered });
      const onError = (error: unknown) => request.log.error({ err: error }, "a page could not be rendered");
      const { assetsFor } = renderer;
      const startedAt = performance.now();
      const page = await serialize(() =>
        pageRenderer.render({ url, theme, worker, client, cardAt: parts.cardAt, assetsFor, onError }),
      );
      parts.measures?.renderSeconds.observe((performance.now() - startedAt) / 1_000);
      return page.kind === "page" ? { ...page, bytes: bytesOf(page.html, rendered.text) } : page;
    };
    const currentCursor = () => cursorNow(context.database.read);
    if (!isCacheable || context.viewer) {
      const rendered = await renderPage();
      void reply.header("cache-control", "private, no-store");
      if (context.session) void reply.header(sessionHeader, context.session.handle);
      if (await isRedirected(rendered)) return reply;
      if (rendered.kind === "redirect") return reply.redirect(rendered.to, rendered.permanent ? 301 : 302);
      if (rendered.retryAfter) void reply.header("retry-after", rendered.retryAfter);
      if (rendered.route === previewRoute) void reply.header("referrer-policy", "no-referrer");
      return reply.code(rendered.status).type("text/html; charset=utf-8").send(rendered.bytes);
    }
    const { made, page } = await cache.make(key, currentCursor, renderPage, (rendered) =>
      rendered.kind === "page" ? rendered : null,
    );
    if (made.kind === "redirect")
      return reply.header("cache-control", "no-cache").redirect(made.to, made.permanent ? 301 : 302);
    if (await isRedirected(made)) return reply;
    if (made.retryAfter) void reply.header("retry-after", made.retryAfter);
    return sendPage(request, reply, made.status, page ?? finishPage(made.bytes));
  };
  const answerPage: AnswerPage = (request, reply) =>
    answer(request, reply).catch((error: unknown) => sendProblem(request, reply, error));

  serveSiteSheets(server, parts.sheetNamed);
  server.get("/*", answerPage);
  // Pages of tags, which would match the feeds of a person named tag.
  for (const file of feedFiles) server.get(`/tag/${file}`, answerPage);
  await pwaRoutes(server, parts);
  server.get("/favicon.svg", (_request, reply) =>
    reply
      .headers({ ...crossOrigin, "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" })
      .send(favicon),
  );
  server.get("/favicon.ico", (_request, reply) => reply.redirect("/favicon.svg", 301));
  return answerPage;
}

type RenderResult =
  | Exclude<Rendered, { kind: "page" }>
  | (Extract<Rendered, { kind: "page" }> & { bytes: Buffer });

const isMissing = (rendered: RenderResult): boolean => rendered.kind === "page" && rendered.status === 404;

/** Puts the blog's text in place of its placeholder. */
function bytesOf(html: string[], text: Buffer | undefined): Buffer {
  const parts = html.flatMap((part): (string | Buffer)[] => {
    const at = text ? part.indexOf(textPlaceholder) : -1;
    return text && at >= 0 ? [part.slice(0, at), text, part.slice(at + textPlaceholder.length)] : [part];
  });
  const most = parts.reduce((sum, part) => sum + (typeof part === "string" ? 3 : 1) * part.length, 0);
  const buffer = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  let length = 0;
  for (const part of parts) {
    if (typeof part === "string") length += encoder.encodeInto(part, buffer.subarray(length)).written;
    else length += part.copy(buffer, length);
  }
  return Buffer.from(buffer.subarray(0, length));
}

const encoder = new TextEncoder();

/** Where most pages are encoded, before they are copied: a new buffer for each costs more than encoding. */
const scratch = Buffer.allocUnsafeSlow(512 * 1024);

/** Sends a guest's page, which browsers must revalidate. */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: FinishedPage,
): Promise<FastifyReply> {
  void reply.headers({
    "cache-control": status === 200 ? "public, max-age=0, must-revalidate" : "no-cache",
    etag: page.etag,
  });
  if (status === 200 && isKnownEtag(request.headers["if-none-match"], page.etag))
    return reply.code(304).send();
  return sendFinished(request, reply.code(status).type("text/html; charset=utf-8"), page);
}

/** Returns the renderer: from source with --dev and in tests, otherwise from the build. */
async function findRenderer(server: FastifyInstance, { dev, config }: PageParts): Promise<Renderer> {
  if (dev) return (await import("./dev.ts")).startVite(server, config.port);
  const isBuilt = hasClient();
  if (isBuilt)
    await serveAssets(server, [path.join(clientFolder, "assets"), ...(await keptAssets(config.dataDir))]);
  let pageRenderer: PageRenderer | undefined;
  const load = async () => (pageRenderer ??= await import("../../client/entry-server.tsx"));
  // Node caches failed imports, such as for lack of open files: load all pages at the start.
  if (import.meta.env?.PROD) await (await load()).loadPages();
  return {
    load,
    // Server tests need no build; their pages have no script.
    assetsFor: isBuilt
      ? builtAssets()
      : () => ({ entry: "/assets/none.js", early: "/assets/none.js", css: [], modules: [], fonts: [] }),
  };
}

/** Sends a minimal page if the server is overloaded or rendering failed. */
function sendProblem(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const planned = thrown instanceof AppError ? thrown : asUnavailable(thrown);
  if (!planned) request.log.error({ err: thrown }, "a page request failed");
  if (planned?.retryAfter) void reply.header("retry-after", planned.retryAfter);
  // The page has no script, so the browser reloads, at random to spread the load.
  const retrySeconds = planned?.retryAfter && planned.retryAfter + Math.ceil(Math.random() * 3);
  const message = planned?.message ?? "We couldn’t load this page. Try again in a moment.";
  return reply
    .code(planned ? errorCodes[planned.code].http : 500)
    .header("cache-control", "private, no-store")
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${retrySeconds ? `<meta http-equiv="refresh" content="${retrySeconds}">` : ""}<title>${messages.wrong}</title><h1>${messages.wrong}</h1><p>${message} <a href="/home">Home</a></p></html>`,
    );
}
