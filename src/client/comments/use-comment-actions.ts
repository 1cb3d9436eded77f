import { useCallback, useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { BlogPage } from "../../shared/blogs.ts";
import type { ViewerComment, Writing } from "../../shared/comments.ts";
import type { Viewer } from "../../shared/users.ts";
import { newId } from "../api/ids.ts";
import { trpc } from "../api/trpc.ts";
import { showFailure } from "../session/failure.ts";
import { mutate, optimisticMutations } from "../live/live.ts";
import type { Mutation, MutationContext } from "../live/mutations/optimistic-mutations.ts";
import { serverTime } from "../ui/clock.ts";
import { confirm } from "../ui/confirm.tsx";
import { useViewer } from "../session/viewer.ts";
import { createComment, editComment, markComment, removeComment, deleteUnsent } from "./comment-mutations.ts";
import { commentElementId } from "./arrivals.ts";
import type { RowActions } from "./comment-row.tsx";
import { storeDraft, readDraft, restoreDraftText } from "./drafts.ts";
import type { DraftPlace } from "./drafts.ts";
import { cachedComments } from "./load-comments.ts";
import { useReplying } from "./presence.ts";
import type { WindowStart } from "./row-window.ts";
import { useView } from "./view-state.ts";
import type { View } from "./view-state.ts";

/** The comment that is being answered or edited, one at a time (docs/specification.md, 4.26). */
export type Mode = { kind: "reply" | "edit"; comment: ViewerComment } | null;

export interface CommentActions {
  mode: Mode;
  view: View;
  setStart: (start: WindowStart | null) => void;
  /** Changes each time an unsent text is put back into its field. */
  restored: number;
  row: RowActions;
  /** Opens every folded thread. */
  unfold(): void;
  leave(): void;
  /** Called when something of a new comment was typed. */
  type(what: Writing): void;
  post(text: string, parent: ViewerComment | null): void;
  update(comment: ViewerComment, text: string): void;
}

const nameOf = (mode: Mode): string => (mode ? `${mode.kind}-${mode.comment.id}` : "new");

export const placeOf = (viewer: Viewer, blogId: string, mode: Mode): DraftPlace => ({
  viewerId: viewer.id,
  blogId,
  at: nameOf(mode),
});

/** Returns the actions on a blog's comments and their state. */
export function useCommentActions(blog: BlogPage): CommentActions {
  const cache = trpc.useUtils();
  const viewer = useViewer();
  const navigate = useNavigate();
  const [mode, setMode] = useState<Mode>(null);
  const { view, setFolded, setStart } = useView();
  const [restored, setRestored] = useState(0);
  const blogId = blog.id;
  // The focused field disappears: the focus moves to its comment.
  useEffect(() => {
    if (!mode) return;
    return () => {
      if (document.activeElement === document.body)
        document.getElementById(commentElementId(mode.comment.id))?.focus({ preventScroll: true });
    };
  }, [mode]);

  /** Opens the field that an unsent text was put back into. */
  const openRestored = useCallback((at: Mode): void => {
    setMode((open) => open ?? at);
    setRestored((count) => count + 1);
  }, []);
  const closeRestored = (at: Mode, text: string): void => {
    if (!viewer) return;
    const place = placeOf(viewer, blogId, at);
    if (readDraft(place) !== text) return;
    storeDraft(place, "");
    setMode((open) => (open && nameOf(open) === nameOf(at) ? null : open));
    setRestored((count) => count + 1);
  };
  /** Sends a text; the field that it is put back into when that fails opens, and closes when it is sent again. */
  const send = <Input, Answer extends { cursor?: string }>(
    create: (context: MutationContext) => Mutation<Input, Answer>,
    input: Input & { text: string },
    at: Mode,
    id?: string,
  ): void => {
    const withField = (context: MutationContext): Mutation<Input, Answer> => {
      const mutation = create(context);
      return {
        ...mutation,
        onError: (error, failed, retry) => {
          mutation.onError?.(error, failed, () => {
            closeRestored(at, input.text);
            retry();
          });
          openRestored(at);
        },
      };
    };
    void mutate(withField, input, id);
  };

  const type = useReplying(blogId, viewer?.showPresence === true && !blog.private);
  const row = useMemo<RowActions>(() => {
    const actions: RowActions = {
      fold: (id) =>
        setFolded((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      reply: (comment) => {
        setFolded((before) => new Set([...before].filter((id) => id !== comment.id)));
        setMode({ kind: "reply", comment });
      },
      edit: (comment) => setMode({ kind: "edit", comment }),
      cancelSend: ({ id, parentId, text }) => {
        if (!optimisticMutations().cancelSend(id)) return;
        const parent = cachedComments(cache, blogId)?.comments.find((one) => one.id === parentId);
        const at: Mode = parent ? { kind: "reply", comment: parent } : null;
        if (viewer) restoreDraftText(placeOf(viewer, blogId, at), text);
        openRestored(at);
        void mutate(deleteUnsent, { id, blogId });
      },
      mark: (comment, mark) => void mutate(markComment, { comment, mark }),
      remove: (comment, replies) => {
        const confirmDeletion = async (count: number): Promise<void> => {
          const below = count === 0 ? "" : ` and ${count} ${count === 1 ? "reply" : "replies"}`;
          const isConfirmed = await confirm({
            title: `Delete this comment${below}?`,
            body: "This can’t be undone.",
            action: "Delete",
            danger: true,
          });
          if (!isConfirmed) return;
          void mutate(removeComment, comment);
          focusNear(comment.id);
        };
        if (replies !== null) return void confirmDeletion(replies);
        cache.client.comments.countReplies.query({ id: comment.id }).then(
          ({ repliesCount }) => confirmDeletion(repliesCount),
          (error: unknown) => showFailure(error, navigate, () => actions.remove(comment, replies)),
        );
      },
    };
    return actions;
  }, [cache, navigate, setFolded, blogId, viewer, openRestored]);

  return {
    mode,
    view,
    setStart,
    restored,
    row,
    unfold: () => setFolded(new Set()),
    leave: () => setMode(null),
    type,
    post: (text, parent) => {
      if (!viewer) return;
      if (parent) setMode(null);
      const id = newId();
      const rootId = parent?.rootId ?? id;
      const at = afterAll(cachedComments(cache, blogId)?.comments ?? []);
      const needsApproval = blog.commentsFrom === "approved" && !blog.mine;
      const parentId = parent?.id ?? null;
      send(
        createComment,
        { id, blogId, parentId, rootId, text, at, viewerId: viewer.id, needsApproval },
        parent && { kind: "reply", comment: parent },
        id,
      );
    },
    update: (comment, text) => {
      setMode(null);
      if (!viewer || text.trim() === comment.text) return;
      send(editComment, { comment, text, viewerId: viewer.id }, { kind: "edit", comment });
    },
  };
}

/** Returns the current time, or just after the newest comment if that is later. */
function afterAll(comments: readonly ViewerComment[]): string {
  const newest = comments.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), "");
  const now = new Date(serverTime()).toISOString();
  return now > newest ? now : new Date(Date.parse(newest) + 1).toISOString();
}

/** Moves the focus from a deleted comment to the one before it, once the dialog is closed. */
function focusNear(commentId: string): void {
  const before = document.getElementById(commentElementId(commentId))?.previousElementSibling;
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const next =
      before instanceof HTMLElement && before.isConnected
        ? before
        : document.getElementById("comments-title");
    next?.focus({ preventScroll: true });
  }, 300);
}
