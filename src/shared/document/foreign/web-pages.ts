import {
  elementsIn,
  elementsNamed,
  hasClass,
  inlineRuns,
  isElement,
  ownerOf,
  tagOf,
  textOf,
  wrapRun,
} from "../dom.ts";

/** Removes what pages add to their text: link signs of headings, buttons to copy code, colours of links. */
export function straightenWebPages(root: Node): void {
  straightenLazyPictures(root);
  const around = [...elementsIn(root)].filter(
    (element) => hasClass(element, "mw-editsection") || isAnchorSign(element) || isCopyButton(element),
  );
  for (const element of around) element.remove();
  for (const element of elementsNamed(root, ...headings)) dropStyle(element, "color|font-weight");
  for (const element of elementsNamed(root, "blockquote")) dropStyle(element, "font-style");
  for (const label of elementsNamed(root, "div")) if (isLanguageLabel(label)) label.remove();
  for (const quote of elementsNamed(root, "q")) {
    // Browsers show the quotation marks, which are in no text.
    quote.insertBefore(ownerOf(quote).createTextNode("“"), quote.firstChild);
    quote.appendChild(ownerOf(quote).createTextNode("”"));
  }
  for (const term of elementsNamed(root, "dt")) for (const run of inlineRuns(term)) wrapRun(run, "strong");
  uncolourLinks(root);
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"];

const isCopyButton = (element: Element): boolean =>
  ["button", "clipboard-copy"].includes(tagOf(element)) &&
  /^(?:copy(?: code)?|copied!?)?$/i.test(textOf(element).trim());

/** Whether it is the line with the language above a chat program's code. */
function isLanguageLabel(label: Element): boolean {
  const group = label.parentNode;
  if (!isElement(group) || group.getAttribute("role") !== "group") return false;
  return `${textOf(label).trim()} code` === group.getAttribute("aria-label");
}

/** Whether it is a link sign in or beside a heading. */
function isAnchorSign(element: Element): boolean {
  const href = element.getAttribute("href") ?? "";
  // Browsers copy addresses with their page's.
  if (
    tagOf(element) !== "a" ||
    !(href.startsWith("#") || (href.includes("#") && element.hasAttribute("class")))
  )
    return false;
  const beside = element.parentNode;
  const isNear =
    beside &&
    (headings.includes(tagOf(beside)) || (isElement(beside) && hasClass(beside, "markdown-heading")));
  return Boolean(isNear) && ["", "#", "¶", "§", "🔗"].includes(textOf(element).trim());
}

/** Drops a style that the element implies. */
function dropStyle(element: Element, names: string): void {
  const style = element.getAttribute("style");
  if (style)
    element.setAttribute("style", style.replace(new RegExp(`(^|;)\\s*(?:${names})\\s*:[^;]*`, "gi"), "$1"));
}

/** Drops the inline style of links, so that they look like ours. */
function uncolourLinks(root: Node): void {
  for (const link of elementsNamed(root, "a")) {
    if (!link.hasAttribute("href")) continue;
    for (const element of [link, ...elementsNamed(link, "span", "u")]) {
      const style = element.getAttribute("style");
      if (!style || !/(?:^|;)\s*text-decoration(?:-line)?\s*:[^;]*underline/i.test(style)) continue;
      dropStyle(element, "color|text-decoration(?:-[\\w-]+)?|text-underline");
    }
  }
}

/** Gives pictures that their page loads late their address. */
export function straightenLazyPictures(root: Node): void {
  for (const image of elementsNamed(root, "img")) {
    const address = lazyPictureAddress((name) => image.getAttribute(name));
    if (address) image.setAttribute("src", address.replace(/^\/\//, "https://"));
  }
}

const addressNames = ["data-src", "data-lazy-src", "data-original"];

/** Returns the address of a picture that its page loads late, with a placeholder until then; undefined for others. */
function lazyPictureAddress(attribute: (name: string) => string | null | undefined): string | undefined {
  const src = attribute("src")?.trim();
  if (src && !/^data:|placeholder|blank\.gif/i.test(src)) return undefined;
  const address = addressNames.map(attribute).find(Boolean);
  if (address) return address.trim();
  // The largest is last.
  const widths = (attribute("srcset") ?? attribute("data-srcset") ?? "").split(/,\s+/);
  return widths.at(-1)?.trim().split(/\s+/, 1)[0] || undefined;
}
