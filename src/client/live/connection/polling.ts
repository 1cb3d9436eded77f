import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../../server/router.ts";
import type { LiveEvent, LiveMessage } from "../../../shared/live.ts";
import { errorCode, retryAfter } from "../../api/errors.ts";
import type { LiveSubscription, Transport } from "./transport.ts";

const INTERVAL = 2_000;
const INTERVAL_HIDDEN = 30_000;

/** Creates the transport that polls `live.since`, for networks that hold back a response until it is complete. */
export const createPollingTransport =
  (client: TRPCClient<AppRouter>): Transport =>
  (listener) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: object | undefined;
    let access = new AccessMessages();
    const poll = async (subscription: LiveSubscription): Promise<void> => {
      const mine = (current = {});
      let { since } = subscription;
      try {
        const { messages } = await client.live.since.query(subscription);
        for (const { cursor, ...message } of access.onlyChanges(messages)) {
          if (current !== mine) return;
          since = cursor;
          listener.onMessage(cursor, message);
        }
      } catch (error) {
        if (current !== mine) return;
        const code = errorCode(error);
        return code === undefined ? listener.onLost(false) : listener.onRefused(code, retryAfter(error));
      }
      if (current !== mine) return;
      timer = setTimeout(
        () => void poll({ ...subscription, since }),
        document.hidden ? INTERVAL_HIDDEN : INTERVAL,
      );
    };
    const close = (): void => {
      clearTimeout(timer);
      current = undefined;
    };
    return {
      follow(subscription) {
        close();
        access = new AccessMessages();
        if (subscription) void poll(subscription);
      },
      close,
    };
  };

type Message = LiveMessage & { cursor: string };

/** Each answer of `live.since` names all topics without access; a stream names each once, and says when access is back. */
export class AccessMessages {
  #before = new Map<LiveMessage["topic"], LiveEvent["kind"]>();

  /** Returns the messages without access events that were in the answer before, and adds those of restored access. */
  onlyChanges(messages: Message[]): Message[] {
    const now = new Map<LiveMessage["topic"], LiveEvent["kind"]>();
    for (const { topic, event } of messages)
      if (event.kind === "accessLost" || event.kind === "accessRestored") now.set(topic, event.kind);
    const before = this.#before;
    this.#before = now;
    const restored = [...before].flatMap(([topic, kind]): Message[] =>
      kind === "accessLost" && !now.has(topic)
        ? [{ cursor: messages[0]!.cursor, topic, event: { kind: "accessRestored" } }]
        : [],
    );
    return [...restored, ...messages.filter(({ topic, event }) => event.kind !== before.get(topic))];
  }
}
