import { limits } from "./limits.ts";

const most = 10;
const mention = new RegExp(
  `(?<![\\w@./-])@([a-z0-9][a-z0-9._-]{${limits.username.min - 1},${limits.username.max - 1}})`,
  "gi",
);

/** The usernames a text mentions (`@ana`), lower case, each once, at most ten; a dot or hyphen that ends a sentence is not part of them. */
export function mentionsIn(text: string): string[] {
  const names = [...text.matchAll(mention)].map(([, name = ""]) => name.toLowerCase().replace(/[._-]+$/, ""));
  return [...new Set(names)].filter((name) => name.length >= limits.username.min).slice(0, most);
}
