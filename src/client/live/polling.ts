import type { TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../server/router.ts";
import type { LiveEvent, Told } from "../../shared/live.ts";
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
        const { told } = await client.live.since.query(asked);
        for (const { cursor, ...one } of standing.follow(told)) {
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

type Piece = Told & { cursor: string };

/** Each piece says anew what may not be read, and which address may: a stream says it once, and when it is over. */
export class Standing {
  #before = new Map<Told["topic"], LiveEvent["kind"]>();

  follow(told: Piece[]): Piece[] {
    const now = new Map<Told["topic"], LiveEvent["kind"]>();
    for (const { topic, event } of told)
      if (event.kind === "gone" || event.kind === "back") now.set(topic, event.kind);
    const known = this.#before;
    this.#before = now;
    const over = [...known].flatMap(([topic, kind]): Piece[] =>
      kind === "gone" && !now.has(topic) ? [{ cursor: told[0]!.cursor, topic, event: { kind: "back" } }] : [],
    );
    return [...over, ...told.filter(({ topic, event }) => event.kind !== known.get(topic))];
  }
}
