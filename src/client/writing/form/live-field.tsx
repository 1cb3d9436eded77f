import { useId, useState } from "react";
import { trpc } from "../../api/trpc.ts";
import { errorMessage } from "../../api/errors.ts";
import { messages } from "../../../shared/errors.ts";
import { toast } from "../../ui/toasts.tsx";

/** Shows readers a published blog while it is written, at once and until the next update. */
export function LiveField({ id, live, disabled }: { id: string; live: boolean; disabled: boolean }) {
  const name = useId();
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
    <div className="blog-form-option" data-disabled={disabled || undefined}>
      <input
        id={name}
        type="checkbox"
        className="blog-form-switch"
        autoComplete="off"
        checked={chosen ?? live}
        disabled={disabled || chosen !== null}
        aria-describedby={`${name}-hint`}
        onChange={(event) => choose.mutate({ id, live: event.target.checked })}
      />
      <label htmlFor={name}>Write live</label>
      <p id={`${name}-hint`}>
        {live
          ? "Readers see each paragraph when you move on to the next. Update Blog ends live writing."
          : "Readers who have it open see it change live."}
      </p>
    </div>
  );
}
