import { sessionHeader } from "../../shared/service-worker.ts";
import { scope } from "./scope.ts";

/*
 * The articles read last, as documents in the browser's caches, with their pictures and code
 * (docs/decisions/0018-offline-and-service-worker.md). They belong to one session at a time: another session, or signing out,
 * deletes them.
 */

/** The number of saved articles, and how long each is kept. */
const MAX_ARTICLES = 30;
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;
/** The number of pictures of an article, and the size of each in bytes. */
const MAX_PICTURES = 12;
const MAX_PICTURE_BYTES = 1_500_000;
/** Of several widths of a picture the first of at least so many pixels is saved. */
const WIDE_ENOUGH = 900;
/** An article saved within so many milliseconds is not fetched again. */
const FRESH_FOR = 60_000;

const PAGES = "pages:";
const CODE = "code";
const SAVED_AT = "x-kept-at";
const TITLE = "x-kept-title";
const PARTS = "x-kept-parts";
const COVER = "x-kept-cover";

/** The longest time for a whole response in milliseconds: later work waits for it, and so does a newer worker that replaces this one. */
const RESPONSE_WITHIN = 15_000;
const fetchInTime = (address: string, options: RequestInit = {}): Promise<Response> =>
  fetch(address, { ...options, signal: AbortSignal.timeout(RESPONSE_WITHIN) });

export interface SavedArticle {
  path: string;
  /** As HTML. */
  title: string;
  /** When it was saved. */
  at: number;
  /** The cover's address, or "". */
  cover: string;
}

export const isArticle = (path: string): boolean => /^\/blog\/[^/]+$/.test(path);

/** Runs one task at a time in the order of the calls, so that nothing of a session is saved after its articles were deleted. */
let last: Promise<unknown> = Promise.resolve();
export function serialize<T>(task: () => Promise<T>): Promise<T> {
  const result = last.then(task);
  last = result.catch(() => undefined);
  return result;
}

/** Deletes the articles of all sessions but this one; null for a guest's. */
export async function clearOtherSessions(session: string | null): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(PAGES) && name !== PAGES + (session ?? "")) await caches.delete(name);
}

export async function clearAll(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
}

/** Saves an article's response; deletes the saved article where the response is a redirect or an error of the request. */
export async function saveArticle(path: string, response: Response): Promise<void> {
  const session = response.headers.get(sessionHeader);
  await clearOtherSessions(session);
  const pages = await caches.open(PAGES + (session ?? ""));
  if (response.status !== 200 || response.redirected) {
    if (response.status < 500) await pages.delete(path);
    return;
  }
  const html = await response.text();
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1] ?? path;
  const code = [...html.matchAll(/"(\/(?:assets\/[\w.-]+|static\/[\w-]+\.css))"/g)].map(
    ([, address]) => address!,
  );
  const pictures = await savePictures(pages, html);
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length", "set-cookie"]) headers.delete(name);
  headers.set(SAVED_AT, String(Date.now()));
  headers.set(TITLE, encodeURIComponent(title));
  headers.set(PARTS, JSON.stringify([...code, ...pictures]));
  const cover = addressOf(/<img [^>]*article-cover[^>]*>/.exec(html)?.[0] ?? "") ?? "";
  headers.set(COVER, pictures.includes(pictureKey(cover) ?? "") ? cover : "");
  // The page last, so that a saved page is complete even if the network fails here.
  await saveCode([...scope.BUILD.shell, ...scope.BUILD.sheets, scope.BUILD.script, ...code]);
  await pages.put(path, new Response(html, { headers }));
  await removeUnused();
}

/** Fetches and saves an article, unless it was saved a moment ago. */
export async function refreshArticle(path: string): Promise<void> {
  const cached = await find(path);
  if (cached && Number(cached.headers.get(SAVED_AT)) > Date.now() - FRESH_FOR) return;
  await saveArticle(path, await fetchInTime(path, { headers: { accept: "text/html" } }));
}

/** Asks the server which saved articles may still be read, and deletes the others. */
export async function removeUnreadable(): Promise<void> {
  const saved = await savedArticles();
  if (saved.length === 0) return;
  const slugs = saved.map(({ path }) => decodeURIComponent(path.slice("/blog/".length)));
  const response = await fetchInTime(
    `/trpc/blogs.readable?input=${encodeURIComponent(JSON.stringify({ slugs }))}`,
  );
  if (!response.ok) return;
  const { result } = (await response.json()) as { result: { data: { slugs: string[] } } };
  const unreadable = saved.filter((_, index) => !result.data.slugs.includes(slugs[index]!));
  for (const { path } of unreadable) await remove(path);
  if (unreadable.length > 0) await removeUnused();
}

/** Returns the saved articles, newest first. */
export async function savedArticles(): Promise<SavedArticle[]> {
  const articles: SavedArticle[] = [];
  for (const pages of await openPages())
    for (const { url } of await pages.keys()) {
      const path = new URL(url).pathname;
      const headers = isArticle(path) ? (await pages.match(url))?.headers : undefined;
      if (!headers) continue;
      articles.push(articleOf(path, headers));
    }
  return articles.filter(isRecent).toSorted((one, other) => other.at - one.at);
}

/** Returns a saved article with its response. */
export async function savedArticle(
  path: string,
): Promise<(SavedArticle & { response: Response }) | undefined> {
  const response = await find(path);
  if (!response) return undefined;
  const article = { ...articleOf(path, response.headers), response };
  return isRecent(article) ? article : undefined;
}

/** Returns a script, style sheet, font or picture of a saved article. */
export async function savedPart(url: URL): Promise<Response | undefined> {
  const picture = pictureKey(url.pathname);
  if (!picture) return (await caches.open(CODE)).match(url.pathname);
  return find(picture);
}

const articleOf = (path: string, headers: Headers): SavedArticle => ({
  path,
  title: decodeURIComponent(headers.get(TITLE) ?? ""),
  at: Number(headers.get(SAVED_AT)),
  cover: headers.get(COVER) ?? "",
});

const isRecent = ({ at }: { at: number }): boolean => at > Date.now() - MAX_AGE;

async function openPages(): Promise<Cache[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  return Promise.all(names.map((name) => caches.open(name)));
}

async function find(address: string): Promise<Response | undefined> {
  for (const pages of await openPages()) {
    const response = await pages.match(address);
    if (response) return response;
  }
  return undefined;
}

async function remove(path: string): Promise<void> {
  for (const pages of await openPages()) await pages.delete(path);
}

async function saveCode(addresses: string[]): Promise<void> {
  const code = await caches.open(CODE);
  for (const address of new Set(addresses)) {
    // A file with another content has another name; most come from the browser's HTTP cache.
    if (await code.match(address)) continue;
    const response = await fetchInTime(address).catch(() => undefined);
    if (response?.ok) await code.put(address, response);
  }
}

/** Returns the cache key of one of the site's own pictures, the same for each width. */
const pictureKey = (path: string): string | undefined => /^\/media\/[\da-f-]{36}/.exec(path)?.[0];

async function savePictures(pages: Cache, html: string): Promise<string[]> {
  const saved: string[] = [];
  for (const [image] of html.matchAll(/<img [^>]*>/g)) {
    if (saved.length >= MAX_PICTURES) break;
    const address = addressOf(image);
    const key = address && pictureKey(address);
    if (!key || saved.includes(key)) continue;
    if (!(await pages.match(key))) {
      const response = await fetchInTime(address).catch(() => undefined);
      if (!response?.ok || Number(response.headers.get("content-length") ?? 0) > MAX_PICTURE_BYTES) continue;
      await pages.put(key, response);
    }
    saved.push(key);
  }
  return saved;
}

function addressOf(image: string): string | undefined {
  const attribute = (name: string) =>
    new RegExp(` ${name}="([^"]*)"`, "i").exec(image)?.[1]?.replaceAll("&amp;", "&");
  const widths = (attribute("srcset") ?? "")
    .split(", ")
    .map((candidate) => candidate.split(" "))
    .filter(([, width]) => Number.parseInt(width ?? "", 10) >= WIDE_ENOUGH);
  return widths[0]?.[0] ?? attribute("src");
}

/** Deletes articles that are too old or too many, and the pictures and code that no saved article uses. */
async function removeUnused(): Promise<void> {
  const paths = (await savedArticles()).slice(0, MAX_ARTICLES).map(({ path }) => path);
  const code = new Set([...scope.BUILD.shell, ...scope.BUILD.sheets, scope.BUILD.script]);
  for (const pages of await openPages()) {
    const usedPictures = new Set<string>();
    for (const path of paths)
      for (const part of partsOf(await pages.match(path))) (pictureKey(part) ? usedPictures : code).add(part);
    for (const request of await pages.keys()) {
      const { pathname } = new URL(request.url);
      if (!paths.includes(pathname) && !usedPictures.has(pathname)) await pages.delete(request);
    }
  }
  const stored = await caches.open(CODE);
  for (const request of await stored.keys())
    if (!code.has(new URL(request.url).pathname)) await stored.delete(request);
}

const partsOf = (page: Response | undefined): string[] =>
  JSON.parse(page?.headers.get(PARTS) ?? "[]") as string[];
