import { useQueryClient } from "@tanstack/react-query";
import type { QueryKey } from "@tanstack/react-query";
import type { UserEvent } from "../../shared/events.ts";
import type { FollowStatus, Viewer } from "../../shared/users.ts";
import { useLive } from "../api/live.ts";
import { trpc } from "../api/trpc.ts";
import { changeCachedComments, changeCachedPerson } from "../social/cached-texts.ts";
import { changeCachedBlog, changeCachedFollow } from "../social/cached.ts";
import { refreshLists } from "../social/own-lists.ts";
import { askAgain } from "./session.ts";
import { rememberFollow, rememberUser } from "./stored-user.ts";
import { tellUserEvent, userCursor } from "./user-events.ts";

const isOfComments = ([name]: QueryKey): boolean => Array.isArray(name) && name[0] === "comments";

/** Holds the stream open and applies what concerns every page: who I am, and what I liked, saved and follow elsewhere. */
export default function UserStream({ viewer }: { viewer: Viewer }): null {
  const { client, users } = trpc.useUtils();
  const queryClient = useQueryClient();
  const followed = (userId: string, status: FollowStatus): void => {
    changeCachedFollow(queryClient, userId, status, null);
    rememberFollow(userId, status === "following");
  };
  useLive<UserEvent>(
    viewer.session,
    userCursor.at,
    (since, handle) => client.users.live.subscribe({ since }, handle),
    (event, at) => {
      userCursor.at = at;
      refreshLists(queryClient, viewer, event);
      if (event.kind === "gone") void askAgain();
      else if (event.kind === "reset")
        // Comments that are shown are read again by their page, as far as they were unfolded.
        void queryClient.invalidateQueries({
          predicate: (query) => !(query.isActive() && isOfComments(query.queryKey)),
        });
      else if (event.kind === "profile.changed") {
        const changed = { ...viewer, ...event.person };
        users.me.setData(undefined, changed);
        rememberUser(changed);
        changeCachedPerson(queryClient, event.person);
      } else if (event.kind === "own.like")
        changeCachedBlog(queryClient, event.blogId, (blog) => ({ ...blog, liked: event.liked }));
      else if (event.kind === "own.save")
        changeCachedBlog(queryClient, event.blogId, (blog) => ({ ...blog, saved: event.saved }));
      else if (event.kind === "own.commentLike")
        changeCachedComments(queryClient, (comment) =>
          comment.id === event.commentId ? { ...comment, liked: event.liked } : comment,
        );
      else if (event.kind === "own.follow") followed(event.userId, event.status);
      else if (event.kind === "follow.settled") followed(event.userId, event.status);
      tellUserEvent(event);
    },
    () => void askAgain(),
  );
  return null;
}
