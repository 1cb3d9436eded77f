/** Each entry's HTML as the server wrote it, by the element that shows it. */
const written = new WeakMap<Element, string>();

/**
 * Replaces the content of `main` with the server's HTML. Elements of unchanged entries are kept, so that nothing moves under the
 * reader's eye; new ones are marked. Returns how many are new.
 */
export function mergeEntries(main: HTMLElement, html: string): number {
  const made = new DOMParser().parseFromString(html, "text/html");
  const [list, newList] = [main.querySelector("ol.entries"), made.querySelector("ol.entries")];
  if (!list || !newList) return 0;
  const rows = childrenOf(newList);
  const ids = new Set(rows.map(({ id }) => id));
  const newest = list.firstElementChild?.id;
  for (const row of childrenOf(list)) if (!ids.has(row.id)) row.remove();
  let fresh = 0;
  let next = list.firstElementChild;
  for (const row of rows) {
    const shown = document.getElementById(row.id);
    const isSame = shown !== null && isShown(shown, row.outerHTML);
    const kept = isSame ? shown : document.importNode(row, true);
    if (!isSame) written.set(kept, row.outerHTML);
    if (!shown && newest !== undefined && ids.has(newest)) kept.setAttribute("data-fresh", "");
    if (!shown) fresh++;
    if (shown && !isSame) {
      if (shown === next) next = shown.nextElementSibling;
      shown.replaceWith(kept);
    }
    if (kept === next) next = kept.nextElementSibling;
    else list.insertBefore(kept, next);
  }
  // The elements around the list have no state.
  for (const element of childrenOf(main)) if (element !== list) element.remove();
  let isBefore = true;
  for (const element of childrenOf(made.body))
    if (element === newList) isBefore = false;
    else if (isBefore) list.before(document.importNode(element, true));
    else main.append(document.importNode(element, true));
  return fresh;
}

/** Returns a copy of the list of children, which does not change when some are moved. */
const childrenOf = (element: Element): Element[] => Array.from(element.children);

/** Whether an element says the same. Of one that came with the page, only its times were rewritten. */
function isShown(element: Element, html: string): boolean {
  const known = written.get(element);
  return known === undefined ? withoutTimes(element.outerHTML) === withoutTimes(html) : known === html;
}

const withoutTimes = (html: string): string =>
  html.replace(/<time datetime="([^"]*)"[^>]*>.*?<\/time>/g, "<time $1>");
