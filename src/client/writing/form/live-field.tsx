import { useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { errorMessage } from "../../api/errors.ts";
import { messages } from "../../../shared/errors.ts";
import { FormOption } from "./form-option.tsx";
import { toast } from "../../ui/toasts.tsx";

/** Shows readers a published blog while it is written, at once and until the next update. */
export function LiveField({ id, live, disabled }: { id: string; live: boolean; disabled: boolean }) {
  /** The choice here until the server confirms it. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  if (chosen === live) setChosen(null);
  const choose = trpc.blogs.setLive.useMutation({
    onMutate: ({ live: wanted }) => setChosen(wanted),
    onError: (error) => {
      setChosen(null);
      toast({ message: errorMessage(error, messages.connection), kind: "error" });
    },
  });
  return (
    <FormOption
      isSwitch
      label="Write live"
      hint={
        live
          ? "Readers see each paragraph when you move on to the next. Update Blog ends live writing."
          : "Readers who have it open see it change live."
      }
      checked={chosen ?? live}
      isMuted={disabled}
      disabled={disabled || chosen !== null}
      onChange={(checked) => choose.mutate({ id, live: checked })}
    />
  );
}
