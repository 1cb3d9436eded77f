import { TRPCClientError } from "@trpc/client";
import type { FormBlog } from "../../src/client/blogs/form/find-work.ts";
import type { Entry, Held, Surroundings, Waiting } from "../../src/client/blogs/form/work.ts";
import { WritingSession } from "../../src/client/blogs/form/writing-session.ts";
import { code } from "../../src/client/editor/sync/code.ts";
import type { Text } from "../../src/client/editor/sync/text.ts";
import type { Client, Resident } from "./browser.ts";
import type { Fate } from "./co-writer.ts";
import { until } from "./until.ts";

type Call = keyof Surroundings["api"];

/** One device: what it keeps, and which of its tabs has what. Its tabs are real sessions without a screen, over a real server. */
export class Device {
  readonly kept = new Map<string, Entry>();
  readonly waiting = new Map<string, Waiting>();
  readonly held = new Set<string>();
  isFull = false;
  readonly #signedIn: () => Resident;

  constructor(signedIn: () => Resident) {
    this.#signedIn = signedIn;
  }

  get entries(): Entry[] {
    return [...this.kept.values()];
  }

  get signedIn(): Resident {
    return this.#signedIn();
  }

  /** A tab with the form open: of a blog, or of a new one. */
  async tab(
    blog: FormBlog = null,
    account = this.signedIn.me.id,
    early: { title?: string } = {},
  ): Promise<Tab> {
    const tab = new Tab(this, account, blog);
    if (Object.keys(early).length > 0) tab.session.set(early);
    await tab.start();
    return tab;
  }
}

export class Tab {
  readonly session: WritingSession;
  readonly device: Device;
  held: Held = { file: null, pictures: [], tags: [] };
  /** What happens to its calls from now on, and what has to come first. */
  fate: Fate = "well";
  before: Partial<Record<Call, () => Promise<unknown>>> = {};
  /** What an answer waits for before it arrives. */
  after: Partial<Record<Call, () => Promise<unknown>>> = {};
  readonly calls: Call[] = [];
  readonly answered: Call[] = [];
  text!: Text;
  #key = 0;
  readonly #claims: string[] = [];
  #isDead = false;

  constructor(device: Device, account: string, blog: FormBlog) {
    this.device = device;
    const own = (entry: { account: string }) => entry.account === account;
    this.session = new WritingSession(account, blog, {
      editor: async () => code,
      claim: async (name) => {
        if (device.held.has(name)) return null;
        device.held.add(name);
        this.#claims.push(name);
        return () => void device.held.delete(name);
      },
      store: {
        all: async () =>
          structuredClone(device.entries.filter(own).toSorted((a, b) => b.changedAt - a.changedAt)),
        put: async (entry) => {
          if (device.isFull) throw new Error("full");
          if (!this.#isDead) device.kept.set(entry.client, structuredClone(entry));
        },
        remove: async (_account, client) => void (this.#isDead || device.kept.delete(client)),
        waiting: async () => [...device.waiting.values()].filter(own),
        putWaiting: async (entry) => void device.waiting.set(entry.blogId, entry),
        removeWaiting: async (_account, blogId) => void device.waiting.delete(blogId),
        clear: () => Promise.reject(new Error("No form signs anybody out.")),
      },
      signedIn: () => device.signedIn.me.id,
      api: this.#api(),
    });
    this.session.store.subscribe(() => this.#show());
  }

  async start(): Promise<void> {
    await this.session.start(() => this.held);
    await Promise.resolve();
  }

  /** Another editor shows each piece of work, as the form's does. */
  #show(): void {
    const { phase } = this.session.snapshot();
    if (phase.name !== "writing" || phase.key === this.#key) return;
    this.#key = phase.key;
    const text = code.headless(phase.work.document, phase.work.at);
    this.text = {
      state: text.state,
      dispatch: (tr) => {
        text.dispatch(tr);
        if (tr.docChanged) this.session.changed();
      },
    };
    const own = this.text;
    queueMicrotask(() => own === this.text && this.session.attach(own));
  }

  #api(): Surroundings["api"] {
    const meet = async <T>(name: Call, call: (api: Client) => Promise<T>): Promise<T> => {
      this.calls.push(name);
      await this.before[name]?.();
      if (this.fate === "never" || this.#isDead) throw new TRPCClientError("fetch failed");
      const answer = await call(this.device.signedIn.api);
      this.answered.push(name);
      await this.after[name]?.();
      if (this.fate === "unanswered") throw new TRPCClientError("fetch failed");
      return answer;
    };
    return {
      begin: (asked) => meet("begin", (api) => api.blogs.begin.mutate(asked)),
      open: (asked) => meet("open", (api) => api.blogs.openWriting.mutate(asked) as never),
      unfinished: () => meet("unfinished", async (api) => (await api.blogs.unfinished.query()).blogs),
      discard: (asked) => meet("discard", (api) => api.blogs.discardWriting.mutate(asked)),
      remove: (asked) => meet("remove", (api) => api.blogs.remove.mutate(asked)),
      push: (commit) => meet("push", (api) => api.blogs.pushCommit.mutate(commit)),
      since: (asked) => meet("since", (api) => api.blogs.commitsSince.query(asked)),
    };
  }

  get said() {
    return this.session.snapshot();
  }

  get words(): string {
    const { doc } = this.text.state();
    return doc.textBetween(0, doc.content.size, "\n");
  }

  type(text: string, at = 1): void {
    this.text.dispatch(this.text.state().tr.insertText(text, at));
  }

  /** Types, and the server has it. */
  async write(text: string): Promise<void> {
    this.type(text);
    await this.session.settle();
  }

  /** What stands here is written down on the device, as it is within a second. */
  async keep(): Promise<void> {
    this.session.changed();
    await this.session.keep();
  }

  says = (name: string): Promise<unknown> =>
    until(() => this.said.sync.name === name, `being ${name}, not ${this.said.sync.name}`);

  /** The browser is killed: nothing more is kept or sent, and others may have what it had. */
  crash(): void {
    this.#isDead = true;
    for (const name of this.#claims.splice(0)) this.device.held.delete(name);
  }

  /** The form is left, and has let go of what it had. */
  async close(): Promise<void> {
    this.session.stop();
    await until(() => !this.#claims.some((name) => this.device.held.has(name)), "letting go");
  }
}
