import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import { Button } from "../ui/button.tsx";

interface Props {
  /** Such as "Show 240 replies". */
  label: string;
  /** It unfolds a thread. */
  folds?: boolean;
  /** `button` is passed for its position. */
  load: (button: HTMLElement) => Promise<void>;
}

/** A button that loads more comments; after a failure, an error and a Retry button. */
export function LoadMore({ label, folds = false, load }: Props) {
  const [state, setState] = useState<"ready" | "loading" | "failed">("ready");
  const show = async (button: HTMLElement): Promise<void> => {
    setState("loading");
    setState(
      await load(button).then(
        () => "ready" as const,
        () => "failed" as const,
      ),
    );
  };
  return (
    <>
      {state === "failed" && <p role="alert">{messages.dataFetch}</p>}
      <Button
        {...(folds ? { kind: "quiet", size: "s", "aria-expanded": false } : {})}
        busy={state === "loading"}
        onClick={(event) => void show(event.currentTarget)}
      >
        {state === "failed" ? "Retry" : label}
      </Button>
    </>
  );
}
