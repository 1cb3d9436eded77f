import { getQueryKey } from "@trpc/react-query";
import { useEffect, useRef, useState } from "react";
import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { refetchNow } from "../live/live.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toasts.tsx";

interface Props {
  blogId: string;
  version: string;
  onDeleted: () => void;
}

/** Deletes a version after a confirmation within the dialog; it cannot be undone. */
export function DeleteVersion({ blogId, version, onDeleted }: Props) {
  const [state, setState] = useState<"ready" | "asking">("ready");
  const keepButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (state === "asking") keepButton.current?.focus();
  }, [state]);
  const removal = trpc.blogs.deleteVersion.useMutation({
    onSuccess: async ({ message }) => {
      await refetchNow(getQueryKey(trpc.blogs.versions, { id: blogId }, "query"));
      toast({ kind: "success", message });
      onDeleted();
    },
    onError: (error) => {
      setState("ready");
      toast({ kind: "error", message: errorMessage(error, messages.connection) });
    },
  });
  if (state === "ready")
    return (
      <Button kind="quiet" className="history-delete danger" onClick={() => setState("asking")}>
        Delete this version
      </Button>
    );
  return (
    <span className="history-delete row wrap small" role="group" aria-label="Delete this version for good?">
      <span>Delete this version for good?</span>
      <Button ref={keepButton} size="s" onClick={() => setState("ready")}>
        Keep it
      </Button>
      <Button
        size="s"
        kind="danger"
        busy={removal.isPending}
        onClick={() => removal.mutate({ id: blogId, version })}
      >
        Delete
      </Button>
    </span>
  );
}
