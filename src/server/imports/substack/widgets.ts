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

interface Telling {
  tell: (problem: string) => void;
  hide: (reason: string) => void;
}

/** Parses an element's `data-attrs`. */
export function attrsOf({ attribs }: Element): Row {
  const attrs = parsedJson(attribs["data-attrs"]);
  return isRow(attrs) ? attrs : {};
}

/** Replaces Substack's pictures, widgets, notes and players with plain HTML. */
export function simplifyWidgets(tree: Tree, { tell, hide }: Telling): void {
  if (withClass(tree, "paywall-jump", "paywall").length > 0) {
    hide("the part after its paywall is for paying readers only");
    for (const wall of withClass(tree, "paywall-jump", "paywall")) replace(wall, "<hr>");
  }
  dropSubscribeButtons(tree, tell);
  for (const gallery of remainingIn(tree, withClass(tree, "image-gallery-embed")))
    replace(gallery, galleryHtml(attrsOf(gallery)));
  for (const image of named(tree, "img")) wholePicture(image);
  for (const control of withClass(tree, "image-link-expand"))
    if (around(control, isNamed("figure"))) replace(control);
  noteNumbers(tree);
  for (const [name, place] of Object.entries(embeds))
    for (const embed of remainingIn(tree, withClass(tree, name)))
      replace(embed, place(attrsOf(embed), embed, tell));
  for (const label of named(tree, "label")) if (around(label, isPreformatted)) replace(label);
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
function dropSubscribeButtons(tree: Tree, tell: (problem: string) => void): void {
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
    tell("Skipped a poll");
    replace(poll);
  }
  if (dropped > 0) tell("Skipped buttons to subscribe, share or comment");
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
function wholePicture(image: Element): void {
  const attrs = attrsOf(image);
  const src = trimmedText(attrs.src);
  if (src) image.attribs.src = src;
  const [width, height] = [Number(attrs.resizeWidth) || Number(attrs.width), Number(attrs.height)];
  if (Number.isInteger(width) && width > 0) {
    const whole = Number(attrs.width) || width;
    image.attribs.width = String(width);
    if (height > 0) image.attribs.height = String(Math.round((height * width) / whole));
  }
  // The link leads to the picture itself.
  const link = around(image, isNamed("a"));
  if (link && hasClass(link, "image-link") && !trimmedText(attrs.href)) delete link.attribs.href;
  else if (link && trimmedText(attrs.href)) link.attribs.href = trimmedText(attrs.href) ?? "";
}

function around(element: Element, fits: (outer: Element) => boolean): Element | null {
  for (let at = element.parent; at; at = at.parent) if (isElement(at) && fits(at)) return at;
  return null;
}
const isNamed =
  (name: string) =>
  (element: Element): boolean =>
    element.name === name;
const isPreformatted = (element: Element): boolean => hasClass(element, "preformatted-block");

const keyed = (number: string): string | null => (/^\d{1,9}$/.test(number) ? number : null);

const sign = (number: string, keys: ReadonlySet<string>): string =>
  keys.has(number)
    ? tag("sup", { class: "footnote-ref", "data-note": number }, "")
    : tag("sup", {}, escapeHtml(number));

function noteNumbers(tree: Tree): void {
  const keys = new Set(withClass(tree, "footnote-number").flatMap((number) => keyed(textIn(number)) ?? []));
  for (const anchor of remainingIn(tree, withClass(tree, "footnote-anchor")))
    replace(anchor, sign(textIn(anchor), keys));
  const notes = elements(tree, (element) => element.name === "div" && hasClass(element, "footnote"));
  let at = -1;
  for (const note of remainingIn(tree, notes)) {
    at++;
    const number = withClass(note, "footnote-number").map(textIn)[0] ?? String(at + 1);
    const content = withClass(note, "footnote-content").map(writeHtml)[0] ?? writeHtml(note);
    const item = tag("li", { "data-note": keyed(number) }, content);
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

type Embed = (attrs: Row, element: Element, tell: (problem: string) => void) => string;

const byAddress: Embed = (attrs, element, tell) => {
  const href = [
    attrs.url,
    attrs.canonical_url,
    firstNamed(element, "a")?.attribs.href,
    firstNamed(element, "iframe")?.attribs.src,
  ]
    .map((value) => absolute(trimmedText(value) ?? ""))
    .find(Boolean);
  if (!href) {
    tell(`Skipped an embed: ${short(textIn(element), 100) || "no address"}`);
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
  (place: (id: string) => string): Embed =>
  (attrs, element, tell) => {
    const id = trimmedText(attrs.videoId);
    return id && /^[\w-]+$/.test(id) ? linkLine(place(id)) : byAddress(attrs, element, tell);
  };
const skippedEmbed =
  (what: string): Embed =>
  (_, __, tell) => {
    tell(`Skipped ${what} that works only on Substack`);
    return "";
  };

const embeds: Record<string, Embed> = {
  "youtube-wrap": video((id) => `https://www.youtube.com/watch?v=${id}`),
  "vimeo-wrap": video((id) => `https://vimeo.com/${id}`),
  tweet: (attrs, element, tell) => {
    const words = trimmedText(attrs.full_text);
    const link = byAddress(
      { url: attrs.url, title: trimmedText(attrs.name) ?? trimmedText(attrs.username) },
      element,
      tell,
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
  "github-gist": (attrs, element, tell) =>
    byAddress(
      {
        url:
          trimmedText(attrs.url) ??
          withClass(element, "gist-meta").flatMap((meta) => named(meta, "a"))[0]?.attribs.href,
      },
      element,
      tell,
    ),
  instagram: (attrs, element, tell) => {
    const id = trimmedText(attrs.instagram_id);
    return byAddress({ ...attrs, url: id ? `https://www.instagram.com/p/${id}/` : attrs.url }, element, tell);
  },
  comment: byAddress,
  "file-embed-wrapper": (attrs, element, tell) =>
    byAddress({ ...attrs, title: withClass(element, "file-embed-details-h1").map(textIn)[0] }, element, tell),
  "native-video-embed": skippedEmbed("a video"),
  "native-audio-embed": skippedEmbed("a sound"),
  "cashtag-wrap": (attrs, element) => escapeHtml(trimmedText(attrs.symbol) ?? textIn(element)),
  "mention-wrap": (attrs, element) => escapeHtml(trimmedText(attrs.name) ?? textIn(element)),
};
