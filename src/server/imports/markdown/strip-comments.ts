/*
 * Finds comments, which readers never saw, and conditional parts, which they sometimes saw: outside of code, before all other
 * processing.
 */

/** A comment syntax. With `mustEnd` a missing end hides the post; otherwise it is text. */
interface Comment {
  name: string;
  start: string;
  end: RegExp;
  /** Starts a nested comment. */
  nested?: RegExp;
  mustEnd: boolean;
}

const htmlSyntax = "HTML’s";
const comments: Comment[] = [
  {
    name: "Liquid’s",
    start: String.raw`\{%-?\s*comment\s*-?%\}`,
    end: /\{%-?\s*endcomment\s*-?%\}/g,
    nested: /\{%-?\s*comment\s*-?%\}/g,
    mustEnd: true,
  },
  { name: "Liquid’s", start: String.raw`\{%-?[ \t]*#`, end: /%\}/g, mustEnd: false },
  {
    name: "Hugo’s",
    start: String.raw`\{\{[<%]\s*comment(?![\w/.-])[^<>%{}\n]{0,200}[>%]\}\}`,
    end: /\{\{[<%]\s*\/\s*comment\s*[>%]\}\}/g,
    mustEnd: true,
  },
  {
    name: "MDX’s",
    start: String.raw`\{\{?-?\s*\/\*`,
    end: /\*\/\s*-?\}\}?/g,
    mustEnd: false,
  },
  // Not `{#name}`, which is the ID of a heading.
  {
    name: "Nunjucks’s",
    start: String.raw`\{#(?![\w:.-]{1,200}(?:[ \t][^{}#\n]{0,200})?\})`,
    end: /#\}/g,
    mustEnd: false,
  },
  // A tag inside may become an empty line, which would end the comment.
  { name: htmlSyntax, start: "<!--", end: /-->/g, mustEnd: false },
  {
    name: "kramdown’s",
    start: String.raw`\{::comment\}`,
    end: /\{:\/(?:comment)?\}/g,
    mustEnd: true,
  },
];

const code = String.raw`^ {0,3}(?<fence>\x60{3,}|~{3,})[^\n]*$|(?<!\x60)\x60+[^\x60\n]+\x60+`;
const raw = String.raw`(?<raw>\{%-?\s*(?:raw|verbatim)\s*-?%\})`;
const rawEnd = /\{%-?\s*end(?:raw|verbatim)\s*-?%\}/g;
const condition = String.raw`(?:\{%[-+~]?|\{\{[<%])\s*(?<condition>if|ifchanged|unless|for|case|switch|elsif|elseif|elif|else|when|tablerow)(?![\w/.:-])`;
const restricted = String.raw`\{\{?[<%][-+~]?\s*(?<some>draft|private|hide|hidden|secret|protected|password|members?|membersonly|encrypt|encrypted|paywall)(?![\w/.:-])`;
const tokens = new RegExp(
  [code, raw, condition, restricted, ...comments.map(({ start }, at) => `(?<c${at}>${start})`)].join("|"),
  "gm",
);

export interface StrippedText {
  text: string;
  /** The syntaxes of the removed comments. */
  commentSyntaxes: string[];
  /** Why the text was not entirely public. */
  hidden: string | null;
}

/** Removes comments from a text. Takes linear time for any input. */
export function stripComments(text: string): StrippedText {
  if (!/\{[{%#/:\s]/.test(text)) return { text, commentSyntaxes: [], hidden: null };
  const parts: string[] = [];
  const commented = new Set<string>();
  const missingEnds = new Set<RegExp>();
  let hidden: string | null = null;
  let from = 0;
  const endOf = (end: RegExp, start: number): number => {
    if (missingEnds.has(end)) return -1;
    end.lastIndex = start;
    if (end.exec(text)) return end.lastIndex;
    missingEnds.add(end);
    return -1;
  };
  tokens.lastIndex = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const groups = token.groups ?? {};
    const tokenEnd = tokens.lastIndex;
    if (groups.fence !== undefined) {
      if (isFence(token[0], groups.fence)) tokens.lastIndex = endOfFence(text, groups.fence, tokenEnd);
      continue;
    }
    if (groups.raw !== undefined) {
      const end = endOf(rawEnd, tokenEnd);
      if (end >= 0) tokens.lastIndex = end;
      continue;
    }
    if (groups.condition !== undefined)
      hidden ??= `part of it was shown only sometimes (“${groups.condition}”)`;
    if (groups.some !== undefined) hidden ??= `part of it was not public (“${groups.some}”)`;
    const comment = comments.find((_, at) => groups[`c${at}`] !== undefined);
    if (!comment) continue;
    const { nested } = comment;
    let end = nested && !missingEnds.has(nested) ? endOfNested(text, comment.end, nested, tokenEnd) : -1;
    if (nested && end < 0) missingEnds.add(nested);
    if (end < 0) end = endOf(comment.end, tokenEnd);
    if (nested && missingEnds.has(nested)) hidden ??= "it has a comment without an end";
    if (end < 0) {
      if (comment.mustEnd) hidden ??= "it has a comment without an end";
      continue;
    }
    tokens.lastIndex = end;
    const content = text.slice(token.index, end);
    if (comment.name === htmlSyntax && !content.includes("{")) continue;
    parts.push(text.slice(from, token.index));
    if (comment.name === htmlSyntax) parts.push("<!-- -->");
    else commented.add(comment.name);
    from = end;
  }
  return { text: parts.join("") + text.slice(from), commentSyntaxes: [...commented], hidden };
}

const isFence = (line: string, fence: string): boolean =>
  fence.startsWith("~") || !line.slice(line.indexOf(fence) + fence.length).includes("`");

const fenceEnds = /^ {0,3}(`{3,}|~{3,})[ \t]*$/gm;

function endOfFence(text: string, fence: string, start: number): number {
  fenceEnds.lastIndex = start;
  for (let end = fenceEnds.exec(text); end; end = fenceEnds.exec(text))
    if (end[1]?.startsWith(fence)) return fenceEnds.lastIndex;
  return text.length;
}

/** Returns the end of a comment with nested ones, or -1. */
function endOfNested(text: string, end: RegExp, nested: RegExp, start: number): number {
  const delimiters = new RegExp(`${end.source}|(${nested.source})`, "g");
  delimiters.lastIndex = start;
  let depth = 1;
  for (let match = delimiters.exec(text); match; match = delimiters.exec(text)) {
    depth += match[1] === undefined ? -1 : 1;
    if (depth === 0) return delimiters.lastIndex;
  }
  return -1;
}

/** Removes leading MDX imports and exports with their brackets' content. */
export function stripMdxImports(text: string): string {
  let from = 0;
  for (;;) {
    const start = from + text.slice(from).search(/\S|$/);
    if (!/^(?:import|export)\s/.test(text.slice(start, start + 7))) return text.slice(from);
    const ends = /[([{]|[)\]}]|\n[ \t]*(?=\n)/g;
    ends.lastIndex = start;
    let [depth, end, gap] = [0, -1, text.length];
    for (let match = ends.exec(text); match && end < 0; match = ends.exec(text))
      if (!match[0].startsWith("\n")) depth += "([{".includes(match[0]) ? 1 : -1;
      else {
        gap = Math.min(gap, match.index);
        if (depth <= 0) end = match.index;
      }
    // An unclosed bracket, as in prose, encloses nothing.
    if (end < 0 && depth > 0) return text.slice(gap);
    from = end < 0 ? text.length : end;
  }
}
