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
  const behind = text.startsWith("# ", start) ? text.indexOf("\n", start) : start;
  if (behind < 0) return { fields: {}, body: text, hidden: null };
  const from = behind + text.slice(behind).search(/\S|$/);
  const head = text.slice(from, from + maxHeadCharacters);
  const end = /\n[ \t]*(?:\n|$)/.exec(head)?.index ?? head.length;
  const lines = head.slice(0, end).split("\n");
  const found = new Map<string, string>();
  let isWhole = from === start;
  let last: string | undefined;
  for (const line of lines) {
    const [, name, value = ""] = /^([a-z][\w -]{0,40}):(?:[ \t](.*))?$/i.exec(line) ?? [];
    if (name !== undefined) {
      last = name.trim().toLowerCase();
      if (found.has(last)) isWhole = false;
      found.set(last, found.has(last) && visibilityFields.has(last) ? "twice" : value.trim());
    } else if (last !== undefined && /^[ \t]+\S/.test(line))
      found.set(last, `${found.get(last) ?? ""} ${line.trim()}`.trim());
    else isWhole = false;
  }
  if (isWhole && found.get("title"))
    return { fields: Object.fromEntries(found), body: text.slice(from + end), hidden: null };
  const said = Object.fromEntries([...found].filter(([name]) => visibilityFields.has(name)));
  const why = hiddenReason(said, now);
  return { fields: {}, body: text, hidden: why && `its first lines contain ${why}` };
}
