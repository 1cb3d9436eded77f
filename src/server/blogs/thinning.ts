/** What is asked of a revision to know whether it stays: when it was saved, and whether readers were given it. */
export interface Aged {
  id: string;
  at: number;
  draft: boolean;
}

const hour = 60 * 60_000;
const day = 24 * hour;
/** From these ages on fewer are kept. */
export const ages = { hourly: day, daily: 7 * day, monthly: 365 * day };
/** Of what is less than a day old, and of what was published, as many of one blog stay whatever else does. */
export const mostWhole = 200;

const month = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** The stretch of time of which the last revision stays, by the clock in UTC: so that each lies within one of the next kind. */
function stretchOf(at: number, age: number): string {
  if (age >= ages.monthly) return `month ${month(at)}`;
  return age >= ages.daily ? `day ${Math.floor(at / day)}` : `hour ${Math.floor(at / hour)}`;
}

/**
 * Which of a blog's revisions, the newest first, are no longer kept: all of the last day stay, then one an hour for a week, one
 * a day for a year, and one a month; what was published stays. A program that saves every second has no more than its newest
 * `mostWhole` of either kept so, and the rest like all others. Done again it finds nothing more, however often it was done before.
 */
export function tooMany(revisions: readonly Aged[], now: number): string[] {
  const seen = new Set<string>();
  let published = 0;
  return revisions.flatMap(({ id, at, draft }, order) => {
    const age = now - at;
    if (!draft) published++;
    const isWhole = (age < ages.hourly && order < mostWhole) || (!draft && published <= mostWhole);
    const stretch = stretchOf(at, age);
    const isLast = !seen.has(stretch);
    if (age >= ages.hourly || order >= mostWhole) seen.add(stretch);
    return isLast || isWhole ? [] : [id];
  });
}
