import type { HLJSApi } from "highlight.js";
import { unescapeHtml } from "../../shared/document/to-html.ts";
import type { Piece } from "./drawn-blocks.ts";

/** Which of the site's inks a part of code has, by the first word of the name that highlighters have for it. */
const inks: Record<string, string> = {
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
 * The same code with its parts in spans, by classes alone; null where nobody knows its language. To be called in a worker: what
 * costs a millisecond in most languages may cost a hundred where somebody means it to.
 */
export async function colorCode({ language, html }: Piece): Promise<string | null> {
  const highlighter = await load();
  if (!(await knows(highlighter, language))) return null;
  const { value } = highlighter.highlight(unescapeHtml(html), { language, ignoreIllegals: true });
  const colored = inOurInks(value.replaceAll("&#x27;", "&#39;"));
  // Whatever a grammar does, the text of a code block is what its author wrote.
  return colored.replace(/<\/?span[^>]*>/g, "") === html ? colored : null;
}

/** Those that blogs are mostly about are there at once; of the others each is fetched when it is met. */
async function knows(highlighter: HLJSApi, language: string): Promise<boolean> {
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

function inOurInks(html: string): string {
  const open: boolean[] = [];
  return html.replace(/<span class="([^"]*)">|<\/span>/g, (_tag, scope?: string) => {
    if (scope === undefined) return open.pop() ? "</span>" : "";
    const ink = inks[/^(?:hljs-)?([\w-]*)/.exec(scope)![1]!] ?? "plain";
    open.push(ink !== "plain");
    return ink === "plain" ? "" : `<span class="code-${ink}">`;
  });
}
