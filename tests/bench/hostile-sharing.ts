import { connect } from "node:net";
import path from "node:path";
import { newId } from "../../src/server/runtime/ids.ts";
import { openBrowser, signUpAndSignIn } from "../support/browser.ts";
import { rawCalls, type RawCalls } from "../support/raw-calls.ts";
import { readEventsStart } from "../support/events-start.ts";
import { aBlog, aComment, paragraphs } from "../support/sample-content.ts";
import { startServer } from "../support/server.ts";
import { openSite, serverScript, type Site } from "./bench-site.ts";

interface Attack {
  acts: (() => Promise<unknown>)[];
  width: number;
}

/** Guests and members who use up what all share: the main thread, the worker threads, the memory for bodies. */
export const sharingKinds: Record<string, (context: { site: Site; calls: RawCalls }) => Promise<Attack>> = {
  "the change of a long text, asked for by a guest": async ({ site, calls }) => {
    const address = await changedText(site.server.url, calls);
    await countRefusals();
    return { acts: repeat(400, () => () => read(site.server.url + address)), width: 40 };
  },
  "300 long comments that a guest has missed": async ({ site: { ana, server } }) => {
    const blog = await ana.api.blogs.create.mutate(aBlog());
    const { cursor } = await ana.api.blogs.bySlug.query({ slug: blog.slug });
    const text = "ﷺ".repeat(5_000);
    for (let count = 0; count < 300; count++) await ana.api.comments.create.mutate(aComment(blog, { text }));
    const address = trpcAddress("live.follow", { topics: [`blog:${blog.id}`], since: cursor });
    return { acts: repeat(100, () => () => readEventsStart(server.url + address)), width: 20 };
  },
  "the Markdown of eight long texts, over 22 connections of a guest": async ({ site: { ana, server } }) => {
    const create = async (seed: number) => ana.api.blogs.create.mutate(aBlog({ document: longText(seed) }));
    const slugs: string[] = [];
    for (let seed = 0; seed < 8; seed++) slugs.push((await create(seed)).slug);
    const reads = repeat(22 * 8, (at) => () => read(`${server.url}/blog/${slugs[at % 8]}.md`));
    const save = () => countSaves(7, (at) => create(10 + at));
    return { acts: [...reads.slice(0, 22), save, ...reads.slice(22)], width: 23 };
  },
  "24 bodies of a guest that never end": async ({ site }) => endlessBodies(site, "signup"),
  "24 bodies of a member that never end": async ({ site, calls }) =>
    endlessBodies(site, "blogs", `authorization: Bearer ${calls.token}\r\n`),
};

/** Sends bodies of which a part is missing, and saves as another member from another address. */
async function endlessBodies({ server, dataDir }: Site, call: string, headers = ""): Promise<Attack> {
  const bob = await signUpAndSignIn(openBrowser(server.url), "Bob", path.join(dataDir, "outbox"));
  const bobs = await rawCalls(server.url, bob);
  const body = JSON.stringify({ title: "x", content: `<p>${"owl ".repeat(50_000)}</p>` });
  const part = "x".repeat(1_390_000);
  const attack = async () => {
    const sockets = repeat(24, () => {
      const socket = connect({ port: server.port, host: "127.0.0.1", localAddress: "127.0.0.2" });
      socket.on("error", () => undefined);
      socket.write(
        `POST /api/v1/${call} HTTP/1.1\r\nhost: x\r\n${headers}content-type: application/json\r\ncontent-length: 1900000\r\n\r\n${part}`,
      );
      return socket;
    });
    // Until they have arrived.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await countSaves(20, async () => {
      const { status } = await bobs.rest("POST", "/blogs", body);
      if (status !== 200) throw new Error(`The answer was ${status}.`);
    });
    for (const socket of sockets) socket.destroy();
    await bob.close();
  };
  return { acts: [attack], width: 1 };
}

/** Saves several times, one after the other, and prints how many saves succeeded and the slowest. */
async function countSaves(times: number, save: (at: number) => Promise<unknown>): Promise<void> {
  let [succeeded, slowest] = [0, 0];
  for (let at = 0; at < times; at++) {
    const startedAt = performance.now();
    succeeded += await save(at).then(
      () => 1,
      () => 0,
    );
    slowest = Math.max(slowest, performance.now() - startedAt);
  }
  print(`${succeeded} of ${times} saves succeeded, the slowest after ${slowest.toFixed(0)} ms`);
}

/** Prints how many of 500 calls a site with rate limits refuses to a guest. */
async function countRefusals(): Promise<void> {
  // Without limits nobody has to work for an account.
  await using site = await openSite();
  await site.server.stop();
  const settings = { DATA_DIR: site.dataDir, RATE_LIMIT: "on" };
  await using server = await startServer(settings, { script: serverScript });
  const address = await changedText(server.url, await rawCalls(server.url, site.ana));
  let refused = 0;
  for (let call = 0; call < 500; call++) if ((await read(server.url + address)) === 429) refused++;
  print(`${refused} of 500 calls refused`);
}

/** Publishes a long text and another one in its place; returns the address of the change. */
async function changedText(url: string, { rest }: RawCalls): Promise<string> {
  const send = (method: string, address: string, seed: number) =>
    rest(method, address, JSON.stringify({ title: `Long ${newId()}`, content: longText(seed) }));
  const { body } = await send("POST", "/blogs", 1);
  const { blogId: slug } = (JSON.parse(body) as { blog: { blogId: string } }).blog;
  const answer = await fetch(url + trpcAddress("blogs.bySlug", { slug }));
  const { result } = (await answer.json()) as { result: { data: { digest: string } } };
  await send("PATCH", `/blogs/${slug}`, 2);
  return trpcAddress("blogs.bySlug", { slug, has: result.data.digest });
}

/** A text of almost as many paragraphs as fit; few are the same with another seed. */
const longText = (seed: number) =>
  paragraphs(...repeat(7_500, (at) => `Paragraph ${((at + seed) * 7_919) % 99_991} of a long text ${at}`));

const trpcAddress = (procedure: string, input: object): string =>
  `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;

/** Returns the status of a guest's request after reading all of the answer. */
async function read(address: string): Promise<number> {
  const answer = await fetch(address);
  await answer.arrayBuffer();
  return answer.status;
}

const print = (line: string): void => void process.stderr.write(`  ${line}\n`);

const repeat = <T>(times: number, make: (index: number) => T): T[] =>
  Array.from({ length: times }, (_, index) => make(index));
