import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import type { Comment } from "../../shared/comments.ts";
import type { LiveEvent, TopicName } from "../../shared/live.ts";
import type { NotificationTopic, NotificationChannels } from "../../shared/notifications.ts";
import type { NotificationRef } from "../../shared/social.ts";
import type { Settings, Viewer } from "../../shared/users.ts";
import { errorCode, errorField, mayPass, retryAfter } from "../api/errors.ts";
import { actAs } from "../api/client.ts";
import { untilAnswered } from "../api/retry.ts";
import { ExternalStore } from "../ui/external-store.ts";

/** What a person does of which the stream tells in other words, or only that something is to be asked for. */
export type ForeseenEvent =
  | { kind: "own.settings"; settings: Partial<Settings> }
  /** A comment that the author of the blog is to let in. */
  | { kind: "comment.held"; comment: Comment }
  | { kind: "comment.refused"; commentId: string }
  /** All notifications, or one entry. */
  | { kind: "own.read"; only: NotificationRef | null }
  | { kind: "own.seen" }
  | { kind: "own.ways"; topic: NotificationTopic; channels: Partial<NotificationChannels> }
  /** Somebody is no follower of the viewer's any more. */
  | { kind: "own.remove"; userId: string };

/** A change of one's own, laid over what the server told. */
export interface Laid {
  /** What it is foreseen to do. */
  readonly events: readonly { topic: TopicName; event: LiveEvent | ForeseenEvent }[];
}

/**
 * Something that a person does: what it is foreseen to change, and how the server is asked for it. Asking twice for the
 * same must change nothing more.
 */
export interface Act<Input, Answer extends { cursor?: string } = { cursor?: string }> {
  /** Its procedure: the name under which it waits in the outbox. */
  name: string;
  /** Acts with one key follow each other; of a switch that is turned meanwhile only the last turn is sent. */
  key: (input: Input) => string;
  foresee: (input: Input, me: Viewer) => Laid["events"];
  send: (input: Input) => Promise<Answer>;
  /** It is kept in the outbox until it is answered, and asked for as long as it takes; otherwise it fails when it is lost. */
  kept: boolean;
  /** Hears why it was refused, after it was taken back. `again` does it anew. */
  refused: (error: unknown, input: Input, again: () => void) => void;
  /** Hears that the session ended while it waited: it goes on waiting, for the same person. */
  held?: () => void;
}

export interface OwnChange extends Laid {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly input: unknown;
  /** `queued` behind another of its key, `sending`, `waiting` for a server that answers, `answered` but not told of yet. */
  readonly state: "queued" | "sending" | "waiting" | "answered";
  readonly cursor?: string | undefined;
}

/** What own changes need of the store. */
interface Store {
  lay(laid: readonly Laid[]): void;
  hasPassed(cursor: string | undefined): boolean;
  isAskedAbout(laid: Laid): boolean;
  askAbout(laid: Laid): void;
}

/** What acts are done with. */
export interface Hands {
  client: TRPCClient<AppRouter>;
  navigate: (to: string) => void | Promise<void>;
}

/** An act that waits in the outbox. */
export interface Waiting {
  id: string;
  viewerId: string;
  name: string;
  input: unknown;
}

/** Where acts wait for an answer while no tab is open. */
export interface Outbox {
  put(entry: Waiting): Promise<void>;
  remove(id: string): Promise<void>;
  /** Gives what waits of this person to one tab, now and later, each with its act; false where it is not for this tab any more. */
  resume(viewerId: string, take: (entry: Waiting, act: AnyAct) => boolean): Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any
export type AnyAct = Act<any, any>;

/** So long the next act of a key waits at most for the one before to be out of the outbox. */
const LEAVING = 1_000;

/** So long the stream has time to tell of a change that was answered. */
const PATIENCE = 10_000;
/** What the server has no room for by then is refused: nobody waits for it unawares. In milliseconds. */
const LONGEST = 600_000;

/** Whether a kept act is worth waiting for: what a day's quota refuses is not there before tomorrow. */
const mayWait = (error: unknown): boolean =>
  mayPass(error) && (retryAfter(error) ?? 0) * 1_000 <= LONGEST && errorField(error) !== "day";

/**
 * What the viewer has done here and the server has not told of yet. A change shows at once, over the server's facts; it goes
 * when the stream has passed the cursor of its answer and what it said to ask for has come, or when it was refused.
 */
export class OwnChanges {
  readonly #store: Store;
  readonly #outbox: Outbox | undefined;
  readonly changes = new ExternalStore<readonly OwnChange[]>([]);
  #acts = new Map<
    string,
    { act: AnyAct; again: () => void; settle: (answer: unknown) => void; kept?: Promise<void> | undefined }
  >();
  /** What leaves the outbox, by its key: were a newer act done before, a tab that ends meanwhile would have the older one done again. */
  readonly #leaving = new Map<string, Promise<unknown>>();
  /** What was not answered the first time, here or in the tab before. */
  readonly #waited = new Set<string>();
  #viewer: Viewer | null = null;
  #ids = 0;
  /** Grows with each viewer: what the one before did is no longer shown or waited for. */
  #turn = 0;

  constructor(store: Store, outbox?: Outbox) {
    this.#store = store;
    this.#outbox = outbox;
  }

  readonly all = this.changes.get;

  /** Somebody else is signed in, or nobody. */
  become(viewer: Viewer | null): void {
    if (viewer?.session === this.#viewer?.session) {
      this.#viewer = viewer;
      return;
    }
    this.#viewer = viewer;
    actAs(viewer?.id ?? "");
    this.#turn++;
    this.#acts.clear();
    this.#set([]);
    if (!viewer) return;
    const turn = this.#turn;
    const take = (entry: Waiting, act: AnyAct): boolean => {
      if (turn !== this.#turn) return false;
      if (!this.#acts.has(entry.id)) {
        this.#waited.add(entry.id);
        void this.do(act, entry.input, entry.id);
      }
      return true;
    };
    void this.#outbox?.resume(viewer.id, take).catch(() => undefined);
  }

  /**
   * Does it: at once here, then on the server. Resolves with the answer, or with undefined where it was refused (which the
   * act has told then) or another turn of the same switch has taken its place.
   */
  do<Input, Answer extends { cursor?: string }>(
    act: Act<Input, Answer>,
    input: Input,
    id: string = `own-${++this.#ids}-${Date.now().toString(36)}`,
  ): Promise<Answer | undefined> {
    const viewer = this.#viewer;
    if (!viewer) return Promise.resolve(undefined);
    const key = act.key(input);
    // Of a switch only the last turn is wanted; what is under way is let through.
    for (const { id: older } of this.all().filter((one) => one.key === key && one.state === "queued")) {
      this.#unkeep(older, key);
      this.#drop(older);
    }
    const before = this.all().findLast((one) => one.key === key && one.state !== "answered");
    return new Promise((resolve) => {
      const again = (): void => void this.do(act, input);
      this.#acts.set(id, {
        act,
        again,
        settle: resolve as (answer: unknown) => void,
      });
      const change: OwnChange = {
        id,
        name: act.name,
        key,
        input,
        events: act.foresee(input, viewer),
        state: before ? "queued" : "sending",
      };
      this.#set([...this.all().filter((one) => one.id !== id), change]);
      if (act.kept)
        this.#acts.get(id)!.kept = this.#outbox
          ?.put({ id, viewerId: viewer.id, name: act.name, input })
          .catch(() => undefined);
      if (!before) void this.#send(change);
    });
  }

  /** Takes back what waits and was not answered: it is asked for no more. It may have arrived for all that. */
  takeBack(id: string): boolean {
    const change = this.all().find((one) => one.id === id);
    if (change?.state !== "waiting") return false;
    this.#unkeep(id, change.key);
    this.#drop(id);
    return true;
  }

  /** The stream has told of everything up to where it is now. */
  passed(): void {
    for (const change of this.all())
      if (change.state === "answered" && this.#isTold(change, change.cursor)) this.#drop(change.id);
  }

  /** Whether what is shown has it all from the server by now. */
  #isTold(laid: Laid, cursor: string | undefined): boolean {
    return this.#store.hasPassed(cursor) && !this.#store.isAskedAbout(laid);
  }

  async #send({ id, key, input }: OwnChange): Promise<void> {
    const turn = this.#turn;
    const { act, again, settle, kept } = this.#acts.get(id)!;
    if (this.#leaving.has(key)) await this.#leaving.get(key);
    if (turn !== this.#turn) return;
    const isWanted = (): boolean => turn === this.#turn && this.#acts.has(id);
    const onWait = async (): Promise<void> => {
      this.#waited.add(id);
      // That it will be sent is said once it outlives the tab.
      await kept;
      if (isWanted()) this.#become(id, { state: "waiting" });
    };
    const isPassing = (error: unknown): boolean => isWanted() && act.kept && mayWait(error);
    try {
      const ask = (): Promise<{ cursor?: string } | undefined> => act.send(input);
      const answer = await untilAnswered(ask, { isWanted, isPassing, onWait });
      this.#unkeep(id, key, act);
      if (turn !== this.#turn) return;
      settle(answer);
      this.#answered(id, answer?.cursor);
    } catch (error) {
      if (turn !== this.#turn) return;
      if (this.#acts.has(id)) {
        if (act.held && this.#waited.has(id) && errorCode(error) === "UNAUTHORIZED") {
          this.#become(id, { state: "waiting" });
          return act.held();
        }
        this.#unkeep(id, key, act);
        this.#drop(id);
        act.refused(error, input, again);
      }
    }
    const next = this.all().find((one) => one.key === key && one.state === "queued");
    if (!next) return;
    this.#become(next.id, { state: "sending" });
    void this.#send(next);
  }

  /** The server has it: the foreseen stays until the stream has told of it, so that nothing jumps back or counts twice. */
  #answered(id: string, cursor: string | undefined): void {
    const answered = this.all().find((one) => one.id === id);
    if (!answered || this.#isTold(answered, cursor)) return this.#drop(id);
    this.#become(id, { state: "answered", cursor });
    setTimeout(() => {
      const change = this.all().find((one) => one.id === id);
      if (!change) return;
      this.#drop(id);
      this.#store.askAbout(change);
    }, PATIENCE);
  }

  #unkeep(id: string, key: string, act = this.#acts.get(id)?.act): void {
    if (!act?.kept || !this.#outbox) return;
    const removed = this.#outbox.remove(id).catch(() => undefined);
    const late = new Promise((resolve) => setTimeout(resolve, LEAVING));
    const left = Promise.all([this.#leaving.get(key), Promise.race([removed, late])]);
    this.#leaving.set(key, left);
    void left.then(() => this.#leaving.get(key) === left && this.#leaving.delete(key));
  }

  #become(id: string, change: Partial<OwnChange>): void {
    this.#set(this.all().map((one) => (one.id === id ? { ...one, ...change } : one)));
  }

  #drop(id: string): void {
    this.#acts.get(id)?.settle(undefined);
    this.#acts.delete(id);
    this.#waited.delete(id);
    if (this.all().some((one) => one.id === id)) this.#set(this.all().filter((one) => one.id !== id));
  }

  #set(changes: readonly OwnChange[]): void {
    const isSame =
      changes.length === this.all().length &&
      changes.every((one, index) => one.events === this.all()[index]?.events);
    this.changes.set(changes);
    if (!isSame) this.#store.lay(changes);
  }
}
