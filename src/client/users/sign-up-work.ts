import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { isFound, pieceOf, work } from "../../shared/work.ts";

/** So long, in milliseconds, the page does nothing else: less than a person notices while typing. */
const stretch = 8;

/**
 * Does the site's task in short stretches, and answers with what was found. By a library, since a page that came over plain
 * HTTP has no `crypto.subtle`.
 */
export async function doTask(task: string): Promise<string> {
  const found: string[] = [];
  let until = performance.now() + stretch;
  for (let piece = 0; piece < work.pieces; piece++) {
    let number = 0;
    while (!isFound(sha256(utf8ToBytes(pieceOf(task, piece, number))))) {
      if (++number % 32 === 0 && performance.now() > until) {
        await new Promise((resolve) => setTimeout(resolve));
        until = performance.now() + stretch;
      }
    }
    found.push(number.toString(36));
  }
  return [task, ...found].join(":");
}
