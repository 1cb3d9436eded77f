import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { deviceStore } from "../../editor/journal/store.ts";
import { useLiveEvents, useTopic } from "../../live/live.ts";
import { useViewer } from "../../session/viewer.ts";
import { tryLock } from "../../storage/try-lock.ts";
import { useStore } from "../../ui/external-store.ts";
import { codeLoader } from "../../ui/fetch-code.ts";
import { toast } from "../../ui/toasts.tsx";
import type { FormBlog } from "./find-work.ts";
import type { Entry, Held, Snapshot, Waiting } from "./work.ts";
import { WritingSession } from "./writing-session.ts";

export const loadEditor = codeLoader(() => import("../../editor/content-field.tsx"));

const store = deviceStore<Entry, Waiting>();

/** The session of one form, from its first paint to its last; `read` gives what the form holds at the time of the call. */
export function useWritingSession(
  account: string,
  blog: FormBlog,
  read: () => Held,
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
  useEffect(() => session.signedIn(isSignedIn), [session, isSignedIn]);
  useTopic(snapshot.topic);
  useLiveEvents((event, topic) => {
    if (event.kind === "writing.message") toast({ message: event.message, kind: "error" });
    else session.hear(event, topic);
  });
  useEffect(() => {
    if (snapshot.topic === null) return;
    // Once it is followed, as the line above has it: what came before that is asked for.
    const timer = setTimeout(() => session.lookAgain(), 0);
    return () => clearTimeout(timer);
  }, [session, snapshot.topic]);

  useEffect(() => {
    void session.start(() => latest.current());
    const keep = () => void session.keep();
    const seen = () => (document.visibilityState === "hidden" ? keep() : session.lookAgain());
    const back = () => session.lookAgain();
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
