import { useState } from "react";
import { messages } from "../../shared/errors.ts";
import { Button } from "../ui/button.tsx";

interface Props {
  /** What it brings, with how many: "Show 240 replies". */
  label: string;
  /** For a thread: it is folded, and this opens it. */
  folds?: boolean;
  /** The button, to know where it stood. */
  load: (button: HTMLElement) => Promise<void>;
}

/** The way to comments that are not loaded; where they can't be had it says so and tries again. */
export function More({ label, folds = false, load }: Props) {
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
