import { setTimeout as sleep } from "node:timers/promises";
import { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import { newId } from "../../src/server/runtime/ids.ts";
import { schemaMark } from "../../src/shared/document/schema-mark.ts";
import { schema } from "../../src/shared/document/schema.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { broadcast, startReaders } from "./fan-out.ts";
import { median, startBarePeer, type Row, type Site } from "./bench-site.ts";
import { wrapMark } from "./readers.ts";

const readers = 1_000;
const blocks = 433;
const rounds = 12;
const warmup = 3;
/** The interval between publications of live text, in milliseconds, at whole seconds. */
const intervalMs = 1_000;

/**
 * A paragraph written live, from when it is saved until the last of a thousand pages has it, beside the same bytes from a bare
 * `ws` server; the same from when it is due, which includes saving the whole text. And the size of an update of a long text.
 */
export async function liveWriting({ server, ana }: Site): Promise<Row[]> {
  const lines = Array.from({ length: blocks }, () =>
    "One hears owls, mostly, and now and then a train. ".repeat(5),
  );
  const blog = aBlog({ document: paragraphs(...lines) });
  const { id } = blog;
  const { slug } = await ana.api.blogs.create.mutate(blog);
  await ana.api.blogs.setLive.mutate({ id, live: true });
  const { epoch, seq: firstSeq, document } = await ana.api.blogs.openDraft.mutate({ id });
  let state = EditorState.create({ doc: Node.fromJSON(schema, document) });
  let seq = firstSeq;
  const client = newId();
  /** Types a paragraph and begins the next one. */
  const write = async (text: string, number: number): Promise<void> => {
    const tr = state.tr.insertText(text, state.doc.content.size - 1);
    tr.split(tr.doc.content.size - 1);
    state = state.apply(tr);
    const steps = JSON.stringify(tr.steps.map((step) => step.toJSON() as unknown));
    const pushed = await ana.api.blogs.pushCommit.mutate({
      id,
      seq,
      epoch,
      client,
      number,
      steps,
      schema: schemaMark,
    });
    if (pushed.kind !== "stored") throw new Error(`The commit was answered with ${pushed.kind}.`);
    seq = pushed.seq;
  };
  using bare = await startBarePeer();
  using ours = startReaders();
  using theirs = startReaders();
  const { cursor, html } = await ana.api.blogs.bySlug.query({ slug });
  const input = { topics: [`blog:${id}`], since: cursor };
  const hello = JSON.stringify({ id: 1, method: "subscription", params: { path: "live.follow", input } });
  await ours.command({ open: `${server.url.replace("http", "ws")}/trpc`, readers, hello });
  await theirs.command({ open: bare.url.replace("http", "ws"), readers });
  const times = { due: [] as number[], ours: [] as number[], theirs: [] as number[] };
  let bytes = 0;
  for (let round = 0; round < warmup + rounds; round++) {
    await sleep(intervalMs - (Date.now() % intervalMs) + 600);
    const mark = `live-${round}`;
    const text = `What a walk. ${wrapMark(mark)} `.repeat(4).trim();
    const start = Date.now();
    const untilDue = intervalMs - (start % intervalMs);
    const ourDelivery = await ours.measureDelivery(mark, () => write(text, round + 1));
    await sleep(50);
    const theirDelivery = await theirs.measureDelivery(mark, () => broadcast(bare.url, ourDelivery.message));
    bytes = Buffer.byteLength(ourDelivery.message);
    if (round < warmup) continue;
    const { updatedAt } = await ana.api.blogs.forEdit.query({ slug });
    times.due.push(ourDelivery.milliseconds - untilDue);
    times.ours.push(start + ourDelivery.milliseconds - Date.parse(updatedAt));
    times.theirs.push(theirDelivery.milliseconds);
  }
  await ana.api.blogs.setLive.mutate({ id, live: false });
  const [ourMedian, theirMedian] = [median(times.ours), median(times.theirs)];
  return [
    {
      title: `A live paragraph to ${readers.toLocaleString("en")} readers, once it is saved, beside bare ws (${median(times.due).toFixed(0)} ms from when it is due)`,
      ours: `${ourMedian.toFixed(1)} ms`,
      bare: `${theirMedian.toFixed(1)} ms`,
      value: ourMedian / theirMedian,
      unit: "×",
      target: { atMost: 2 },
    },
    {
      title: `An update of ${blocks} blocks, as a page gets it (the text is ${(html.length / 1_000).toFixed(0)} kB)`,
      ours: `${(bytes / 1_000).toFixed(1)} kB`,
      bare: "",
      value: bytes / 1_000,
      unit: "kB",
      target: { atMost: 4 },
    },
  ];
}
