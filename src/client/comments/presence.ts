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

/** Returns how many read the blog, unless only the viewer does, and who else replies, as texts; may be "". */
export function usePresence(blogId: string): { reading: string; replying: string } {
  const known = useStore(presenceStore);
  const isOffline = useConnectionState() === "offline";
  const me = useViewer()?.id;
  if (!known || known.blogId !== blogId || isOffline) return { reading: "", replying: "" };
  const { reading, replying, replyingCount } = known;
  const others = replying.filter(({ id }) => id !== me);
  return {
    reading: reading > 1 ? `${reading.toLocaleString("en")} reading` : "",
    replying: replyingText(others, replyingCount - (replying.length - others.length)),
  };
}

/** "Ana is replying", "Ana is writing a comment", "Ana and Bo are replying", "3 people are writing comments". */
export function replyingText(people: Omit<Commenter, "id">[], count: number): string {
  if (count === 0) return "";
  const who =
    count > 2 ? `${count.toLocaleString("en")} people` : people.map(({ name }) => name).join(" and ");
  const what = people.every(({ reply }) => reply)
    ? "replying"
    : `writing ${count === 1 ? "a comment" : "comments"}`;
  return `${who} ${count === 1 ? "is" : "are"} ${what}`;
}

let lastReport = { blogId: "", at: -Infinity };

/** Returns a function to call on each change of a comment, which reports to the server that the viewer writes one. */
export function useReplying(blogId: string, isAnnounced: boolean): (reply: boolean) => void {
  const { client } = trpc.useUtils();
  return (reply) => {
    const at = performance.now();
    const isSoon = lastReport.blogId === blogId && at - lastReport.at < REPORT_INTERVAL;
    if (!isAnnounced || isSoon || connectionStatus.state !== "live") return;
    lastReport = { blogId, at };
    client.comments.replying.mutate({ blogId, reply }).catch(() => undefined);
  };
}
