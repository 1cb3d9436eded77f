import { htmlLimits } from "../../../shared/document/limits.ts";
import { absolute } from "../reading/tidy.ts";
import { escapeHtml, figure, linkLine, tag } from "../reading/html.ts";
import { short } from "../reading/values.ts";

export interface Attachment {
  url: string;
  alt: string;
  caption: string;
}

export interface ShortcodeContext {
  attachments: ReadonlyMap<string, Attachment>;
  /** IDs of attached pictures. */
  own: readonly string[];
  tell: (problem: string) => void;
  /** Reports that a part is not public. */
  hide: (reason: string) => void;
}

type Attributes = Record<string, string>;
type Code = (attributes: Attributes, inner: string, around: ShortcodeContext) => string | null;

const player =
  (...names: string[]): Code =>
  (attributes, inner) => {
    const named = ["src", ...names, "0"].map((name) => attributes[name]).find(Boolean);
    const address = absolute(named ?? inner);
    return address ? linkLine(address) : null;
  };
const ofSite =
  (place: (id: string) => string): Code =>
  (attributes, inner) => {
    const named = ["", "0", "id", "url", "src"].map((name) => attributes[name]).find(Boolean) ?? inner.trim();
    const address = absolute(named) ?? (/^[\w-]+$/.test(named) ? place(named) : null);
    return address ? linkLine(address) : null;
  };
const code: Code = ({ language, lang, 0: bare }, inner) =>
  tag("pre", { "data-language": language ?? lang ?? bare }, `\n${inner.replace(/^\n|\n$/g, "")}`);

const known: Record<string, Code> = {
  caption: ({ caption }, inner) => {
    const picture = /^\s*(?:<a\b[^<>]*>\s*)?<img\b[^<>]*>(?:\s*<\/a>)?/i.exec(inner)?.[0] ?? "";
    const text = (caption ?? inner.slice(picture.length)).trim();
    return tag("figure", {}, picture.trim() + (text && tag("figcaption", {}, text)));
  },
  gallery: ({ ids, include }, _, { attachments, own, tell }) => {
    const named = (ids ?? include)?.split(/[\s,]+/).filter(Boolean) ?? own;
    const pictures = named.flatMap((id) => attachments.get(id) ?? []);
    const missing = named.length - pictures.length;
    if (missing > 0) tell(`${missing} of ${named.length} pictures in a gallery are missing from the export`);
    if (pictures.length === 0) return null;
    return pictures.map(({ url, alt, caption }) => figure({ src: url, alt }, caption)).join("\n\n");
  },
  embed: (_, inner) => (absolute(inner) ? linkLine(inner.trim()) : null),
  audio: player("mp3", "m4a", "ogg", "wav", "wma", "flac"),
  video: player("mp4", "m4v", "webm", "ogv", "flv"),
  soundcloud: player("url"),
  instagram: player("url"),
  youtube: ofSite((id) => `https://www.youtube.com/watch?v=${id}`),
  vimeo: ofSite((id) => `https://vimeo.com/${id}`),
  gist: ofSite((id) => `https://gist.github.com/${id}`),
  tweet: ofSite((id) => `https://twitter.com/i/web/status/${id}`),
  code,
  sourcecode: code,
};
const aliases: Record<string, string> = {
  wp_caption: "caption",
  highlight: "code",
  "youtube-embed": "youtube",
};
/** Page builders' layout tags. */
const pageBuilders = /^(?:vc|et_pb|fusion|av)_\w+$/;
/** Plugin tags that restrict parts to some people. */
const restrictions =
  /^(?:private|restrict(?:ed)?|members?(?:[_-]only)?|membership|(?:is_|user_)?logged_?in|um_loggedin|premium(?:_content)?|paid|subscribers?(?:[_-]only)?|s2if|(?:pmpro|wlm|rcp|swpm|arm)_\w+|(?:mepr|ihc)-[\w-]+|wcm_restrict)$/;
/** The most shortcodes per text, and characters per tag. */
const most = { codes: 10_000, length: 2_000 };

/** Converts common shortcodes to HTML. Unknown ones stay as text and are reported; `[[so]]` is escaped text. */
export function convertShortcodes(text: string, around: ShortcodeContext): string {
  const starts = /\[(\/?)([a-z][\w-]*)(?=[\s\]/="'])/gi;
  const endless = new Set<string>();
  const out: string[] = [];
  let from = 0;
  let codes = 0;
  let length = 0;
  const put = (until: number, html: string, next: number) => {
    out.push(text.slice(from, until), html);
    from = starts.lastIndex = next;
  };
  for (let match = starts.exec(text); match; match = starts.exec(text)) {
    if (++codes > most.codes) {
      around.tell(`Shortcodes after the first ${most.codes.toLocaleString("en")} were kept as text`);
      break;
    }
    const [open, closes, written = ""] = match;
    const start = match.index;
    const end = endOfTag(text, start + open.length);
    if (end < 0) continue;
    const whole = text.slice(start, end);
    const rest = text.slice(start + open.length, end - 1);
    const name = written.toLowerCase();
    const read = known[Object.hasOwn(aliases, name) ? (aliases[name] ?? "") : name];
    if (restrictions.test(name)) around.hide(`part of it is not public (${short(whole, 60)})`);
    if (text[start - 1] === "[" && text[end] === "]") put(start - 1, escapeHtml(whole), end + 1);
    else if (pageBuilders.test(name)) put(start, "\n\n", end);
    else if (!read || !Object.hasOwn(known, aliases[name] ?? name)) {
      // Unlike text in brackets, shortcodes have values or an end.
      if (closes || rest.includes("=")) around.tell(`Kept an unknown shortcode as text: ${short(whole, 80)}`);
    } else if (!closes) {
      const close = rest.endsWith("/") || endless.has(written) ? -1 : text.indexOf(`[/${written}]`, end);
      if (close < 0) endless.add(written);
      const html = read(attributesOf(rest), close < 0 ? "" : text.slice(end, close), around);
      const next = close < 0 ? end : close + written.length + 3;
      // Every gallery may repeat all pictures of the text.
      if ((length += html?.length ?? 0) > htmlLimits.length) {
        around.tell(
          `Kept shortcodes from here on as text, since their content is too long: ${short(whole, 80)}`,
        );
        break;
      }
      if (html !== null) put(start, `\n\n${html}\n\n`, next);
      else {
        around.tell(`Kept a shortcode that can’t be read as text: ${short(whole, 80)}`);
        starts.lastIndex = next;
      }
    }
  }
  return out.join("") + text.slice(from);
}

/** Returns the index after the closing `]` outside quotes, or -1. */
function endOfTag(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < Math.min(text.length, from + most.length); at++) {
    const character = text[at] ?? "";
    if (quote) quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "]") return at + 1;
    else if (character === "[") return -1;
  }
  return -1;
}

function attributesOf(text: string): Attributes {
  const attributes: Attributes = {};
  let bare = 0;
  const pairs = /(?:([\w-]+)\s*)?=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|([^\s"'=]+)/g;
  for (const [, name, double, single, plain, quoted, word] of text.matchAll(pairs)) {
    const value = (double ?? single ?? plain ?? quoted ?? word ?? "").replaceAll("&amp;", "&");
    const isBare = quoted !== undefined || word !== undefined;
    if (!isBare) attributes[(name ?? "").toLowerCase()] = value;
    else if (value !== "/") attributes[String(bare++)] = value;
  }
  return attributes;
}
