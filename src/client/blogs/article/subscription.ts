import type { SubscriptionLevel } from "../../../shared/notifications.ts";
import { trpc } from "../../api/trpc.ts";
import { changed } from "../../live/changed.ts";
import { kept } from "../../live/kept.ts";
import { doAct, keepAlso } from "../../live/live.ts";
import type { Act, Hands } from "../../live/own.ts";
import { tellFailure } from "../../session/failure.ts";
import type { MenuEntry } from "../../ui/menu.tsx";
import { toastWithUndo } from "../../ui/toasts.tsx";

interface Watched {
  way: SubscriptionLevel | null;
}
interface Turn extends Watched {
  blogId: string;
}

keepAlso({
  "social.subscription": kept<Watched, { blogId: string }>({
    topics: () => ["me"],
    on: {
      "viewer.subscription": (known, { blogId, way }, { input }) =>
        blogId === input.blogId ? changed(known, { way }) : known,
    },
  }),
});

const watch = ({ client, navigate }: Hands): Act<Turn> => ({
  name: "social.setSubscription",
  key: ({ blogId }) => `watch:${blogId}`,
  foresee: (wanted) => [{ topic: "me", event: { kind: "viewer.subscription", ...wanted } }],
  send: (wanted) => client.social.setSubscription.mutate(wanted),
  kept: false,
  refused: (error, _wanted, again) => tellFailure(error, navigate, again),
});

const said = {
  follow: "You’ll be notified of every new comment.",
  mute: "Muted. You won’t get notifications about this blog.",
  usual: "Back to normal: replies, mentions and likes on your comments.",
};

/** Changes the viewer's subscription to a blog, says so, and offers to undo it. */
export async function changeSubscription(
  blogId: string,
  way: SubscriptionLevel | null,
  before: SubscriptionLevel | null,
): Promise<void> {
  if (!(await doAct(watch, { blogId, way }))) return;
  toastWithUndo(said[way ?? "usual"], () => void changeSubscription(blogId, before, way));
}

/** Returns the subscription entries of a blog's menu; none until the current state is known. */
export function useSubscription(blog: { id: string; mine: boolean }): MenuEntry[] {
  const { data } = trpc.social.subscription.useQuery({ blogId: blog.id });
  if (!data) return [];
  const { way } = data;
  const entry = (
    wanted: SubscriptionLevel,
    on: string,
    off: string,
    icon: "bell" | "eye-off",
  ): MenuEntry => ({
    label: way === wanted ? off : on,
    icon,
    run: () => void changeSubscription(blog.id, way === wanted ? null : wanted, way),
  });
  return [
    ...(blog.mine
      ? []
      : [entry("follow", "Notify me of new comments", "Don’t notify me of new comments", "bell")]),
    entry("mute", "Mute this blog", "Unmute this blog", "eye-off"),
  ];
}
