import type { HLJSApi } from "highlight.js";
import { unescapeHtml } from "../../shared/document/html-tags.ts";
import type { Piece } from "./render-blocks.ts";

/** The site's color class by the first word of a highlight.js scope. */
const colorClasses: Record<string, string> = {
  addition: "added",
  attr: "part",
  attribute: "part",
  built_in: "name",
  bullet: "word",
  char: "value",
  class: "name",
  code: "text",
  comment: "note",
  deletion: "removed",
  doctag: "word",
  formula: "value",
  keyword: "word",
  link: "text",
  literal: "value",
  meta: "note",
  name: "word",
  number: "value",
  operator: "plain",
  params: "plain",
  property: "part",
  punctuation: "plain",
  quote: "note",
  regexp: "text",
  section: "name",
  "selector-attr": "part",
  "selector-class": "name",
  "selector-id": "name",
  "selector-pseudo": "part",
  "selector-tag": "word",
  string: "text",
  subst: "plain",
  symbol: "value",
  tag: "plain",
  "template-tag": "word",
  "template-variable": "part",
  title: "name",
  type: "name",
  variable: "part",
};

let loaded: Promise<HLJSApi> | undefined;
const load = () => (loaded ??= import("highlight.js/lib/common").then((module) => module.default));

/**
 * Returns highlighted code with class names; null for an unknown language. Call in a worker thread: crafted code may take a
 * hundred milliseconds.
 */
export async function colorCode({ language, html }: Piece): Promise<string | null> {
  const highlighter = await load();
  if (!(await isKnownLanguage(highlighter, language))) return null;
  const { value } = highlighter.highlight(unescapeHtml(html), { language, ignoreIllegals: true });
  const colored = toSiteClasses(value.replaceAll("&#x27;", "&#39;"));
  // A grammar must not alter the text.
  return colored.replace(/<\/?span[^>]*>/g, "") === html ? colored : null;
}

/** Loads uncommon grammars on first use. */
async function isKnownLanguage(highlighter: HLJSApi, language: string): Promise<boolean> {
  if (highlighter.getLanguage(language)) return true;
  if (!/^[a-z\d][a-z\d-]*$/.test(language)) return false;
  try {
    const { default: grammar } = (await import(`highlight.js/lib/languages/${language}`)) as {
      default: Parameters<HLJSApi["registerLanguage"]>[1];
    };
    highlighter.registerLanguage(language, grammar);
    return true;
  } catch {
    return false;
  }
}

function toSiteClasses(html: string): string {
  const open: boolean[] = [];
  return html.replace(/<span class="([^"]*)">|<\/span>/g, (_tag, scope?: string) => {
    if (scope === undefined) return open.pop() ? "</span>" : "";
    const ink = colorClasses[/^(?:hljs-)?([\w-]*)/.exec(scope)![1]!] ?? "plain";
    open.push(ink !== "plain");
    return ink === "plain" ? "" : `<span class="code-${ink}">`;
  });
}
