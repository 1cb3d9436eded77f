import { ExternalStore, useStore } from "../ui/external-store.ts";

/**
 * How the live connection stands: `idle` nothing needs one, `live` something was heard over it, `connecting` for the first
 * time or again, `offline` after five seconds without one where the site does not answer otherwise either.
 */
export type ConnectionState = "idle" | "live" | "connecting" | "offline";

const OFFLINE_AFTER = 5_000;
/** So long the site has for an answer: the question is asked so much earlier. */
const ANSWER_WITHIN = 3_000;

/** Keeps the state of one connection and tells of its changes. */
export class Connection {
  /** Whether the site answers at all. */
  readonly answers: () => Promise<boolean>;
  readonly store = new ExternalStore<ConnectionState>("idle");
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(answers: () => Promise<boolean>) {
    this.answers = answers;
  }

  get state(): ConnectionState {
    return this.store.get();
  }

  readonly subscribe = this.store.subscribe;

  become(state: "idle" | "live" | "connecting"): void {
    if (state === this.state || (state === "connecting" && this.state === "offline")) return;
    clearTimeout(this.#patience);
    this.store.set(state);
    if (state === "connecting") this.#wait();
  }

  #wait(): void {
    this.#patience = setTimeout(() => {
      const answer = this.answers();
      this.#patience = setTimeout(() => void this.#judge(answer), ANSWER_WITHIN);
    }, OFFLINE_AFTER - ANSWER_WITHIN);
  }

  async #judge(answer: Promise<boolean>): Promise<void> {
    const waited = this.#patience;
    const answers = await answer;
    if (waited !== this.#patience || this.state !== "connecting") return;
    if (answers) this.#wait();
    else this.store.set("offline");
  }
}

let asked: Promise<boolean> | undefined;

/** A proxy that says that the site is gone is no answer of the site. Asked once by all who want to know at a time. */
function siteAnswers(): Promise<boolean> {
  return (asked ??= fetch("/healthz", {
    method: "HEAD",
    cache: "no-store",
    signal: AbortSignal.timeout(ANSWER_WITHIN),
  })
    .then(
      ({ status }) => status < 500,
      () => false,
    )
    .finally(() => (asked = undefined)));
}

/** This tab's connection. Never touched on the server. */
export const connection = new Connection(siteAnswers);

export const useConnection = (): ConnectionState => useStore(connection.store);
