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
  attachedIds: readonly string[];
  reportProblem: (problem: string) => void;
  /** Reports that a part is not public. */
  hide: (reason: string) => void;
}

type Attributes = Record<string, string>;
type Code = (attributes: Attributes, inner: string, context: ShortcodeContext) => string | null;

const player =
  (...names: string[]): Code =>
  (attributes, inner) => {
    const source = ["src", ...names, "0"].map((name) => attributes[name]).find(Boolean);
    const address = absolute(source ?? inner);
    return address ? linkLine(address) : null;
  };
const embedFrom =
  (toUrl: (id: string) => string): Code =>
  (attributes, inner) => {
    const reference =
      ["", "0", "id", "url", "src"].map((name) => attributes[name]).find(Boolean) ?? inner.trim();
    const address = absolute(reference) ?? (/^[\w-]+$/.test(reference) ? toUrl(reference) : null);
    return address ? linkLine(address) : null;
  };
/** Code is as it was typed, or as an editor escaped it: then it has no tags, or those of highlighting. */
function codeBlock(language: string | undefined, inner: string): string {
  const text = inner.replace(/^\r?\n|\r?\n$/g, "");
  const isTyped = text.includes("<") && !/^\s*<(?:code|span)\b/i.test(text);
  return tag("pre", { "data-language": language }, `\n${isTyped ? escapeHtml(text) : text}`);
}
const code: Code = ({ language, lang, 0: bare }, inner) => codeBlock(language ?? lang ?? bare, inner);
/** Shortcodes of SyntaxHighlighter; without an end they are text in brackets. */
const codeLanguages = new Set(
  `actionscript3 as3 bash shell sh c cpp csharp css delphi diff erlang fsharp go groovy html java javafx javascript js jscript
  json kotlin latex matlab objc perl php plain powershell python py r rails ruby scala sql swift text typescript ts vb vbnet xml
  xhtml xslt yaml`.split(/\s+/),
);

const converters: Record<string, Code> = {
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
  embed: (_, inner) => (absolute(inner) ? linkLine(inner.trim()) : null),
  audio: player("mp3", "m4a", "ogg", "wav", "wma", "flac"),
  video: player("mp4", "m4v", "webm", "ogv", "flv"),
  soundcloud: player("url"),
  instagram: player("url"),
  youtube: embedFrom((id) => `https://www.youtube.com/watch?v=${id}`),
  vimeo: embedFrom((id) => `https://vimeo.com/${id}`),
  gist: embedFrom((id) => `https://gist.github.com/${id}`),
  tweet: embedFrom((id) => `https://twitter.com/i/web/status/${id}`),
  code,
  ...Object.fromEntries(
    [...codeLanguages].map((name) => [name, (_: Attributes, inner: string) => codeBlock(name, inner)]),
  ),
};
const aliases: Record<string, string> = {
  wp_caption: "caption",
  highlight: "code",
  sourcecode: "code",
  cc: "code",
  crayon: "code",
  "youtube-embed": "youtube",
};
/** Page builders' layout tags. */
const pageBuilders = /^(?:vc|et_pb|fusion|av)_\w+$/;
/** Plugin tags that restrict parts to some people. */
const restrictions =
  /^(?:private|restrict(?:ed)?|members?(?:[_-]only)?|membership|(?:is_|user_)?logged_?in|um_loggedin|premium(?:_content)?|paid|subscribers?(?:[_-]only)?|s2if|(?:pmpro|wlm|rcp|swpm|arm)_\w+|(?:mepr|ihc)-[\w-]+|wcm_restrict)$/;
/** The most shortcodes per text, and characters per tag. */
const maximum = { codes: 10_000, length: 2_000 };

/** Converts common shortcodes to HTML. Unknown ones stay as text and are reported; `[[so]]` is escaped text. */
export function convertShortcodes(text: string, context: ShortcodeContext): string {
  const starts = /\[(\/?)([a-z][\w-]*)(?=[\s\]/="'])|<pre(\s[^<>]*)>/gi;
  const withoutEnd = new Set<string>();
  const parts: string[] = [];
  let from = 0;
  let codes = 0;
  let length = 0;
  const replaceRange = (until: number, html: string, next: number) => {
    parts.push(text.slice(from, until), html);
    from = starts.lastIndex = next;
  };
  for (let match = starts.exec(text); match; match = starts.exec(text)) {
    if (++codes > maximum.codes) {
      context.reportProblem(
        `Shortcodes after the first ${maximum.codes.toLocaleString("en")} were kept as text`,
      );
      break;
    }
    const [open, closes, writtenName = "", preAttributes] = match;
    const start = match.index;
    if (preAttributes !== undefined) {
      const language = languageOfPre(preAttributes);
      const close = language === null || withoutEnd.has("pre") ? -1 : text.indexOf("</pre>", start);
      if (close >= 0)
        replaceRange(start, codeBlock(language ?? "", text.slice(start + open.length, close)), close + 6);
      else if (language !== null) withoutEnd.add("pre");
      continue;
    }
    const end = endOfTag(text, start + open.length);
    if (end < 0) continue;
    const shortcodeText = text.slice(start, end);
    const rest = text.slice(start + open.length, end - 1);
    const name = writtenName.toLowerCase();
    const convert = converters[Object.hasOwn(aliases, name) ? (aliases[name] ?? "") : name];
    if (restrictions.test(name)) context.hide(`part of it is not public (${short(shortcodeText, 60)})`);
    if (text[start - 1] === "[" && text[end] === "]")
      replaceRange(start - 1, escapeHtml(shortcodeText), end + 1);
    else if (pageBuilders.test(name)) replaceRange(start, "\n\n", end);
    else if (!convert || !Object.hasOwn(converters, aliases[name] ?? name)) {
      // Unlike text in brackets, shortcodes have values or an end.
      if (closes || rest.includes("="))
        context.reportProblem(`Kept an unknown shortcode as text: ${short(shortcodeText, 80)}`);
    } else if (!closes) {
      const close =
        rest.endsWith("/") || withoutEnd.has(writtenName) ? -1 : text.indexOf(`[/${writtenName}]`, end);
      if (close < 0) withoutEnd.add(writtenName);
      if (close < 0 && codeLanguages.has(name)) continue;
      const html = convert(attributesOf(rest), close < 0 ? "" : text.slice(end, close), context);
      const next = close < 0 ? end : close + writtenName.length + 3;
      // Every gallery may repeat all pictures of the text.
      if ((length += html?.length ?? 0) > htmlLimits.length) {
        context.reportProblem(
          `Kept shortcodes from here on as text, since their content is too long: ${short(shortcodeText, 80)}`,
        );
        break;
      }
      if (html !== null) replaceRange(start, `\n\n${html}\n\n`, next);
      else {
        context.reportProblem(`Kept a shortcode that can’t be read as text: ${short(shortcodeText, 80)}`);
        starts.lastIndex = next;
      }
    }
  }
  return parts.join("") + text.slice(from);
}

/** Returns the language that WP-Syntax, Crayon and SyntaxHighlighter name in a `<pre>`, or null. */
function languageOfPre(attributes: string): string | null {
  const [, lang] = /\slang\s*=\s*["']?([\w+#-]{1,40})/i.exec(attributes) ?? [];
  const [, named] = /\sclass\s*=\s*["'][^"']*?\b(?:lang:|brush:\s?)([\w+#-]{1,40})/i.exec(attributes) ?? [];
  // Elsewhere `lang` is the language of a text.
  return (lang && (codeLanguages.has(lang.toLowerCase()) || /[+#]$/.test(lang)) ? lang : named) ?? null;
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
  const pairs = /(?:([\w-]+)\s*)?=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))|"([^"]*)"|([^\s"'=]+)/g;
  for (const [, name, double, single, plain, quoted, word] of text.matchAll(pairs)) {
    const value = (double ?? single ?? plain ?? quoted ?? word ?? "").replaceAll("&amp;", "&");
    const isBare = quoted !== undefined || word !== undefined;
    if (!isBare) attributes[(name ?? "").toLowerCase()] = value;
    else if (value !== "/") attributes[String(bare++)] = value;
  }
  return attributes;
}
