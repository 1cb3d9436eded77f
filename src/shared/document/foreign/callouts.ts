import { calloutKind, type CalloutKind } from "../blocks/callout.ts";
import { firstShown, isBlock, isElement, moveContent, ownerOf, textOf } from "../dom.ts";

/**
 * Replaces a box with a callout of its content. The emoji in `sign` becomes its first text and, without a `kind`, decides the
 * kind.
 */
export function toCallout(
  box: Element,
  kind: CalloutKind | null,
  content?: Element | null,
  sign?: Element | null,
): void {
  if (!content) return;
  const signText = sign && sign !== content ? textOf(sign).trim() : "";
  const callout = ownerOf(box).createElement("aside");
  callout.setAttribute("class", `callout callout-${kind ?? emojiKind(signText)}`);
  moveContent(content, callout);
  if (signText) {
    const first = firstShown(callout);
    const line = first && isBlock(first) && isElement(first) ? first : callout;
    line.insertBefore(ownerOf(box).createTextNode(`${signText} `), line.firstChild);
  }
  box.parentNode?.replaceChild(callout, box);
}

/** Returns the kind that the emoji at the beginning of a text means; a note without one. */
export const emojiKind = (text: string): CalloutKind =>
  calloutKind(/^\s*[⚠❗🚨⛔🚫🔥]/u.test(text) ? "warning" : /^\s*[💡✅👍]/u.test(text) ? "tip" : "note");
