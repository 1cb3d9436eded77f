const clocks = new Map<string, Intl.DateTimeFormat>();
/** Cached: creating a formatter costs more than a hundred calls. */
function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    const two = {
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    } as const;
    clock = new Intl.DateTimeFormat("en-u-ca-gregory-nu-latn", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      ...two,
    });
    clocks.set(zone, clock);
  }
  return clock;
}

/** Returns a zone's local time as if it were UTC. */
export function localTimeAt(zone: string, time: number): number {
  const parts = clockOf(zone).formatToParts(time);
  const partOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(
    partOf("year"),
    partOf("month") - 1,
    partOf("day"),
    partOf("hour"),
    partOf("minute"),
    partOf("second"),
  );
}

/** Returns the time of a local time: after the gap if clocks skip it, one of two if it repeats. */
export function timeOfLocal(zone: string, localTime: number): number {
  const first = localTime - (localTimeAt(zone, localTime) - localTime);
  return first + localTime - localTimeAt(zone, first);
}
