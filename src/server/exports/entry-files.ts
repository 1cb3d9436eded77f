import type { LiveState } from "../../shared/entries.ts";
import { checkDocument } from "../../shared/document/check.ts";
import { escapeHtml } from "../../shared/document/html-tags.ts";
import type { DocumentJson, NodeJson } from "../../shared/document/schema.ts";
import { trimDocument } from "../../shared/document/trim-document.ts";
import type { ExportedEntry } from "./entry-queries.ts";
import { markdownAsHtml } from "./markdown.ts";
import { withFiles } from "./relative-files.ts";
import { personOf, time } from "./rows.ts";

/* The entries of a live blog in the files of an export. */

type Entries = AsyncIterable<ExportedEntry>;

const text = (value: string): NodeJson => ({ type: "text", text: value });
const heading = (value: string): NodeJson => ({
  type: "heading",
  attrs: { level: 2 },
  content: [text(value)],
});
const shownTime = (at: number): string => `${new Date(at).toISOString().slice(0, -8).replace("T", " ")} UTC`;

/** Yields the rows of `entries/NAME.json`. */
export async function* entryRows(entries: Entries) {
  for await (const { id, at, author: by, title, isKey, likes, createdAt, editedAt, document } of entries)
    yield {
      id,
      at: time(at),
      author: by && personOf(by),
      title,
      key: isKey,
      createdAt: time(createdAt),
      editedAt: time(editedAt),
      likes,
      document: JSON.parse(document, withFiles) as unknown,
    };
}

type ToMarkdown = (document: string, key: string) => Promise<string>;
/** Yields the summary and each entry as Markdown, with its time and title as a heading. `toMarkdown` converts a document. */
export async function* entriesAsMarkdown(
  { summary }: Pick<LiveState, "summary">,
  entries: Entries,
  { toMarkdown, picture }: { toMarkdown: ToMarkdown; picture: (src: string) => string },
): AsyncGenerator<string> {
  if (summary.length > 0) yield `\n${await toMarkdown(JSON.stringify(summaryDocument(summary)), "summary")}`;
  for await (const { id, at, title, document } of entries) {
    const head = heading([shownTime(at), title].filter(Boolean).join(" · "));
    const { content = [] } = JSON.parse(document) as DocumentJson;
    const whole = trimDocument({ type: "doc", content: [...stored([head]), ...content] }) as DocumentJson;
    // The numbers of its notes would be those of other entries.
    yield `\n${document.includes('"footnotes"') ? markdownAsHtml(whole, { picture }) : await toMarkdown(JSON.stringify(whole), id)}`;
  }
}

const summaryDocument = (summary: string[]): DocumentJson => ({
  type: "doc",
  content: stored([
    heading("Summary"),
    {
      type: "bullet_list",
      content: summary.map((point) => ({
        type: "list_item",
        content: [{ type: "paragraph", content: [text(point)] }],
      })),
    },
  ]),
});

/** Returns blocks as they are stored. */
function stored(content: NodeJson[]): NodeJson[] {
  const checked = checkDocument({ type: "doc", content });
  return checked.ok ? (checked.document.content ?? []) : [];
}

/** Yields the summary and each entry as HTML, with its time and author. `shown` changes the addresses of published HTML. */
export async function* entriesAsHtml(
  { summary }: Pick<LiveState, "summary">,
  entries: Entries,
  shown: (html: string) => string,
): AsyncGenerator<string> {
  if (summary.length > 0)
    yield `<h2>Summary</h2>\n<ul>${summary.map((point) => `<li>${escapeHtml(point)}</li>`).join("")}</ul>\n`;
  for await (const { at, title, author, isKey, html } of entries) {
    const facts = [shownTime(at), author?.name, isKey && "Key moment"].filter(Boolean).map(String);
    yield `<hr><article><p class="facts">${facts.map(escapeHtml).join(" · ")}</p>
${title ? `<h2>${escapeHtml(title)}</h2>\n` : ""}${shown(html)}</article>\n`;
  }
}
