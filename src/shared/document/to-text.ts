import { specOf } from "./blocks.ts";
import { isPictureName } from "./picture-names.ts";
import type { NodeJson } from "./schema.ts";
import { shorten } from "./shorten.ts";

/** Returns a line for each block and break, no pictures. Needs no DOM. */
export function documentToText(document: NodeJson): string {
  const parts: string[] = [];
  for (const { node, leaving } of walk(document)) {
    const spec = specOf(node.type);
    if (!leaving) parts.push(node.text ?? spec?.text?.(node.attrs ?? {}) ?? "");
    // A node with text in it is a line.
    else if (/\b(?:inline|text)\b/.test(spec?.content ?? "")) parts.push("\n");
  }
  return parts
    .join("")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

export const excerpt = (document: NodeJson, length: number): string =>
  shorten(documentToText(document), length);

/** Counts words; each Chinese or Japanese character is one. */
export function countWords(text: string): number {
  const { words, characters } = measure(text);
  return words + characters;
}

/** Returns minutes, at least 1, of a text or a number of words: 230 words or 500 Chinese or Japanese characters a minute. */
export function readingMinutes(textOrWordCount: string | number): number {
  const { words, characters } =
    typeof textOrWordCount === "string"
      ? measure(textOrWordCount)
      : { words: textOrWordCount, characters: 0 };
  return Math.max(1, Math.round(words / 230 + characters / 500));
}

/** Returns the pictures' URLs, each once, in order. */
export function imagesOf(document: NodeJson): string[] {
  const sources = new Set<string>();
  for (const { node, leaving } of walk(document)) {
    const src = node.attrs?.src;
    if (!leaving && isPictureName(node.type) && typeof src === "string") sources.add(src);
  }
  return [...sources];
}

export const embedsIn = (document: NodeJson): NodeJson[] =>
  [...walk(document)].flatMap(({ node, leaving }) => (!leaving && node.type === "embed" ? [node] : []));

const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’._-][\p{L}\p{N}][\p{L}\p{M}\p{N}]*)*/gu;

function measure(text: string): { words: number; characters: number } {
  const characters = text.match(ideographs)?.length ?? 0;
  const others = characters > 0 ? text.replace(ideographs, " ") : text;
  return { words: others.match(word)?.length ?? 0, characters };
}

/** Yields every node twice. Not recursive, since documents may be deep. */
function* walk(root: NodeJson): Generator<{ node: NodeJson; leaving: boolean }> {
  const open: { node: NodeJson; next: number }[] = [{ node: root, next: 0 }];
  yield { node: root, leaving: false };
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const child = top.node.content?.[top.next++];
    if (child) {
      yield { node: child, leaving: false };
      open.push({ node: child, next: 0 });
    } else {
      yield { node: top.node, leaving: true };
      open.pop();
    }
  }
}
