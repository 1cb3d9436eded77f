/**
 * What a browser does before it signs somebody up: it looks for numbers behind which a hash begins with so many zeros, some
 * 260,000 hashes in all. Several small pieces take everybody about as long; one large one would take some ten times as long.
 */
export const work = { pieces: 16, zeroBits: 14, takes: 30 * 60 * 1_000 };

/** What is hashed, by SHA-256: with a task it is one block. */
export const pieceOf = (task: string, piece: number, found: number): string =>
  `${task}:${piece}:${found.toString(36)}`;

/** Whether a hash begins with zeros enough. */
export const isFound = (hash: Uint8Array): boolean =>
  (((hash[0] ?? 1) << 8) | (hash[1] ?? 1)) >> (16 - work.zeroBits) === 0;
