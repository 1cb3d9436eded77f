import { useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import type { BlogPage } from "../../shared/blogs.ts";
import type { SeenComment } from "../../shared/comments.ts";
import type { Viewer } from "../../shared/users.ts";
import { newId } from "../api/ids.ts";
import { trpc } from "../api/trpc.ts";
import { tellFailure } from "../social/failure.ts";
import { useConfirm } from "../ui/confirm.tsx";
import { dropToast } from "../ui/toasts.tsx";
import { useViewer } from "../users/viewer.ts";
import { deleteComment, editComment, postComment } from "./actions.ts";
import type { Draft } from "./actions.ts";
import { commentElementId } from "./comment-row.tsx";
import type { RowActions } from "./comment-row.tsx";
import { keepDraft, readDraft, returnDraft, sentId } from "./drafts.ts";
import type { DraftPlace } from "./drafts.ts";
import { useLost } from "./lost.ts";
import type { Start } from "./stretch.ts";
import { useView } from "./view.ts";
import type { View } from "./view.ts";

/** Which comment is being answered or edited: one at a time (specification, 4). */
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
  const confirm = useConfirm();
  const [mode, setMode] = useState<Mode>(null);
  const { view, setFolded, setStart } = useView();
  const [returned, setReturned] = useState(0);
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
  const giveBack = (at: Mode, text: string, id?: string): void => {
    if (!viewer) return;
    returnDraft(placeOf(viewer, blogId, at), text, id);
    setMode((open) => open ?? at);
    setReturned((count) => count + 1);
  };
  const takeBack = (at: string, text: string): void => {
    if (!viewer) return;
    const place: DraftPlace = { viewerId: viewer.id, blogId, at };
    const draft = readDraft(place);
    // Another tab may have taken it from the storage; the box of this one still shows it.
    if (draft !== text && draft !== "") return;
    keepDraft(place, "");
    if (draft === text) setMode((open) => (open && nameOf(open) === at ? null : open));
    setReturned((count) => count + 1);
  };
  const lose = useLost(viewer?.id, blogId, ({ at, text, retry }) => {
    takeBack(at, text);
    if (retry) dropToast(retry);
  });

  const send = (draft: Draft): void => {
    if (!viewer) return;
    const { id, text, parent } = draft;
    const at: Mode = parent && { kind: "reply", comment: parent };
    postComment(cache, blog, viewer, draft).catch((error: unknown) => {
      const retry = (): void => {
        takeBack(nameOf(at), text);
        send(draft);
      };
      giveBack(at, text, id);
      tellFailure(error, navigate, retry);
      lose({ id, at: nameOf(at), text, retry });
    });
  };
  const update = (comment: SeenComment, text: string): void => {
    const at: Mode = { kind: "edit", comment };
    setMode(null);
    if (text.trim() === comment.text) return;
    editComment(cache, blog, comment, text).catch((error: unknown) => {
      giveBack(at, text);
      tellFailure(error, navigate, () => {
        takeBack(nameOf(at), text);
        update(comment, text);
      });
    });
  };

  const row = useMemo<RowActions>(() => {
    const remove = (comment: SeenComment): void => {
      deleteComment(cache, { id: blogId }, comment).catch((error: unknown) =>
        tellFailure(error, navigate, () => remove(comment)),
      );
    };
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
          remove(comment);
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
  }, [cache, blogId, confirm, navigate, setFolded]);

  return {
    mode,
    view,
    setStart,
    returned,
    row,
    unfold: () => setFolded(new Set()),
    leave: () => setMode(null),
    post: (text, parent) => {
      if (parent) setMode(null);
      const place = viewer && placeOf(viewer, blogId, parent && { kind: "reply", comment: parent });
      send({ id: (place && sentId(place, text)) ?? newId(), text, parent });
    },
    update,
  };
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
