import { whyHidden, type Fields } from "./not-public.ts";

export interface LinesMatter {
  fields: Fields;
  body: string;
  hidden: string | null;
}

/** No more of a text is looked at. */
const most = 20_000;
const telling = new Set("status draft published visibility private unlisted".split(" "));

/**
 * Front matter without fences, as MultiMarkdown and Pelican have it: a first paragraph of lines of `name: value`, a title
 * among them. Of another first paragraph, or the one below a heading, a line that says who may read the text still counts.
 */
export function takeLines(text: string, now: Date): LinesMatter {
  const start = text.search(/\S|$/);
  const behind = text.startsWith("# ", start) ? text.indexOf("\n", start) : start;
  if (behind < 0) return { fields: {}, body: text, hidden: null };
  const from = behind + text.slice(behind).search(/\S|$/);
  const head = text.slice(from, from + most);
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
      found.set(last, found.has(last) && telling.has(last) ? "twice" : value.trim());
    } else if (last !== undefined && /^[ \t]+\S/.test(line))
      found.set(last, `${found.get(last) ?? ""} ${line.trim()}`.trim());
    else isWhole = false;
  }
  if (isWhole && found.get("title"))
    return { fields: Object.fromEntries(found), body: text.slice(from + end), hidden: null };
  const said = Object.fromEntries([...found].filter(([name]) => telling.has(name)));
  const why = whyHidden(said, now);
  return { fields: {}, body: text, hidden: why && `its first lines contain ${why}` };
}
