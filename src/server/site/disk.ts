import { statfs } from "node:fs/promises";
import { formatBytes } from "../../shared/format-bytes.ts";
import type { SiteDisk } from "../../shared/administration.ts";
import type { MemberContext, Services } from "../context.ts";
import { dayOf } from "../profiles/usage-queries.ts";
import { storedSettings } from "./queries.ts";
import { publishStaffQueues } from "../moderation/staff-events.ts";
import { requireAdmin } from "../moderation/access.ts";

const gigabyte = 1_000_000_000;

/** The default threshold: enough for a copy of the database and a day's pictures. */
const defaultThreshold = (total: number): number => Math.min(Math.max(total / 10, gigabyte), 10 * gigabyte);

/** Returns the disk space of the data folder, and whether it is low. */
export async function diskOf({ config, database }: Pick<Services, "config" | "database">): Promise<SiteDisk> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  const [free, total] = [bavail * bsize, blocks * bsize];
  const { diskLowGb } = await storedSettings(database.read);
  const threshold = diskLowGb === undefined ? defaultThreshold(total) : Number(diskLowGb) * gigabyte;
  return { free, total, isLow: free < threshold };
}

/** Returns the disk space and the version, which every page of `/admin` shows. */
export async function siteDisk(ctx: MemberContext): Promise<SiteDisk & { version: string }> {
  await requireAdmin(ctx.database.read, ctx.viewer);
  return { ...(await diskOf(ctx)), version: ctx.config.version };
}

/** Logs once a day that disk space is low, and when it no longer is; open pages of administrators refresh. */
export class DiskWatch {
  #logged: { isLow: boolean; day: number } = { isLow: false, day: 0 };

  /** Checks at once and then every minute, until the returned function is called. */
  async start(services: Parameters<DiskWatch["check"]>[0]): Promise<() => void> {
    await this.check(services, Date.now());
    const timer = setInterval(() => {
      this.check(services, Date.now()).catch((error: unknown) =>
        services.log.error({ err: error }, "the free disk space could not be read"),
      );
    }, 60_000);
    timer.unref();
    return () => clearInterval(timer);
  }

  async check(services: Pick<Services, "config" | "database" | "log">, now: number): Promise<void> {
    const { free, total, isLow } = await diskOf(services);
    const before = this.#logged;
    const changed = isLow !== before.isLow;
    if (!changed && !(isLow && dayOf(now) > before.day)) return;
    this.#logged = { isLow, day: dayOf(now) };
    const room = { free, total };
    if (isLow)
      services.log.warn(
        room,
        `disk space is low: ${formatBytes(free)} are left; when the disk is full, nobody can write`,
      );
    else services.log.info(room, `there is enough disk space again: ${formatBytes(free)} are left`);
    if (changed) await services.database.write(publishStaffQueues);
  }
}
