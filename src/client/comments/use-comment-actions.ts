import { useCallback, useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { BlogPage } from "../../shared/blogs.ts";
import type { SeenComment } from "../../shared/comments.ts";
import type { Viewer } from "../../shared/users.ts";
import { errorCode } from "../api/errors.ts";
import { newId } from "../api/ids.ts";
import { trpc } from "../api/trpc.ts";
import { tellFailure } from "../session/failure.ts";
import { doAct, ownChanges } from "../live/live.ts";
import { confirm } from "../ui/confirm.tsx";
import { useViewer } from "../session/viewer.ts";
import { createComment, editComment, markComment, removeComment, tellGone, unsayComment } from "./acts.ts";
import type { NewComment } from "./acts.ts";
import { commentElementId } from "./arrivals.ts";
import type { RowActions } from "./comment-row.tsx";
import { keepDraft, readDraft, returnDraft } from "./drafts.ts";
import type { DraftPlace } from "./drafts.ts";
import { cachedComments } from "./load.ts";
import { useReplying } from "./presence.ts";
import type { Start } from "./stretch.ts";
import { useView } from "./view.ts";
import type { View } from "./view.ts";

/** Which comment is being answered or edited: one at a time (docs/specification.md, 4.26). */
export type Mode = { kind: "reply" | "edit"; comment: SeenComment } | null;

export interface CommentActions {
  mode: Mode;
  view: View;
  setStart: (start: Start | null) => void;
  /** Grows each time a text came back that could not be sent. */
  returned: number;
  row: RowActions;
  /** Opens every thread that is folded. */
  unfold(): void;
  leave(): void;
  /** Something of a new comment was typed. */
  type(): void;
  post(text: string, parent: SeenComment | null): void;
  update(comment: SeenComment, text: string): void;
}

const nameOf = (mode: Mode): string => (mode ? `${mode.kind}-${mode.comment.id}` : "new");

export const placeOf = (viewer: Viewer, blogId: string, mode: Mode): DraftPlace => ({
  viewerId: viewer.id,
  blogId,
  at: nameOf(mode),
});

/** What a person may do in a blog's comments, and the modes that come with it. */
export function useCommentActions(blog: BlogPage): CommentActions {
  const cache = trpc.useUtils();
  const viewer = useViewer();
  const navigate = useNavigate();
  const [mode, setMode] = useState<Mode>(null);
  const { view, setFolded, setStart } = useView();
  const [returns, setReturned] = useState(0);
  const blogId = blog.id;
  // The box that had the focus goes away: the focus stays with the comment that it stood in.
  useEffect(() => {
    if (!mode) return;
    return () => {
      if (document.activeElement === document.body)
        document.getElementById(commentElementId(mode.comment.id))?.focus({ preventScroll: true });
    };
  }, [mode]);

  /** What could not be sent goes back into its box, before what was typed there since; the box opens again for it. */
  const giveBack = useCallback(
    (at: Mode, text: string): void => {
      if (!viewer) return;
      returnDraft(placeOf(viewer, blogId, at), text);
      setMode((open) => open ?? at);
      setReturned((count) => count + 1);
    },
    [viewer, blogId],
  );
  const takeBack = (at: string, text: string): void => {
    if (!viewer) return;
    const place: DraftPlace = { viewerId: viewer.id, blogId, at };
    if (readDraft(place) !== text) return;
    keepDraft(place, "");
    setMode((open) => (open && nameOf(open) === at ? null : open));
    setReturned((count) => count + 1);
  };

  const type = useReplying(blogId, viewer?.showPresence === true && !blog.private);
  const send = (comment: NewComment, parent: SeenComment | null): void => {
    const at: Mode = parent && { kind: "reply", comment: parent };
    const refused = (error: unknown): void => {
      giveBack(at, comment.text);
      if (errorCode(error) === "NOT_FOUND") return tellGone(comment.text);
      tellFailure(error, navigate, () => {
        takeBack(nameOf(at), comment.text);
        send(comment, parent);
      });
    };
    void doAct((hands) => ({ ...createComment(hands), refused }), comment, comment.id);
  };
  const update = (comment: SeenComment, text: string): void => {
    const at: Mode = { kind: "edit", comment };
    setMode(null);
    if (text.trim() === comment.text) return;
    const refused = (error: unknown): void => {
      giveBack(at, text);
      tellFailure(error, navigate, () => {
        takeBack(nameOf(at), text);
        update(comment, text);
      });
    };
    void doAct((hands) => ({ ...editComment(hands), refused }), { comment, text });
  };

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
      takeBack: ({ id, parentId, text }) => {
        if (!ownChanges().takeBack(id)) return;
        const parent = cachedComments(cache, blogId)?.comments.find((one) => one.id === parentId);
        giveBack(parent ? { kind: "reply", comment: parent } : null, text);
        void doAct(unsayComment, { id, blogId });
      },
      mark: (comment, mark) => void doAct(markComment, { comment, mark }),
      remove: (comment, replies) => {
        const ask = async (count: number): Promise<void> => {
          const below = count === 0 ? "" : ` and ${count} ${count === 1 ? "reply" : "replies"}`;
          const yes = await confirm({
            title: `Delete this comment${below}?`,
            body: "This can’t be undone.",
            action: "Delete",
            danger: true,
          });
          if (!yes) return;
          void doAct(removeComment, comment);
          focusNear(comment.id);
        };
        if (replies !== null) return void ask(replies);
        cache.client.comments.countReplies.query({ id: comment.id }).then(
          ({ repliesCount }) => ask(repliesCount),
          (error: unknown) => tellFailure(error, navigate, () => actions.remove(comment, replies)),
        );
      },
    };
    return actions;
  }, [cache, navigate, setFolded, blogId, giveBack]);

  return {
    mode,
    view,
    setStart,
    returned: returns,
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
      send({ id, blogId, parentId, rootId, text, at, viewerId: viewer.id, needsApproval }, parent);
    },
    update,
  };
}

/** Now, or just after the newest comment where this clock is behind. */
function afterAll(comments: readonly SeenComment[]): string {
  const newest = comments.reduce((latest, { createdAt }) => (createdAt > latest ? createdAt : latest), "");
  const now = new Date().toISOString();
  return now > newest ? now : new Date(Date.parse(newest) + 1).toISOString();
}

/** The focus was on a button that goes away with its comment: it moves to the comment before, once the dialog is gone. */
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
