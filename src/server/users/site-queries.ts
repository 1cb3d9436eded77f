import { and, gte, lt } from "drizzle-orm";
import type { BoundName } from "../../shared/site.ts";
import { staffLimits } from "../../shared/staff-limits.ts";
import { hot, type Connection } from "../database/connection.ts";
import { deleteSiteValue, setSiteValue } from "../database/meta.ts";
import { meta } from "../database/schema/site.ts";

/** What administrators have set, by name; what is not set is not there. */
export interface StoredSite extends Partial<Record<BoundName, string>> {
  name?: string;
  description?: string;
  /** The picture's id. */
  picture?: string;
  accent?: string;
  language?: string;
  /** Where whoever found a hole writes. */
  securityContact?: string;
  /** `approved` where not everybody may write. */
  writers?: string;
  /** `held` where an account's first comment with a link waits to be let in. */
  firstLinks?: string;
  signUpWork?: string;
  /** `hidden` where administrators are not to see the steps of setting the site up. */
  setup?: string;
  /** Of each text since when it is as it is, in milliseconds; of the style sheet the hash that is its name. */
  terms?: string;
  privacy?: string;
  landing?: string;
  sheet?: string;
}

/** `media/queries.ts` knows the picture's row by this name, too. */
const prefix = "site.";

const all = hot((db) =>
  db
    .select({ key: meta.key, value: meta.value })
    .from(meta)
    .where(and(gte(meta.key, prefix), lt(meta.key, "site/")))
    .prepare(),
);

/** Every setting of the site. */
export async function storedSite(connection: Connection): Promise<StoredSite> {
  const rows = await all(connection).all();
  return Object.fromEntries(rows.map(({ key, value }) => [key.slice(prefix.length), value]));
}

/** A number that holds: the one that administrators set, or the usual one. */
export const boundOf = async (
  connection: Connection,
  name: keyof typeof staffLimits.bounds,
): Promise<number> => Number((await storedSite(connection))[name] ?? staffLimits.bounds[name]);

/** Sets one; the empty value takes it back. */
export async function setStored(tx: Connection, name: keyof StoredSite, value: string): Promise<void> {
  if (value === "") await deleteSiteValue(tx, prefix + name);
  else await setSiteValue(tx, prefix + name, value);
}
