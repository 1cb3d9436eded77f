import { getQueryKey } from "@trpc/react-query";
import { useEffect, useRef, useState } from "react";
import { messages } from "../../../../shared/errors.ts";
import { errorMessage } from "../../../api/errors.ts";
import { trpc } from "../../../api/trpc.ts";
import { askAnew } from "../../../live/live.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toasts.tsx";

interface Props {
  blogId: string;
  revision: string;
  onDeleted: () => void;
}

/** Deletes one version, once it was asked again: there is no way back. The question stands in the dialog itself. */
export function DeleteVersion({ blogId, revision, onDeleted }: Props) {
  const { client } = trpc.useUtils();
  const [state, setState] = useState<"ready" | "asking" | "sending">("ready");
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === "asking") keep.current?.focus();
  }, [state]);
  const remove = async (): Promise<void> => {
    setState("sending");
    try {
      const { message } = await client.blogs.deleteRevision.mutate({ id: blogId, revision });
      await askAnew(getQueryKey(trpc.blogs.revisions, { id: blogId }, "query"));
      toast({ kind: "success", message });
      onDeleted();
    } catch (error) {
      setState("ready");
      toast({ kind: "error", message: errorMessage(error, messages.connection) });
    }
  };
  if (state === "ready")
    return (
      <Button kind="quiet" className="history-delete" onClick={() => setState("asking")}>
        Delete this version
      </Button>
    );
  return (
    <span className="history-delete" role="group" aria-label="Delete this version for good?">
      <span>Delete this version for good?</span>
      <Button ref={keep} size="s" onClick={() => setState("ready")}>
        Keep it
      </Button>
      <Button size="s" kind="danger" busy={state === "sending"} onClick={() => void remove()}>
        Delete
      </Button>
    </span>
  );
}
