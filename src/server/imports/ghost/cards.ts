import { calloutKind } from "../../../shared/document/box-nodes.ts";
import { absolute } from "../reading/tidy.ts";
import { escapeHtml, figure, linkLine, tag } from "../reading/html.ts";
import { markdownToHtml } from "../../../shared/document/from-markdown.ts";
import { isRow, isYes, list, trimmedText, short, type Row } from "../reading/values.ts";

/** What a text reports besides its HTML. */
export interface BodyReporter {
  reportProblem: (problem: string) => void;
  /** Reports that a part is not public. */
  hide: (reason: string) => void;
}

type Card = (card: Row, reporter: BodyReporter) => string;

const html = (value: unknown): string => (typeof value === "string" ? value : "");
const text = (value: unknown): string => escapeHtml(trimmedText(value) ?? "");
const heading = (value: unknown, level: string): string => (html(value) ? tag(level, {}, html(value)) : "");
const paragraph = (value: unknown): string => (html(value) ? tag("p", {}, html(value)) : "");
const link = (href: unknown, label: unknown): string =>
  trimmedText(href) ? linkLine(trimmedText(href) ?? "", trimmedText(label)) : "";
const picture = (card: Row): string => {
  const src = trimmedText(card.src);
  if (!src) return "";
  const { alt, title, width, height, href } = card;
  return figure({ src, alt, title, width, height, href }, html(card.caption));
};
const skippedCard =
  (description: string): Card =>
  (_, { reportProblem }) => {
    reportProblem(`Skipped ${description}`);
    return "";
  };

/** Links a file with a full address; skips others. */
const file =
  (kind: string, name: (card: Row) => unknown): Card =>
  (card, { reportProblem }) => {
    const src = trimmedText(card.src) ?? "";
    const label = trimmedText(name(card)) ?? src.split("/").at(-1) ?? kind;
    const more = html(card.caption) || html(card.fileCaption);
    if (absolute(src)) return linkLine(src, label) + paragraph(more);
    reportProblem(`Skipped a ${kind} (only pictures can be imported): ${short(src || label)}`);
    return tag("p", {}, escapeHtml(label)) + paragraph(more);
  };

/** Returns the quotation with its link in the HTML of an embedded tweet or similar. */
function quotedPost(embed: string): string {
  const start = embed.search(/<blockquote\b[^<>]*\b(?:twitter-tweet|bluesky-embed|mastodon-embed)\b/i);
  const end = embed.lastIndexOf("</blockquote>");
  return start >= 0 && end > start ? `${embed.slice(start, end)}</blockquote>` : "";
}

const cards: Record<string, Card> = {
  image: picture,
  gallery: (card) => list(card.images).filter(isRow).map(picture).join("") + paragraph(card.caption),
  bookmark: (card) => {
    const metadata = isRow(card.metadata) ? card.metadata : card;
    const url = trimmedText(card.url) ?? trimmedText(metadata.url);
    if (!url) return "";
    const title = trimmedText(metadata.title) ?? url;
    return linkLine(url, title, trimmedText(metadata.description) ?? "") + paragraph(card.caption);
  },
  embed: (card) => {
    const quote = quotedPost(html(card.html));
    if (quote) return quote + paragraph(card.caption);
    const url = trimmedText(card.url);
    const metadata = isRow(card.metadata) ? card.metadata : {};
    return (
      (url ? linkLine(url, trimmedText(metadata.title) ?? url) : html(card.html)) + paragraph(card.caption)
    );
  },
  codeblock: (card) =>
    tag(
      "pre",
      { "data-language": trimmedText(card.language) },
      // HTML ignores the first line break.
      `\n${escapeHtml(html(card.code))}`,
    ) + paragraph(card.caption),
  html: (card, reporter) => {
    hideWhereMembersOnly(card, reporter);
    return html(card.html);
  },
  markdown: (card) => markdownToHtml(html(card.markdown), { breaks: true }),
  callout: (card) => {
    const inner = html(card.calloutText);
    const emoji = trimmedText(card.calloutEmoji) ? `${text(card.calloutEmoji)} ` : "";
    return tag(
      "aside",
      { class: `callout callout-${calloutKind(trimmedText(card.backgroundColor))}` },
      /^\s*<p\b[^>]*>/.test(inner)
        ? inner.replace(/^\s*<p\b[^>]*>/, (open) => open + emoji)
        : tag("p", {}, emoji + inner),
    );
  },
  toggle: (card) => tag("details", {}, tag("summary", {}, html(card.heading)) + (html(card.content) || "")),
  button: (card) => link(card.buttonUrl, card.buttonText),
  header: (card) =>
    heading(card.header, "h2") +
    paragraph(card.subheader) +
    (trimmedText(card.backgroundImageSrc)
      ? figure({ src: trimmedText(card.backgroundImageSrc) ?? "" })
      : "") +
    (card.buttonEnabled === false ? "" : link(card.buttonUrl, card.buttonText)),
  product: (card) =>
    picture({ src: card.productImageSrc, width: card.productImageWidth, height: card.productImageHeight }) +
    heading(card.productTitle, "h4") +
    (isYes(card.productRatingEnabled)
      ? tag("p", {}, "★".repeat(Math.min(Math.max(Math.round(Number(card.productStarRating) || 0), 0), 5)))
      : "") +
    (/^\s*</.test(html(card.productDescription))
      ? html(card.productDescription)
      : paragraph(card.productDescription)) +
    (card.productButtonEnabled === false ? "" : link(card.productUrl, card.productButton)),
  video: file("video", (card) => card.fileName),
  audio: file("sound", (card) => card.title),
  file: file("file", (card) => card.fileTitle ?? card.fileName),
  hr: () => "<hr>",
  paywall: (_, { hide }) => {
    hide("the part after its paywall is for members only");
    return "<hr>";
  },
  "call-to-action": (card, reporter) => {
    hideWhereMembersOnly(card, reporter);
    return (
      (trimmedText(card.imageUrl) ? figure({ src: trimmedText(card.imageUrl) ?? "" }) : "") +
      (html(card.textValue) || "") +
      link(card.buttonUrl, card.buttonText)
    );
  },
  nft: (card) => link(card.url, isRow(card.metadata) ? card.metadata.title : undefined),
  transistor: skippedCard("a podcast player for members"),
  signup: skippedCard("a sign-up form"),
  email: skippedCard("an email-only part"),
  "email-cta": skippedCard("an email-only part"),
  collection: skippedCard("a list of posts"),
  zwnj: () => "",
};

// Names in older versions.
const olderNames: Record<string, string> = {
  code: "codeblock",
  horizontalrule: "hr",
  "card-markdown": "markdown",
  "markdown-card": "markdown",
  "image-card": "image",
  "html-card": "html",
  cta: "call-to-action",
};

/** Returns a card's HTML; undefined for an unknown name. */
export function cardHtml(name: string, card: Row, reporter: BodyReporter): string | undefined {
  const currentName = olderNames[name] ?? name;
  return Object.hasOwn(cards, currentName) ? cards[currentName]?.(card, reporter) : undefined;
}

function hideWhereMembersOnly({ visibility }: Row, { hide }: BodyReporter): void {
  const web = isRow(visibility) && isRow(visibility.web) ? visibility.web : {};
  if (web.nonMember === false || (isRow(visibility) && visibility.showOnWeb === false))
    hide("part of it is not public");
}
