import { once } from "node:events";
import { WebSocket } from "ws";
import { newId } from "../../src/server/runtime/ids.ts";
import { lowerPriority } from "../../src/server/runtime/priority.ts";
import {
  costlyDocuments,
  costlyForms,
  costlyHtml,
  costlyJson,
  costlyTexts,
} from "../support/hostile-bodies.ts";
import { readEventsStart } from "../support/events-start.ts";
import { costlyPictures } from "../support/hostile-pictures.ts";
import { send } from "../support/pictures.ts";
import { rawCalls, insertThread, type RawCalls } from "../support/raw-calls.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { startProcess, type Row, type Site } from "./bench-site.ts";
import { draftKinds } from "./hostile-drafts.ts";
import { sharingKinds } from "./hostile-sharing.ts";
import { importKinds } from "./hostile-imports.ts";
import type { WatchReport } from "./watch-server.ts";

/**
 * The limits: how long any other request may wait, in milliseconds, and the memory of the server with all its processes, in
 * megabytes: what a machine of 2 GB has left. Of these a picture may take 340 in a process of its own (`limits.image.memory`),
 * and an import 512 for objects (`imports/bounds.ts`).
 */
const limits = { wait: 200, memoryOfAll: 1_200 };

type Action = () => Promise<unknown>;
interface HostileContext {
  site: Site;
  calls: RawCalls;
}

/**
 * The costliest texts, bodies, pictures, searches, threads and sockets that we know, one kind after the other, sent by an
 * account without rate limits. Beside them another process requests /healthz all the time.
 */
export async function hostile(site: Site): Promise<Row[]> {
  using watch = startProcess("watch-server.ts");
  // The senders stand for other machines, so they yield to the server.
  lowerPriority("thread");
  const context = { site, calls: await rawCalls(site.server.url, site.ana) };
  const rows: Row[] = [];
  let highest = 0;
  for (const [name, prepareAttack] of Object.entries(attackKinds)) {
    const { acts, width } = await prepareAttack(context);
    await watch.request({ watch: site.server.url, pid: site.server.pid });
    await runConcurrently(acts, width);
    const report = await watch.request<WatchReport>({ stop: true });
    highest = Math.max(highest, report.memoryOfAll);
    rows.push({
      title: `/healthz beside ${name}, at the worst`,
      ours: `${report.longest.toFixed(0)} ms, ${report.memory.toFixed(0)} MB, ${report.memoryOfAll.toFixed(0)} with its processes`,
      bare: "",
      value: report.longest,
      unit: "ms",
      target: { atMost: limits.wait },
    });
  }
  return [
    ...rows,
    {
      title: "Memory at its height, with all processes",
      ours: `${highest.toFixed(0)} MB`,
      bare: "",
      value: highest,
      unit: "MB",
      target: { atMost: limits.memoryOfAll },
    },
  ];
}

/** The requests of each kind, and how many run at once. */
const attackKinds: Record<string, (context: HostileContext) => Promise<{ acts: Action[]; width: number }>> = {
  "costly HTML": async ({ calls }) => {
    const texts = Object.values(costlyHtml).map((text) => JSON.stringify({ title: "x", content: text() }));
    return {
      acts: texts.flatMap((body) => repeat(5, () => () => calls.rest("POST", "/blogs", body))),
      width: 10,
    };
  },
  "costly documents": async ({ calls }) => {
    const documents = Object.values(costlyDocuments).map((text) => text());
    return {
      acts: documents.flatMap((document) => repeat(5, () => () => calls.create(document))),
      width: 10,
    };
  },
  "bodies of two and of forty megabytes": async ({ calls }) => {
    const large = `{"title":"x","content":"${"x".repeat(40_000_000)}"}`;
    const bodies = [...Object.values(costlyJson).map((body) => body()), large];
    const forms = Object.values(costlyForms).map((form) => form());
    return {
      acts: [
        ...bodies.flatMap((body) => repeat(4, () => () => calls.rest("POST", "/blogs", body))),
        ...forms.flatMap((body) => repeat(4, () => () => calls.form(body))),
      ],
      width: 8,
    };
  },
  "costly pictures": async ({ site }) => {
    const pictures = await Promise.all(Object.values(costlyPictures).map((paint) => paint()));
    return { acts: pictures.flatMap((bytes) => repeat(3, () => () => send(site.ana, bytes))), width: 8 };
  },
  "batches of searches over long texts": async ({ site }) => {
    const text = Array.from({ length: 9_000 }, (_, index) => `owl${index % 700} lark`).join(" ");
    for (let index = 0; index < 20; index++)
      await site.ana.api.blogs.create.mutate(aBlog({ title: `Owls ${index}`, document: paragraphs(text) }));
    const queries = [...Object.values(costlyTexts.searches).map((query) => query()), "owl lark", "o l a r k"];
    // One full batch. The client would merge those of several acts into one, which is refused.
    const batch = (query: string) => async () => {
      const pages = JSON.stringify(Object.fromEntries(repeat(5, (at) => [at, { query, page: at + 1 }])));
      const calls = repeat(5, () => "blogs.search").join(",");
      const answer = await site.ana.fetch(`/trpc/${calls}?batch=1&input=${encodeURIComponent(pages)}`);
      await answer.arrayBuffer();
    };
    return { acts: queries.flatMap((query) => repeat(16, () => batch(query))), width: 4 };
  },
  "a talk of 5,000 long comments, asked for by everybody": async ({ site, calls }) => {
    const { dataDir, ana: account, blog } = site;
    const text = "So it went on. ".repeat(330);
    await insertThread({ dataDir, who: account, blogId: blog.id }, { replies: 2_999, beside: 2_000, text });
    const request = (address: string, headers: Record<string, string>) => () =>
      fetch(site.server.url + address, { headers }).then((answer) => answer.arrayBuffer());
    const asMember = { cookie: site.ana.cookie };
    return {
      acts: [
        ...repeat(40, () => request(`/blog/${site.blog.slug}?comments=open`, asMember)),
        ...repeat(40, () => () => calls.rest("GET", `/blogs/${site.blog.slug}`)),
      ],
      width: 10,
    };
  },
  "messages with 630 calls each, over three sockets of a guest": async ({ site }) => {
    const { server } = site;
    const flood = JSON.stringify(repeat(630, (id) => followMessage(id, ["feed"])));
    const sockets = await Promise.all(
      repeat(3, async () => {
        const socket = new WebSocket(`${server.url.replace("http", "ws")}/trpc`);
        socket.on("error", () => undefined);
        await once(socket, "open");
        return socket;
      }),
    );
    return {
      acts: sockets.flatMap((socket) => repeat(50, () => async () => socket.send(flood))),
      width: 3,
    };
  },
  "150 addresses asked for in pieces by a guest, over and over": async ({ site }) => {
    const topics = repeat(150, (at) => `address:no-blog-${at}`);
    const address = `/trpc/live.follow?input=${encodeURIComponent(JSON.stringify({ topics }))}`;
    const request = () => readEventsStart(site.server.url + address);
    return { acts: repeat(1_000, () => request), width: 50 };
  },
  "as many sockets as one address opens, and comments to them": async ({ site }) => {
    const crowd: WebSocket[] = [];
    await runConcurrently(
      repeat(1_200, () => () => listen(site, crowd)),
      50,
    );
    const comment = () => site.ana.api.comments.create.mutate(aComment(site.blog));
    return { acts: repeat(50, () => comment), width: 5 };
  },
  "wrong passwords": async ({ site }) => {
    const tryPassword = () => site.ana.api.users.signIn.mutate({ email: site.ana.email, password: newId() });
    return { acts: repeat(100, () => tryPassword), width: 50 };
  },
  ...draftKinds,
  ...sharingKinds,
  ...importKinds,
};

const followMessage = (id: number, topics: string[]) => ({
  id,
  method: "subscription",
  params: { path: "live.follow", input: { topics } },
});

const repeat = <T>(times: number, make: (index: number) => T): T[] =>
  Array.from({ length: times }, (_, index) => make(index));

/** Runs all, `width` at a time, and ignores refusals. */
async function runConcurrently(acts: Action[], width: number): Promise<void> {
  const remaining = [...acts];
  const worker = async () => {
    for (let action = remaining.shift(); action; action = remaining.shift())
      await action().catch(() => undefined);
  };
  await Promise.all(repeat(width, worker));
}

/** Opens a socket with as many subscriptions as a page may have; resolves if it is refused, too. */
function listen({ server, blog }: Site, crowd: WebSocket[]): Promise<void> {
  const socket = new WebSocket(`${server.url.replace("http", "ws")}/trpc`);
  crowd.push(socket);
  return new Promise((resolve) => {
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
    socket.once("message", () => resolve());
    socket.once("open", () => {
      for (let id = 1; id <= 32; id++) socket.send(JSON.stringify(followMessage(id, [`blog:${blog.id}`])));
    });
  });
}
