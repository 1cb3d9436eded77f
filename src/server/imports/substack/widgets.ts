import {
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
  elements,
  type Element,
  type Tree,
} from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { isRow, list, parsedJson, trimmedText, short, type Row } from "../reading/values.ts";

interface WidgetReporter {
  reportProblem: (problem: string) => void;
  hide: (reason: string) => void;
}

/** Parses an element's `data-attrs`. */
export function attrsOf({ attribs }: Element): Row {
  const attrs = parsedJson(attribs["data-attrs"]);
  return isRow(attrs) ? attrs : {};
}

/** Replaces Substack's pictures, widgets, notes and players with plain HTML. */
export function simplifyWidgets(tree: Tree, { reportProblem, hide }: WidgetReporter): void {
  if (withClass(tree, "paywall-jump", "paywall").length > 0) {
    hide("the part after its paywall is for paying readers only");
    for (const wall of withClass(tree, "paywall-jump", "paywall")) replace(wall, "<hr>");
  }
  dropSubscribeButtons(tree, reportProblem);
  for (const gallery of remainingIn(tree, withClass(tree, "image-gallery-embed")))
    replace(gallery, galleryHtml(attrsOf(gallery)));
  for (const image of named(tree, "img")) restoreOriginalPicture(image);
  for (const control of withClass(tree, "image-link-expand"))
    if (closest(control, isNamed("figure"))) replace(control);
  convertNotes(tree);
  for (const [name, convert] of Object.entries(embeds))
    for (const embed of remainingIn(tree, withClass(tree, name)))
      replace(embed, convert(attrsOf(embed), embed, reportProblem));
  for (const label of named(tree, "label")) if (closest(label, isPreformatted)) replace(label);
  for (const formula of remainingIn(tree, withClass(tree, "latex-rendered"))) {
    const expression = trimmedText(attrsOf(formula).persistentExpression);
    replace(
      formula,
      expression ? tag("pre", { "data-language": "latex" }, `\n${escapeHtml(expression)}`) : "",
    );
  }
  for (const block of withClass(tree, "highlighted_code_block")) {
    const code = firstNamed(block, "pre");
    const language = trimmedText(attrsOf(block).language);
    if (code && language) code.attribs["data-language"] = language;
  }
  for (const quote of withClass(tree, "pullquote")) pullQuote(quote);
}

/** Subscribing, sharing and commenting lead nowhere here; other buttons become links. */
function dropSubscribeButtons(tree: Tree, reportProblem: (problem: string) => void): void {
  const calls = withClass(
    tree,
    "subscription-widget-wrap",
    "subscription-widget-wrap-editor",
    "subscribe-widget",
    "install-substack-app-embed",
    "community-chat",
    "directMessage",
  );
  for (const call of calls) replace(call);
  let dropped = calls.length;
  for (const button of remainingIn(tree, withClass(tree, "button-wrapper"))) {
    const { url, text } = attrsOf(button);
    const link = firstNamed(button, "a");
    const href = trimmedText(url) ?? link?.attribs.href ?? "";
    const words = trimmedText(text) ?? textIn(button);
    if (
      absolute(href) &&
      !href.includes("%%") &&
      !/[?&](?:action=share|utm_.*share)|\/subscribe\b|\/comments\b/.test(href)
    )
      replace(button, linkLine(href, words));
    else {
      replace(button);
      dropped++;
    }
  }
  for (const poll of withClass(tree, "poll-embed")) {
    reportProblem("Skipped a poll");
    replace(poll);
  }
  if (dropped > 0) reportProblem("Skipped buttons to subscribe, share or comment");
}

const pictureIn = (attrs: Row): Parameters<typeof figure>[0] | null => {
  const src = trimmedText(attrs.src);
  return src ? { src, alt: trimmedText(attrs.alt), title: trimmedText(attrs.title), href: undefined } : null;
};

function galleryHtml(attrs: Row): string {
  const gallery = isRow(attrs.gallery) ? attrs.gallery : {};
  const pictures = list(gallery.images)
    .filter(isRow)
    .flatMap((image) => pictureIn({ alt: gallery.alt, ...image }) ?? []);
  const caption = trimmedText(gallery.caption);
  return (
    pictures.map((picture) => figure(picture)).join("") + (caption ? tag("p", {}, escapeHtml(caption)) : "")
  );
}

/** Uses the original picture at its displayed size. */
function restoreOriginalPicture(image: Element): void {
  const attrs = attrsOf(image);
  const src = trimmedText(attrs.src);
  if (src) image.attribs.src = src;
  const [width, height] = [Number(attrs.resizeWidth) || Number(attrs.width), Number(attrs.height)];
  if (Number.isInteger(width) && width > 0) {
    const fullWidth = Number(attrs.width) || width;
    image.attribs.width = String(width);
    if (height > 0) image.attribs.height = String(Math.round((height * width) / fullWidth));
  }
  // The link leads to the picture itself.
  const link = closest(image, isNamed("a"));
  if (link && hasClass(link, "image-link") && !trimmedText(attrs.href)) delete link.attribs.href;
  else if (link && trimmedText(attrs.href)) link.attribs.href = trimmedText(attrs.href) ?? "";
}

function closest(element: Element, fits: (outer: Element) => boolean): Element | null {
  for (let ancestor = element.parent; ancestor; ancestor = ancestor.parent)
    if (isElement(ancestor) && fits(ancestor)) return ancestor;
  return null;
}
const isNamed =
  (name: string) =>
  (element: Element): boolean =>
    element.name === name;
const isPreformatted = (element: Element): boolean => hasClass(element, "preformatted-block");

const noteKey = (number: string): string | null => (/^\d{1,9}$/.test(number) ? number : null);

const noteSign = (number: string, keys: ReadonlySet<string>): string =>
  keys.has(number)
    ? tag("sup", { class: "footnote-ref", "data-note": number }, "")
    : tag("sup", {}, escapeHtml(number));

function convertNotes(tree: Tree): void {
  const keys = new Set(withClass(tree, "footnote-number").flatMap((number) => noteKey(textIn(number)) ?? []));
  for (const anchor of remainingIn(tree, withClass(tree, "footnote-anchor")))
    replace(anchor, noteSign(textIn(anchor), keys));
  const notes = elements(tree, (element) => element.name === "div" && hasClass(element, "footnote"));
  let index = -1;
  for (const note of remainingIn(tree, notes)) {
    index++;
    const number = withClass(note, "footnote-number").map(textIn)[0] ?? String(index + 1);
    const content = withClass(note, "footnote-content").map(writeHtml)[0] ?? writeHtml(note);
    const item = tag("li", { "data-note": noteKey(number) }, content);
    replace(note, tag("section", { class: "footnotes" }, tag("ol", {}, item)));
  }
  const sections = withClass(tree, "footnotes").filter(({ name }) => name === "section");
  const [first] = sections.flatMap((section) => named(section, "ol").slice(0, 1));
  for (const section of sections.slice(1)) {
    const more = named(section, "ol")[0];
    if (!first || !more || section.parent !== sections[0]?.parent) continue;
    for (const item of more.children) item.parent = first;
    first.children.push(...more.children);
    replace(section);
  }
}

type Embed = (attrs: Row, element: Element, reportProblem: (problem: string) => void) => string;

const byAddress: Embed = (attrs, element, reportProblem) => {
  const href = [
    attrs.url,
    attrs.canonical_url,
    firstNamed(element, "a")?.attribs.href,
    firstNamed(element, "iframe")?.attribs.src,
  ]
    .map((value) => absolute(trimmedText(value) ?? ""))
    .find(Boolean);
  if (!href) {
    reportProblem(`Skipped an embed: ${short(textIn(element), 100) || "no address"}`);
    return "";
  }
  return linkLine(
    href,
    trimmedText(attrs.title) ??
      trimmedText(attrs.full_text) ??
      trimmedText(attrs.body) ??
      trimmedText(attrs.name) ??
      href,
  );
};
const video =
  (toUrl: (id: string) => string): Embed =>
  (attrs, element, reportProblem) => {
    const id = trimmedText(attrs.videoId);
    return id && /^[\w-]+$/.test(id) ? linkLine(toUrl(id)) : byAddress(attrs, element, reportProblem);
  };
const skippedEmbed =
  (description: string): Embed =>
  (_, __, reportProblem) => {
    reportProblem(`Skipped ${description} that works only on Substack`);
    return "";
  };

const embeds: Record<string, Embed> = {
  "youtube-wrap": video((id) => `https://www.youtube.com/watch?v=${id}`),
  "vimeo-wrap": video((id) => `https://vimeo.com/${id}`),
  tweet: (attrs, element, reportProblem) => {
    const words = trimmedText(attrs.full_text);
    const link = byAddress(
      { url: attrs.url, title: trimmedText(attrs.name) ?? trimmedText(attrs.username) },
      element,
      reportProblem,
    );
    return words ? tag("blockquote", {}, tag("p", {}, escapeHtml(words)) + link) : link;
  },
  "twitter-embed": byAddress,
  "embedded-post-wrap": byAddress,
  "embedded-publication-wrap": byAddress,
  "digest-post-embed": byAddress,
  "soundcloud-wrap": byAddress,
  "spotify-wrap": byAddress,
  "apple-podcast-container": byAddress,
  "tiktok-wrap": byAddress,
  "bluesky-wrap": byAddress,
  "github-gist": (attrs, element, reportProblem) =>
    byAddress(
      {
        url:
          trimmedText(attrs.url) ??
          withClass(element, "gist-meta").flatMap((meta) => named(meta, "a"))[0]?.attribs.href,
      },
      element,
      reportProblem,
    ),
  instagram: (attrs, element, reportProblem) => {
    const id = trimmedText(attrs.instagram_id);
    return byAddress(
      { ...attrs, url: id ? `https://www.instagram.com/p/${id}/` : attrs.url },
      element,
      reportProblem,
    );
  },
  comment: byAddress,
  "file-embed-wrapper": (attrs, element, reportProblem) =>
    byAddress(
      { ...attrs, title: withClass(element, "file-embed-details-h1").map(textIn)[0] },
      element,
      reportProblem,
    ),
  "native-video-embed": skippedEmbed("a video"),
  "native-audio-embed": skippedEmbed("a sound"),
  "cashtag-wrap": (attrs, element) => escapeHtml(trimmedText(attrs.symbol) ?? textIn(element)),
  "mention-wrap": (attrs, element) => escapeHtml(trimmedText(attrs.name) ?? textIn(element)),
};
