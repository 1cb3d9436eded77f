import { calloutKind } from "../blocks/callout.ts";
import { elementsNamed, firstWithClass, hasClass, moveContent, ownerOf, textOf } from "../dom.ts";
import { toCallout } from "./callouts.ts";

/** Turns Obsidian's callouts into ours. A title that is not the kind's name is the first line. */
export function straightenObsidian(root: Node): void {
  // From the inside out.
  for (const box of elementsNamed(root, "div").toReversed()) {
    const kind = box.getAttribute("data-callout");
    if (!kind || !hasClass(box, "callout")) continue;
    const content = firstWithClass(box, "callout-content") ?? ownerOf(box).createElement("div");
    const title = firstWithClass(box, "callout-title-inner");
    if (title && textOf(title).trim().toLowerCase() !== kind.toLowerCase()) {
      const line = ownerOf(box).createElement("p");
      const words = ownerOf(box).createElement("strong");
      moveContent(title, words);
      line.appendChild(words);
      content.insertBefore(line, content.firstChild);
    }
    toCallout(box, calloutKind(kind), content);
  }
}
