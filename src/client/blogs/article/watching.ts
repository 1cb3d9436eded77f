import type { BlogWay } from "../../../shared/notices.ts";
import { trpc } from "../../api/trpc.ts";
import { changed } from "../../live/changed.ts";
import { kept } from "../../live/kept.ts";
import { doAct, keepAlso } from "../../live/live.ts";
import type { Act, Hands } from "../../live/own.ts";
import { tellFailure } from "../../session/failure.ts";
import type { MenuEntry } from "../../ui/menu.tsx";
import { toastWithUndo } from "../../ui/toasts.tsx";

interface Watched {
  way: BlogWay | null;
}
interface Turn extends Watched {
  blogId: string;
}

keepAlso({
  "social.watching": kept<Watched, { blogId: string }>({
    topics: () => ["me"],
    on: {
      "own.watched": (known, { blogId, way }, { input }) =>
        blogId === input.blogId ? changed(known, { way }) : known,
    },
  }),
});

const watch = ({ client, navigate }: Hands): Act<Turn> => ({
  name: "social.watchBlog",
  key: ({ blogId }) => `watch:${blogId}`,
  foresee: (wanted) => [{ topic: "me", event: { kind: "own.watched", ...wanted } }],
  send: (wanted) => client.social.watchBlog.mutate(wanted),
  kept: false,
  refused: (error, _wanted, again) => tellFailure(error, navigate, again),
});

const said = {
  follow: "You are told of each new comment here.",
  mute: "You are told of nothing here.",
  usual: "You are told of what concerns you here, as usual.",
};

/** Turns how the viewer hears of a blog; says so, and offers the opposite. */
export async function turnWatching(
  blogId: string,
  way: BlogWay | null,
  before: BlogWay | null,
): Promise<void> {
  if (!(await doAct(watch, { blogId, way }))) return;
  toastWithUndo(said[way ?? "usual"], () => void turnWatching(blogId, before, way));
}

/** What a blog's menu offers about being told of it; nothing until it is known how that stands. */
export function useWatching(blog: { id: string; mine: boolean }): MenuEntry[] {
  const { data } = trpc.social.watching.useQuery({ blogId: blog.id });
  if (!data) return [];
  const { way } = data;
  const entry = (wanted: BlogWay, on: string, off: string, icon: "bell" | "eye-off"): MenuEntry => ({
    label: way === wanted ? off : on,
    icon,
    run: () => void turnWatching(blog.id, way === wanted ? null : wanted, way),
  });
  return [
    ...(blog.mine
      ? []
      : [entry("follow", "Notify me of new comments", "Don’t notify me of new comments", "bell")]),
    entry("mute", "Mute this blog", "Unmute this blog", "eye-off"),
  ];
}
