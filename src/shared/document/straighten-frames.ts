import { elementsNamed, isElement, ownerOf, tagOf } from "./dom.ts";
import { hasCard } from "./embeds.ts";
import { framePage } from "./frame-pages.ts";
import { cleanLabel, safeLink } from "./values.ts";

/** The most characters of a frame's title that become its link's text. */
const titleLength = 200;

/** Replaces frames and players, which the parser would drop, by a card or a link. */
export function straightenFrames(root: Node): void {
  for (const frame of elementsNamed(root, "iframe", "frame", "embed", "object", "video", "audio")) {
    if (isHidden(frame)) continue;
    const href = pageOf(frame);
    if (href)
      frame.parentNode?.replaceChild(hasCard(href) ? cardOf(frame, href) : linkOf(frame, href), frame);
  }
}

/** Frames that nobody sees count visits or sign people in. */
function isHidden(frame: Element): boolean {
  const style = frame.getAttribute("style") ?? "";
  return (
    frame.hasAttribute("hidden") ||
    /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style) ||
    ["width", "height"].some((name) => /^\s*[01](?:px)?\s*$/.test(frame.getAttribute(name) ?? ""))
  );
}

/** Returns the page of another site that a frame or player shows. */
function pageOf(frame: Element): string | null {
  const own = pageIn(frame);
  if (own) return own;
  for (let child = frame.firstChild; child; child = child.nextSibling)
    if (isElement(child) && ["source", "embed"].includes(tagOf(child))) {
      const page = pageIn(child);
      if (page) return page;
    }
  return null;
}

function pageIn(element: Element): string | null {
  for (const name of ["src", "data", "data-src"]) {
    const address = element.getAttribute(name)?.trim().replace(/^\/\//, "https://");
    const href = address && safeLink(framePage(address) ?? address);
    if (href && /^https?:/i.test(href)) return href;
  }
  return null;
}

function cardOf(frame: Element, href: string): Element {
  const card = ownerOf(frame).createElement("figure");
  card.setAttribute("class", "embed");
  card.setAttribute("data-href", href);
  return card;
}

function linkOf(frame: Element, href: string): Element {
  const link = ownerOf(frame).createElement("a");
  link.setAttribute("href", href);
  link.textContent = cleanLabel(frame.getAttribute("title"), titleLength).trim() || href;
  const paragraph = ownerOf(frame).createElement("p");
  paragraph.appendChild(link);
  return paragraph;
}
