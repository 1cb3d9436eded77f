import type { Connection } from "../database/connection.ts";
import { deleteSiteValue, setSiteValue, siteValue } from "../database/meta.ts";

export const hubJob = "tell-hub";
/** Whose feeds, beside the site's, or what tag's have something else in them. */
export type HubWork = { authorId: string } | { tag: string };

const key = "feed_hub";

/** Whether somebody is to be told when feeds change. */
export const hubAsked = async (connection: Connection): Promise<boolean> =>
  (await siteValue(connection, key)) !== undefined;
export const setHubAsked = (tx: Connection, isSet: boolean): Promise<void> =>
  isSet ? setSiteValue(tx, key, "on") : deleteSiteValue(tx, key);
