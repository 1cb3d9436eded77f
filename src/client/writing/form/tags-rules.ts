import { messages } from "../../../shared/errors.ts";
import { limits } from "../../../shared/limits.ts";
import { cleanTag, dotTag, hasTagPage } from "../../../shared/tags.ts";

export interface Added {
  tags: readonly string[];
  /** The refused words, which stay in the field. */
  rest: string;
  error: string | null;
}

/** Spaces, commas (also Chinese, Japanese and Arabic ones) and semicolons. */
const separators = /[\s,，、،;；]+/u;

export const hasSeparator = (text: string): boolean => separators.test(text);

/** Adds typed or pasted words as tags, except empty and known ones. */
export function addTags(tags: readonly string[], text: string): Added {
  const words = text
    .split(separators)
    .map(cleanTag)
    .filter((word) => word !== "");
  let error: string | null = null;
  const rest: string[] = [];
  const all = [...tags];
  for (const word of words) {
    if (all.includes(word)) continue;
    const refused = refusedTag(all, word);
    if (refused) {
      error ??= refused;
      rest.push(word);
    } else all.push(word);
  }
  return { tags: all, rest: rest.join(" "), error };
}

function refusedTag(tags: readonly string[], tag: string): string | null {
  // oxlint-disable-next-line no-control-regex -- those are what it is about
  if (/[\u0000-\u001f\u007f-\u009f]/.test(tag)) return "That tag contains characters that can't be shown.";
  if (!hasTagPage(tag)) return dotTag;
  if ([...tag].length > limits.tags.length) return `A tag can have up to ${limits.tags.length} characters.`;
  return tags.length >= limits.tags.max ? messages.tagLimit : null;
}
