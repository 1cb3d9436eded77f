import fc from "fast-check";
import { receiveTransaction, sendableSteps } from "prosemirror-collab";
import { EditorState, TextSelection } from "prosemirror-state";
import { expect, test } from "vitest";
import { announcementOf } from "../../../../src/client/writing/form/co-writers.tsx";
import {
  mapCaret,
  toConfirmedRange,
  mapRange,
  appendCommit,
  toDisplayedRange,
  mapSide,
} from "../../../../src/client/editor/carets/selection-range.ts";
import { setAppliedCommit, appliedCommitOf, collabPlugin } from "../../../../src/client/writing/text.ts";
import type { AppliedCommit } from "../../../../src/client/writing/text.ts";
import { schema } from "../../../../src/shared/document/schema.ts";

const { nodes } = schema;

/** A page that writes, without a view and a server: the test hands it what others have committed. */
class Page {
  seq = 1;
  recent: AppliedCommit[] = [];
  state: EditorState;

  readonly client: string;

  constructor(client: string) {
    this.client = client;
    const paragraph = (text: string) => nodes.paragraph.create(null, schema.text(text));
    this.state = EditorState.create({
      doc: nodes.doc.create(null, [paragraph("One hears owls."), paragraph("And trains.")]),
      plugins: [collabPlugin(client)],
    });
  }

  goTo(anchor: number, head = anchor): void {
    const { doc, tr } = this.state;
    const size = doc.content.size + 1;
    const at = TextSelection.between(doc.resolve(anchor % size), doc.resolve(head % size));
    this.state = this.state.apply(tr.setSelection(at));
  }

  type = (text: string) => void (this.state = this.state.apply(this.state.tr.insertText(text)));

  /** Commits what it has written to all `pages`. */
  commit(pages: Page[]): void {
    const steps = sendableSteps(this.state)?.steps ?? [];
    if (steps.length === 0) return;
    for (const page of pages) {
      const commit = { seq: page.seq + 1, client: this.client, maps: steps.map((step) => step.getMap()) };
      const names = steps.map(() => this.client);
      const tr = receiveTransaction(page.state, steps, names, { mapSelectionBackward: true });
      page.state = page.state.apply(setAppliedCommit(tr, commit));
      page.recent = appendCommit(page.recent, appliedCommitOf(tr)!);
      page.seq++;
    }
  }

  caret = () => ({ seq: this.seq, ...toConfirmedRange(this.state) });

  /** Returns where it shows a caret that `sender` sent at any time. */
  shows(caret: ReturnType<Page["caret"]>, sender: Page) {
    const mapped = mapCaret(caret, sender.client, this.seq, this.recent);
    return mapped && toDisplayedRange(mapped, this.state);
  }

  get selectionRange() {
    const { anchor, head } = this.state.selection;
    return { anchor, head };
  }
}

const action = fc.record({
  pageIndex: fc.nat(2),
  kind: fc.constantFrom("type", "type", "commit"),
  text: fc.stringMatching(/^[a-z]{1,4}$/),
});

const range = fc.oneof(
  { weight: 3, arbitrary: fc.nat(40).map((at): [number, number] => [at, at]) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(40), fc.nat(40)) },
);

test("shows a caret where its writer is, whatever was written since, unless its writer knows to send it again", () => {
  fc.assert(
    fc.property(
      fc.array(range, { minLength: 3, maxLength: 3 }),
      fc.array(action, { maxLength: 30 }),
      (ranges, actions) => {
        const pages = ["a", "b", "c"].map((client) => new Page(client));
        for (const [at, page] of pages.entries()) page.goTo(...ranges[at]!);
        const carets = pages.map((page) => page.caret());
        for (const { pageIndex, kind, text } of actions) {
          if (kind === "type") pages[pageIndex]!.type(text);
          else pages[pageIndex]!.commit(pages);
        }
        for (const page of pages) page.commit(pages);
        for (const [at, sender] of pages.entries()) {
          const mapped = mapCaret(carets[at]!, sender.client, sender.seq, sender.recent);
          const isRight = JSON.stringify(mapped) === JSON.stringify(sender.caret());
          for (const page of pages)
            if (sender !== page)
              expect(page.shows(isRight ? carets[at]! : sender.caret(), sender)).toEqual(
                sender.selectionRange,
              );
          // A caret that is alone at its place is never sent again.
          const isAlone = pages.every(
            (page, otherIndex) => otherIndex === at || carets[otherIndex]!.head !== carets[at]!.head,
          );
          const isCaret = carets.every(({ anchor, head }) => anchor === head);
          if (isAlone && isCaret) expect(isRight).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("leaves unconfirmed text out of a caret that is sent, and adds it where another's caret is shown", () => {
  const [one, two] = [new Page("one"), new Page("two")] as const;
  one.goTo(4);
  one.type("xyz");
  expect(one.selectionRange.head).toBe(7);
  expect(one.caret()).toEqual({ seq: 1, anchor: 4, head: 4 });
  two.goTo(10);
  expect(one.shows(two.caret(), two)).toEqual({ anchor: 13, head: 13 });
  expect(two.shows(one.caret(), one)).toEqual({ anchor: 4, head: 4 });
  // A caret that names a later commit is shown once that arrives; one older than all known commits is not shown.
  one.commit([one]);
  expect(two.shows(one.caret(), one)).toBe(null);
  expect(mapCaret({ seq: 1, anchor: 4, head: 4 }, "one", 3, one.recent)).toBe(null);
});

test("puts the writer's own text before a caret at the same place, and that of others after it", () => {
  const map = { seq: 2, client: "one", maps: [] };
  expect([mapSide(map, "one"), mapSide(map, "two"), mapSide(undefined, "one")]).toEqual([1, -1, -1]);
  const page = new Page("one");
  page.goTo(4);
  page.type("xyz");
  const [step] = sendableSteps(page.state)!.steps;
  expect(mapRange({ anchor: 4, head: 4 }, step!.getMap(), 1)).toEqual({ anchor: 7, head: 7 });
  expect(mapRange({ anchor: 4, head: 4 }, step!.getMap(), -1)).toEqual({ anchor: 4, head: 4 });
});

test("announces once, by name, who came and who left", () => {
  const presenceOf = (...names: string[]) => ({
    others: names.map((name, at) => ({ client: `${name} ${at}`, name })),
    isReading: false,
  });
  expect(announcementOf(presenceOf(), presenceOf("Ana", "Ben"))).toBe("Also writing here: Ana, Ben.");
  expect(announcementOf(presenceOf("Ana", "Ben"), presenceOf("Ben", "Cem"))).toBe(
    "Also writing here: Cem. No longer writing here: Ana.",
  );
  // Another page of the same person.
  expect(announcementOf(presenceOf("Ana"), presenceOf("Ana", "Ana"))).toBe("");
  expect(announcementOf({ ...presenceOf(), isReading: true }, presenceOf())).toBe("You can write here now.");
});
