type Clickable = HTMLButtonElement | HTMLInputElement;
type Choice = HTMLSelectElement | HTMLInputElement;

// Zod would test whether it can compile code from text, which the CSP forbids and browsers report.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/**
 * Until React runs, on a slow network for seconds, records clicks that only React can handle (each control once), choices,
 * files and keys pressed without a focus. Links and forms with an action need no script; other forms would only reload the page
 * and lose what was typed.
 */
const clicks = new Set<Clickable>();

function recordClick(event: MouseEvent): void {
  const { target } = event;
  const control =
    target instanceof Element
      ? target.closest<Clickable>("#root :is(button,[type=radio],[type=checkbox])")
      : null;
  const form = control?.type !== "button" && control?.form;
  if (!control || (form && form.matches("[action],[method]"))) return;
  // Neither submitted nor toggled twice, and hidden from React until the page can act on it.
  event.preventDefault();
  event.stopPropagation();
  clicks.add(control);
}

window.addEventListener("click", recordClick, true);

const choices = new Map<Choice, string>();

function recordChoice({ target }: Event): void {
  if (target instanceof Element && target.matches("#root :is(select,[type=file])"))
    choices.set(target as Choice, (target as Choice).value);
}

window.addEventListener("change", recordChoice, true);

/** Rewrites the server's dates in the reader's format and time zone before they are seen. */
function writeDates(): void {
  const now = new Date();
  const forms: Record<string, Intl.DateTimeFormatOptions> = {
    date: { dateStyle: "medium" },
    time: { timeStyle: "short" },
    day: { day: "numeric", month: "short" },
  };
  for (const time of document.querySelectorAll<HTMLTimeElement>("time[data-date]")) {
    const date = new Date(time.dateTime);
    // As `shortStyle` in ui/time.tsx
    const isToday = date.toDateString() === now.toDateString();
    const isThisYear = date.getFullYear() === now.getFullYear();
    const form =
      time.dataset.date === "short" ? (isToday ? "time" : isThisYear ? "day" : "date") : time.dataset.date!;
    time.textContent = date.toLocaleString(undefined, forms[form]);
  }
}

writeDates();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", writeDates);

const keys: KeyboardEvent[] = [];

function recordKey(event: KeyboardEvent): void {
  if (event.target !== document.body || event.defaultPrevented) return;
  keys.push(event);
  // Firefox would start its quick search.
  if (event.key === "/" && !(event.ctrlKey || event.metaKey || event.altKey)) event.preventDefault();
}

window.addEventListener("keydown", recordKey);
window.early = () => {
  window.removeEventListener("click", recordClick, true);
  window.removeEventListener("change", recordChoice, true);
  window.removeEventListener("keydown", recordKey);
  delete window.early;
  return { clicks, choices, keys };
};

/** The recorded clicks, choices and keys, in order. */
export interface EarlyInput {
  clicks: Iterable<Clickable>;
  choices: Iterable<[box: Choice, value: string]>;
  keys: Iterable<KeyboardEvent>;
}

declare global {
  interface Window {
    /** Ends the recording and returns it. Called once, after hydration; undefined afterwards. */
    early?: () => EarlyInput;
  }
}
