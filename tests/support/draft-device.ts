import { TRPCClientError } from "@trpc/client";
import type { FormBlog } from "../../src/client/blogs/form/working-copy-finder.ts";
import type {
  StoredWork,
  FormExtras,
  SessionDependencies,
  WaitingContent,
} from "../../src/client/blogs/form/working-copy.ts";
import { DraftSession } from "../../src/client/blogs/form/draft-session.ts";
import { code } from "../../src/client/editor/sync/code.ts";
import type { CommitRequest } from "../../src/client/editor/sync/sync.ts";
import type { SyncedText } from "../../src/client/editor/sync/text.ts";
import type { Client, SignedInBrowser } from "./browser.ts";
import type { CallFate } from "./co-writer.ts";
import { until } from "./until.ts";

type Call = keyof SessionDependencies["api"];

/** One device: its storage, and which tab claims what. Its tabs are real sessions without a screen over a real server. */
export class Device {
  readonly storedEntries = new Map<string, StoredWork>();
  readonly waiting = new Map<string, WaitingContent>();
  readonly claimedNames = new Set<string>();
  isFull = false;
  readonly #signedIn: () => SignedInBrowser;

  constructor(signedIn: () => SignedInBrowser) {
    this.#signedIn = signedIn;
  }

  get entries(): StoredWork[] {
    return [...this.storedEntries.values()];
  }

  get signedIn(): SignedInBrowser {
    return this.#signedIn();
  }

  /** Opens a tab with the form of a blog, or of a new one. */
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
  readonly session: DraftSession;
  readonly device: Device;
  extras: FormExtras = { file: null, pictures: [], tags: [] };
  /** The fate of its calls from now on, and what runs before each. */
  fate: CallFate = "well";
  before: Partial<Record<Call, () => Promise<unknown>>> = {};
  /** What a response waits for before it arrives. */
  after: Partial<Record<Call, () => Promise<unknown>>> = {};
  readonly calls: Call[] = [];
  readonly answeredCalls: Call[] = [];
  readonly commits: CommitRequest[] = [];
  text!: SyncedText;
  #key = 0;
  readonly #claims: string[] = [];
  #isDead = false;

  constructor(device: Device, account: string, blog: FormBlog) {
    this.device = device;
    const isOwn = (entry: { account: string }) => entry.account === account;
    this.session = new DraftSession(account, blog, {
      editor: async () => code,
      claim: async (name) => {
        if (device.claimedNames.has(name)) return null;
        device.claimedNames.add(name);
        this.#claims.push(name);
        return () => void device.claimedNames.delete(name);
      },
      store: {
        all: async () =>
          structuredClone(device.entries.filter(isOwn).toSorted((a, b) => b.changedAt - a.changedAt)),
        put: async (entry) => {
          if (device.isFull) throw new Error("full");
          if (!this.#isDead) device.storedEntries.set(entry.client, structuredClone(entry));
        },
        remove: async (_account, client) => void (this.#isDead || device.storedEntries.delete(client)),
        waiting: async () => [...device.waiting.values()].filter(isOwn),
        putAtUnload: () => undefined,
        putWaiting: async (entry) => void device.waiting.set(entry.blogId, entry),
        removeWaiting: async (_account, blogId) => void device.waiting.delete(blogId),
        clear: () => Promise.reject(new Error("No form signs anybody out.")),
      },
      signedIn: () => device.signedIn.me.id,
      api: this.#api(),
    });
    this.session.store.subscribe(() => this.#openText());
  }

  async start(): Promise<void> {
    await this.session.start(() => this.extras);
    await Promise.resolve();
  }

  /** Each piece of work gets another editor, as in the form. */
  #openText(): void {
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
    const current = this.text;
    queueMicrotask(() => current === this.text && this.session.attach(current));
  }

  #api(): SessionDependencies["api"] {
    const callWithFate = async <T>(name: Call, call: (api: Client) => Promise<T>): Promise<T> => {
      this.calls.push(name);
      await this.before[name]?.();
      if (this.fate === "never" || this.#isDead) throw new TRPCClientError("fetch failed");
      const answer = await call(this.device.signedIn.api);
      this.answeredCalls.push(name);
      await this.after[name]?.();
      if (this.fate === "unanswered") throw new TRPCClientError("fetch failed");
      return answer;
    };
    return {
      begin: (input) => callWithFate("begin", (api) => api.blogs.begin.mutate(input)),
      open: (input) => callWithFate("open", (api) => api.blogs.openDraft.mutate(input) as never),
      unfinished: () => callWithFate("unfinished", async (api) => (await api.blogs.unfinished.query()).blogs),
      discard: (input) => callWithFate("discard", (api) => api.blogs.discardDraft.mutate(input)),
      remove: (input) => callWithFate("remove", (api) => api.blogs.remove.mutate(input)),
      publish: (input) => callWithFate("publish", (api) => api.blogs.publish.mutate(input)),
      push: (commit) => {
        this.commits.push(commit);
        return callWithFate("push", (api) => api.blogs.pushCommit.mutate(commit));
      },
      since: (input) => callWithFate("since", (api) => api.blogs.commitsSince.query(input)),
    };
  }

  get snapshot() {
    return this.session.snapshot();
  }

  get words(): string {
    const { doc } = this.text.state();
    return doc.textBetween(0, doc.content.size, "\n");
  }

  type(text: string, at = 1): void {
    this.text.dispatch(this.text.state().tr.insertText(text, at));
  }

  /** Types, and waits until the server has it. */
  async write(text: string): Promise<void> {
    this.type(text);
    await this.session.sendAll();
  }

  /** Stores the current text on the device, as happens within a second. */
  async storeOnDevice(): Promise<void> {
    this.session.changed();
    await this.session.storeNow();
  }

  waitForSyncState = (name: string): Promise<unknown> =>
    until(() => this.snapshot.sync.name === name, `being ${name}, not ${this.snapshot.sync.name}`);

  /** The browser is killed: nothing more is stored or sent, and others can claim what it had. */
  crash(): void {
    this.#isDead = true;
    for (const name of this.#claims.splice(0)) this.device.claimedNames.delete(name);
  }

  /** Leaves the form, and waits until its claims are released. */
  async close(): Promise<void> {
    this.session.stop();
    await until(() => !this.#claims.some((name) => this.device.claimedNames.has(name)), "letting go");
  }
}
