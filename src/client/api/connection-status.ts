import { ExternalStore, useStore } from "../ui/external-store.ts";

/**
 * `idle`: no connection is needed. `live`: something was received over it. `connecting`: for the first time or again.
 * `offline`: five seconds without a connection, and the site does not answer a request either.
 */
export type ConnectionState = "idle" | "live" | "connecting" | "offline";

const OFFLINE_AFTER = 5_000;
/** The milliseconds that the site has to answer; it is asked so much earlier. */
const ANSWER_WITHIN = 3_000;
/** The connections that a browser keeps to a site. */
const MOST_CONNECTIONS = 6;

/** The state of the live connection, as an external store. */
export class ConnectionStatus {
  /** Whether the site answers one of so many requests. */
  readonly siteAnswers: (requests?: number) => Promise<boolean>;
  readonly store = new ExternalStore<ConnectionState>("idle");
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(siteAnswers: (requests?: number) => Promise<boolean>) {
    this.siteAnswers = siteAnswers;
  }

  /**
   * The live connection died without being closed, and so may have the browser's others: until it has used them up, each
   * request over one would wait for its timeout, and code for ever. A request over each closes those that are dead.
   */
  closeDead(): void {
    void this.siteAnswers(MOST_CONNECTIONS);
  }

  get state(): ConnectionState {
    return this.store.get();
  }

  readonly subscribe = this.store.subscribe;

  set(state: "idle" | "live" | "connecting"): void {
    if (state === this.state || (state === "connecting" && this.state === "offline")) return;
    clearTimeout(this.#timer);
    this.store.set(state);
    if (state === "connecting") this.#waitForAnswer();
  }

  #waitForAnswer(): void {
    this.#timer = setTimeout(() => {
      const answer = this.siteAnswers();
      this.#timer = setTimeout(() => void this.#applyAnswer(answer), ANSWER_WITHIN);
    }, OFFLINE_AFTER - ANSWER_WITHIN);
  }

  async #applyAnswer(answer: Promise<boolean>): Promise<void> {
    const timer = this.#timer;
    const answers = await answer;
    if (timer !== this.#timer || this.state !== "connecting") return;
    if (answers) this.#waitForAnswer();
    else this.store.set("offline");
  }
}

let request: Promise<boolean> | undefined;

/** Asks the site itself, once for all callers at a time. A proxy's 502 or 504 is no answer of the site. */
const siteAnswers = (requests = 1): Promise<boolean> =>
  (request ??= Promise.any(
    Array.from({ length: requests }, async () => {
      const signal = AbortSignal.timeout(ANSWER_WITHIN);
      const { status } = await fetch("/healthz", { method: "HEAD", cache: "no-store", signal });
      return status < 500 || Promise.reject();
    }),
  )
    .catch(() => false)
    .finally(() => (request = undefined)));

/** This tab's connection. Browser only. */
export const connectionStatus = new ConnectionStatus(siteAnswers);

export const useConnectionState = (): ConnectionState => useStore(connectionStatus.store);
