import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addPage,
  applyEntryEvent,
  compareEntries,
  isLoaded,
} from "../../../../src/client/entries/apply-entry-event.ts";
import { entryLimits, entryOrders } from "../../../../src/shared/entries.ts";
import type { EntryList, EntryOrder, ViewerEntry } from "../../../../src/shared/entries.ts";
import type { EntryEvent } from "../../../../src/shared/live.ts";
import { EntryModel } from "../../../support/entry-model.ts";
import { atMinute as at, listedEntry as anEntry } from "../../../support/live-queries.ts";

const aList = (entries: ViewerEntry[], changes: Partial<EntryList> = {}): EntryList => ({
  entries,
  more: null,
  keys: [],
  total: entries.length,
  cursor: "0",
  ...changes,
});
const posted = (entry: ViewerEntry, total: number): EntryEvent => ({ kind: "entry.posted", entry, total });
const edited = (entry: ViewerEntry, total: number): EntryEvent => ({ kind: "entry.edited", entry, total });
const withdrawn = (entryId: string, total: number): EntryEvent => ({
  kind: "entry.withdrawn",
  entryId,
  total,
});
const liked = (entryId: string, likesCount: number): EntryEvent => ({
  kind: "entry.liked",
  entryId,
  likesCount,
});
const ids = ({ entries }: EntryList) => entries.map(({ id }) => id);
const keyIds = ({ keys }: EntryList) => keys.map(({ id }) => id);

const [first, second, third] = ["a", "b", "c"].map((id, index) => anEntry(id, { at: at(index + 1) })) as [
  ViewerEntry,
  ViewerEntry,
  ViewerEntry,
];

describe("an event applied to a list of entries", () => {
  test("adds a new entry in the list's order once, with the server's total", () => {
    for (const [order, known, expected] of [
      ["newest", [third, first], ["c", "b", "a"]],
      ["oldest", [first, third], ["a", "b", "c"]],
    ] as const) {
      const added = applyEntryEvent(aList([...known]), posted(second, 9), order);
      expect(ids(added)).toEqual(expected);
      expect(added.total).toBe(9);
      expect(applyEntryEvent(added, posted(second, 9), order)).toBe(added);
    }
  });

  test("orders entries of one moment by their ids", () => {
    const twins = ["b", "a", "c"].map((id) => anEntry(id, { at: at(1) }));
    for (const [order, expected] of [
      ["newest", ["c", "b", "a"]],
      ["oldest", ["a", "b", "c"]],
    ] as const) {
      const list = twins.reduce((before, one) => applyEntryEvent(before, posted(one, 3), order), aList([]));
      expect(ids(list)).toEqual(expected);
    }
  });

  test("returns the same list for an entry that is as it was, withdrawn before or not loaded", () => {
    const list = aList([second, first], { more: first, keys: [], total: 5 });
    for (const event of [
      edited(second, 5),
      posted(first, 5),
      withdrawn("gone", 5),
      liked("gone", 3),
      liked("a", 0),
    ])
      expect(applyEntryEvent(list, event, "newest")).toBe(list);
    expect(applyEntryEvent(list, posted(anEntry("old", { at: at(0) }), 5), "newest")).toBe(list);
  });

  test("returns the same entries where only the total changes", () => {
    const list = aList([second, first], { more: first, total: 5 });
    const counted = applyEntryEvent(list, withdrawn("not loaded", 4), "newest");
    expect(counted.total).toBe(4);
    expect(counted.entries).toBe(list.entries);
  });

  test("only counts an entry beyond the loaded pages", () => {
    const newest = aList([third, second], { more: second, total: 4 });
    expect(ids(applyEntryEvent(newest, posted(first, 5), "newest"))).toEqual(["c", "b"]);
    const oldest = aList([first, second], { more: second, total: 4 });
    const counted = applyEntryEvent(oldest, posted(third, 5), "oldest");
    expect(ids(counted)).toEqual(["a", "b"]);
    expect(counted.total).toBe(5);
  });

  test("moves an entry whose time was changed into the loaded part, within it and out of it", () => {
    const list = aList([third, second], { more: second, total: 3 });
    const into = applyEntryEvent(list, edited({ ...first, at: at(5) }, 3), "newest");
    expect(ids(into)).toEqual(["a", "c", "b"]);
    const within = applyEntryEvent(into, edited({ ...first, at: at(3) }, 3), "newest");
    expect(ids(within)).toEqual(["c", "a", "b"]);
    expect(ids(applyEntryEvent(within, edited({ ...first, at: at(0) }, 3), "newest"))).toEqual(["c", "b"]);
    // The end of the loaded part stays where it is, even without the entry that marked it.
    const without = applyEntryEvent(list, edited({ ...second, at: at(0) }, 3), "newest");
    expect(without.more).toBe(list.more);
    expect(ids(applyEntryEvent(without, edited(second, 3), "newest"))).toEqual(["c", "b"]);
  });

  test("keeps the viewer's own like while the entry changes and others like it", () => {
    const list = aList([{ ...first, liked: true, likesCount: 1 }]);
    const { liked: _, ...shared } = { ...first, title: "Anew", likesCount: 1 };
    const changed = applyEntryEvent(list, { kind: "entry.edited", entry: shared, total: 1 }, "newest");
    expect(applyEntryEvent(changed, liked("a", 2), "newest").entries).toEqual([
      { ...first, title: "Anew", liked: true, likesCount: 2 },
    ]);
  });

  test("lists a key moment with its time and headline, oldest first, whether it is loaded or not", () => {
    const list = aList([third], { more: third, total: 3 });
    const [old, late] = [
      { ...first, isKey: true },
      { ...third, isKey: true },
    ];
    const keyed = [late, old].reduce(
      (before, one) => applyEntryEvent(before, edited(one, 3), "newest"),
      list,
    );
    expect(keyed.keys).toEqual([
      { id: "a", at: at(1), headline: "a" },
      { id: "c", at: at(3), headline: "c" },
    ]);
    expect(keyIds(applyEntryEvent(keyed, edited(first, 3), "newest"))).toEqual(["c"]);
    expect(keyIds(applyEntryEvent(keyed, withdrawn("a", 2), "newest"))).toEqual(["c"]);
    const renamed = edited({ ...old, at: at(9), headline: "Goal" }, 3);
    expect(applyEntryEvent(keyed, renamed, "newest").keys.at(-1)).toEqual({
      id: "a",
      at: at(9),
      headline: "Goal",
    });
  });

  test("lists the newest of more key moments than fit", () => {
    const entries = Array.from({ length: entryLimits.keys + 3 }, (_, index) =>
      anEntry(`k${String(index).padStart(3, "0")}`, { at: at(index), isKey: true }),
    );
    const list = entries
      .toReversed()
      .reduce((before, one, index) => applyEntryEvent(before, posted(one, index + 1), "oldest"), aList([]));
    expect(keyIds(list)).toEqual(entries.slice(3).map(({ id }) => id));
  });
});

describe("an optimistic change of the viewer", () => {
  const isOptimistic = true;

  test("counts a post as one more until the server's total, also if it is confirmed twice", () => {
    const list = aList([first]);
    const sent = applyEntryEvent(list, posted(second, 0), "newest", isOptimistic);
    expect(ids(sent)).toEqual(["b", "a"]);
    expect(sent.total).toBe(2);
    expect(applyEntryEvent(sent, posted(second, 0), "newest", isOptimistic)).toBe(sent);
    // The server's time is another than the device's.
    const confirmed = applyEntryEvent(list, posted({ ...second, at: at(3) }, 2), "newest");
    expect(applyEntryEvent(confirmed, posted({ ...second, at: at(3) }, 2), "newest")).toBe(confirmed);
    expect(confirmed.total).toBe(2);
    expect(applyEntryEvent(confirmed, posted(second, 0), "newest", isOptimistic).total).toBe(2);
  });

  test("does not count a post that is not shown: the server may have counted it", () => {
    const list = aList([first], { more: first, total: 4 });
    expect(applyEntryEvent(list, posted(second, 0), "oldest", isOptimistic)).toBe(list);
  });

  test("withdraws and brings back an entry with its total and its like", () => {
    const list = aList([{ ...second, liked: true, likesCount: 1, isKey: true }, first], {
      keys: [{ id: "b", at: at(2), headline: "b" }],
    });
    const gone = applyEntryEvent(list, withdrawn("b", 0), "newest", isOptimistic);
    expect([ids(gone), keyIds(gone), gone.total]).toEqual([["a"], [], 1]);
    expect(applyEntryEvent(gone, withdrawn("b", 0), "newest", isOptimistic)).toBe(gone);
    expect(applyEntryEvent(gone, posted(list.entries[0]!, 0), "newest", isOptimistic)).toEqual(list);
  });

  test("keeps the total when an entry is edited", () => {
    const list = aList([first]);
    expect(applyEntryEvent(list, edited({ ...first, title: "Anew" }, 0), "newest", isOptimistic)).toEqual(
      aList([{ ...first, title: "Anew" }]),
    );
  });
});

test("a page joins the loaded ones without entries that are there already", () => {
  const list = aList([third, second], { more: second, total: 3 });
  const page = aList([{ ...second, title: "As it was" }, first], { total: 4, cursor: "1" });
  expect(addPage(list, page, "newest")).toEqual(aList([third, second, first], { total: 4 }));
  expect(addPage(aList([first], { more: first }), aList([second, third], { more: third }), "oldest")).toEqual(
    aList([first, second, third], { more: third, total: 2 }),
  );
});

const chance = fc.nat(1_000);
const act = fc.oneof(
  chance.map((by) => (model: EntryModel) => model.post("ben", by)),
  fc.tuple(chance, chance).map(
    ([which, by]) =>
      (model: EntryModel) =>
        model.edit(which, by),
  ),
  fc.tuple(chance, fc.boolean()).map(
    ([which, on]) =>
      (model: EntryModel) =>
        model.withdraw(which, on),
  ),
  fc.tuple(chance, fc.constantFrom(1, -1)).map(
    ([which, by]) =>
      (model: EntryModel) =>
        model.like(which, by),
  ),
);

/** Returns the entries and key moments that a list of these pages has to show. */
const truth = (model: EntryModel, list: EntryList, order: EntryOrder): EntryList => ({
  ...model.page(order, null, Infinity),
  more: list.more,
  entries: model.page(order, null, Infinity).entries.filter((entry) => isLoaded(list, entry, order)),
  cursor: list.cursor,
});

test("all events of a history make of a list read at any point of it a fresh one, in both orders", () => {
  const acts = fc.array(act, { maxLength: 40 });
  const plan = fc.record({ before: acts, after: acts, pages: fc.nat(4), isTwice: fc.boolean() });
  fc.assert(
    fc.property(plan, ({ before, after, pages, isTwice }) => {
      const model = new EntryModel();
      for (const step of before) step(model);
      const lists = entryOrders.map((order): [EntryOrder, EntryList] => {
        let list = model.page(order, null);
        for (let page = 0; page < pages && list.more; page++)
          list = addPage(list, model.page(order, list.more), order);
        return [order, list];
      });
      const from = model.events.length;
      for (const step of after) step(model);
      // The server sends entries as they are now. Events that the list has already change nothing for good.
      const sent = model.events
        .slice(isTwice ? 0 : from)
        .flatMap((event) => model.sent(event)?.event ?? [])
        .filter((event): event is EntryEvent => event.kind.startsWith("entry."));
      for (const [order, read] of lists) {
        const list = sent.reduce((shown, event) => applyEntryEvent(shown, event, order), read);
        expect(list).toEqual(truth(model, list, order));
        expect(list.entries).toEqual(
          list.entries.toSorted((a, b) => (order === "oldest" ? compareEntries(a, b) : compareEntries(b, a))),
        );
        for (const event of sent.slice(-1)) expect(applyEntryEvent(list, event, order)).toBe(list);
      }
    }),
    { numRuns: 1_000 },
  );
});
