import { useState } from "react";
import type { BlogPage } from "../../shared/blogs.ts";
import { newId } from "../api/ids.ts";
import { mutate } from "../live/live.ts";
import { serverTime } from "../ui/clock.ts";
import { useReplying } from "../comments/presence.ts";
import { useStore } from "../ui/external-store.ts";
import { useViewer } from "../session/viewer.ts";
import { toast } from "../ui/toasts.tsx";
import { entryElementId } from "./elements.ts";
import { restoredDrafts } from "./entry-drafts.ts";
import { EntryForm } from "./entry-form.tsx";
import type { WrittenEntry } from "./entry-form.tsx";
import { postEntry } from "./entry-mutations.ts";

interface Props {
  blog: BlogPage;
  /** Loads an entry that is not shown, and scrolls to it. */
  onShow: (id: string) => void;
}

/** Where the authors of a live blog that is on air write its next entry. */
export default function Composer({ blog, onShow }: Props) {
  const viewer = useViewer();
  /** Counts the entries sent: each begins with an empty form. */
  const [count, setCount] = useState(0);
  const restored = useStore(restoredDrafts);
  const type = useReplying(blog.id, viewer?.showPresence === true && !blog.private);
  if (!viewer) return null;
  const post = (entry: WrittenEntry): void => {
    const at = new Date(serverTime()).toISOString();
    const id = newId();
    setCount(count + 1);
    void mutate(postEntry, { ...entry, id, blogId: blog.id, viewerId: viewer.id, at }).then((answer) => {
      // With the oldest first it is beyond the loaded pages.
      if (!answer || document.getElementById(entryElementId(id))) return;
      toast({ kind: "success", message: "Entry posted.", action: { label: "Show", run: () => onShow(id) } });
    });
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
