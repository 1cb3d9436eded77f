import type { ErrorCode } from "../../../shared/errors.ts";
import type { ImportKind } from "../../../shared/imports.ts";
import type { SourceOptions } from "../kinds.ts";
import type { Found, SourceKind } from "../source.ts";

/* What the site and the thread that reads a source say to each other. */

/** What to import from, by its path; `name` is what the file is called, where its path does not say. */
export interface Wanted extends SourceOptions {
  kind: string;
  file: string;
  name?: string;
}

export interface About {
  kind: SourceKind;
  count: number;
  origins: readonly string[] | undefined;
}

/** A post, or what is none; `says` is a post's hash (`says.ts`). Null at the end. */
export type Next = { found: Found; origins: readonly string[] | undefined } | null;

/** Each is answered once; `posts` begins to go through the source from its start, under a number of its own. */
export interface Asks {
  look(wanted: Wanted): ImportKind | null;
  open(wanted: Wanted): About;
  posts(walk: number): null;
  next(walk: number): Next;
  leave(walk: number): null;
  file(asked: { post: string; name: string; most: number }): Uint8Array<ArrayBuffer>;
  close(nothing: null): null;
}

export interface Asked {
  id: number;
  ask: keyof Asks;
  input: unknown;
}

/** A planned error crosses by its words. `isAlive`: it is at work, and nothing holds it. */
export type Said =
  | { id: number; value: unknown }
  | { id: number; problem: string; code?: ErrorCode }
  | { id: number; failed: unknown }
  | { isAlive: true };

/** How often the thread says so while something is asked of it, in milliseconds. */
export const saidEvery = 2_000;
