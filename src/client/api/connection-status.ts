import { ExternalStore, useStore } from "../ui/external-store.ts";

/**
 * `idle`: no connection is needed. `live`: something was received over it. `connecting`: for the first time or again.
 * `offline`: five seconds without a connection, and the site does not answer a request either.
 */
export type ConnectionState = "idle" | "live" | "connecting" | "offline";

const OFFLINE_AFTER = 5_000;
/** The milliseconds that the site has to answer; it is asked so much earlier. */
const ANSWER_WITHIN = 3_000;

/** The state of the live connection, as an external store. */
export class ConnectionStatus {
  /** Whether the site answers requests. */
  readonly siteAnswers: () => Promise<boolean>;
  readonly store = new ExternalStore<ConnectionState>("idle");
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(siteAnswers: () => Promise<boolean>) {
    this.siteAnswers = siteAnswers;
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
function requestHealth(): Promise<boolean> {
  return (request ??= fetch("/healthz", {
    method: "HEAD",
    cache: "no-store",
    signal: AbortSignal.timeout(ANSWER_WITHIN),
  })
    .then(
      ({ status }) => status < 500,
      () => false,
    )
    .finally(() => (request = undefined)));
}

/** This tab's connection. Browser only. */
export const connectionStatus = new ConnectionStatus(requestHealth);

export const useConnectionState = (): ConnectionState => useStore(connectionStatus.store);
