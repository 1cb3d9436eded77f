import type { Connection } from "../database/connection.ts";
import { setSiteValue, siteValue } from "../database/meta.ts";

const key = "public_url";

/** Returns the address of the server's last start, for commands, which may run without its settings. */
export const storedPublicUrl = (connection: Connection): Promise<string | undefined> =>
  siteValue(connection, key);

export const storePublicUrl = (tx: Connection, publicUrl: string): Promise<void> =>
  setSiteValue(tx, key, publicUrl);
