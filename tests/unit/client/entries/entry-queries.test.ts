import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { compareEntries } from "../../../../src/client/entries/apply-entry-event.ts";
import { entryLimits, entryOrders } from "../../../../src/shared/entries.ts";
import type { EntryList, EntryOrder, ViewerEntry } from "../../../../src/shared/entries.ts";
import { EntryModel } from "../../../support/entry-model.ts";
import { OpenEntries } from "../../../support/open-entries.ts";

const ids = ({ entries }: EntryList) => entries.map(({ id }) => id);

type Step = (server: EntryModel, reader: OpenEntries) => unknown;
const chance = fc.nat(1_000);
const weightedStep = <T>(
  weight: number,
  arbitrary: fc.Arbitrary<T>,
  act: (value: T, server: EntryModel, reader: OpenEntries) => unknown,
) => ({
  weight,
  arbitrary: arbitrary.map((value): Step =>
    Object.assign((server: EntryModel, reader: OpenEntries) => act(value, server, reader), {
      [fc.toStringMethod]: () => `${act.toString().slice(0, 90)} of ${JSON.stringify(value)}\n`,
    }),
  ),
});
const order = fc.constantFrom(...entryOrders);
const serverSteps = [
  weightedStep(6, fc.tuple(fc.constantFrom("ana", "ben"), chance), ([author, by], server) =>
    server.post(author, by),
  ),
  weightedStep(4, fc.tuple(chance, chance), ([which, by], server) => server.edit(which, by)),
  weightedStep(3, fc.tuple(chance, fc.boolean()), ([which, on], server) => server.withdraw(which, on)),
  weightedStep(2, fc.tuple(chance, fc.constantFrom(1, -1)), ([which, by], server) => server.like(which, by)),
  weightedStep(2, chance, (which, server) => server.likeAsViewer(which)),
  weightedStep(1, fc.constantFrom("ana", "ben"), (id, server) => server.rename(id)),
  weightedStep(0.2, fc.constant("ben"), (id, server) => server.deleteAccount(id)),
].map(({ weight, arbitrary }) => ({ weight: weight * 5, arbitrary }));
const pageSteps = [
  weightedStep(5, fc.integer({ min: 1, max: 6 }), (count, _, reader) => reader.receiveEvents(count)),
  weightedStep(1, fc.integer({ min: 1, max: 8 }), (count, _, reader) => reader.drop(count)),
  weightedStep(1, fc.boolean(), async (isReset, _, reader) => {
    if (isReset) return reader.reset();
    await reader.setAccess("accessLost");
    await reader.setAccess("accessRestored");
  }),
  weightedStep(4, order, (one, _, reader) => reader.load(one)),
  weightedStep(6, fc.constant(0), (_, __, reader) => reader.receiveResponse()),
  weightedStep(
    5,
    fc.tuple(
      fc.constantFrom("post", "edit", "withdraw", "restore", "like"),
      chance,
      fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
    ),
    ([kind, by, isRefused], _, reader) => reader.act(kind, by, isRefused),
  ),
].map(({ weight, arbitrary }) => ({ weight: weight * 5, arbitrary }));

beforeEach(() => {
  vi.useFakeTimers();
  // What a refused entry becomes again is kept on the device.
  vi.stubGlobal("location", new URL("http://localhost/"));
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Checks that a list shows what a fresh one shows, as far as it is loaded; with `isComplete`, all of it. */
function expectFresh(server: EntryModel, reader: OpenEntries, isComplete: boolean): void {
  for (const one of entryOrders) {
    const { entries, keys, total, more } = reader.list(one);
    const fresh = server.page(one, null, Infinity);
    const loaded = fresh.entries.slice(0, entries.length);
    expect(entries).toEqual(isComplete ? fresh.entries : loaded);
    expect([keys, total]).toEqual([fresh.keys, fresh.total]);
    if (isComplete || more === null) expect([more, entries.length]).toEqual([null, fresh.entries.length]);
  }
}

/** Returns a list's entries once each, in its order. */
const inOrder = ({ entries }: EntryList, one: EntryOrder): ViewerEntry[] => {
  const oldest = [...new Map(entries.map((entry) => [entry.id, entry])).values()].toSorted(compareEntries);
  return one === "oldest" ? oldest : oldest.toReversed();
};

const plan = fc.record({
  keys: fc.constantFrom(0, 0, 0, 49, 51),
  before: fc.array(fc.oneof(...serverSteps), { maxLength: 20 }),
  after: fc.array(fc.oneof(...serverSteps, ...pageSteps), { maxLength: 60 }),
});

test("ends as a freshly loaded page in both orders, in whatever order events and responses arrive", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ keys, before, after }) => {
      const server = new EntryModel();
      for (let count = 0; count < keys; count++) server.post("ben", 0);
      const noReader = {} as OpenEntries;
      for (const step of before) step(server, noReader);
      const reader = new OpenEntries(server);
      await vi.advanceTimersByTimeAsync(10);
      for (const step of after) {
        await step(server, reader);
        for (const one of entryOrders)
          expect(reader.list(one).entries).toEqual(inOrder(reader.list(one), one));
      }
      await reader.settle();
      expect(reader.unsettled).toEqual([]);
      expectFresh(server, reader, false);
      for (const one of entryOrders)
        while (reader.list(one).more) {
          reader.load(one);
          await reader.settle();
        }
      expectFresh(server, reader, true);
    }),
    { numRuns: 1_000 },
  );
});

/** Opens a page on a server with so many entries by Ben, all key moments if `isKey`. */
async function open(count: number, isKey = false): Promise<[EntryModel, OpenEntries]> {
  const server = new EntryModel();
  for (let number = 0; number < count; number++) server.post("ben", 1, undefined, isKey);
  const reader = new OpenEntries(server);
  await vi.advanceTimersByTimeAsync(10);
  return [server, reader];
}

test("shows the viewer's entry at once, and once after its answer and its event in either order", async () => {
  for (const isAnswerFirst of [true, false]) {
    const [server, reader] = await open(2);
    await reader.act("post", 1, false);
    expect([ids(reader.list("newest")), reader.list("newest").total]).toEqual([
      ["e0003", "e0002", "e0001"],
      3,
    ]);
    for (const one of isAnswerFirst ? ["answer", "event"] : ["event", "answer"]) {
      await (one === "answer" ? reader.receiveResponse() : reader.receiveEvents(1));
      expect([ids(reader.list("newest")).length, reader.list("newest").total]).toEqual([3, 3]);
    }
    expect(reader.unsettled).toEqual([]);
    expectFresh(server, reader, true);
  }
});

test("counts the viewer's entry beyond the loaded pages once, also while its answer is awaited", async () => {
  const [, reader] = await open(5);
  await reader.act("post", 1, false);
  await reader.receiveEvents(1);
  expect(reader.list("oldest")).toMatchObject({ total: 6, entries: [{ id: "e0001" }, {}, {}] });
  await reader.receiveResponse();
  expect(reader.list("oldest").total).toBe(6);
});

test.each(["post", "edit", "withdraw", "like"] as const)(
  "takes back what the server refuses: %s",
  async (kind) => {
    const [server, reader] = await open(2);
    const before = reader.list("newest");
    await reader.act(kind, 0, true);
    expect(reader.list("newest")).not.toEqual(before);
    await reader.receiveResponse();
    expect(reader.list("newest")).toEqual(before);
    expect(reader.unsettled).toEqual([]);
    expectFresh(server, reader, true);
  },
);

test("shows an author's new name, and no name once their account is gone", async () => {
  const [server, reader] = await open(1);
  server.rename("ben");
  await reader.receiveEvents(1);
  expect(reader.list("newest").entries[0]?.author?.name).toMatch(/^Ben\d/);
  server.deleteAccount("ben");
  await reader.receiveEvents(1);
  expect(reader.list("newest").entries[0]?.author).toBeNull();
});

test("shows nothing of a blog that cannot be read any more, and all of it once it can be", async () => {
  const [server, reader] = await open(2, true);
  await reader.setAccess("accessLost");
  const nothing = { entries: [], more: null, keys: [], total: 0 };
  for (const one of entryOrders) expect(reader.list(one)).toMatchObject(nothing);
  await reader.setAccess("accessRestored");
  await reader.settle();
  expectFresh(server, reader, true);
});

test("fetches the key moment that takes the place of one of more than are listed", async () => {
  const { keys: most } = entryLimits;
  const [server, reader] = await open(most + 1, true);
  const oldest = () => reader.list("newest").keys[0]?.id;
  expect([oldest(), reader.list("newest").keys.length]).toEqual(["e0002", most]);
  server.withdraw(`e00${most}`, true);
  await reader.settle();
  expect([oldest(), reader.list("newest").keys.length]).toEqual(["e0001", most]);
  expectFresh(server, reader, false);
});

test("keeps the viewer's like of an entry that was withdrawn and came back", async () => {
  const [server, reader] = await open(2);
  await reader.act("like", 0, false);
  await reader.settle();
  const { id } = reader.list("newest").entries.find(({ liked }) => liked)!;
  for (const isWithdrawn of [true, false]) {
    server.withdraw(id, isWithdrawn);
    await reader.settle();
  }
  expect(reader.list("newest").entries).toContainEqual({ ...server.entry(id), liked: true, likesCount: 1 });
});

test("loads pages until an entry is among them", async () => {
  const [, reader] = await open(8);
  const found = reader.find("newest", "e0001");
  await reader.settle();
  expect(await found).toBe(true);
  expect(ids(reader.list("newest")).at(-1)).toBe("e0001");
  const [, other] = await open(4);
  const notFound = other.find("oldest", "gone");
  await other.settle();
  expect(await notFound).toBe(false);
});

test("fetches again as far as it was shown", async () => {
  const [server, reader] = await open(8);
  reader.load("newest");
  await reader.settle();
  server.post("ben", 1);
  server.withdraw("e0008", true);
  reader.reset();
  await reader.settle();
  expect(ids(reader.list("newest"))).toEqual(["e0009", "e0007", "e0006", "e0005", "e0004", "e0003"]);
  expect(ids(reader.list("oldest"))).toHaveLength(3);
});
