import { newId } from "../../src/server/runtime/ids.ts";
import { schemaMark } from "../../src/shared/document/schema-mark.ts";
import { aBlog, paragraphs } from "../support/sample-content.ts";
import type { Site } from "./bench-site.ts";

type Attack = (context: { site: Site }) => Promise<{ acts: (() => Promise<unknown>)[]; width: number }>;

const letters = 500_000;
const manyParagraphs = () => paragraphs(...Array.from({ length: 9_000 }, () => "a"));
/** The size of that text. */
const size = 27_000;

/** Replaces half of the letters of a text by as many, twice: about as many bytes as a commit can have. */
const replaceLetters = (letter: string) =>
  [1, 1 + letters / 2].map((from) => ({
    stepType: "replace",
    from,
    to: from + letters / 2,
    slice: { content: [{ type: "text", text: letter.repeat(letters / 2) }] },
  }));

const marks = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    stepType: "addMark",
    mark: { type: at % 2 ? "strong" : "em" },
    from: 0,
    to: size,
  }));

/** Opens a new draft; returns how to send commits to it, and to ask for those after a number. */
async function openDraft({ ana }: Site, document: unknown) {
  const { id } = await ana.api.blogs.create.mutate(aBlog({ draft: true, document }));
  const { epoch, seq: start } = await ana.api.blogs.openDraft.mutate({ id });
  const client = newId();
  let [seq, number] = [start, 0];
  return {
    open: () => ana.api.blogs.openDraft.mutate({ id }),
    push: async (steps: unknown[]) => {
      const commit = { id, epoch, client, seq, number: ++number, schema: schemaMark };
      const result = await ana.api.blogs.pushCommit.mutate({ ...commit, steps: JSON.stringify(steps) });
      if (result.kind === "stored") seq = result.seq;
    },
    missed: () => ana.api.blogs.commitsSince.query({ id, epoch, seq: Math.max(1, seq - 400) }),
  };
}

const longText = () => paragraphs("x".repeat(letters));

/** Commits of a writer that are long or take much work. */
export const draftKinds: Record<string, Attack> = {
  "commits that replace half a million letters": async ({ site }) => {
    const draft = await openDraft(site, longText());
    return { acts: Array.from({ length: 60 }, () => () => draft.push(replaceLetters("y"))), width: 1 };
  },
  "pages that missed a hundred such commits": async ({ site }) => {
    const draft = await openDraft(site, longText());
    for (let count = 0; count < 100; count++) await draft.push(replaceLetters("y"));
    return { acts: Array.from({ length: 10 }, () => draft.missed), width: 10 };
  },
  "commits of 500 marks over 9,000 paragraphs": async ({ site }) => {
    const draft = await openDraft(site, manyParagraphs());
    return { acts: Array.from({ length: 5 }, () => () => draft.push(marks(500))), width: 1 };
  },
  "the first opening of a text after 300 such marks": async ({ site }) => {
    const draft = await openDraft(site, manyParagraphs());
    for (let count = 0; count < 75; count++) await draft.push(marks(4));
    // More than the server keeps in memory.
    for (let count = 0; count < 9; count++) await openDraft(site, longText());
    return { acts: [draft.open], width: 1 };
  },
};
