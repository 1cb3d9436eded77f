import { openSqlite } from "../../src/server/database/sqlite/open.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { routes } from "../../src/shared/routes.ts";
import { openBrowser, type Client } from "../support/browser.ts";
import { createLargeDatabase, sizes, type LargeSite, type Size } from "../support/large-site.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { startServer, type ServerProcess } from "../support/server.ts";
import { until } from "../support/until.ts";
import { median, percentile, serverScript, startBarePeer, textLikeReal, type Row } from "./bench-site.ts";
import { cpuTimeOf } from "./cost.ts";
import { waitUntilIdle } from "./growth.ts";
import { options } from "./options.ts";
import { send } from "./send.ts";
import type { StretchReport } from "./report-stretches.ts";

/** Milliseconds that no request may hold the main thread. */
const maxStretchMs = 50;
/** How much longer than the bare peer an address in memory may take. */
const slowest = 2;
const rounds = { first: 10, repeated: 200 };
/** Of words in every large site: with each, another search finds blogs. */
const beginnings = "na to re vi ka lo men ti sa rou ber".split(" ");
/** As many as a feed has, of 75,000 characters each. */
const longTexts = { count: 20, paragraphs: 216 };

interface OpenWebAddress {
  what: string;
  /** The address of a round; those that are the same are requested after an edit. */
  path: (round: number) => string;
  cookie?: string;
  /** The response is in memory from the second request on. */
  isCached: boolean;
}

interface Measured {
  server: ServerProcess;
  bare: Awaited<ReturnType<typeof startBarePeer>>;
  size: Size;
  /** Changes a public blog, so that nothing in memory is current. */
  edit: () => Promise<unknown>;
  /** Returns the longest stretch of the main thread since the last call. */
  stretch: () => Promise<number>;
}

/**
 * The addresses that feed readers, search engines and chats request, on a site of that size: the first time after a change and
 * again, in milliseconds beside a bare peer that answers the same bytes, and the longest stretch of the main thread.
 */
export async function openWeb(): Promise<Row[]> {
  const size = options.scale as Size;
  if (!Object.hasOwn(sizes, size)) throw new Error(`--scale is one of ${Object.keys(sizes).join(", ")}.`);
  const folder = await mkdtemp(path.join(tmpdir(), "reprise-open-web-"));
  try {
    const site = await createLargeDatabase(folder, size);
    const { own, slugs } = prepareDatabase(site);
    let log = "";
    const reporter = pathToFileURL(path.join(import.meta.dirname, "report-stretches.ts")).href;
    await using server = await startServer(
      { DATA_DIR: folder, RATE_LIMIT: "off", NODE_OPTIONS: `--import=${reporter}` },
      { script: serverScript, onLog: (text) => void (log += text) },
    );
    await waitUntilIdle(server.pid);
    using bare = await startBarePeer();
    const browser = openBrowser(server.url, site.author.cookie);
    let edits = 0;
    const measured: Measured = {
      server,
      bare,
      size,
      edit: () => browser.api.blogs.update.mutate({ id: own, title: `Changed for the ${++edits}th time` }),
      stretch: async () => {
        log = "";
        process.kill(server.pid, "SIGUSR2");
        await until(() => log.includes("longestStretch"), "the report of the main thread");
        const line = log.split("\n").find((text) => text.includes("longestStretch")) ?? "";
        return (JSON.parse(line) as StretchReport).longestStretch;
      },
    };
    const rows: Row[] = [];
    for (const address of await addressesOf(site, server, slugs))
      rows.push(...(await measureAddress(measured, address)));
    rows.push(await measureEditing(measured));
    await publishLongTexts(browser.api);
    await waitUntilIdle(server.pid);
    for (const address of longAddresses) rows.push(...(await measureAddress(measured, address)));
    await browser.close();
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives every fifth blog a tag of its own, as on a real site. Returns a blog of the author's, and slugs of others. */
function prepareDatabase({ file, author }: LargeSite): { own: string; slugs: string[] } {
  const sqlite = openSqlite(file, false);
  try {
    sqlite.pragma("synchronous = OFF");
    sqlite.exec("update blogs set tags = json_insert(tags, '$[#]', 'rare-' || seq) where seq % 5 = 0");
    const newest = "from blogs where is_public = 1";
    return {
      own: sqlite
        .prepare(`select id ${newest} and author_id = ? order by seq desc limit 1`)
        .pluck()
        .get(author.id) as string,
      slugs: sqlite
        .prepare(`select slug ${newest} and author_id <> ? order by seq desc limit ?`)
        .pluck()
        .all(author.id, rounds.first + 1) as string[],
    };
  } finally {
    sqlite.close();
  }
}

async function addressesOf(
  { author, reader }: LargeSite,
  { url, port }: ServerProcess,
  slugs: string[],
): Promise<OpenWebAddress[]> {
  const cards = await Promise.all(slugs.map((slug) => cardOf(url, slug)));
  const cached = (address: string): OpenWebAddress => ({
    what: address,
    path: () => address,
    isCached: true,
  });
  return [
    ...["/feed.xml", "/atom.xml", "/feed.json", `/${author.username}/feed.xml`].map(cached),
    ...["/tag/history", "/tag/history/feed.xml"].map(cached),
    {
      what: "/search/feed.xml?q=…",
      path: (round) => `/search/feed.xml?q=evening+${beginnings[round] ?? ""}`,
      isCached: true,
    },
    { what: "/search/feed.xml?q=evening", path: () => "/search/feed.xml?q=evening", isCached: true },
    ...["/sitemap.xml", "/sitemap-1.xml"].map(cached),
    cached("/robots.txt"),
    {
      what: "/oembed?url=…",
      path: (round) =>
        `/oembed?url=${encodeURIComponent(`http://localhost:${port}/blog/${slugs[round] ?? slugs[0]}`)}`,
      isCached: false,
    },
    { what: "/cards/…", path: (round) => cards[round] ?? cards[0] ?? "", isCached: false },
    {
      what: "home's Following, a member",
      path: () => routes.home(1, "following"),
      cookie: reader.cookie,
      isCached: false,
    },
  ];
}

/** The same feeds, once their texts are long. */
const longAddresses: OpenWebAddress[] = [
  "/feed.xml",
  "/atom.xml",
  "/feed.json",
  "/search/feed.xml?q=longest",
].map((address) => ({
  what: `${address} of ${longTexts.count} texts of 75,000 characters`,
  path: () => address,
  isCached: true,
}));

async function publishLongTexts(api: Client): Promise<void> {
  for (let number = 1; number <= longTexts.count; number++) {
    const text = textLikeReal({ seed: number, paragraphs: longTexts.paragraphs });
    // As in most texts, some characters are beyond Latin-1, which makes each step slower.
    const document = { ...text, content: [...paragraphs("“The longest evening”").content, ...text.content] };
    await api.blogs.create.mutate(aBlog({ title: `A long text, the ${number}th`, document }));
  }
}

async function cardOf(url: string, slug: string): Promise<string> {
  const { bytes } = await send(url, { path: `/blog/${slug}`, headers: { accept: "text/html" } });
  const [, card] = /<meta property="og:image" content="[^"]*?(\/cards\/[^"]+)">/.exec(String(bytes)) ?? [];
  if (card === undefined) throw new Error(`/blog/${slug} names no card.`);
  return card;
}

async function measureAddress(
  { server, bare, size, edit, stretch }: Measured,
  { what, path: pathOf, cookie, isCached }: OpenWebAddress,
): Promise<Row[]> {
  const headers = { "accept-encoding": "gzip, deflate, br", ...(cookie ? { cookie } : {}) };
  const timeOf = async (url: string, address: string) => {
    const start = performance.now();
    const answer = await send(url, { path: address, headers });
    if (answer.status !== 200)
      throw new Error(`${address}: ${answer.status} ${String(answer.bytes).slice(0, 300)}`);
    return { answer, time: performance.now() - start };
  };
  // The first round starts threads and compiles code.
  await timeOf(server.url, pathOf(0));
  const firstTimes: number[] = [];
  const stretches: number[] = [];
  for (let round = 1; round <= rounds.first; round++) {
    await edit();
    // The jobs of the edit are not the request's.
    await setTimeout(100);
    await stretch();
    firstTimes.push((await timeOf(server.url, pathOf(round))).time);
    stretches.push(await stretch());
  }
  const { answer } = await timeOf(server.url, pathOf(rounds.first));
  await bare.serve(answer);
  const repeatedTimes: number[] = [];
  const bareTimes: number[] = [];
  await stretch();
  // In turns, so that other work on the machine slows both down. The first half warms up.
  for (let time = 0; time < 2 * rounds.repeated; time++) {
    repeatedTimes.push((await timeOf(server.url, pathOf(rounds.first))).time);
    bareTimes.push((await timeOf(bare.url, "/page")).time);
  }
  stretches.push(await stretch());
  const first = median(firstTimes);
  const repeated = median(repeatedTimes.slice(rounds.repeated));
  const bareTime = median(bareTimes.slice(rounds.repeated));
  const longest = Math.max(...stretches);
  const beside = { bare: `${bareTime.toFixed(2)} ms`, unit: "×" };
  return [
    {
      title: `${what}, ${(answer.bytes.length / 1024).toFixed(0)} kB, first (${size})`,
      ours: `${first.toFixed(1)} ms`,
      value: first / bareTime,
      ...beside,
    },
    {
      title: "  again",
      ours: `${repeated.toFixed(2)} ms`,
      value: repeated / bareTime,
      ...beside,
      ...(isCached ? { target: { atMost: slowest } } : {}),
    },
    {
      title: "  longest stretch of the main thread",
      ours: `${longest.toFixed(0)} ms`,
      bare: "",
      value: longest,
      unit: "ms",
      target: { atMost: maxStretchMs },
    },
  ];
}

/** How long `/sitemap.xml` takes while ten blogs a second are edited, and the CPU time of an edit with such a request. */
async function measureEditing({ server, size, edit, stretch }: Measured): Promise<Row> {
  const seconds = 10;
  const times: number[] = [];
  const requestSitemap = async () => {
    const start = performance.now();
    await send(server.url, { path: "/sitemap.xml" });
    times.push(performance.now() - start);
  };
  await stretch();
  const before = cpuTimeOf(server.pid).all;
  for (let time = 0; time < seconds * 10; time++)
    await Promise.all([edit(), requestSitemap(), setTimeout(100)]);
  const cost = (cpuTimeOf(server.pid).all - before) / times.length;
  const longest = await stretch();
  return {
    title: `/sitemap.xml while 10 blogs a second are edited, processor time with an edit (${size})`,
    ours: `${cost.toFixed(1)} ms; takes ${median(times).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms; stretch ${longest.toFixed(0)} ms`,
    bare: "",
    value: cost,
    unit: "ms",
  };
}
