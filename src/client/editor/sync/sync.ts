import { receiveTransaction, sendableSteps } from "prosemirror-collab";
import { Node } from "prosemirror-model";
import type { Transaction } from "prosemirror-state";
import { Step } from "prosemirror-transform";
import { schema } from "../../../shared/document/schema.ts";
import type { NodeJson } from "../../../shared/document/schema.ts";
import { schemaMark } from "../../../shared/document/schema-mark.ts";
import { withChange, writingLimits } from "../../../shared/writing.ts";
import { sameJson } from "../../../shared/same-json.ts";
import type { Picture } from "../../../shared/blogs.ts";
import { setTaken } from "./text.ts";
import type { Text } from "./text.ts";
import type { Commit, CommitsSince, Pushed, WritingFields } from "../../../shared/writing.ts";

/** A commit on its way: sent again, it is the same, so that it is stored once whatever becomes of the answers. */
export interface Underway {
  seq: number;
  number: number;
  /** JSON of an array. */
  steps: string;
  fields: Partial<WritingFields>;
}

/** The same as it is sent. */
export type Pushing = Underway & { id: string; epoch: string; client: string; schema: string };

/** What the server has not confirmed, with what it was made on. */
export interface Unconfirmed {
  epoch: string;
  seq: number;
  client: string;
  number: number;
  steps: unknown[];
  fields: Partial<WritingFields>;
  underway: Underway | null;
}

/**
 * `saved`: the server has all of it. `offline`: nobody answers; `troubled`: the server does, that it can't just now; `busy`: that it
 * has too much to do. `full`: as many write there as may at once. `gone`: there is no such blog any more. `ended`: whoever writes
 * may not. `lost`: what was written here can't be put onto what stands. `old`: the page is. `failed`: it refuses what is written
 * here, for this reason.
 */
export type SyncState =
  | { name: "saved" | "saving" | Passing | "gone" | "ended" | "lost" | "old" }
  | { name: "failed"; reason: string };

/** What passes: it is sent again. */
type Passing = "offline" | "troubled" | "busy" | "signed-out" | "full";

/** Why a call to the server did not do: what passes may have arrived. */
export type Trouble = Passing | "gone" | "ended" | "old" | "number" | { reason: string };

export interface Server {
  push: (commit: Pushing) => Promise<Pushed>;
  since: (asked: { id: string; epoch: string; seq: number }) => Promise<CommitsSince>;
  /** What an error of these means. */
  troubleOf: (error: unknown) => Trouble;
}

interface Options {
  id: string;
  server: Server;
  text: Text;
  /** As the server has confirmed them, at `at.seq`. */
  document: NodeJson;
  fields: WritingFields;
  /** Where it stands, and what was not confirmed when it was left. */
  at: Unconfirmed;
  /** Hears of fields that others changed, and of the cover where they did. */
  onFields: (fields: WritingFields, cover?: Picture | null) => void;
  onState: (state: SyncState) => void;
}

/**
 * Keeps one page's text the same as the server's working copy (docs/decisions/0044): sends what is written here in commits, one at
 * a time, and takes what others write, each commit once and in order. Nothing written here is ever dropped: what could not be
 * sent waits, and is made anew on what came first.
 */
export class WritingSync {
  readonly #options: Options;
  #seq: number;
  #number: number;
  #underway: Underway | null;
  /** Own changes of fields that are not sent, over those that are. */
  #own: Partial<WritingFields>;
  #fields: WritingFields;
  #pushing: Promise<void> | undefined;
  #asking: Promise<boolean> | undefined;
  /** Why nothing goes on any more. */
  #broken: SyncState["name"] | undefined;
  /** No answer has come to what was sent last. */
  #isAway = false;
  #shown: SyncState["name"] = "saved";
  #confirmed: Node;

  constructor(options: Options) {
    this.#options = options;
    const { seq, number, underway, fields } = options.at;
    this.#seq = seq;
    this.#number = number;
    this.#underway = underway;
    this.#own = fields;
    this.#fields = options.fields;
    this.#confirmed = Node.fromJSON(schema, options.document);
  }

  get seq(): number {
    return this.#seq;
  }

  /** The fields as this page shows them: the server's with what was changed here. */
  get fields(): WritingFields {
    return { ...this.#fields, ...this.#underway?.fields, ...this.#own };
  }

  get isSaved(): boolean {
    return (
      !this.#underway && Object.keys(this.#own).length === 0 && !sendableSteps(this.#options.text.state())
    );
  }

  /** Whether what was sent last has no answer that counts: it is to be sent again. */
  get isAway(): boolean {
    return this.#isAway;
  }

  /** What would be lost with this page. */
  unconfirmed(): Unconfirmed {
    const steps = sendableSteps(this.#options.text.state())?.steps ?? [];
    return {
      epoch: this.#options.at.epoch,
      seq: this.#seq,
      client: this.#options.at.client,
      number: this.#number,
      steps: steps.map((step) => step.toJSON() as unknown),
      fields: this.#own,
      underway: this.#underway,
    };
  }

  /** What the server has confirmed. */
  confirmed(): { document: NodeJson; fields: WritingFields } {
    return { document: this.#confirmed.toJSON() as NodeJson, fields: this.#fields };
  }

  /** Fields were changed here. */
  change(fields: Partial<WritingFields>): void {
    this.#own = { ...this.#own, ...fields };
  }

  /** Takes commits that the server told of. Where some before them are missing, it asks for these. */
  async hear(commits: readonly Commit[] | null, newest: number): Promise<void> {
    this.#takeAll(commits ?? []);
    if (newest > this.#seq) await this.ask(newest);
    // An answer was lost, and what it would have said was told.
    if (this.#shown !== "saved" && !this.#pushing && !this.#broken && this.isSaved)
      this.#show({ name: "saved" });
  }

  /** Asks for what was missed, up to a commit that it has heard of. */
  async ask(newest = 0): Promise<void> {
    // What is asked already may have been asked before that came for which this asks.
    const isLate = this.#asking !== undefined;
    for (let time = 0; time < 2 && (time === 0 || isLate || newest > this.#seq); time++) {
      this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
      if (!(await this.#asking)) return;
    }
  }

  /** Sends what there is, until all of it is confirmed or something stands in the way. */
  push(): Promise<void> {
    return (this.#pushing ??= this.#push().finally(() => (this.#pushing = undefined)));
  }

  /** It may be let write again: tries that. */
  resume(): void {
    if (this.#broken === "ended" || this.#broken === "gone") this.#broken = undefined;
  }

  async #push(): Promise<void> {
    if (this.#broken) return;
    for (let next = this.#next(); next && !this.#broken; next = this.#next()) {
      // Where nobody answers it is as it was until somebody does.
      if (!this.#isAway) this.#show({ name: "saving" });
      if (!(await this.#send(next))) return;
    }
    if (!this.#broken) this.#show({ name: "saved" });
  }

  /** False where no answer came. */
  async #ask(): Promise<boolean> {
    if (this.#broken) return false;
    const { id, server, at } = this.#options;
    try {
      const { commits } = await server.since({ id, epoch: at.epoch, seq: this.#seq });
      if (commits) this.#takeAll(commits);
      else this.#break({ name: "lost" });
      return true;
    } catch (error) {
      this.#fail(server.troubleOf(error));
      return false;
    }
  }

  #next(): Underway | null {
    if (this.#underway) return this.#underway;
    const steps = sendableSteps(this.#options.text.state())?.steps ?? [];
    if (steps.length === 0 && Object.keys(this.#own).length === 0) return null;
    const fields = this.#own;
    this.#own = {};
    return (this.#underway = {
      seq: this.#seq,
      number: this.#number,
      steps: JSON.stringify(fewOf(steps)),
      fields,
    });
  }

  /** True where it may go on at once. */
  async #send(commit: Underway): Promise<boolean> {
    const { id, server, at } = this.#options;
    let pushed: Pushed;
    try {
      pushed = await server.push({ ...commit, id, epoch: at.epoch, client: at.client, schema: schemaMark });
    } catch (error) {
      const trouble = server.troubleOf(error);
      // It was stored in other words: what came of it is asked for, and the rest goes under a number of its own.
      if (trouble === "number") {
        const before = this.#seq;
        this.#release();
        this.#number++;
        await this.ask(before + 1);
        if (this.#seq === before && !this.#broken) this.#fail("offline");
        return this.#seq > before;
      }
      this.#fail(trouble);
      return false;
    }
    this.#isAway = false;
    if (pushed.kind === "lost") {
      this.#break({ name: "lost" });
      return false;
    }
    if (pushed.kind === "stored") {
      const { client } = at;
      const { number, fields } = commit;
      const steps = JSON.parse(commit.steps) as unknown[];
      if (pushed.seq === this.#seq + 1) this.#take({ seq: pushed.seq, client, number, steps, fields });
      else if (pushed.seq > this.#seq) await this.ask(pushed.seq);
      if (pushed.seq > this.#seq && !this.#broken) this.#fail("offline");
      return pushed.seq <= this.#seq;
    }
    // It is not stored, and is made anew on what came first.
    this.#release();
    await this.hear(pushed.commits, pushed.commits.at(-1)?.seq ?? this.#seq);
    return true;
  }

  #release(): void {
    if (this.#underway) this.#own = { ...this.#underway.fields, ...this.#own };
    this.#underway = null;
  }

  #takeAll(commits: readonly Commit[]): void {
    for (const commit of commits) if (!this.#broken && commit.seq === this.#seq + 1) this.#take(commit);
  }

  /** Takes one, as a whole or not at all. */
  #take(commit: Commit): void {
    const { text, at, onFields } = this.#options;
    const { seq, client, number, fields, cover } = commit;
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
      for (const step of steps) confirmed = applied(step, confirmed);
      if (steps.length > 0)
        received = receiveTransaction(text.state(), steps, this.#writersOf(client, steps), {
          mapSelectionBackward: true,
        });
    } catch {
      return this.#break({ name: "lost" });
    }
    if (client === at.client) this.#confirm(commit);
    this.#fields = withChange(this.#fields, fields);
    this.#seq = seq;
    this.#number = client === at.client ? Math.max(this.#number, number + 1) : this.#number;
    this.#confirmed = confirmed;
    // One of fields alone changes nothing of the text, which counts commits all the same.
    const tr = received ?? text.state().tr.setMeta("addToHistory", false);
    text.dispatch(setTaken(tr, { seq, client, maps: steps.map((step) => step.getMap()) }));
    const after = this.fields;
    if (!sameJson(before, after)) onFields(after, cover);
  }

  /** The server has a commit of this page. */
  #confirm({ number, steps, fields }: Commit): void {
    const sent = this.#underway;
    const isSent =
      sent?.number === number && sameJson([JSON.parse(sent.steps), sent.fields], [steps, fields]);
    if (!isSent) {
      // It was sent before what this device has kept was taken up: what was kept is older than that.
      if (!sent || sent.number <= number) this.#release();
      const { fields: kept, underway } = this.#options.at;
      const older: Partial<WritingFields> = { ...underway?.fields, ...kept };
      this.#own = Object.fromEntries(
        Object.entries(this.#own).filter(
          ([name, value]) => !(name in fields && sameJson(value, older[name as keyof WritingFields])),
        ),
      );
    } else this.#underway = null;
  }

  /** Whose steps these are: this page's are those that it has itself, whatever name they came under. */
  #writersOf(client: string, steps: readonly Step[]): string[] {
    if (client !== this.#options.at.client) return steps.map(() => client);
    const own = sendableSteps(this.#options.text.state())?.steps ?? [];
    const other = steps.findIndex((step, at) => !own[at] || !sameJson(step, own[at]));
    return steps.map((_step, at) => (other < 0 || at < other ? client : `${client} before`));
  }

  #fail(trouble: Trouble): void {
    // What was under way when it ended has nothing to say any more.
    if (this.#broken) return;
    this.#isAway = isPassing(trouble);
    if (isPassing(trouble)) this.#show({ name: trouble });
    else if (trouble === "gone" || trouble === "ended" || trouble === "old") this.#break({ name: trouble });
    else if (typeof trouble === "object") {
      // What is written next may mend it.
      this.#release();
      this.#show({ name: "failed", reason: trouble.reason });
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

/** Whether it will pass: it is sent again then. */
const isPassing = (state: unknown): state is Passing =>
  ["offline", "troubled", "busy", "signed-out", "full"].includes(state as string);

function applied(step: Step, document: Node): Node {
  const { doc, failed } = step.apply(document);
  if (!doc) throw new RangeError(failed ?? "");
  return doc;
}

/** As many steps as one commit may have. */
function fewOf(steps: readonly Step[]): unknown[] {
  const few: unknown[] = [];
  let length = 2;
  for (const step of steps.slice(0, writingLimits.steps)) {
    const json = step.toJSON() as unknown;
    length += JSON.stringify(json).length + 1;
    if (few.length > 0 && length > writingLimits.stepsLength) break;
    few.push(json);
  }
  return few;
}
