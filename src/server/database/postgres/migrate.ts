import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { newSecret } from "../../runtime/ids.ts";
import { siteSecretKey } from "../site-secret.ts";

/** The number of the lock of the process that migrates; others wait for it. */
const migrationLock = 7_238_462;

/** Migrates a database of a PostgreSQL server in one transaction. Throws, and changes nothing, when a migration fails. */
export async function migratePostgres(url: string, folder: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: "reprise migrations" });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [migrationLock]);
    await migrate(drizzle({ client }), { migrationsFolder: folder });
    await client.query(
      "insert into meta (key, value) values ('live_epoch', $1), ($2, $3) on conflict do nothing",
      [newSecret().slice(0, 10), siteSecretKey, newSecret()],
    );
  } finally {
    await client.end();
  }
}
