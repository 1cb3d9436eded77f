import { calloutKind } from "../../../shared/document/box-nodes.ts";
import { absolute } from "../reading/tidy.ts";
import { escapeHtml, figure, linkLine, tag } from "../reading/html.ts";
import { markdownToHtml } from "../../../shared/document/from-markdown.ts";
import { isRow, isYes, list, said, short, type Row } from "../reading/values.ts";

/** What a body says beside its HTML. */
export interface Telling {
  tell: (problem: string) => void;
  /** Something in it is not for everybody. */
  hide: (reason: string) => void;
}

type Card = (card: Row, telling: Telling) => string;

const html = (value: unknown): string => (typeof value === "string" ? value : "");
const text = (value: unknown): string => escapeHtml(said(value) ?? "");
const heading = (value: unknown, level: string): string => (html(value) ? tag(level, {}, html(value)) : "");
const paragraph = (value: unknown): string => (html(value) ? tag("p", {}, html(value)) : "");
const link = (href: unknown, label: unknown): string =>
  said(href) ? linkLine(said(href) ?? "", said(label)) : "";
const picture = (card: Row): string => {
  const src = said(card.src);
  if (!src) return "";
  const { alt, title, width, height, href } = card;
  return figure({ src, alt, title, width, height, href }, html(card.caption));
};
const leftOut =
  (what: string): Card =>
  (_, { tell }) => {
    tell(`Skipped ${what}`);
    return "";
  };

/** A file of the old site: it stays where it is, or cannot be taken. */
const file =
  (kind: string, name: (card: Row) => unknown): Card =>
  (card, { tell }) => {
    const src = said(card.src) ?? "";
    const label = said(name(card)) ?? src.split("/").at(-1) ?? kind;
    const more = html(card.caption) || html(card.fileCaption);
    if (absolute(src)) return linkLine(src, label) + paragraph(more);
    tell(`Skipped a ${kind} (only pictures can be imported): ${short(src || label)}`);
    return tag("p", {}, escapeHtml(label)) + paragraph(more);
  };

const cards: Record<string, Card> = {
  image: picture,
  gallery: (card) => list(card.images).filter(isRow).map(picture).join("") + paragraph(card.caption),
  bookmark: (card) => {
    const metadata = isRow(card.metadata) ? card.metadata : card;
    const url = said(card.url) ?? said(metadata.url);
    if (!url) return "";
    const title = said(metadata.title) ?? url;
    return linkLine(url, title, said(metadata.description) ?? "") + paragraph(card.caption);
  },
  embed: (card) => {
    const url = said(card.url);
    const metadata = isRow(card.metadata) ? card.metadata : {};
    return (url ? linkLine(url, said(metadata.title) ?? url) : html(card.html)) + paragraph(card.caption);
  },
  codeblock: (card) =>
    tag(
      "pre",
      { "data-language": said(card.language) },
      // The line break behind the tag is none of the code.
      `\n${escapeHtml(html(card.code))}`,
    ) + paragraph(card.caption),
  html: (card, telling) => {
    hideWhereMembersOnly(card, telling);
    return html(card.html);
  },
  markdown: (card) => markdownToHtml(html(card.markdown)),
  callout: (card) => {
    const inner = html(card.calloutText);
    const emoji = said(card.calloutEmoji) ? `${text(card.calloutEmoji)} ` : "";
    return tag(
      "aside",
      { class: `callout callout-${calloutKind(said(card.backgroundColor))}` },
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
    (said(card.backgroundImageSrc) ? figure({ src: said(card.backgroundImageSrc) ?? "" }) : "") +
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
  "call-to-action": (card, telling) => {
    hideWhereMembersOnly(card, telling);
    return (
      (said(card.imageUrl) ? figure({ src: said(card.imageUrl) ?? "" }) : "") +
      (html(card.textValue) || "") +
      link(card.buttonUrl, card.buttonText)
    );
  },
  nft: (card) => link(card.url, isRow(card.metadata) ? card.metadata.title : undefined),
  transistor: leftOut("a podcast player for members"),
  signup: leftOut("a sign-up form"),
  email: leftOut("an email-only part"),
  "email-cta": leftOut("an email-only part"),
  collection: leftOut("a list of posts"),
  zwnj: () => "",
};

// The names of older versions.
const others: Record<string, string> = {
  code: "codeblock",
  horizontalrule: "hr",
  "card-markdown": "markdown",
  "markdown-card": "markdown",
  "image-card": "image",
  "html-card": "html",
  cta: "call-to-action",
};

/** A card as HTML; undefined where its name is not known. */
export function cardHtml(name: string, card: Row, telling: Telling): string | undefined {
  const known = others[name] ?? name;
  return Object.hasOwn(cards, known) ? cards[known]?.(card, telling) : undefined;
}

function hideWhereMembersOnly({ visibility }: Row, { hide }: Telling): void {
  const web = isRow(visibility) && isRow(visibility.web) ? visibility.web : {};
  if (web.nonMember === false || (isRow(visibility) && visibility.showOnWeb === false))
    hide("part of it is not public");
}
