import { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import { newId } from "../../src/server/runtime/ids.ts";
import { schemaMark } from "../../src/shared/document/schema-mark.ts";
import { schema } from "../../src/shared/document/schema.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import { median, percentile, type Row, type Site } from "./bench-site.ts";

/** This many authors write in as many blogs at once; `keys` of each are counted after `warmUpKeys` warm-up keys. */
const authors = 20;
const keys = 40;
const warmUpKeys = 25;
/** The time between two commits of a writing page, in milliseconds. */
const commitIntervalMs = 500;
const words = 1_000;

/** How long a commit of one key takes while many authors write, each in a text of a thousand words. */
export async function writing({ ana }: Site): Promise<Row[]> {
  const text = paragraphs(
    ...Array.from({ length: words / 20 }, () => "owls and bats at night ".repeat(4).trim()),
  );
  const times: number[] = [];
  await Promise.all(
    Array.from({ length: authors }, async (_, author) => {
      const blog = aBlog({ document: text });
      await ana.api.blogs.create.mutate(blog);
      const { id } = blog;
      const opened = await ana.api.blogs.openDraft.mutate({ id });
      let state = EditorState.create({ doc: Node.fromJSON(schema, opened.document) });
      let { seq } = opened;
      const client = newId();
      await new Promise((resolve) => setTimeout(resolve, (commitIntervalMs * author) / authors));
      for (let number = 1; number <= warmUpKeys + keys; number++) {
        const tr = state.tr.insertText("x", 3);
        state = state.apply(tr);
        const steps = JSON.stringify(tr.steps.map((step) => step.toJSON() as unknown));
        const start = performance.now();
        const pushed = await ana.api.blogs.pushCommit.mutate({
          id,
          seq,
          epoch: opened.epoch,
          client,
          number,
          steps,
          schema: schemaMark,
        });
        if (number > warmUpKeys) times.push(performance.now() - start);
        if (pushed.kind !== "stored") throw new Error(`The commit was answered with ${pushed.kind}.`);
        seq = pushed.seq;
        await new Promise((resolve) => setTimeout(resolve, commitIntervalMs));
      }
    }),
  );
  const medianTime = median(times);
  return [
    {
      title: `A key's commit while ${authors} authors write (p99 ${percentile(times, 0.99).toFixed(1)} ms)`,
      ours: `${medianTime.toFixed(1)} ms`,
      bare: "",
      value: medianTime,
      unit: "ms",
      target: { atMost: 5 },
    },
  ];
}
