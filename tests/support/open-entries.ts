import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { vi } from "vitest";
import { trpc } from "../../src/client/api/trpc.ts";
import "../../src/client/entries/entry-queries.ts";
import {
  editEntry,
  likeEntry,
  postEntry,
  restoreEntry,
  withdrawEntry,
} from "../../src/client/entries/entry-mutations.ts";
import { loadMore, loadUntil } from "../../src/client/entries/load-entries.ts";
import type { LiveConnectionHandlers } from "../../src/client/live/connection/live-connection.ts";
import { mutate, prepareLive, setLiveViewer, startMemberRuntime } from "../../src/client/live/live.ts";
import { OptimisticMutations } from "../../src/client/live/mutations/optimistic-mutations.ts";
import type { MutationContext } from "../../src/client/live/mutations/optimistic-mutations.ts";
import { entryOrders } from "../../src/shared/entries.ts";
import type { EntryList, EntryOrder, EntryPosition } from "../../src/shared/entries.ts";
import type { Viewer } from "../../src/shared/users.ts";
import type { EntryModel } from "./entry-model.ts";
import { ana } from "./live-queries.ts";

type Cache = Parameters<typeof loadMore>[0];
type Input = { order: EntryOrder; after?: EntryPosition };

/** An open page of Ana's with both orders: its data, its position in the event stream and its pending requests. */
export class OpenEntries {
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
    const written = {
      viewerId: "ana",
      title: "Mine",
      document: { type: "doc" },
      html: "<p>Mine</p>",
      headline: "Mine",
    };
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
