import { escapeHtml } from "../../../shared/document/html-tags.ts";
import { figure, tag } from "../reading/html.ts";

/* The tags that Hugo, Jekyll, Zola and Eleventy replace in a text. */

export interface ConvertedTags {
  text: string;
  /** Names of tags that were removed. */
  unknown: string[];
  /** Why a part may not have been public. */
  hidden: string | null;
}

/** Tags whose content was not always shown, or not to everyone. */
const hidingTags =
  /^(?:if|ifchanged|unless|for|case|switch|else|elif|elseif|elsif|when|tablerow|draft|private|hide|hidden|secret|protected|password|members?|membersonly|encrypt|encrypted|paywall)$/;

/** The start of a part that was not always shown, where tags are not converted: in an HTML comment, or in highlighted code. */
const conditional = /\{%[-+~]?\s*(?:comment|if|unless|for|case)\b/;

/** Code, comments, and the starts of tags. `{#name}` is the ID of a heading. */
const tokens =
  /^ {0,3}(?<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*$|(?<!`)(?<code>`+)[^`\n]+`+|(?<comment><!--|\{#(?![\w:.-]{1,200}(?:[ \t][^{}#\n]{0,200})?\})|\{\{?-?\s{0,20}\/\*|\{::comment\})|(?<open>\{\{[<%]|\{\{|\{%)/gm;
const closings: Record<string, string> = { "{{<": ">}}", "{{%": "%}}", "{{": "}}", "{%": "%}" };
const commentEnds: Record<string, string> = { "*": "*/", "}": "{:/comment}" };
const withoutEnd = "it has a comment without an end";
/** The most characters in a tag. */
const maxTagCharacters = 2_000;

/**
 * Converts common tags and removes others, whose content stays. Leaves code and comments as they are. Takes linear time for any
 * input.
 */
export function convertTags(text: string): ConvertedTags {
  const unknown = new Set<string>();
  const parts: string[] = [];
  let hidden: string | null = null;
  let from = 0;
  const missingEnds = new Set<string>();
  const nextEnds = new Map<string, number>();
  /** Returns the index behind the next `end`; searches the text once for each. */
  const endOf = (end: string, start: number): number | null => {
    let at = nextEnds.get(end) ?? 0;
    if (at !== -1 && at < start) nextEnds.set(end, (at = text.indexOf(end, start)));
    return at === -1 ? null : at + end.length;
  };
  const replaceUntil = (start: number, end: number, replacement: string) => {
    parts.push(withoutAttributes(text.slice(from, start)), replacement);
    from = tokens.lastIndex = end;
  };
  const keepUntil = (start: number, end: number) =>
    replaceUntil(start, end, text.slice(start, end).replace(escapedTag, "{{$1$2$3}}"));
  tokens.lastIndex = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const { fence, code, comment, open = "" } = token.groups ?? {};
    const [start, inner] = [token.index, tokens.lastIndex];
    if (fence !== undefined) keepUntil(start, endOfFence(text, fence, inner));
    else if (code !== undefined) keepUntil(start, inner);
    else if (comment === "<!--") {
      const end = endOf("-->", inner) ?? inner;
      if (conditional.test(text.slice(inner, end))) hidden ??= "part of it was not always shown";
      keepUntil(start, end);
    } else if (comment !== undefined) {
      const end = endOf(commentEnds[comment.at(-1) ?? ""] ?? "#}", inner);
      if (end === null) hidden ??= withoutEnd;
      // Behind `*/`.
      else replaceUntil(start, end + (/^\s*-?\}\}?/.exec(text.slice(end, end + 20))?.[0].length ?? 0), "");
    } else {
      const end = endOf(closings[open] ?? "", inner);
      const content = text
        .slice(inner, (end ?? Infinity) - (closings[open]?.length ?? 0))
        .slice(0, maxTagCharacters);
      const { name, rest } = partsOf(open, content);
      if (hidingTags.test(name)) hidden ??= `part of it was not always shown, or not to everyone (“${name}”)`;
      if (end !== null && open === "{%" && /^-?\s*#/.test(content)) {
        replaceUntil(start, end, "");
        continue;
      }
      if (end === null || end - inner > maxTagCharacters) continue;
      // Hugo has no `raw`: what is in a shortcode of that name is processed.
      const pairs = open === "{%" ? /^(?:comment|highlight|raw|verbatim)$/ : /^(?:comment|highlight)$/;
      const isPair = pairs.test(name) && !missingEnds.has(open + name);
      const close = isPair ? endTag(text, open, name, end) : null;
      if (isPair && !close) missingEnds.add(open + name);
      const body = close ? text.slice(end, close.index) : "";
      // Nested comments end with the outer one.
      if (name === "comment" && (!close || /[%<]-?\s*comment\b/.test(body))) hidden ??= withoutEnd;
      if (name === "highlight" && isConditional(body)) hidden ??= "part of its code was not always shown";
      if (close) {
        const replacement = name === "highlight" ? fenced(rest, body) : name === "comment" ? "" : body;
        replaceUntil(start, close.index + close[0].length, replacement);
      } else {
        const replacement = convertTag(open, content, { name, rest }, unknown);
        if (replacement !== null) replaceUntil(start, end, replacement);
      }
    }
  }
  return { text: parts.join("") + withoutAttributes(text.slice(from)), unknown: [...unknown], hidden };
}

/** Returns the end of a fence, or of the text. */
function endOfFence(text: string, fence: string, start: number): number {
  const ends = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`, "gm");
  ends.lastIndex = start;
  return ends.exec(text) ? ends.lastIndex : text.length;
}

/** Hugo's escape for showing a tag as text. */
const escapedTag = /\{\{([<%])\/\*([^{}]*)\*\/([>%])\}\}/g;

/** Whether code was not always shown as a whole. Tags within `raw` are part of the code. */
const isConditional = (code: string): boolean =>
  code.split(/\{%-?\s*(?:end)?raw\s*-?%\}/).some((part, index) => index % 2 === 0 && conditional.test(part));

function endTag(text: string, open: string, name: string, start: number): RegExpExecArray | null {
  const end =
    open === "{%" ? String.raw`\{%-?\s*end${name}\s*-?%\}` : String.raw`\{\{[<%]\s*/\s*${name}\s*[>%]\}\}`;
  const ends = new RegExp(end, "g");
  ends.lastIndex = start;
  return ends.exec(text);
}

const fenced = (rest: string, code: string): string => {
  const [language = ""] = /^["']?[\w+#-]{1,40}/.exec(rest.trim()) ?? [];
  const text = code
    .replace(/\{%-?\s*(?:end)?raw\s*-?%\}/g, "")
    .replaceAll("~~~~~", "~~~~")
    .replace(/^\n|\n$/g, "");
  return `\n~~~~~ ${language.replace(/^["']/, "")}\n${text}\n~~~~~\n`;
};

interface TagParts {
  name: string;
  rest: string;
}

/** Splits a tag into its name and values. */
function partsOf(open: string, content: string): TagParts {
  const plain = content
    .replace(/^[-+~]|[-+~]$/g, "")
    .trim()
    .replace(/\/$/, "");
  const [, name = "", rest = ""] = /^(\/?\s*[\w./:-]+)(.*)$/s.exec(plain) ?? [];
  if (name === "include") {
    // `{% include figure.html src="a.png" %}` of Jekyll.
    const [, file = "", values = ""] = /^\s*(\S+)(.*)$/s.exec(rest) ?? [];
    return { name: (file.split("/").pop() ?? "").replace(/\.\w+$/, ""), rest: values };
  }
  // `{{ name(id="a", b="c") }}` of Zola.
  const [, values = rest] = (!/[<%]$/.test(open) && /^\s*\((.*)\)$/s.exec(rest)) || [];
  return { name, rest: values };
}

/** Returns a tag's replacement; null when it is text. */
function convertTag(
  open: string,
  content: string,
  { name, rest }: TagParts,
  unknown: Set<string>,
): string | null {
  if (content.startsWith("/*")) return escapeHtml(`${open}${content.slice(2, -2)}${closings[open]}`);
  if (/^(?:\/|end)/.test(name) || /^(?:assign|capture|set)$/.test(name)) return "";
  if (/^(?:rel)?ref$|^post_url$|^link$/.test(name)) {
    const [, target] = /^\s*(?:path\s*=\s*)?["']?([^"'\s>%]+)/.exec(rest) ?? [];
    return target ? `@/${target}` : "";
  }
  if (open === "{{") {
    const [, address] =
      /^-?\s*["']([^"'\n]*)["']\s*\|\s*(?:(?:relative|absolute)_url|url|relURL|absURL)/.exec(content) ?? [];
    if (address !== undefined) return address;
    if (/^(?:site|page)\.(?:baseurl|url)$/.test(name)) return "";
    if (!/^(?:page|site|post|layout)\./.test(name) && !/\)\s*$/.test(content)) return null;
  }
  return name ? (embed(name, rest) ?? (unknown.add(name), "")) : null;
}

const post = (id: string) => `https://x.com/i/status/${id}`;
const players: Record<string, (id: string, second: string) => string> = {
  youtube: (id) => `https://www.youtube.com/watch?v=${id}`,
  vimeo: (id) => `https://vimeo.com/${id}`,
  gist: (owner, id) => `https://gist.github.com/${owner}${id && `/${id}`}`,
  tweet: post,
  x: post,
  instagram: (id) => `https://www.instagram.com/p/${id}/`,
};

/** Returns a picture's or player's HTML; null for any other tag. */
function embed(name: string, rest: string): string | null {
  const values: Record<string, string> = {};
  const bare: string[] = [];
  const pairs = /([\w-]+)\s*=\s*(?:["“]([^"“”]*)["”]|'([^']*)'|([^\s"']+))|["']([^"'\n]*)["']|([^\s"'=]+)/g;
  for (const [, key, double, single, plain, quoted, word] of rest.replace(siteAddress, "").matchAll(pairs))
    if (key === undefined) bare.push(quoted ?? word ?? "");
    else values[key.toLowerCase()] = double ?? single ?? plain ?? "";
  const [first = "", second = ""] = bare;
  const src = values.src ?? values.url ?? values.path ?? values.image ?? first;
  if (/^(?:figure|image|img|picture)$/i.test(name) && src) {
    const { alt, caption = values.title ?? "", width, height } = values;
    const size = (text?: string) => /^\d+(?=(?:px)?$)/.exec(text ?? "")?.[0];
    const picture = { src, alt: alt ?? caption, width: size(width), height: size(height) };
    return `\n\n${figure(picture, escapeHtml(caption))}\n\n`;
  }
  const toAddress = Object.hasOwn(players, name.toLowerCase()) ? players[name.toLowerCase()] : undefined;
  const id = values.id ?? first;
  const address = values.url ?? (/^https?:/.test(id) ? id : toAddress?.(id, second));
  if (!toAddress || !address || !URL.canParse(address)) return null;
  return `\n\n${tag("p", {}, tag("a", { href: address }, escapeHtml(address)))}\n\n`;
}

/** An expression within a tag. */
const siteAddress = /\{\{-?\s*(?:site|page)\.(?:base)?url\s*-?\}\}/g;

const attributes = String.raw`[ \t]*(?:[#.][\w:-]|[\w-]+=)[^{}\n]*\}`;
/** Attributes of kramdown, and without its colon those of links and pictures. */
const attributeLists = new RegExp(
  String.raw`[ \t]?\{:(?:toc\}|${attributes})|(?<=\]\([^()\n]{0,500}\))\{${attributes}`,
  "g",
);
const attributesAtEnd = new RegExp(String.raw`^\{${attributes}[ \t]*$`);

/** Removes attributes, those at the end of a heading or alone on a line, and the marks of a table of contents. */
function withoutAttributes(text: string): string {
  if (!text.includes("{")) return text;
  return text
    .replace(/^[*-] TOC[ \t]*\n(?=\{:toc)/gim, "")
    .replace(attributeLists, "")
    .replace(/^(?:#{1,6}[ \t]|[ \t]{0,3}\{)[^\n]*\}[ \t]*$/gm, (line) => {
      const at = line.lastIndexOf("{");
      return attributesAtEnd.test(line.slice(at)) ? line.slice(0, at).trimEnd() : line;
    });
}

/** Removes the imports and exports at the start of an MDX file. */
export function withoutImports(text: string): string {
  const program = /^\s*(?:import\s[^\n]*?(?:["']|\sfrom\s)|export\s+(?:const|default|function|let)\s)/;
  let rest = text;
  while (program.test(rest.slice(0, 1_000))) {
    const start = rest.search(/\S/);
    const end = rest.slice(start).search(/\n[ \t]*\n/);
    if (end < 0) return "";
    rest = rest.slice(start + end);
  }
  return rest;
}
