import { getQueryKey } from "@trpc/react-query";
import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import type { VersionEntry, VersionList } from "../../shared/versions.ts";
import { trpc } from "../api/trpc.ts";
import { refetchNow, updateAnswerAt } from "../live/live.ts";
import { useViewer } from "../session/viewer.ts";
import { Button } from "../ui/button.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { exactText, reasonText, withOlder, wordsText } from "./version-queries.ts";

interface Props {
  blogId: string;
  list: VersionList;
  chosen: string | null;
  onChoose: (id: string) => void;
}

export function Versions({ blogId, list, chosen, onChoose }: Props) {
  return (
    <div className="history-list">
      <ol className="stack">
        {list.versions.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              className="history-entry stack note full"
              data-version={entry.id}
              aria-current={entry.id === chosen || undefined}
              onClick={() => onChoose(entry.id)}
            >
              <Entry entry={entry} isSeen={entry.id === list.seen} />
            </button>
          </li>
        ))}
      </ol>
      {list.hasMore && <OlderButton blogId={blogId} last={list.versions.at(-1)} />}
    </div>
  );
}

function Entry({ entry, isSeen }: { entry: VersionEntry; isSeen: boolean }) {
  const viewer = useViewer();
  const { author, createdAt, title } = entry;
  return (
    <>
      <span className="ink medium">{reasonText(entry)}</span>
      <span>
        <RelativeTime at={createdAt} /> · {exactText(createdAt)}
      </span>
      <span className="history-title soft line-clamp" dir="auto">
        {title}
      </span>
      <span className="tabular">
        {wordsText(entry)} ·{" "}
        {author === null ? "by someone else" : author.id === viewer?.id ? "by you" : `by ${author.name}`}
        {isSeen && " · Readers see this"}
      </span>
    </>
  );
}

function OlderButton({ blogId, last }: { blogId: string; last: VersionEntry | undefined }) {
  const { client } = trpc.useUtils();
  const [state, setState] = useState<"ready" | "loading" | "failed">("ready");
  const load = async (): Promise<void> => {
    if (!last) return;
    setState("loading");
    try {
      const { id, createdAt } = last;
      const older = await client.blogs.versions.query({ id: blogId, before: { id, createdAt } });
      const key = getQueryKey(trpc.blogs.versions, { id: blogId }, "query");
      const isJoined = updateAnswerAt<VersionList>(key, older.cursor, (list) =>
        list.versions.at(-1)?.id === id ? withOlder(list, older) : list,
      );
      if (!isJoined) await refetchNow(key);
      setState("ready");
    } catch {
      setState("failed");
    }
  };
  return (
    <div className="history-older">
      {state === "failed" && <p role="alert">{messages.dataFetch}</p>}
      <Button size="s" busy={state === "loading"} onClick={() => void load()}>
        {state === "failed" ? "Retry" : "Show older"}
      </Button>
    </div>
  );
}
