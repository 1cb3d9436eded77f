/**
 * The proof of work before a sign-up: for each piece, a number whose hash begins with `zeroBits` zero bits, about 260,000
 * hashes in all. Many small pieces take everyone about the same time; one large piece could take ten times as long.
 */
export const proofOfWork = { pieces: 16, zeroBits: 14, takes: 30 * 60 * 1_000 };

/** Returns the input of SHA-256; with a task it is one block. */
export const hashInput = (task: string, piece: number, found: number): string =>
  `${task}:${piece}:${found.toString(36)}`;

/** Whether a hash begins with enough zero bits. */
export const hasEnoughZeroBits = (hash: Uint8Array): boolean =>
  (((hash[0] ?? 1) << 8) | (hash[1] ?? 1)) >> (16 - proofOfWork.zeroBits) === 0;
