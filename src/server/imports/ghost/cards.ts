import { commentsIn, elementsNamed, hasClass } from "../../../shared/document/dom.ts";
import { straightenGhost } from "../../../shared/document/foreign/ghost.ts";
import { escapeHtml } from "../../../shared/document/html-tags.ts";
import { writeTree } from "../../text/html-tree.ts";
import {
  attribute,
  figure,
  linkLine,
  remainingIn,
  replace,
  tag,
  textIn,
  withClass,
} from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { short } from "../reading/values.ts";

/** What a text reports besides its HTML. */
export interface BodyReporter {
  reportProblem: (problem: string) => void;
  /** Reports that a part is not public. */
  hide: (reason: string) => void;
}

type Card = (card: Element, reportProblem: (problem: string) => void) => string;

const captionOf = (card: Element): string => {
  const [caption] = elementsNamed(card, "figcaption");
  return caption ? tag("p", {}, writeTree(caption)) : "";
};

/** Links a file with a full address; others are not imported. */
const file =
  (kind: string, ...titles: string[]): Card =>
  (card, reportProblem) => {
    const [player] = elementsNamed(card, "video", "audio", "a");
    const href = attribute(player, "href") || attribute(player, "src");
    const label =
      withClass(card, ...titles)
        .map(textIn)
        .find(Boolean) ??
      (href.split("/").at(-1) || kind);
    const more = captionOf(card);
    if (absolute(href)) return linkLine(href, label) + more;
    reportProblem(`Skipped a ${kind} (only pictures can be imported): ${short(href || label)}`);
    return tag("p", {}, escapeHtml(label)) + more;
  };
const skipped =
  (description: string): Card =>
  (_, reportProblem) => {
    reportProblem(`Skipped ${description}`);
    return "";
  };

/** The cards with files and forms. */
const cards: Record<string, Card> = {
  "kg-gallery-card": (card) =>
    elementsNamed(card, "img")
      .map((image) => {
        const [src = "", alt, width, height] = ["src", "alt", "width", "height"].map((name) =>
          attribute(image, name),
        );
        return figure({ src, alt, width, height });
      })
      .join("") + captionOf(card),
  "kg-video-card": file("video"),
  "kg-audio-card": file("sound", "kg-audio-title"),
  "kg-file-card": file("file", "kg-file-card-title"),
  "kg-product-card-rating": () => "",
  "kg-signup-card": skipped("a sign-up form"),
  "kg-transistor-card": skipped("a podcast player for members"),
};

/** Replaces Ghost's cards, and hides a text with a part for some readers. */
export function replaceCards(tree: Node, { reportProblem, hide }: BodyReporter): void {
  straightenGhost(tree);
  for (const card of remainingIn(tree, withClass(tree, ...Object.keys(cards)))) {
    const convert = Object.entries(cards).find(([name]) => hasClass(card, name))?.[1];
    replace(card, convert?.(card, reportProblem));
  }
  for (const { nodeValue } of commentsIn(tree)) {
    const comment = nodeValue ?? "";
    if (/^\s*members-only\s*$/i.test(comment)) hide("the part after its paywall is for members only");
    if (/^\s*kg-gated-block:begin/i.test(comment) && !/nonMember:true/i.test(comment))
      hide("part of it is not public");
  }
}
