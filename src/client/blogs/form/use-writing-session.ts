import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { deviceStore } from "../../editor/journal/store.ts";
import { useLiveEvents, useTopic } from "../../live/live.ts";
import { useViewer } from "../../session/viewer.ts";
import { tryLock } from "../../storage/try-lock.ts";
import { useStore } from "../../ui/external-store.ts";
import { codeLoader } from "../../ui/fetch-code.ts";
import { toast } from "../../ui/toasts.tsx";
import type { FormBlog } from "./working-copy-finder.ts";
import type { StoredWork, FormExtras, Snapshot, WaitingContent } from "./working-copy.ts";
import { WritingSession } from "./writing-session.ts";

export const loadEditor = codeLoader(() => import("../../editor/content-field.tsx"));

const store = deviceStore<StoredWork, WaitingContent>();

/** Creates a form's session; `read` returns what the form currently holds. */
export function useWritingSession(
  account: string,
  blog: FormBlog,
  read: () => FormExtras,
): Snapshot & { session: WritingSession; restart: () => void } {
  const cache = trpc.useUtils();
  const { blogs } = cache.client;
  const [session] = useState(
    () =>
      new WritingSession(account, blog, {
        store,
        claim: (name) => tryLock(`reprise-writing-${name}`),
        signedIn: () => cache.users.me.getData()?.id,
        editor: async () => (await loadEditor()).code,
        api: {
          begin: (asked) => blogs.begin.mutate(asked),
          open: (asked) => blogs.openWriting.mutate(asked) as never,
          unfinished: async () => (await blogs.unfinished.query()).blogs,
          discard: (asked) => blogs.discardWriting.mutate(asked),
          remove: (asked) => blogs.remove.mutate(asked),
          push: (commit) => blogs.pushCommit.mutate(commit),
          since: (asked) => blogs.commitsSince.query(asked),
        },
      }),
  );
  const isSignedIn = useViewer()?.id === account;
  const snapshot = useStore(session.store);
  const latest = useRef(read);
  useLayoutEffect(() => {
    latest.current = read;
  });
  useEffect(() => session.setSignedIn(isSignedIn), [session, isSignedIn]);
  useTopic(snapshot.topic);
  useLiveEvents((event, topic) => {
    if (event.kind === "writing.message") toast({ message: event.message, kind: "error" });
    else session.handleEvent(event, topic);
  });
  useEffect(() => {
    if (snapshot.topic === null) return;
    // After the subscription above: fetches what came before it.
    const timer = setTimeout(() => session.resync(), 0);
    return () => clearTimeout(timer);
  }, [session, snapshot.topic]);

  useEffect(() => {
    void session.start(() => latest.current());
    const keep = () => void session.storeNow();
    const seen = () => (document.visibilityState === "hidden" ? keep() : session.resync());
    const back = () => session.resync();
    window.addEventListener("pagehide", keep);
    window.addEventListener("online", back);
    document.addEventListener("visibilitychange", seen);
    return () => {
      window.removeEventListener("pagehide", keep);
      window.removeEventListener("online", back);
      document.removeEventListener("visibilitychange", seen);
      session.stop();
    };
  }, [session]);

  return { ...snapshot, session, restart: () => void session.start(() => latest.current()) };
}
