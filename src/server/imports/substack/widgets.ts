import {
  elements,
  escapeHtml,
  figure,
  firstNamed,
  hasClass,
  isElement,
  linkLine,
  named,
  pullQuote,
  replace,
  remainingIn,
  tag,
  textIn,
  withClass,
  writeHtml,
  type Element,
  type Tree,
} from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { isRow, list, parsedJson, trimmedText, short, type Row } from "../reading/values.ts";

interface WidgetReporter {
  reportProblem: (problem: string) => void;
  hide: (reason: string) => void;
}

function attrsOf({ attribs }: Element): Row {
  const attrs = parsedJson(attribs["data-attrs"]);
  return isRow(attrs) ? attrs : {};
}

/** Replaces Substack's pictures, notes and widgets with plain HTML. */
export function simplifyWidgets(tree: Tree, { reportProblem, hide }: WidgetReporter): void {
  const walls = withClass(tree, "paywall-jump", "paywall");
  if (walls.length > 0) hide("the part after its paywall is for paying readers only");
  for (const wall of walls) replace(wall, "<hr>");
  dropButtons(tree, reportProblem);
  for (const gallery of remainingIn(tree, withClass(tree, "image-gallery-embed")))
    replace(gallery, galleryHtml(attrsOf(gallery)));
  for (const image of named(tree, "img")) restoreOriginalPicture(image);
  for (const control of withClass(tree, "image-link-expand", "hide-text")) replace(control);
  convertNotes(tree);
  for (const formula of remainingIn(tree, withClass(tree, "latex-rendered"))) {
    const tex = trimmedText(attrsOf(formula).persistentExpression);
    replace(formula, tex ? tag("math", { display: "block", alttext: tex }, "") : "");
  }
  for (const quote of withClass(tree, "pullquote")) pullQuote(quote);
  for (const widget of remainingIn(tree, elements(tree, isWidget)))
    if (hasClass(widget, "tweet") || !hasContent(widget) || embedClass.test(widget.attribs.class ?? ""))
      replace(widget, widgetHtml(widget, reportProblem));
}

const isWidget = ({ name, attribs }: Element): boolean =>
  "data-attrs" in attribs && name !== "img" && name !== "a";
/** Widgets whose content says less than their address and title. */
const embedClass = /(?:^|\s)(?:[\w-]+-(?:wrap|embed|container)|github-gist|instagram|comment)(?:\s|$)/;
const hasContent = (element: Element): boolean =>
  textIn(element) !== "" || firstNamed(element, "img", "iframe", "video", "audio", "hr") !== undefined;

/** Returns a link to what a widget shows, with its title. */
function widgetHtml(widget: Element, reportProblem: (problem: string) => void): string {
  const attrs = attrsOf(widget);
  const texts = ["title", "name", "username", "symbol"].map((name) => trimmedText(attrs[name]));
  const title = texts.find(Boolean);
  // A person or a stock within a line.
  if (widget.name === "span") return escapeHtml(title ?? textIn(widget));
  const id = trimmedText(attrs.videoId);
  const isVimeo = hasClass(widget, "vimeo-wrap");
  const href = [
    id && (isVimeo ? `https://vimeo.com/${id}` : `https://www.youtube.com/watch?v=${id}`),
    attrs.instagram_id && `https://www.instagram.com/p/${trimmedText(attrs.instagram_id)}/`,
    attrs.url,
    attrs.canonical_url,
    firstNamed(widget, "a")?.attribs.href,
    firstNamed(widget, "iframe")?.attribs.src,
  ]
    .map((value) => absolute(trimmedText(value) ?? ""))
    .find(Boolean);
  const words = trimmedText(attrs.full_text) ?? trimmedText(attrs.body);
  if (!href) {
    reportProblem(
      `Skipped a part that works only on Substack: ${short(widget.attribs.class ?? widget.name, 60)}`,
    );
    return words ? tag("p", {}, escapeHtml(words)) : "";
  }
  const link = linkLine(href, title ?? href);
  return words ? tag("blockquote", {}, tag("p", {}, escapeHtml(words)) + link) : link;
}

/** Subscribing, sharing and commenting lead nowhere here; other buttons become links. */
function dropButtons(tree: Tree, reportProblem: (problem: string) => void): void {
  let dropped = 0;
  const isOfSubstack = (href: string): boolean =>
    !absolute(href) || /%%|[?&](?:action=share|utm_.*share)|\/subscribe\b|\/comments\b/.test(href);
  for (const button of remainingIn(tree, withClass(tree, ...buttons))) {
    const { url, text } = attrsOf(button);
    const href = trimmedText(url) ?? firstNamed(button, "a")?.attribs.href ?? "";
    const isKept = hasClass(button, "button-wrapper") && !isOfSubstack(href);
    replace(button, isKept ? linkLine(href, trimmedText(text) ?? textIn(button)) : "");
    if (!isKept) dropped++;
  }
  if (dropped > 0) reportProblem("Skipped buttons to subscribe, share or comment");
}
const buttons = [
  "button-wrapper",
  "subscription-widget-wrap",
  "subscription-widget-wrap-editor",
  "subscribe-widget",
  "install-substack-app-embed",
  "community-chat",
  "directMessage",
];

function galleryHtml(attrs: Row): string {
  const gallery = isRow(attrs.gallery) ? attrs.gallery : {};
  const caption = trimmedText(gallery.caption);
  const pictures = list(gallery.images)
    .filter(isRow)
    .map(({ src, alt = gallery.alt }) =>
      trimmedText(src) ? figure({ src: trimmedText(src) ?? "", alt }) : "",
    );
  return pictures.join("") + (caption ? tag("p", {}, escapeHtml(caption)) : "");
}

/** Uses the original picture at its displayed size. */
function restoreOriginalPicture(image: Element): void {
  const attrs = attrsOf(image);
  image.attribs.src = trimmedText(attrs.src) ?? image.attribs.src ?? "";
  const [fullWidth, height] = [Number(attrs.width), Number(attrs.height)];
  const width = Number(attrs.resizeWidth) || fullWidth;
  if (width > 0) image.attribs.width = String(width);
  if (width > 0 && height > 0)
    image.attribs.height = String(Math.round((height * width) / (fullWidth || width)));
  // The link leads to the picture itself.
  const link = closestLink(image);
  const href = trimmedText(attrs.href);
  if (link && href) link.attribs.href = href;
  else if (link && hasClass(link, "image-link")) delete link.attribs.href;
}

function closestLink(element: Element): Element | null {
  for (let ancestor = element.parent; ancestor; ancestor = ancestor.parent)
    if (isElement(ancestor) && ancestor.name === "a") return ancestor;
  return null;
}

const noteKey = (number: string): string | null => (/^\d{1,9}$/.test(number) ? number : null);

/** Collects the notes, each of which is a part of its own, in a list. */
function convertNotes(tree: Tree): void {
  const numbers = withClass(tree, "footnote-number").map(textIn);
  for (const anchor of remainingIn(tree, withClass(tree, "footnote-anchor"))) {
    const number = textIn(anchor);
    const sign = { class: "footnote-ref", "data-note": number };
    replace(
      anchor,
      noteKey(number) && numbers.includes(number) ? tag("sup", sign, "") : tag("sup", {}, number),
    );
  }
  const all = new Set<unknown>(withClass(tree, "footnote").filter(({ name }) => name === "div"));
  const isWithinNote = ({ parent }: Element): boolean =>
    parent !== null && (all.has(parent) || isWithinNote(parent as Element));
  const notes = ([...all] as Element[]).filter((note) => !isWithinNote(note));
  const items = notes.map((note, index) => {
    const number = withClass(note, "footnote-number").map(textIn)[0] ?? String(index + 1);
    const content = withClass(note, "footnote-content").map(writeHtml)[0] ?? writeHtml(note);
    return tag("li", { "data-note": noteKey(number) }, content);
  });
  for (const [index, note] of notes.entries())
    replace(note, index === 0 ? tag("section", { class: "footnotes" }, tag("ol", {}, items.join(""))) : "");
}
