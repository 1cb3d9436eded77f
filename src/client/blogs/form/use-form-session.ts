import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import type { EditableBlog } from "../../../shared/blogs.ts";
import { fetchCode } from "../../ui/fetch-code.ts";
import { claim, deviceStore } from "../../editor/journal/store.ts";
import { FormSession } from "./form-session.ts";
import type { Held, Snapshot } from "./work.ts";
import type { BlogFields } from "./values.ts";

export const loadEditor = () => fetchCode(() => import("../../editor/content-field.tsx"));

const around = {
  store: deviceStore<BlogFields>(),
  claim,
  editor: async () => (await loadEditor()).normalDocument,
};

/** The session of one form, from its first paint to its last; `read` gives what the form holds at the time of the call. */
export function useFormSession(
  account: string,
  blog: EditableBlog | null,
  read: () => Held,
): Snapshot & { session: FormSession; restart: (steal: boolean) => void } {
  const [session] = useState(() => new FormSession(account, blog, around));
  const snapshot = useSyncExternalStore(session.subscribe, session.snapshot, session.snapshot);
  const latest = useRef(read);
  useLayoutEffect(() => {
    latest.current = read;
  });

  useEffect(() => {
    void session.start(() => latest.current());
    const keep = () => void session.keep();
    const hidden = () => document.visibilityState === "hidden" && keep();
    window.addEventListener("pagehide", keep);
    document.addEventListener("visibilitychange", hidden);
    return () => {
      window.removeEventListener("pagehide", keep);
      document.removeEventListener("visibilitychange", hidden);
      session.stop();
    };
  }, [session]);

  return { ...snapshot, session, restart: (steal) => void session.start(() => latest.current(), steal) };
}
