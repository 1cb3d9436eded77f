import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../../server/router.ts";
import type { Comment } from "../../../shared/comments.ts";
import type { LiveEvent, TopicName } from "../../../shared/live.ts";
import type { NotificationRef } from "../../../shared/notification-inputs.ts";
import type { NotificationChannels, NotificationTopic } from "../../../shared/notifications.ts";
import type { Settings, Viewer } from "../../../shared/users.ts";
import { setMutationAccount } from "../../api/client.ts";
import { errorCode, errorField, isTransient, retryAfter } from "../../api/errors.ts";
import { retryUntilAnswered } from "../../api/retry.ts";
import { ExternalStore } from "../../ui/external-store.ts";

/** Changes by the viewer for which the server's events carry other data, or only ask for a fetch. */
export type OptimisticEvent =
  | { kind: "settings.changed"; settings: Partial<Settings> }
  /** A comment that the author of the blog must approve. */
  | { kind: "comment.pending"; comment: Comment }
  | { kind: "comment.rejected"; commentId: string }
  /** All notifications, or one entry. */
  | { kind: "notifications.read"; only: NotificationRef | null }
  | { kind: "notifications.seen" }
  | { kind: "notifications.channels"; topic: NotificationTopic; channels: Partial<NotificationChannels> }
  | { kind: "follower.removed"; userId: string };

/** A change by the viewer that is shown over the server's data. */
export interface OptimisticLayer {
  readonly events: readonly { topic: TopicName; event: LiveEvent | OptimisticEvent }[];
}

/** A change on the server with its effect on the page. Sending the same input twice must change nothing more. */
export interface Mutation<Input, Answer extends { cursor?: string } = { cursor?: string }> {
  /** Names it in the offline queue, where entries outlive a release: such a name never changes. */
  name: string;
  /** Mutations with the same key are sent one after another; of those that wait for another only the last is sent. */
  key: (input: Input) => string;
  /** Returns the events that the page shows at once. */
  optimisticEvents: (input: Input, viewer: Viewer) => OptimisticLayer["events"];
  send: (input: Input) => Promise<Answer>;
  /** Whether it stays in the offline queue and is sent until it is answered; otherwise a lost request is an error. */
  keepOffline?: boolean;
  /** Called after the optimistic events were taken off the page, in place of showing the error. `retry` starts it again. */
  onError?: (error: unknown, input: Input, retry: () => void) => void;
  /** Called when it must wait so many milliseconds, since the viewer has changed too much at once. */
  onLimited?: (ms: number) => void;
  /** Called when the session ended before it was sent: it stays in the queue for the same person. */
  onSignedOut?: () => void;
}

export interface PendingMutation extends OptimisticLayer {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly input: unknown;
  /**
   * `queued` behind another of its key, `sending`, `waiting` for a server that does not answer, `answered` without its events
   * having arrived.
   */
  readonly state: "queued" | "sending" | "waiting" | "answered";
  readonly cursor?: string | undefined;
  /** When it will be sent, in the device's milliseconds, if it waits since the viewer has changed too much at once. */
  readonly sendsAt?: number | undefined;
}

/** The part of the live store that mutations use. */
interface Store {
  setLayers(layers: readonly OptimisticLayer[]): void;
  hasReached(cursor: string | undefined): boolean;
  queries: {
    awaitsRefetch(layer: OptimisticLayer): boolean;
    refetchAffected(layer: OptimisticLayer): void;
  };
}

/** What mutations are made with. */
export interface MutationContext {
  client: TRPCClient<AppRouter>;
  navigate: (to: string) => void | Promise<void>;
}

/** An entry of the offline queue. */
export interface QueuedMutation {
  id: string;
  viewerId: string;
  name: string;
  input: unknown;
}

/** Keeps mutations until they are answered, also after the tab is closed. */
export interface OfflineQueue {
  put(entry: QueuedMutation): Promise<void>;
  remove(id: string): Promise<void>;
  /** Gives each entry of this person to one tab, now and later. `take` returns false where this tab no longer wants it. */
  resume(viewerId: string, take: (entry: QueuedMutation, mutation: AnyMutation) => boolean): Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any
export type AnyMutation = Mutation<any, any>;

/** The longest time in milliseconds that a mutation waits for the one before it to leave the offline queue. */
const REMOVAL_WITHIN = 1_000;
/** The milliseconds in which the events of an answered mutation should arrive; then its queries are fetched. */
const EVENTS_WITHIN = 10_000;
/** The longest `Retry-After` in milliseconds that is waited for; a longer one is an error. */
const LONGEST_WAIT = 600_000;

/** Whether a kept mutation is worth retrying: a daily quota is not free again before tomorrow. */
const isWorthRetrying = (error: unknown): boolean =>
  isTransient(error) && (retryAfter(error) ?? 0) * 1_000 <= LONGEST_WAIT && errorField(error) !== "day";

/**
 * The viewer's mutations that the page shows and the server's events do not contain yet. A mutation shows at once; it leaves
 * when the events up to its answer's cursor were applied and the queries that they asked for were fetched, or when it failed.
 */
export class OptimisticMutations {
  readonly #store: Store;
  readonly #queue: OfflineQueue | undefined;
  readonly #showError: (error: unknown, retry: () => void) => void;
  readonly pending = new ExternalStore<readonly PendingMutation[]>([]);
  #mutations = new Map<
    string,
    {
      mutation: AnyMutation;
      retry: () => void;
      settle: (answer: unknown) => void;
      queued?: Promise<void> | undefined;
    }
  >();
  /** Removals from the offline queue by key: a newer mutation waits, since a closing tab would leave the older one to be sent again. */
  readonly #removals = new Map<string, Promise<unknown>>();
  /** Mutations whose first request was not answered, here or in a tab before. */
  readonly #retried = new Set<string>();
  /** Undefined until the page is hydrated. */
  #viewer: Viewer | null | undefined;
  /** Mutations of effects of the first render, which run before the viewer is set. */
  readonly #early: (() => void)[] = [];
  #ids = 0;
  /** Changes with the viewer, whose mutations are then no longer shown or awaited. */
  #generation = 0;

  constructor(
    store: Store,
    queue?: OfflineQueue,
    showError: (error: unknown, retry: () => void) => void = () => undefined,
  ) {
    this.#store = store;
    this.#queue = queue;
    this.#showError = showError;
  }

  readonly all = this.pending.get;

  /** Sets the signed-in person; null for a guest. */
  setViewer(viewer: Viewer | null): void {
    const before = this.#viewer;
    this.#viewer = viewer;
    if (viewer?.session !== before?.session) this.#startOver(viewer);
    for (const mutateNow of this.#early.splice(0)) mutateNow();
  }

  #startOver(viewer: Viewer | null): void {
    setMutationAccount(viewer?.id ?? "");
    this.#generation++;
    this.#mutations.clear();
    this.#set([]);
    if (!viewer) return;
    const generation = this.#generation;
    const take = (entry: QueuedMutation, mutation: AnyMutation): boolean => {
      if (generation !== this.#generation) return false;
      if (!this.#mutations.has(entry.id)) {
        this.#retried.add(entry.id);
        void this.mutate(mutation, entry.input, entry.id);
      }
      return true;
    };
    void this.#queue?.resume(viewer.id, take).catch(() => undefined);
  }

  /**
   * Shows a mutation and sends it. Resolves with the answer, or with undefined where it failed (then `onError` was called) or
   * a later one of the same key has replaced it.
   */
  mutate<Input, Answer extends { cursor?: string }>(
    mutation: Mutation<Input, Answer>,
    input: Input,
    id: string = `own-${++this.#ids}-${Date.now().toString(36)}`,
  ): Promise<Answer | undefined> {
    const viewer = this.#viewer;
    if (viewer === undefined)
      return new Promise((resolve) => this.#early.push(() => resolve(this.mutate(mutation, input, id))));
    if (!viewer) return Promise.resolve(undefined);
    const key = mutation.key(input);
    // Only the last of those that wait is wanted; one that is being sent is left alone.
    for (const { id: older } of this.all().filter((one) => one.key === key && one.state === "queued")) {
      this.#removeFromQueue(older, key);
      this.#drop(older);
    }
    const before = this.all().findLast((one) => one.key === key && one.state !== "answered");
    return new Promise((resolve) => {
      const retry = (): void => void this.mutate(mutation, input, id);
      this.#mutations.set(id, { mutation, retry, settle: resolve as (answer: unknown) => void });
      const pending: PendingMutation = {
        id,
        name: mutation.name,
        key,
        input,
        events: mutation.optimisticEvents(input, viewer),
        state: before ? "queued" : "sending",
      };
      this.#set([...this.all().filter((one) => one.id !== id), pending]);
      if (mutation.keepOffline)
        this.#mutations.get(id)!.queued = this.#queue
          ?.put({ id, viewerId: viewer.id, name: mutation.name, input })
          .catch(() => undefined);
      if (!before) void this.#send(pending);
    });
  }

  /** Stops sending a mutation that waits for the server. A request that was sent may have arrived all the same. */
  cancelSend(id: string): boolean {
    const pending = this.all().find((one) => one.id === id);
    if (pending?.state !== "waiting") return false;
    this.#removeFromQueue(id, pending.key);
    this.#drop(id);
    return true;
  }

  /** Drops the answered mutations whose events the store has applied by now. */
  onAdvanced(): void {
    for (const pending of this.all())
      if (pending.state === "answered" && this.#isApplied(pending, pending.cursor)) this.#drop(pending.id);
  }

  /** Whether the page shows all of a mutation from the server's data. */
  #isApplied(layer: OptimisticLayer, cursor: string | undefined): boolean {
    return this.#store.hasReached(cursor) && !this.#store.queries.awaitsRefetch(layer);
  }

  async #send({ id, key, input }: PendingMutation): Promise<void> {
    const generation = this.#generation;
    const { mutation, retry, settle, queued } = this.#mutations.get(id)!;
    if (this.#removals.has(key)) await this.#removals.get(key);
    if (generation !== this.#generation) return;
    const isWanted = (): boolean => generation === this.#generation && this.#mutations.has(id);
    const onWait = async (error: unknown, ms: number): Promise<void> => {
      this.#retried.add(id);
      const isLimited = errorCode(error) === "TOO_MANY_REQUESTS";
      const sendsAt = isLimited ? Date.now() + ms : undefined;
      if (isLimited && isWanted()) mutation.onLimited?.(ms);
      // The page says that it will be sent once it is stored.
      await queued;
      if (isWanted()) this.#update(id, { state: "waiting", sendsAt });
    };
    const isPassing = (error: unknown): boolean =>
      isWanted() && mutation.keepOffline === true && isWorthRetrying(error);
    try {
      const send = (): Promise<{ cursor?: string } | undefined> => mutation.send(input);
      const answer = await retryUntilAnswered(send, { isWanted, isRetryable: isPassing, onWait });
      this.#removeFromQueue(id, key, mutation);
      if (generation !== this.#generation) return;
      settle(answer);
      this.#onAnswered(id, answer?.cursor);
    } catch (error) {
      if (generation !== this.#generation) return;
      if (this.#mutations.has(id)) {
        if (mutation.onSignedOut && this.#retried.has(id) && errorCode(error) === "UNAUTHORIZED") {
          this.#update(id, { state: "waiting" });
          return mutation.onSignedOut();
        }
        this.#removeFromQueue(id, key, mutation);
        this.#drop(id);
        if (mutation.onError) mutation.onError(error, input, retry);
        else this.#showError(error, retry);
      }
    }
    const next = this.all().find((one) => one.key === key && one.state === "queued");
    if (!next) return;
    this.#update(next.id, { state: "sending" });
    void this.#send(next);
  }

  /** Keeps showing an answered mutation until its events have arrived, so that nothing jumps back or counts twice. */
  #onAnswered(id: string, cursor: string | undefined): void {
    const answered = this.all().find((one) => one.id === id);
    if (!answered || this.#isApplied(answered, cursor)) return this.#drop(id);
    this.#update(id, { state: "answered", cursor });
    setTimeout(() => {
      const pending = this.all().find((one) => one.id === id);
      if (!pending) return;
      this.#drop(id);
      this.#store.queries.refetchAffected(pending);
    }, EVENTS_WITHIN);
  }

  #removeFromQueue(id: string, key: string, mutation = this.#mutations.get(id)?.mutation): void {
    if (!mutation?.keepOffline || !this.#queue) return;
    const removed = this.#queue.remove(id).catch(() => undefined);
    const late = new Promise((resolve) => setTimeout(resolve, REMOVAL_WITHIN));
    const removal = Promise.all([this.#removals.get(key), Promise.race([removed, late])]);
    this.#removals.set(key, removal);
    void removal.then(() => this.#removals.get(key) === removal && this.#removals.delete(key));
  }

  #update(id: string, change: Partial<PendingMutation>): void {
    this.#set(this.all().map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  #drop(id: string): void {
    this.#mutations.get(id)?.settle(undefined);
    this.#mutations.delete(id);
    this.#retried.delete(id);
    if (this.all().some((one) => one.id === id)) this.#set(this.all().filter((one) => one.id !== id));
  }

  #set(pending: readonly PendingMutation[]): void {
    const isSame =
      pending.length === this.all().length &&
      pending.every((one, index) => one.events === this.all()[index]?.events);
    this.pending.set(pending);
    if (!isSame) this.#store.setLayers(pending);
  }
}
