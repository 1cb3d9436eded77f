import type { NodeJson } from "../../shared/document/schema.ts";
import type { SyncState } from "./commits.ts";
import { toDraftFields } from "./draft-fields.ts";
import type { BlogFields } from "./draft-fields.ts";
import { createDraftServer } from "./draft-server.ts";
import type { DraftServer } from "./draft-server.ts";
import type { DraftSync } from "./draft-sync.ts";
import type { Draft, DraftApi, EditorCode } from "./draft.ts";

/** A draft without a form, to send it. */
export class HeadlessDraft {
  readonly #draft: Draft;
  readonly #code: EditorCode;
  readonly #server: DraftServer;
  readonly #sync: DraftSync;
  state: SyncState = { name: "saved" };
  #cover: BlogFields["cover"];

  /** Throws if the unconfirmed steps do not fit, as from another release. */
  constructor(account: string, draft: Draft, api: DraftApi, code: EditorCode) {
    const { blogId: id, document, fields, at } = draft;
    this.#draft = draft;
    this.#cover = draft.cover;
    this.#code = code;
    this.#server = createDraftServer(api, draft);
    this.#sync = new code.Sync({
      id,
      account,
      document,
      fields,
      at,
      text: code.headless(document, at),
      server: this.#server,
      onFields: () => undefined,
      onState: (state) => (this.state = state),
    });
  }

  /** Whether the server has the whole draft. */
  get isSaved(): boolean {
    return this.#sync.isSaved;
  }

  get document(): NodeJson {
    return this.#sync.text.state().doc.toJSON() as NodeJson;
  }

  /** Replaces the draft's content. */
  set(content: BlogFields): void {
    this.#code.replace(this.#sync.text, content.document);
    this.#sync.changeFields({
      ...toDraftFields(content, this.#sync.fields.coverId),
      intent: { draft: content.draft, later: content.later },
    });
    this.#cover = content.cover;
  }

  /** Creates the draft's blog, however often this is called. Returns the slug. */
  begin = (): Promise<string> => this.#server.begin();

  /** Sends pending changes. Does not throw: `isSaved` and `state` say how it ended. */
  push = (): Promise<void> => this.#sync.push();

  /** Returns the draft with its pending changes. */
  current(): Draft {
    return { ...this.#draft, ...this.#sync.confirmed(), at: this.#sync.unconfirmed(), cover: this.#cover };
  }
}
