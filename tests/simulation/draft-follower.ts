import { isDeepStrictEqual } from "node:util";
import type { LiveEvent } from "../../src/shared/live.ts";
import { openBrowser, type Browser } from "../support/browser.ts";
import { CoWriter } from "../support/co-writer.ts";
import { isRefusal } from "./actions.ts";
import type { FollowedDraft } from "./draft-generator.ts";
import { personName } from "./generator.ts";
import type { World } from "./world.ts";

/**
 * A page that has a text open without a screen: it applies events as the editor does. They come over its person's connection with
 * all faults, what it asks for does not.
 */
export class DraftFollower implements AsyncDisposable {
  readonly name: string;
  readonly #who: number;
  readonly #world: World;
  readonly #id: string;
  readonly #browser: Browser;
  #page: CoWriter | undefined;
  /** Events are applied one by one. */
  #queue = Promise.resolve();
  #isFollowing = false;

  constructor(world: World, { who, blog }: FollowedDraft) {
    const { client, cookies } = world.people[who]!;
    this.#who = who;
    this.name = `draft (blog ${blog}) followed by ${personName(who)}`;
    this.#world = world;
    this.#id = world.blogs[blog]!.id;
    this.#browser = openBrowser(world.connections.get(who)!.tcpLink.url, client.cookie || cookies[0]);
    this.#browser.api.live.follow.subscribe(
      { topics: [`draft:${this.#id}`] },
      {
        onData: ({ data: { event } }) =>
          // What fails is tried again at the end, as a page that is online again does.
          void (this.#queue = this.#queue.then(() => this.#apply(event)).catch(() => undefined)),
      },
    );
  }

  get #api() {
    return this.#world.people[this.#who]!.client.api;
  }

  async #apply(event: LiveEvent): Promise<void> {
    const isFirst = event.kind === "checkpoint" && !this.#isFollowing;
    if (event.kind === "draft.committed") await this.#page?.sync.receiveCommits(event.commits, event.seq);
    else if (isFirst || ["reset", "accessLost", "accessRestored"].includes(event.kind)) await this.resync();
    this.#isFollowing ||= isFirst;
  }

  /** Fetches what was missed, or opens the text again. */
  async resync(): Promise<void> {
    this.#page?.sync.resume();
    await this.#page?.sync.fetchMissed();
    const { name } = this.#page?.syncStates.at(-1) ?? { name: "saved" };
    if (!this.#page || name === "lost") this.#page = await CoWriter.open(() => this.#api, this.#id);
  }

  /** Returns where the open text differs from the text opened now, once it agrees or at `deadline`. */
  async compare(isSilent: boolean, deadline: number): Promise<string[]> {
    // Unlike a page, this connection does not notice by itself that it has died.
    if (isSilent) this.#browser.cut();
    for (;;) {
      await this.#queue;
      const fresh = await this.#open();
      // Who cannot open it has to know, unless they are signed out, as by a suspension, or deleted.
      const state = this.#page?.syncStates.at(-1)?.name ?? "saved";
      const page = this.#page && [this.#page.state.doc.toJSON() as unknown, this.#page.sync.fields];
      const isSame =
        fresh === "signed out" ||
        (fresh === undefined
          ? !page || state === "gone" || state === "ended" || state === "failed"
          : isDeepStrictEqual(JSON.parse(JSON.stringify(page ?? null)), fresh));
      if (isSame) return [];
      if (Date.now() > deadline)
        return [`- draft | ${state} ${JSON.stringify(page)}`, `+ draft | ${JSON.stringify(fresh)}`];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #open(): Promise<unknown> {
    try {
      const { document, fields } = await this.#api.blogs.openDraft.mutate({ id: this.#id });
      return JSON.parse(JSON.stringify([document, fields]));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return /sign in/i.test(error.message) ? "signed out" : undefined;
    }
  }

  [Symbol.asyncDispose] = (): Promise<void> => this.#browser.close();
}
