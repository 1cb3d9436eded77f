/**
 * Runs before the page's code has come, on a slow network seconds before: remembers which buttons were clicked that only
 * React can answer, each once, until `earlyClicks` asks for them, and which keys were pressed, until `earlyKeys`
 * does. Links and forms work without us.
 */
const clicked = new Set<HTMLButtonElement>();

function remember({ target }: MouseEvent): void {
  const button = target instanceof Element ? target.closest<HTMLButtonElement>("#root button") : null;
  if (button && !(button.type === "submit" && button.form)) clicked.add(button);
}

window.addEventListener("click", remember, true);
window.earlyClicks = () => {
  window.removeEventListener("click", remember, true);
  return [...clicked];
};

const pressed: KeyboardEvent[] = [];

function note(event: KeyboardEvent): void {
  if (event.target !== document.body || event.defaultPrevented) return;
  pressed.push(event);
  // Firefox would begin its own search.
  if (event.key === "/" && !(event.ctrlKey || event.metaKey || event.altKey)) event.preventDefault();
}

window.addEventListener("keydown", note);
window.earlyKeys = () => {
  window.removeEventListener("keydown", note);
  return pressed;
};

/**
 * The buttons clicked so far, in order. From then on nothing is remembered: React hears of clicks as soon as it is given
 * the page.
 */
export type EarlyClicks = () => HTMLButtonElement[];

declare global {
  interface Window {
    earlyClicks?: EarlyClicks;
    /** The keys pressed so far where nothing had the focus, in order. From then on nothing is remembered. */
    earlyKeys?: () => KeyboardEvent[];
  }
}
