import { receiveTransaction, sendableSteps } from "prosemirror-collab";
import { Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import { Step } from "prosemirror-transform";
import { schema } from "../../shared/document/schema.ts";
import type { NodeJson } from "../../shared/document/schema.ts";
import { schemaMark } from "../../shared/document/schema-mark.ts";
import { stepBetween } from "../../shared/document/steps.ts";
import { limits } from "../../shared/limits.ts";
import { applyFieldChange, mergedFields, draftLimits } from "../../shared/drafts.ts";
import { sameJson } from "../../shared/same-json.ts";
import type { Picture } from "../../shared/blogs.ts";
import { rebaseText } from "./rebase-text.ts";
import { headless, mapSelection, replace, setAppliedCommit } from "./text.ts";
import type { SyncedText } from "./text.ts";
import { applyStep, firstSteps, isTemporary, ownSteps } from "./commits.ts";
import type { CommitRequest, PendingCommit, Server, SyncProblem, SyncState, Unconfirmed } from "./commits.ts";
import type { Commit, PushResult, DraftFields } from "../../shared/drafts.ts";

interface Options {
  id: string;
  /** Of the writer: another author's page may use the name of this one. */
  account?: string;
  server: Server;
  text: SyncedText;
  /** As confirmed, at `at.seq`. */
  document: NodeJson;
  fields: DraftFields;
  /** The base, and what the last session left unconfirmed. */
  at: Unconfirmed;
  /** Called when others changed fields, with a changed cover. */
  onFields: (fields: DraftFields, cover?: Picture | null) => void;
  onState: (state: SyncState) => void;
}

/**
 * Synchronizes a page's text with the server's draft (docs/decisions/0019-drafts-and-publishing.md): sends changes in commits,
 * one at a time, and applies others' commits once and in order. It never drops a change: what could not be sent waits, and is
 * rebased on what came first.
 */
export class DraftSync {
  readonly #options: Options;
  #text: SyncedText;
  #seq: number;
  #number: number;
  #underway: PendingCommit | null;
  /** Changed fields, not sent yet. */
  #pendingFields: Partial<DraftFields>;
  #fields: DraftFields;
  #pushing: Promise<void> | undefined;
  #fetching: Promise<boolean> | undefined;
  /** Set once synchronization has stopped. */
  #broken: SyncState["name"] | undefined;
  #isAway = false;
  /** The server refused the last commit: the next one sends the difference of the texts instead of the steps. */
  #isRefused = false;
  #shown: SyncState["name"] = "saved";
  #confirmed: Node;

  constructor(options: Options) {
    this.#options = options;
    this.#text = options.text;
    const { seq, number, underway, fields } = options.at;
    this.#seq = seq;
    this.#number = number;
    this.#underway = underway;
    this.#pendingFields = fields;
    this.#fields = options.fields;
    this.#confirmed = Node.fromJSON(schema, options.document);
  }

  get text(): SyncedText {
    return this.#text;
  }

  /** Continues with an editor's text, which shows the same as the one before. */
  attach(text: SyncedText): void {
    this.#text = text;
  }

  get seq(): number {
    return this.#seq;
  }

  /** The server's fields with this page's changes. */
  get fields(): DraftFields {
    return { ...this.#fields, ...this.#underway?.fields, ...this.#pendingFields };
  }

  get isSaved(): boolean {
    return (
      !this.#underway &&
      Object.keys(this.#pendingFields).length === 0 &&
      this.#unconfirmedSteps().length === 0
    );
  }

  /** Whether the last request has no usable response and must be repeated. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** Returns what would be lost with this page. */
  unconfirmed(): Unconfirmed {
    const steps = this.#unconfirmedSteps();
    return {
      epoch: this.#options.at.epoch,
      seq: this.#seq,
      client: this.#options.at.client,
      number: this.#number,
      steps: steps.map((step) => step.toJSON() as unknown),
      fields: this.#pendingFields,
      underway: this.#underway,
    };
  }

  confirmed(): { document: NodeJson; fields: DraftFields } {
    return { document: this.#confirmed.toJSON() as NodeJson, fields: this.#fields };
  }

  /** Changes fields. Those that the server has already are not sent. */
  changeFields(fields: Partial<DraftFields>): void {
    const pending = { ...this.#pendingFields, ...fields };
    const sent = { ...this.#fields, ...this.#underway?.fields };
    const isSent = (name: string) =>
      sameJson(pending[name as keyof DraftFields], sent[name as keyof DraftFields]);
    // A cover without its focus point would be centred.
    const isCover = (name: string) => name.startsWith("cover") && "coverId" in pending && !isSent("coverId");
    this.#pendingFields = Object.fromEntries(
      Object.entries(pending).filter(([name]) => isCover(name) || !isSent(name)),
    );
  }

  /** Applies commits from the server. Fetches missing ones before them. */
  async receiveCommits(commits: readonly Commit[] | null, newest: number): Promise<void> {
    const composing = this.#text.composing?.();
    if (composing) await composing;
    this.#applyCommits(commits ?? []);
    if (newest > this.#seq) await this.fetchMissed(newest);
    // The response was lost, but an event brought the commit.
    if (this.#shown !== "saved" && !this.#pushing && !this.#broken && this.isSaved)
      this.#show({ name: "saved" });
  }

  /** Fetches missed commits, up to `newest` if known. */
  async fetchMissed(newest = 0): Promise<void> {
    // A running request may be older than the commit that this call is for.
    const isLate = this.#fetching !== undefined;
    for (let time = 0; time < 2 && (time === 0 || isLate || newest > this.#seq); time++) {
      this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined));
      if (!(await this.#fetching)) return;
    }
  }

  /** Waits for running requests. */
  async settle(): Promise<void> {
    while (this.#pushing || this.#fetching) await Promise.all([this.#pushing, this.#fetching]);
  }

  /** Sends until everything is confirmed or a problem stops it. */
  push(): Promise<void> {
    return (this.#pushing ??= this.#push().finally(() => (this.#pushing = undefined)));
  }

  /** Returns the commit to send next, or the one under way; null if there is none. For a page that may be closing. */
  nextCommit(): CommitRequest | null {
    const commit = this.#broken ? null : this.#next();
    return commit && this.#request(commit);
  }

  /** Allows another try after `ended` or `gone`. */
  resume(): void {
    if (this.#broken === "ended" || this.#broken === "gone") this.#broken = undefined;
  }

  async #push(): Promise<void> {
    if (this.#broken) return;
    for (let next = this.#next(); next && !this.#broken; next = this.#next()) {
      // While offline the state stays.
      if (!this.#isAway) this.#show({ name: "saving" });
      if (!(await this.#send(next))) return;
    }
    if (!this.#broken) this.#show({ name: "saved" });
  }

  /** Returns false if it failed. */
  async #fetch(): Promise<boolean> {
    if (this.#broken) return false;
    const { id, server, at } = this.#options;
    try {
      const { commits } = await server.since({ id, epoch: at.epoch, seq: this.#seq });
      await this.#text.composing?.();
      if (commits) this.#applyCommits(commits);
      else this.#break({ name: "lost" });
      return true;
    } catch (error) {
      this.#fail(server.classifyError(error));
      return false;
    }
  }

  #next(): PendingCommit | null {
    if (this.#underway) return this.#underway;
    const steps = this.#isRefused ? this.#fewestSteps() : this.#unconfirmedSteps();
    if (steps.length === 0 && Object.keys(this.#pendingFields).length === 0) return null;
    const fields = this.#pendingFields;
    this.#pendingFields = {};
    return (this.#underway = {
      seq: this.#seq,
      number: this.#number,
      steps: JSON.stringify(firstSteps(steps, this.#confirmed)),
      fields,
    });
  }

  #unconfirmedSteps(): readonly Step[] {
    return sendableSteps(this.#text.state())?.steps ?? [];
  }

  /** Returns one step for all unconfirmed ones. If they cancel out, returns none and confirms them. */
  #fewestSteps(): readonly Step[] {
    const text = this.#text;
    const { at } = this.#options;
    const steps = this.#unconfirmedSteps();
    const step = stepBetween(this.#confirmed, text.state().doc);
    if (step) return JSON.stringify(step).length + 2 > draftLimits.stepsLength ? steps : [step];
    if (steps.length > 0) {
      const clients = steps.map(() => at.client);
      text.dispatch(receiveTransaction(text.state(), steps, clients));
      this.#isRefused = false;
    }
    return [];
  }

  /** Returns whether to continue at once. */
  async #send(commit: PendingCommit): Promise<boolean> {
    const { server, at } = this.#options;
    let result: PushResult;
    try {
      result = await server.push(this.#request(commit));
    } catch (error) {
      const problem = server.classifyError(error);
      // Stored with other content: fetches that, and sends the rest under a new number.
      if (problem === "number") {
        const before = this.#seq;
        this.#returnFields();
        this.#number++;
        await this.fetchMissed(before + 1);
        if (this.#seq === before && !this.#broken) this.#fail("offline");
        return this.#seq > before;
      }
      // Later steps may have undone what is refused.
      if (typeof problem === "object" && !this.#isRefused && this.#unconfirmedSteps().length > 1) {
        this.#returnFields();
        this.#isRefused = true;
        return true;
      }
      this.#fail(problem);
      return false;
    }
    this.#isAway = false;
    if (result.kind === "lost") {
      this.#break({ name: "lost" });
      return false;
    }
    if (result.kind === "stored") {
      const { client } = at;
      const { number, fields } = commit;
      const steps = JSON.parse(commit.steps) as unknown[];
      if (result.seq === this.#seq + 1) this.#applyCommit({ seq: result.seq, client, number, steps, fields });
      else if (result.seq > this.#seq) await this.fetchMissed(result.seq);
      if (result.seq > this.#seq && !this.#broken) this.#fail("offline");
      return result.seq <= this.#seq;
    }
    // Not stored: rebased on what came first.
    this.#returnFields();
    await this.receiveCommits(result.commits, result.commits.at(-1)?.seq ?? this.#seq);
    return true;
  }

  #request(commit: PendingCommit): CommitRequest {
    const { id, at } = this.#options;
    return { ...commit, id, epoch: at.epoch, client: at.client, schema: schemaMark };
  }

  #returnFields(): void {
    if (this.#underway) this.#pendingFields = { ...this.#underway.fields, ...this.#pendingFields };
    this.#underway = null;
  }

  #applyCommits(commits: readonly Commit[]): void {
    for (const commit of commits)
      if (!this.#broken && commit.seq === this.#seq + 1) this.#applyCommit(commit);
  }

  /** Applies a commit completely or not at all. */
  #applyCommit(commit: Commit): void {
    const text = this.#text;
    const { at, account, onFields } = this.#options;
    const state = text.state();
    const { seq, author, number, fields, cover } = commit;
    const isOwn = commit.client === at.client && (!author || !account || author === account);
    const client = isOwn || commit.client !== at.client ? commit.client : `${commit.client} of another`;
    const before = this.fields;
    let steps: Step[];
    try {
      steps = commit.steps.map((step) => Step.fromJSON(schema, step));
    } catch {
      // Another release made it.
      return this.#break({ name: "old" });
    }
    let confirmed = this.#confirmed;
    let received: Transaction | undefined;
    try {
      for (const step of steps) confirmed = applyStep(step, confirmed);
      const [toReceive, clients] =
        client === at.client
          ? ownSteps(steps, this.#unconfirmedSteps(), client, [this.#confirmed, confirmed])
          : [steps, steps.map(() => client)];
      if (steps.length > 0)
        received = mapSelection(
          receiveTransaction(state, toReceive, clients, { mapSelectionBackward: true }),
          state,
        );
    } catch {
      return this.#break({ name: "lost" });
    }
    if (isOwn) this.#confirm(commit);
    else this.#rebaseFields(fields);
    this.#fields = applyFieldChange(this.#fields, fields);
    this.#seq = seq;
    if (isOwn) this.#number = Math.max(this.#number, number + 1);
    this.#confirmed = confirmed;
    // Without steps, too: the text counts commits.
    const tr = received ?? state.tr.setMeta("addToHistory", false);
    text.dispatch(setAppliedCommit(tr, { seq, client, maps: steps.map((step) => step.getMap()) }));
    const after = this.fields;
    if (!sameJson(before, after)) onFields(after, cover);
  }

  /** Merges this page's changes of texts with another's. One underway is refused then, and sent again as merged. */
  #rebaseFields(others: Partial<DraftFields>): void {
    const unconfirmed = { ...this.#underway?.fields, ...this.#pendingFields };
    for (const name of mergedFields) {
      const [base, own, other] = [this.#fields[name], unconfirmed[name], others[name]];
      if (own === undefined || other === undefined) continue;
      const text = rebaseText(base, own, other, limits[name].max);
      this.#pendingFields = { ...this.#pendingFields, [name]: text };
    }
  }

  #confirm({ number, steps, fields }: Commit): void {
    const sent = this.#underway;
    const isSent =
      sent?.number === number && sameJson([JSON.parse(sent.steps), sent.fields], [steps, fields]);
    if (!isSent) {
      // It was sent before this page restored its stored changes, which are older.
      if (!sent || sent.number <= number) this.#returnFields();
      const { fields: storedFields, underway } = this.#options.at;
      const older: Partial<DraftFields> = { ...underway?.fields, ...storedFields };
      this.#pendingFields = Object.fromEntries(
        Object.entries(this.#pendingFields).filter(
          ([name, value]) => !(name in fields && sameJson(value, older[name as keyof DraftFields])),
        ),
      );
    } else {
      this.#underway = null;
      this.#isRefused = false;
    }
  }

  #fail(problem: SyncProblem): void {
    // A request was still running when synchronization stopped.
    if (this.#broken) return;
    this.#isAway = isTemporary(problem);
    if (isTemporary(problem)) this.#show({ name: problem });
    else if (problem === "gone" || problem === "ended" || problem === "old") this.#break({ name: problem });
    else if (typeof problem === "object") {
      // The next change may fix it.
      this.#returnFields();
      this.#isRefused = true;
      this.#show({ name: "failed", reason: problem.reason });
    }
  }

  #break(state: SyncState): void {
    if (this.#broken) return;
    this.#broken = state.name;
    this.#show(state);
  }

  #show(state: SyncState): void {
    this.#shown = state.name;
    this.#options.onState(state);
  }
}

/** The code of drafts that is loaded together with the editor. */
export const code = { Sync: DraftSync, headless, replace };
