import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { hasEnoughZeroBits, hashInput, proofOfWork } from "../../shared/proof-of-work.ts";

/** Milliseconds that block the page, fewer than a person notices while typing. */
const sliceMs = 8;

/** Solves the site's proof of work in short slices. By a library, since a page over plain HTTP has no `crypto.subtle`. */
export async function solveTask(task: string): Promise<string> {
  const solutions: string[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (let piece = 0; piece < proofOfWork.pieces; piece++) {
    let number = 0;
    while (!hasEnoughZeroBits(sha256(utf8ToBytes(hashInput(task, piece, number))))) {
      if (++number % 32 === 0 && performance.now() > sliceEnd) {
        await new Promise((resolve) => setTimeout(resolve));
        sliceEnd = performance.now() + sliceMs;
      }
    }
    solutions.push(number.toString(36));
  }
  return [task, ...solutions].join(":");
}
