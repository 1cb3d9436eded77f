import { useSyncExternalStore } from "react";
import type { CommentList } from "../../shared/comments.ts";
import type { BlogEvent } from "../../shared/events.ts";
import { applyCommentEvent } from "./apply-comment-event.ts";
import type { OwnCommentEvent } from "./apply-comment-event.ts";

/** A change that this tab made to a blog's comments, shown on top of what the server has told so far. */
export interface OwnChange {
  id: string;
  event: OwnCommentEvent;
  /** The server has it; its event has not been heard yet. */
  answered: boolean;
}

/** The list as the person sees it: what the server told, and their own changes that it has not told of yet. */
export function withOwnChanges(state: CommentList, changes: readonly OwnChange[]): CommentList {
  return changes.reduce((list, change) => applyCommentEvent(list, change.event), state);
}

/** The changes that remain after the server's word: an event about the same comment settles a change. */
export function remaining(changes: readonly OwnChange[], event: BlogEvent): readonly OwnChange[] {
  const left = changes.filter((change) => !settles(event, change.event));
  return left.length === changes.length ? changes : left;
}

function settles(event: BlogEvent, own: OwnCommentEvent): boolean {
  const id =
    own.kind === "comment.created"
      ? own.comment.id
      : own.kind === "comment.deleted"
        ? own.commentIds[0]
        : own.commentId;
  if (id === undefined) return false;
  if (event.kind === "comment.deleted") return event.commentIds.includes(id) || event.emptied.includes(id);
  if (event.kind === "comment.created") return own.kind === "comment.created" && event.comment.id === id;
  if (event.kind === "comment.edited")
    return own.kind === "comment.edited" && event.commentId === id && event.text === own.text;
  return false;
}

const none: readonly OwnChange[] = [];

/** This tab's own changes, by blog. They outlive the page: a comment that is on its way still arrives when one goes on reading. */
class OwnChanges {
  readonly #blogs = new Map<string, readonly OwnChange[]>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  of(blogId: string): readonly OwnChange[] {
    return this.#blogs.get(blogId) ?? none;
  }

  begin(blogId: string, id: string, event: OwnCommentEvent): void {
    this.#set(blogId, [
      ...this.of(blogId).filter((change) => change.id !== id),
      { id, event, answered: false },
    ]);
  }

  /** The server has it. It stays until its event is heard, so that its count neither jumps back nor counts twice. */
  answered(blogId: string, id: string, event?: OwnCommentEvent): void {
    this.#set(
      blogId,
      this.of(blogId).map((change) =>
        change.id === id ? { id, event: event ?? change.event, answered: true } : change,
      ),
    );
  }

  drop(blogId: string, id: string): void {
    this.#set(
      blogId,
      this.of(blogId).filter((change) => change.id !== id),
    );
  }

  heard(blogId: string, event: BlogEvent): void {
    this.#set(blogId, remaining(this.of(blogId), event));
  }

  #set(blogId: string, changes: readonly OwnChange[]): void {
    if (changes === this.of(blogId)) return;
    if (changes.length > 0) this.#blogs.set(blogId, changes);
    else this.#blogs.delete(blogId);
    for (const listener of this.#listeners) listener();
  }
}

/** Never touched on the server. */
export const ownChanges = new OwnChanges();

export function useOwnChanges(blogId: string): readonly OwnChange[] {
  return useSyncExternalStore(
    ownChanges.subscribe,
    () => ownChanges.of(blogId),
    () => none,
  );
}
