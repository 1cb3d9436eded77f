import type { PresenceEvent } from "../../shared/live.ts";
import { connectionStatus, useConnectionState } from "../api/connection-status.ts";
import { trpc } from "../api/trpc.ts";
import { useViewer } from "../session/viewer.ts";
import { ExternalStore, useStore } from "../ui/external-store.ts";

/** The server forgets whoever replies after ten seconds. */
const EACH = 4_000;

type Company = PresenceEvent & { blogId: string };

const company = new ExternalStore<Company | null>(null);

/** How it stands at the blog that the tab shows; null where nothing is told of it. */
export const showCompany = (now: Company | null): void => company.set(now);

/** How many read the blog, where that is anybody but the viewer, and who else replies there, in words. Both may be "". */
export function useCompany(blogId: string): { reading: string; replying: string } {
  const known = useStore(company);
  const isOffline = useConnectionState() === "offline";
  const me = useViewer()?.id;
  if (!known || known.blogId !== blogId || isOffline) return { reading: "", replying: "" };
  const { reading, replying, replyingCount } = known;
  const others = replying.filter(({ id }) => id !== me);
  return {
    reading: reading > 1 ? `${reading.toLocaleString("en")} reading` : "",
    replying: replyingIn(
      others.map(({ name }) => name),
      replyingCount - (replying.length - others.length),
    ),
  };
}

/** "Ana is replying", "Ana and Bo are replying", "3 people are replying". */
export function replyingIn(names: string[], count: number): string {
  if (count === 0) return "";
  if (count > 2) return `${count.toLocaleString("en")} people are replying`;
  return `${names.join(" and ")} ${count === 1 ? "is" : "are"} replying`;
}

let told = { blogId: "", at: -Infinity };

/** To be called with each change of a comment that is being written: now and then the server is told that the viewer replies. */
export function useReplying(blogId: string, isTold: boolean): () => void {
  const { client } = trpc.useUtils();
  return () => {
    const at = performance.now();
    const isSoon = told.blogId === blogId && at - told.at < EACH;
    if (!isTold || isSoon || connectionStatus.state !== "live") return;
    told = { blogId, at };
    // Nothing is lost with it.
    client.comments.replying.mutate({ blogId }).catch(() => undefined);
  };
}
