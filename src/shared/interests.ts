import { withoutHash } from "./tags.ts";

/** Interests offered at `/select-interests`; people can add their own in the settings. */
export interface InterestGroup {
  name: string;
  topics: string[];
}

/** Reads topics that are separated by lines or commas, without repetitions. */
export function parseTopics(text: string): string[] {
  const topics = text.split(/[\n,]/).map((topic) => withoutHash(topic.replace(/\s+/g, " ").trim()));
  const byKey = new Map<string, string>();
  for (const topic of topics) if (!byKey.has(topic.toLowerCase())) byKey.set(topic.toLowerCase(), topic);
  byKey.delete("");
  return [...byKey.values()];
}

/** Reads groups of interests, one a line: `Garden: Roses, Compost`. Without a colon the name is empty. */
export const parseGroups = (text: string): InterestGroup[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", topics = ""] = /^([^:]*):(.*)$/.exec(line) ?? [undefined, "", line];
      return { name: name.replace(/\s+/g, " ").trim(), topics: parseTopics(topics) };
    });
