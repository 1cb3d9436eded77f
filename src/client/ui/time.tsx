import { createContext, useContext, useSyncExternalStore } from "react";
import { readClock, subscribeToClock } from "./clock.ts";
import { useHydrated } from "./hydrated.ts";

/** When the page was rendered, in milliseconds: the first render in the browser uses the server's clock. */
export const RenderedAt = createContext(0);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365.2425 * DAY;

const units = [
  ["year", YEAR],
  ["month", YEAR / 12],
  ["week", 7 * DAY],
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
] as const;
let relative: Intl.RelativeTimeFormat | undefined;

/** Returns "just now", "5 minutes ago", "3 days ago", "2 years ago". Both times are in milliseconds. */
export function relativeText(at: number, now: number): string {
  const age = now - at;
  const [unit, length] = units.find(([, least]) => age >= least) ?? [];
  // Also if the clock is behind the server's: never a future time.
  if (!unit) return "just now";
  relative ??= new Intl.RelativeTimeFormat("en");
  return relative.format(-Math.floor(age / length), unit);
}

const styles = {
  date: { dateStyle: "medium" },
  full: { dateStyle: "full", timeStyle: "short" },
  day: { day: "numeric", month: "short" },
  time: { timeStyle: "short" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

type DateStyle = keyof typeof styles;

/**
 * Returns a date's short style: the time if today, no year if this one. Both times are in milliseconds. entry-early.ts, which
 * cannot import, repeats the rule.
 */
export function shortStyle(at: number, now: number, zone: "local" | "UTC"): DateStyle {
  const day = (time: number) => {
    const date = new Date(time);
    // "Thu Nov 26 2026", or "Thu, 26 Nov 2026 12:00:00 GMT"
    return zone === "UTC" ? date.toUTCString().slice(0, 16) : date.toDateString();
  };
  const [thatDay, today] = [day(at), day(now)];
  if (thatDay === today) return "time";
  return thatDay.slice(-4) === today.slice(-4) ? "day" : "date";
}

/** Caches: creating a format costs more than the rest of a card, and formatting a date as much. */
const formats = new Map<string, Intl.DateTimeFormat>();
const textCache = new Map<string, string>();
const maxCachedTexts = 2_000;

/** In English and UTC in the server and while hydrating, then in the reader's language and time zone. */
function dateText(at: number, style: DateStyle, readers: boolean): string {
  const key = `${style} ${readers}`;
  let format = formats.get(key);
  if (!format) {
    format = readers
      ? new Intl.DateTimeFormat(undefined, styles[style])
      : new Intl.DateTimeFormat("en", { ...styles[style], timeZone: "UTC" });
    formats.set(key, format);
  }
  const name = `${key} ${at}`;
  let text = textCache.get(name);
  if (text === undefined) {
    if (textCache.size >= maxCachedTexts) textCache.clear();
    textCache.set(name, (text = format.format(at)));
  }
  return text;
}

export function useNow(): number {
  const renderedAt = useContext(RenderedAt);
  return useSyncExternalStore(subscribeToClock, readClock, () => renderedAt);
}

/** The time since `at` (ISO 8601), kept current, with the full date as title. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const now = useNow();
  const readers = useHydrated();
  const time = Date.parse(at);
  return (
    <time className={className} dateTime={at} title={dateText(time, "full", readers)}>
      {relativeText(time, now)}
    </time>
  );
}

interface DateProps {
  /** ISO 8601. */
  at: string;
  className?: string;
}

/** A date in the reader's format. entry-early.ts rewrites the server's text before hydration: nothing flickers. */
export const DateText = (props: DateProps) => <WrittenDate {...props} form="date" />;

/** A short date, as `shortStyle` chooses. */
export function ShortDateText(props: DateProps) {
  const now = useNow();
  const zone = useHydrated() ? "local" : "UTC";
  return <WrittenDate {...props} form={shortStyle(Date.parse(props.at), now, zone)} isShort />;
}

export function WrittenDate({
  at,
  className,
  form,
  isShort = false,
}: DateProps & { form: DateStyle; isShort?: boolean }) {
  const readers = useHydrated();
  const time = Date.parse(at);
  return (
    <time
      className={className}
      dateTime={at}
      title={dateText(time, "full", readers)}
      data-date={isShort ? "short" : form}
      suppressHydrationWarning
    >
      {dateText(time, form, readers)}
    </time>
  );
}
