import fc from "fast-check";
import { TextSelection } from "prosemirror-state";
import { addRowAfter, CellSelection, mergeCells } from "prosemirror-tables";
import { expect, test } from "vitest";
import { parseHtml } from "../../../src/server/text/parse-html.ts";
import { checkDocument } from "../../../src/shared/document/check.ts";
import { documentLimits } from "../../../src/shared/document/limits.ts";
import { schema } from "../../../src/shared/document/schema.ts";
import type { NodeJson } from "../../../src/shared/document/schema.ts";
import { CoWriter, type CallFate, type StoredPage } from "../../support/co-writer.ts";
import { paint, upload } from "../../support/pictures.ts";
import { doc, fig, p } from "../../unit/client/editor/typing.ts";
import { aBlog, paragraphs, startTestSite } from "../../support/test-site.ts";

test("merges the text and the fields of two pages to the same result", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs("Owls, mostly.") });
  await ana.api.blogs.create.mutate(blog);
  const [one, two] = [
    await CoWriter.open(() => ana.api, blog.id),
    await CoWriter.open(() => ana.api, blog.id),
  ];
  one.type("Here: ");
  two.type(" And bats.", 14);
  await one.sync.push();
  await two.sync.push();
  await one.sync.fetchMissed();
  expect(one.text).toBe("Here: Owls, mostly. And bats.");
  expect(two.text).toBe(one.text);
  expect(one.sync.isSaved && two.sync.isSaved).toBe(true);
  one.sync.changeFields({ title: "Owls and bats" });
  two.sync.changeFields({ description: "At night." });
  await one.sync.push();
  await two.sync.push();
  await one.sync.fetchMissed();
  expect(one.sync.fields).toMatchObject({ title: "Owls and bats", description: "At night." });
  expect(two.sync.fields).toEqual(one.sync.fields);
  // Readers see the published version.
  expect(await ana.api.blogs.card.query({ id: blog.id })).toMatchObject({ title: blog.title });
});

test("applies others' changes after a composition, and loses none of either side", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const { id } = await ana.api.blogs.create.mutate(aBlog({ document: paragraphs("Owls.") }));
  const [one, two] = [await CoWriter.open(() => ana.api, id), await CoWriter.open(() => ana.api, id)];
  const [arrived, composed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  one.composing = () => {
    arrived.resolve();
    return composed.promise;
  };
  two.type("Two ");
  await two.sync.push();
  one.type("ふ", 6);
  const [fetching, pushing] = [one.sync.fetchMissed(), one.sync.push()];
  await arrived.promise;
  // Time enough to apply them.
  await ana.api.blogs.openDraft.mutate({ id });
  expect(one.text).toBe("Owls.ふ");
  one.type("くろう", 7);
  one.composing = undefined;
  composed.resolve();
  await Promise.all([fetching, pushing]);
  await one.sync.push();
  await two.sync.fetchMissed();
  expect(one.text).toBe("Two Owls.ふくろう");
  expect(two.text).toBe(one.text);
});

test("keeps the letters that several pages type into one title at once, and ends with the same title on all", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const step = fc.record({
    who: fc.nat(2),
    what: fc.constantFrom("type", "type", "push", "fetch"),
    at: fc.nat(40),
    fate: fc.constantFrom<CallFate>("well", "well", "unanswered", "twice", "never"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const blog = aBlog({ title: "Owls" });
      await ana.api.blogs.create.mutate(blog);
      let fate: CallFate = "well";
      const writers: CoWriter[] = [];
      for (let index = 0; index < 3; index++)
        writers.push(
          await CoWriter.open(
            () => ana.api,
            blog.id,
            () => fate,
          ),
        );
      const typed: string[] = [];
      for (const { who, what, at, fate: next } of steps) {
        const { sync } = writers[who]!;
        fate = next;
        if (what === "push") await sync.push();
        else if (what === "fetch") await sync.fetchMissed();
        else {
          const { title } = sync.fields;
          const letter = String.fromCodePoint(0x4e00 + typed.length);
          typed.push(letter);
          sync.changeFields({ title: title.slice(0, at) + letter + title.slice(at) });
        }
      }
      fate = "well";
      for (let round = 0; round < 3; round++)
        for (const { sync } of writers) {
          await sync.fetchMissed();
          await sync.push();
        }
      for (const { sync } of writers) await sync.fetchMissed();
      const { fields } = await ana.api.blogs.openDraft.mutate({ id: blog.id });
      for (const { sync } of writers) expect(sync.fields.title).toBe(fields.title);
      for (const letter of typed) expect(fields.title).toContain(letter);
    }),
    { numRuns: 40 },
  );
}, 120_000);

test("keeps a title that a page has not seen although the answer to its own change of it is lost", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ title: "Owls" });
  await ana.api.blogs.create.mutate(blog);
  let fate: CallFate = "well";
  const [one, two] = [
    await CoWriter.open(() => ana.api, blog.id),
    await CoWriter.open(
      () => ana.api,
      blog.id,
      () => fate,
    ),
  ];
  one.sync.changeFields({ title: "Snowy Owls" });
  two.sync.changeFields({ title: "Owls at night" });
  await one.sync.push();
  fate = "unanswered";
  await two.sync.push();
  const titleOnServer = async () => (await ana.api.blogs.openDraft.mutate({ id: blog.id })).fields.title;
  expect(await titleOnServer()).toBe("Snowy Owls");
  fate = "well";
  await two.sync.push();
  expect(await titleOnServer()).toBe("Snowy Owls at night");
});

test("applies others' words to a caption that they make longer than one can write it oneself", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const limit = documentLimits.caption;
  const figure = fig("o".repeat(limit - 6), "text", (await upload(ana, await paint())).src);
  const blog = aBlog({ document: doc(figure, p()).toJSON() as NodeJson });
  await ana.api.blogs.create.mutate(blog);
  const [one, two] = [
    await CoWriter.open(() => ana.api, blog.id),
    await CoWriter.open(() => ana.api, blog.id),
  ];
  const end = one.state.doc.firstChild!.nodeSize - 2;
  two.edit((tr) => tr.setSelection(TextSelection.create(tr.doc, end)).insertText("bats"));
  one.type("owls", end);
  await one.sync.push();
  await two.sync.push();
  expect(two.text).toContain("owls");
  expect(two.text).toContain("bats");
  await one.sync.fetchMissed();
  // The limit is for what one writes oneself.
  const fullText = two.text;
  two.edit((tr) => tr.insertText("x"));
  expect(two.text).toBe(fullText);
  const { document } = await ana.api.blogs.openDraft.mutate({ id: blog.id });
  expect([one.state.doc.toJSON(), two.state.doc.toJSON()]).toEqual([document, document]);
});

test("merges changes of one table while a writer has a row selected that another merges", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const rows = "<tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>";
  const blog = aBlog({ document: await parseHtml(`<table>${rows}</table>`) });
  await ana.api.blogs.create.mutate(blog);
  const [one, two] = [
    await CoWriter.open(() => ana.api, blog.id),
    await CoWriter.open(() => ana.api, blog.id),
  ];
  const cells: number[] = [];
  one.state.doc.descendants(({ type }, pos) => void (type.name === "table_cell" && cells.push(pos)));
  const [a, b, c] = cells as [number, number, number];
  for (const [writer, anchor, head, command] of [
    [one, a, c, mergeCells],
    [two, b, a, addRowAfter],
  ] as const) {
    writer.edit((tr) => tr.setSelection(CellSelection.create(tr.doc, anchor, head)));
    command(writer.state, (tr) => writer.dispatch(tr));
  }
  for (const writer of [one, two, one]) {
    await writer.sync.push();
    await writer.sync.fetchMissed();
  }
  await two.sync.fetchMissed();
  const { document } = await ana.api.blogs.openDraft.mutate({ id: blog.id });
  expect([one.state.doc.toJSON(), two.state.doc.toJSON()]).toEqual([document, document]);
  expect(one.sync.isSaved && two.sync.isSaved).toBe(true);
});

test("continues a killed page from its stored copy when the server has newer text and fields", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs("Owls, mostly.") });
  await ana.api.blogs.create.mutate(blog);
  const writer = await CoWriter.open(() => ana.api, blog.id);
  writer.type("On");
  writer.sync.changeFields({ title: "Ow" });
  const storedPage = writer.store();
  writer.type("e: ", 3);
  writer.sync.changeFields({ title: "Owls", description: "At night." });
  await writer.sync.push();
  const later = CoWriter.restore(
    () => ana.api,
    blog.id,
    storedPage,
    () => "well",
  );
  later.type("And ");
  later.sync.changeFields({ description: "By day." });
  await later.sync.push();
  expect(later.text).toBe("And One: Owls, mostly.");
  const { document, fields } = await ana.api.blogs.openDraft.mutate({ id: blog.id });
  expect(later.state.doc.toJSON()).toEqual(document);
  expect(fields).toMatchObject({ title: "Owls", description: "By day." });
});

test("applies no part of a commit that it does not understand", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs("Owls, mostly.") });
  await ana.api.blogs.create.mutate(blog);
  const writer = await CoWriter.open(() => ana.api, blog.id);
  const { seq } = writer.sync;
  const replace = (content: unknown[], from: number) => ({
    stepType: "replace",
    from,
    to: from,
    slice: { content },
  });
  for (const [steps, name] of [
    [[replace([{ type: "text", text: "x" }], 1), replace([{ type: "hologram" }], 1)], "old"],
    [[replace([{ type: "text", text: "x" }], 1), replace([{ type: "text", text: "x" }], 900)], "lost"],
  ] as const) {
    const page = await CoWriter.open(() => ana.api, blog.id);
    const other = { seq: seq + 1, client: "other", number: 1, steps: [...steps], fields: { title: "x" } };
    await page.sync.receiveCommits([other], seq + 1);
    expect(page.syncStates.at(-1)).toEqual({ name });
    expect([page.text, page.sync.seq, page.sync.fields.title]).toEqual([writer.text, seq, blog.title]);
    // Nor anything after it.
    await page.sync.receiveCommits([{ ...other, steps: [] }], seq + 1);
    expect(page.sync.seq).toBe(seq);
  }
});

test("fetches commits that came during an earlier fetch", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  const blog = aBlog({ document: paragraphs("Owls, mostly.") });
  await ana.api.blogs.create.mutate(blog);
  const other = await CoWriter.open(() => ana.api, blog.id);
  const writer = await CoWriter.open(() => ana.api, blog.id);
  const fetching = writer.sync.fetchMissed();
  await new Promise((resolve) => setImmediate(resolve));
  other.type("Here: ");
  await other.sync.push();
  // Too long for an event.
  await writer.sync.receiveCommits(null, other.sync.seq);
  await fetching;
  expect(writer.text).toBe("Here: Owls, mostly.");
});

const { nodes, marks } = schema;

/** Makes one change at the positions to which the numbers point. */
function editAt(writer: CoWriter, kind: number, a: number, b: number, text: string): void {
  writer.edit((tr) => {
    const size = tr.doc.content.size;
    const [from, to] = [a % (size + 1), b % (size + 1)].toSorted((one, other) => one - other) as [
      number,
      number,
    ];
    try {
      if (kind === 0) tr.insertText(text, Math.max(1, Math.min(from, size - 1)));
      else if (kind === 1) tr.delete(from, to);
      else if (kind === 2) tr.split(Math.max(1, from));
      else if (kind === 3) tr.addMark(from, to, marks.strong.create());
      else if (kind === 4) tr.removeMark(from, to);
      else if (kind === 5) tr.insert(size, nodes.paragraph.create(null, schema.text(text)));
      else if (kind === 6) tr.setBlockType(from, to, nodes.heading, { level: 2 });
      else tr.replaceWith(0, size, nodes.paragraph.create(null, schema.text(text)));
    } catch {
      // There is no such position.
    }
  });
}

const action = fc.record({
  who: fc.nat(3),
  what: fc.constantFrom("edit", "edit", "edit", "push", "ask", "field", "keep", "reload", "forget"),
  kind: fc.nat(7),
  a: fc.nat(400),
  b: fc.nat(400),
  text: fc.stringMatching(/^[a-z]{1,6}$/),
  fate: fc.constantFrom<CallFate>("well", "well", "unanswered", "twice", "never"),
});

test("makes all copies equal and stores each commit once, despite lost, repeated and late messages", async () => {
  await using testSite = await startTestSite();
  const ana = await testSite.createAccount("Ana");
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 4 }),
      fc.array(action, { minLength: 5, maxLength: 60 }),
      async (count, actions) => {
        const blog = aBlog({ document: paragraphs("One.", "Two.", "Three.") });
        await ana.api.blogs.create.mutate(blog);
        let fate: CallFate = "well";
        const api = () => ana.api;
        let wordCount = 0;
        const writers: CoWriter[] = [];
        const storedPages: StoredPage[] = [];
        for (let index = 0; index < count; index++)
          writers.push(await CoWriter.open(api, blog.id, () => fate));
        for (const { who, what, kind, a, b, text, fate: next } of actions) {
          const writer = writers[who % count]!;
          fate = next;
          if (what === "edit") editAt(writer, kind, a, b, `[${(wordCount += 1)}]${text}`);
          else if (what === "push") await writer.sync.push();
          else if (what === "ask") await writer.sync.fetchMissed();
          else if (what === "field") writer.sync.changeFields({ title: text, description: text });
          else if (what === "forget") testSite.app.services.drafts.forget();
          else if (what === "keep") storedPages[who % count] = writer.store();
          else
            // The stored copy can be older than the server's.
            writers[who % count] = CoWriter.restore(
              api,
              blog.id,
              (kind > 3 && storedPages[who % count]) || writer.store(),
              () => fate,
            );
          fate = "well";
        }
        for (let round = 0; round < 3; round++)
          for (const writer of writers) {
            await writer.sync.fetchMissed();
            await writer.sync.push();
          }
        for (const writer of writers) await writer.sync.fetchMissed();
        const stored = await ana.api.blogs.openDraft.mutate({ id: blog.id });
        for (const writer of writers) {
          expect(writer.sync.isSaved).toBe(true);
          expect(writer.state.doc.toJSON()).toEqual(stored.document);
          expect(writer.sync.fields).toEqual(stored.fields);
          writer.state.doc.check();
        }
        // Each word is there once, or was deleted: what arrived twice was stored once.
        const text = JSON.stringify(stored.document);
        for (let word = 1; word <= wordCount; word++)
          expect(text.split(`[${word}]`).length).toBeLessThanOrEqual(2);
        expect(checkDocument(stored.document).ok).toBe(true);
      },
    ),
    { numRuns: 40 },
  );
}, 120_000);
