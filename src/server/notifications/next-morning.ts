import { localTimeAt, timeOfLocal } from "../runtime/local-time.ts";

const day = 24 * 60 * 60_000;

/** Returns the next local time of `at` milliseconds past midnight, on any day or a Monday. */
export function nextMorning(
  zone: string,
  now: number,
  { at, monday = false }: { at: number; monday?: boolean },
): number {
  const today = Math.floor(localTimeAt(zone, now) / day);
  // January 1, 1970 was a Thursday.
  const isMonday = (date: number) => (date + 3) % 7 === 0;
  // A zone can skip a whole day.
  for (let date = today; date < today + 16; date++) {
    const time = timeOfLocal(zone, date * day + at);
    if (time > now && (!monday || isMonday(date))) return time;
  }
  return now + day;
}
