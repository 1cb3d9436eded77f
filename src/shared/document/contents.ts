const minMinutes = 5;
const maxHeadings = 100;

const tag = /<(?:"[^"]*"|[^">])*>/g;
const math = /(<math\b[^]*?<\/math>)/;
const heading = /<h([1-6])((?:"[^"]*"|[^">])*)>(.*?)<\/h\1>/gs;

/**
 * Returns the table of contents as HTML: links to headings of the two highest levels used. Accepts HTML serialized by the
 * schema or a browser. Empty for a short text or fewer than two headings.
 */
export function contentsOf(html: string, minutes: number): string {
  if (minutes < minMinutes) return "";
  const withoutNotes = html
    .replace(/<section class="footnotes">[^]*?<\/section>/g, "")
    .replace(/<sup class="footnote-ref"[^>]*>[^]*?<\/sup>/g, "");
  const found = [...withoutNotes.matchAll(heading)].flatMap(([, level, attributes, inner]) => {
    const id = / id="(h-[^"<>]*)"/.exec(attributes!)?.[1];
    // Text, and rendered formulas.
    const text = inner!
      .split(math)
      .map((part, at) => (at % 2 === 1 ? part : part.replace(tag, "")))
      .join("")
      .trim();
    return id && text ? [{ level: Number(level), id, text }] : [];
  });
  const highest = Math.min(...found.map(({ level }) => level));
  const shown = found.filter(({ level }) => level <= highest + 1).slice(0, maxHeadings);
  if (shown.length < 2) return "";
  const entries = shown.map(
    ({ level, id, text }) =>
      `<li${level > highest ? ' class="contents-inner"' : ""}><a href="#${id}" dir="auto">${text}</a></li>`,
  );
  return `<details><summary>Contents</summary><ol>${entries.join("")}</ol></details>`;
}
