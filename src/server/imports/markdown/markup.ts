import { framePage } from "../../../shared/document/frame-pages.ts";
import { lazyPictureAddress } from "../../../shared/document/lazy-picture.ts";

/** Rewrites captions and players, which the schema lacks. Regular expressions suffice: the schema's parser reads the result. */
export function simplifyMarkup(html: string): string {
  if (!/<(?:figcaption|iframe|video|audio|noscript|embed)|\bdata-(?:lazy-)?src=/i.test(html)) return html;
  const withImages = replaceElements(
    html.replace(/<img\b[^<>]*>/gi, withoutLazyLoading),
    "noscript",
    (element, index, text) => {
      const content = element.slice(element.indexOf(">") + 1, element.lastIndexOf("</"));
      // Not an element without its end tag.
      if (!/<\/noscript\s*>$/i.test(element)) return element;
      const src = sourceOf(content);
      if (src === null) return "";
      // The picture may already precede its fallback.
      return text.slice(Math.max(0, index - 2_000), index).includes(src) ? "" : content;
    },
    Infinity,
  );
  const figures = replaceElements(withImages, "figure", (element) =>
    // A single picture keeps its caption.
    element.match(/<(?:img|table|pre|blockquote|iframe|video|audio|embed)\b/gi)?.join() === "<img"
      ? element
      : element.replace(/<figcaption[^<>]*>/gi, "<p><em>").replace(/<\/figcaption>/gi, "</em></p>"),
  );
  return ["iframe", "video", "audio", "embed"].reduce(
    (text, name) => replaceElements(text, name, playerLink),
    figures,
  );
}

/** Replaces an embedded player with a link. */
function playerLink(element: string): string {
  const src = sourceOf(element);
  const url = src && (framePage(src) ?? (src.startsWith("//") ? `https:${src}` : src));
  return url && /^https?:\/\/[^\s<>"]+$/i.test(url) ? `<p><a href="${url}">${url}</a></p>` : "";
}

/**
 * Replaces each element of a name up to the next end tag; when that is more than `maxLength` characters away, only the start tag.
 * Takes linear time for any input.
 */
function replaceElements(
  text: string,
  name: string,
  replace: (element: string, index: number, text: string) => string,
  maxLength = 5_000,
): string {
  const starts = new RegExp(`<${name}(?![\\w-])[^<>]*>`, "gi");
  const ends = new RegExp(`</${name}\\s{0,20}>`, "gi");
  const parts: string[] = [];
  let from = 0;
  let end: RegExpExecArray | null | undefined;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const inner = starts.lastIndex;
    if (end === undefined || (end && end.index < inner)) {
      ends.lastIndex = inner;
      end = ends.exec(text);
    }
    const isNear = end && end.index - inner <= maxLength;
    const stop = end && isNear ? end.index + end[0].length : inner;
    parts.push(text.slice(from, start.index), replace(text.slice(start.index, stop), start.index, text));
    from = starts.lastIndex = stop;
  }
  return parts.join("") + text.slice(from);
}

const attribute = (tag: string, name: string): string | null =>
  new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i")
    .exec(tag)
    ?.slice(1)
    .find(Boolean) ?? null;
const sourceOf = (html: string): string | null => attribute(html, "src");

/** Gives a lazily loaded picture its `src`. */
function withoutLazyLoading(tag: string): string {
  const address = lazyPictureAddress((name) => attribute(tag, name));
  if (!address) return tag;
  const rest = tag.replace(/\ssrc\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi, "");
  return rest.replace(/^<img/i, `<img src="${address.replaceAll('"', "&quot;")}"`);
}
