type Switch = HTMLButtonElement | HTMLInputElement;
/** A list to choose from, or a field for files. */
type Choice = HTMLSelectElement | HTMLInputElement;

// Zod would try whether it may make code of text, which the rules of the pages forbid and browsers tell of.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/**
 * Runs before the page's code has come, on a slow network seconds before: remembers which buttons and switches were
 * clicked that only React can answer, each once, what was chosen in lists and which files, and which keys were pressed
 * where nothing had the focus, until `early` asks for them. Links work without us, and forms that say where they lead;
 * another would only load the page anew, without what was typed.
 */
const clicked = new Set<Switch>();

function remember(event: MouseEvent): void {
  const { target } = event;
  const one =
    target instanceof Element
      ? target.closest<Switch>("#root :is(button,[type=radio],[type=checkbox])")
      : null;
  const form = one?.type !== "button" && one?.form;
  if (!one || (form && form.matches("[action],[method]"))) return;
  // Neither sent nor switched twice, and not heard by React while there is nobody yet to do what it would ask for.
  event.preventDefault();
  event.stopPropagation();
  clicked.add(one);
}

window.addEventListener("click", remember, true);

const chosen = new Map<Choice, string>();

function noteChoice({ target }: Event): void {
  if (target instanceof Element && target.matches("#root :is(select,[type=file])"))
    chosen.set(target as Choice, (target as Choice).value);
}

window.addEventListener("change", noteChoice, true);

/** Puts the days that the server wrote into the reader's own form and zone, before they are looked at. */
function writeDates(): void {
  const now = new Date();
  for (const one of document.querySelectorAll<HTMLTimeElement>("time[data-date]")) {
    const date = new Date(one.dateTime);
    // `shortStyle` in ui/time.tsx
    const isShort = one.dataset.date === "short" && date.getFullYear() === now.getFullYear();
    const isToday = date.toDateString() === now.toDateString();
    one.textContent = date.toLocaleString(
      undefined,
      !isShort
        ? { dateStyle: "medium" }
        : isToday
          ? { timeStyle: "short" }
          : { day: "numeric", month: "short" },
    );
  }
}

writeDates();
if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", writeDates);

const pressed: KeyboardEvent[] = [];

function note(event: KeyboardEvent): void {
  if (event.target !== document.body || event.defaultPrevented) return;
  pressed.push(event);
  // Firefox would begin its own search.
  if (event.key === "/" && !(event.ctrlKey || event.metaKey || event.altKey)) event.preventDefault();
}

window.addEventListener("keydown", note);
window.early = () => {
  window.removeEventListener("click", remember, true);
  window.removeEventListener("change", noteChoice, true);
  window.removeEventListener("keydown", note);
  delete window.early;
  return { clicks: clicked, choices: chosen, keys: pressed };
};

/** What was clicked, chosen and pressed, in order. */
export interface Early {
  clicks: Iterable<Switch>;
  choices: Iterable<[box: Choice, value: string]>;
  keys: Iterable<KeyboardEvent>;
}

declare global {
  interface Window {
    /** From then on nothing is remembered. Asked once, when React has the page and it lives, and gone then. */
    early?: () => Early;
  }
}
