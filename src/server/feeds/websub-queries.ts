import type { Connection } from "../database/connection.ts";
import { deleteSiteValue, setSiteValue, siteValue } from "../database/meta.ts";

export const hubJob = "notify-hub";
/** The feeds that changed: the author's and the site's, a tag's, or a live blog's. */
export type HubWork = { authorId: string } | { tag: string } | { blogId: string };

const key = "feed_hub";

export const isHubSet = async (connection: Connection): Promise<boolean> =>
  (await siteValue(connection, key)) !== undefined;
export const storeHubSet = (tx: Connection, isSet: boolean): Promise<void> =>
  isSet ? setSiteValue(tx, key, "on") : deleteSiteValue(tx, key);
