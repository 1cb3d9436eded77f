import { TRPCClientError } from "@trpc/client";
import type { FormBlog } from "../../src/client/writing/find-draft.ts";
import type { StoredDraft, FormExtras, SessionDependencies } from "../../src/client/writing/draft.ts";
import { DraftSession } from "../../src/client/writing/draft-session.ts";
import { code } from "../../src/client/writing/draft-sync.ts";
import type { CommitRequest } from "../../src/client/writing/commits.ts";
import type { SyncedText } from "../../src/client/writing/text.ts";
import type { Client, SignedInBrowser } from "./browser.ts";
import type { CallFate } from "./co-writer.ts";
import { until } from "./until.ts";

type Call = Exclude<keyof SessionDependencies["api"], "pushAtUnload">;

/** One device: its storage, and which tab claims what. Its tabs are real sessions without a screen over a real server. */
export class Device {
  readonly stored = new Map<string, StoredDraft>();
  readonly claimedNames = new Set<string>();
  isFull = false;
  readonly #signedIn: () => SignedInBrowser;

  constructor(signedIn: () => SignedInBrowser) {
    this.#signedIn = signedIn;
  }

  get drafts(): StoredDraft[] {
    return [...this.stored.values()];
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
    const isOwn = (draft: { account: string }) => draft.account === account;
    this.session = new DraftSession(account, blog, {
      editor: async () => code,
      claim: async (name) => {
        // As `tryLock` does.
        if (device.claimedNames.has(name)) await new Promise((resolve) => setTimeout(resolve, 200));
        if (device.claimedNames.has(name)) return null;
        device.claimedNames.add(name);
        this.#claims.push(name);
        return () => void device.claimedNames.delete(name);
      },
      store: {
        all: async () =>
          structuredClone(device.drafts.filter(isOwn).toSorted((a, b) => b.changedAt - a.changedAt)),
        put: async (draft) => {
          if (device.isFull) throw new Error("full");
          if (!this.#isDead) device.stored.set(draft.client, structuredClone(draft));
        },
        remove: async (_account, client) => void (this.#isDead || device.stored.delete(client)),
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

  /** Each draft gets another editor, as in the form. */
  #openText(): void {
    const { phase } = this.session.snapshot();
    if (phase.name !== "writing" || phase.key === this.#key) return;
    this.#key = phase.key;
    const text = code.headless(phase.draft.document, phase.draft.at);
    this.text = {
      state: text.state,
      dispatch: (tr) => {
        text.dispatch(tr);
        if (tr.docChanged) this.session.open?.changed();
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
      pushAtUnload: (commit) =>
        void (
          this.fate === "never" ||
          this.device.signedIn.api.blogs.pushCommit.mutate(commit).catch(() => undefined)
        ),
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
    this.session.open?.changed();
    await this.session.open?.storeNow();
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
