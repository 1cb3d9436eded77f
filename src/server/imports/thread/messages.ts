import type { ErrorCode } from "../../../shared/errors.ts";
import type { ImportKind } from "../../../shared/imports.ts";
import type { SourceOptions } from "../kinds.ts";
import type { Found, SourceKind } from "../source.ts";

/* Messages between the server and a source's thread. */

/** A source by path. `name` is its file name where the path lacks it. */
export interface SourceRequest extends SourceOptions {
  kind: string;
  file: string;
  name?: string;
}

export interface SourceSummary {
  kind: SourceKind;
  count: number;
  origins: readonly string[] | undefined;
}

/** A post or a skipped file; null at the end. */
export type NextPost = { found: Found; origins: readonly string[] | undefined } | null;

/** The requests, each answered once. `posts` starts an iteration under the caller's own number. */
export interface ThreadRequests {
  look(request: SourceRequest): ImportKind | null;
  open(request: SourceRequest): SourceSummary;
  posts(iteration: number): null;
  next(iteration: number): NextPost;
  leave(iteration: number): null;
  file(input: { post: string; name: string; most: number }): Uint8Array<ArrayBuffer>;
  close(input: null): null;
}

export interface ThreadRequest {
  id: number;
  method: keyof ThreadRequests;
  input: unknown;
}

/** A reply. Expected errors are sent as messages. `isAlive` is a heartbeat. */
export type ThreadReply =
  | { id: number; value: unknown }
  | { id: number; problem: string; code?: ErrorCode }
  | { id: number; failed: unknown }
  | { isAlive: true };

/** The interval of heartbeats during a request, in milliseconds. */
export const heartbeatInterval = 2_000;
