import { Node } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { Step } from "prosemirror-transform";
import { createState } from "../../src/client/editor/create-state.ts";
import type { SyncState, Unconfirmed } from "../../src/client/writing/commits.ts";
import { DraftSync } from "../../src/client/writing/draft-sync.ts";
import { collabPlugin } from "../../src/client/writing/text.ts";
import { newId } from "../../src/server/runtime/ids.ts";
import type { DraftFields } from "../../src/shared/drafts.ts";
import { schema } from "../../src/shared/document/schema.ts";
import type { NodeJson } from "../../src/shared/document/schema.ts";
import type { Client } from "./browser.ts";

/** The fate of a call: it arrives; its response is lost; it arrives twice; it never arrives. */
export type CallFate = "well" | "unanswered" | "twice" | "never";

/** What a device stores of a page. */
export type StoredPage = { document: unknown; fields: DraftFields; at: Unconfirmed };

class Lost extends Error {}

/** An open page that writes in a draft without a screen: the editor's state and sync over a real server. */
export class CoWriter {
  state: EditorState;
  readonly sync: DraftSync;
  readonly syncStates: SyncState[] = [];
  /** Resolves after a composition with an input method. */
  composing: (() => Promise<void>) | undefined;

  private constructor(
    api: () => Client,
    id: string,
    writing: { seq: number; document?: unknown; fields: DraftFields },
    unconfirmed: Unconfirmed,
    fate: () => CallFate,
    account?: string,
  ) {
    this.state = createState(Node.fromJSON(schema, writing.document), {
      plugins: [collabPlugin(unconfirmed.client)],
    });
    const tr = this.state.tr;
    for (const step of unconfirmed.steps) tr.step(Step.fromJSON(schema, step));
    if (tr.docChanged) this.state = this.state.apply(tr);
    const callWithFate = async <T>(call: () => Promise<T>): Promise<T> => {
      const currentFate = fate();
      if (currentFate === "never") throw new Lost();
      const answer = await call();
      if (currentFate === "twice") await call().catch(() => undefined);
      if (currentFate === "unanswered") throw new Lost();
      return answer;
    };
    this.sync = new DraftSync({
      id,
      ...(account === undefined ? {} : { account }),
      document: writing.document as NodeJson,
      fields: writing.fields,
      at: unconfirmed,
      text: {
        state: () => this.state,
        dispatch: (transaction) => this.dispatch(transaction),
        composing: () => this.composing?.(),
      },
      server: {
        push: (commit) => callWithFate(() => api().blogs.pushCommit.mutate(commit)),
        since: (input) => callWithFate(() => api().blogs.commitsSince.query(input)),
        classifyError: (error) => {
          if (error instanceof Lost) return "offline";
          const { field, code } = (error as { data?: { field?: string; code?: string } }).data ?? {};
          if (!code) return "offline";
          return field === "number" ? "number" : { reason: String(error) };
        },
      },
      onFields: () => undefined,
      onState: (state) => void this.syncStates.push(state),
    });
  }

  static async open(
    api: () => Client,
    id: string,
    fate: () => CallFate = () => "well",
    account?: string,
  ): Promise<CoWriter> {
    const writing = await api().blogs.openDraft.mutate({ id });
    const { epoch, seq } = writing;
    const unconfirmed = { epoch, seq, client: newId(), number: 1, steps: [], fields: {}, underway: null };
    return new CoWriter(api, id, writing, unconfirmed, fate, account);
  }

  /** Returns what the page's device stores. */
  store(): StoredPage {
    return { ...this.sync.confirmed(), at: this.sync.unconfirmed() };
  }

  /** Loads the page again from what its device stored, now or a while before. */
  static restore(
    api: () => Client,
    id: string,
    { at: unconfirmed, ...writing }: StoredPage,
    fate: () => CallFate,
  ): CoWriter {
    return new CoWriter(api, id, { seq: unconfirmed.seq, ...writing }, structuredClone(unconfirmed), fate);
  }

  edit(change: (tr: EditorState["tr"]) => void): void {
    const tr = this.state.tr;
    change(tr);
    this.dispatch(tr);
  }

  dispatch(transaction: Transaction): void {
    this.state = this.state.apply(transaction);
  }

  type(text: string, at = 1): void {
    this.edit((tr) => tr.insertText(text, at));
  }

  get text(): string {
    return this.state.doc.textBetween(0, this.state.doc.content.size, "\n");
  }
}
