import type { SubscriptionLevel } from "../../../shared/notification-inputs.ts";
import { trpc } from "../../api/trpc.ts";
import { patch } from "../../live/queries/patch.ts";
import { liveQuery } from "../../live/queries/live-query.ts";
import { mutate, registerLiveQueries } from "../../live/live.ts";
import type { Mutation, MutationContext } from "../../live/mutations/optimistic-mutations.ts";
import type { MenuEntry } from "../../ui/menu.tsx";
import { toastWithUndo } from "../../ui/toasts.tsx";

interface Current {
  level: SubscriptionLevel | null;
}
interface Change extends Current {
  blogId: string;
}

registerLiveQueries({
  "social.subscription": liveQuery<Current, { blogId: string }>({
    topics: () => ["me"],
    on: {
      "viewer.subscription": (known, { blogId, level }, { input }) =>
        blogId === input.blogId ? patch(known, { level }) : known,
    },
  }),
});

const setSubscription = ({ client }: MutationContext): Mutation<Change> => ({
  name: "social.setSubscription",
  key: ({ blogId }) => `watch:${blogId}`,
  optimisticEvents: (input) => [{ topic: "me", event: { kind: "viewer.subscription", ...input } }],
  send: (input) => client.social.setSubscription.mutate(input),
});

const messages = {
  follow: "You’ll be notified of every new comment.",
  mute: "Muted. You won’t get notifications about this blog.",
  usual: "Back to normal: replies, mentions and likes on your comments.",
};

/** Changes the viewer's subscription to a blog, says so, and offers to undo it. */
export async function changeSubscription(
  blogId: string,
  level: SubscriptionLevel | null,
  before: SubscriptionLevel | null,
): Promise<void> {
  if (!(await mutate(setSubscription, { blogId, level }))) return;
  toastWithUndo(messages[level ?? "usual"], () => void changeSubscription(blogId, before, level));
}

/** Returns the subscription entries of a blog's menu; none until the current state is known. */
export function useSubscription(blog: { id: string; mine: boolean }): MenuEntry[] {
  const { data } = trpc.social.subscription.useQuery({ blogId: blog.id });
  if (!data) return [];
  const { level } = data;
  const entry = (
    wanted: SubscriptionLevel,
    on: string,
    off: string,
    icon: "bell" | "eye-off",
  ): MenuEntry => ({
    label: level === wanted ? off : on,
    icon,
    run: () => void changeSubscription(blog.id, level === wanted ? null : wanted, level),
  });
  return [
    ...(blog.mine
      ? []
      : [entry("follow", "Notify me of new comments", "Don’t notify me of new comments", "bell")]),
    entry("mute", "Mute this blog", "Unmute this blog", "eye-off"),
  ];
}
