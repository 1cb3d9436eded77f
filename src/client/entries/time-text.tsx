import { useHydrated } from "../ui/hydrated.ts";
import { WrittenDate, shortStyle, useNow } from "../ui/time.tsx";

/** The time of day, with the date below it if that is not today. */
export function TimeText({ at }: { at: string }) {
  const now = useNow();
  const zone = useHydrated() ? "local" : "UTC";
  const style = shortStyle(Date.parse(at), now, zone);
  return (
    <>
      <WrittenDate at={at} form="time" />
      {style !== "time" && <WrittenDate at={at} form={style} className="time-day" />}
    </>
  );
}
