import { htmlLimits } from "../../../shared/document/limits.ts";
import { escapeHtml } from "../../../shared/document/html-tags.ts";
import { figure, linkLine, tag } from "../reading/html.ts";
import { absolute } from "../reading/tidy.ts";
import { short } from "../reading/values.ts";

export interface Attachment {
  url: string;
  alt: string;
  caption: string;
}

export interface ShortcodeContext {
  attachments: ReadonlyMap<string, Attachment>;
  /** IDs of attached pictures. */
  attachedIds: readonly string[];
  reportProblem: (problem: string) => void;
  /** Reports that a part is not public. */
  hide: (reason: string) => void;
}

type Attributes = Record<string, string>;
type Shortcode = (attributes: Attributes, inner: string, context: ShortcodeContext) => string | null;

/** Links the first address among the values, or that of an ID. */
const player =
  (toUrl: (id: string) => string = () => ""): Shortcode =>
  (attributes, inner) => {
    const values = [...Object.values(attributes), inner.trim()];
    const id = attributes.id ?? attributes["0"] ?? inner.trim();
    const address = values.map(absolute).find(Boolean) ?? (/^[\w-]+$/.test(id) ? absolute(toUrl(id)) : null);
    return address ? linkLine(address) : null;
  };
/** Code is as it was typed, or as an editor escaped it: then it has no tags, or those of highlighting. */
const code =
  (name?: string): Shortcode =>
  ({ language, lang, 0: bare }, inner) => {
    const text = inner.replace(/^\r?\n|\r?\n$/g, "");
    const isTyped = text.includes("<") && !/^\s*<(?:code|span)\b/i.test(text);
    return tag(
      "pre",
      { "data-language": name ?? language ?? lang ?? bare },
      `\n${isTyped ? escapeHtml(text) : text}`,
    );
  };
/** WordPress.com has a shortcode for each; without an end it is text in brackets. */
const codeLanguages = "bash c cpp csharp css html java javascript js perl php python r ruby sql xml".split(
  " ",
);

/** Those of WordPress and WordPress.com, under all their names. */
const shortcodes: Record<string, Shortcode> = {
  caption: ({ caption }, inner) => {
    const picture = /^\s*(?:<a\b[^<>]*>\s*)?<img\b[^<>]*>(?:\s*<\/a>)?/i.exec(inner)?.[0] ?? "";
    const text = (caption ?? inner.slice(picture.length)).trim();
    return tag("figure", {}, picture.trim() + (text && tag("figcaption", {}, text)));
  },
  gallery: ({ ids, include }, _, { attachments, attachedIds, reportProblem }) => {
    const pictureIds = (ids ?? include)?.split(/[\s,]+/).filter(Boolean) ?? attachedIds;
    const pictures = pictureIds.flatMap((id) => attachments.get(id) ?? []);
    const missing = pictureIds.length - pictures.length;
    if (missing > 0)
      reportProblem(`${missing} of ${pictureIds.length} pictures in a gallery are missing from the export`);
    if (pictures.length === 0) return null;
    return pictures.map(({ url, alt, caption }) => figure({ src: url, alt }, caption)).join("\n\n");
  },
  youtube: player((id) => `https://www.youtube.com/watch?v=${id}`),
  vimeo: player((id) => `https://vimeo.com/${id}`),
  gist: player((id) => `https://gist.github.com/${id}`),
  ...Object.fromEntries(
    ["embed", "audio", "video", "soundcloud", "instagram", "tweet"].map((name) => [name, player()]),
  ),
  ...Object.fromEntries(["code", "sourcecode", "highlight"].map((name) => [name, code()])),
  ...Object.fromEntries(codeLanguages.map((name) => [name, code(name)])),
};
shortcodes.wp_caption = shortcodes.caption!;

/** Page builders' layout tags. */
const pageBuilders = /^(?:vc|et_pb|fusion|av)_\w+$/;
/** Plugin tags that restrict parts to some people. */
const restrictions =
  /^(?:private|restrict(?:ed)?|members?(?:[_-]only)?|membership|(?:is_|user_)?logged_?in|um_loggedin|premium(?:_content)?|paid|subscribers?(?:[_-]only)?|s2if|(?:pmpro|wlm|rcp|swpm|arm)_\w+|(?:mepr|ihc)-[\w-]+|wcm_restrict)$/;
/** The most shortcodes per text, and characters per tag. */
const maximum = { codes: 10_000, length: 2_000 };

/** Converts common shortcodes to HTML. Unknown ones stay as text and are reported; `[[so]]` is escaped text. */
export function convertShortcodes(text: string, context: ShortcodeContext): string {
  const starts = /\[(\/?)([a-z][\w-]*)(?=[\s\]/="'])/gi;
  const withoutEnd = new Set<string>();
  const parts: string[] = [];
  let [from, count, length] = [0, 0, 0];
  const replaceUntil = (start: number, end: number, html: string) => {
    parts.push(text.slice(from, start), html);
    from = starts.lastIndex = end;
  };
  for (let match = starts.exec(text); match; match = starts.exec(text)) {
    if (++count > maximum.codes) {
      context.reportProblem(
        `Shortcodes after the first ${maximum.codes.toLocaleString("en")} were kept as text`,
      );
      context.hide("it has too many shortcodes to check");
      break;
    }
    const [open, closes, writtenName = ""] = match;
    const start = match.index;
    const end = endOfTag(text, start + open.length);
    if (end < 0) continue;
    const written = text.slice(start, end);
    const rest = text.slice(start + open.length, end - 1);
    const name = writtenName.toLowerCase();
    const convert = Object.hasOwn(shortcodes, name) ? shortcodes[name] : undefined;
    if (restrictions.test(name)) context.hide(`part of it is not public (${short(written, 60)})`);
    if (text[start - 1] === "[" && text[end] === "]") replaceUntil(start - 1, end + 1, escapeHtml(written));
    else if (pageBuilders.test(name)) replaceUntil(start, end, "\n\n");
    else if (!convert) {
      // Unlike text in brackets, shortcodes have values or an end.
      if (closes || rest.includes("="))
        context.reportProblem(`Kept an unknown shortcode as text: ${short(written, 80)}`);
    } else if (!closes) {
      const hasEnd = !rest.endsWith("/") && !withoutEnd.has(writtenName);
      const close = hasEnd ? text.indexOf(`[/${writtenName}]`, end) : -1;
      if (close < 0) withoutEnd.add(writtenName);
      if (close < 0 && codeLanguages.includes(name)) continue;
      const html = convert(attributesOf(rest), close < 0 ? "" : text.slice(end, close), context);
      // Every gallery may repeat all pictures of the text.
      if ((length += html?.length ?? 0) > htmlLimits.length) {
        context.reportProblem(
          `Kept shortcodes from here on as text, since their content is too long: ${short(written, 80)}`,
        );
        context.hide("it has too many shortcodes to check");
        break;
      }
      const next = close < 0 ? end : close + writtenName.length + 3;
      if (html !== null) replaceUntil(start, next, `\n\n${html}\n\n`);
      else {
        context.reportProblem(`Kept a shortcode that can’t be read as text: ${short(written, 80)}`);
        starts.lastIndex = next;
      }
    }
  }
  return parts.join("") + text.slice(from);
}

/** Returns the index after the closing `]` outside quotes, or -1. */
function endOfTag(text: string, from: number): number {
  let quote = "";
  for (let index = from; index < Math.min(text.length, from + maximum.length); index++) {
    const character = text[index] ?? "";
    if (quote) quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "]") return index + 1;
    else if (character === "[") return -1;
  }
  return -1;
}

function attributesOf(text: string): Attributes {
  const attributes: Attributes = {};
  let bare = 0;
  const pairs =
    /(?:([\w-]+)\s*)?=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|(https?:[^\s"']+|[^\s"'=]+)/g;
  for (const [, name, double, single, plain, quoted, word] of text.matchAll(pairs)) {
    const value = (double ?? single ?? plain ?? quoted ?? word ?? "").replaceAll("&amp;", "&");
    const isBare = quoted !== undefined || word !== undefined;
    if (!isBare) attributes[(name ?? "").toLowerCase()] = value;
    else if (value !== "/") attributes[String(bare++)] = value;
  }
  return attributes;
}
