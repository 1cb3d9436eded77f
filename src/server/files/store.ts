import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A stored file or folder. The bytes and the time, in milliseconds, of a folder are those of the store. */
export interface Entry {
  key: string;
  bytes: number;
  changedAt: number;
}

/** A file that is being read; `content` has to be read or destroyed. */
export interface OpenedFile extends Omit<Entry, "key"> {
  content: Readable;
}

/**
 * The files that all servers of a site share: in `DATA_DIR`, or in a bucket of S3. A key is a path such as
 * `media/ab/<id>/full.webp`; the file of a key never changes. Methods throw `unavailable` when S3 is away or slow.
 */
export interface FileStore {
  /**
   * Calls `write` with a path at which it makes a file, or a folder of files, and stores that: other readers see a file when it is
   * complete, and the last file of a folder, in the order of the names, after the others. On failure nothing stays.
   */
  put: <T>(key: string, write: (part: string) => Promise<T>) => Promise<T>;
  /** Copies the files of a folder that have a wanted name. Throws when there is none. */
  copy: (from: string, to: string, isWanted: (name: string) => boolean) => Promise<void>;
  /** Returns null when there is no such file. */
  read: (key: string) => Promise<OpenedFile | null>;
  /** Returns the bytes of a file; null when there is no such file. */
  size: (key: string) => Promise<number | null>;
  /** Returns a check for many files with this name in a folder: whether a key is one of them. */
  finder: (folder: string, name: string) => Promise<(key: string) => Promise<boolean>>;
  /**
   * Answers with a file or a range of it, 304 for one that is known, or 404. The caller has checked access and set the caching.
   * Without `lastModified` only the etag says which file it is.
   */
  send: (
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    options?: { lastModified: boolean },
  ) => Promise<FastifyReply>;
  /** Calls `work` with a path of the file, which must not be changed. Without such a file there is none at that path. */
  local: <T>(key: string, work: (file: string) => Promise<T>) => Promise<T>;
  /** Deletes a file, or a folder, and what an interrupted `put` left of it. */
  remove: (key: string) => Promise<void>;
  /** Yields what is `depth` levels below a folder, in batches. */
  entries: (folder: string, depth: number) => AsyncGenerator<Entry[]>;
}

/** A part of a key. It begins with no dot: `..` would lead out of the folder. */
const name = "[A-Za-z0-9_-][A-Za-z0-9._-]*";
const keyPattern = new RegExp(`^(?:media|exports|imports)(?:/${name})*$`);
const namePattern = new RegExp(`^${name}$`);

export const isName = (word: string): boolean => namePattern.test(word);

/** Returns a key as it is. Throws for any that could lead elsewhere, which is a bug. */
export function checkedKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error("This is not the key of a file.");
  return key;
}
