/* Every expression here takes linear time, even for malicious texts. */

const blocks =
  "table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|style|p|h[1-6]|hr|fieldset|legend|section|article|aside|header|footer|nav|figure|figcaption|details|menu|summary|main|iframe|video|audio|script";
const blockStart = new RegExp(`<(?:${blocks})(?=[\\s/>])`, "gi");
const blockEnd = new RegExp(`</(?:${blocks})>|<(?:hr|col|area)(?=[\\s/>])[^<>]*>`, "gi");
const containerStart = /<(?:blockquote|div|section|article|aside|details|main)(?=[\s>])[^<>]*>/gi;
const containerEnd = /<\/(?:blockquote|div|section|article|aside|details|main)>/gi;
const isBlock = new RegExp(`^</?(?:${blocks})(?=[\\s/>])`, "i");
/** Blocks in which line breaks count. */
const lineBlock = /^<(?:p|li|t[dh]|d[dt]|h[1-6]|caption|figcaption|summary|legend|address)(?:\s[^<>]*)?>/i;

/**
 * Converts a text of the classic editor to HTML: blank lines separate paragraphs, line breaks stay. Leaves code and existing
 * paragraphs unchanged.
 */
export function withParagraphs(text: string): string {
  const preserved: string[] = [];
  const spaced = extractPreformatted(text.replace(/\r\n?/g, "\n"), preserved)
    // Line breaks within tags do not count.
    .replace(/<[a-z][^<>]*>/gi, (tag) => tag.replaceAll("\n", " "))
    .replace(blockStart, "\n\n$&")
    .replace(blockEnd, "$&\n\n")
    .replace(containerStart, "$&\n\n")
    .replace(containerEnd, "\n\n$&");
  return spaced
    .split(/\n(?:[ \t]*\n)+/)
    .map((piece) => piece.trim())
    .filter(Boolean)
    .map((piece) => {
      if (isBlock.test(piece)) return withinBreaks(piece);
      return isComment(piece) ? piece : `<p>${withBreaks(piece)}</p>`;
    })
    .join("\n")
    .replace(/<pre data-kept="(\d+)"><\/pre>/g, (_, index) => preserved[Number(index)] ?? "");
}

function extractPreformatted(text: string, preserved: string[]): string {
  const starts = /<(pre|script|style|textarea)(?=[\s>])/gi;
  const withoutEnd = new Set<string>();
  const parts: string[] = [];
  let from = 0;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const name = start[1]?.toLowerCase() ?? "";
    if (withoutEnd.has(name)) continue;
    const end = new RegExp(`</${name}\\s*>`, "gi");
    end.lastIndex = start.index;
    if (!end.test(text)) {
      withoutEnd.add(name);
      continue;
    }
    parts.push(
      text.slice(from, start.index),
      `\n\n<pre data-kept="${preserved.push(text.slice(start.index, end.lastIndex)) - 1}"></pre>\n\n`,
    );
    from = starts.lastIndex = end.lastIndex;
  }
  return parts.join("") + text.slice(from);
}

const isComment = (piece: string): boolean =>
  piece.startsWith("<!--") && piece.indexOf("-->") === piece.length - 3;

const withBreaks = (piece: string): string =>
  piece
    .split("\n")
    .map((line) => line.trim().replace(/<br ?\/?>$/i, ""))
    .join("<br>\n");

/** Keeps the line breaks inside a block, except next to its tags. */
function withinBreaks(piece: string): string {
  const [start] = lineBlock.exec(piece) ?? [];
  if (start === undefined) return piece;
  const end = piece.endsWith(">") ? piece.lastIndexOf("</") : -1;
  const inner = piece.slice(start.length, end < start.length ? undefined : end);
  return start + withBreaks(inner.trim()) + piece.slice(start.length + inner.length);
}
