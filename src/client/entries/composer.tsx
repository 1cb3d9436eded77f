import { useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import { newId } from "../api/ids.ts";
import { mutate } from "../live/live.ts";
import { serverTime } from "../ui/clock.ts";
import { useReplying } from "../comments/presence.ts";
import { useStore } from "../ui/external-store.ts";
import { useViewer } from "../session/viewer.ts";
import { restoredDrafts } from "./entry-drafts.ts";
import { EntryForm } from "./entry-form.tsx";
import type { WrittenEntry } from "./entry-form.tsx";
import { postEntry } from "./entry-mutations.ts";

/** Where the authors of a live blog that is on air write its next entry. */
export default function Composer({ blog }: { blog: BlogPage }) {
  const viewer = useViewer();
  /** Counts the entries sent: each begins with an empty form. */
  const [count, setCount] = useState(0);
  const restored = useStore(restoredDrafts);
  const type = useReplying(blog.id, viewer?.showPresence === true && !blog.private);
  if (!viewer) return null;
  const post = (entry: WrittenEntry): void => {
    const at = new Date(serverTime()).toISOString();
    void mutate(postEntry, { ...entry, id: newId(), blogId: blog.id, viewerId: viewer.id, at });
    setCount(count + 1);
  };
  return (
    <EntryForm
      key={`${count} ${restored}`}
      place={{ viewerId: viewer.id, blogId: blog.id, at: "entry" }}
      takesFocus={count > 0}
      language={blog.language ?? ""}
      label="New entry"
      action="Post"
      onSend={post}
      onType={() => type("entry")}
    />
  );
}
