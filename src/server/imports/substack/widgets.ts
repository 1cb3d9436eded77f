import { elementsIn, elementsNamed, hasClass, isElement, tagOf } from "../../../shared/document/dom.ts";
import { escapeHtml } from "../../../shared/document/html-tags.ts";
import {
  attribute,
  elements,
  figure,
  linkLine,
  remainingIn,
  replace,
  tag,
  textIn,
  withClass,
} from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { isRow, list, parsedJson, trimmedText, short, type Row } from "../reading/values.ts";

interface WidgetReporter {
  reportProblem: (problem: string) => void;
  hide: (reason: string) => void;
}

function attrsOf(element: Element): Row {
  const attrs = parsedJson(element.getAttribute("data-attrs"));
  return isRow(attrs) ? attrs : {};
}

/** Replaces Substack's pictures and widgets with plain HTML. */
export function simplifyWidgets(tree: Node, { reportProblem, hide }: WidgetReporter): void {
  const walls = withClass(tree, "paywall-jump", "paywall");
  if (walls.length > 0) hide("the part after its paywall is for paying readers only");
  for (const wall of walls) replace(wall, "<hr>");
  dropButtons(tree, reportProblem);
  for (const gallery of remainingIn(tree, withClass(tree, "image-gallery-embed")))
    replace(gallery, galleryHtml(attrsOf(gallery)));
  for (const image of elementsNamed(tree, "img")) restoreOriginalPicture(image);
  for (const control of withClass(tree, "image-link-expand", "hide-text")) replace(control);
  for (const formula of remainingIn(tree, withClass(tree, "latex-rendered"))) {
    const tex = trimmedText(attrsOf(formula).persistentExpression);
    replace(formula, tex ? tag("math", { display: "block", alttext: tex }, "") : "");
  }
  for (const widget of remainingIn(tree, elements(tree, isWidget)))
    if (hasClass(widget, "tweet") || !hasContent(widget) || embedClass.test(attribute(widget, "class")))
      replace(widget, widgetHtml(widget, reportProblem));
}

const isWidget = (element: Element): boolean =>
  element.hasAttribute("data-attrs") && !["img", "a"].includes(tagOf(element));
/** Widgets whose content says less than their address and title. */
const embedClass = /(?:^|\s)(?:[\w-]+-(?:wrap|embed|container)|github-gist|instagram|comment)(?:\s|$)/;
const hasContent = (element: Element): boolean =>
  textIn(element) !== "" || firstNamed(element, "img", "iframe", "video", "audio", "hr") !== undefined;

function firstNamed(element: Element, ...names: string[]): Element | undefined {
  for (const inner of elementsIn(element)) if (names.includes(tagOf(inner))) return inner;
  return undefined;
}

/** Returns a link to what a widget shows, with its title. */
function widgetHtml(widget: Element, reportProblem: (problem: string) => void): string {
  const attrs = attrsOf(widget);
  const texts = ["title", "name", "username", "symbol"].map((name) => trimmedText(attrs[name]));
  const title = texts.find(Boolean);
  // A person or a stock within a line.
  if (tagOf(widget) === "span") return escapeHtml(title ?? textIn(widget));
  const id = trimmedText(attrs.videoId);
  const isVimeo = hasClass(widget, "vimeo-wrap");
  const href = [
    id && (isVimeo ? `https://vimeo.com/${id}` : `https://www.youtube.com/watch?v=${id}`),
    attrs.instagram_id && `https://www.instagram.com/p/${trimmedText(attrs.instagram_id)}/`,
    attrs.url,
    attrs.canonical_url,
    attribute(firstNamed(widget, "a"), "href"),
    attribute(firstNamed(widget, "iframe"), "src"),
  ]
    .map((value) => absolute(trimmedText(value) ?? ""))
    .find(Boolean);
  const words = trimmedText(attrs.full_text) ?? trimmedText(attrs.body);
  if (!href) {
    reportProblem(
      `Skipped a part that works only on Substack: ${short(attribute(widget, "class") || tagOf(widget), 60)}`,
    );
    return words ? tag("p", {}, escapeHtml(words)) : "";
  }
  const link = linkLine(href, title ?? href);
  return words ? tag("blockquote", {}, tag("p", {}, escapeHtml(words)) + link) : link;
}

/** Subscribing, sharing and commenting lead nowhere here; other buttons become links. */
function dropButtons(tree: Node, reportProblem: (problem: string) => void): void {
  let dropped = 0;
  const isOfSubstack = (href: string): boolean =>
    !absolute(href) || /%%|[?&](?:action=share|utm_.*share)|\/subscribe\b|\/comments\b/.test(href);
  for (const button of remainingIn(tree, withClass(tree, ...buttons))) {
    const { url, text } = attrsOf(button);
    const href = trimmedText(url) ?? attribute(firstNamed(button, "a"), "href");
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
  const src = trimmedText(attrs.src);
  if (src) image.setAttribute("src", src);
  const [fullWidth, height] = [Number(attrs.width), Number(attrs.height)];
  const width = Number(attrs.resizeWidth) || fullWidth;
  if (width > 0) image.setAttribute("width", String(width));
  if (width > 0 && height > 0)
    image.setAttribute("height", String(Math.round((height * width) / (fullWidth || width))));
  // The link leads to the picture itself.
  const link = closestLink(image);
  const href = trimmedText(attrs.href);
  if (link && href) link.setAttribute("href", href);
  else if (link && hasClass(link, "image-link")) link.removeAttribute("href");
}

function closestLink(element: Element): Element | null {
  for (let ancestor = element.parentNode; ancestor; ancestor = ancestor.parentNode)
    if (isElement(ancestor) && tagOf(ancestor) === "a") return ancestor;
  return null;
}
