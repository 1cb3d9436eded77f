import { setTimeout as sleep } from "node:timers/promises";
import { createLiveBlog, postEntry } from "../support/live-blogs.ts";
import { paragraphs } from "../support/sample-content.ts";
import { startBarePeer, type Row, type Site } from "./bench-site.ts";
import { besideBare, startReaders } from "./fan-out.ts";
import { fromMemory } from "./guests.ts";
import { wrapMark } from "./readers.ts";

const crowds = [1_000, 10_000];
const entries = 500;

/** An entry of a live blog to thousands of open pages, from Post until the last has it; and the page of a long event for a guest. */
export async function liveBlogs(site: Site): Promise<Row[]> {
  const { server, ana } = site;
  const { id, slug } = await createLiveBlog(ana, { title: "The cup final" });
  const text = "What a walk, and what a night, with owls in every tree along the river. ".repeat(4);
  for (let number = 0; number < entries; number++)
    await postEntry(
      ana,
      { id },
      { title: `Minute ${number}`, isKey: number % 20 === 0, document: paragraphs(text) },
    );
  const rows = await fromMemory(site, slug, `A guest's page of a live blog of ${entries} entries`);
  using bare = await startBarePeer();
  using ours = startReaders();
  using theirs = startReaders();
  let count = 0;
  const post = async () => {
    const mark = `number-${count++}`;
    const document = paragraphs(`What a walk. ${wrapMark(mark)} `.repeat(4).trim());
    return { mark, ...(await ours.measureDelivery(mark, () => postEntry(ana, { id }, { document }))) };
  };
  for (const readers of crowds) {
    const { cursor } = await ana.api.blogs.bySlug.query({ slug });
    const input = { topics: [`blog:${id}`], since: cursor };
    const hello = JSON.stringify({ id: 1, method: "subscription", params: { path: "live.follow", input } });
    await ours.command({ open: `${server.url.replace("http", "ws")}/trpc`, readers, hello });
    await theirs.command({ open: bare.url.replace("http", "ws"), readers });
    await sleep(500);
    rows.push(await besideBare(`An entry to ${readers.toLocaleString("en")} readers`, post, theirs, bare));
  }
  return rows;
}
