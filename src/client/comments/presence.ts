import type { Writing } from "../../shared/comments.ts";
import type { Commenter, PresenceEvent } from "../../shared/live.ts";
import { connectionStatus, useConnectionState } from "../api/connection-status.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../session/viewer.ts";
import { ExternalStore, useStore } from "../ui/external-store.ts";

/** Milliseconds between reports; the server forgets one after ten seconds. */
const REPORT_INTERVAL = 4_000;

type BlogPresenceState = PresenceEvent & { blogId: string };

const presenceStore = new ExternalStore<BlogPresenceState | null>(null);

/** Sets the presence at the blog that the tab shows; null if unknown. */
export const setPresence = (now: BlogPresenceState | null): void => presenceStore.set(now);

const nobody = { reading: "", replying: "", writing: "" };

/** Returns how many read the blog, unless only the viewer does, who else comments, and who writes an entry; may be "". */
export function usePresence(blogId: string): Record<keyof typeof nobody, string> {
  const known = useStore(presenceStore);
  const isOffline = useConnectionState() === "offline";
  const me = useViewer()?.id;
  if (!known || known.blogId !== blogId || isOffline) return nobody;
  const { reading, replying, replyingCount } = known;
  const writers = replying.filter(({ id, what }) => id !== me && what === "entry");
  const others = replying.filter(({ id, what }) => id !== me && what !== "entry");
  return {
    reading: reading > 1 ? `${reading.toLocaleString("en")} reading` : "",
    replying: replyingText(others, replyingCount - (replying.length - others.length)),
    writing: replyingText(writers, writers.length),
  };
}

/** "Ana is replying", "Ana is writing a comment", "Ana and Bo are replying", "3 people are writing comments", "Ana is writing". */
export function replyingText(people: Omit<Commenter, "id">[], count: number): string {
  if (count === 0) return "";
  const who =
    count > 2 ? `${count.toLocaleString("en")} people` : people.map(({ name }) => name).join(" and ");
  const all = (one: Writing): boolean => people.every(({ what: writing }) => writing === one);
  const what = all("reply")
    ? "replying"
    : all("entry")
      ? "writing"
      : `writing ${count === 1 ? "a comment" : "comments"}`;
  return `${who} ${count === 1 ? "is" : "are"} ${what}`;
}

let lastReport = { blogId: "", at: -Infinity };

/** Returns a function to call on each change of a text, which reports to the server that the viewer writes it. */
export function useReplying(blogId: string, isAnnounced: boolean): (what: Writing) => void {
  const { client } = trpc.useUtils();
  return (what) => {
    const at = performance.now();
    const isSoon = lastReport.blogId === blogId && at - lastReport.at < REPORT_INTERVAL;
    if (!isAnnounced || isSoon || connectionStatus.state !== "live") return;
    lastReport = { blogId, at };
    client.comments.replying.mutate({ blogId, what }).catch(() => undefined);
  };
}
