import { statfs } from "node:fs/promises";
import { sizeOf } from "../../shared/size.ts";
import type { SiteDisk } from "../../shared/moderation.ts";
import type { MemberContext, Parts } from "../context.ts";
import { dayOf } from "../users/use-queries.ts";
import { storedSite } from "../users/site-queries.ts";
import { publishStaffQueues } from "../users/staff-events.ts";
import { asAdmin } from "./access.ts";

const gigabyte = 1_000_000_000;

/** With less than that it is time to make room, unless administrators say when: a copy of the store and a day's pictures still fit. */
const usual = (total: number): number => Math.min(Math.max(total / 10, gigabyte), 10 * gigabyte);

/** The room on the disk of the data folder, and whether that is little. */
export async function diskOf({ config, database }: Pick<Parts, "config" | "database">): Promise<SiteDisk> {
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  const [free, total] = [bavail * bsize, blocks * bsize];
  const { diskLowGb } = await storedSite(database.read);
  const least = diskLowGb === undefined ? usual(total) : Number(diskLowGb) * gigabyte;
  return { free, total, isLow: free < least };
}

/** The same for administrators. */
export async function siteDisk(ctx: MemberContext): Promise<SiteDisk> {
  await asAdmin(ctx.database.read, ctx.viewer);
  return diskOf(ctx);
}

/** Says in the log that the disk fills, once a day, and that it has room again; open pages of administrators hear of either. */
export class DiskWatch {
  #said: { isLow: boolean; day: number } = { isLow: false, day: 0 };

  /** Looks now, and then every minute until what it answers with is called. */
  async start(parts: Parameters<DiskWatch["look"]>[0]): Promise<() => void> {
    await this.look(parts, Date.now());
    const timer = setInterval(() => {
      this.look(parts, Date.now()).catch((error: unknown) =>
        parts.log.error({ err: error }, "the disk could not be looked at"),
      );
    }, 60_000);
    timer.unref();
    return () => clearInterval(timer);
  }

  async look(parts: Pick<Parts, "config" | "database" | "log">, now: number): Promise<void> {
    const { free, total, isLow } = await diskOf(parts);
    const before = this.#said;
    const changed = isLow !== before.isLow;
    if (!changed && !(isLow && dayOf(now) > before.day)) return;
    this.#said = { isLow, day: dayOf(now) };
    const room = { free, total };
    if (isLow)
      parts.log.warn(room, `the disk fills: ${sizeOf(free)} are left; once it is full nobody can write`);
    else parts.log.info(room, `the disk has room again: ${sizeOf(free)}`);
    if (changed) await parts.database.write(publishStaffQueues);
  }
}
