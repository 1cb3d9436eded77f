import { useHydrated } from "../ui/hydrated.ts";
import { WrittenDate, shortStyle, useNow } from "../ui/time.tsx";

/** The time of day, with the date below it if that is not today. */
export function TimeText({ at }: { at: string }) {
  const now = useNow();
  const zone = useHydrated() ? "local" : "UTC";
  const isToday = shortStyle(Date.parse(at), now, zone) === "time";
  return (
    <>
      <WrittenDate at={at} form="time" />
      {!isToday && <WrittenDate at={at} form="day" className="time-day" />}
    </>
  );
}
