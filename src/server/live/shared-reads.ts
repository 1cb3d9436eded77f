import type { Services } from "../context.ts";
import { withRights } from "./signals.ts";

/** Returns what `read` returned, shared by all calls with this key; read again after a signal of one of the topics, or a minute. */
export const sharedRead = async <Value extends object>(
  { sharedReads }: Pick<Services, "sharedReads">,
  key: string,
  topics: string[],
  read: () => Promise<Value>,
): Promise<Value> => (await sharedReads.of(key, withRights(topics), read)) as Value;
