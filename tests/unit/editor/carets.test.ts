import fc from "fast-check";
import { receiveTransaction, sendableSteps } from "prosemirror-collab";
import { EditorState, TextSelection } from "prosemirror-state";
import { expect, test } from "vitest";
import { saidOf } from "../../../src/client/blogs/form/company-words.ts";
import {
  broughtUp,
  confirmedPlace,
  mapped,
  remember,
  shownPlace,
  sideOf,
} from "../../../src/client/editor/carets/places.ts";
import { setTaken, takenWith, together } from "../../../src/client/editor/sync/text.ts";
import type { Taken } from "../../../src/client/editor/sync/text.ts";
import { schema } from "../../../src/shared/document/schema.ts";

const { nodes } = schema;

/** A page that writes, without a screen and a server: it is handed what the others have committed. */
class Page {
  seq = 1;
  recent: Taken[] = [];
  state: EditorState;

  readonly client: string;

  constructor(client: string) {
    this.client = client;
    const paragraph = (text: string) => nodes.paragraph.create(null, schema.text(text));
    this.state = EditorState.create({
      doc: nodes.doc.create(null, [paragraph("One hears owls."), paragraph("And trains.")]),
      plugins: [together(client)],
    });
  }

  goTo(anchor: number, head = anchor): void {
    const { doc, tr } = this.state;
    const size = doc.content.size + 1;
    const at = TextSelection.between(doc.resolve(anchor % size), doc.resolve(head % size));
    this.state = this.state.apply(tr.setSelection(at));
  }

  type = (text: string) => void (this.state = this.state.apply(this.state.tr.insertText(text)));

  /** What it has written becomes the next commit, of all of these. */
  commit(pages: Page[]): void {
    const steps = sendableSteps(this.state)?.steps ?? [];
    if (steps.length === 0) return;
    for (const page of pages) {
      const commit = { seq: page.seq + 1, client: this.client, maps: steps.map((step) => step.getMap()) };
      const names = steps.map(() => this.client);
      const tr = receiveTransaction(page.state, steps, names, { mapSelectionBackward: true });
      page.state = page.state.apply(setTaken(tr, commit));
      page.recent = remember(page.recent, takenWith(tr)!);
      page.seq++;
    }
  }

  caret = () => ({ seq: this.seq, ...confirmedPlace(this.state) });

  /** Where it shows a caret that another told at any time. */
  shows(caret: ReturnType<Page["caret"]>, of: Page) {
    const now = broughtUp(caret, of.client, this.seq, this.recent);
    return now && shownPlace(now, this.state);
  }

  get place() {
    const { anchor, head } = this.state.selection;
    return { anchor, head };
  }
}

const deed = fc.record({
  who: fc.nat(2),
  what: fc.constantFrom("type", "type", "commit"),
  text: fc.stringMatching(/^[a-z]{1,4}$/),
});

const place = fc.oneof(
  { weight: 3, arbitrary: fc.nat(40).map((at): [number, number] => [at, at]) },
  { weight: 1, arbitrary: fc.tuple(fc.nat(40), fc.nat(40)) },
);

test("a caret is shown where its writer is, unless they know that it is not and say so anew, whatever was written since it was told", () => {
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 3, maxLength: 3 }),
      fc.array(deed, { maxLength: 30 }),
      (places, deeds) => {
        const pages = ["a", "b", "c"].map((client) => new Page(client));
        for (const [at, page] of pages.entries()) page.goTo(...places[at]!);
        const told = pages.map((page) => page.caret());
        for (const { who, what, text } of deeds) {
          if (what === "type") pages[who]!.type(text);
          else pages[who]!.commit(pages);
        }
        for (const page of pages) page.commit(pages);
        for (const [at, other] of pages.entries()) {
          const known = broughtUp(told[at]!, other.client, other.seq, other.recent);
          const isRight = JSON.stringify(known) === JSON.stringify(other.caret());
          for (const page of pages)
            if (other !== page)
              expect(page.shows(isRight ? told[at]! : other.caret(), other)).toEqual(other.place);
          // Whoever writes in a place of their own has nothing to say.
          const alone = pages.every((page, one) => one === at || told[one]!.head !== told[at]!.head);
          const isCaret = told.every(({ anchor, head }) => anchor === head);
          if (alone && isCaret) expect(isRight).toBe(true);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test("what is on its way is left out of a caret that is told, and put in where another's is shown", () => {
  const [one, two] = [new Page("one"), new Page("two")] as const;
  one.goTo(4);
  one.type("xyz");
  expect(one.place.head).toBe(7);
  expect(one.caret()).toEqual({ seq: 1, anchor: 4, head: 4 });
  two.goTo(10);
  expect(one.shows(two.caret(), two)).toEqual({ anchor: 13, head: 13 });
  expect(two.shows(one.caret(), one)).toEqual({ anchor: 4, head: 4 });
  // One that was told of a commit to come is shown when that is there; so is none from before all that is known.
  one.commit([one]);
  expect(two.shows(one.caret(), one)).toBe(null);
  expect(broughtUp({ seq: 1, anchor: 4, head: 4 }, "one", 3, one.recent)).toBe(null);
});

test("at the same place one's own words go before the caret, and others' after it", () => {
  const map = { seq: 2, client: "one", maps: [] };
  expect([sideOf(map, "one"), sideOf(map, "two"), sideOf(undefined, "one")]).toEqual([1, -1, -1]);
  const page = new Page("one");
  page.goTo(4);
  page.type("xyz");
  const [step] = sendableSteps(page.state)!.steps;
  expect(mapped({ anchor: 4, head: 4 }, step!.getMap(), 1)).toEqual({ anchor: 7, head: 7 });
  expect(mapped({ anchor: 4, head: 4 }, step!.getMap(), -1)).toEqual({ anchor: 4, head: 4 });
});

test("who came and who left is said once, by name", () => {
  const of = (...names: string[]) => ({
    others: names.map((name, at) => ({ client: `${name} ${at}`, name })),
    isReading: false,
  });
  expect(saidOf(of(), of("Ana", "Ben"))).toBe("Also writing here: Ana, Ben.");
  expect(saidOf(of("Ana", "Ben"), of("Ben", "Cem"))).toBe(
    "Also writing here: Cem. No longer writing here: Ana.",
  );
  // Another page of somebody who is there already.
  expect(saidOf(of("Ana"), of("Ana", "Ana"))).toBe("");
  expect(saidOf({ ...of(), isReading: true }, of())).toBe("You can write here now.");
});
