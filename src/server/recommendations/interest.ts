import { fold } from "../../shared/fold.ts";
import { anyPhrase } from "../database/search/full-text.ts";

export interface Interest {
  /** As the viewer entered it. */
  name: string;
  /** What finds candidates for `weightIn` in the index: `anyPhrase`. */
  match: string;
  /** Highest by a tag, then title, then description; 0 if unrelated. */
  weightIn: (blog: { title: string; description: string; tags: string[] }) => number;
}

const weights = { tag: 3, partOfTag: 2, title: 1.5, description: 1 };
const word = "[\\p{L}\\p{N}\\p{M}]";

/** `web development` finds `webdevelopment`, `web-development` and `Web development`. Returns null without a word. */
export function interestOf(name: string): Interest | null {
  const words = fold(name).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const last = words.at(-1);
  if (last === undefined) return null;
  // One letter (`c++`, `r`) occurs everywhere: only tags are searched.
  if (words.length === 1 && [...last].length === 1)
    return {
      name,
      match: anyPhrase(["tags"], [last]),
      weightIn: ({ tags }) => (tags.includes(name.toLowerCase()) ? weights.tag : 0),
    };
  const before = words.slice(0, -1);
  const singular = last.length > 4 && /[^sui]s$/u.test(last) ? last.slice(0, -1) : last;
  const forms = [...new Set([last, singular, `${singular}s`])].map((form) => [...before, form]);
  const phrase = [...before, singular].join(`[^\\p{L}\\p{N}\\p{M}]*`);
  const wholeTag = new RegExp(`^${phrase}s?$`, "u");
  const containedPhrase = new RegExp(`(?<!${word})${phrase}s?(?!${word})`, "u");
  return {
    name,
    match: anyPhrase(
      ["title", "description", "tags"],
      forms.flatMap((form) => [form.join(" "), form.join("")]),
    ),
    weightIn: ({ title, description, tags }) => {
      const foldedTags = tags.map(fold);
      if (foldedTags.some((tag) => wholeTag.test(tag.replace(/[^\p{L}\p{N}\p{M}]/gu, ""))))
        return weights.tag;
      if (foldedTags.some((tag) => containedPhrase.test(tag))) return weights.partOfTag;
      if (containedPhrase.test(fold(title))) return weights.title;
      return containedPhrase.test(fold(description)) ? weights.description : 0;
    },
  };
}
