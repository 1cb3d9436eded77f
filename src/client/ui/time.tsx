import { createContext, useContext, useSyncExternalStore } from "react";
import { useHydrated } from "./hydrated.ts";

/**
 * The moment the page was rendered at, in milliseconds. It travels with the page, so that the first render in the
 * browser reads the same clock as the server's.
 */
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

/** "just now", "5 minutes ago", "3 days ago", "2 years ago". Both times are in milliseconds. */
export function relativeText(at: number, now: number): string {
  const age = now - at;
  const [unit, length] = units.find(([, least]) => age >= least) ?? [];
  // Also where a clock is a little behind the server's: it must not show the future.
  if (!unit) return "just now";
  relative ??= new Intl.RelativeTimeFormat("en");
  return relative.format(-Math.floor(age / length), unit);
}

const clock = {
  now: 0,
  listeners: new Set<() => void>(),
  timer: undefined as ReturnType<typeof setInterval> | undefined,
  /** One timer for all the times on the page. */
  subscribe(listener: () => void): () => void {
    clock.listeners.add(listener);
    clock.timer ??= setInterval(() => {
      clock.now = Date.now();
      for (const tell of clock.listeners) tell();
    }, MINUTE / 2);
    return () => {
      clock.listeners.delete(listener);
      if (clock.listeners.size > 0) return;
      clearInterval(clock.timer);
      clock.timer = undefined;
      clock.now = 0;
    };
  },
  read: (): number => (clock.now ||= Date.now()),
};
const styles = {
  date: { dateStyle: "medium" },
  full: { dateStyle: "full", timeStyle: "short" },
  day: { day: "numeric", month: "short" },
  time: { timeStyle: "short" },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

type DateStyle = keyof typeof styles;

/**
 * Returns how a date is written briefly: without the day if it is today, without the year if it is this one. Both in milliseconds.
 * entry-early.ts, which can import nothing, has the same rule for what the server wrote.
 */
export function shortStyle(at: number, now: number, zone: "local" | "UTC"): DateStyle {
  const day = (time: number) => {
    const date = new Date(time);
    // "Thu Nov 26 2026", or "Thu, 26 Nov 2026 12:00:00 GMT"
    return zone === "UTC" ? date.toUTCString().slice(0, 16) : date.toDateString();
  };
  const [then, today] = [day(at), day(now)];
  if (then === today) return "time";
  return then.slice(-4) === today.slice(-4) ? "day" : "date";
}

/** Making one costs more than all the rest of drawing a card, and writing a date with it as much as the rest. */
const formats = new Map<string, Intl.DateTimeFormat>();
const written = new Map<string, string>();
const mostWritten = 2_000;

/** In the reader's own language and zone, which the server does not know: there and while hydrating in English and UTC. */
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
  let text = written.get(name);
  if (text === undefined) {
    if (written.size >= mostWritten) written.clear();
    written.set(name, (text = format.format(at)));
  }
  return text;
}

function useNow(): number {
  const renderedAt = useContext(RenderedAt);
  return useSyncExternalStore(clock.subscribe, clock.read, () => renderedAt);
}

/** How long ago, kept current while it is shown; the full date as its title. `at` is ISO 8601. */
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

/**
 * A date in the reader's own form. What the server wrote in its form has the reader's before React comes to it
 * (entry-early.ts): nothing changes under their eyes.
 */
export const DateText = (props: DateProps) => <WrittenDate {...props} form="date" />;

/** The same in few words: the time of day if it is today's, no year if it is this one's. */
export function ShortDateText(props: DateProps) {
  const now = useNow();
  const zone = useHydrated() ? "local" : "UTC";
  return <WrittenDate {...props} form={shortStyle(Date.parse(props.at), now, zone)} isShort />;
}

function WrittenDate({
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
