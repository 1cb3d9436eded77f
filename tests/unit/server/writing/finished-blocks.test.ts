import type { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import type { Transaction } from "prosemirror-state";
import { expect, test } from "vitest";
import { FinishedBlocks } from "../../../../src/server/writing/finished-blocks.ts";
import { readDocument } from "../../../../src/shared/document/read.ts";
import { schema } from "../../../../src/shared/document/schema.ts";
import { paragraphs } from "../../../support/sample-content.ts";

/** A text that is written live, with a clock of its own, and what its readers see of it. */
class LiveText {
  readonly finished = new FinishedBlocks();
  state: EditorState;
  shown: Node;
  seq = 1;
  etag = 1;
  now = 1_000_000;
  changedAt = 0;

  constructor(...texts: string[]) {
    this.shown = readDocument(paragraphs(...texts));
    this.state = EditorState.create({ doc: this.shown });
    this.publish();
  }

  edit(change: (tr: Transaction) => unknown, page: string | null = "ana"): void {
    const { tr } = this.state;
    change(tr);
    this.state = this.state.apply(tr);
    this.changedAt = this.now;
    this.finished.recordCommit("blog", ++this.seq, tr.steps, page, this.now);
  }

  /** Returns the end of the block with these words. */
  endOf(words: string): number {
    let at = -1;
    this.state.doc.descendants((node, pos) => {
      if (node.isTextblock && node.textContent.includes(words)) at = pos + 1 + node.content.size;
    });
    return at;
  }

  type(text: string, at: number, page = "ana"): void {
    this.edit((tr) => tr.insertText(text, at), page);
  }

  publish({ all = false } = {}): string[] {
    const { seq, changedAt, now } = this;
    const published = { document: this.shown, etag: this.etag };
    const current = { document: this.state.doc, seq, changedAt };
    const { blocks } = this.finished.finishedBlocks("blog", published, current, now, all);
    this.shown = schema.nodes.doc.create(null, blocks.length > 0 ? blocks : schema.nodes.paragraph.create());
    this.finished.recordPublished("blog", ++this.etag, this.shown.childCount);
    return this.publishedTexts();
  }

  publishedTexts = (): string[] => this.shown.children.map((block) => block.textContent);
  currentTexts = (): string[] => this.state.doc.children.map((block) => block.textContent);
}

test("publishes a block when its author goes to the next one, or pauses", () => {
  const text = new LiveText("Owls.");
  text.type(" And", text.endOf("Owls."));
  expect(text.publish()).toEqual(["Owls."]);
  text.type(" bats.", text.endOf("And"));
  text.edit((tr) => tr.split(text.endOf("bats.")));
  expect(text.publish()).toEqual(["Owls. And bats."]);
  for (const word of ["Crows", "Daws", "Jays"]) {
    text.type(word, text.state.doc.content.size - 1);
    expect(text.publish()).not.toContain(word);
    text.edit((tr) => tr.split(text.endOf(word)));
    expect(text.publish()).toContain(word);
  }
  text.type("Wrens", text.state.doc.content.size - 1);
  text.now += 2_999;
  expect(text.publish()).not.toContain("Wrens");
  text.now += 2;
  expect(text.publish()).toEqual(["Owls. And bats.", "Crows", "Daws", "Jays", "Wrens"]);
});

test("shows a block that is being changed as it was when last finished, also when it is split", () => {
  const text = new LiveText("One.", "Two and three.", "Four.");
  text.edit((tr) => tr.split(text.endOf("Two and three.") - 7));
  text.type("then ", text.endOf("three.") - 6);
  expect(text.publish()).toEqual(["One.", "Two and three.", "Four."]);
  text.type("!", text.endOf("One."));
  expect(text.publish()).toEqual(["One.", "Two and", " then three.", "Four."]);
  text.now += 4_000;
  expect(text.publish()).toEqual(text.currentTexts());
});

test("removes a deleted block for readers at once, and joins blocks once they are finished", () => {
  const text = new LiveText("One.", "Two.", "Three.");
  text.edit((tr) => tr.delete(6, 12));
  expect(text.currentTexts()).toEqual(["One.", "Three."]);
  expect(text.publish()).toEqual(["One.", "Three."]);
  text.edit((tr) => tr.join(6));
  expect(text.publish()).toEqual(["One.", "Three."]);
  text.now += 4_000;
  expect(text.publish()).toEqual(["One.Three."]);
});

test("publishes other blocks while two people write, and what the site writes at once", () => {
  const text = new LiveText("One.", "Two.", "Three.");
  text.type(" a", text.endOf("One."), "ana");
  text.type(" b", text.endOf("Three."), "bob");
  text.type(" c", text.endOf("Two."), "ana");
  expect(text.publish()).toEqual(["One. a", "Two.", "Three."]);
  text.edit((tr) => tr.insertText("New. ", 1), null);
  expect(text.publish()).toEqual(["New. One. a", "Two.", "Three."]);
});

test("waits for a remote picture to be stored, and for a pause in a text that was forgotten", () => {
  const text = new LiveText("One.");
  const image = schema.nodes.image.create({ src: "https://elsewhere.example/owl.png" });
  text.edit((tr) => tr.insert(tr.doc.content.size, schema.nodes.paragraph.create(null, image)));
  text.now += 4_000;
  expect(text.publish()).toEqual(["One."]);
  expect(text.publish({ all: true })).toHaveLength(2);
  text.type(" More.", text.endOf("One."));
  text.finished.forget();
  expect(text.publish()[0]).toBe("One.");
  text.now += 4_000;
  expect(text.publish()[0]).toBe("One. More.");
});

test("shows all of a text after a pause and never a word that is being typed, in any order of edits", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 150; round++) {
    const text = new LiveText("One one.", "Two two.", "", "Four four.");
    for (let turn = 0; turn < 40; turn++) {
      const size = text.state.doc.content.size;
      const from = random(size - 1) + 1;
      const position = text.state.doc.resolve(from);
      const word = `⟨${round}-${turn}⟩`;
      text.now += random(2_000);
      const kind = random(6);
      if (kind === 0) text.edit((tr) => position.depth > 0 && tr.split(from));
      else if (kind === 1) text.edit((tr) => tr.delete(from, Math.min(size, from + random(20))));
      else if (kind === 2) text.finished.forget();
      else if (position.depth > 0) {
        text.type(word, from);
        expect(text.publish().join("|")).not.toContain(word);
      }
      if (random(3) === 0) text.publish();
    }
    text.now += 3_001;
    expect(text.publish(), `round ${round}`).toEqual(text.currentTexts());
  }
});
