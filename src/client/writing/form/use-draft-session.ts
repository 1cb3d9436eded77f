import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { sendAtUnload } from "../../api/client.ts";
import { trpc } from "../../api/trpc.ts";
import { draftStore } from "../draft-store.ts";
import { useLiveEvents, useTopic } from "../../live/live.ts";
import { useViewer } from "../../session/viewer.ts";
import { tryLock } from "../../storage/try-lock.ts";
import { useStore } from "../../ui/external-store.ts";
import { codeLoader } from "../../ui/fetch-code.ts";
import { toast } from "../../ui/toasts.tsx";
import type { FormBlog } from "../find-draft.ts";
import type { FormExtras, Snapshot } from "../draft.ts";
import { DraftSession } from "../draft-session.ts";

export const loadEditor = codeLoader(() => import("../../editor/content-field.tsx"));

/** Creates a form's session; `read` returns what the form currently holds. */
export function useDraftSession(
  account: string,
  blog: FormBlog,
  read: () => FormExtras,
): Snapshot & { session: DraftSession; isCodeMissing: () => boolean; restart: () => void } {
  const cache = trpc.useUtils();
  const codeMissing = useRef(false);
  const { blogs } = cache.client;
  const [session] = useState(
    () =>
      new DraftSession(account, blog, {
        store: draftStore,
        claim: (name) => tryLock(`reprise-draft-${name}`),
        signedIn: () => cache.users.me.getData()?.id,
        editor: async () => {
          codeMissing.current = true;
          const { code } = await loadEditor();
          codeMissing.current = false;
          return code;
        },
        api: {
          begin: (input) => blogs.begin.mutate(input),
          open: (input) => blogs.openDraft.mutate(input) as never,
          unfinished: async () => (await blogs.unfinished.query()).blogs,
          discard: (input) => blogs.discardDraft.mutate(input),
          remove: (input) => blogs.remove.mutate(input),
          publish: (input) => blogs.publish.mutate(input),
          push: (commit) => blogs.pushCommit.mutate(commit),
          pushAtUnload: (commit) => sendAtUnload("blogs.pushCommit", commit),
          since: (input) => blogs.commitsSince.query(input),
        },
      }),
  );
  const isSignedIn = useViewer()?.id === account;
  const snapshot = useStore(session.store);
  const latestExtras = useRef(read);
  useLayoutEffect(() => {
    latestExtras.current = read;
  });
  useEffect(() => session.setSignedIn(isSignedIn), [session, isSignedIn]);
  useTopic(snapshot.topic);
  useLiveEvents((event, topic) => {
    if (event.kind === "draft.message") toast({ message: event.message, kind: "error" });
    else session.handleEvent(event, topic);
  });
  useEffect(() => {
    if (snapshot.topic === null) return;
    // After the subscription above: fetches what came before it.
    const timer = setTimeout(() => session.resync(), 0);
    return () => clearTimeout(timer);
  }, [session, snapshot.topic]);

  useEffect(() => {
    void session.start(() => latestExtras.current());
    const keepAtUnload = () => session.open?.keepAtUnload();
    const onVisibilityChange = () =>
      document.visibilityState === "hidden" ? keepAtUnload() : session.resync();
    const resync = () => session.resync();
    const end = new AbortController();
    const { signal } = end;
    window.addEventListener("pagehide", keepAtUnload, { signal });
    window.addEventListener("online", resync, { signal });
    document.addEventListener("visibilitychange", onVisibilityChange, { signal });
    return () => {
      end.abort();
      session.stop();
    };
  }, [session]);

  const isCodeMissing = () => codeMissing.current;
  return {
    ...snapshot,
    session,
    isCodeMissing,
    restart: () => void session.start(() => latestExtras.current()),
  };
}
