import { DocumentError } from "../../../shared/document/document-error.ts";
import { htmlLimits } from "../../../shared/document/limits.ts";
import { escapeHtml, figure, tag } from "../reading/html.ts";
import { isRow, list, trimmedText, short, type Row } from "../reading/values.ts";
import { cardHtml, type BodyReporter } from "./cards.ts";

const inline = new Set("a b strong em i u s del sub sup code mark small span".split(" "));
const blocks = new Set("p h1 h2 h3 h4 h5 h6 blockquote aside pull-quote".split(" "));

/**
 * Converts Ghost's earlier format (sections with markups, atoms and cards by index) to HTML. Throws `DocumentError` when the
 * result is too long, because indexes may repeat.
 */
export function mobiledocToHtml(document: Row, reporter: BodyReporter): string {
  const markups = list(document.markups).map((markup) => openTag(list(markup)));
  const atoms = list(document.atoms).map((atom) => list(atom));
  const cards = list(document.cards).map((card) => list(card));

  const rendered = new Map<number, string>();
  let length = 0;
  const withinLimit = (html: string): string => {
    if ((length += html.length) > htmlLimits.length)
      throw new DocumentError("This text is too long with its repeated parts.");
    return html;
  };
  const cardAt = (at: number): string => {
    const cached = rendered.get(at);
    if (cached !== undefined) return cached;
    const [name, payload] = cards[at] ?? [];
    const card = cardHtml(String(name), isRow(payload) ? payload : {}, reporter);
    if (card === undefined)
      reporter.reportProblem(`Skipped a card of unknown type: ${short(String(name), 60)}`);
    rendered.set(at, card ?? "");
    return card ?? "";
  };

  // Each marker lists the markups to open and counts those to close.
  const inlines = (markers: unknown): string => {
    const open: string[] = [];
    const output: string[] = [];
    for (const marker of list(markers).map((piece) => list(piece))) {
      const [kind, opened, closed, value] = marker;
      for (const at of list(opened)) {
        const markup = markups[Number(at)];
        open.push(markup?.name ?? "");
        output.push(withinLimit(markup?.html ?? ""));
      }
      output.push(withinLimit(kind === 1 ? atomHtml(atoms[Number(value)] ?? []) : escapeHtml(textOf(value))));
      for (let remaining = Math.min(Number(closed) || 0, open.length); remaining > 0; remaining--) {
        const name = open.pop();
        if (name) output.push(`</${name}>`);
      }
    }
    for (const name of open.toReversed()) if (name) output.push(`</${name}>`);
    return output.join("");
  };

  const section = (parts: unknown[]): string => {
    const [kind, first, second] = parts;
    if (kind === 1) {
      const name = blocks.has(String(first)) ? String(first) : "p";
      return tag(name === "aside" || name === "pull-quote" ? "blockquote" : name, {}, inlines(second));
    }
    if (kind === 2) return trimmedText(first) ? figure({ src: trimmedText(first) ?? "" }) : "";
    if (kind === 3)
      return tag(
        first === "ol" ? "ol" : "ul",
        {},
        list(second)
          .map((item) => tag("li", {}, inlines(item)))
          .join(""),
      );
    if (kind !== 10) {
      reporter.reportProblem("Skipped a part of unknown type");
      return "";
    }
    return withinLimit(cardAt(Number(first)));
  };

  return list(document.sections)
    .map((parts) => section(list(parts)))
    .join("");
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const atomHtml = ([name, text]: unknown[]): string =>
  name === "soft-return" ? "<br>" : escapeHtml(textOf(text));

function openTag([name, attributes]: unknown[]): { name: string; html: string } {
  const tagName = typeof name === "string" && inline.has(name.toLowerCase()) ? name.toLowerCase() : "";
  const pairs = list(attributes).map(textOf);
  const href = tagName === "a" ? pairs[pairs.indexOf("href") + 1] : undefined;
  return { name: tagName, html: tagName ? tag(tagName, { href }) : "" };
}
