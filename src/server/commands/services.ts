import path from "node:path";
import { pino } from "pino";
import { followSiteName } from "../site/info.ts";
import { RateLimits } from "../auth/rate-limits.ts";
import type { Services } from "../context.ts";
import { createServices } from "../create-services.ts";
import { openForCommand } from "../database/start.ts";
import { Bus } from "../live/bus.ts";
import { readConfig } from "../runtime/config.ts";
import { projectRoot } from "../runtime/project-root.ts";
import { storedPublicUrl } from "../site/queries.ts";

/** Opens the services for a command: with the database migrated, no rate limits, and only errors logged. */
export async function openServicesForCommand(
  environment: Record<string, string | undefined> = process.env,
  site: "existing" | "new" = "existing",
): Promise<Services> {
  const config = readConfig(environment);
  const log = pino({ level: "error" }, pino.destination(2));
  const bus = new Bus((error) => log.error({ err: error }, "a live update failed"));
  const database = await openForCommand(
    {
      config,
      migrations: path.join(projectRoot, "migrations"),
      log,
      signal: (topics) => bus.signal(topics),
    },
    site,
  );
  if (!config.isPublicUrlSet) {
    config.publicUrl = (await storedPublicUrl(database.read)) ?? config.publicUrl;
    config.https = config.publicUrl.startsWith("https:");
  }
  await followSiteName({ config, database, bus, log });
  return createServices({ config, database, bus, log }, { limits: new RateLimits(false) });
}

/** Runs `work` with the services of an existing site, or with "new" also in an empty folder, then closes them. */
export async function withServices<T>(
  work: (services: Services) => Promise<T>,
  site: "existing" | "new" = "existing",
): Promise<T> {
  const services = await openServicesForCommand(process.env, site);
  try {
    return await work(services);
  } finally {
    await services.workers.close();
    await services.readers.close();
    services.mailer.close();
    await services.database.close();
  }
}
