import { hiddenReason, type Fields } from "./visibility.ts";

export interface UnfencedFrontMatter {
  fields: Fields;
  body: string;
  hidden: string | null;
}

/** The most characters searched for fields. */
const maxHeadCharacters = 20_000;
const visibilityFields = new Set("status draft published visibility private unlisted".split(" "));

/**
 * Parses unfenced front matter (MultiMarkdown, Pelican): a first paragraph of `name: value` lines with a title. In any other
 * first paragraph only lines about visibility count.
 */
export function parseUnfencedFrontMatter(text: string, now: Date): UnfencedFrontMatter {
  const start = text.search(/\S|$/);
  const headingEnd = text.startsWith("# ", start) ? text.indexOf("\n", start) : start;
  if (headingEnd < 0) return { fields: {}, body: text, hidden: null };
  const from = headingEnd + text.slice(headingEnd).search(/\S|$/);
  const head = text.slice(from, from + maxHeadCharacters);
  const end = /\n[ \t]*(?:\n|$)/.exec(head)?.index ?? head.length;
  const lines = head.slice(0, end).split("\n");
  const fields = new Map<string, string>();
  let isWhole = from === start;
  let last: string | undefined;
  for (const line of lines) {
    const [, name, value = ""] = /^([a-z][\w -]{0,40}):(?:[ \t](.*))?$/i.exec(line) ?? [];
    if (name !== undefined) {
      last = name.trim().toLowerCase();
      if (fields.has(last)) isWhole = false;
      fields.set(last, fields.has(last) && visibilityFields.has(last) ? "twice" : value.trim());
    } else if (last !== undefined && /^[ \t]+\S/.test(line))
      fields.set(last, `${fields.get(last) ?? ""} ${line.trim()}`.trim());
    else isWhole = false;
  }
  if (isWhole && fields.get("title"))
    return { fields: Object.fromEntries(fields), body: text.slice(from + end), hidden: null };
  const visibility = Object.fromEntries([...fields].filter(([name]) => visibilityFields.has(name)));
  const reason = hiddenReason(visibility, now);
  return { fields: {}, body: text, hidden: reason && `its first lines contain ${reason}` };
}
