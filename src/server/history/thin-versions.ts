import type { VersionReason } from "../../shared/versions.ts";

/** A version's date, and why it was recorded. */
export interface DatedVersion {
  id: string;
  at: number;
  reason: VersionReason;
}

const hour = 60 * 60_000;
const day = 24 * hour;
/** From these ages on, one version per hour, day and month remains. */
export const ages = { hourly: day, daily: 7 * day, monthly: 365 * day };
/** The most versions kept of the last day, and of published ones. */
export const maxUnthinned = 200;

const month = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Returns the period whose last version remains, in UTC: each lies within one of the next kind. */
function periodOf(at: number, age: number): string {
  if (age >= ages.monthly) return `month ${month(at)}`;
  return age >= ages.daily ? `day ${Math.floor(at / day)}` : `hour ${Math.floor(at / hour)}`;
}

/**
 * Returns which versions (newest first) to delete. Remaining: the newest `maxUnthinned` of the last day and of the published;
 * else one per hour for a week, one per day for a year, one per month. Idempotent.
 */
export function versionsToDelete(versions: readonly DatedVersion[], now: number): string[] {
  const periods = new Set<string>();
  let published = 0;
  return versions.flatMap(({ id, at, reason }, order) => {
    const age = now - at;
    const isPublished = reason === "published";
    if (isPublished) published++;
    const isUnthinned =
      (age < ages.hourly && order < maxUnthinned) || (isPublished && published <= maxUnthinned);
    const period = periodOf(at, age);
    const isLast = !periods.has(period);
    if (age >= ages.hourly || order >= maxUnthinned) periods.add(period);
    return isLast || isUnthinned ? [] : [id];
  });
}
