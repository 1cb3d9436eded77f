import type { LiveEvent, LiveMessage } from "../../../shared/live.ts";
import { retryDelay } from "../../api/retry.ts";
import type { ConnectionStatus } from "../../api/connection-status.ts";
import type { LiveStream, LiveSubscription, Transport } from "./transport.ts";

export interface LiveConnectionHandlers {
  /** A stream begins: the messages that follow are its own. */
  onStart(): void;
  onMessage(message: { cursor: string; topic: LiveMessage["topic"]; event: LiveEvent }): void;
  /** The session has ended, or the connection was opened before it began. */
  onUnauthorized(): void;
}

type Timer = ReturnType<typeof setTimeout> | undefined;

/** After these refusals the same subscription is not tried again. */
const finalCodes = new Set(["BAD_REQUEST", "FORBIDDEN", "NOT_FOUND", "METHOD_NOT_SUPPORTED"]);

/** The milliseconds in which a stream must say something; with the check of the site, the next transport is tried within five seconds. */
const FIRST_MESSAGE_WITHIN = 4_500;
/** The milliseconds for which a stream without a subscription stays open, for the next page. */
const IDLE_FOR = 10_000;
/** After so many milliseconds without a message a ping is sent, */
const PING_AFTER = 10_000;
/** which must be answered in so many milliseconds, */
const PONG_WITHIN = 3_000;
/** or so many when the person has just come back to the tab. */
const PONG_WITHIN_ON_RETURN = 1_000;
/** The milliseconds between two attempts with the best transport after it has failed. */
const RETRY_BEST_AFTER = 300_000;
/**
 * The one live connection of a tab (docs/decisions/0008-live-transports-and-presence.md): follows the current subscription, and
 * after each loss connects again. It counts as live once something was received. Where a transport receives nothing although
 * the site answers, the next one is used; the best is tried again when a person comes back to the tab some minutes later.
 */
export class LiveConnection {
  readonly #transports: Transport[];
  readonly #status: ConnectionStatus;
  /** The index of the transport in use. */
  #current = 0;
  /** When a transport failed, or the best was tried, last, by the clock of `performance`. */
  #triedBestAt = 0;
  #subscription: () => LiveSubscription | null = () => null;
  #handlers: LiveConnectionHandlers | undefined;
  #stream: LiveStream | undefined;
  /** Whether anything was received over the stream. */
  #hasReceived = false;
  #failures = 0;
  #isRestarting = false;
  #isChecking = false;
  #firstMessageTimer: Timer;
  /** Until the next attempt, or until an idle stream is closed. */
  #pauseTimer: Timer;
  #pingTimer: Timer;

  /** `transports` from the best to the worst. */
  constructor(transports: Transport[], status: ConnectionStatus) {
    this.#transports = transports;
    this.#status = status;
  }

  /** Follows what `subscription` returns, which is called at each (re)start; null for nothing. */
  follow(subscription: () => LiveSubscription | null, handlers: LiveConnectionHandlers): void {
    this.#subscription = subscription;
    this.#handlers = handlers;
    this.restart();
  }

  /** Subscribes again after the subscription has changed, once for all changes of this turn. */
  restart(): void {
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    queueMicrotask(() => {
      this.#isRestarting = false;
      // A retry that waits for its time reads the subscription then.
      if (this.#stream || this.#failures === 0) this.#start();
    });
  }

  stop(): void {
    this.#subscription = () => null;
    this.#handlers = undefined;
    this.#close();
    this.#status.set("idle");
  }

  /** Opens another connection, which has the current session cookie. */
  reconnect(): void {
    if (!this.#stream) return;
    this.#close();
    this.#failures = 0;
    this.#start();
  }

  /** Retries at once, since something says that it will succeed. */
  retryNow(): void {
    if (this.#stream || this.#failures === 0) return;
    this.#failures = 0;
    this.#start();
  }

  /**
   * Checks the connection, since a person has come back to the tab: one that does not answer within a second, or cannot be asked, is
   * replaced.
   */
  check(): void {
    if (!this.#stream) return this.retryNow();
    // The timer of the first message watches a stream that has only begun.
    if (!this.#hasReceived) return;
    if (!this.#stream.ping) {
      const now = performance.now();
      if (now - this.#triedBestAt > RETRY_BEST_AFTER) {
        this.#triedBestAt = now;
        this.#current = 0;
      }
      return this.reconnect();
    }
    if (this.#isChecking) return;
    this.#expectWithin(PONG_WITHIN_ON_RETURN, () => {
      this.#status.closeDead();
      this.reconnect();
    });
    this.#isChecking = true;
    this.#stream.ping();
  }

  /** The browser has another network, where the best transport may work: the next check tries it. */
  onNewNetwork(): void {
    this.#triedBestAt = -Infinity;
  }

  #start(): void {
    clearTimeout(this.#pauseTimer);
    clearTimeout(this.#firstMessageTimer);
    const subscription = this.#subscription();
    if (!subscription) {
      this.#stream?.follow(null);
      this.#pauseTimer = setTimeout(() => this.#close(), IDLE_FOR);
      this.#status.set("idle");
      return;
    }
    if (this.#status.state !== "live") this.#status.set("connecting");
    this.#stream ??= this.#open(this.#current);
    this.#handlers?.onStart();
    this.#stream.follow(subscription);
    this.#firstMessageTimer = setTimeout(() => this.#onConnectionLost(true), FIRST_MESSAGE_WITHIN);
  }

  #open(index: number): LiveStream {
    const stream: LiveStream = this.#transports[index]!({
      onMessage: (cursor, message) => {
        this.#onReceived();
        this.#failures = 0;
        this.#status.set("live");
        this.#handlers?.onMessage({ cursor, ...message });
      },
      onAlive: () => stream === this.#stream && this.#onReceived(),
      onRefused: (code, retryAfter) => {
        if (stream !== this.#stream) return;
        this.#onReceived();
        if (!finalCodes.has(code ?? "")) this.#retryLater(retryAfter);
        if (code === "UNAUTHORIZED") this.#handlers?.onUnauthorized();
      },
      onLost: (sessionEnded) => {
        if (stream !== this.#stream) return;
        this.#onConnectionLost();
        if (sessionEnded) this.#handlers?.onUnauthorized();
      },
    });
    return stream;
  }

  #onReceived(): void {
    this.#hasReceived = true;
    this.#isChecking = false;
    clearTimeout(this.#firstMessageTimer);
    clearTimeout(this.#pingTimer);
    if (!this.#stream?.ping) return;
    this.#pingTimer = setTimeout(() => {
      this.#expectWithin(PONG_WITHIN, () => this.#onConnectionLost(true));
      this.#stream?.ping?.();
    }, PING_AFTER);
  }

  /** Calls `onTimeout` unless something is received within `ms`. */
  #expectWithin(ms: number, onTimeout: () => void): void {
    clearTimeout(this.#pingTimer);
    this.#pingTimer = setTimeout(onTimeout, ms);
  }

  /** `isSilent`: the connection is not reported lost, but nothing was received. */
  #onConnectionLost(isSilent = false): void {
    // A stream that cannot ping does not say whether it was closed.
    if (isSilent || !this.#stream?.ping) this.#status.closeDead();
    const isBlocked = !this.#hasReceived && (isSilent || this.#failures > 0);
    this.#close();
    if (!this.#subscription()) return this.#status.set("idle");
    this.#status.set("connecting");
    if (isBlocked) void this.#nextTransport();
    else this.#retryLater();
  }

  /** Uses the next transport if the site answers; otherwise the transport is not to blame. */
  async #nextTransport(): Promise<void> {
    const answers = await this.#status.siteAnswers();
    if (this.#stream || !this.#subscription()) return;
    if (answers) this.#current = (this.#current + 1) % this.#transports.length;
    this.#triedBestAt = performance.now();
    if (answers && this.#current > 0) this.#start();
    else this.#retryLater();
  }

  #retryLater(seconds = 0): void {
    clearTimeout(this.#pauseTimer);
    const delay = Math.max(seconds * 1_000, retryDelay(this.#failures++));
    this.#pauseTimer = setTimeout(() => this.#start(), delay);
  }

  #close(): void {
    for (const timer of [this.#firstMessageTimer, this.#pauseTimer, this.#pingTimer]) clearTimeout(timer);
    this.#stream?.close();
    this.#stream = undefined;
    this.#hasReceived = this.#isChecking = false;
  }
}
