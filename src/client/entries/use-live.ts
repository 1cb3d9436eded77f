import { messages } from "../../shared/errors.ts";
import { errorMessage } from "../api/errors.ts";
import { trpc } from "../api/trpc.ts";
import { confirm } from "../ui/confirm.tsx";
import { toast } from "../ui/toasts.tsx";

/** Returns functions that end a live blog, after a confirmation, and that reopen it. */
export function useLive({ id, title }: { id: string; title: string }): {
  isPending: boolean;
  end: () => Promise<void>;
  reopen: () => void;
} {
  const choose = trpc.blogs.setLive.useMutation({
    onError: (error) => toast({ message: errorMessage(error, messages.connection), kind: "error" }),
  });
  return {
    isPending: choose.isPending,
    end: async () => {
      const isConfirmed = await confirm({
        title: `End “${title}”?`,
        body: "Readers see how long it took and how many entries it has, from the first to the last. Without entries it becomes an ordinary blog. You can reopen it later.",
        action: "End",
      });
      if (isConfirmed) choose.mutate({ id, live: false });
    },
    reopen: () => choose.mutate({ id, live: true }),
  };
}
