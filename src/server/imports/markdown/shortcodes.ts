/* Generators' additions to Markdown: converted, or reduced to their content and reported. Code stays. */

/** Removes generator syntax from a text. `unknown`: the names of removed tags. */
export function withoutShortcodes(
  text: string,
  { isHtml = false } = {},
): { text: string; unknown: string[] } {
  const unknown = new Set<string>();
  const hugo = /\{\{[<%]\s*highlight\s+["']?([\w+#-]{1,40})(?![\w+#-])[^>%{\n]{0,500}[>%]\}\}/g;
  const jekyll = /\{%-?\s*highlight\s+([\w+#-]{1,40})(?![\w+#-])[^%{\n]{0,500}%\}/g;
  const highlighted = highlightToFences(
    highlightToFences(text, hugo, /\{\{[<%]\s*\/\s*highlight\s*[>%]\}\}/g),
    jekyll,
    /\{%-?\s*endhighlight\s*-?%\}/g,
  );
  const converted = outsideCode(highlighted, (part) => readPart(part, unknown), isHtml);
  return { text: converted.replace(escapedHugo, "{{$1$2$3}}"), unknown: [...unknown] };
}

/** Hugo's escape for showing a shortcode as text. */
const escapedHugo = /\{\{([<%])\/\*([^{}]*)\*\/([>%])\}\}/g;

const fencedCode = (language: string, code: string) =>
  `\n~~~~~ ${language}\n${code.replaceAll("~~~~~", "~~~~")}\n~~~~~\n`;

/** Converts highlighted code to fences; a start names the language. Stops at one without an end. */
function highlightToFences(text: string, starts: RegExp, ends: RegExp): string {
  const parts: string[] = [];
  let from = 0;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    ends.lastIndex = starts.lastIndex;
    const end = ends.exec(text);
    if (!end) break;
    const code = text.slice(starts.lastIndex, end.index).replace(/^\n/, "").replace(/\n$/, "");
    parts.push(text.slice(from, start.index), fencedCode(start[1] ?? "", code));
    from = starts.lastIndex = ends.lastIndex;
  }
  return parts.join("") + text.slice(from);
}

/** Skips code, whether fenced or (not in HTML) indented. */
function outsideCode(text: string, change: (part: string) => string, isHtml: boolean): string {
  const lines = text.split("\n");
  const isIndented = isHtml ? [] : indentedLines(lines);
  const parts: string[] = [];
  let prose: string[] = [];
  let fence: string | null = null;
  const flush = () => {
    if (prose.length > 0) parts.push(change(prose.join("\n")));
    prose = [];
  };
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence === null && mark && !(mark[1]?.startsWith("`") && mark[2]?.includes("`"))) {
      flush();
      fence = mark[1] ?? "";
      parts.push(line);
    } else if (fence !== null) {
      parts.push(line);
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === "") fence = null;
    } else if (isIndented[index]) {
      flush();
      parts.push(line);
    } else prose.push(line);
  }
  flush();
  return parts.join("\n");
}

/** Marks indented code; none within lists, where it is ambiguous. */
function indentedLines(lines: readonly string[]): boolean[] {
  let [isInList, mayBegin] = [false, true];
  return lines.map((line) => {
    if (line.trim() === "") {
      mayBegin = true;
      return false;
    }
    const isIndented = /^(?: {4}| {0,3}\t)/.test(line);
    if (!isIndented)
      isInList =
        /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)|^\[\^/.test(line) || (isInList && line.startsWith(" "));
    return (mayBegin &&= isIndented && !isInList);
  });
}

function readPart(part: string, unknown: Set<string>): string {
  return part
    .split(/((?<!`)`+[^`\n]+`+)/)
    .map((piece, at) =>
      at % 2 === 1 ? piece : readPlain(at > 0 ? piece.replace(attributesAtStart, "") : piece, unknown),
    )
    .join("");
}

const attribute = String.raw`(?:[#.][\w:-]+|[\w-]+=(?:"[^"{}\n]*"|'[^'{}\n]*'|[^\s{}"']+))`;
const attributeList = String.raw`[ \t]*${attribute}(?:[ \t]+${attribute})*[ \t]*\}`;
/** Attributes after code. */
const attributesAtStart = new RegExp(String.raw`^\{:?${attributeList}`);
const attributesAlone = new RegExp(String.raw`^\{${attributeList}[ \t]*$`);

/** Removes attributes: kramdown’s anywhere, others after a link or picture, or at the end of a heading, or on a line. */
const withoutAttributes = (text: string): string =>
  text
    .replace(kramdownAttributes, "")
    .replace(linkAttributes, "]($1)")
    .replace(/^(?:#{1,6}[ \t]|[ \t]{0,3}\{)[^\n]*\}[ \t]*$/gm, (line) => {
      const at = line.lastIndexOf("{");
      return attributesAlone.test(line.slice(at)) ? line.slice(0, at).trimEnd() : line;
    });
const kramdownAttributes = new RegExp(String.raw`[ \t]?\{:${attributeList}`, "g");
const linkAttributes = new RegExp(String.raw`(?<!\\)\]\(([^()\n]*)\)\{${attributeList}`, "g");

function readPlain(text: string, unknown: Set<string>): string {
  if (!/[{:=]|^[ \t]*\d+[.)][ \t]+\[/m.test(text)) return text;
  // In this order: `{% include picture src="{{ site.url }}/a.png" %}`.
  const expanded = replaceTags(text, "{{", "}}", (inner) => doubleTag(inner, unknown));
  return withoutAttributes(
    replaceTags(expanded, "{%", "%}", (inner) => percentTag(inner, unknown))
      // Attributes of kramdown and Pandoc.
      .replace(/(!\[[^[\]\n]*\]\([^()\n]*\))\{:?([^{}\n]*)\}/g, (_, picture: string, rest: string) =>
        withSize(picture, rest),
      ),
  )
    .replace(
      /!\[([^[\]\n]*)\]\(([^\s()]+)[ \t]+=(\d+)x(\d*)\)/g,
      (_, alt: string, src: string, width: string, height: string) => image({ src, alt, width, height }),
    )
    .replace(/^(?:[ \t]*[*-] TOC[ \t]*\n)?[ \t]*\{:[^}\n]*\}[ \t]*$/gim, "")
    .replace(/^:::+([^\n]*)$/gm, (_, rest: string) => titleOf(rest))
    .replace(
      /^([ \t]*\d+[.)][ \t]+)\[([ xX])\](?=[ \t])/gm,
      (_, start: string, mark: string) => start + (mark === " " ? "☐" : "☑"),
    );
}

/** Reads `:::tip A title` and `:::tip[A title]`. */
function titleOf(rest: string): string {
  const [, bracketed, trailing] = /^[ \t]*[\w-]*(?:\[([^\]]*)\]|[ \t]+([^\s{[:][^{]*))?/.exec(rest) ?? [];
  const title = (bracketed ?? trailing)?.trim();
  return title ? `\n**${title}**\n` : "";
}

/** The most characters in a tag. */
const maxTagCharacters = 2_000;

/**
 * Replaces each piece between `open` and `close`; null leaves it. Pairs a close with the last open before it, so that any input
 * takes linear time.
 */
function replaceTags(
  text: string,
  open: string,
  close: string,
  convert: (inner: string) => string | null,
): string {
  const segments = text.split(close);
  const last = segments.pop() ?? "";
  const converted = segments.map((segment) => {
    const start = segment.lastIndexOf(open);
    const inner = segment.slice(start + open.length);
    const html = start < 0 || inner.length > maxTagCharacters ? null : convert(inner);
    return html === null ? segment + close : segment.slice(0, start) + html;
  });
  return converted.join("") + last;
}

/** For Hugo, Zola and Jekyll. */
function doubleTag(inner: string, unknown: Set<string>): string | null {
  const [, open, quoted] = /^([<%])\/\*([^]*)\*\/[>%]$/.exec(inner) ?? [];
  if (quoted !== undefined)
    return open === "<" ? `&#123;&#123;&lt;${quoted}>&#125;&#125;` : `&#123;&#123;%${quoted}%&#125;&#125;`;
  if (/^[<%].*[>%]$/s.test(inner)) {
    const body = inner.slice(1, -1).replace(/^-/, "").trim().replace(/\/$/, "");
    const [, target] = /^(?:rel)?ref\s+(?:path\s*=\s*)?["']?([^"'\s>%]+)/.exec(body) ?? [];
    if (target) return `@/${target}`;
    const [, name, rest = ""] = /^(\/?\s*[\w/.-]+)(?![\w/.-])(.*)$/.exec(body) ?? [];
    if (!name) return null;
    return name.startsWith("/") ? "" : shortcode(name, rest, unknown);
  }
  const expression = inner.replace(/^-|-$/g, "").trim();
  if (/^(?:site|page)\.(?:baseurl|url|github\.url)$/.test(expression)) return "";
  const [, address] =
    /^["']([^"'\n]*)["']\s*\|\s*(?:relative_url|absolute_url|url|relURL|absURL)$/.exec(expression) ?? [];
  if (address !== undefined) return address;
  const [value] = /^(?:page|site|post|layout)\.[\w.[\]"'-]+/.exec(expression) ?? [];
  if (value !== undefined) {
    unknown.add(value);
    return "";
  }
  const [, name, rest = ""] = /^([\w:]+)\(([^)\n]*)\)$/.exec(expression) ?? [];
  return name ? shortcode(name.split("::").pop() ?? "", rest.replaceAll(",", " "), unknown) : null;
}

/** Converts what Jekyll and Eleventy write in `{% %}`. */
function percentTag(inner: string, unknown: Set<string>): string | null {
  const expression = inner.replace(/^-|-$/g, "").trim();
  if (expression.includes("\n")) return null;
  if (/^(?:end)?(?:raw|comment|capture\b.*)$/.test(expression)) return "";
  const [, target] = /^(?:post_url|link)\s+(\S+)$/.exec(expression) ?? [];
  if (target) return `@/${target}`;
  const [, included, values = ""] = /^include\s+(\S+)(.*)$/.exec(expression) ?? [];
  if (included)
    return shortcode(
      included
        .replace(/\.\w+$/, "")
        .split("/")
        .pop() ?? "",
      values,
      unknown,
    );
  const [, name, rest = ""] = /^(\w+)(.*)$/.exec(expression) ?? [];
  if (!name) return null;
  return name.startsWith("end") ? "" : shortcode(name, rest.replace(/^\s*\(|\)\s*$/g, ""), unknown);
}

type Values = Record<string, string>;

/** Values are `src="a.png" caption='b'`, or a word. */
function shortcode(name: string, rest: string, unknown: Set<string>): string {
  const values: Values = {};
  for (const [, key = "", quoted, other, bare] of rest.matchAll(
    /(?<![\w-])([\w-]+)\s*=\s*(?:["“]([^"“”]*)["”]|'([^']*)'|([^\s"']+))/g,
  ))
    values[key.toLowerCase()] = quoted ?? other ?? bare ?? "";
  const [first = ""] =
    rest
      .trim()
      .match(/^["']?([^"'\s=]+)["']?(?=\s|$)/)
      ?.slice(1) ?? [];
  const id = values.id ?? values.video_id ?? first;
  const normalizedName = name.toLowerCase().replace(/[_-]/g, "");
  const src = values.src ?? values.imagepath ?? values.url ?? values.path ?? values.image ?? "";
  if (
    /^(?:figure|image|img|picture|responsiveimage|photo|resizeimage)$/.test(normalizedName) &&
    (src || first)
  )
    return figure({ ...values, src: src || first });
  if (/^(?:youtube|youtubelite|youtubeplayer|ytvideo)$/.test(normalizedName) && id)
    return address(id.startsWith("http") ? id : `https://www.youtube.com/watch?v=${id}`);
  if (normalizedName === "vimeo" && id)
    return address(id.startsWith("http") ? id : `https://vimeo.com/${id}`);
  if (normalizedName === "gist") {
    const [owner = "", gist = ""] = rest.trim().replace(/["']/g, "").split(/\s+/);
    return address(
      values.url ?? (gist ? `https://gist.github.com/${owner}/${gist}` : `https://gist.github.com/${owner}`),
    );
  }
  if (/^(?:tweet|x|twitter)$/.test(normalizedName) && (id || values.url))
    return address(values.url ?? `https://x.com/${values.user ?? "i"}/status/${id}`);
  if (/^(?:video|audio)$/.test(normalizedName) && /^https?:/.test(src || first)) return address(src || first);
  if (/^(?:assign|set)$/.test(normalizedName)) return "";
  unknown.add(name);
  return "";
}

const address = (url: string) =>
  /^https?:\/\/[^\s<>"]+$/.test(url)
    ? `\n\n<p><a href="${escapeText(url)}">${escapeText(url)}</a></p>\n\n`
    : "";

function figure({ caption, attr, ...values }: Values): string {
  const captionText = caption ?? attr ?? values.title;
  const { title: _title, ...attributes } = values;
  const figcaption = captionText ? `<figcaption>${escapeText(captionText)}</figcaption>` : "";
  return `\n\n<figure>${image({ ...attributes, alt: values.alt ?? caption ?? "" })}${figcaption}</figure>\n\n`;
}

function image({ src = "", alt = "", width = "", height = "" }: Values): string {
  const size = [
    /^\d+(?:px)?$/.test(width) ? ` width="${parseInt(width, 10)}"` : "",
    /^\d+(?:px)?$/.test(height) ? ` height="${parseInt(height, 10)}"` : "",
  ].join("");
  return `<img src="${escapeText(src)}" alt="${escapeText(alt)}"${size}>`;
}

function withSize(picture: string, rest: string): string {
  const [, alt = "", src = ""] = /^!\[([^\]]*)\]\(\s*<?([^\s)>]+)/.exec(picture) ?? [];
  const [, width = ""] = /\bwidth\s*[=:]\s*["']?(\d+)(?!\d|%)/.exec(rest) ?? [];
  const [, height = ""] = /\bheight\s*[=:]\s*["']?(\d+)(?!\d|%)/.exec(rest) ?? [];
  return width || height ? image({ src, alt, width, height }) : picture;
}

const escapeText = (text: string) =>
  text
    .replace(/&(?!\w+;|#\d+;)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
