import type { Parts } from "../context.ts";
import { cursorNow } from "./outbox.ts";

/** What `choose` finds, for all who ask by this key: found anew when one of the topics rings, after a minute in any case. */
export async function chosen<Made>(
  { chosen: cache, database: { read } }: Pick<Parts, "chosen" | "database">,
  key: string,
  topics: string[],
  choose: () => Promise<Made>,
): Promise<Made> {
  const kept = cache.get(key);
  if (kept) return JSON.parse(String(await kept.bytes("identity"))) as Made;
  const { made } = await cache.make(
    key,
    () => cursorNow(read),
    choose,
    (found) => ({ bytes: Buffer.from(JSON.stringify(found)), topics }),
  );
  return made;
}
