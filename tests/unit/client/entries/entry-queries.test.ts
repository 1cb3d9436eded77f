import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { trpc } from "../../../../src/client/api/trpc.ts";
import "../../../../src/client/entries/entry-queries.ts";
import {
  editEntry,
  likeEntry,
  postEntry,
  restoreEntry,
  withdrawEntry,
} from "../../../../src/client/entries/entry-mutations.ts";
import { loadMore, loadUntil } from "../../../../src/client/entries/load-entries.ts";
import type { LiveConnectionHandlers } from "../../../../src/client/live/connection/live-connection.ts";
import { mutate, prepareLive, setLiveViewer, startMemberRuntime } from "../../../../src/client/live/live.ts";
import { OptimisticMutations } from "../../../../src/client/live/mutations/optimistic-mutations.ts";
import type { MutationContext } from "../../../../src/client/live/mutations/optimistic-mutations.ts";
import { entryLimits, entryOrders } from "../../../../src/shared/entries.ts";
import type { EntryList, EntryOrder, EntryPosition, ViewerEntry } from "../../../../src/shared/entries.ts";
import type { Viewer } from "../../../../src/shared/users.ts";
import { EntryModel } from "../../../support/entry-model.ts";
import { ana } from "../../../support/live-queries.ts";

type Cache = Parameters<typeof loadMore>[0];
type Input = { order: EntryOrder; after?: EntryPosition };

const ids = ({ entries }: EntryList) => entries.map(({ id }) => id);

/** An open page of Ana's with both orders: its data, its position in the event stream and its pending requests. */
class OpenPage {
  #receivedCount: number;
  #pendingRequests: (() => void)[] = [];
  #handlers: LiveConnectionHandlers | undefined;
  #mutations: OptimisticMutations | undefined;
  /** How the server answers Ana's next changes. */
  #isRefusing = false;
  readonly #server: EntryModel;
  readonly #queryClient = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false, networkMode: "always" } },
  });
  readonly #cache: Cache;

  constructor(server: EntryModel) {
    this.#server = server;
    this.#receivedCount = server.events.length;
    const change = (act: (input: { id: string } & Record<string, unknown>) => void) => ({
      mutate: (input: { id: string } & Record<string, unknown>) => this.#answerChange(() => act(input)),
    });
    const query = ({ order, after }: Input) => this.#request(() => server.page(order, after ?? null));
    const client = {
      blogs: {
        entries: { query },
        postEntry: change(({ id, isKey }) => server.post("ana", 1, id, Boolean(isKey))),
        editEntry: change(({ id }) => server.edit(id, 1)),
        withdrawEntry: change(({ id, withdrawn }) => server.withdraw(id, Boolean(withdrawn))),
        likeEntry: change(({ id, liked }) => server.likeAsViewer(id, Boolean(liked))),
      },
    } as unknown as MutationContext["client"];
    const cached = ({ order }: Input) => this.#queryClient.getQueryData(this.#key(order));
    this.#cache = { client, blogs: { entries: { getData: cached } } } as unknown as Cache;
    const line = {
      follow: (_: unknown, handlers: LiveConnectionHandlers) => void (this.#handlers = handlers),
      restart: () => undefined,
    };
    const context = { client, navigate: () => undefined };
    prepareLive(this.#queryClient, {}, line, context, () => undefined)();
    startMemberRuntime((store) => (this.#mutations = new OptimisticMutations(store)));
    setLiveViewer({ ...ana, session: "s" } as unknown as Viewer);
    for (const order of entryOrders) {
      this.#queryClient.setQueryData(this.#key(order), server.page(order, null));
      new QueryObserver(this.#queryClient, {
        queryKey: this.#key(order),
        queryFn: () => client.blogs.entries.query({ blogId: "b", order }),
      }).subscribe(() => undefined);
    }
  }

  #key(order: EntryOrder) {
    return getQueryKey(trpc.blogs.entries, { blogId: "b", order }, "query");
  }

  list(order: EntryOrder): EntryList {
    return this.#queryClient.getQueryData<EntryList>(this.#key(order))!;
  }

  /** A response has the data of the moment of its request, and arrives when `receiveResponse` is called. */
  #request<T>(answer: () => T): Promise<T> {
    const response = structuredClone(answer());
    return new Promise((resolve) => this.#pendingRequests.push(() => resolve(response)));
  }

  #answerChange(act: () => void): Promise<{ cursor: string }> {
    if (!this.#isRefusing) return this.#request(() => (act(), { cursor: this.#server.cursor }));
    const refusal = Object.assign(new Error("No."), { data: { code: "BAD_REQUEST" } });
    return new Promise((_, reject) => this.#pendingRequests.push(() => reject(refusal)));
  }

  async receiveEvents(count: number) {
    const events = this.#server.events.slice(this.#receivedCount, this.#receivedCount + count);
    for (const stored of events) {
      this.#receivedCount++;
      const message = this.#server.sent(stored);
      if (message) this.#handlers!.onMessage({ cursor: `e.${this.#receivedCount}`, ...message });
    }
    await this.#checkpoint();
  }
  async #checkpoint() {
    const cursor = `e.${this.#receivedCount}`;
    this.#handlers!.onMessage({ cursor, topic: "", event: { kind: "checkpoint", now: Date.now() } });
    await vi.advanceTimersByTimeAsync(10);
  }
  /** Drops the connection and resumes `count` events earlier. */
  drop(count: number) {
    this.#receivedCount = Math.max(0, this.#receivedCount - count);
  }
  /** Resets the page after a long absence: the events in between are not sent. */
  reset() {
    this.#receivedCount = this.#server.events.length;
    const { cursor } = this.#server;
    this.#handlers!.onMessage({ cursor, topic: "", event: { kind: "reset", jitterMs: 0 } });
  }
  async setAccess(kind: "accessLost" | "accessRestored") {
    this.#handlers!.onMessage({ cursor: `e.${this.#receivedCount}`, topic: "blog:b", event: { kind } });
    await vi.advanceTimersByTimeAsync(10);
  }
  load(order: EntryOrder) {
    void loadMore(this.#cache, "b", order);
  }
  find(order: EntryOrder, id: string): Promise<boolean> {
    return loadUntil(this.#cache, "b", order, id);
  }

  /** Ana changes something of what she sees. `isRefused`: the server does not accept it. */
  async act(kind: "post" | "edit" | "withdraw" | "restore" | "like", chance: number, isRefused: boolean) {
    this.#isRefusing = isRefused;
    const order = entryOrders[chance % 2]!;
    const { entries } = this.list(order);
    const before = entries[chance % Math.max(1, entries.length)];
    const written = { viewerId: "ana", title: "Mine", document: {}, html: "<p>Mine</p>", headline: "Mine" };
    const id = kind === "post" ? this.#server.newId() : (before?.id ?? "");
    const entry = { ...written, id, blogId: "b", isKey: chance % 3 === 0, at: this.#server.now };
    if (kind === "post") void mutate(postEntry, entry);
    else if (before && kind === "edit") void mutate(editEntry, { ...entry, before });
    else if (before && kind === "withdraw") void mutate(withdrawEntry, before);
    else if (before && kind === "restore")
      void mutate(withdrawEntry, before).then(() => mutate(restoreEntry, before));
    else if (before && kind === "like") void mutate(likeEntry, { id, blogId: "b", on: !before.liked });
    await vi.advanceTimersByTimeAsync(10);
    this.#isRefusing = false;
  }

  async receiveResponse() {
    this.#pendingRequests.shift()?.();
    await vi.advanceTimersByTimeAsync(10);
  }
  async settle(): Promise<void> {
    await this.receiveEvents(Infinity);
    while (this.#pendingRequests.length > 0) await this.receiveResponse();
    await this.receiveEvents(Infinity);
    // Pages fetch again at random moments.
    await vi.advanceTimersByTimeAsync(2_000);
    if (this.#pendingRequests.length > 0) await this.settle();
  }
  get unsettled() {
    return this.#mutations!.all();
  }
}

type Step = (server: EntryModel, reader: OpenPage) => unknown;
const chance = fc.nat(1_000);
const weightedStep = <T>(
  weight: number,
  arbitrary: fc.Arbitrary<T>,
  act: (value: T, server: EntryModel, reader: OpenPage) => unknown,
) => ({
  weight,
  arbitrary: arbitrary.map((value): Step =>
    Object.assign((server: EntryModel, reader: OpenPage) => act(value, server, reader), {
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
function expectFresh(server: EntryModel, reader: OpenPage, isComplete: boolean): void {
  for (const one of entryOrders) {
    const { entries, keys, total, more } = reader.list(one);
    const fresh = server.page(one, null, Infinity);
    const loaded = fresh.entries.slice(0, entries.length);
    expect(entries).toEqual(isComplete ? fresh.entries : loaded);
    expect([keys, total]).toEqual([fresh.keys, fresh.total]);
    if (isComplete || more === null) expect([more, entries.length]).toEqual([null, fresh.entries.length]);
  }
}

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
      const noReader = {} as OpenPage;
      for (const step of before) step(server, noReader);
      const reader = new OpenPage(server);
      await vi.advanceTimersByTimeAsync(10);
      for (const step of after) await step(server, reader);
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
