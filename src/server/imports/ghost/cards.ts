import { calloutKind } from "../../../shared/document/box-nodes.ts";
import {
  escapeHtml,
  figure,
  hasClass,
  isComment,
  linkLine,
  named,
  remainingIn,
  replace,
  tag,
  textIn,
  withClass,
  writeHtml,
  type Element,
  type Tree,
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

const part = (card: Element, ...classes: string[]): Element | undefined => withClass(card, ...classes)[0];
const htmlOf = (element: Element | undefined): string => (element ? writeHtml(element) : "");
const textOf = (element: Element | undefined): string => (element ? textIn(element) : "");
const captionOf = (card: Element): string => {
  const caption = htmlOf(named(card, "figcaption")[0]);
  return caption && tag("p", {}, caption);
};

/** Links a file with a full address; others are not imported. */
const file =
  (kind: string, ...titles: string[]): Card =>
  (card, reportProblem) => {
    const { src, href = src } = named(card, "video", "audio", "a")[0]?.attribs ?? {};
    const label = textOf(part(card, ...titles)) || (href?.split("/").at(-1) ?? kind);
    const more = captionOf(card);
    if (href && absolute(href)) return linkLine(href, label) + more;
    reportProblem(`Skipped a ${kind} (only pictures can be imported): ${short(href ?? label)}`);
    return tag("p", {}, escapeHtml(label)) + more;
  };
const skipped =
  (description: string): Card =>
  (_, reportProblem) => {
    reportProblem(`Skipped ${description}`);
    return "";
  };

/** The cards whose HTML needs Ghost's style sheet or scripts. */
const cards: Record<string, Card> = {
  "kg-bookmark-card": (card) => {
    const url = named(card, "a")[0]?.attribs.href;
    const title = textOf(part(card, "kg-bookmark-title"));
    return (
      (url ? linkLine(url, title || url, textOf(part(card, "kg-bookmark-description"))) : "") +
      captionOf(card)
    );
  },
  "kg-toggle-card": (card) =>
    tag(
      "details",
      {},
      tag("summary", {}, htmlOf(part(card, "kg-toggle-heading-text"))) +
        htmlOf(part(card, "kg-toggle-content")),
    ),
  "kg-callout-card": (card) => {
    const color = /(?:^|\s)kg-callout-card-(\w+)/.exec(card.attribs.class ?? "")?.[1];
    const emoji = textOf(part(card, "kg-callout-emoji"));
    const content = `${emoji && `${escapeHtml(emoji)} `}${htmlOf(part(card, "kg-callout-text"))}`;
    return tag("aside", { class: `callout callout-${calloutKind(color)}` }, tag("p", {}, content));
  },
  "kg-gallery-card": (card) =>
    named(card, "img")
      .map(({ attribs: { src = "", alt, width, height } }) => figure({ src, alt, width, height }))
      .join("") + captionOf(card),
  "kg-video-card": file("video"),
  "kg-audio-card": file("sound", "kg-audio-title"),
  "kg-file-card": file("file", "kg-file-card-title"),
  "kg-product-card-rating": () => "",
  "kg-signup-card": skipped("a sign-up form"),
  "kg-transistor-card": skipped("a podcast player for members"),
};

/** Replaces Ghost's cards, and hides a text with a part for some readers. */
export function replaceCards(tree: Tree, { reportProblem, hide }: BodyReporter): void {
  for (const card of remainingIn(tree, withClass(tree, ...Object.keys(cards)))) {
    const convert = Object.entries(cards).find(([name]) => hasClass(card, name))?.[1];
    replace(card, convert?.(card, reportProblem));
  }
  for (const comment of commentsIn(tree)) {
    if (/^\s*members-only\s*$/i.test(comment)) hide("the part after its paywall is for members only");
    if (/^\s*kg-gated-block:begin/i.test(comment) && !/nonMember:true/i.test(comment))
      hide("part of it is not public");
  }
}

function* commentsIn(tree: Tree): Generator<string> {
  const pending = [...tree.children];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (isComment(node)) yield (node as unknown as { data: string }).data;
    else if ("children" in node) pending.push(...node.children);
  }
}
