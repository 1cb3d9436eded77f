import type { Parts } from "../context.ts";
import { withRights } from "./facts.ts";

/** What `choose` finds, for all who ask by this key: found anew when one of the topics rings, after a minute in any case. */
export const chosen = async <Made extends object>(
  { chosen: cache }: Pick<Parts, "chosen">,
  key: string,
  topics: string[],
  choose: () => Promise<Made>,
): Promise<Made> => (await cache.of(key, withRights(topics), choose)) as Made;
