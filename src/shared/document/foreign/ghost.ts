import { calloutKind } from "../blocks/callout.ts";
import {
  elementsIn,
  elementsNamed,
  firstWithClass,
  hasClass,
  moveContent,
  ownerOf,
  rename,
  textOf,
} from "../dom.ts";
import { toCallout } from "./callouts.ts";

/** Turns Ghost's callouts, toggles, bookmarks and large quotations into ours. */
export function straightenGhost(root: Node): void {
  // From the inside out.
  for (const element of [...elementsIn(root)].toReversed()) {
    if (hasClass(element, "kg-callout-card")) {
      const color = /(?:^|\s)kg-callout-card-(\w+)/.exec(element.getAttribute("class") ?? "")?.[1];
      const [text, sign] = ["kg-callout-text", "kg-callout-emoji"].map((name) =>
        firstWithClass(element, name),
      );
      toCallout(element, calloutKind(color), text, sign);
    } else if (hasClass(element, "kg-toggle-card")) toFold(element);
    else if (hasClass(element, "kg-bookmark-card")) toLink(element);
    else if (hasClass(element, "kg-blockquote-alt")) element.setAttribute("class", "pull-quote");
  }
}

function toFold(toggle: Element): void {
  const content = firstWithClass(toggle, "kg-toggle-content");
  if (!content) return;
  const title = firstWithClass(toggle, "kg-toggle-heading-text");
  const fold = ownerOf(toggle).createElement("details");
  const summary = ownerOf(toggle).createElement("summary");
  if (title) moveContent(title, summary);
  fold.appendChild(summary);
  moveContent(content, fold);
  toggle.parentNode?.replaceChild(fold, toggle);
}

/** Of a bookmark's title, description, caption and pictures the words remain, the title as a link. */
function toLink(bookmark: Element): void {
  const href = elementsNamed(bookmark, "a")[0]?.getAttribute("href");
  if (!href) return;
  const owner = ownerOf(bookmark);
  const line = owner.createElement("p");
  const link = owner.createElement("a");
  const [title, description] = ["kg-bookmark-title", "kg-bookmark-description"].map((name) => {
    const part = firstWithClass(bookmark, name);
    return part && textOf(part).trim();
  });
  link.setAttribute("href", href);
  link.textContent = title || href;
  line.appendChild(link);
  if (description) {
    line.appendChild(owner.createElement("br"));
    line.appendChild(owner.createTextNode(description));
  }
  const [caption] = elementsNamed(bookmark, "figcaption");
  bookmark.parentNode?.replaceChild(line, bookmark);
  if (caption) {
    line.parentNode?.insertBefore(caption, line.nextSibling);
    rename(caption, "p");
  }
}
