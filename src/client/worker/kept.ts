import { sessionHeader } from "../../shared/worker.ts";
import { scope } from "./scope.ts";

/*
 * The articles that were read last, as documents in the browser's caches, with their pictures and code
 * (docs/decisions/0030-on-a-device.md). There is one reader at a time: with the next, or none, what the one before read goes.
 */

/** So many articles are kept, */
const MOST = 30;
/** none of them longer than this, */
const KEPT_FOR = 30 * 24 * 60 * 60 * 1000;
/** and of each so many pictures of so many bytes. */
const MOST_PICTURES = 12;
const LARGEST_PICTURE = 1_500_000;
/** A wide one is kept as the first that is as wide as this. */
const WIDE_ENOUGH = 900;
/** What was kept a moment ago is not fetched again. */
const FRESH_FOR = 60_000;

const PAGES = "pages:";
const CODE = "code";
const AT = "x-kept-at";
const TITLE = "x-kept-title";
const PARTS = "x-kept-parts";

/** So long an answer may take, all of it: what follows waits, and so does a newer worker, which takes over from an idle one. */
const PATIENCE = 15_000;
const ask = (address: string, asked: RequestInit = {}): Promise<Response> =>
  fetch(address, { ...asked, signal: AbortSignal.timeout(PATIENCE) });

export interface KeptPage {
  path: string;
  /** As HTML. */
  title: string;
  at: number;
}

export const isArticle = (path: string): boolean => /^\/blog\/[^/]+$/.test(path);

/** One thing at a time, in the order of their calls: what belongs to somebody who has gone is not put back. */
let last: Promise<unknown> = Promise.resolve();
export function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const done = last.then(act);
  last = done.catch(() => undefined);
  return done;
}

/** Forgets what anybody but the owner of this session has read; of a guest it is null. */
export async function become(session: string | null): Promise<void> {
  for (const name of await caches.keys())
    if (name.startsWith(PAGES) && name !== PAGES + (session ?? "")) await caches.delete(name);
}

export async function forgetAll(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
}

/** Keeps an article as the server has answered it; one that it answers no more is not kept any longer. */
export async function keep(path: string, response: Response): Promise<void> {
  const session = response.headers.get(sessionHeader);
  await become(session);
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
  const pictures = await keepPictures(pages, html);
  const headers = new Headers(response.headers);
  for (const name of ["content-encoding", "content-length", "set-cookie"]) headers.delete(name);
  headers.set(AT, String(Date.now()));
  headers.set(TITLE, encodeURIComponent(title));
  headers.set(PARTS, JSON.stringify([...code, ...pictures]));
  // The page last: what is kept can be read whole, whenever the network goes.
  await keepCode([...scope.BUILD.shell, ...scope.BUILD.sheets, scope.BUILD.script, ...code]);
  await pages.put(path, new Response(html, { headers }));
  await tidy();
}

/** Fetches an article and keeps it, unless that was done a moment ago. */
export async function keepAnew(path: string): Promise<void> {
  const known = await find(path);
  if (known && Number(known.headers.get(AT)) > Date.now() - FRESH_FOR) return;
  await keep(path, await ask(path, { headers: { accept: "text/html" } }));
}

/** Asks which of the kept articles may still be read, and forgets the others. */
export async function check(): Promise<void> {
  const kept = await all();
  if (kept.length === 0) return;
  const slugs = kept.map(({ path }) => decodeURIComponent(path.slice("/blog/".length)));
  const answer = await ask(`/trpc/blogs.readable?input=${encodeURIComponent(JSON.stringify({ slugs }))}`);
  if (!answer.ok) return;
  const { result } = (await answer.json()) as { result: { data: { slugs: string[] } } };
  const gone = kept.filter((_, index) => !result.data.slugs.includes(slugs[index]!));
  for (const { path } of gone) await drop(path);
  if (gone.length > 0) await tidy();
}

/** What is kept, the newest first. */
export async function all(): Promise<KeptPage[]> {
  const found: KeptPage[] = [];
  for (const pages of await openPages())
    for (const { url } of await pages.keys()) {
      const path = new URL(url).pathname;
      const headers = isArticle(path) ? (await pages.match(url))?.headers : undefined;
      if (!headers) continue;
      found.push({
        path,
        title: decodeURIComponent(headers.get(TITLE) ?? ""),
        at: Number(headers.get(AT)),
      });
    }
  return found.filter(isYoung).toSorted((one, other) => other.at - one.at);
}

/** An article as it was when it was read, and when that was. */
export async function keptPage(path: string): Promise<(KeptPage & { response: Response }) | undefined> {
  const response = await find(path);
  if (!response) return undefined;
  const at = Number(response.headers.get(AT));
  const page = { path, at, title: decodeURIComponent(response.headers.get(TITLE) ?? ""), response };
  return isYoung(page) ? page : undefined;
}

/** Code, a sheet, a face or a picture that a kept article shows. */
export async function keptPart(url: URL): Promise<Response | undefined> {
  const picture = pictureKey(url.pathname);
  if (!picture) return (await caches.open(CODE)).match(url.pathname);
  return find(picture);
}

const isYoung = ({ at }: { at: number }): boolean => at > Date.now() - KEPT_FOR;

async function openPages(): Promise<Cache[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PAGES));
  return Promise.all(names.map((name) => caches.open(name)));
}

async function find(address: string): Promise<Response | undefined> {
  for (const pages of await openPages()) {
    const found = await pages.match(address);
    if (found) return found;
  }
  return undefined;
}

async function drop(path: string): Promise<void> {
  for (const pages of await openPages()) await pages.delete(path);
}

async function keepCode(addresses: string[]): Promise<void> {
  const code = await caches.open(CODE);
  for (const address of new Set(addresses)) {
    if (await code.match(address)) continue;
    // Their names change with what is in them: the browser has most of them at hand.
    const answer = await ask(address).catch(() => undefined);
    if (answer?.ok) await code.put(address, answer);
  }
}

/** One of our own pictures, in whichever width. */
const pictureKey = (path: string): string | undefined => /^\/media\/[\da-f-]{36}/.exec(path)?.[0];

async function keepPictures(pages: Cache, html: string): Promise<string[]> {
  const kept: string[] = [];
  for (const [image] of html.matchAll(/<img [^>]*>/g)) {
    if (kept.length >= MOST_PICTURES) break;
    const address = addressOf(image);
    const key = address && pictureKey(address);
    if (!key || kept.includes(key)) continue;
    if (!(await pages.match(key))) {
      const answer = await ask(address).catch(() => undefined);
      if (!answer?.ok || Number(answer.headers.get("content-length") ?? 0) > LARGEST_PICTURE) continue;
      await pages.put(key, answer);
    }
    kept.push(key);
  }
  return kept;
}

function addressOf(image: string): string | undefined {
  const attribute = (name: string) =>
    new RegExp(` ${name}="([^"]*)"`, "i").exec(image)?.[1]?.replaceAll("&amp;", "&");
  const widths = (attribute("srcset") ?? "")
    .split(", ")
    .map((one) => one.split(" "))
    .filter(([, width]) => Number.parseInt(width ?? "", 10) >= WIDE_ENOUGH);
  return widths[0]?.[0] ?? attribute("src");
}

/** Lets go of what is too old or too much, and of pictures and code that nothing kept shows. */
async function tidy(): Promise<void> {
  const young = (await all()).slice(0, MOST).map(({ path }) => path);
  const code = new Set([...scope.BUILD.shell, ...scope.BUILD.sheets, scope.BUILD.script]);
  for (const pages of await openPages()) {
    const shown = new Set<string>();
    for (const path of young)
      for (const part of partsOf(await pages.match(path))) (pictureKey(part) ? shown : code).add(part);
    for (const request of await pages.keys()) {
      const { pathname } = new URL(request.url);
      if (!young.includes(pathname) && !shown.has(pathname)) await pages.delete(request);
    }
  }
  const stored = await caches.open(CODE);
  for (const request of await stored.keys())
    if (!code.has(new URL(request.url).pathname)) await stored.delete(request);
}

const partsOf = (page: Response | undefined): string[] =>
  JSON.parse(page?.headers.get(PARTS) ?? "[]") as string[];
