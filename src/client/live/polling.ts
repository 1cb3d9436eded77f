import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import type { LiveEvent, LiveMessage } from "../../shared/live.ts";
import { errorCode, retryAfter } from "../api/errors.ts";
import type { Asked, Transport } from "./transport.ts";

const EACH = 2_000;
const EACH_HIDDEN = 30_000;

/** The stream in pieces that are asked for, where answers that go on are held back on the way. */
export const byAsking =
  (client: TRPCClient<AppRouter>): Transport =>
  (listener) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: object | undefined;
    let standing = new Standing();
    const ask = async (asked: Asked): Promise<void> => {
      const mine = (current = {});
      let since = asked.since;
      try {
        const { messages } = await client.live.since.query(asked);
        for (const { cursor, ...one } of standing.follow(messages)) {
          if (current !== mine) return;
          since = cursor;
          listener.onTold(cursor, one);
        }
      } catch (error) {
        if (current !== mine) return;
        const code = errorCode(error);
        return code === undefined ? listener.onLost(false) : listener.onRefused(code, retryAfter(error));
      }
      if (current !== mine) return;
      timer = setTimeout(() => void ask({ ...asked, since }), document.hidden ? EACH_HIDDEN : EACH);
    };
    const close = (): void => {
      clearTimeout(timer);
      current = undefined;
    };
    return {
      follow(asked) {
        close();
        standing = new Standing();
        if (asked) void ask(asked);
      },
      close,
    };
  };

type Piece = LiveMessage & { cursor: string };

/** Each piece says anew what may not be read, and which address may: a stream says it once, and when it is over. */
export class Standing {
  #before = new Map<LiveMessage["topic"], LiveEvent["kind"]>();

  follow(told: Piece[]): Piece[] {
    const now = new Map<LiveMessage["topic"], LiveEvent["kind"]>();
    for (const { topic, event } of told)
      if (event.kind === "accessLost" || event.kind === "accessRestored") now.set(topic, event.kind);
    const known = this.#before;
    this.#before = now;
    const over = [...known].flatMap(([topic, kind]): Piece[] =>
      kind === "accessLost" && !now.has(topic)
        ? [{ cursor: told[0]!.cursor, topic, event: { kind: "accessRestored" } }]
        : [],
    );
    return [...over, ...told.filter(({ topic, event }) => event.kind !== known.get(topic))];
  }
}
