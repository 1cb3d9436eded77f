import type { OptimisticEvent } from "../../src/client/live/mutations/optimistic-mutations.ts";
import { Incomplete } from "../../src/client/live/queries/live-query.ts";
import type { EventContext, LiveQuery } from "../../src/client/live/queries/live-query.ts";
import type { ViewerComment } from "../../src/shared/comments.ts";
import type { ViewerEntry } from "../../src/shared/entries.ts";
import type { LiveEvent } from "../../src/shared/live.ts";

type AnyEvent = LiveEvent | OptimisticEvent;

/** Applies a live query's handler of the event to its data, as the store does. Without one the data stays the same. */
export function applyEvent(
  query: LiveQuery,
  data: unknown,
  event: AnyEvent,
  context: Partial<EventContext<unknown>> = {},
): unknown {
  const change = query.on[event.kind] as
    | ((data: unknown, event: AnyEvent, context: EventContext<unknown>) => unknown)
    | undefined;
  const defaults = { input: {}, topic: "me", isOptimistic: false, viewerId: "me" } as const;
  return change ? change(data, event, { ...defaults, ...context }) : data;
}

/** Returns the data of a handler's answer that asks for a fetch of the rest. */
export function incompleteData(answer: unknown): unknown {
  if (!(answer instanceof Incomplete)) throw new Error("Nothing else would be fetched.");
  return (answer as Incomplete<unknown>).data;
}

/** The time so many minutes after the first one. */
export const atMinute = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

export const ana = { id: "ana", username: "ana", name: "Ana", picture: null };

/** A comment by Ana as a page has it; without `parentId` it begins a thread. */
export const listedComment = (id: string, changes: Partial<ViewerComment> = {}): ViewerComment => ({
  id,
  blogId: "b",
  parentId: null,
  rootId: id,
  author: ana,
  text: id,
  createdAt: atMinute(0),
  editedAt: null,
  deleted: false,
  likesCount: 0,
  liked: false,
  ...changes,
});

/** An entry of a live blog by Ana as a page has it. */
export const listedEntry = (id: string, changes: Partial<ViewerEntry> = {}): ViewerEntry => ({
  id,
  blogId: "b",
  at: atMinute(0),
  author: ana,
  title: id,
  isKey: false,
  html: `<p>${id}</p>`,
  headline: id,
  editedAt: null,
  likesCount: 0,
  liked: false,
  ...changes,
});
