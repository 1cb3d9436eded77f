import { createTRPCClient, unstable_localLink } from "@trpc/client";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import { existsSync } from "node:fs";
import path from "node:path";
import { themeNamed } from "../../client/ui/theme.ts";
import type { Rendered } from "../../client/entry-server.tsx";
import { drawnText } from "../../shared/drawn-text.ts";
import type { CardWords } from "../../shared/cards.ts";
import { AppError, errorCodes, messages } from "../../shared/errors.ts";
import { sessionHeader } from "../../shared/worker.ts";
import type { AnswerPage } from "../addresses.ts";
import { readCookie } from "../auth/cookies.ts";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";
import { asTrouble } from "../database/errors.ts";
import type { Bus } from "../live/bus.ts";
import { cursorNow } from "../live/event-log.ts";
import type { Measures } from "../measures.ts";
import type { AppRouter } from "../router.ts";
import { traced, type Tracing } from "../tracing.ts";
import { inTurn } from "../turns.ts";
import { builtAssets, type AssetsFor } from "./assets.ts";
import { deviceRoutes, hasWorker, workerPath } from "./device.ts";
import { finishPage, PageCache, sendFinished, type FinishedPage } from "./page-cache.ts";
import { serveSiteSheets } from "./site-sheets.ts";
import { serveAssets } from "./static-files.ts";

export interface PageParts {
  router: AppRouter;
  /** The session's token in a `Cookie` header. */
  tokenOf: (cookie: string | undefined) => string | null;
  /** Who asks, by that token. */
  contextFor: (request: FastifyRequest, reply: FastifyReply) => Promise<Context>;
  bus: Bus;
  measures: Measures | undefined;
  tracing: Tracing | undefined;
  /** Where the blog is now that stood at an address elsewhere, where the viewer may read it. */
  aliasOf: (context: Context, address: string) => Promise<string | null>;
  /** A style sheet that administrators wrote, by its hash. */
  sheetNamed: (hash: string) => Promise<string | null>;
  /** The address of a drawn card. */
  cardAt: (card: CardWords) => Promise<string>;
  config: Config;
  dev: boolean;
  root: string;
}

/** Of longer addresses, in characters, what they mean is not kept. */
const longest = 500;

/** Of what is not published no other site learns, also where its author follows a link in it. */
const forNobodyElse = "/edit/:id/preview";

/** What draws the pages: see client/entry-server.tsx. */
export type Drawing = typeof import("../../client/entry-server.tsx");

export interface Renderer {
  load: () => Promise<Drawing>;
  assetsFor: AssetsFor;
}

/**
 * Answers every GET that nothing else answers with a page (docs/decisions/0005). Guests get finished bytes from memory
 * where nothing has changed since they were made; a request with a session cookie never meets that memory, and nothing
 * that was drawn for somebody is kept in it, whatever the request looked like.
 * Gives what draws them, for addresses that never reach a route.
 */
export async function registerPages(server: FastifyInstance, parts: PageParts): Promise<AnswerPage> {
  const { config } = parts;
  const renderer = await findRenderer(server, parts);
  const cache = new PageCache(parts.bus);
  const worker = !parts.dev && hasWorker(parts.root, config) ? workerPath : undefined;
  // What an address means costs more to find out than a page from memory does to send.
  const meanings = new LRUCache<string, ReturnType<Drawing["ownAddress"]>>({ max: 1_000 });
  /** Who asks, for a page that has to be drawn: that costs more than any call, and is counted as one. */
  const contextToDraw = async (request: FastifyRequest, reply: FastifyReply) => {
    const context = await parts.contextFor(request, reply);
    await context.limits.take("read", context.address);
    return context;
  };

  const answer: AnswerPage = async (request, reply) => {
    const { cookie } = request.headers;
    void reply.header("vary", "cookie, accept-encoding");
    const theme = themeNamed(readCookie(cookie, "theme"));
    const drawing = await renderer.load();
    let meaning = meanings.get(request.url);
    if (!meaning) {
      meaning = drawing.ownAddress(new URL(config.publicUrl + request.url));
      if (request.url.length < longest) meanings.set(request.url, meaning);
    }
    const { url, isOwn } = meaning;
    // Elsewhere it may be all that names a text; here it means nothing.
    const isElsewhere = request.url.startsWith("/?") && /[?&]p=/.test(request.url);
    const elsewhere = async (context: Context) => {
      const to = await parts.aliasOf(context, request.url);
      const keeping = context.viewer ? "private, no-store" : "no-cache";
      return to === null ? null : reply.header("cache-control", keeping).redirect(to, 301);
    };
    const key = `${theme} ${url.pathname}${url.search}`;
    const mayBeKept = isOwn && !isElsewhere && !parts.dev && parts.tokenOf(cookie) === null;
    const kept = mayBeKept ? cache.get(key) : undefined;
    if (mayBeKept) parts.measures?.countPage(kept ? "found" : "missed");
    if (kept) return sendPage(request, reply, 200, kept);

    const context = await contextToDraw(request, reply);
    const moved = isElsewhere ? await elsewhere(context) : null;
    if (moved) return moved;
    const draw = async (): Promise<Drawn> => {
      const drawn: NonNullable<Context["drawn"]> = {};
      const client = clientFor(parts.router, { ...context, drawn });
      const load = (address: string) => documentAt(server, address);
      const onError = (error: unknown) => request.log.error({ err: error }, "a page could not be made");
      const { assetsFor } = renderer;
      const began = performance.now();
      const page = await traced(parts.tracing, "draw", async (span) => {
        const made = await inTurn(() =>
          drawing.render({ url, theme, worker, client, load, cardAt: parts.cardAt, assetsFor, onError }),
        );
        if (made.kind === "page") span?.set("reprise.page", made.route);
        return made;
      });
      parts.measures?.drawn.observe((performance.now() - began) / 1_000);
      return page.kind === "page" ? { ...page, bytes: bytesOf(page.html, drawn.text) } : page;
    };
    const where = () => cursorNow(context.database.read);
    if (!mayBeKept || context.viewer) {
      const rendered = await draw();
      void reply.header("cache-control", "private, no-store");
      if (context.session) void reply.header(sessionHeader, context.session.handle);
      const there = isMissing(rendered) ? await elsewhere(context) : null;
      if (there) return there;
      if (rendered.kind === "redirect") return reply.redirect(rendered.to, rendered.permanent ? 301 : 302);
      if (rendered.retryAfter) void reply.header("retry-after", rendered.retryAfter);
      if (rendered.route === forNobodyElse) void reply.header("referrer-policy", "no-referrer");
      return reply.code(rendered.status).type("text/html; charset=utf-8").send(rendered.bytes);
    }
    const { made, page } = await cache.make(key, where, draw, (rendered) =>
      rendered.kind === "page" ? rendered : null,
    );
    if (made.kind === "redirect")
      return reply.header("cache-control", "no-cache").redirect(made.to, made.permanent ? 301 : 302);
    const there = isMissing(made) ? await elsewhere(context) : null;
    if (there) return there;
    if (made.retryAfter) void reply.header("retry-after", made.retryAfter);
    return sendPage(request, reply, made.status, page ?? finishPage(made.bytes));
  };
  const answerPage: AnswerPage = (request, reply) =>
    answer(request, reply).catch((error: unknown) => sendProblem(request, reply, error));

  serveSiteSheets(server, parts.sheetNamed);
  server.get("/*", answerPage);
  await deviceRoutes(server, parts);
  server.get("/favicon.svg", (_request, reply) =>
    reply
      .headers({ "content-type": "image/svg+xml", "cache-control": "public, max-age=86400" })
      .send(favicon),
  );
  server.get("/favicon.ico", (_request, reply) => reply.redirect("/favicon.svg", 301));
  return answerPage;
}

type Drawn = Exclude<Rendered, { kind: "page" }> | (Extract<Rendered, { kind: "page" }> & { bytes: Buffer });

const isMissing = (drawn: Drawn): boolean => drawn.kind === "page" && drawn.status === 404;

/** A document with the text of its blog in place of the mark. */
function bytesOf(html: string[], text: Buffer | undefined): Buffer {
  const parts = html.flatMap((part) => {
    const at = text ? part.indexOf(drawnText) : -1;
    return text && at >= 0
      ? [asBytes(part.slice(0, at)), text, asBytes(part.slice(at + drawnText.length))]
      : [asBytes(part)];
  });
  return Buffer.concat(parts);
}

const encoder = new TextEncoder();

/** UTF-8 of a text. Into room that is there already: that takes half the time of `Buffer.from` where a letter stands beyond Latin. */
function asBytes(text: string): Buffer {
  const room = Buffer.allocUnsafe(3 * text.length);
  return room.subarray(0, encoder.encodeInto(text, room).written);
}

/** Calls the API for a page that is drawn, without HTTP. */
const clientFor = (router: AppRouter, context: Context) =>
  createTRPCClient<AppRouter>({
    links: [unstable_localLink({ router, createContext: async () => ({ ...context, isOwn: true }) })],
  });

/** A JSON document of ours, by the path that others get it by. */
async function documentAt(server: FastifyInstance, address: string): Promise<unknown> {
  const answer = await server.inject(address);
  if (answer.statusCode !== 200) throw new Error(`${address}: ${answer.statusCode}`);
  return answer.json();
}

/** A page as a guest gets it: the browser may keep it and asks each time whether it still holds. */
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
  if (status === 200 && request.headers["if-none-match"]?.includes(page.etag)) return reply.code(304).send();
  return sendFinished(request, reply.code(status).type("text/html; charset=utf-8"), page);
}

/** The renderer: from source under --dev and in tests, otherwise chunks of the build. */
async function findRenderer(server: FastifyInstance, { dev, root, config }: PageParts): Promise<Renderer> {
  if (dev) return (await import("./dev.ts")).startVite(server, root, config.port);
  const isBuilt = existsSync(path.join(root, "dist/client/.vite/manifest.json"));
  if (isBuilt) await serveAssets(server, root);
  let drawing: Drawing | undefined;
  const load = async () => (drawing ??= await import("../../client/entry-server.tsx"));
  // Node keeps an import that failed for good, and one of a page can fail for want of open files: all before anybody asks.
  if (import.meta.env?.PROD) await (await load()).loadPages();
  return {
    load,
    // Tests of the server need no build: their pages have no script.
    assetsFor: isBuilt
      ? builtAssets(root)
      : () => ({ entry: "/assets/none.js", early: "/assets/none.js", css: [], modules: [], fonts: [] }),
  };
}

/** No page could be drawn, since there is no time for it now or the renderer itself failed: the least that can be shown. */
function sendProblem(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const planned = thrown instanceof AppError ? thrown : asTrouble(thrown);
  if (!planned) request.log.error({ err: thrown }, "the renderer failed");
  if (planned?.retryAfter) void reply.header("retry-after", planned.retryAfter);
  // There is no script to ask again; those who wait do not come all at once.
  const again = planned?.retryAfter && planned.retryAfter + Math.ceil(Math.random() * 3);
  const said = planned?.message ?? "The page could not be made. It may work in a moment.";
  return reply
    .code(planned ? errorCodes[planned.code].http : 500)
    .header("cache-control", "private, no-store")
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${again ? `<meta http-equiv="refresh" content="${again}">` : ""}<title>${messages.wrong}</title><h1>${messages.wrong}</h1><p>${said} <a href="/home">Home</a></p></html>`,
    );
}

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path,circle{fill:#c8401f}@media(prefers-color-scheme:dark){path,circle{fill:#ff7a52}}</style><circle cx="5.5" cy="9" r="2"/><circle cx="5.5" cy="15" r="2"/><path d="M11 3h1.6v18H11zM15.8 3H20v18h-4.2z"/></svg>`;
