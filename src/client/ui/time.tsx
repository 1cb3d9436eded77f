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

/** "just now", "5 minutes ago", "3 days ago", "2 years ago". Both times are in milliseconds. */
export function relativeText(at: number, now: number): string {
  const age = now - at;
  const count = (value: number, unit: string) =>
    `${Math.floor(value)} ${unit}${Math.floor(value) === 1 ? "" : "s"} ago`;
  // A clock that is a little behind the server's must not show the future.
  if (age < MINUTE) return "just now";
  if (age < HOUR) return count(age / MINUTE, "minute");
  if (age < DAY) return count(age / HOUR, "hour");
  if (age < 7 * DAY) return count(age / DAY, "day");
  if (age < YEAR / 12) return count(age / (7 * DAY), "week");
  if (age < YEAR) return count(age / (YEAR / 12), "month");
  return count(age / YEAR, "year");
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
} satisfies Record<string, Intl.DateTimeFormatOptions>;
/** Making one costs more than all the rest of drawing a card, and writing a date with it as much as the rest. */
const formats = new Map<string, Intl.DateTimeFormat>();
const written = new Map<string, string>();
const mostWritten = 2_000;

/** In the reader's own language and zone, which the server does not know: there and while hydrating in English and UTC. */
function dateText(at: number, style: keyof typeof styles, readers: boolean): string {
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

/** How long ago, kept current while it is shown; the full date as its title. `at` is ISO 8601. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const renderedAt = useContext(RenderedAt);
  const now = useSyncExternalStore(clock.subscribe, clock.read, () => renderedAt);
  const readers = useHydrated();
  const time = Date.parse(at);
  return (
    <time className={className} dateTime={at} title={dateText(time, "full", readers)}>
      {relativeText(time, now)}
    </time>
  );
}

/**
 * A date in the reader's own form. `at` is ISO 8601. What the server wrote in its form has the reader's before React comes to
 * it (entry-early.ts): nothing changes under their eyes.
 */
export function DateText({ at, className }: { at: string; className?: string }) {
  const readers = useHydrated();
  const time = Date.parse(at);
  return (
    <time
      className={className}
      dateTime={at}
      title={dateText(time, "full", readers)}
      data-date={styles.date.dateStyle}
      suppressHydrationWarning
    >
      {dateText(time, "date", readers)}
    </time>
  );
}
