import { and, gte, lt } from "drizzle-orm";
import { defaultGroups, defaultTopics } from "../../shared/default-topics.ts";
import { parseGroups, parseTopics, type InterestGroup } from "../../shared/interests.ts";
import type { BoundName } from "../../shared/site.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { preparedQuery, type Connection } from "../database/connection.ts";
import { deleteSiteValue, setSiteValue, siteValue } from "../database/meta.ts";
import { meta } from "../database/schema/meta.ts";

/** Administrators' settings; unset ones are missing. */
export interface StoredSettings extends Partial<Record<BoundName, string>> {
  name?: string;
  description?: string;
  /** The picture's id. */
  picture?: string;
  accent?: string;
  language?: string;
  /** Where to report vulnerabilities. */
  securityContact?: string;
  /** Texts that `shared/interests.ts` reads. */
  recommendedTopics?: string;
  interestGroups?: string;
  /** `approved` if writers need approval. */
  writers?: string;
  /** `held` if the first comment with a link needs approval. */
  firstLinks?: string;
  signUpWork?: string;
  /** `hidden` if administrators do not see the setup steps. */
  setup?: string;
  /** Since when a text is unchanged, in milliseconds; `sheet` is a hash. */
  terms?: string;
  privacy?: string;
  landing?: string;
  sheet?: string;
}

/** `media/queries.ts` also uses it. */
const prefix = "site.";

const all = preparedQuery((db) =>
  db
    .select({ key: meta.key, value: meta.value })
    .from(meta)
    .where(and(gte(meta.key, prefix), lt(meta.key, "site/"))),
);

export async function storedSettings(connection: Connection): Promise<StoredSettings> {
  const rows = await all(connection).all();
  return Object.fromEntries(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}

/** Returns the configured or default limit. */
export const boundOf = async (
  connection: Connection,
  name: keyof typeof staffLimits.bounds,
): Promise<number> => Number((await storedSettings(connection))[name] ?? staffLimits.bounds[name]);

/** Returns the topics that lead to searches. */
export const recommendedTopics = (stored: StoredSettings): string[] =>
  parseTopics(stored.recommendedTopics ?? defaultTopics);

/** Returns the offered interests. */
export const offeredInterests = async (connection: Connection): Promise<{ groups: InterestGroup[] }> => ({
  groups: parseGroups((await storedSettings(connection)).interestGroups ?? defaultGroups),
});

/** Sets a value; an empty one resets it. */
export async function setSiteSetting(
  tx: Connection,
  name: keyof StoredSettings,
  value: string,
): Promise<void> {
  if (value === "") await deleteSiteValue(tx, prefix + name);
  else await setSiteValue(tx, prefix + name, value);
}

const publicUrlKey = "public_url";

/** Returns the address of the server's last start, for commands, which may run without its settings. */
export const storedPublicUrl = (connection: Connection): Promise<string | undefined> =>
  siteValue(connection, publicUrlKey);

export const storePublicUrl = (tx: Connection, publicUrl: string): Promise<void> =>
  setSiteValue(tx, publicUrlKey, publicUrl);
